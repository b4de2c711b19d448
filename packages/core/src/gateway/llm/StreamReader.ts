/** Reads the stream of an upstream's answer: metered, and translated into the caller's events. Pure but for its own state. */
import * as Result from "effect/Result"
import type { GenerateAnswer } from "../upstreams/GenerateWork.ts"
import { UpstreamFailed } from "../upstreams/Upstream.ts"
import type { LlmUsage } from "./tokens/LlmUsage.ts"
import type { UsageMeter } from "./tokens/UsageMeter.ts"
import type { EventTranslator, Json, LlmEvent } from "./translate/Translation.ts"

/** Why a stream or an answer cannot be used. */
export interface AnswerFault {
  readonly why: "failed" | "unreadable"
  readonly detail: string
}

interface StreamReaderOptions {
  readonly translator: EventTranslator
  /** What an event says about a failure of its server; null for nothing. */
  readonly faultIn: (data: Json) => string | null
}

export class StreamReader {
  readonly #meter: UsageMeter
  readonly #options: StreamReaderOptions
  #fault: AnswerFault | null = null

  constructor(meter: UsageMeter, options: StreamReaderOptions) {
    this.#meter = meter
    this.#options = options
  }

  /** The fault of the first event that cannot be read or has failed. It is null while there is none. */
  get fault(): AnswerFault | null {
    return this.#fault
  }

  /** The billed usage of a whole stream. */
  get usage(): LlmUsage {
    return this.#meter.usage
  }

  /** The billed usage of a client that disconnects now. */
  get usageSoFar(): LlmUsage {
    return this.#meter.usageSoFar
  }

  /** Whether the answer is complete, whatever the upstream does now. */
  get isWhole(): boolean {
    return this.#meter.isWhole
  }

  /** The caller's events up to the first one that is wrong. */
  push(events: ReadonlyArray<LlmEvent>): ReadonlyArray<LlmEvent> {
    const read: Array<LlmEvent> = []
    for (const event of events) {
      for (const metered of this.#meter.push(event)) if (!this.#translate(metered, read)) return read
    }
    return read
  }

  /** The fault of a stream that the upstream has ended; null for a stream without one. */
  faultOf({ hasEndMark }: GenerateAnswer): AnswerFault | null {
    return this.#fault ?? (hasEndMark || this.isWhole ? null : cutOff)
  }

  /** The caller's last events. */
  end(): Result.Result<ReadonlyArray<LlmEvent>, AnswerFault> {
    const read: Array<LlmEvent> = []
    for (const metered of this.#meter.end()) {
      if (!this.#translate(metered, read)) return Result.fail({ why: "unreadable", detail: this.#fault!.detail })
    }
    return Result.mapBoth(this.#options.translator.end(), {
      onFailure: ({ detail }): AnswerFault => ({ why: "unreadable", detail }),
      onSuccess: (last) => [...read, ...last]
    })
  }

  #translate(event: LlmEvent, into: Array<LlmEvent>): boolean {
    const { faultIn, translator } = this.#options
    const failed = faultIn(event.data)
    const translated = failed === null ? translator.push(event) : null
    if (translated === null || Result.isFailure(translated)) {
      this.#fault =
        translated === null
          ? { why: "failed", detail: failed! }
          : { why: "unreadable", detail: translated.failure.detail }
      return false
    }
    for (const one of translated.success) into.push(one)
    return true
  }
}

const cutOff: AnswerFault = { why: "unreadable", detail: "the stream ended before its answer was complete" }

/** `hasBegun`: a part of the answer has been sent to the caller. */
export const failureOf = ({ detail, why }: AnswerFault, hasBegun: boolean): UpstreamFailed =>
  new UpstreamFailed({ why, detail, retryAfterSeconds: null, advice: null, hasBegun })
