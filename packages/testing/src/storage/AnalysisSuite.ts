/** Analyses of voice sessions on a database: one for each session, and one claim, however many processes claim. Verifies: VANA-2. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { AnalysisStore } from "@trunkline/core/storage"
import type { Analysis } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const row = (over: Partial<Analysis> = {}): Analysis => ({
  id: Rows.id(),
  sessionId: Rows.id(),
  tenantId: Rows.id(),
  status: "pending",
  summary: null,
  outcome: null,
  sentiment: null,
  score: null,
  results: null,
  model: null,
  error: null,
  createdAt: Rows.at(0),
  completedAt: null,
  attempts: 0,
  dueAt: Rows.at(0),
  claim: null,
  ...over
})

const findings = {
  summary: "It went well. 返品 😀",
  outcome: "sale",
  sentiment: "positive",
  score: 0.123456789,
  results: { topic: "tea", wanted: true, price: 1.5, nothing: null }
} as const

const find = ({ sessionId }: Analysis) =>
  Effect.map(read(AnalysisStore.use((store) => store.ofSessions([sessionId]))), ([found]) => found)

const put = (...analyses: ReadonlyArray<Analysis>) =>
  transact(AnalysisStore.use((store) => Effect.forEach(analyses, (one) => store.put(one, null), { discard: true })))

const claimDue = (at: number, until: number, claim: string, limit = 100) =>
  transact(AnalysisStore.use((store) => store.claimDue({ at: Rows.at(at), until: Rows.at(until), claim, limit })))

const sessionsOf = (found: ReadonlyArray<Analysis>) => found.map(({ sessionId }) => sessionId).sort()

/** Ends whatever earlier tests have left due. */
const nothingDue = Effect.gen(function* () {
  const store = yield* AnalysisStore
  const far = Number.MAX_SAFE_INTEGER - Rows.at(0)
  const all = yield* claimDue(far, far, "far", 10_000)
  yield* transact(Effect.forEach(all, (one) => store.save({ ...one, claim: null, dueAt: null }, "far", null)))
  assert.isNull(yield* read(store.nextDue))
})

export const analyses = suite("analyses of voice sessions", ({ it }) => {
  it.effect("are read as they were written, and a later one replaces an earlier one", () =>
    Effect.gen(function* () {
      const first = row({ ...findings, status: "completed", model: "m", completedAt: Rows.at(9), dueAt: null })
      yield* put(first)
      assert.deepStrictEqual(yield* find(first), first)
      const second = row({ sessionId: first.sessionId, tenantId: first.tenantId, createdAt: Rows.at(20) })
      const other = row()
      yield* put(second, other)
      assert.deepStrictEqual(yield* find(second), second)
      const store = yield* AnalysisStore
      const both = yield* read(store.ofSessions([second.sessionId, other.sessionId, Rows.id()]))
      assert.deepStrictEqual(sessionsOf(both), sessionsOf([second, other]))
      assert.deepStrictEqual(yield* read(store.ofSessions([])), [])
    })
  )

  it.effect("are claimed the longest due first, and are due again when the claim has run out", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* AnalysisStore
      const [late, first, second] = [30, 10, 20].map((at) => row({ dueAt: Rows.at(at) })) as [
        Analysis,
        Analysis,
        Analysis
      ]
      yield* put(late, first, second, row({ status: "failed", dueAt: null }))
      assert.strictEqual(yield* read(store.nextDue), Rows.at(10))
      assert.deepStrictEqual(yield* claimDue(9, 60, "early"), [])
      const claimed = yield* claimDue(50, 60, "one", 2)
      assert.deepStrictEqual(sessionsOf(claimed), sessionsOf([first, second]))
      for (const one of claimed) assert.deepInclude(one, { claim: "one", attempts: 1, dueAt: Rows.at(60) })
      assert.deepStrictEqual(sessionsOf(yield* claimDue(50, 90, "two")), [late.sessionId])
      assert.deepStrictEqual(yield* claimDue(59, 80, "three"), [])
      assert.strictEqual(yield* read(store.nextDue), Rows.at(60))
      const again = yield* claimDue(60, 80, "three")
      assert.deepStrictEqual(sessionsOf(again), sessionsOf([first, second]))
      for (const one of again) assert.deepInclude(one, { claim: "three", attempts: 2 })
    })
  )

  it.effect("whose claim is lost are neither renewed nor written by the process that had it", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* AnalysisStore
      const analysis = row({ dueAt: Rows.at(1) })
      const { sessionId } = analysis
      const renew = (claim: string, until: number) => transact(store.renew({ sessionId, claim }, Rows.at(until)))
      yield* put(analysis)
      const [old] = yield* claimDue(5, 40, "old")
      assert.isTrue(yield* renew("old", 60))
      assert.deepStrictEqual(yield* claimDue(59, 80, "new"), [])
      yield* claimDue(60, 90, "new")
      assert.isFalse(yield* renew("old", 200))
      const over = { ...old!, ...findings, status: "completed", claim: null, dueAt: null } as const
      assert.isFalse(yield* transact(store.save(over, "old", null)))
      assert.deepInclude(yield* find(analysis), { status: "pending", claim: "new", dueAt: Rows.at(90) })
      assert.isTrue(yield* transact(store.save(over, "new", null)))
      assert.isFalse(yield* transact(store.save({ ...over, summary: "twice" }, "new", null)))
      assert.deepStrictEqual(yield* find(analysis), over)
    })
  )

  it.effect("that were asked for anew are not written by the process that had the earlier one", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* AnalysisStore
      const first = row({ dueAt: Rows.at(1) })
      yield* put(first)
      const [claimed] = yield* claimDue(5, 40, "one")
      const second = row({ sessionId: first.sessionId, tenantId: first.tenantId })
      yield* put(second)
      assert.isFalse(yield* transact(store.save({ ...claimed!, status: "failed" }, "one", null)))
      assert.deepStrictEqual(yield* find(first), second)
    })
  )

  it.effect("are claimed once by eight processes at the same time", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const all = Array.from({ length: 60 }, (_, i) => row({ dueAt: Rows.at(i) }))
      yield* put(...all)
      const taking = Effect.fnUntraced(function* (claim: string) {
        const mine: Array<Analysis> = []
        for (;;) {
          const found = yield* claimDue(100, 200, claim, 7)
          mine.push(...found)
          if (found.length === 0) return mine
        }
      })
      const claimed = yield* Effect.forEach(Array.from("abcdefgh"), taking, { concurrency: "unbounded" })
      const rest = yield* taking("rest")
      assert.deepStrictEqual(sessionsOf([...claimed.flat(), ...rest]), sessionsOf(all))
    })
  )
})
