/** What an upstream of language models is given for a request of `/v1/*`, and what it returns. Source: docs/reference/upstreams.md. */
import type * as Effect from "effect/Effect"

/** A JSON object whose form is not known. */
export type Json = { readonly [name: string]: unknown }

/** The public APIs of language models. */
export type LlmApi = "chat_completions" | "messages" | "responses"

/** An event of a stream, with its data read as JSON. `event`: its name, where the API names events; else null. */
export interface LlmEvent {
  readonly event: string | null
  readonly data: Json
}

export interface GenerateWork {
  /** One of the upstream's `apis`. */
  readonly api: LlmApi
  /** `count`: only counts the tokens of a prompt, on the messages or the Responses API. */
  readonly task: "generate" | "count"
  /** The body, which is sent as it is: the upstream's name of the model included. */
  readonly body: Json
  /** About as many as the body has. */
  readonly bytes: number
  /** Headers of the caller that the API knows: `anthropic-version` and `anthropic-beta`. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Where the body asks for a stream: gets the events in their order, those together that have come together; the upstream is read
   * no further until it has returned, and not at all once it has returned false. The `[DONE]` of the chat API is no event. Null for
   * an answer that is not streamed.
   */
  readonly onEvents: ((events: ReadonlyArray<LlmEvent>) => Effect.Effect<boolean>) | null
}

export interface GenerateAnswer {
  /** The answer; null of a stream, which has ended. */
  readonly json: Json | null
  /** Of a stream: whether the API's own end mark came. A stream that ended without it may be whole all the same. */
  readonly hasEndMark: boolean
}
