/** A cache of the sound of sentences that are always the same, in memory. Source: docs/reference/voice-agent.md#kept. */
import { LruCache } from "../../platform/kernel/index.ts"

export class SoundCache {
  readonly #sounds = new LruCache<string, Int16Array>(Number.POSITIVE_INFINITY)
  readonly #maxBytes: number
  #bytes = 0

  /** Beyond `maxBytes` the sounds that were heard longest ago are dropped. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Int16Array | null {
    return this.#sounds.get(key) ?? null
  }

  /** Keeps a sound, unless it alone would take a quarter of the memory. */
  set(key: string, sound: Int16Array): void {
    if (sound.byteLength > this.#maxBytes / 4) return
    this.#drop(key)
    this.#sounds.set(key, sound)
    this.#bytes += sound.byteLength
    for (const oldest of this.#sounds.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#sounds.get(key)?.byteLength ?? 0
    this.#sounds.delete(key)
  }
}
