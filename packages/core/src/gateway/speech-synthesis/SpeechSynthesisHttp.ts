/** The handler of the route of speech synthesis. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { CurrentCaller } from "../admission/InferenceAuth.ts"
import { answerInference } from "../errors/InferenceAnswers.ts"
import { readJsonRequest } from "../routes/JsonRequestHttp.ts"
import { encodeHeaders, encodeResult } from "../routes/RouteResultHttp.ts"
import { streamedAnswer } from "../routes/StreamedAnswerHttp.ts"
import { makeSpeechSynthesis } from "./SpeechSynthesis.ts"
import { speechSynthesisGroup } from "./SpeechSynthesisApi.ts"
import { readSynthesisRequest, type SynthesisBody } from "./SynthesisRequest.ts"

const api = contract.add(speechSynthesisGroup)

export const layer = ({ headerPrefix }: Pick<Brand, "headerPrefix">) =>
  RouteHandlers.group(
    api,
    "speechSynthesis",
    Effect.fnUntraced(function* (handlers) {
      const synthesis = yield* makeSpeechSynthesis

      const speak = (body: SynthesisBody) =>
        answerInference(
          Effect.gen(function* () {
            const caller = yield* CurrentCaller
            const { bytes, idempotencyKey } = yield* readJsonRequest(body)
            const outcome = yield* synthesis.run(caller, { request: readSynthesisRequest(body, bytes), idempotencyKey })
            if (outcome._tag === "Whole") return encodeResult(outcome.result, headerPrefix)
            const { abandon, contentType, queue } = outcome
            const headers = encodeHeaders(outcome, headerPrefix)
            return yield* streamedAnswer({ contentType, headers, next: Queue.take(queue), abandon })
          })
        )

      return handlers.handleAll({ speak: ({ payload }) => speak(payload) })
    })
  )
