/** Handlers of the speech routes. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Multipart from "effect/http/Multipart"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as Stream from "effect/Stream"
import type { Api } from "../http/Api.ts"
import { answerInference } from "../http/InferenceAnswers.ts"
import { CurrentCaller } from "../http/InferenceAuth.ts"
import { Speech, type SpeechResult } from "./Speech.ts"
import { readForm } from "./SpeechForm.ts"
import type { SpeechRoute } from "./SpeechRequest.ts"

type Parts = Stream.Stream<Multipart.Part, Multipart.MultipartError>

export const layer = (api: Api, headerPrefix: string) =>
  HttpApiBuilder.group(
    api,
    "audio",
    Effect.fnUntraced(function* (handlers) {
      const speech = yield* Speech

      const answer = (route: SpeechRoute, parts: Parts) =>
        answerInference(
          Effect.gen(function* () {
            const caller = yield* CurrentCaller
            const { headers } = yield* HttpServerRequest.HttpServerRequest
            const idempotencyKey = headers["idempotency-key"] ?? null
            const form = yield* readForm(parts, idempotencyKey !== null)
            return response(yield* speech.run(caller, { route, form, idempotencyKey }), headerPrefix)
          })
        )

      return handlers.handleAll({
        transcribe: ({ payload }) => answer("transcriptions", payload),
        translate: ({ payload }) => answer("translations", payload)
      })
    })
  )

const response = ({ answer, replayed }: SpeechResult, headerPrefix: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(answer.body, {
    status: answer.status,
    contentType: answer.contentType,
    headers: {
      ...Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [`${headerPrefix}${name}`.toLowerCase(), value])
      ),
      ...(replayed ? { "idempotent-replayed": "true" } : {})
    }
  })
