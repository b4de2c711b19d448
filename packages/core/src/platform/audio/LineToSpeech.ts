/** The sound of a line as samples at 16 kHz, piece by piece. Pure. Source: docs/reference/voice-agent.md#audio. */
import { aLaw, type G711, muLaw } from "./G711.ts"
import { fractions, samplesOf, wholeSamples } from "./Linear16.ts"
import { lineQuality, type Resampler, resampler } from "./Resampler.ts"
import { type SoundEncoding, type SoundFormat, speechRate } from "./SoundFormat.ts"

export const g711: Readonly<Partial<Record<SoundEncoding, G711>>> = { mulaw: muLaw, alaw: aLaw }

/** The samples of bytes in an encoding; half a sample at the end is dropped. */
const decoded = (encoding: SoundEncoding, bytes: Uint8Array): Int16Array => {
  const law = g711[encoding]?.decoded
  if (law === undefined) return samplesOf(bytes)
  const samples = new Int16Array(bytes.length)
  for (let at = 0; at < bytes.length; at++) samples[at] = law[bytes[at] as number] as number
  return samples
}

/** For one line from its beginning. */
export class LineToSpeech {
  readonly #encoding: SoundEncoding
  readonly #resampler: Resampler | null
  /** The first byte of a sample whose second one may come with the next piece. */
  #half: number | null = null

  /** `rate`: samples a second that come out. */
  constructor({ encoding, sampleRate }: SoundFormat, rate: number = speechRate) {
    this.#encoding = encoding
    this.#resampler = sampleRate === rate ? null : resampler(sampleRate, rate, lineQuality)
  }

  /** The samples that are known by now; the last 2 ms follow with the next piece. */
  add(bytes: Uint8Array): Int16Array {
    if (bytes.length === 0) return new Int16Array(0)
    const samples = decoded(this.#encoding, this.#encoding === "linear16" ? this.#whole(bytes) : bytes)
    return this.#resampler === null ? samples : wholeSamples(this.#resampler.add(fractions(samples)))
  }

  /** The rest, where nothing follows. Half a sample is dropped. */
  end(): Int16Array {
    this.#half = null
    return this.#resampler === null ? new Int16Array(0) : wholeSamples(this.#resampler.end())
  }

  /**
   * Whole samples. Half a sample is completed by a following piece of odd size. One of even size has whole samples of its own: a
   * client that has lost a byte is heard again from there on.
   */
  #whole(bytes: Uint8Array): Uint8Array {
    const kept = this.#half
    this.#half = null
    if (bytes.length % 2 === 0) return bytes
    if (kept === null) {
      this.#half = bytes.at(-1) ?? null
      return bytes
    }
    const joined = new Uint8Array(bytes.length + 1)
    joined[0] = kept
    joined.set(bytes, 1)
    return joined
  }
}
