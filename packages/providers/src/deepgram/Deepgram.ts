/** The upstream `deepgram`: the port's verbs as requests to Deepgram's transcription of recordings and its speech synthesis. */

import type { SpeechWork, Upstream } from "@trunkline/core/provider"
import { type TypedUpstreamProvider, tracedFn, upstreamProvider } from "@trunkline/core/provider"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { jsonBody, makeBoundedHttp } from "../http/index.ts"
import { contentTypeOf } from "../upstream/AudioFile.ts"
import { makeSpeaking } from "../upstream/Speaking.ts"
import { fieldRefusal } from "../upstream/SpeechFields.ts"
import { type UpstreamSettings, upstreamSettings } from "../upstream/UpstreamOptions.ts"
import { makeWire } from "../upstream/UpstreamWire.ts"
import { deepgramAnswer } from "./DeepgramAnswer.ts"
import { makeListening } from "./DeepgramListening.ts"
import { type DeepgramOptions, defaults } from "./DeepgramOptions.ts"
import { deepgramQuery } from "./DeepgramRequest.ts"
import { speechQuery } from "./DeepgramSpeech.ts"

const make =
  (settings: UpstreamSettings) =>
  (name: string): Upstream => {
    const http = makeBoundedHttp()
    const wire = makeWire(settings, http)
    const { apiKey, baseUrl, serves } = settings
    const headers: Readonly<Record<string, string>> =
      apiKey === null ? {} : { authorization: `Token ${Redacted.value(apiKey)}` }

    const transcribe = tracedFn("Deepgram.transcribe")(function* (work: SpeechWork) {
      const query = new URLSearchParams(deepgramQuery(work).map(([key, value]) => [key, value]))
      // Under a type of JSON the body would be read as the address of a file that Deepgram is to fetch.
      const { chunks, onSent, size } = work.audio
      const body = { contentType: contentTypeOf(work.audio), size, chunks, onSent }
      return yield* wire.ask({ path: `/v1/listen?${query}`, headers, body }, (json) => deepgramAnswer(work, json))
    })

    const speak = makeSpeaking(
      settings,
      (work) => ({
        path: `/v1/speak?${new URLSearchParams(speechQuery(work))}`,
        headers,
        body: jsonBody({ text: work.input })
      }),
      http
    )

    return {
      name,
      provider: "deepgram",
      capabilities: {
        ...(serves.includes("stt") ? { transcribe } : {}),
        ...(serves.includes("tts") ? { speak } : {})
      },
      ...(serves.includes("stt") ? { listening: makeListening({ baseUrl, headers }) } : {}),
      speakRefusal: fieldRefusal,
      servedBy: null,
      maxMs: wire.maxMs
    }
  }

/**
 * Deepgram's transcription of recordings and its speech synthesis. Throws `InvalidProviderOptions`, which names every fault.
 *
 * @example
 * const speech = deepgram({ apiKey })
 */
export const deepgram = (options: DeepgramOptions): TypedUpstreamProvider =>
  upstreamProvider(make(Result.getOrThrow(upstreamSettings(defaults, options))))
