/** What translates one API of language models into another: a request there, its answer and its events back. Pure. */
import * as Data from "effect/Data"
import type * as Result from "effect/Result"
import type { Json, LlmEvent } from "../../upstreams/GenerateWork.ts"

export type { Json, LlmApi, LlmEvent } from "../../upstreams/GenerateWork.ts"

/** A request that the other API cannot carry. `param`: the field as the caller wrote it. */
export class Untranslatable extends Data.TaggedError("Untranslatable")<{
  readonly param: string
  readonly message: string
}> {}

/** An answer or an event of the upstream that cannot be read; `detail` is for the operator. */
export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly detail: string }> {}

/** What a request is translated with. */
export interface RequestContext {
  /** The model's id in the request, in lists and in answers. */
  readonly model: string
  /** The name of the model at the upstream. */
  readonly upstreamModel: string
  /** The most that the model can give; sent where the caller names no limit and the other API requires one. */
  readonly maxOutputTokens: number
}

/** What an answer is translated with. */
export interface AnswerContext {
  /** The request as the caller sent it. */
  readonly request: Json
  readonly model: string
  /** The id of the answer in the caller's API, such as `chatcmpl-…`, `msg_…` or `resp_…`. */
  readonly id: string
  /** Makes ids for the parts of an answer: `fresh("fc")` is `fc_…`. */
  readonly freshId: (prefix: string) => string
  /** Unix seconds. */
  readonly createdAt: number
  /** An estimate of the tokens of the input, for events that come before the upstream counts them. */
  readonly inputEstimate: number
}

/** Translates the events of one stream. The caller calls `push` for each event of the upstream, then `end` once. */
export interface EventTranslator {
  /** The caller's events for one event of the upstream. */
  readonly push: (event: LlmEvent) => Result.Result<ReadonlyArray<LlmEvent>, Unreadable>
  /**
   * The last events of a stream that is whole; an `Unreadable` where the upstream ended before its answer was complete. A `[DONE]`
   * of the chat API is no event here: the route writes it.
   */
  readonly end: () => Result.Result<ReadonlyArray<LlmEvent>, Unreadable>
}

export interface Translation {
  /** The request for the upstream's API, `stream` included as the caller wrote it. */
  readonly request: (request: Json, context: RequestContext) => Result.Result<Json, Untranslatable>
  /** The answer in the caller's API. */
  readonly answer: (answer: Json, context: AnswerContext) => Result.Result<Json, Unreadable>
  readonly events: (context: AnswerContext) => EventTranslator
}
