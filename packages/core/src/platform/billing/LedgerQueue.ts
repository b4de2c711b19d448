/**
 * What waits for a flush of the ledger. A flush takes all that waits at the end of a turn of the event loop, but for accounts of
 * which another flush runs: what they ask for waits for its end, and nobody else does. While operations come one by one each is
 * flushed as it comes. Pure but for its timing.
 */
import type * as Exit from "effect/Exit"
import type { AccountId } from "../PlatformIds.ts"

/** Operations of one flush. It bounds the turn of the event loop. */
const maxGroup = 256

/** Flushes that run at the same time, of accounts that differ. On SQLite each has ended before the next one begins. */
const maxRunning = 4

export interface WaitingFor<Operation, Answer> {
  readonly tenantId: AccountId
  readonly operation: Operation
  readonly settle: (exit: Exit.Exit<Answer, unknown>) => void
}

export class LedgerQueue<One extends WaitingFor<unknown, never>> {
  #waiting: Array<One> = []
  readonly #busy = new Set<AccountId>()
  #running = 0
  #isScheduled = false
  /** The last flush had one operation: the next one probably comes alone too. */
  #isAlone = true
  readonly #soon: (turn: () => void) => void
  readonly #begin: (group: ReadonlyArray<One>) => void

  /** `soon` runs a function at the end of the turn; `begin` begins a flush, which `end` is called for. */
  constructor(soon: (turn: () => void) => void, begin: (group: ReadonlyArray<One>) => void) {
    this.#soon = soon
    this.#begin = begin
  }

  add(one: One): void {
    this.#waiting.push(one)
    if (this.#isAlone && this.#running === 0 && !this.#isScheduled) this.#flush()
    else this.#schedule()
  }

  /** Forgets what has not been taken yet; returns whether it has. */
  remove(one: One): boolean {
    const before = this.#waiting.length
    this.#waiting = this.#waiting.filter((other) => other !== one)
    return this.#waiting.length < before
  }

  end(group: ReadonlyArray<One>): void {
    this.#running -= 1
    for (const { tenantId } of group) this.#busy.delete(tenantId)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running >= maxRunning || this.#waiting.length === 0) return
    this.#isScheduled = true
    this.#soon(() => {
      this.#isScheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    const group = this.#take()
    if (group.length === 0) return
    this.#isAlone = group.length === 1
    this.#running += 1
    for (const { tenantId } of group) this.#busy.add(tenantId)
    this.#begin(group)
    this.#schedule()
  }

  #take(): ReadonlyArray<One> {
    const group: Array<One> = []
    const left: Array<One> = []
    for (const one of this.#waiting) (group.length < maxGroup && !this.#busy.has(one.tenantId) ? group : left).push(one)
    this.#waiting = left
    return group
  }
}
