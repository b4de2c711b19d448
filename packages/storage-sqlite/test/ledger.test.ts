/** Counters in memory are those of the file, also after a change by another process. Verifies: BILL-4, BILL-6. */
import { Credits, Storage, transact } from "@trunkline/core/effect"
import { AccessStore, type LedgerQuery, LedgerStore, StorageError, type Tx } from "@trunkline/core/storage"
import { KeyLimits, Ledger, type MeteredRequest, Metering, type Stores } from "@trunkline/core/testing"
import { layer } from "@trunkline/storage-sqlite"
import {
  type Billing,
  began,
  billing,
  end,
  key,
  meters,
  passes,
  payer,
  Rows,
  races,
  release,
  reserve,
  settle,
  used,
  wanted
} from "@trunkline/testing/storage"
import BetterSqlite from "better-sqlite3"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { databasePath } from "./Files.ts"

type Process = Context.Context<Stores | Billing>

/** Two processes on one file, as far as the database can tell. */
const processes: Effect.Effect<readonly [Process, Process], StorageError, Scope.Scope> = Effect.gen(function* () {
  const path = yield* databasePath
  const scope = yield* Effect.scope
  const open = Layer.buildWithScope(Layer.provideMerge(billing, Layer.fresh(layer({ path }))), scope)
  return [yield* open, yield* open]
})

const runs =
  <E>(test: Effect.Effect<void, E, Scope.Scope>) =>
  () =>
    Effect.runPromise(test.pipe(Effect.scoped, Effect.provide(TestClock.layer())))

describe("two processes on one file", () => {
  it.each(races)("let as many of 200 requests pass as $title", ({ begin, passes: room }) =>
    runs(
      Effect.gen(function* () {
        const all = yield* processes
        const ask = yield* Effect.provideContext(begin, all[0])
        const answers = yield* Effect.forEach(
          Array.from({ length: 200 }),
          (_, nth) => passes(Effect.provideContext(ask(Rows.id<"Usage">()), all[nth % 2]!)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter((passed) => passed).length, room)
      })
    )()
  )

  it(
    "know at once what the other one has changed",
    runs(
      Effect.gen(function* () {
        const [one, other] = yield* processes
        const of = yield* Effect.provideContext(payer(10n), one)
        const asks = (process: Process, maxCost: bigint) =>
          passes(Effect.provideContext(reserve(of, { maxCost }), process))
        assert.isTrue(yield* asks(one, 4n))
        assert.isTrue(yield* asks(other, 6n))
        assert.isFalse(yield* asks(one, 1n))
        yield* Effect.provideContext(transact(Credits.use((credits) => credits.grant(of.tenantId, 3n, began))), other)
        assert.isTrue(yield* asks(one, 3n))
        assert.isFalse(yield* asks(other, 1n))
      })
    )
  )

  it(
    "know at once that the other one has revoked a key",
    runs(
      Effect.gen(function* () {
        const [one, other] = yield* processes
        const account = Rows.account()
        const key = Rows.apiKey(account.id)
        const inAccess = <A>(run: (store: AccessStore["Service"]) => Effect.Effect<A, StorageError, Tx>) =>
          transact(AccessStore.use(run))
        yield* Effect.provideContext(
          inAccess((store) => Effect.andThen(store.addAccount(account), store.addKey(key))),
          one
        )
        const asks = (process: Process) => {
          const request = {
            id: Rows.id<"Usage">(),
            tenantId: account.id,
            keyId: key.id,
            perMinute: null,
            concurrency: 9
          }
          const acquired = KeyLimits.use((limits) => limits.acquire({ ...request, version: 0 }))
          return passes(Effect.provideContext(acquired, process))
        }
        assert.deepStrictEqual([yield* asks(one), yield* asks(other), yield* asks(one)], [true, true, true])
        yield* Effect.provideContext(
          inAccess((store) => store.revokeKey(key, began)),
          other
        )
        assert.deepStrictEqual([yield* asks(one), yield* asks(other)], [false, false])
      })
    )
  )

  it(
    "know at once that the other one has ended a request, which that one alone can end",
    runs(
      Effect.gen(function* () {
        const [one, other] = yield* processes
        const of = yield* Effect.provideContext(payer(10n), one)
        const asked = yield* Effect.provideContext(reserve(of, { maxCost: 10n }), one)
        const asks = (maxCost: bigint) => passes(Effect.provideContext(reserve(of, { maxCost }), other))
        assert.isFalse(yield* asks(1n))
        const settles = (process: Process) => Effect.provideContext(settle(asked, 4n), process)
        assert.deepStrictEqual([yield* settles(other), yield* settles(one), yield* settles(one)], [0n, 4n, 0n])
        assert.deepStrictEqual([yield* asks(7n), yield* asks(6n)], [false, true])
      })
    )
  )

  it(
    "know at once what another part of the same process has changed",
    runs(
      Effect.gen(function* () {
        const [one] = yield* processes
        const of = yield* Effect.provideContext(payer(10n), one)
        const asks = (maxCost: bigint) => passes(Effect.provideContext(reserve(of, { maxCost }), one))
        assert.isTrue(yield* asks(10n))
        yield* Effect.provideContext(transact(Credits.use((credits) => credits.grant(of.tenantId, 3n, began))), one)
        assert.isTrue(yield* asks(3n))
        assert.isFalse(yield* asks(1n))
      })
    )
  )

  it(
    "forget what was written in a transaction that was rolled back afterwards",
    runs(
      Effect.gen(function* () {
        const [one] = yield* processes
        const of = yield* Effect.provideContext(payer(10n), one)
        const { tenantId } = of
        const asks = (maxCost: bigint) => passes(Effect.provideContext(reserve(of, { maxCost }), one))
        assert.isTrue(yield* asks(4n))
        const processId = Rows.id<"Process">()
        const query: LedgerQuery = {
          ...{ locked: [tenantId], accounts: [tenantId], owners: [], services: [], months: [], periods: [] },
          ...{
            at: began,
            windowStart: began,
            remembered: [],
            keys: [],
            holds: [],
            slots: [],
            lapsing: [],
            doubted: [],
            ...{ claims: [], answering: [], keptBytesOf: [] }
          },
          processId
        }
        const balances = [{ tenantId, balance: 1_000n, reserved: 0n }]
        const added = {
          counts: [],
          spending: [],
          windows: [],
          requests: [],
          slots: [],
          holds: [],
          processId,
          lease: null
        }
        const lost = transact(
          LedgerStore.use((store) =>
            Effect.andThen(
              Effect.andThen(
                store.load(query),
                store.save({ ...added, balances, usage: [], entries: [], runs: [], freed: [] })
              ),
              Effect.fail("the test says so")
            )
          )
        )
        yield* Effect.provideContext(Effect.flip(lost), one)
        assert.isFalse(yield* asks(7n))
        assert.isTrue(yield* asks(6n))
      })
    )
  )

  it(
    "charge nothing where what is to be kept with a bill cannot be kept",
    runs(
      Effect.gen(function* () {
        const [one] = yield* processes
        const of = yield* Effect.provideContext(payer(10n), one)
        const asked = yield* Effect.provideContext(reserve(of, { maxCost: 10n }), one)
        const refuses = new StorageError({ reason: "defect", detail: "the test says so" })
        const settled = Metering.use((metering) => metering.settle(asked, 1n, used(), { store: Effect.fail(refuses) }))
        const more = Metering.use((metering) => metering.reserve(wanted(of, { maxCost: 1n })))
        // In one flush with a request that asks for what would be free.
        const ended = yield* Effect.forEach(
          [settled, more],
          (each) => Effect.exit(Effect.provideContext(each as Effect.Effect<unknown, unknown, Metering>, one)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          ended.map(({ _tag }) => _tag),
          ["Failure", "Failure"]
        )
        yield* Effect.provideContext(release(asked), one)
        assert.isTrue(yield* passes(Effect.provideContext(more, one)))
      })
    )
  )
})

/** A process whose disk works for as long as the test wants. */
const onSlowDisk = Effect.gen(function* () {
  const path = yield* databasePath
  const disk = yield* Deferred.make<void, StorageError>()
  const slow = Layer.effect(
    Storage,
    Effect.map(Storage, (real) => ({ ...real, durable: Deferred.await(disk) }))
  )
  const stores = Layer.provideMerge(slow, Layer.fresh(layer({ path })))
  const process = yield* Layer.buildWithScope(Layer.provideMerge(billing, stores), yield* Effect.scope)
  return { process, disk }
})

const forms: ReadonlyArray<
  readonly [form: string, settle: (asked: MeteredRequest) => Effect.Effect<bigint, StorageError, Billing>]
> = [
  ["in a fiber", (asked) => settle(asked, 1n)],
  [
    "without one",
    (request) =>
      Effect.map(
        end({ request, due: 1n, used: used(), along: null, answer: null, slot: null }),
        (charged) => charged ?? 0n
      )
  ]
]

describe.each(forms)("requests that end in one flush, %s,", (_, settled) => {
  /** Two ends that wait for the disk. The first of three may have come alone, and be on the disk with its own commit. */
  const endTogether = Effect.gen(function* () {
    const { disk, process } = yield* onSlowDisk
    const on = <A, E>(work: Effect.Effect<A, E, Stores | Billing>) => Effect.provideContext(work, process)
    const of = yield* on(payer(100n))
    const asked = yield* Effect.forEach([1, 2, 3], () => on(reserve(of, { maxCost: 10n })))
    const ends = yield* Effect.forEach(asked, (one) => Effect.forkChild(on(settled(one)), { startImmediately: true }))
    // Admissions of the same account go on meanwhile.
    yield* on(reserve(of, { maxCost: 70n }))
    return { disk, waiting: ends.slice(1) }
  })

  it(
    "are answered once the disk has their bills, and hold up nobody who asks",
    runs(
      Effect.gen(function* () {
        const { disk, waiting } = yield* endTogether
        assert.deepStrictEqual(
          waiting.map((end) => end.pollUnsafe()),
          [undefined, undefined]
        )
        yield* Deferred.succeed(disk, undefined)
        assert.deepStrictEqual(yield* Effect.forEach(waiting, Fiber.join), [1n, 1n])
      })
    )
  )

  it(
    "fail where the disk does not confirm their bills",
    runs(
      Effect.gen(function* () {
        const { disk, waiting } = yield* endTogether
        const broken = new StorageError({ reason: "unavailable", detail: "the test says so" })
        yield* Deferred.fail(disk, broken)
        for (const end of waiting) assert.strictEqual(yield* Effect.flip(Fiber.join(end)), broken)
      })
    )
  )
})

/** A process to which commits are reported as failed while the test says so: before they are made, or although they are made. */
const onBrokenStorage = Effect.gen(function* () {
  const path = yield* databasePath
  const state: { fails: "before" | "after" | null } = { fails: null }
  const away = Effect.fail(new StorageError({ reason: "unavailable", detail: "the test says so" }))
  const broken = Layer.effect(
    Storage,
    Effect.map(Storage, (real) => {
      const breaking =
        (transact: Storage["Service"]["transact"]): Storage["Service"]["transact"] =>
        (program) =>
          Effect.suspend(() => {
            const { fails } = state
            if (fails === "before") return away as never
            return fails === null ? transact(program) : (Effect.andThen(transact(program), away) as never)
          })
      return {
        ...real,
        transact: breaking(real.transact),
        transactWith: (options) => breaking(real.transactWith(options))
      } satisfies Storage["Service"]
    })
  )
  const stores = Layer.provideMerge(broken, Layer.fresh(layer({ path })))
  const process = yield* Layer.buildWithScope(Layer.provideMerge(billing, stores), yield* Effect.scope)
  const on = <A, E>(work: Effect.Effect<A, E, Stores | Billing>) => Effect.provideContext(work, process)
  const whileFailing = <A, E>(fails: "before" | "after", work: Effect.Effect<A, E, Stores | Billing>) =>
    Effect.gen(function* () {
      state.fails = fails
      const exit = yield* Effect.exit(on(work))
      state.fails = null
      assert.strictEqual(exit._tag, "Failure")
    })
  const ofBudget = { key: key({ budget: 100n }) }
  return { path, on, whileFailing, of: yield* on(payer(100n, ofBudget)) }
})

describe("a commit that is reported as failed", () => {
  const renew = Ledger.use((ledger) => ledger.renew)

  it(
    "although it was made charges nothing a second time",
    runs(
      Effect.gen(function* () {
        const { of, on, whileFailing } = yield* onBrokenStorage
        const asked = yield* on(reserve(of, { maxCost: 10n }))
        yield* whileFailing("after", settle(asked, 4n))
        assert.strictEqual(yield* on(settle(asked, 4n)), 0n)
        const after = yield* on(meters(of))
        assert.deepInclude(after, { balance: 96n, reserved: 0n, calls: { used: 1, pending: 0 } })
        assert.deepStrictEqual(after.ofKey, { spent: 4n, pending: 0n })
      })
    )
  )

  it(
    "leaves nothing reserved for a request that its process takes for refused",
    runs(
      Effect.gen(function* () {
        const { of, on, whileFailing } = yield* onBrokenStorage
        const before = yield* on(meters(of))
        yield* whileFailing("after", reserve(of, { maxCost: 10n }))
        assert.strictEqual((yield* on(meters(of))).reserved, 10n)
        yield* on(renew)
        assert.deepStrictEqual(yield* on(meters(of)), before)
      })
    )
  )

  it(
    "leaves reserved what a request holds that could not be ended, until nobody tries again",
    runs(
      Effect.gen(function* () {
        const { of, on, whileFailing } = yield* onBrokenStorage
        const before = yield* on(meters(of))
        const asked = yield* on(reserve(of, { maxCost: 10n }))
        yield* whileFailing("before", release(asked))
        yield* TestClock.setTime(began + 19_999)
        yield* on(renew)
        assert.strictEqual((yield* on(meters(of))).reserved, 10n)
        yield* TestClock.setTime(began + 20_000)
        yield* on(renew)
        assert.deepStrictEqual(yield* on(meters(of)), before)
      })
    )
  )
})

describe("beside a process of an earlier release", () => {
  /** Writes as that release does. */
  const writing = (path: string, ...statements: ReadonlyArray<string>) =>
    Effect.sync(() => {
      const db = new BetterSqlite(path)
      for (const text of statements) db.exec(text)
      db.close()
    })

  it(
    "what that one has reserved is released when its own lease is over",
    runs(
      Effect.gen(function* () {
        const { of, on, path } = yield* onBrokenStorage
        yield* on(release(yield* on(reserve(of, { maxCost: 1n }))))
        const before = yield* on(meters(of))
        const { key: ofKey, tenantId } = of
        yield* writing(
          path,
          `insert into usage_holds (id, tenant_id, key_id, service, month, period, calls, amount, reserved, lapsed, expires_at)
            values ('${Rows.id()}', '${tenantId}', '${ofKey!.id}', 'llm', '2026-05', 'total', 1, 7, 7, 0, ${began + 60_000})`,
          `update credit_accounts set reserved = 7 where tenant_id = '${tenantId}'`,
          `update usage_counts set pending = 1 where tenant_id = '${tenantId}'`,
          `update spends set pending_amount = 7 where owner_id in ('${tenantId}', '${ofKey!.id}')`
        )
        const sweep = Metering.use((metering) => metering.sweep)
        yield* TestClock.setTime(began + 59_999)
        assert.strictEqual(yield* on(sweep), 0)
        assert.strictEqual((yield* on(meters(of))).reserved, 7n)
        yield* TestClock.setTime(began + 60_000)
        assert.strictEqual(yield* on(sweep), 1)
        assert.deepStrictEqual(yield* on(meters(of)), before)
        assert.strictEqual(yield* on(sweep), 0)
      })
    )
  )

  it(
    "slots that that one has acquired count until they expire",
    runs(
      Effect.gen(function* () {
        const { of, on, path } = yield* onBrokenStorage
        const { key: ofKey, tenantId } = of
        yield* writing(
          path,
          `insert into key_places (key_id, id, tenant_id, until) values ('${ofKey!.id}', '${Rows.id()}', '${tenantId}', ${began + 60_000})`
        )
        const request = { tenantId, keyId: ofKey!.id, perMinute: null, concurrency: 2 }
        const acquires = () =>
          on(passes(KeyLimits.use((limits) => limits.acquire({ ...request, id: Rows.id<"Usage">() }))))
        assert.deepStrictEqual([yield* acquires(), yield* acquires()], [true, false])
        yield* TestClock.setTime(began + 60_000)
        assert.deepStrictEqual([yield* acquires(), yield* acquires()], [true, false])
      })
    )
  )
})
