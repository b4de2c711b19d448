/** Sound of a line as samples, and samples as sound of a line. Pure. Source: docs/voice-agent.md#audio. */
import { decodeLaw, encodeLaw } from "./G711.ts"
import { RateConverter } from "./RateConverter.ts"
import type { SoundFormat } from "./SoundFormat.ts"

/** Bytes of 16-bit samples, little-endian; a copy where the bytes stand at an odd place. */
export const samplesOf = (bytes: Uint8Array): Int16Array => {
  const whole = bytes.byteLength & ~1
  if (bytes.byteOffset % 2 === 0) return new Int16Array(bytes.buffer, bytes.byteOffset, whole / 2)
  return new Int16Array(bytes.slice(0, whole).buffer)
}

export const bytesOf = (samples: Int16Array): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)

const encode = ({ encoding }: SoundFormat, samples: Int16Array): Uint8Array =>
  encoding === "linear16" ? bytesOf(samples) : encodeLaw(encoding, samples)

/** From a line to samples of a rate, in pieces of any size. A half sample waits for its other half. */
export class LineReader {
  readonly #format: SoundFormat
  readonly #converter: RateConverter
  #half: number | null = null

  constructor(format: SoundFormat, rate: number) {
    this.#format = format
    this.#converter = new RateConverter(format.sampleRate, rate)
  }

  read(bytes: Uint8Array): Int16Array {
    const { encoding } = this.#format
    return this.#converter.add(encoding === "linear16" ? this.#linear(bytes) : decodeLaw(encoding, bytes))
  }

  #linear(bytes: Uint8Array): Int16Array {
    const half = this.#half
    const whole = half === null ? bytes : Uint8Array.of(half, ...bytes)
    this.#half = whole.length % 2 === 1 ? (whole.at(-1) ?? null) : null
    return samplesOf(whole)
  }
}

/** From samples of a rate to a line, in pieces of any size. */
export class LineWriter {
  readonly #format: SoundFormat
  readonly #converter: RateConverter

  constructor(format: SoundFormat, rate: number) {
    this.#format = format
    this.#converter = new RateConverter(rate, format.sampleRate)
  }

  write(samples: Int16Array): Uint8Array {
    return encode(this.#format, this.#converter.add(samples))
  }

  /** The rest of the sound. */
  end(): Uint8Array {
    return encode(this.#format, this.#converter.end())
  }
}
