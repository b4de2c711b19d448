/** What runs in the thread of speech: one recording after the other. Imports nothing of the core, so that it starts fast. */
import { workerData } from "node:worker_threads"
import { loadMoonshine, type MoonshineFiles } from "./Moonshine.ts"
import { frameSamples } from "./PauseCutter.ts"
import { AudioUnreadable } from "./PcmWav.ts"
import { PackageMissing, soundOf } from "./SoundFile.ts"
import type { DecoderShape } from "./SpeechModels.ts"
import { answerOrders } from "./ThreadPort.ts"
import { RecordingTooLong, type Transcribed, transcribeSound } from "./Transcription.ts"
import { loadVoiceDetector } from "./VoiceDetector.ts"

/** What the thread works with, for as long as it lives. */
export interface SpeechTools {
  readonly moonshine: MoonshineFiles
  readonly shape: DecoderShape
  readonly detector: string
  readonly threads: number
}

export interface SpeechOrder {
  readonly bytes: Uint8Array
  readonly maxSeconds: number
}

export type SpeechReply =
  | ({ readonly kind: "done" } & Transcribed)
  | { readonly kind: "unreadable" | "too_long"; readonly detail: string }
  | { readonly kind: "missing"; readonly packageName: string }

// Decoders write to the console about every broken frame of a caller's file.
console.error = () => undefined

const load = async ({ moonshine, shape, detector, threads }: SpeechTools) => {
  const model = await loadMoonshine(moonshine, shape, threads)
  const voices = await loadVoiceDetector(detector)
  await voices.listen().detect(new Float32Array(frameSamples))
  await model.transcribe(new Float32Array(frameSamples), () => false)
  return { model, voices }
}

const loaded = load(workerData as SpeechTools)

answerOrders<SpeechOrder, SpeechReply>({
  load: () => loaded,
  run: async ({ bytes, maxSeconds, stop }) => {
    const { model, voices } = await loaded
    const said = await transcribeSound({
      sound: soundOf(bytes),
      model,
      listener: voices.listen(),
      maxSeconds,
      stopped: () => Atomics.load(stop, 0) !== 0
    })
    return said === null ? null : { kind: "done", ...said }
  },
  refusal: (error) => {
    if (error instanceof PackageMissing) return { kind: "missing", packageName: error.packageName }
    if (error instanceof AudioUnreadable) return { kind: "unreadable", detail: error.message }
    return error instanceof RecordingTooLong ? { kind: "too_long", detail: error.message } : null
  },
  free: async () => {
    const tools = await loaded.catch(() => undefined)
    await tools?.model.free()
    await tools?.voices.free()
  }
})
