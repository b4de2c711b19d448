/** The body of a streamed answer: its events, its end mark, and how long each may take. */
import {
  type GenerateAnswer,
  isObject,
  type LlmApi,
  type LlmEvent,
  UpstreamFailed,
  type UpstreamWhy
} from "@trunkline/core/provider"
import type { HttpResponse } from "../http/index.ts"
import { EventJson } from "./EventJson.ts"
import { EventStream, type SentEvents } from "./EventStream.ts"
import { doneMark, errorIn, isLastEvent } from "./StreamedEvents.ts"
import { type Refusal, reportedError } from "./UpstreamRefusal.ts"
import { failed, failedBy, sizeOf } from "./UpstreamWire.ts"

/** Limits that nobody configures, in milliseconds and bytes. */
export interface GenerateLimits {
  /** Of an answer that is not streamed, from its head on, where `timeoutMs` is shorter. */
  readonly wholeMs: number
  /** Of a stream, from its head on. */
  readonly streamMs: number
  /** From the end mark of a stream until the connection is closed. */
  readonly endMs: number
  /** Of an answer, and of an event. */
  readonly maxBytes: number
}

/** What all calls of an upstream share. */
export interface CallSettings {
  readonly timeoutMs: number
  readonly secret: string | null
  readonly limits: GenerateLimits
}

interface StreamOptions extends CallSettings {
  readonly api: LlmApi
  /** When its first event must have come, on the clock of `performance`. */
  readonly firstUntil: number
}

/** The reader of a body. */
export interface BodyReader {
  readonly received: (chunk: Uint8Array) => void
  /** `cut`: why it is not whole. */
  readonly ended: (cut: HttpResponse["cut"]) => void
}

/** Where a stream goes. Calls after `succeed` or `fail` have no effect. */
export interface StreamOutlet {
  /** False: no more is taken. */
  readonly passOn: (events: ReadonlyArray<LlmEvent>) => boolean
  /** Calls `ended` at this time, on the clock of `performance`. */
  readonly waitUntil: (until: number) => void
  readonly succeed: (answer: GenerateAnswer) => void
  readonly fail: (error: UpstreamFailed) => void
}

/** What came together: its events, and what follows them. */
interface Read {
  readonly events: ReadonlyArray<LlmEvent>
  readonly next: { readonly _tag: "More" } | { readonly _tag: "End"; readonly hasEndMark: boolean } | Broken
}

interface Broken {
  readonly _tag: "Broken"
  /** `hasBegun`: events came before. */
  readonly error: (hasBegun: boolean) => UpstreamFailed
}

const more: Read["next"] = { _tag: "More" }

export class StreamBody implements BodyReader {
  readonly #options: StreamOptions
  readonly #outlet: StreamOutlet
  readonly #events: EventStream
  readonly #json = new EventJson()
  readonly #endUntil: number
  /** When the next event must have come. */
  #until: number
  #hasBegun = false
  /** The end mark has come: what follows is read past. */
  #isEnding = false
  #hasEndMark = false

  constructor(options: StreamOptions, outlet: StreamOutlet) {
    this.#options = options
    this.#outlet = outlet
    this.#events = new EventStream(options.limits.maxBytes)
    this.#endUntil = performance.now() + options.limits.streamMs
    this.#until = options.firstUntil
    this.#wait()
  }

  /** As far as the stream has come. */
  get answer(): GenerateAnswer {
    return { json: null, hasEndMark: this.#hasEndMark }
  }

  received(chunk: Uint8Array) {
    if (this.#isEnding) return
    const { events, next } = this.#read(this.#events.read(chunk))
    if (next._tag === "End") this.#hasEndMark = next.hasEndMark
    if (events.length > 0) {
      this.#hasBegun = true
      if (!this.#outlet.passOn(events)) return this.#outlet.succeed(this.answer)
    }
    if (next._tag === "End") return this.#end()
    if (next._tag === "Broken") return this.#fail(next.error(this.#hasBegun))
    if (events.length > 0) this.#waitForNext()
  }

  ended(cut: HttpResponse["cut"]) {
    // A stream that ended without its mark may be whole all the same.
    if (this.#isEnding || (cut === null && this.#hasBegun)) return this.#outlet.succeed(this.answer)
    if (cut === null) return this.#fail(withoutEvent())
    this.#fail(cut === "late" ? this.#late() : failed("failed", "the stream broke off"))
  }

  /** Nothing that comes now counts. A connection whose response ends soon can be used again. */
  #end() {
    if (!this.#hasBegun) return this.#fail(withoutEvent())
    this.#isEnding = true
    this.#outlet.waitUntil(performance.now() + this.#options.limits.endMs)
  }

  #waitForNext() {
    const now = performance.now()
    // Events come in time for ever, also to a reader that pauses with each of them.
    if (now >= this.#endUntil) return this.#fail(this.#late())
    this.#until = now + this.#options.timeoutMs
    this.#wait()
  }

  #wait() {
    this.#outlet.waitUntil(Math.min(this.#until, this.#endUntil))
  }

  #late(): UpstreamFailed {
    const { limits, timeoutMs } = this.#options
    return this.#endUntil <= this.#until
      ? failed("timeout", `the stream did not end within ${limits.streamMs} ms`)
      : failed("timeout", `no ${this.#hasBegun ? "further " : ""}event within ${timeoutMs} ms`)
  }

  #fail(error: UpstreamFailed) {
    this.#outlet.fail(this.#hasBegun ? begun(error) : error)
  }

  #read({ events, isTooLong }: SentEvents): Read {
    const { api, limits, secret } = this.#options
    const read: Array<LlmEvent> = []
    for (const { data, event } of events) {
      const text = data.trim()
      if (text === "") continue
      if (text === doneMark) return { events: read, next: { _tag: "End", hasEndMark: api === "chat_completions" } }
      const json = this.#json.read(data)
      if (!isObject(json)) return { events: read, next: broken("unreadable", "an event that is no JSON object") }
      const error = errorIn(event, json)
      if (error !== null) return { events: read, next: reported(reportedError(error, secret)) }
      read.push({ event, data: json })
      if (isLastEvent(api, json)) return { events: read, next: { _tag: "End", hasEndMark: true } }
    }
    const tooLong = () => broken("unreadable", `an event of more than ${sizeOf(limits.maxBytes)}`)
    return { events: read, next: isTooLong ? tooLong() : more }
  }
}

const withoutEvent = () => failed("unreadable", "a stream without an event")

/** The failure of a stream of which a part has been passed on. */
const begun = ({ advice, detail, param, retryAfterSeconds, why }: UpstreamFailed): UpstreamFailed =>
  new UpstreamFailed({ why, detail, retryAfterSeconds, advice, param, hasBegun: true })

const broken = (why: UpstreamWhy, detail: string): Broken => ({ _tag: "Broken", error: () => failed(why, detail) })

/** An error that is reported before the first event is that of the whole answer. */
const reported = (refused: Refusal): Broken => ({
  _tag: "Broken",
  error: (hasBegun) => (hasBegun ? failed("failed", refused.detail) : failedBy(refused))
})
