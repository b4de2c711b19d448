/** Who is in which flush of the ledger. */
import { expect, it } from "vitest"
import { LedgerQueue, type WaitingFor } from "../../../src/platform/billing/LedgerQueue.ts"
import { Ids } from "../../../src/platform/kernel/index.ts"

type One = WaitingFor<string, never>

/** A queue whose turns end, and whose flushes begin, when the test says so. */
class Turns {
  readonly #ends: Array<() => void> = []
  /** The operations of each flush that has begun and not ended. */
  readonly flushes: Array<ReadonlyArray<One>> = []
  readonly queue: LedgerQueue<One> = new LedgerQueue(
    (turn) => void this.#ends.push(turn),
    (group) => void this.flushes.push(group)
  )

  add(account: string, operation: string): One {
    const one = { tenantId: Ids.as<"Account">(account), operation, settle: () => undefined }
    this.queue.add(one)
    return one
  }

  endTurn(): void {
    for (const end of this.#ends.splice(0)) end()
  }

  /** Ends the flush that has run longest. */
  endFlush(): void {
    this.queue.end(this.flushes.shift()!)
  }

  get running(): ReadonlyArray<string> {
    return this.flushes.map((group) => group.map(({ operation }) => operation).join(" "))
  }
}

it("takes an operation that comes alone at once, and what comes beside it together", () => {
  const turns = new Turns()
  turns.add("a", "1")
  expect(turns.running).toEqual(["1"])
  turns.endFlush()
  turns.add("a", "2")
  turns.add("b", "3")
  turns.add("b", "4")
  expect(turns.running).toEqual(["2"])
  turns.endTurn()
  expect(turns.running).toEqual(["2", "3 4"])
  turns.endFlush()
  turns.endFlush()
  // The last flush was a group: the next one waits for the end of the turn.
  turns.add("a", "5")
  turns.add("a", "6")
  expect(turns.running).toEqual([])
  turns.endTurn()
  expect(turns.running).toEqual(["5 6"])
})

it("leaves an account waiting while a flush of it runs, and nobody else", () => {
  const turns = new Turns()
  turns.add("a", "1")
  turns.add("a", "2")
  turns.add("b", "3")
  turns.add("c", "4")
  turns.endTurn()
  expect(turns.running).toEqual(["1", "3 4"])
  turns.endFlush()
  turns.endTurn()
  expect(turns.running).toEqual(["3 4", "2"])
})

it("runs four flushes at a time, and forgets what was taken back before its flush", () => {
  const turns = new Turns()
  for (const account of ["a", "b", "c", "d"]) {
    turns.add(account, account)
    turns.endTurn()
  }
  const gone = turns.add("e", "e")
  turns.add("f", "f")
  turns.endTurn()
  expect(turns.running).toEqual(["a", "b", "c", "d"])
  expect([turns.queue.remove(gone), turns.queue.remove(gone)]).toEqual([true, false])
  turns.endFlush()
  turns.endTurn()
  expect(turns.running).toEqual(["b", "c", "d", "f"])
})

it("bounds the operations of one flush", () => {
  const turns = new Turns()
  turns.add("a", "first")
  for (let n = 0; n < 300; n++) turns.add("b", String(n))
  turns.endTurn()
  expect(turns.flushes.map(({ length }) => length)).toEqual([1, 256])
})
