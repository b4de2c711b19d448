/** The speech routes: from a form to a transcript, at the price of the audio's length. Source: docs/reference/gateway.md#speech. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { StoredResponse } from "../../platform/idempotency/index.ts"
import { tracedFn } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type { Model } from "../catalogue/Model.ts"
import { ModelCatalogue } from "../catalogue/ModelCatalogue.ts"
import { codeless, type InferenceRefused, refuse, refuseFields } from "../errors/InferenceErrors.ts"
import { type InferenceCaller, type InferenceRoute, InferenceRoutes } from "../routes/InferenceRoutes.ts"
import { speechFailureCodes } from "../run/InferenceRefusals.ts"
import type { Answered, Candidate } from "../run/RunAttempt.ts"
import type { RouteResult } from "../run/RunOnce.ts"
import type { SpeechWork } from "../upstreams/SpeechWork.ts"
import { AudioLength } from "./AudioLength.ts"
import { encodeTranscript } from "./SpeechAnswers.ts"
import { billedSeconds, maxSeconds, measuredSeconds, secondsOf } from "./SpeechBilling.ts"
import { lengthRefusal, modelUseRefusal, optionRefusal, sizeRefusal } from "./SpeechChecks.ts"
import { speechFingerprint } from "./SpeechFingerprint.ts"
import type { SpeechForm, Upload } from "./SpeechForm.ts"
import { readRequest, type SpeechRequest, type SpeechRoute, taskOf } from "./SpeechRequest.ts"

export interface SpeechInput {
  readonly route: SpeechRoute
  /** Its file has a digest where there is an Idempotency-Key. */
  readonly form: SpeechForm
  readonly idempotencyKey: string | null
}

interface SpeechUpload {
  readonly request: SpeechRequest
  readonly upload: Upload
}

export interface Speech {
  /** Answers a request of a caller that has been admitted. Source: docs/reference/gateway.md#speech. */
  readonly run: (
    caller: InferenceCaller,
    input: SpeechInput
  ) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
}

export const makeSpeech = Effect.gen(function* () {
  const audioLength = yield* AudioLength
  const catalogue = yield* ModelCatalogue
  const routes = yield* InferenceRoutes

  const prepare = Effect.fnUntraced(function* ({ request, upload }: SpeechUpload, model: Model) {
    const { audio } = upload
    const { seconds } = yield* Effect.catch(audioLength.measure(audio), ({ message }) =>
      Effect.fail(refuse("invalid_request", { message, param: "file" }))
    )
    const tooLong = lengthRefusal(seconds, model)
    if (tooLong !== null) return yield* tooLong
    const billed = seconds === null ? null : billedSeconds(seconds)
    const reserved = billed ?? maxSeconds(audio.size, model)
    const { diarize, features, language, mode, task } = taskOf(request, model)
    const candidate: Candidate<"transcribe"> = {
      model,
      work: (route) =>
        Result.succeed({
          task,
          model: route.model,
          requestedModel: model.id,
          audio,
          language,
          mode,
          features,
          diarize
        }),
      run: (route, work, { isOnly }) => route.run(isOnly ? freedOnceSent(work, upload) : work),
      maxAmount: { unit: "seconds", seconds: reserved },
      amountOf: (answer) => ({ unit: "seconds", seconds: billed ?? measuredSeconds(answer) ?? reserved })
    }
    return { candidate, encode: (answered: Answered<"transcribe">) => responseOf(request, answered) }
  })

  const route: InferenceRoute<"transcribe", SpeechUpload> = {
    capability: "transcribe",
    failureCodes: speechFailureCodes,
    inputFaults: {
      param: "file",
      refused: "The model could not read the file as audio.",
      tooLarge: "The file is too large for this model."
    },
    refusal: ({ request, upload }, model) =>
      modelUseRefusal(model) ?? optionRefusal(request.unserved) ?? sizeRefusal(upload.audio.size, model),
    prepare
  }

  const run = tracedFn("Speech.run")(function* (caller: InferenceCaller, input: SpeechInput) {
    const { form, idempotencyKey } = input
    const read = readRequest(input.route, form.fields)
    const upload = form.file
    if (upload === null || Result.isFailure(read)) {
      return yield* refuseFields([
        ...(upload === null ? [{ field: "file", message: "Field required" }] : []),
        ...(Result.isFailure(read) ? read.failure : [])
      ])
    }
    const request = read.success
    const fingerprint = () => speechFingerprint(input.route, form.fields, upload.digest ?? "")
    return yield* routes.run(route, caller, {
      request: { request, upload },
      model: request.model ?? catalogue.defaultModels.stt,
      idempotency: idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprint() }
    })
  })

  return { run } satisfies Speech
})

const responseOf = (
  request: SpeechRequest,
  { amount, answer, candidate: { model } }: Answered<"transcribe">
): StoredResponse => ({
  status: codeless.answered,
  headers: {},
  ...encodeTranscript({
    request,
    task: taskOf(request, model),
    // A model that does not diarize has no segments, whatever its upstream returns.
    answer: model.diarizes ? answer : { ...answer, segments: [] },
    seconds: secondsOf(amount)
  })
})

/** A file whose memory is freed once it is sent, long before a transcript is there. */
const freedOnceSent = (work: SpeechWork, { free }: Upload): SpeechWork => ({
  ...work,
  audio: { ...work.audio, onSent: free }
})
