/** What a model speaks as the bytes of a line, piece by piece. Pure. Source: docs/reference/voice-agent.md#audio. */
import type { G711 } from "./G711.ts"
import { bytesOf, fractions, wholeSamples } from "./Linear16.ts"
import { g711 } from "./LineToSpeech.ts"
import { lineQuality, type Resampler, resampler } from "./Resampler.ts"
import { type SoundFormat, synthesisRate } from "./SoundFormat.ts"

/** For one stretch of speech from its beginning. */
export class SynthesisToLine {
  readonly #law: G711 | undefined
  readonly #resampler: Resampler

  /** `rate`: samples a second of what the model speaks. */
  constructor({ encoding, sampleRate }: SoundFormat, rate: number = synthesisRate) {
    this.#law = g711[encoding]
    this.#resampler = resampler(rate, sampleRate, lineQuality)
  }

  /** Whole samples of the line that are known by now; the last 2 ms follow with the next piece. */
  add(samples: Int16Array): Uint8Array {
    return this.#encoded(this.#resampler.add(fractions(samples)))
  }

  /** The rest, where nothing follows. */
  end(): Uint8Array {
    return this.#encoded(this.#resampler.end())
  }

  #encoded(sound: Float32Array): Uint8Array {
    const samples = wholeSamples(sound)
    if (this.#law === undefined) return bytesOf(samples)
    const { encoded } = this.#law
    const bytes = new Uint8Array(samples.length)
    for (let at = 0; at < samples.length; at++) bytes[at] = encoded[(samples[at] as number) & 0xffff] as number
    return bytes
  }
}
