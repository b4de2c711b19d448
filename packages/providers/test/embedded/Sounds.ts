/** Sound that tests make, measure and read. */
import { readFileSync } from "node:fs"

export const fixture = (name: string): Uint8Array =>
  // A copy: what `readFileSync` gives may stand in memory that others use.
  Uint8Array.from(readFileSync(new URL(`./fixtures/${name}`, import.meta.url)))

export const sine = (rate: number, hertz: number, seconds: number, level = 1): Float32Array =>
  Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, at) => level * Math.sin((2 * Math.PI * hertz * at) / rate)
  )

/** Decibels of a signal, of which a sine of level 1 has 0. */
export const decibels = (samples: Float32Array): number =>
  10 * Math.log10((2 * samples.reduce((sum, one) => sum + one * one, 0)) / samples.length + 1e-20)

export const all = async (blocks: AsyncIterable<Float32Array> | Iterable<Float32Array>): Promise<Float32Array> => {
  const parts: Array<Float32Array> = []
  for await (const block of blocks) parts.push(block)
  return joined(parts)
}

export const joined = (parts: ReadonlyArray<Float32Array>): Float32Array => {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export interface WavOptions {
  readonly rate?: number
  readonly channels?: number
  readonly tag?: number
  readonly bits?: number
  readonly frameBytes?: number
  /** What the header claims. */
  readonly dataBytes?: number
  readonly extensible?: boolean
  /** Another chunk before the data. */
  readonly before?: Uint8Array
}

const chunk = (id: string, size: number, content: Uint8Array): Buffer => {
  const head = Buffer.alloc(8)
  head.write(id, "latin1")
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

/** A WAV file around `data`, as honest or as mistaken as it is asked to be. */
export const wav = (data: Uint8Array, options: WavOptions = {}): Uint8Array => {
  const { before, bits = 16, channels = 1, extensible = false, rate = 16_000, tag = 1 } = options
  const frameBytes = options.frameBytes ?? channels * Math.ceil(bits / 8)
  const format = Buffer.alloc(extensible ? 40 : 16)
  format.writeUInt16LE(extensible ? 0xfffe : tag, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE((rate * frameBytes) % 2 ** 32, 8)
  format.writeUInt16LE(frameBytes, 12)
  format.writeUInt16LE(bits, 14)
  if (extensible) format.writeUInt16LE(tag, 24)
  const body = Buffer.concat([
    Buffer.from("WAVE", "latin1"),
    chunk("fmt ", format.length, format),
    ...(before === undefined ? [] : [chunk("LIST", before.length, before)]),
    chunk("data", options.dataBytes ?? data.length, data)
  ])
  return Uint8Array.from(chunk("RIFF", body.length, body))
}

/** Samples as 16-bit PCM. */
export const pcm16 = (samples: Float32Array): Uint8Array => {
  const bytes = Buffer.alloc(samples.length * 2)
  samples.forEach((sample, at) => {
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), at * 2)
  })
  return Uint8Array.from(bytes)
}

/** A sequence that looks like chance and is the same every time, between -1 and 1. */
export const noise = (length: number, level = 1): Float32Array => {
  let state = 1
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return level * (state / 2 ** 31 - 1)
  })
}
