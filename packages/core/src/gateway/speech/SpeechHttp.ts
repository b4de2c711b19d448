/** Handlers of the speech routes. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Brand } from "../../platform/brand/index.ts"
import { bodyReader, RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { CurrentCaller } from "../admission/InferenceAuth.ts"
import { answerInference } from "../errors/InferenceAnswers.ts"
import { attemptsHeader } from "../errors/InferenceErrors.ts"
import { encodeResult } from "../routes/RouteResultHttp.ts"
import { makeSpeech } from "./Speech.ts"
import { audioGroup } from "./SpeechApi.ts"
import { brokenOff, readForm } from "./SpeechForm.ts"
import type { SpeechRoute } from "./SpeechRequest.ts"

const api = contract.add(audioGroup)

export const layer = ({ headerPrefix }: Pick<Brand, "headerPrefix">) =>
  RouteHandlers.group(
    api,
    "audio",
    Effect.fnUntraced(function* (handlers) {
      const speech = yield* makeSpeech

      // The contract declares the form; it is read from the request itself, see readForm.
      const answer = (route: SpeechRoute) =>
        answerInference(
          Effect.gen(function* () {
            const caller = yield* CurrentCaller
            const request = yield* HttpServerRequest.HttpServerRequest
            const { headers } = request
            const idempotencyKey = headers["idempotency-key"] ?? null
            const form = yield* readForm(bodyReader(request, brokenOff), headers, { hashed: idempotencyKey !== null })
            const result = yield* speech.run(caller, { route, form, idempotencyKey })
            // Only after a single attempt that succeeded: an upstream that is no longer waited for may still read the file.
            if (result.response.headers[attemptsHeader] === undefined) form.file?.free()
            return encodeResult(result, headerPrefix)
          })
        )

      return handlers.handleAll({
        transcribe: () => answer("transcriptions"),
        translate: () => answer("translations")
      })
    })
  )
