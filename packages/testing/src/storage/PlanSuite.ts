/** What is counted of a plan beside calls of models, on a database: docs/reference/plans.md#counters. Verifies: BILL-10. */
import { assert } from "@effect/vitest"
import { type Ids, Instant, PlanUsage, read, transact } from "@trunkline/core/effect"
import { type QuotaPeriod, QuotaStore } from "@trunkline/core/storage"
import { ConversationQuota, Months, StoredBytes } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const services = Layer.merge(ConversationQuota.layer, PlanUsage.layer)

const plan = "free"
const at = Rows.at(0)
const nextMonth = Months.nextStart(at)

const count = (tenantId: Ids.AccountId, when = at) =>
  ConversationQuota.use((quota) => transact(quota.count({ tenantId, plan, at: when })))

const release = (...counted: ReadonlyArray<{ readonly tenantId: Ids.AccountId; readonly at: Instant.Instant }>) =>
  ConversationQuota.use((quota) => transact(quota.release(counted)))

const used = (tenantId: Ids.AccountId, when = at) =>
  Effect.map(
    read(QuotaStore.use((quotas) => quotas.counts({ tenantId, service: "conversation", month: Months.of(when) }))),
    (counts) => counts.used
  )

const times = <A, E, R>(n: number, effect: Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: n }), () => effect, { concurrency: "unbounded" })

export const plans = suite("plans", ({ it }) => {
  // Verifies: H-801, H-802.
  it.effect("of 200 conversations side by side as many count as the plan has, in each month and account anew", () =>
    Effect.gen(function* () {
      const [one, other] = [Rows.id<"Account">(), Rows.id<"Account">()]
      const hasRoom = ConversationQuota.use((quota) => read(quota.hasRoom({ tenantId: one, plan, at })))
      assert.isTrue(yield* hasRoom)
      assert.strictEqual((yield* times(200, count(one))).filter((isCounted) => isCounted).length, 50)
      assert.strictEqual(yield* used(one), 50)
      assert.isFalse(yield* hasRoom)
      assert.isTrue(yield* count(other))
      assert.isTrue(yield* count(one, nextMonth))
      yield* release({ tenantId: one, at })
      assert.isTrue(yield* hasRoom)
      assert.deepStrictEqual([yield* count(one), yield* count(one)], [true, false])
    }).pipe(Effect.provide(services))
  )

  it.effect("conversations of a plan without a limit are counted all the same", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const quota = yield* ConversationQuota
      const more = { tenantId, plan: "enterprise", at } as const
      yield* times(60, transact(quota.count(more)))
      assert.isTrue(yield* read(quota.hasRoom(more)))
      assert.strictEqual(yield* used(tenantId), 60)
    }).pipe(Effect.provide(services))
  )

  // Verifies: H-804.
  it.effect(
    "conversations of several accounts and months are released side by side, in whatever order they are named",
    () =>
      Effect.gen(function* () {
        const accounts = [Rows.id<"Account">(), Rows.id<"Account">(), Rows.id<"Account">()]
        const counted = accounts.flatMap((tenantId) => [at, nextMonth].map((when) => ({ tenantId, at: when })))
        yield* Effect.forEach(counted, (one) => times(40, count(one.tenantId, one.at)))
        yield* Effect.forEach(
          Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? counted : counted.toReversed())),
          (some) => release(...some, some[0]!),
          { concurrency: "unbounded" }
        )
        const left = yield* Effect.forEach(counted, (one) => used(one.tenantId, one.at))
        assert.deepStrictEqual(left, [10, 20, 20, 20, 20, 10])
      }).pipe(Effect.provide(services))
  )

  // Verifies: H-800, H-810, H-811.
  it.effect("what was used of a plan is what counts and what runs, of this month and account", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const now = yield* Instant.now
      const month = Months.of(now)
      const files = Layer.succeed(StoredBytes, { used: (id) => Effect.succeed(id === tenantId ? 7_000_000_000 : 1) })
      const read = Effect.provide(
        PlanUsage.use((usage) => usage.read(tenantId, "pro")),
        Layer.fresh(PlanUsage.layer).pipe(Layer.provide(files))
      )
      yield* transact(
        QuotaStore.use((quotas) =>
          Effect.gen(function* () {
            const llm = { tenantId, service: "llm", month } as const
            const begun: ReadonlyArray<QuotaPeriod> = [
              ...[llm, llm, llm],
              { ...llm, service: "image" },
              { ...llm, month: "2001-01" }
            ]
            for (const period of begun) yield* quotas.begin(period, { calls: 1, cap: null })
            yield* quotas.end(llm, { pending: 1, used: 1 })
          })
        )
      )
      yield* count(tenantId, now)
      assert.deepStrictEqual(yield* read, {
        plan: "pro",
        period: { from: Months.startOf(month), to: Months.nextStart(now) },
        counters: {
          llmCalls: { used: 3, limit: 50_000 },
          sttCalls: { used: 0, limit: 25_000 },
          ttsCalls: { used: 0, limit: 25_000 },
          images: { used: 1, limit: 5_000 },
          conversations: { used: 1, limit: 10_000 },
          storageBytes: { used: 7_000_000_000, limit: 10_000_000_000 },
          teamMembers: { used: null, limit: 20 }
        }
      })
    }).pipe(Effect.provide(services))
  )
})
