/** Works and recordings for the tests of upstreams. */
import { createHash } from "node:crypto"
import type { Audio, SpeechWork, TypedUpstreamProvider } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"

/** A recording in parts that differ, none of which is audio. */
export const recording = (change: Partial<Audio> = {}, sizes: ReadonlyArray<number> = [10, 70_000, 1]): Audio => {
  const chunks = sizes.map((size, index) => new Uint8Array(size).fill(index + 1))
  return {
    chunks,
    size: sizes.reduce((sum, one) => sum + one, 0),
    fileName: "talk.wav",
    contentType: "audio/wav",
    ...change
  }
}

export const digestOf = ({ chunks }: Audio): string => createHash("sha256").update(Buffer.concat(chunks)).digest("hex")

export const work = (change: Partial<SpeechWork> = {}): SpeechWork => ({
  task: "transcribe",
  model: "whisper-1",
  requestedModel: "whisper-1",
  audio: recording(),
  language: null,
  mode: null,
  features: [],
  diarize: false,
  ...change
})

/** Carries a work out at the upstream that a provider makes. */
export const transcribe = (provider: TypedUpstreamProvider, change: Partial<SpeechWork> = {}) => {
  const run = provider.make("speech-a").capabilities.transcribe
  return run === undefined ? Effect.die("it does not serve speech") : run(work(change))
}
