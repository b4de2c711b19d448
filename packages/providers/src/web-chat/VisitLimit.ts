/** Counts what happens under a key within a minute. A process counts for itself, and remembers a bounded number of keys. */
import type { Instant } from "@trunkline/core/effect"

const minuteMs = 60_000

const maxKeys = 50_000

export class VisitLimit {
  readonly #perMinute: number
  readonly #windows = new Map<string, { readonly endsAt: number; count: number }>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Null where it may happen; else the seconds until it may. */
  admit(key: string, at: Instant.Instant): number | null {
    const known = this.#windows.get(key)
    if (known === undefined || known.endsAt <= at) {
      this.#windows.delete(key)
      const [oldest] = this.#windows.keys()
      if (this.#windows.size >= maxKeys && oldest !== undefined) this.#windows.delete(oldest)
      this.#windows.set(key, { endsAt: at + minuteMs, count: 1 })
      return null
    }
    if (known.count >= this.#perMinute) return Math.max(1, Math.ceil((known.endsAt - at) / 1000))
    known.count += 1
    return null
  }
}
