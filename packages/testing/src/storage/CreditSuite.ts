/** Nobody spends what they do not have, whatever runs side by side. Verifies: BILL-1, BILL-2, BILL-3, BILL-9. */
import { assert } from "@effect/vitest"
import { Credits, type Ids, lock, read, transact } from "@trunkline/core/effect"
import { BudgetStore, CreditStore } from "@trunkline/core/storage"
import { Months } from "@trunkline/core/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Rows from "./Rows.ts"
import { gate, pause, suite } from "./Subject.ts"

const funded = (amount: bigint) =>
  Effect.gen(function* () {
    const tenantId = Rows.id<"Account">()
    const store = yield* CreditStore
    yield* transact(Effect.andThen(store.open(tenantId), store.add(tenantId, amount)))
    return tenantId
  })

const reserve = (tenantId: Ids.AccountId, amount: bigint) =>
  transact(CreditStore.use((store) => store.reserve(tenantId, amount)))

const settle = (tenantId: Ids.AccountId, held: bigint, charge: bigint) =>
  transact(
    Effect.andThen(
      lock("account", tenantId),
      CreditStore.use((store) => store.settle(tenantId, { reserved: held, charge }))
    )
  )

const balance = (tenantId: Ids.AccountId) =>
  Effect.map(read(CreditStore.use((store) => store.balance(tenantId))), (found) => [found?.balance, found?.reserved])

export const credits = suite("credits", ({ it, sideBySide }) => {
  it.effect("of 200 reservations side by side as many succeed as there is credit for", () =>
    Effect.gen(function* () {
      const tenantId = yield* funded(7_500_000_000n)
      const answers = yield* Effect.forEach(Array.from({ length: 200 }), () => reserve(tenantId, 1_000_000_000n), {
        concurrency: "unbounded"
      })
      assert.strictEqual(answers.filter((fitted) => fitted).length, 7)
      assert.deepStrictEqual(yield* balance(tenantId), [7_500_000_000n, 7_000_000_000n])
    })
  )

  it.effect("a reservation that does not fit changes nothing, and one that fits exactly is made", () =>
    Effect.gen(function* () {
      const tenantId = yield* funded(10n)
      assert.isFalse(yield* reserve(tenantId, 11n))
      assert.deepStrictEqual(yield* balance(tenantId), [10n, 0n])
      assert.isTrue(yield* reserve(tenantId, 10n))
      assert.isFalse(yield* reserve(tenantId, 1n))
      assert.isFalse(yield* reserve(Rows.id(), 0n))
    })
  )

  it.effect("settling releases the reservation and charges what is due, as far as the balance is free", () =>
    Effect.gen(function* () {
      const table: ReadonlyArray<readonly [held: bigint, charge: bigint, charged: bigint]> = [
        [40n, 0n, 0n],
        [40n, 25n, 25n],
        [40n, 40n, 40n],
        [40n, 50n, 50n],
        [40n, 70n, 70n],
        [40n, 71n, 70n],
        [40n, 9_000_000_000_000_000_000n, 70n],
        [0n, 31n, 30n]
      ]
      for (const [held, charge, charged] of table) {
        // 100 in all, 30 of it held by somebody else: 70 can be charged when 40 of the rest are held here.
        const tenantId = yield* funded(100n)
        yield* reserve(tenantId, 30n)
        yield* reserve(tenantId, 40n)
        assert.deepStrictEqual(yield* settle(tenantId, held, charge), { charged, balance: 100n - charged })
        assert.deepStrictEqual(yield* balance(tenantId), [100n - charged, 70n - held])
      }
      assert.deepStrictEqual(yield* settle(Rows.id(), 0n, 5n), { charged: 0n, balance: 0n })
    })
  )

  // Verifies: H-75.
  it.effect("no interleaving of reserving and settling brings the balance below what is reserved", () =>
    Effect.gen(function* () {
      // So little that a charge is often more than what is free, while others reserve.
      const tenantId = yield* funded(90n)
      const answers = yield* Effect.forEach(
        Array.from({ length: 300 }, (_, i) => BigInt(i % 5)),
        (amount, i) =>
          Effect.gen(function* () {
            if (!(yield* reserve(tenantId, amount))) return 0n
            return (yield* settle(tenantId, amount, i % 3 === 0 ? amount * 4n : 0n)).charged
          }),
        { concurrency: "unbounded" }
      )
      const charged = answers.reduce((sum, one) => sum + one, 0n)
      assert.deepStrictEqual(yield* balance(tenantId), [90n - charged, 0n])
      assert.isTrue(charged <= 90n)
    })
  )

  sideBySide("a charge takes into account what another reserves meanwhile", () =>
    Effect.gen(function* () {
      const tenantId = yield* funded(100n)
      const store = yield* CreditStore
      const [reserved, goOn] = [yield* gate, yield* gate]
      const other = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* store.reserve(tenantId, 60n)
            yield* Deferred.succeed(reserved, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(reserved)
      const charging = yield* Effect.forkChild(settle(tenantId, 0n, 100n))
      yield* pause(50)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(other)
      assert.deepStrictEqual(yield* Fiber.join(charging), { charged: 40n, balance: 60n })
      assert.deepStrictEqual(yield* balance(tenantId), [60n, 60n])
    })
  )

  it.effect("a reservation grows by what is added to it, and is removed once", () =>
    Effect.gen(function* () {
      const store = yield* CreditStore
      const tenantId = yield* funded(100n)
      const reservation = Rows.id()
      const held = { id: reservation, tenantId, amount: 10n, budgeted: 12n, createdAt: Rows.at(0) }
      yield* transact(store.addToReservation(held))
      yield* transact(store.addToReservation({ ...held, amount: 5n, budgeted: 6n, createdAt: Rows.at(1) }))
      assert.deepStrictEqual(yield* read(store.findReservation(reservation)), { ...held, amount: 15n, budgeted: 18n })
      const taken = yield* Effect.forEach(
        Array.from({ length: 10 }),
        () => transact(store.removeReservation(reservation)),
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(
        taken.filter((one) => one !== null),
        [{ ...held, amount: 15n, budgeted: 18n }]
      )
      assert.isNull(yield* read(store.findReservation(reservation)))
    })
  )

  // Verifies: G-208.
  it.effect("a reservation that is settled by itself is charged as far as it goes, once, and the ledger has it", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const store = yield* CreditStore
      const tenantId = Rows.id<"Account">()
      yield* transact(credits.grant(tenantId, 100n, Rows.at(0)))
      for (const [held, due, charged] of [
        [40n, 50n, 40n],
        [20n, 15n, 15n],
        [5n, 0n, 0n],
        [0n, 9n, 0n]
      ] as const) {
        const reservation = Rows.id()
        const settle = transact(
          credits.settleReserved({ id: reservation, tenantId, due, kind: "call", at: Rows.at(2) })
        )
        const [before] = yield* balance(tenantId)
        const spender = { tenantId, plan: "pro", monthlyBudget: null } as const
        assert.isNull(yield* transact(credits.reserve(spender, { id: reservation, amount: held, since: Rows.at(1) })))
        const settled = yield* Effect.forEach(Array.from({ length: 5 }), () => settle, { concurrency: "unbounded" })
        assert.strictEqual(
          settled.reduce((sum, one) => sum + one.charged, 0n),
          charged
        )
        assert.deepStrictEqual(yield* balance(tenantId), [before! - charged, 0n])
      }
      assert.strictEqual(yield* read(store.ledgerSum(tenantId)), 45n)
    }).pipe(Effect.provide(Credits.layer))
  )

  // Verifies: D-262.
  it.effect(
    "of 60 calls side by side as many begin as credit and the month's budget cover, and the others reserve nothing",
    () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const budgets = yield* BudgetStore
        const at = Rows.at(0)
        for (const [balance_, monthlyBudget, plan, begin, reserved, shortage] of [
          [100n, 35n, "pro", 7, 35n, "monthly_budget"],
          [15n, 35n, "pro", 3, 15n, "credits"],
          [15n, null, "pro", 3, 15n, "credits"],
          [0n, 35n, "enterprise", 7, 0n, "monthly_budget"]
        ] as const) {
          const tenantId = Rows.id<"Account">()
          yield* transact(credits.grant(tenantId, balance_, at))
          const spender = { tenantId, plan, monthlyBudget }
          const ids = Array.from({ length: 60 }, () => Rows.id())
          const answers = yield* Effect.forEach(
            ids,
            (id) => transact(credits.reserve(spender, { id, amount: 5n, since: at })),
            {
              concurrency: "unbounded"
            }
          )
          const begun = ids.filter((_, nth) => answers[nth] === null)
          assert.strictEqual(begun.length, begin)
          assert.deepStrictEqual([...new Set(answers)].sort(), [shortage, null].sort())
          assert.deepStrictEqual(yield* balance(tenantId), [balance_, reserved])
          const spend = read(budgets.spending({ ownerId: tenantId, period: Months.of(at) }))
          assert.deepStrictEqual(yield* spend, { spent: 0n, pending: BigInt(begin) * 5n })
          yield* Effect.forEach(
            ids,
            (id) => transact(credits.settle({ id, tenantId, due: 4n, kind: "call", at: Rows.at(9) })),
            {
              concurrency: "unbounded"
            }
          )
          assert.deepStrictEqual(yield* spend, { spent: BigInt(begin) * 4n, pending: 0n })
          assert.deepStrictEqual(yield* balance(tenantId), [balance_ - (reserved / 5n) * 4n, 0n])
        }
      }).pipe(Effect.provide(Credits.layer))
  )

  it.effect("opening an account again changes nothing, and adding to one that is not open opens it", () =>
    Effect.gen(function* () {
      const store = yield* CreditStore
      const tenantId = yield* funded(5n)
      yield* transact(store.open(tenantId))
      assert.deepStrictEqual(yield* balance(tenantId), [5n, 0n])
      const other = Rows.id<"Account">()
      assert.isNull(yield* read(store.balance(other)))
      yield* transact(store.add(other, 3n))
      assert.deepStrictEqual(yield* balance(other), [3n, 0n])
    })
  )

  it.effect("a charge that would bring the balance below what is reserved is refused by the table itself", () =>
    Effect.gen(function* () {
      const store = yield* CreditStore
      const tenantId = yield* funded(10n)
      yield* reserve(tenantId, 8n)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(transact(store.add(tenantId, -3n)))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(settle(tenantId, 9n, 0n))))
      assert.deepStrictEqual(yield* balance(tenantId), [10n, 8n])
    })
  )

  it.effect("the ledger accepts every kind of entry", () =>
    Effect.gen(function* () {
      const store = yield* CreditStore
      const tenantId = yield* funded(0n)
      for (const kind of ["grant", "call", "inference"] as const) {
        const entry = { id: Rows.id(), tenantId, kind, ref: kind === "grant" ? null : Rows.id(), createdAt: Rows.at(0) }
        yield* transact(store.log({ ...entry, amount: kind === "grant" ? 9_007_199_254_740_993n : -1n }))
      }
    })
  )
})
