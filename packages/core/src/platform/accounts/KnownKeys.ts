/**
 * Keys and their accounts in memory, as they were at one version. Nobody is admitted by them alone: the transaction that admits a
 * request compares the version. Source: docs/reference/access.md#memory.
 */
import type { VersionedKey } from "./AccessStore.ts"

/** Some 2 kB each. */
const maxKnown = 10_000

export class KnownKeys {
  readonly #keys = new Map<string, VersionedKey>()

  find(hash: string): VersionedKey | null {
    return this.#keys.get(hash) ?? null
  }

  /** `hash`: of the text by which the key was found, which has another one beside it after a rotation. */
  add(hash: string, key: VersionedKey): void {
    if (this.#keys.size >= maxKnown) this.#keys.clear()
    this.#keys.set(hash, key)
  }
}
