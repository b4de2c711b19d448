/** What a line has reported, and sound to say on it. */
import type { MediaListener } from "@trunkline/core/provider"

/** A listener that remembers everything. */
export class HeardLine implements MediaListener {
  readonly #sounds: Array<Uint8Array> = []
  readonly marks: Array<string> = []
  readonly keys: Array<string> = []
  readonly ends: Array<"hangup" | "lost"> = []

  readonly sound = (sound: Uint8Array): void => void this.#sounds.push(sound.slice())
  readonly marked = (name: string): void => void this.marks.push(name)
  readonly key = (key: string): void => void this.keys.push(key)
  readonly closed = (why: "hangup" | "lost"): void => void this.ends.push(why)

  /** Everything that was said so far. */
  readonly said = (): Uint8Array => joined(this.#sounds)
}

export const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Mu-law's silence. */
const silence = 0xff

/** Sound in which every byte matters: no two seeds have the same, and none of it is silence. */
export const mulawNoise = (bytes: number, seed: number): Uint8Array => {
  let state = seed * 2_654_435_761 + 1
  return Uint8Array.from({ length: bytes }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 24) % silence
  })
}

/** Sound without the silence around it. */
export const withoutSilence = (sound: Uint8Array): Uint8Array => {
  const from = sound.findIndex((byte) => byte !== silence)
  return from < 0 ? new Uint8Array(0) : sound.slice(from, sound.findLastIndex((byte) => byte !== silence) + 1)
}
