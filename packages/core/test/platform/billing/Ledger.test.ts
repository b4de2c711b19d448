/** What a flush does whose transaction fails, when flushes begin, and when who has no fiber is called, on a storage that a test lets fail. Verifies: BILL-4. */
import { Ids, Storage } from "@trunkline/core/effect"
import { LedgerStore, LimitStore } from "@trunkline/core/storage"
import { Outbox } from "@trunkline/core/testing"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { expect, it } from "vitest"
import { Ledger } from "../../../src/platform/billing/index.ts"
import { StorageError } from "../../../src/platform/storage/index.ts"

const [tenantId, keyId] = [Ids.as<"Account">("account"), Ids.as<"Key">("key")]

/** A ledger whose storage fails for groups of a size: `takes` is the time of a transaction, `transactions` has the number of requests in each. */
const ledgerOf = (fails: (slots: number) => StorageError | null, takes: Effect.Effect<void>) => {
  const transactions: Array<number> = []
  const [lapsed, leases]: [Array<string>, Array<number>] = [[], []]
  const run: Storage["Service"]["transact"] = (program) => Effect.andThen(takes, program) as never
  const storage = {
    transact: run,
    transactWith: () => run,
    read: run as never,
    durable: Effect.void,
    ready: Effect.void
  }
  const store: LedgerStore["Service"] = {
    load: ({ lapsing, slots }) =>
      Effect.suspend(() => {
        transactions.push(slots.length)
        lapsed.push(...lapsing)
        const error = fails(slots.length)
        return error === null
          ? Effect.succeed({
              ...{ balances: [], counts: [], spending: [], windows: [], oldest: [], slots: [], versions: [] },
              ...{
                holds: [],
                lapsed: [],
                lapsedSlots: [],
                billed: [],
                claimed: [],
                replaced: [],
                standing: [],
                keptBytes: []
              }
            })
          : Effect.fail(error)
      }),
    save: ({ lease }) => Effect.sync(() => void (lease !== null && leases.push(lease.until))),
    renew: ({ until }) => Effect.sync(() => void leases.push(until)),
    lapsing: () =>
      Effect.suspend(() => {
        const error = fails(0)
        return error === null ? Effect.succeed([tenantId]) : Effect.fail(error)
      }),
    removeLeases: () => Effect.void
  }
  const services = Layer.mergeAll(
    Layer.succeed(Storage, storage),
    Layer.succeed(LedgerStore, store),
    Layer.succeed(LimitStore, {} as never),
    Layer.succeed(Outbox, { append: () => Effect.succeed([]) } as never)
  )
  /** Acquires a slot of another key each time, so that a flush names as many keys as it has requests. */
  const acquire = (name: string) =>
    Ledger.use((ledger) =>
      ledger.acquire({
        ...{ id: Ids.as<"Usage">(name), tenantId, keyId: Ids.as<"Key">(name) },
        ...{ perMinute: null, concurrency: 9 }
      })
    )
  return { transactions, lapsed, leases, acquire, layer: Layer.provide(Ledger.layer, services) }
}

const together = async (fails: (slots: number) => StorageError | null) => {
  const { layer, acquire, transactions } = ledgerOf(fails, Effect.yieldNow)
  const names = ["a", "b", "c", "d"]
  const all = Effect.forEach(names, (name) => Effect.exit(acquire(name)), { concurrency: "unbounded" })
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
  const { layer, acquire, transactions } = ledgerOf(() => null, Effect.void)
  const chain = Effect.andThen(Effect.andThen(acquire("a"), acquire("b")), acquire("c"))
  // What waits for a turn of the event loop cannot run synchronously.
  Effect.runSync(Effect.provide(chain, layer))
  expect(transactions).toEqual([1, 1, 1])
})

const payer = { tenantId, plan: "enterprise", monthlyBudget: null, key: null } as const

const admissionOf = (name: string) => {
  const id = Ids.as<"Usage">(name)
  return {
    limits: { id, tenantId, keyId, perMinute: null, concurrency: 9 },
    run: null,
    reserve: { id, payer, service: "embedding", maxCost: 1n } as const
  }
}

/** Admits and ends without a fiber, both while a flush runs; the log has what each call led to, in its order. */
const called = async (fails: StorageError | null, takes: Effect.Effect<void>) => {
  const { layer, acquire } = ledgerOf(() => fails, takes)
  const log: Array<string> = []
  const program = Effect.gen(function* () {
    const { withoutFiber } = yield* Ledger
    yield* Effect.forkChild(Effect.exit(acquire("first")), { startImmediately: true })
    const takeBack: Array<() => boolean> = []
    for (const name of ["a", "b"]) {
      const admission = admissionOf(name)
      takeBack.push(withoutFiber.admit(admission, ({ _tag }) => void log.push(`${name} is admitted: ${_tag}`)))
      const end = { request: admission.reserve, due: 1n, used: null, along: null, answer: null, slot: null }
      withoutFiber.end(end, ({ _tag }) => void log.push(`${name} has ended: ${_tag}`))
      log.push(`${name} is asked`)
    }
    log.push(`a is taken back: ${takeBack[0]!()}`)
    // The second one's flush begins when all of these have been answered.
    yield* Effect.exit(acquire("beside them"))
    yield* Effect.exit(acquire("last"))
    log.push(`b is taken back: ${takeBack[1]!()}`)
  })
  await Effect.runPromise(Effect.provide(program, layer))
  return log
}

it.each([
  ["Success", null],
  ["Failure", new StorageError({ reason: "unavailable", detail: "the database is away" })]
])(
  "calls who has no fiber once, after the call has returned, and not at all what was taken back: %s",
  async (tag, fails) => {
    const log = await called(fails, Effect.yieldNow)
    const asked = ["a is asked", "b is asked", "a is taken back: true"]
    const answered = [`a has ended: ${tag}`, `b has ended: ${tag}`, `b is admitted: ${tag}`]
    expect([log.slice(0, 3), log.slice(3, 6).toSorted(), log.slice(6)]).toEqual([
      asked,
      answered,
      ["b is taken back: false"]
    ])
  }
)

it("calls who has no fiber after the call has returned, also where the storage answers at once", async () => {
  const { layer } = ledgerOf(() => null, Effect.void)
  const log: Array<string> = []
  const program = Effect.map(Ledger, ({ withoutFiber }) => {
    const takeBack = withoutFiber.admit(admissionOf("a"), ({ _tag }) => void log.push(_tag))
    log.push("the call has returned", `taken back: ${takeBack()}`)
  })
  Effect.runSync(Effect.provide(program, layer))
  expect(log).toEqual(["the call has returned", "taken back: false"])
  await Promise.resolve()
  expect(log).toEqual(["the call has returned", "taken back: false", "Success"])
})

it("calls the others although one function throws, and logs what it has thrown", async () => {
  const { layer, acquire } = ledgerOf(() => null, Effect.yieldNow)
  const [log, faults]: [Array<string>, Array<unknown>] = [[], []]
  const logger = Logger.make(({ cause }) => void faults.push(Cause.squash(cause)))
  const fault = new Error("the test says so")
  const program = Effect.gen(function* () {
    const { withoutFiber } = yield* Ledger
    yield* Effect.forkChild(acquire("first"), { startImmediately: true })
    withoutFiber.admit(admissionOf("a"), () => {
      throw fault
    })
    withoutFiber.admit(admissionOf("b"), ({ _tag }) => void log.push(_tag))
    yield* acquire("last")
  })
  await Effect.runPromise(program.pipe(Effect.provide(layer), Effect.provide(Logger.layer([logger]))))
  expect([log, faults]).toEqual([["Success"], [fault]])
})

it("gives others the time of a lease to renew theirs when it has begun, and when the storage is back", async () => {
  let isAway = false
  const { lapsed, layer } = ledgerOf(
    () => (isAway ? new StorageError({ reason: "unavailable", detail: "the database is away" }) : null),
    Effect.void
  )
  const sweeps = (times: number) =>
    Effect.gen(function* () {
      const before = lapsed.length
      for (let nth = 0; nth < times; nth++) {
        yield* Effect.exit(Ledger.use(({ sweep }) => sweep))
        yield* TestClock.adjust("10 seconds")
      }
      return lapsed.length - before
    })
  const program = Effect.gen(function* () {
    expect([yield* sweeps(2), yield* sweeps(1)]).toEqual([0, 1])
    isAway = true
    yield* sweeps(1)
    isAway = false
    // Others have missed no more than this process has.
    expect(yield* sweeps(1)).toBe(1)
    isAway = true
    yield* sweeps(3)
    isAway = false
    expect([yield* sweeps(2), yield* sweeps(1)]).toEqual([0, 1])
  })
  await Effect.runPromise(program.pipe(Effect.provide(layer), Effect.provide(TestClock.layer())))
})

it("has a lease to renew while it runs something", async () => {
  const { acquire, layer } = ledgerOf(() => null, Effect.void)
  const program = Effect.gen(function* () {
    const { busy, releaseSlot, renew } = yield* Ledger
    const isBusy = Effect.map(
      Effect.forkChild(busy, { startImmediately: true }),
      (fiber) => fiber.pollUnsafe() !== undefined
    )
    const before = yield* isBusy
    yield* acquire("a")
    const during = yield* isBusy
    yield* releaseSlot({ id: Ids.as<"Usage">("a"), tenantId, keyId: Ids.as<"Key">("a"), isReleased: false })
    yield* renew
    expect([before, during, yield* isBusy]).toEqual([false, true, false])
  })
  await Effect.runPromise(Effect.provide(program, layer))
})

it("renews its lease with a request, at most every five seconds, also after its clock was set back", async () => {
  const { acquire, layer, leases } = ledgerOf(() => null, Effect.void)
  const times = [0, 4_999, 5_000, 9_999, 20_000, 1_000, 5_999]
  const program = Effect.forEach(times, (at) => Effect.andThen(TestClock.setTime(at), acquire(`at ${at}`)))
  await Effect.runPromise(program.pipe(Effect.provide(layer), Effect.provide(TestClock.layer())))
  expect(leases).toEqual([20_000, 25_000, 40_000, 21_000])
})

it("has its lease renewed every five seconds while a request runs, and no longer", async () => {
  const { acquire, layer, leases } = ledgerOf(() => null, Effect.void)
  const program = Effect.gen(function* () {
    yield* TestClock.adjust("1 minute")
    yield* acquire("a")
    for (let nth = 0; nth < 3; nth++) yield* TestClock.adjust("5 seconds")
    const slot = { id: Ids.as<"Usage">("a"), tenantId, keyId: Ids.as<"Key">("a"), isReleased: false }
    yield* Ledger.use(({ releaseSlot }) => releaseSlot(slot))
    yield* TestClock.adjust("1 minute")
  })
  const renewed = Layer.provideMerge(Ledger.renewing, layer)
  await Effect.runPromise(program.pipe(Effect.provide(renewed), Effect.provide(TestClock.layer())))
  // The first is that of the request itself.
  expect(leases).toEqual([80_000, 85_000, 90_000, 95_000])
})
