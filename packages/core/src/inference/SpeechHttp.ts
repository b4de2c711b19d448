/** Handlers of the speech routes. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Api } from "../http/Api.ts"
import { bodyReader } from "../http/IncomingBody.ts"
import { answerInference } from "../http/InferenceAnswers.ts"
import { CurrentCaller } from "../http/InferenceAuth.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import type { RouteResult } from "./InferenceRoutes.ts"
import { Speech } from "./Speech.ts"
import { eventStream } from "./SpeechAnswers.ts"
import { brokenOff, readForm } from "./SpeechForm.ts"
import type { SpeechRoute } from "./SpeechRequest.ts"

export const layer = (api: Api, headerPrefix: string) =>
  RouteHandlers.group(
    api,
    "audio",
    Effect.fnUntraced(function* (handlers) {
      const speech = yield* Speech

      // The contract declares the form; it is read from the request itself, see readForm.
      const answer = (route: SpeechRoute) =>
        answerInference(
          Effect.gen(function* () {
            const caller = yield* CurrentCaller
            const request = yield* HttpServerRequest.HttpServerRequest
            const { headers } = request
            const idempotencyKey = headers["idempotency-key"] ?? null
            const form = yield* readForm(bodyReader(request, brokenOff()), headers, {
              hashed: idempotencyKey !== null
            })
            return encode(yield* speech.run(caller, { route, form, idempotencyKey }), headerPrefix)
          })
        )

      return handlers.handleAll({
        transcribe: () => answer("transcriptions"),
        translate: () => answer("translations")
      })
    })
  )

const encode = ({ isReplayed, response }: RouteResult, headerPrefix: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(response.body, {
    status: response.status,
    contentType: response.contentType,
    headers: {
      ...Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [`${headerPrefix}${name}`.toLowerCase(), value])
      ),
      ...(response.contentType === eventStream ? { "cache-control": "no-cache" } : {}),
      ...(isReplayed ? { "idempotent-replayed": "true" } : {})
    }
  })
