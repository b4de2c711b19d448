/** A request for speech, as far as the gateway reads it. Pure. Source: docs/reference/speech-synthesis.md#fields. */
import { requestFingerprint } from "../../platform/idempotency/index.ts"
import { codePoints, isObject, sortedJson } from "../../platform/kernel/index.ts"
import { withoutNullFields } from "../routes/JsonRequest.ts"
import type { Json } from "../upstreams/GenerateWork.ts"
import type { AudioFormat, SpeakRequest } from "../upstreams/SpeakWork.ts"

/** A body whose fields have been checked by the contract. Null stands for an absent field. */
export interface SynthesisBody extends Json {
  readonly model: string
  readonly input: string
  readonly voice?: string | { readonly id: string } | null
  readonly response_format?: AudioFormat | null
  readonly speed?: number | null
  readonly language?: string | null
  readonly stream_format?: "audio" | "sse" | null
}

export interface SynthesisRequest {
  readonly model: string
  readonly input: string
  /** The billed length of the input, in Unicode code points. */
  readonly characters: number
  /** What every upstream gets, but for its own name of the model. */
  readonly speech: Omit<SpeakRequest, "format" | "model">
  /** Null: the upstream's default. */
  readonly format: AudioFormat | null
  /** True where the audio is sent as server-sent events. */
  readonly isSse: boolean
  /** Of the body as it was received. */
  readonly bytes: number
}

export const readSynthesisRequest = (body: SynthesisBody, bytes: number): SynthesisRequest => {
  const { stream_format, ...fields } = withoutNullFields(body)
  const { input, language, model, response_format, speed, voice } = body
  const name = isObject(voice) ? voice.id : voice
  return {
    model,
    input,
    characters: codePoints(input),
    speech: {
      input,
      voice: name || null,
      speed: speed ?? null,
      language: language || null,
      fields
    },
    format: response_format ?? null,
    isSse: stream_format === "sse",
    bytes
  }
}

/** The request as an upstream gets it that has this name for the model, and this format where the caller names none. */
export const speakRequest = (
  { format, speech }: SynthesisRequest,
  model: string,
  defaultFormat: AudioFormat = "mp3"
): SpeakRequest => ({
  ...speech,
  format: format ?? defaultFormat,
  model,
  fields: { ...speech.fields, model }
})

/** Of route and JSON, however it was written. */
export const synthesisFingerprint = ({ isSse, speech }: SynthesisRequest): string =>
  requestFingerprint("speech", sortedJson(speech.fields), isSse)

const contentTypes: Readonly<Record<AudioFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm"
}

export const contentTypeOf = ({ isSse }: Pick<SynthesisRequest, "isSse">, format: AudioFormat): string =>
  isSse ? "text/event-stream" : contentTypes[format]
