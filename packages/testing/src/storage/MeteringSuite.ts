/** What a request reserves, is charged and is counted as, on a database. Verifies: BILL-4, BILL-5, BILL-6, BILL-8. */
import { assert } from "@effect/vitest"
import { Credits, type Ids, read, Storage, transact } from "@trunkline/core/effect"
import { BudgetStore, CreditStore, OutboxStore, QuotaStore, StorageError } from "@trunkline/core/storage"
import { Bonuses, type BudgetExceeded, Ledger, Metering, type Payer, type Recorded } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { describe } from "vitest"
import {
  anotherProcess,
  began,
  billing,
  credit,
  key,
  later,
  meters,
  month,
  passes,
  payer,
  races,
  release,
  reserve,
  rowsOf,
  settle,
  sweep,
  used,
  type wanted
} from "./Metered.ts"
import { day } from "./MeteringModel.ts"
import { play } from "./MeteringPlay.ts"
import * as Rows from "./Rows.ts"
import { type Stores, suite } from "./Subject.ts"

/** The events of one account. */
const eventsOf = (tenantId: Ids.AccountId) =>
  Effect.gen(function* () {
    const store = yield* OutboxStore
    const found: Array<Recorded> = []
    for (;;) {
      const page: ReadonlyArray<Recorded> = yield* read(store.after(found.at(-1)?.cursor ?? null, 1000))
      found.push(...page)
      if (page.length < 1000) return found.filter((event) => event.tenantId === tenantId)
    }
  })

const refusal = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(Effect.asVoid(attempt)), (error) =>
    "reason" in error ? `${error._tag} ${String(error.reason)}` : error._tag
  )

/** Ends that the storage refuses take charge and count with them. */
const endsThatFail = Effect.fnUntraced(function* (of: Payer, asked: ReturnType<typeof wanted>) {
  // The log refuses what is no row of it, and takes charge and count with it.
  const broken = yield* Effect.exit(settle(asked, credit, used({ units: null as never })))
  assert.isTrue(Exit.isFailure(broken))
  assert.deepInclude(yield* meters(of), { balance: 10n * credit, reserved: 3n * credit })
  // So does what is to be kept along with them.
  const refuses = new StorageError({ reason: "full", detail: "the test says so" })
  const alone = Metering.use((metering) => metering.settle(asked, credit, used(), { store: Effect.fail(refuses) }))
  assert.strictEqual(yield* Effect.flip(alone), refuses)
  assert.deepInclude(yield* meters(of), { balance: 10n * credit, reserved: 3n * credit })
})

export const metering = suite("metering", ({ it }) => {
  describe("charge and count", () => {
    for (const race of races) {
      // Verifies: G-9, G-37, G-217, H-106.
      it.effect(`of 200 requests side by side as many pass as ${race.title}`, () =>
        Effect.gen(function* () {
          const ask = yield* race.begin
          const answers = yield* Effect.forEach(Array.from({ length: 200 }), () => passes(ask(Rows.id())), {
            concurrency: "unbounded"
          })
          assert.strictEqual(answers.filter((passed) => passed).length, race.passes)
        }).pipe(Effect.provide(billing))
      )
    }

    // Verifies: H-163.
    it.effect("on random days it does what a few lines of plain code say, step by step", () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Stores>()
        const same = (actual: unknown, expected: unknown, step: string) =>
          assert.deepStrictEqual(actual, expected, step)
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(day, fc.constantFrom("free" as const, "enterprise" as const), (steps, plan) =>
              Effect.runPromise(Effect.provideContext(play(steps, plan, same), context))
            ),
            { numRuns: Number(process.env.MODEL_RUNS ?? 25) }
          )
        )
      }).pipe(Effect.provide(billing))
    )

    // Verifies: G-33, G-143, G-212, H-13, H-79, H-81.
    it.effect("a request that is refused leaves every counter as it was, and is refused for the first reason", () =>
      Effect.gen(function* () {
        const budget = { budget: 3n * credit }
        const table: ReadonlyArray<readonly [refusedFor: string, of: Payer, asks: bigint]> = [
          [
            "QuotaExceeded plan",
            yield* payer(0n, { plan: "free", monthlyBudget: 0n, key: key({ budget: 0n }) }),
            credit
          ],
          [
            "QuotaExceeded monthly_budget",
            yield* payer(0n, { monthlyBudget: credit, key: key({ budget: 0n }) }),
            2n * credit
          ],
          [
            "CreditsExceeded",
            yield* payer(3n * credit, { monthlyBudget: 9n * credit, key: key({ budget: 0n }) }),
            5n * credit
          ],
          ["BudgetExceeded", yield* payer(9n * credit, { monthlyBudget: 9n * credit, key: key(budget) }), 4n * credit]
        ]
        for (const [refusedFor, of, maxCost] of table) {
          const service = refusedFor.endsWith("plan") ? "image" : "llm"
          if (service === "llm") yield* passes(reserve(of, { maxCost: 0n }))
          const before = yield* meters(of, service)
          assert.strictEqual(yield* refusal(reserve(of, { service, maxCost })), refusedFor)
          assert.deepStrictEqual(yield* meters(of, service), before)
        }
      }).pipe(Effect.provide(billing))
    )

    // Verifies: G-856, G-857.
    it.effect("a request reserves all of its calls or none, and only those that came are counted", () =>
      Effect.gen(function* () {
        const of = yield* payer(100n * credit, { plan: "starter" })
        const calls = Effect.map(meters(of, "image"), (all) => all.calls)
        const pictures = { service: "image", calls: 498 } as const
        const many = yield* reserve(of, pictures)
        assert.deepStrictEqual(yield* calls, { used: 0, pending: 498 })
        assert.strictEqual(yield* refusal(reserve(of, { service: "image", calls: 3 })), "QuotaExceeded plan")
        assert.deepStrictEqual(yield* calls, { used: 0, pending: 498 })
        const two = yield* reserve(of, { service: "image", calls: 2 })
        assert.strictEqual(yield* refusal(reserve(of, { service: "image" })), "QuotaExceeded plan")
        yield* settle(two, credit, { ...used(), calls: 1 })
        assert.deepStrictEqual(yield* calls, { used: 1, pending: 498 })
        yield* release(many, used({ httpStatus: 502 }))
        assert.deepStrictEqual(yield* calls, { used: 1, pending: 0 })
        const late = yield* reserve(of, { ...pictures, calls: 499 })
        yield* later(20_000)
        yield* sweep
        assert.deepStrictEqual(yield* calls, { used: 1, pending: 0 })
        yield* settle(late, credit)
        assert.deepStrictEqual(yield* calls, { used: 500, pending: 0 })
      }).pipe(Effect.provide(billing))
    )

    // Verifies: H-74.
    it.effect("what was charged, counted and logged are one transaction, and a second end does nothing", () =>
      Effect.gen(function* () {
        const of = yield* payer(10n * credit, { monthlyBudget: 9n * credit, key: key({ budget: 9n * credit }) })
        const asked = yield* reserve(of, { maxCost: 3n * credit })
        assert.deepInclude(yield* meters(of), {
          balance: 10n * credit,
          reserved: 3n * credit,
          calls: { used: 0, pending: 1 },
          monthly: { spent: 0n, pending: 3n * credit },
          ofKey: { spent: 0n, pending: 3n * credit }
        })
        yield* endsThatFail(of, asked)
        assert.strictEqual(yield* settle(asked, 2n * credit), 2n * credit)
        const after = yield* meters(of)
        assert.deepStrictEqual(after, {
          balance: 8n * credit,
          reserved: 0n,
          calls: { used: 1, pending: 0 },
          monthly: { spent: 2n * credit, pending: 0n },
          ofKey: { spent: 2n * credit, pending: 0n }
        })
        assert.strictEqual(yield* settle(asked, 2n * credit), 0n)
        yield* release(asked, used())
        assert.deepStrictEqual(yield* meters(of), after)
        const { items } = yield* rowsOf(of)
        assert.deepStrictEqual(items, [
          {
            ...used(),
            id: asked.id,
            tenantId: of.tenantId,
            keyId: of.key!.id,
            service: "llm",
            credits: 2n * credit,
            createdAt: began
          }
        ])
      }).pipe(Effect.provide(billing))
    )

    it.effect("of many ends of one request side by side one counts", () =>
      Effect.gen(function* () {
        const of = yield* payer(10n * credit)
        const asked = yield* reserve(of)
        const charged = yield* Effect.forEach(
          Array.from({ length: 20 }),
          (_, i) => (i % 2 === 0 ? settle(asked, credit) : Effect.as(release(asked), 0n)),
          { concurrency: "unbounded" }
        )
        const sum = charged.reduce((all, one) => all + one, 0n)
        assert.include([0n, credit], sum)
        assert.deepInclude(yield* meters(of), { balance: 10n * credit - sum, reserved: 0n })
      }).pipe(Effect.provide(billing))
    )

    // Verifies: H-75.
    it.effect("whatever is reserved, settled, released and swept side by side, the books agree when all is over", () =>
      Effect.gen(function* () {
        const of = yield* payer(0n, { plan: "starter", key: key({ budget: 60n * credit }) })
        const store = yield* CreditStore
        yield* transact(Credits.use((credits) => credits.grant(of.tenantId, 70n * credit, began)))
        const charged = yield* Effect.forEach(
          Array.from({ length: 150 }, (_, i) => i),
          (i) =>
            Effect.gen(function* () {
              if (i % 10 === 9) return yield* Effect.as(sweep, 0n)
              const asked = yield* reserve(of)
              if (i % 3 === 0) return yield* Effect.as(release(asked), 0n)
              return yield* settle(asked, i % 5 === 0 ? 2n * credit : credit / 2n)
            }).pipe(
              Effect.catchTags({ BudgetExceeded: () => Effect.succeed(0n), CreditsExceeded: () => Effect.succeed(0n) })
            ),
          { concurrency: "unbounded" }
        )
        const sum = charged.reduce((all, one) => all + one, 0n)
        const after = yield* meters(of)
        assert.deepStrictEqual(after, {
          balance: 70n * credit - sum,
          reserved: 0n,
          calls: { used: charged.filter((one) => one > 0n).length, pending: 0 },
          monthly: { spent: sum, pending: 0n },
          ofKey: { spent: sum, pending: 0n }
        })
        assert.strictEqual(yield* read(store.ledgerSum(of.tenantId)), after.balance)
        assert.strictEqual((yield* rowsOf(of)).total, after.calls.used)
      }).pipe(Effect.provide(billing))
    )

    // Verifies: H-78, H-94.
    it.effect("a call that failed is not counted, costs nothing, and has its row where it reached an upstream", () =>
      Effect.gen(function* () {
        const of = yield* payer(10n * credit, { key: key({ budget: credit }) })
        const before = yield* meters(of)
        yield* release(yield* reserve(of), used({ httpStatus: 502 }))
        yield* release(yield* reserve(of))
        assert.deepStrictEqual(yield* meters(of), before)
        const { items, total } = yield* rowsOf(of)
        assert.deepStrictEqual([total, items[0]?.credits, items[0]?.httpStatus], [1, 0n, 502])
      }).pipe(Effect.provide(billing))
    )

    // Verifies: H-172.
    it.effect("an attempt after which a request goes on has a row of its own, and the reservation stays", () =>
      Effect.gen(function* () {
        const of = yield* payer(10n * credit, { key: key({ budget: 5n * credit }) })
        const asked = yield* reserve(of)
        const held = yield* meters(of)
        const attempt = { id: Rows.id<"Usage">(), used: used({ httpStatus: 502 }) }
        yield* Metering.use((metering) => metering.logAttempt(asked, attempt))
        assert.deepStrictEqual(yield* meters(of), held)
        const [row, ...more] = (yield* rowsOf(of)).items
        assert.deepInclude(row, {
          id: attempt.id,
          credits: 0n,
          httpStatus: 502,
          keyId: of.key?.id ?? null,
          service: "llm"
        })
        assert.deepStrictEqual(more, [])
        assert.strictEqual(yield* settle(asked, credit), credit)
        assert.strictEqual((yield* rowsOf(of)).total, 2)
      }).pipe(Effect.provide(billing))
    )

    it.effect("more than was reserved is charged as far as credit is free", () =>
      Effect.gen(function* () {
        const of = yield* payer(10n * credit)
        const asked = yield* reserve(of)
        yield* reserve(of, { maxCost: 4n * credit })
        assert.strictEqual(yield* settle(asked, 8n * credit), 6n * credit)
        assert.deepInclude(yield* meters(of), { balance: 4n * credit, reserved: 4n * credit })
      }).pipe(Effect.provide(billing))
    )

    // Verifies: G-207, H-84.
    it.effect("enterprise usage is priced, counted and logged, and nothing is deducted", () =>
      Effect.gen(function* () {
        const of = yield* payer(0n, { plan: "enterprise", key: key({ budget: 5n * credit }) })
        const asked = yield* reserve(of, { maxCost: 3n * credit })
        assert.strictEqual(yield* settle(asked, 2n * credit), 2n * credit)
        assert.deepInclude(yield* meters(of), {
          balance: 0n,
          reserved: 0n,
          calls: { used: 1, pending: 0 },
          ofKey: { spent: 2n * credit, pending: 0n }
        })
        assert.strictEqual((yield* rowsOf(of)).items[0]?.credits, 2n * credit)
        assert.strictEqual(yield* refusal(reserve(of, { maxCost: 4n * credit })), "BudgetExceeded")
      }).pipe(Effect.provide(billing))
    )
  })

  describe("time of a reservation", () => {
    it.effect(
      "after a crash between reserve and settle the reservation is released once the process's lease is over",
      () =>
        Effect.gen(function* () {
          const of = yield* payer(10n * credit, { monthlyBudget: 9n * credit, key: key({ budget: 9n * credit }) })
          const before = yield* meters(of)
          yield* reserve(of)
          yield* reserve({ ...of, key: null })
          yield* later(19_999)
          yield* sweep
          assert.strictEqual((yield* meters(of)).reserved, 2n * credit)
          yield* later(20_000)
          assert.isAtLeast(yield* sweep, 2)
          yield* Effect.forEach([1, 2, 3], () => sweep, { concurrency: "unbounded" })
          assert.deepStrictEqual(yield* meters(of), before)
        }).pipe(Effect.provide(billing))
    )

    // Verifies: H-107.
    it.effect("what a process has reserved lasts while it renews its lease; what has lapsed stays so", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const of = yield* payer(10n * credit)
        const asked = yield* reserve(of)
        yield* later(10_000)
        yield* ledger.renew
        yield* later(29_999)
        yield* sweep
        assert.strictEqual((yield* meters(of)).reserved, credit)
        yield* later(30_000)
        yield* sweep
        assert.strictEqual((yield* meters(of)).reserved, 0n)
        yield* ledger.renew
        yield* reserve(of, { maxCost: 3n * credit })
        yield* release(asked)
        assert.strictEqual((yield* meters(of)).reserved, 3n * credit)
      }).pipe(Effect.provide(billing))
    )

    it.effect("a request renews the lease of its process, which lasts 20 seconds from then", () =>
      Effect.gen(function* () {
        const of = yield* payer(10n * credit)
        yield* reserve(of)
        yield* later(20_000)
        yield* release(yield* reserve(of))
        yield* later(39_999)
        yield* sweep
        assert.strictEqual((yield* meters(of)).reserved, credit)
        yield* later(40_000)
        yield* sweep
        assert.strictEqual((yield* meters(of)).reserved, 0n)
      }).pipe(Effect.provide(billing))
    )

    it.effect("credit that a dead process has reserved is free for the request that needs it", () =>
      Effect.gen(function* () {
        const of = yield* payer(credit)
        yield* Effect.scoped(Effect.flatMap(anotherProcess, (process) => Effect.provideContext(reserve(of), process)))
        assert.strictEqual(yield* refusal(reserve(of)), "CreditsExceeded")
        yield* later(20_000)
        yield* reserve(of)
        assert.strictEqual((yield* meters(of)).reserved, credit)
      }).pipe(Effect.provide(billing))
    )

    it.effect("work that ends after its reservation has lapsed is charged and counted all the same", () =>
      Effect.gen(function* () {
        const of = yield* payer(10n * credit, { key: key({ budget: 9n * credit }) })
        const late = yield* reserve(of)
        yield* later(20_000)
        yield* sweep
        assert.strictEqual(yield* settle(late, credit), credit)
        assert.deepInclude(yield* meters(of), {
          balance: 9n * credit,
          reserved: 0n,
          calls: { used: 1, pending: 0 },
          ofKey: { spent: credit, pending: 0n }
        })
        assert.strictEqual(yield* settle(late, credit), 0n)
      }).pipe(Effect.provide(billing))
    )

    // Verifies: G-198, H-77, H-80.
    it.effect("a request that runs over the end of a month stays in the month in which it began", () =>
      Effect.gen(function* () {
        const next = "2026-06"
        const edge = Date.UTC(2026, 5, 1)
        const monthly = key({ budget: 2n * credit, budgetPeriod: "month" })
        const of = yield* payer(100n * credit, { plan: "free", monthlyBudget: 2n * credit, key: monthly })
        yield* TestClock.setTime(edge - 1)
        const asked = yield* reserve(of, { maxCost: 2n * credit })
        assert.strictEqual(yield* refusal(reserve(of)), "QuotaExceeded monthly_budget")
        yield* TestClock.setTime(edge)
        const second = yield* reserve(of, { maxCost: 2n * credit })
        yield* settle(asked, credit)
        assert.deepInclude(yield* meters(of), {
          calls: { used: 1, pending: 0 },
          monthly: { spent: credit, pending: 0n },
          ofKey: { spent: credit, pending: 0n }
        })
        const [budgets, quotas] = [yield* BudgetStore, yield* QuotaStore]
        const ofNext = Effect.all([
          quotas.counts({ tenantId: of.tenantId, service: "llm", month: next }),
          budgets.spending({ ownerId: of.tenantId, period: next }),
          budgets.spending({ ownerId: monthly.id, period: next })
        ])
        assert.deepStrictEqual(yield* read(ofNext), [
          { used: 0, pending: 1 },
          { spent: 0n, pending: 2n * credit },
          { spent: 0n, pending: 2n * credit }
        ])
        yield* release(second)
        assert.deepStrictEqual(yield* read(ofNext), [
          { used: 0, pending: 0 },
          { spent: 0n, pending: 0n },
          { spent: 0n, pending: 0n }
        ])
      }).pipe(Effect.provide(billing))
    )
  })

  describe("announcements", () => {
    // Verifies: G-147, G-148, H-80, H-86, H-87.
    it.effect("a key's budget is announced at 80 per cent and when it is reached, once each", () =>
      Effect.gen(function* () {
        const of = yield* payer(1000n * credit, { key: key({ budget: 10n * credit }) })
        const spend = (amount: bigint) =>
          Effect.flatMap(reserve(of, { maxCost: amount }), (asked) => settle(asked, amount))
        const names = Effect.map(eventsOf(of.tenantId), (events) =>
          events.map(({ data, event }) => [event, data.spent])
        )
        yield* spend(7_999_999_999n)
        assert.deepStrictEqual(yield* names, [])
        yield* spend(1n)
        assert.deepStrictEqual(yield* names, [["budget.alert", 8]])
        yield* spend(credit)
        yield* spend(credit)
        assert.deepStrictEqual(yield* names, [
          ["budget.alert", 8],
          ["budget.exceeded", 10]
        ])
        assert.strictEqual(yield* refusal(reserve(of)), "BudgetExceeded")
        assert.strictEqual((yield* eventsOf(of.tenantId)).length, 2)
        assert.deepStrictEqual((yield* eventsOf(of.tenantId))[0]?.data, {
          key_id: of.key!.id,
          key_name: "Backend",
          budget: 10,
          spent: 8,
          period: "total",
          period_started_at: null
        })
      }).pipe(Effect.provide(billing))
    )

    // Verifies: G-148, H-87.
    it.effect("a first refusal for a budget is announced without a reservation, and again in the next month", () =>
      Effect.gen(function* () {
        const of = yield* payer(1000n * credit, { key: key({ budget: credit, budgetPeriod: "month" }) })
        const refuse = Effect.flip(reserve(of, { maxCost: 2n * credit })) as Effect.Effect<
          BudgetExceeded,
          unknown,
          Metering
        >
        const starts = Effect.map(eventsOf(of.tenantId), (events) =>
          events.map(({ data, event }) => `${event} ${data.period_started_at}`)
        )
        yield* Effect.forEach([1, 2, 3, 4], () => refuse, { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* starts, ["budget.exceeded 2026-05-01T00:00:00.000Z"])
        yield* settle(yield* reserve(of), credit)
        assert.deepStrictEqual(yield* starts, [
          "budget.exceeded 2026-05-01T00:00:00.000Z",
          "budget.alert 2026-05-01T00:00:00.000Z"
        ])
        yield* TestClock.setTime(Date.UTC(2026, 5, 3))
        yield* refuse
        assert.strictEqual((yield* starts).at(-1), "budget.exceeded 2026-06-01T00:00:00.000Z")
      }).pipe(Effect.provide(billing))
    )

    // Verifies: G-149.
    it.effect("the charge that lowers a balance below 100 credits announces it", () =>
      Effect.gen(function* () {
        const of = yield* payer(100n * credit)
        yield* settle(yield* reserve(of), credit)
        assert.deepStrictEqual(
          (yield* eventsOf(of.tenantId)).map(({ data, event }) => [event, data]),
          [["credits.low", { balance: 99, threshold: 100 }]]
        )
      }).pipe(Effect.provide(billing))
    )
  })

  describe("amounts and bonuses", () => {
    // Verifies: H-83.
    it.effect("a bonus is booked once in each month and for each plan, side by side too", () =>
      Effect.gen(function* () {
        const { tenantId } = yield* payer(0n)
        const book = (plan: Payer["plan"]) =>
          Bonuses.use((bonuses) => Storage.use((storage) => storage.transact(bonuses.grant(tenantId, plan))))
        const balance = Effect.map(read(CreditStore.use((store) => store.balance(tenantId))), (found) => found?.balance)
        const booked = yield* Effect.forEach(Array.from({ length: 10 }), () => book("starter"), {
          concurrency: "unbounded"
        })
        assert.strictEqual(booked.filter((isNew) => isNew).length, 1)
        assert.strictEqual(yield* balance, 500n * credit)
        assert.deepStrictEqual(yield* Effect.forEach(["pro", "pro", "free", "enterprise"] as const, book), [
          true,
          false,
          false,
          false
        ])
        assert.strictEqual(yield* balance, 5_500n * credit)
        yield* TestClock.setTime(Date.UTC(2026, 5, 1))
        assert.isTrue(yield* book("pro"))
        assert.strictEqual(yield* balance, 10_500n * credit)
      }).pipe(Effect.provide(billing))
    )

    // Verifies: H-72.
    it.effect("a month and its amounts may have all of 64 bits", () =>
      Effect.gen(function* () {
        const of = yield* payer(9_000_000_000_000_000_000n, { key: key({ budget: 9_223_372_036_854_775_807n }) })
        yield* reserve(of, { maxCost: 9_000_000_000_000_000_000n })
        assert.strictEqual(yield* refusal(reserve(of, { maxCost: 1n })), "CreditsExceeded")
        assert.strictEqual((yield* meters(of)).monthly.pending, 9_000_000_000_000_000_000n)
        assert.strictEqual(month, "2026-05")
      }).pipe(Effect.provide(billing))
    )
  })
})
