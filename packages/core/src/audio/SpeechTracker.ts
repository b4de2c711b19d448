/** Cuts the sound of a line into frames and says of each whether somebody speaks in it. Source: docs/voice-agent.md#detection. */
import { LineReader } from "./LineSound.ts"
import { type SoundFormat, speechRate } from "./SoundFormat.ts"
import { detectorFrame, type SpeechDetector } from "./SpeechDetector.ts"

/** Speech begins from this likelihood on, and goes on above the other. */
const beginsFrom = 0.5
const goesOnFrom = 0.35
/** Frames of speech that are needed for it to begin: a click is shorter. */
const beginFrames = 2
/** Sound that is kept of the time before: 300 ms and the frames that were needed to begin. */
const preRollFrames = 10 + beginFrames

export interface TrackedFrame {
  /** 16-bit samples at 16 kHz. */
  readonly samples: Int16Array
  readonly isSpeech: boolean
}

/** What decides that a frame is the agent's own sound coming back. */
export interface EchoFilter {
  readonly isEcho: (frame: Float32Array) => boolean
}

/** Sound that waits for a detector that is late, in frames: what is beyond it is passed over. */
const maxWaiting = 64

export class SpeechTracker {
  readonly #reader: LineReader
  readonly #detector: SpeechDetector
  readonly #echo: EchoFilter | null
  readonly #onFrame: (frame: TrackedFrame) => void
  #frame = new Int16Array(detectorFrame)
  #filled = 0
  readonly #input = new Float32Array(detectorFrame)
  readonly #waiting: Array<Int16Array> = []
  #isDetecting = false
  #likely = 0
  #isSpeech = false
  #before: Array<Int16Array> = []
  #isClosed = false

  constructor(of: {
    readonly format: SoundFormat
    readonly detector: SpeechDetector
    /** Null where what the agent says cannot come back. */
    readonly echo: EchoFilter | null
    readonly onFrame: (frame: TrackedFrame) => void
  }) {
    this.#reader = new LineReader(of.format, speechRate)
    this.#detector = of.detector
    this.#echo = of.echo
    this.#onFrame = of.onFrame
  }

  /** The sound of the last 300 ms, of frames that have been reported. */
  preRoll(): ReadonlyArray<Int16Array> {
    return this.#before
  }

  add(bytes: Uint8Array): void {
    const samples = this.#reader.read(bytes)
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + detectorFrame - this.#filled)
      this.#frame.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === detectorFrame) this.#complete()
    }
  }

  /** Nothing is reported any more. */
  close(): void {
    this.#isClosed = true
    this.#waiting.length = 0
  }

  #complete(): void {
    const frame = this.#frame
    this.#frame = new Int16Array(detectorFrame)
    this.#filled = 0
    if (this.#waiting.length < maxWaiting) this.#waiting.push(frame)
    if (!this.#isDetecting) this.#next()
  }

  #next(): void {
    for (let frame = this.#waiting.shift(); frame !== undefined; frame = this.#waiting.shift()) {
      const samples = frame
      const input = this.#input
      for (let n = 0; n < detectorFrame; n++) input[n] = (samples[n] as number) / 32_768
      const isEcho = this.#echo?.isEcho(input) ?? false
      const likelihood = this.#detector.detect(input)
      if (typeof likelihood === "number") this.#report(samples, isEcho ? 0 : likelihood)
      else {
        this.#isDetecting = true
        const goOn = (found: number) => {
          this.#isDetecting = false
          this.#report(samples, isEcho ? 0 : found)
          this.#next()
        }
        // A detector that fails hears nothing.
        return void likelihood.then(goOn, () => goOn(0))
      }
    }
  }

  #report(samples: Int16Array, likelihood: number): void {
    if (this.#isClosed) return
    this.#likely = likelihood >= (this.#isSpeech ? goesOnFrom : beginsFrom) ? this.#likely + 1 : 0
    this.#isSpeech = this.#isSpeech ? this.#likely > 0 : this.#likely >= beginFrames
    this.#onFrame({ samples, isSpeech: this.#isSpeech })
    this.#before.push(samples)
    if (this.#before.length > preRollFrames) this.#before.shift()
  }
}
