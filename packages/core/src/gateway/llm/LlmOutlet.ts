/** Passes a stream's events from the run, which makes them, to the response, which sends them. */

import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import { isObject } from "../../platform/kernel/index.ts"
import { AnswerOutlet } from "../run/AnswerOutlet.ts"
import type { AttemptPlace } from "../run/RunAttempt.ts"
import { endMark, eventText, pingText, textOf } from "./EventText.ts"
import type { Json, LlmApi, LlmEvent } from "./translate/Translation.ts"

/** Events that wait for a client that reads slowly; then the upstream is read no further. */
const maxWaiting = 64

/** What the last events of a stream of the Responses API follow. */
export interface StreamPosition {
  readonly response: Json
  readonly nextSequenceNumber: number
}

export class LlmOutlet {
  readonly #api: LlmApi
  readonly #texts: AnswerOutlet<string, AttemptPlace>
  #position: StreamPosition = { response: {}, nextSequenceNumber: 0 }
  #last: LlmEvent | null = null

  private constructor(api: LlmApi, texts: AnswerOutlet<string, AttemptPlace>) {
    this.#api = api
    this.#texts = texts
  }

  static make(api: LlmApi, isKept: boolean): Effect.Effect<LlmOutlet> {
    return Effect.map(
      AnswerOutlet.make<string, AttemptPlace>({ maxWaiting, isKept }),
      (texts) => new LlmOutlet(api, texts)
    )
  }

  /** Whether an event has been sent on: from then on nothing is tried again. */
  get hasBegun(): boolean {
    return this.#texts.hasBegun
  }

  /** Ends when the first event has come, with the attempt that sent it. */
  get begun(): Effect.Effect<AttemptPlace> {
    return this.#texts.begun
  }

  get queue(): Queue.Dequeue<string, Cause.Done> {
    return this.#texts.queue
  }

  /** The events so far, as they are sent; of a stream that is kept. */
  get text(): string {
    return this.#texts.kept.join("")
  }

  /** The same with the end that `writeEnd` adds. */
  get whole(): string {
    return `${this.text}${this.#end}`
  }

  /** The whole response of a stream of the Responses API; null before its last event. */
  get response(): Json | null {
    const response = this.#last?.data.response
    return isObject(response) ? response : null
  }

  /** Where a stream of the Responses API stands. */
  get position(): StreamPosition {
    return this.#position
  }

  /**
   * Waits while the client reads too slowly. The last event of a response waits for `writeEnd`: who reads it may ask for the response
   * at once, and finds it kept.
   */
  write(events: ReadonlyArray<LlmEvent>, place: AttemptPlace): Effect.Effect<void> {
    const sent = this.#api === "responses" ? this.#withoutLast(events) : events
    return sent.length === 0 ? Effect.void : this.#texts.send(textOf(this.#api, sent), place)
  }

  /** Ends a stream that has broken: with the events that say so. */
  writeError(events: ReadonlyArray<LlmEvent>): Effect.Effect<void> {
    return this.#texts.add(textOf(this.#api, events))
  }

  /** Ends a stream that is whole: with the last event of a response, or the mark of the chat API. */
  writeEnd(): Effect.Effect<void> {
    return this.#end === "" ? Effect.void : this.#texts.add(this.#end)
  }

  get #end(): string {
    return this.#last === null ? endMark[this.#api] : eventText(this.#api, this.#last)
  }

  #withoutLast(events: ReadonlyArray<LlmEvent>): ReadonlyArray<LlmEvent> {
    this.#last = events.find(({ data }) => isEndOfResponse(data)) ?? this.#last
    const sent = events.filter(({ data }) => !isEndOfResponse(data))
    for (const { data } of sent) this.#position = positionAfter(this.#position, data)
    return sent
  }

  /** Sends a ping whenever nothing has been sent for `ms` milliseconds. */
  ping(ms: number): Effect.Effect<never> {
    return this.#texts.sendWhenSilent(pingText[this.#api], ms)
  }

  /** No event follows. */
  get end(): Effect.Effect<void> {
    return this.#texts.end
  }

  /** The client has gone: what follows is kept, and sent to nobody. */
  get abandon(): Effect.Effect<void> {
    return this.#texts.abandon
  }
}

const isEndOfResponse = ({ type }: Json): boolean => type === "response.completed" || type === "response.incomplete"

const positionAfter = (before: StreamPosition, { response, sequence_number }: Json): StreamPosition => ({
  response: isObject(response) ? response : before.response,
  nextSequenceNumber: typeof sequence_number === "number" ? sequence_number + 1 : before.nextSequenceNumber
})
