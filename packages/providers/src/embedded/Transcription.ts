/** One recording from its bytes to its text, in parts that end at pauses; holds one part at a time. */
import { speechRate } from "@trunkline/core/audio"
import type { SpeechDetector } from "@trunkline/core/provider"
import type { SpeechToText } from "./Moonshine.ts"
import { cutFrame, frameSamples, speechSpan } from "./PauseCutter.ts"

/** What the model takes in one go is 30 s; a cut is looked for in what comes after the first 10. */
const partFrames = Math.floor((30 * speechRate) / frameSamples)
const cutsFrom = Math.floor((10 * speechRate) / frameSamples)

export class RecordingTooLong extends Error {
  override readonly name = "RecordingTooLong"
}

export interface Transcribed {
  readonly text: string
  readonly seconds: number
}

export interface TranscriptionOptions {
  readonly sound: AsyncIterable<Float32Array>
  readonly model: Pick<SpeechToText, "transcribe">
  readonly listener: SpeechDetector
  readonly maxSeconds: number
  /** Asked often: between parts, and between tokens of a part. */
  readonly stopped: () => boolean
}

/** The text, or null where it was stopped. Throws `RecordingTooLong`, and what `sound` throws. */
export const transcribeSound = async (options: TranscriptionOptions): Promise<Transcribed | null> => {
  const { sound, model, listener, maxSeconds, stopped } = options
  const texts: Array<string> = []
  const part = new Float32Array((partFrames + 1) * frameSamples)
  const likelihoods = new Float32Array(partFrames + 1)
  let [held, heard, total] = [0, 0, 0]

  /** Says what stands before `frame`, and moves what comes after it to the front. */
  const say = async (frame: number): Promise<boolean> => {
    const span = speechSpan(likelihoods, frame)
    const to = Math.min(held, frame * frameSamples)
    if (span !== null) {
      const samples = part.slice(span.from * frameSamples, Math.min(to, span.to * frameSamples))
      const text = await model.transcribe(samples, stopped)
      if (text === null) return false
      if (text !== "") texts.push(text)
    }
    part.copyWithin(0, to, held)
    likelihoods.copyWithin(0, frame, heard)
    held -= to
    heard = Math.max(0, heard - frame)
    return true
  }

  const listen = async (): Promise<void> => {
    const from = heard * frameSamples
    likelihoods[heard] = await listener.detect(part.subarray(from, Math.min(held, from + frameSamples)))
    heard++
  }

  for await (const block of sound) {
    total += block.length
    if (total > maxSeconds * speechRate) throw new RecordingTooLong(`more than ${maxSeconds} s`)
    for (let at = 0; at < block.length; ) {
      if (stopped()) return null
      const taken = block.subarray(at, at + Math.min(frameSamples, (heard + 1) * frameSamples - held))
      part.set(taken, held)
      held += taken.length
      at += taken.length
      if (held < (heard + 1) * frameSamples) continue
      await listen()
      if (heard === partFrames && !(await say(cutFrame(likelihoods, cutsFrom, partFrames)))) return null
    }
  }
  if (held > heard * frameSamples) await listen()
  if (!(await say(heard))) return null
  return { text: texts.join(" "), seconds: total / speechRate }
}
