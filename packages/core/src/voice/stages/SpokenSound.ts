/**
 * Reads the sound that a model speaks, while it comes: without a header 24 kHz 16-bit mono, else as its WAV header says. Pure but for
 * its own state. Source: docs/reference/voice-agent.md#speaking.
 */

import { readWav } from "../../gateway/speech/index.ts"
import { ChunkBytes } from "../../gateway/upstreams/index.ts"
import { synthesisRate } from "../../platform/audio/index.ts"
import { LinearResampler } from "./LinearResampler.ts"

/** How the samples lie in the bytes. */
interface Layout {
  readonly bytesPerSample: number
  readonly channels: number
  readonly rate: number
  /** A sample from -32768 to 32767. */
  readonly read: (view: DataView, at: number) => number
}

const plain: Layout = {
  bytesPerSample: 2,
  channels: 1,
  rate: synthesisRate,
  read: (view, at) => view.getInt16(at, true)
}

/** Bytes in which a header must end. */
const maxHeaderBytes = 64 * 1024

const headBytes = 4

export class SpokenSound {
  #layout: Layout | null = null
  #resampler: LinearResampler | null = null
  /** Bytes that are no whole block yet, or a header that has not ended. */
  #unread: Uint8Array = new Uint8Array(0)
  #left = Number.POSITIVE_INFINITY
  #isUnreadable = false

  /** Whether the sound is of a form that is not read here. */
  get isUnreadable(): boolean {
    return this.#isUnreadable
  }

  /** The samples that have become whole, at 24 kHz. */
  push(given: Uint8Array): Int16Array {
    if (this.#isUnreadable) return none
    const bytes = joined(this.#unread, given)
    this.#unread = none8
    if (this.#layout !== null) return this.#samples(this.#layout, bytes)
    if (!isRiff(bytes)) {
      this.#layout = plain
      return this.#samples(plain, bytes)
    }
    return this.#readHeader(bytes)
  }

  /** The samples of a sound that is shorter than a header. Half a sample is dropped. */
  end(): Int16Array {
    const left = this.#unread
    this.#unread = none8
    return this.#layout === null && left.length < headBytes ? this.#samples(plain, left) : none
  }

  #readHeader(bytes: Uint8Array): Int16Array {
    const file = bytes.length < headBytes ? undefined : readWav(new ChunkBytes([bytes]))
    const begin = file?.audio[0]?.begin
    if (begin === undefined) {
      this.#unread = bytes
      this.#isUnreadable = bytes.length > maxHeaderBytes
      return none
    }
    const { format, isLittleEndian } = file!
    const layout = format === null || !isLittleEndian ? null : layoutOf(format)
    if (layout === null) {
      this.#isUnreadable = true
      return none
    }
    const claimed = new DataView(bytes.buffer, bytes.byteOffset + begin - 4, 4).getUint32(0, true)
    // A server that writes while it speaks does not know the length yet.
    this.#left = claimed === 0 || claimed >= 0x7fff_0000 ? Number.POSITIVE_INFINITY : claimed
    this.#layout = layout
    return this.#samples(layout, bytes.subarray(begin))
  }

  #samples(layout: Layout, given: Uint8Array): Int16Array {
    const { bytesPerSample, channels, rate } = layout
    const bytes = given.length > this.#left ? given.subarray(0, this.#left) : given
    const whole = bytes.length - (bytes.length % (bytesPerSample * channels))
    this.#left -= whole
    this.#unread = bytes.subarray(whole)
    // What has no header lies in the bytes as it lies in memory.
    if (layout === plain) return new Int16Array(new Uint8Array(bytes.subarray(0, whole)).buffer)
    const samples = monoOf(layout, bytes.subarray(0, whole))
    if (rate === synthesisRate) return samples
    this.#resampler ??= new LinearResampler(rate, synthesisRate)
    return this.#resampler.push(samples)
  }
}

const none = new Int16Array(0)
const none8 = new Uint8Array(0)

/** The mean of all channels. */
const monoOf = ({ bytesPerSample, channels, read }: Layout, bytes: Uint8Array): Int16Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const block = bytesPerSample * channels
  return Int16Array.from({ length: bytes.length / block }, (_, nth) => {
    let sum = 0
    for (let channel = 0; channel < channels; channel++) sum += read(view, nth * block + channel * bytesPerSample)
    return sum / channels
  })
}

const joined = (before: Uint8Array, after: Uint8Array): Uint8Array => {
  if (before.length === 0) return after
  const whole = new Uint8Array(before.length + after.length)
  whole.set(before)
  whole.set(after, before.length)
  return whole
}

/** Whether bytes begin as a WAV file does, as far as they go. */
const isRiff = (bytes: Uint8Array): boolean => {
  const head = String.fromCharCode(...bytes.subarray(0, headBytes))
  return head !== "" && "RIFF".startsWith(head)
}

const layoutOf = ({ bits, channels, codec, rate }: { bits: number; channels: number; codec: number; rate: number }) => {
  if (channels < 1 || rate < 4000 || rate > 192_000) return null
  const shape = { channels, rate, bytesPerSample: bits / 8 }
  if (codec === 1 && bits === 16) return { ...shape, read: plain.read }
  if (codec === 1 && bits === 8)
    return { ...shape, read: (view: DataView, at: number) => (view.getUint8(at) - 128) * 256 }
  if (codec === 3 && bits === 32) {
    return { ...shape, read: (view: DataView, at: number) => clamped(view.getFloat32(at, true) * 32_767) }
  }
  return null
}

const clamped = (value: number): number => Math.max(-32_768, Math.min(32_767, value))
