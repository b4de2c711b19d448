/** What a flush does whose transaction fails, and when flushes begin, on a storage that a test lets fail. Verifies: BILL-4. */
import { Ids, Storage, StorageError } from "@trunkline/core/effect"
import { LedgerStore, LimitStore } from "@trunkline/core/storage"
import { Outbox } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { Ledger } from "../../../src/platform/billing/index.ts"

const [tenantId, keyId] = [Ids.as<"Account">("account"), Ids.as<"Key">("key")]

/** A ledger whose storage fails for groups of a size: `takes` is the time of a transaction, `transactions` has the number of requests in each. */
const ledgerOf = (fails: (slots: number) => StorageError | null, takes: Effect.Effect<void>) => {
  const transactions: Array<number> = []
  const run: Storage["Service"]["transact"] = (program) => Effect.andThen(takes, program) as never
  const storage = {
    transact: run,
    transactWith: () => run,
    read: run as never,
    durable: Effect.void,
    ready: Effect.void
  }
  const store: LedgerStore["Service"] = {
    load: ({ released }) =>
      Effect.suspend(() => {
        transactions.push(released.length)
        const error = fails(released.length)
        return error === null
          ? Effect.succeed({
              ...{ ended: [], balances: [], counts: [], spending: [], windows: [] },
              ...{ oldest: [], slots: [], versions: [] }
            })
          : Effect.fail(error)
      }),
    save: () => Effect.void
  }
  const services = Layer.mergeAll(
    Layer.succeed(Storage, storage),
    Layer.succeed(LedgerStore, store),
    Layer.succeed(LimitStore, {} as never),
    Layer.succeed(Outbox, { append: () => Effect.succeed([]) } as never)
  )
  const release = (name: string) =>
    Ledger.use((ledger) => ledger.releaseSlot({ id: Ids.as<"Usage">(name), tenantId, keyId, isReleased: false }))
  return { transactions, release, layer: Layer.provide(Ledger.layer, services) }
}

const together = async (fails: (slots: number) => StorageError | null) => {
  const { layer, release, transactions } = ledgerOf(fails, Effect.yieldNow)
  const names = ["a", "b", "c", "d"]
  const all = Effect.forEach(names, (name) => Effect.exit(release(name)), { concurrency: "unbounded" })
  const exits = await Effect.runPromise(Effect.provide(all, layer))
  return { transactions, passed: exits.filter(Exit.isSuccess).length }
}

it("runs a flush again request by request where a row of it cannot be written", async () => {
  const { passed, transactions } = await together((slots) =>
    slots > 1 ? new StorageError({ reason: "defect", detail: "a row is wrong" }) : null
  )
  expect([passed, transactions]).toEqual([4, [1, 3, 1, 1, 1]])
})

it("does not run a flush again request by request where the storage is away", async () => {
  const { passed, transactions } = await together((slots) =>
    slots > 1 ? new StorageError({ reason: "unavailable", detail: "the database is away" }) : null
  )
  expect([passed, transactions]).toEqual([1, [1, 3]])
})

it("flushes at once what comes alone, also when its caller goes on right after an answer", () => {
  const { layer, release, transactions } = ledgerOf(() => null, Effect.void)
  const chain = Effect.andThen(Effect.andThen(release("a"), release("b")), release("c"))
  // What waits for a turn of the event loop cannot run synchronously.
  Effect.runSync(Effect.provide(chain, layer))
  expect(transactions).toEqual([1, 1, 1])
})
