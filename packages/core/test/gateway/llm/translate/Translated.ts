/** What the tests of translations share: contexts, and results as plain values. */
import * as Result from "effect/Result"
import type {
  AnswerContext,
  EventTranslator,
  Json,
  LlmEvent,
  RequestContext,
  Translation,
  Unreadable
} from "../../../../src/gateway/llm/translate/Translation.ts"

export const requestContext: RequestContext = {
  model: "asked-for",
  upstreamModel: "at-the-upstream",
  maxOutputTokens: 8_192
}

/** The translated request; a refusal is `{ refused: param }`. */
export const requestOf = (translation: Translation, request: Json, context = requestContext): Json =>
  Result.match(translation.request(request, context), {
    onSuccess: (json) => json,
    onFailure: ({ param }) => ({ refused: param })
  })

export const answerContext = (request: Json = {}, id = "id-1"): AnswerContext => {
  let made = 0
  return {
    request,
    model: "asked-for",
    id,
    freshId: (prefix) => `${prefix}_made_${++made}`,
    createdAt: 1_790_000_000,
    inputEstimate: 77
  }
}

/** The translated answer, or `"unreadable"`. */
export const answerOf = (translation: Translation, answer: Json, request: Json = {}): Json | "unreadable" =>
  Result.match(translation.answer(answer, answerContext(request)), {
    onSuccess: (json) => json,
    onFailure: () => "unreadable" as const
  })

type Pushed = Result.Result<ReadonlyArray<LlmEvent>, Unreadable>

/** The events of a whole stream; the last is `"unreadable"` where the upstream's cannot be read. */
export const streamed = (
  translator: EventTranslator,
  events: ReadonlyArray<LlmEvent>
): ReadonlyArray<LlmEvent | "unreadable"> => {
  const out: Array<LlmEvent | "unreadable"> = []
  const add = (pushed: Pushed): boolean => {
    if (Result.isFailure(pushed)) out.push("unreadable")
    else out.push(...pushed.success)
    return Result.isSuccess(pushed)
  }
  if (events.every((event) => add(translator.push(event)))) add(translator.end())
  return out
}

/** Data of the chat API's chunks, which have no names. */
export const chunk = (data: Json): LlmEvent => ({ event: null, data })

/** An event of the messages API, named after its type. */
export const named = (data: Json): LlmEvent => ({ event: String(data.type), data })

/** Data of events that could be read. */
export const dataOf = (events: ReadonlyArray<LlmEvent | "unreadable">): ReadonlyArray<Json> =>
  events.map((event) => (event === "unreadable" ? { type: "unreadable" } : event.data))
