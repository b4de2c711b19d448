/** The sound that comes from one line, as frames of speech and silence. Pure but for the detector. Source: docs/reference/voice-agent.md#detection. */
import type { EchoGuard } from "./EchoGuard.ts"
import { EnergyDetector } from "./EnergyDetector.ts"
import { fractions } from "./Linear16.ts"
import { LineToSpeech } from "./LineToSpeech.ts"
import { type SoundFormat, speechRate } from "./SoundFormat.ts"
import { detectorFrame, type SpeechDetector } from "./SpeechDetector.ts"
import { type FrameKind, goesOn, SpeechGate } from "./SpeechGate.ts"
import { isTone, type StrongestLines, strongestLinesOf, type ToneLimits } from "./Tones.ts"

/** 32 ms of a line at 16 kHz. */
export interface SpeechFrame extends FrameKind {
  /** 512 samples, in memory of their own. */
  readonly samples: Int16Array
  /** On the clock of `add`. */
  readonly endsAtMs: number
}

export interface TrackerOptions {
  /** Of the sound from the line. */
  readonly format: SoundFormat
  readonly detector: SpeechDetector
  /** Null where the agent's own sound may be speech. */
  readonly echo: EchoGuard | null
  /** Gets every frame, in order. */
  readonly onFrame: (frame: SpeechFrame) => void
}

/** Kept before a frame, since the beginning of a word is quiet: 300 ms. */
const preRollSamples = (300 * speechRate) / 1000
const frameMs = (detectorFrame / speechRate) * 1000
/** A tone alone, or over noise that is much weaker. */
const pureTone: ToneLimits = { share: 0.9, drift: 0.14 }
/** Frames that wait for a detector: two seconds. */
const maxWaiting = 62
/** Sound that is later than this has a gap before it: lines that are silent may send nothing. */
const maxLateMs = 200

interface Waiting {
  readonly samples: Int16Array
  readonly endsAtMs: number
  /** What waits until this frame and those before it are reported. */
  readonly after: Array<() => void>
}

/** For one line from its beginning. */
export class SpeechTracker {
  readonly #options: TrackerOptions
  readonly #converter: LineToSpeech
  readonly #gate = new SpeechGate()
  #detector: SpeechDetector
  #frame = new Int16Array(detectorFrame)
  #filled = 0
  /** When the sound that was cut into frames ends. */
  #endsAtMs = Number.NEGATIVE_INFINITY
  #waiting: Array<Waiting> = []
  /** The frame that the detector has not answered yet. */
  #asked: Waiting | null = null
  /** The last samples that were reported, the oldest first, with room to move rarely. */
  readonly #past = new Int16Array(2 * preRollSamples)
  #pastTo = 0
  /** Of the frame before, where it was asked whether that is a tone. */
  #lines: StrongestLines | null = null

  constructor(options: TrackerOptions) {
    this.#options = options
    this.#converter = new LineToSpeech(options.format)
    this.#detector = options.detector
  }

  /** Sound from the line, of any length, and when it came. Frames are reported before this returns, or after the detector has answered. */
  add(sound: Uint8Array, atMs: number): void {
    const samples = this.#converter.add(sound)
    this.#setClock(atMs - ((this.#filled + samples.length) / speechRate) * 1000)
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + detectorFrame - this.#filled)
      this.#frame.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === detectorFrame) this.#cut()
    }
  }

  /** Up to 300 ms of sound before the frame that is being reported; between frames: the last sound that was reported. */
  preRoll(): Int16Array {
    return this.#past.slice(Math.max(0, this.#pastTo - preRollSamples), this.#pastTo)
  }

  /** What was reported until now precedes nothing: it belongs to what has ended. */
  forget(): void {
    this.#pastTo = 0
  }

  /** Runs once all sound that has come is reported: a frame that has begun is completed by silence. */
  flush(then: () => void): void {
    if (this.#filled > 0) this.#cut()
    const last = this.#waiting.at(-1) ?? this.#asked
    if (last === null) then()
    else last.after.push(then)
  }

  /** Samples are the clock, which arrivals correct: sound is heard no later than it comes, and not much earlier. */
  #setClock(beginsAtMs: number): void {
    if (beginsAtMs < this.#endsAtMs || beginsAtMs - this.#endsAtMs > maxLateMs) this.#endsAtMs = beginsAtMs
  }

  #cut(): void {
    this.#endsAtMs += frameMs
    this.#waiting.push({ samples: this.#frame, endsAtMs: this.#endsAtMs, after: [] })
    this.#frame = new Int16Array(detectorFrame)
    this.#filled = 0
    // A detector that is two seconds late is of no use to a conversation.
    if (this.#waiting.length > maxWaiting) this.#replace()
    if (this.#asked === null) this.#detect()
  }

  /** Works on the frames that wait, one after the other, until there are none or the detector answers later. */
  #detect(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const sound = fractions(next.samples)
      const answer = this.#ask(sound)
      if (typeof answer !== "number") {
        this.#await(answer, next, sound)
        return
      }
      this.#report(next, sound, answer)
    }
  }

  #ask(sound: Float32Array): number | Promise<number> {
    try {
      return this.#detector.detect(sound)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #await(answer: Promise<number>, frame: Waiting, sound: Float32Array): void {
    this.#asked = frame
    const asked = this.#detector
    const settle = (likelihood: number | null) => {
      // A detector that was replaced meanwhile is no longer heard.
      if (asked !== this.#detector) return
      if (likelihood === null) this.#replace()
      else {
        this.#asked = null
        this.#report(frame, sound, likelihood)
      }
      this.#detect()
    }
    answer.then(settle, () => settle(null))
  }

  /** A detector that fails or is too slow is of no use for this line any more. */
  #replace(): void {
    this.#detector = new EnergyDetector()
    if (this.#asked !== null) this.#waiting.unshift(this.#asked)
    this.#asked = null
  }

  /** Whether the frame goes on with a tone: a detector may take for speech where that begins or ends. */
  #isTone(sound: Float32Array, before: StrongestLines | null): boolean {
    const recent = new Float32Array(2 * detectorFrame)
    recent.set(fractions(this.#past.subarray(Math.max(0, this.#pastTo - detectorFrame), this.#pastTo)))
    recent.set(sound, detectorFrame)
    this.#lines = strongestLinesOf(recent)
    return isTone(this.#lines, before, pureTone)
  }

  #report({ after, endsAtMs, samples }: Waiting, sound: Float32Array, likelihood: number): void {
    const isEcho = this.#options.echo?.isEcho(sound, endsAtMs, likelihood >= goesOn) ?? false
    const before = this.#lines
    this.#lines = null
    const kind = this.#gate.add(isEcho ? 0 : likelihood, () => this.#isTone(sound, before))
    this.#options.onFrame({ samples, endsAtMs, ...kind })
    if (this.#pastTo + samples.length > this.#past.length) {
      this.#past.copyWithin(0, this.#pastTo - preRollSamples, this.#pastTo)
      this.#pastTo = preRollSamples
    }
    this.#past.set(samples, this.#pastTo)
    this.#pastTo += samples.length
    for (const then of after) then()
  }
}
