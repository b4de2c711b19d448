/** Timers of one conversation by name. One that is set again for later costs nothing until it would have fired. */
import type { Instant } from "../../platform/kernel/index.ts"

/** Calls back after milliseconds; what it returns cancels that. */
export type Schedule = (ms: number, run: () => void) => () => void

interface Timer {
  at: number
  readonly firesAt: number
  readonly cancel: () => void
}

export class Timers<Name extends string> {
  readonly #schedule: Schedule
  readonly #now: () => Instant.Instant
  readonly #fire: (name: Name) => void
  readonly #timers = new Map<Name, Timer>()

  constructor(schedule: Schedule, now: () => Instant.Instant, fire: (name: Name) => void) {
    this.#schedule = schedule
    this.#now = now
    this.#fire = fire
  }

  set(name: Name, at: number): void {
    const known = this.#timers.get(name)
    if (known !== undefined && known.firesAt <= at) {
      known.at = at
      return
    }
    known?.cancel()
    this.#start(name, at)
  }

  clear(name: Name): void {
    this.#timers.get(name)?.cancel()
    this.#timers.delete(name)
  }

  clearAll(): void {
    for (const { cancel } of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  #start(name: Name, at: number): void {
    const cancel = this.#schedule(Math.max(0, at - this.#now()), () => {
      const due = this.#timers.get(name)?.at ?? at
      this.#timers.delete(name)
      if (due > this.#now()) this.#start(name, due)
      else this.#fire(name)
    })
    this.#timers.set(name, { at, firesAt: at, cancel })
  }
}
