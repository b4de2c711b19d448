/** A response as the Responses API shows it: what was asked is repeated, else the public default. Pure. */

import type { AnswerContext, Json, LlmEvent } from "../translate/Translation.ts"
import { isAbsent, objectOf } from "./ResponsesJson.ts"

type ResponseStatus = "in_progress" | "completed" | "incomplete" | "failed"

/** What the answer itself says; all else is repeated from the request. */
export interface ResponseState {
  readonly status: ResponseStatus
  readonly output: ReadonlyArray<Json>
  readonly usage: Json | null
  /** Why the response is incomplete. */
  readonly reason: string | null
}

/** The fields of a request that a response repeats, with their defaults. */
const defaults: Json = {
  instructions: null,
  max_output_tokens: null,
  metadata: null,
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: null,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  truncation: "disabled",
  user: null
}

export const responseOf = (context: AnswerContext, state: ResponseState): Json => {
  const { createdAt, id, model, request } = context
  const asked = Object.entries(defaults).map(([name, value]) => [name, isAbsent(request[name]) ? value : request[name]])
  return {
    id,
    object: "response",
    created_at: createdAt,
    status: state.status,
    error: null,
    incomplete_details: state.reason === null ? null : { reason: state.reason },
    model,
    output: state.output,
    ...Object.fromEntries(asked),
    store: request.store !== false,
    text: textOptions(request),
    usage: state.usage
  }
}

const textOptions = ({ text }: Json): Json => {
  const { format, ...rest } = objectOf(text)
  return { format: isAbsent(format) ? { type: "text" } : format, ...rest }
}

export interface ResponseFailure {
  readonly code: string
  readonly message: string
  readonly param?: string | null
}

/** A response that has failed, with what was done of it. */
const failedResponse = (response: Json, { code, message }: ResponseFailure): Json => ({
  ...response,
  status: "failed",
  error: { code, message },
  incomplete_details: null
})

/** The last two events of a stream that broke off. `sequenceNumber`: that of the first of them. */
export const failedEvents = (
  response: Json,
  failure: ResponseFailure,
  sequenceNumber: number
): readonly [LlmEvent, LlmEvent] => {
  const { code, message, param = null } = failure
  return [
    numbered({ type: "response.failed", response: failedResponse(response, failure) }, sequenceNumber),
    numbered({ type: "error", code, message, param }, sequenceNumber + 1)
  ]
}

/** An event with its number, named after its type. */
export const numbered = ({ type, ...fields }: Json, sequence_number: number): LlmEvent => ({
  event: String(type),
  data: { type, sequence_number, ...fields }
})
