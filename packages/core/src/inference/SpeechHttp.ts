/** Handlers of the speech routes. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Api } from "../http/Api.ts"
import { bodyReader } from "../http/IncomingBody.ts"
import { answerInference } from "../http/InferenceAnswers.ts"
import { CurrentCaller } from "../http/InferenceAuth.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import { encodeResult } from "./RouteResultHttp.ts"
import { Speech } from "./Speech.ts"
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
            return encodeResult(yield* speech.run(caller, { route, form, idempotencyKey }), headerPrefix)
          })
        )

      return handlers.handleAll({
        transcribe: () => answer("transcriptions"),
        translate: () => answer("translations")
      })
    })
  )
