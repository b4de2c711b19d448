/** A whole answer of the chat API as one of the Responses API. Pure. */
import * as Result from "effect/Result"
import { isObject } from "../../../../platform/kernel/index.ts"
import { piecesOfWhole } from "../../chat/AnswerPieces.ts"
import { type Finish, finishOf } from "../../chat/FinishReason.ts"
import { isText, listOf, objectOf } from "../../responses/ResponsesJson.ts"
import { type ResponseState, responseOf } from "../../responses/ResponsesObject.ts"
import { asResponsesUsage, chatUsage } from "../../tokens/LlmUsage.ts"
import { type AnswerContext, type Json, Unreadable } from "../Translation.ts"
import { responsesOutput } from "./ResponsesOutput.ts"
import { asksForLogprobs } from "./ResponsesToChatRequest.ts"

export const responsesFromChatAnswer = (answer: Json, context: AnswerContext): Result.Result<Json, Unreadable> =>
  Result.gen(function* () {
    const choice = objectOf(listOf(answer.choices)[0])
    if (!isObject(choice.message)) {
      return yield* Result.fail(new Unreadable({ detail: "the answer has no choice with a message" }))
    }
    const output = responsesOutput(context)
    for (const piece of piecesOfWhole(choice.message, logprobsOf(choice, context))) yield* output.take(piece)
    const end = endOf(finishOf(isText(choice.finish_reason) ? choice.finish_reason : "") ?? "stop")
    yield* output.finish(end.status)
    return responseOf(context, { ...end, output: output.items(), usage: usageFromChat(answer.usage) })
  })

/** How a response ends, by the chat's reason. */
export const endOf = (finish: Finish): Pick<ResponseState, "reason"> & { status: "completed" | "incomplete" } => {
  if (finish === "length") return { status: "incomplete", reason: "max_output_tokens" }
  if (finish === "content_filter") return { status: "incomplete", reason: "content_filter" }
  return { status: "completed", reason: null }
}

/** The probabilities of the tokens of a choice's content, where they were asked for. */
export const logprobsOf = (choice: Json, { request }: AnswerContext): unknown =>
  asksForLogprobs(request) ? objectOf(choice.logprobs).content : []

/** The usage of a chat's answer as a response has it; null where its figures are missing. */
export const usageFromChat = (usage: unknown): Json | null => {
  const read = isObject(usage) ? chatUsage(usage) : null
  return read === null ? null : asResponsesUsage(read)
}
