/**
 * What runs in the thread of SpeechEngine: one job after the other, each answered once. Imports nothing of the core, so that
 * it starts fast.
 */
import { parentPort, workerData } from "node:worker_threads"
import { loadMoonshine, type MoonshineFiles } from "./Moonshine.ts"
import { AudioUnreadable } from "./PcmWav.ts"
import { PackageMissing, soundOf } from "./SoundFile.ts"
import type { DecoderShape } from "./SpeechModels.ts"
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
  /** One number in memory that is shared: anything but 0 stops the thread. */
  readonly stop: Int32Array
}

export type SpeechReply =
  | ({ readonly kind: "said" } & Transcribed)
  | { readonly kind: "stopped" }
  | { readonly kind: "unreadable" | "too_long" | "failed"; readonly detail: string }
  | { readonly kind: "missing"; readonly packageName: string }

// Decoders write to the console about every broken frame of a caller's file.
console.error = () => undefined

const load = async ({ moonshine, shape, detector, threads }: SpeechTools) => ({
  model: await loadMoonshine(moonshine, shape, threads),
  voices: await loadVoiceDetector(detector)
})

let loaded: ReturnType<typeof load> | undefined

const done = async ({ bytes, maxSeconds, stop }: SpeechOrder): Promise<SpeechReply> => {
  loaded ??= load(workerData as SpeechTools)
  const { model, voices } = await loaded
  const said = await transcribeSound({
    sound: soundOf(bytes),
    model,
    listener: voices.listen(),
    maxSeconds,
    stopped: () => Atomics.load(stop, 0) !== 0
  })
  return said === null ? { kind: "stopped" } : { kind: "said", ...said }
}

const failure = (error: unknown): SpeechReply => {
  if (error instanceof PackageMissing) return { kind: "missing", packageName: error.packageName }
  const detail = error instanceof Error ? error.message : String(error)
  if (error instanceof AudioUnreadable) return { kind: "unreadable", detail }
  if (error instanceof RecordingTooLong) return { kind: "too_long", detail }
  return { kind: "failed", detail }
}

/** Null asks the thread to end: it lets go of the networks, and of the port that keeps it alive. */
parentPort?.on("message", async (order: SpeechOrder | null) => {
  if (order !== null) return parentPort?.postMessage(await done(order).catch(failure))
  const tools = await loaded?.catch(() => undefined)
  await tools?.model.free()
  await tools?.voices.free()
  parentPort?.close()
})
