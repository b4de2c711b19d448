/** Requests a minute and requests at once of a key, on a database. Verifies: BILL-4. */
import { assert } from "@effect/vitest"
import { type Ids, Instant, read, transact } from "@trunkline/core/effect"
import { type LedgerQuery, LedgerStore, LimitStore } from "@trunkline/core/storage"
import { KeyLimits, Ledger } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { anotherProcess, billing, later, sweep } from "./Metered.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

/** Slots of a key that are acquired. */
const slotsOf = Effect.fnUntraced(function* (tenantId: Ids.AccountId, keyId: Ids.KeyId) {
  const at = yield* Instant.now
  const query: LedgerQuery = {
    ...{ processId: Rows.id(), at, windowStart: at, locked: [], accounts: [], owners: [], services: [], months: [] },
    ...{
      periods: [],
      remembered: [],
      keys: [],
      holds: [],
      slots: [{ keyId, tenantId }],
      lapsing: [],
      doubted: [],
      claims: [],
      answering: [],
      keptBytesOf: []
    }
  }
  const { slots } = yield* transact(LedgerStore.use((store) => store.load(query)))
  return slots[0]?.others ?? 0
})

export const keyLimits = suite("limits of keys", ({ it }) => {
  // Verifies: G-9, H-101.
  it.effect("a key may send its number of requests in any 60 seconds, and is refused with the exact wait", () =>
    Effect.gen(function* () {
      const keys = yield* KeyLimits
      const [tenantId, keyId] = [Rows.id<"Account">(), Rows.id<"Key">()]
      const ask = (perMinute: number | null = 3) =>
        Effect.match(keys.acquire({ id: Rows.id(), tenantId, keyId, perMinute, concurrency: 1000 }), {
          onSuccess: (left) => (left === null ? "no limit" : `${left.remaining} left, ${left.resetSeconds} s`),
          onFailure: (no) => (no._tag === "RateLimited" ? `wait ${no.retryAfterSeconds} s` : no._tag)
        })
      const allowance = keys.allowance({ keyId, perMinute: 3 })
      yield* later(0)
      assert.deepStrictEqual(yield* allowance, { limit: 3, remaining: 3, resetSeconds: 0 })
      const table: ReadonlyArray<readonly [at: number, answer: string]> = [
        [0, "2 left, 60 s"],
        [10_500, "1 left, 50 s"],
        [20_000, "0 left, 40 s"],
        [20_001, "wait 40 s"],
        [59_999, "wait 1 s"],
        // The first has left; the window begins with the second.
        [60_000, "0 left, 11 s"],
        [60_001, "wait 11 s"],
        [70_500, "0 left, 10 s"],
        [79_999, "wait 1 s"],
        [200_000, "2 left, 60 s"]
      ]
      for (const [at, answer] of table) {
        yield* later(at)
        assert.strictEqual(yield* ask(), answer, String(at))
      }
      assert.deepStrictEqual(yield* allowance, { limit: 3, remaining: 2, resetSeconds: 60 })
      assert.strictEqual(yield* ask(null), "no limit")
      assert.strictEqual(yield* ask(0), "wait 60 s")
      // Lowered: who is over it waits until enough have left.
      yield* later(201_000)
      assert.strictEqual(yield* ask(3), "1 left, 59 s")
      assert.strictEqual(yield* ask(1), "wait 60 s")
      assert.strictEqual(yield* ask(2), "wait 59 s")
    }).pipe(Effect.provide(billing))
  )

  it.effect("requests of a minute that is over are removed as others come", () =>
    Effect.gen(function* () {
      const keys = yield* KeyLimits
      const [tenantId, keyId] = [Rows.id<"Account">(), Rows.id<"Key">()]
      for (let i = 0; i < 400; i++) {
        yield* later(i * 2000)
        yield* keys.acquire({ id: Rows.id(), tenantId, keyId, perMinute: 100, concurrency: 1000 })
      }
      const { used: kept } = yield* read(LimitStore.use((store) => store.window(keyId, Rows.at(-1))))
      assert.isAtMost(kept, 30 + 16)
    }).pipe(Effect.provide(billing))
  )

  it.effect("requests of a minute that is over are removed also where they come in groups", () =>
    Effect.gen(function* () {
      const keys = yield* KeyLimits
      const [tenantId, keyId] = [Rows.id<"Account">(), Rows.id<"Key">()]
      const limits = { tenantId, keyId, perMinute: 10_000, concurrency: 10_000 }
      for (let i = 0; i < 60; i++) {
        yield* later(i * 2000)
        const group = Array.from({ length: 20 }, () => keys.acquire({ ...limits, id: Rows.id() }))
        yield* Effect.all(group, { concurrency: "unbounded" })
      }
      const { used: kept } = yield* read(LimitStore.use((store) => store.window(keyId, Rows.at(-1))))
      assert.isAtMost(kept, 30 * 20 + 256 + 20)
    }).pipe(Effect.provide(billing))
  )

  // Verifies: H-165.
  it.effect("slots of requests whose process died are released when its lease is over, whatever their keys do", () =>
    Effect.gen(function* () {
      const limits = yield* KeyLimits
      yield* later(Instant.day)
      yield* sweep
      const tenantId = Rows.id<"Account">()
      const keys = Array.from({ length: 3 }, () => Rows.id<"Key">())
      for (const keyId of keys) {
        for (let nth = 0; nth < 2; nth++) {
          yield* limits.acquire({ id: Rows.id(), tenantId, keyId, perMinute: null, concurrency: 10 })
        }
      }
      const slots = Effect.forEach(keys, (keyId) => slotsOf(tenantId, keyId))
      yield* later(Instant.day + 19_999)
      assert.strictEqual(yield* sweep, 0)
      assert.deepStrictEqual(yield* slots, [2, 2, 2])
      yield* later(Instant.day + 20_000)
      assert.strictEqual(yield* sweep, 6)
      assert.deepStrictEqual(yield* slots, [0, 0, 0])
    }).pipe(Effect.provide(billing))
  )

  // Verifies: H-107.
  it.effect("a slot lasts while its process renews its lease; one that has lapsed stays so", () =>
    Effect.gen(function* () {
      const limits = yield* KeyLimits
      const ledger = yield* Ledger
      const [tenantId, keyId] = [Rows.id<"Account">(), Rows.id<"Key">()]
      const acquire = Effect.gen(function* () {
        const id = Rows.id<"Usage">()
        yield* limits.acquire({ id, tenantId, keyId, perMinute: null, concurrency: 10 })
        return { id, tenantId, keyId, isReleased: false }
      })
      yield* later(0)
      const slot = yield* acquire
      yield* later(10_000)
      yield* ledger.renew
      yield* later(29_999)
      yield* sweep
      assert.strictEqual(yield* slotsOf(tenantId, keyId), 1)
      yield* later(30_000)
      yield* sweep
      assert.strictEqual(yield* slotsOf(tenantId, keyId), 0)
      yield* acquire
      yield* limits.release(slot)
      assert.strictEqual(yield* slotsOf(tenantId, keyId), 1)
    }).pipe(Effect.provide(billing))
  )

  // Verifies: H-6.
  it.effect("a slot is free again when it is released or its process has died; a refusal counts as no request", () =>
    Effect.gen(function* () {
      const keys = yield* KeyLimits
      const other = yield* anotherProcess
      const [tenantId, keyId] = [Rows.id<"Account">(), Rows.id<"Key">()]
      const acquire = (id: Ids.UsageId) =>
        Effect.match(
          KeyLimits.use((limits) => limits.acquire({ id, tenantId, keyId, perMinute: 10, concurrency: 2 })),
          { onSuccess: (left) => left!.remaining, onFailure: (no) => no._tag }
        )
      yield* later(0)
      const one = Rows.id<"Usage">()
      assert.strictEqual(yield* acquire(one), 9)
      assert.strictEqual(yield* Effect.provideContext(acquire(Rows.id()), other), 8)
      assert.strictEqual(yield* acquire(Rows.id()), "TooManyAtOnce")
      yield* keys.release({ id: one, tenantId, keyId, isReleased: false })
      yield* keys.release({ id: one, tenantId, keyId, isReleased: false })
      assert.strictEqual(yield* acquire(Rows.id()), 7)
      assert.strictEqual(yield* acquire(Rows.id()), "TooManyAtOnce")
      yield* later(19_999)
      assert.strictEqual(yield* acquire(Rows.id()), "TooManyAtOnce")
      yield* later(20_000)
      assert.strictEqual(yield* acquire(Rows.id()), 6)
      assert.strictEqual(yield* acquire(Rows.id()), "TooManyAtOnce")
    }).pipe(Effect.scoped, Effect.provide(billing))
  )
})
