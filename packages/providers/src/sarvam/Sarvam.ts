/** The upstream `sarvam`: the port's verbs as requests to Sarvam's speech-to-text and text-to-speech. */

import type { SpeechAnswer, SpeechWork, Upstream } from "@trunkline/core/provider"
import { type TypedUpstreamProvider, tracedFn, upstreamProvider } from "@trunkline/core/provider"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Fields, jsonBody, makeBoundedHttp, multipart } from "../http/index.ts"
import { formFileOf } from "../upstream/AudioFile.ts"
import { reading } from "../upstream/Lenient.ts"
import { makeSpeaking } from "../upstream/Speaking.ts"
import { fieldRefusal } from "../upstream/SpeechFields.ts"
import { type UpstreamSettings, upstreamSettings } from "../upstream/UpstreamOptions.ts"
import { makeWire } from "../upstream/UpstreamWire.ts"
import { defaults, type SarvamOptions } from "./SarvamOptions.ts"
import { languageCode, speechBody } from "./SarvamSpeech.ts"

const fieldsOf = ({ language, mode, model, task }: SpeechWork): Fields => {
  const applied = task === "translate" ? "translate" : mode
  return [
    ["model", model],
    ...(applied === null ? [] : [["mode", applied] as const]),
    ["language_code", language === null ? "unknown" : languageCode(language)]
  ]
}

const readAnswer = reading(Schema.Struct({ transcript: Schema.String }))

/** Sarvam returns neither the length of the audio nor the speakers. */
const answerOf = (json: unknown): SpeechAnswer | undefined => {
  const answer = readAnswer(json)
  return answer === undefined ? undefined : { text: answer.transcript, seconds: null, segments: [] }
}

const make =
  (settings: UpstreamSettings) =>
  (name: string): Upstream => {
    const http = makeBoundedHttp()
    const wire = makeWire(settings, http)
    const { apiKey, serves } = settings
    const headers: Readonly<Record<string, string>> =
      apiKey === null ? {} : { "api-subscription-key": Redacted.value(apiKey) }

    const transcribe = tracedFn("Sarvam.transcribe")(function* (work: SpeechWork) {
      const body = multipart(fieldsOf(work), formFileOf(work.audio))
      return yield* wire.ask({ path: "/speech-to-text", headers, body }, answerOf)
    })

    const speak = makeSpeaking(
      settings,
      (work) => ({ path: "/text-to-speech/stream", headers, body: jsonBody(speechBody(work)) }),
      http
    )

    return {
      name,
      provider: "sarvam",
      capabilities: {
        ...(serves.includes("stt") ? { transcribe } : {}),
        ...(serves.includes("tts") ? { speak } : {})
      },
      speakRefusal: fieldRefusal,
      servedBy: null,
      maxMs: wire.maxMs
    }
  }

/**
 * Sarvam's speech-to-text and text-to-speech. Throws `InvalidProviderOptions`, which names every fault.
 *
 * @example
 * const speech = sarvam({ apiKey })
 */
export const sarvam = (options: SarvamOptions): TypedUpstreamProvider =>
  upstreamProvider(make(Result.getOrThrow(upstreamSettings(defaults, options))))
