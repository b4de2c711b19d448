/** Chats of our own agents on the messages API: translated as a chat of the public route is. Source: docs/reference/upstreams.md#language-models. */
import { type ChatAnswer, type ChatWork, chatToMessages, type Run, UpstreamFailed } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { chatAnswerOf, chatRequest } from "../openai/OpenAiChat.ts"

/** Nobody outside sees the ids of this answer. */
const ids = { id: "chat", freshId: (prefix: string) => prefix, createdAt: 0, inputEstimate: 0 }

export const anthropicChat =
  (generate: Run<"generate">) =>
  (work: ChatWork): Effect.Effect<ChatAnswer, UpstreamFailed> =>
    Effect.gen(function* () {
      const { maxOutputTokens, model, requestedModel } = work
      const request = chatRequest(work)
      const context = { model: requestedModel, upstreamModel: model, maxOutputTokens }
      const body = yield* orFail(chatToMessages.request(request, context), "refused_input")
      const { json } = yield* generate({
        api: "messages",
        task: "generate",
        body,
        bytes: 0,
        headers: {},
        onEvents: null
      })
      const answer = chatToMessages.answer(json ?? {}, { ...ids, request, model: requestedModel })
      const read = chatAnswerOf(
        yield* orFail(
          Result.mapError(answer, ({ detail }) => ({ message: detail })),
          "unreadable"
        )
      )
      return read === undefined ? yield* failure("unreadable", "answered without a message") : withTokens(read, json)
    })

/** What no upstream has counted is billed as the upper bound, so that an estimate of the translation does not stand for it. */
const withTokens = (answer: ChatAnswer, json: unknown): ChatAnswer =>
  typeof json === "object" && json !== null && "usage" in json ? answer : { ...answer, tokens: null }

const orFail = <A>(result: Result.Result<A, { readonly message: string }>, why: UpstreamFailed["why"]) =>
  Effect.mapError(Effect.fromResult(result), ({ message }) => failure(why, message))

const failure = (why: UpstreamFailed["why"], detail: string) =>
  new UpstreamFailed({ why, detail, retryAfterSeconds: null, advice: null })
