/** The sound of one utterance, while it is spoken and afterwards. */

import type { Audio, LiveSound } from "../../gateway/upstreams/index.ts"
import { speechRate } from "../../platform/audio/index.ts"

export class UtteranceSound implements LiveSound {
  readonly #pieces: Array<Int16Array> = []
  readonly #watchers = new Set<() => void>()
  readonly turnEnded: () => void
  #samples = 0
  #isEnded = false
  #hasBeenSent = false

  constructor(turnEnded: () => void) {
    this.turnEnded = turnEnded
  }

  get pieces(): ReadonlyArray<Int16Array> {
    return this.#pieces
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  get seconds(): number {
    return this.#samples / speechRate
  }

  /** Whether an upstream has got any of it. */
  get hasBeenSent(): boolean {
    return this.#hasBeenSent
  }

  readonly sent = (samples: number): void => {
    this.#hasBeenSent ||= samples > 0
  }

  readonly watch = (changed: () => void): (() => void) => {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  /** Keeps a copy, since callers use their buffers again. */
  add(samples: Int16Array): void {
    if (this.#isEnded || samples.length === 0) return
    this.#pieces.push(samples.slice())
    this.#samples += samples.length
    this.#changed()
  }

  end(): void {
    this.#isEnded = true
    this.#changed()
  }

  #changed(): void {
    for (const changed of [...this.#watchers]) changed()
  }

  /** The sound as files of at most this many seconds each. */
  files(maxSeconds: number | null): ReadonlyArray<SoundPart> {
    const whole = joined(this.#pieces, this.#samples)
    const length = maxSeconds === null ? whole.length : maxSeconds * speechRate
    const parts: Array<SoundPart> = []
    for (let at = 0; at < whole.length; at += length) parts.push(partOf(whole.subarray(at, at + length)))
    return parts
  }
}

export interface SoundPart {
  readonly seconds: number
  readonly audio: Audio
}

const joined = (pieces: ReadonlyArray<Int16Array>, length: number): Int16Array => {
  const whole = new Int16Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const partOf = (samples: Int16Array): SoundPart => {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  const header = wavHeader(bytes.length)
  return {
    seconds: samples.length / speechRate,
    audio: {
      chunks: [header, bytes],
      size: header.length + bytes.length,
      fileName: "utterance.wav",
      contentType: "audio/wav"
    }
  }
}

/** The head of a WAV file of 16-bit mono at 16 kHz. */
const wavHeader = (dataBytes: number): Uint8Array => {
  const view = new DataView(new ArrayBuffer(44))
  const text = (at: number, name: string) => {
    for (const [nth, one] of [...name].entries()) view.setUint8(at + nth, one.charCodeAt(0))
  }
  text(0, "RIFF")
  view.setUint32(4, 36 + dataBytes, true)
  text(8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, speechRate, true)
  view.setUint32(28, speechRate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, "data")
  view.setUint32(40, dataBytes, true)
  return new Uint8Array(view.buffer)
}
