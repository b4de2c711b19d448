/** The requests that relays answer, and one timer for all that time alone changes. */
import * as Effect from "effect/Effect"
import { Instant, type ListMember, UnorderedList } from "../../platform/kernel/index.ts"

interface Running extends ListMember {
  readonly tick: (at: Instant.Instant) => void
  readonly cancel: () => void
}

export class RunningRelays<One extends Running> {
  readonly #running = new UnorderedList<One>()
  readonly #fork: (effect: Effect.Effect<void>) => unknown
  readonly #tickMs: number
  #admitting = 0
  #isTicking = false
  #isOpen = true
  #waiting: Array<() => void> = []

  constructor(fork: (effect: Effect.Effect<void>) => unknown, tickMs: number) {
    this.#fork = fork
    this.#tickMs = tickMs
  }

  /** False once no further request is taken. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** A request waits for its admission, until `admitted`. */
  admitting(): void {
    this.#admitting += 1
  }

  admitted(): void {
    this.#admitting -= 1
    this.#wake()
  }

  begin(one: One): void {
    this.#running.add(one)
    if (this.#isTicking) return
    this.#isTicking = true
    this.#fork(this.#ticks)
  }

  end(one: One): void {
    this.#running.remove(one)
    this.#wake()
  }

  cancel(): void {
    for (const one of this.#running.members) one.cancel()
  }

  close(): void {
    this.#isOpen = false
    this.cancel()
  }

  /** Completes when no request is left. */
  readonly idle: Effect.Effect<void> = Effect.callback((resume) => {
    this.#waiting.push(() => resume(Effect.void))
    this.#wake()
  })

  #wake(): void {
    if (this.#waiting.length === 0 || this.#running.size > 0 || this.#admitting > 0) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  readonly #ticks: Effect.Effect<void> = Effect.suspend(() =>
    Effect.flatMap(Effect.andThen(Effect.sleep(this.#tickMs), Instant.now), (at) => {
      for (const one of this.#running.members) one.tick(at)
      if (this.#running.size > 0) return this.#ticks
      this.#isTicking = false
      return Effect.void
    })
  )
}
