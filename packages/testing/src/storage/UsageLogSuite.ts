/** The usage log on a database: what was settled, by every filter. Verifies: BILL-5. */
import { assert } from "@effect/vitest"
import { type Ids, Instant, UsageLog } from "@trunkline/core/effect"
import type { Payer, UsageFilter, UsageRow } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { began, billing, credit, everything, key, later, payer, reserve, rowsOf, settle, used } from "./Metered.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

/** Of an account and two of its keys twenty rows, three in one millisecond; of another account four. */
const fill = Effect.gen(function* () {
  const keys = [key(), key()] as const
  const of = yield* payer(1000n * credit)
  const other = yield* payer(1000n * credit)
  for (let i = 0; i < 24; i++) {
    const account = i % 6 === 5 ? other : { ...of, key: keys[i % 2]! }
    yield* later(Math.floor(i / 3) * 1000)
    const asked = yield* reserve(account, { service: i % 4 === 0 ? "stt" : "llm" })
    yield* settle(
      asked,
      BigInt(i),
      used({
        model: i % 4 === 0 ? "saaras:v3" : "oss-120b",
        unit: i % 4 === 0 ? "seconds" : "tokens",
        sessionId: i % 3 === 0 ? "s" : null,
        traceId: i % 5 === 0 ? "t" : null
      })
    )
  }
  return { of, other, keys }
})

const instants = [null, Instant.make(began + 2000), Instant.make(began + 5000)] as const

/** Every filter alone and some together, each with every span of time. */
const filtersOf = (keys: readonly [{ readonly id: Ids.KeyId }, { readonly id: Ids.KeyId }]) => {
  const alone: ReadonlyArray<Partial<UsageFilter>> = [
    {},
    { service: "stt" },
    { model: "oss-120b" },
    { keyId: keys[0].id },
    { sessionId: "s" },
    { traceId: "t" },
    { keyId: keys[1].id, sessionId: "s", service: "llm" },
    { sessionId: "s", traceId: "t" },
    { traceId: "t", keyId: keys[0].id, model: "saaras:v3" },
    { sessionId: "none" }
  ]
  return alone.flatMap((filter) =>
    instants.flatMap((from) => instants.map((to): UsageFilter => ({ ...everything, ...filter, from, to })))
  )
}

const matches = (row: UsageRow, filter: UsageFilter): boolean =>
  (filter.from === null || row.createdAt >= filter.from) &&
  (filter.to === null || row.createdAt < filter.to) &&
  (["service", "model", "keyId", "sessionId", "traceId"] as const).every(
    (name) => filter[name] === null || row[name] === filter[name]
  )

/** Page, export and sums of a filter show these rows and no other. */
const shows = Effect.fnUntraced(function* ({ tenantId }: Payer, asked: UsageFilter, expected: ReadonlyArray<UsageRow>) {
  const log = yield* UsageLog
  assert.deepStrictEqual(yield* log.list(tenantId, asked, { limit: 3, offset: 1 }), {
    items: expected.slice(1, 4),
    total: expected.length
  })
  const exported: Array<UsageRow> = []
  for (;;) {
    const page = yield* log.after(tenantId, asked, exported.at(-1)?.id ?? null, 2)
    exported.push(...page)
    if (page.length < 2) break
  }
  assert.deepStrictEqual(exported, expected)
  const sums = yield* log.summary(tenantId, asked)
  assert.strictEqual(
    sums.reduce((sum, { credits }) => sum + credits, 0n),
    expected.reduce((sum, { credits }) => sum + credits, 0n)
  )
  assert.strictEqual(
    sums.reduce((sum, { calls }) => sum + calls, 0),
    expected.length
  )
})

export const usageLog = suite("the usage log", ({ it }) => {
  // Verifies: H-88.
  it.effect("the usage log is read by every filter, newest first, page by page and row by row", () =>
    Effect.gen(function* () {
      const { keys, of, other } = yield* fill
      const log = yield* UsageLog
      const all = yield* log.list(of.tenantId, everything, { limit: 100, offset: 0 })
      assert.strictEqual(all.total, 20)
      const sorted = [...all.items].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      assert.deepStrictEqual(all.items, sorted)

      for (const filter of filtersOf(keys)) {
        const expected = all.items.filter((row) => matches(row, filter))
        yield* shows(of, filter, expected)
      }
      // Whatever row an export goes on from, it keeps to what was asked.
      const until = { ...everything, to: instants[1]! }
      assert.deepStrictEqual(
        yield* log.after(of.tenantId, until, all.items[0]!.id, 100),
        all.items.filter(({ createdAt }) => createdAt < instants[1]!)
      )
      assert.deepStrictEqual(yield* log.after(of.tenantId, everything, Rows.id(), 100), [])
      assert.deepStrictEqual(yield* log.after(other.tenantId, everything, all.items[0]!.id, 100), [])
      const [llm, stt] = yield* log.summary(of.tenantId, everything)
      const spoken = all.items.filter(({ service }) => service === "stt").length
      assert.deepInclude(stt, { service: "stt", calls: spoken, audioSeconds: 30 * spoken })
      assert.deepInclude(llm, {
        service: "llm",
        calls: 20 - spoken,
        inputTokens: 10 * (20 - spoken),
        outputTokens: 20 * (20 - spoken),
        audioSeconds: 0
      })
    }).pipe(Effect.provide(billing))
  )

  // Verifies: G-132.
  it.effect("the usage log shows the last 90 days, whatever is asked", () =>
    Effect.gen(function* () {
      const of = yield* payer(10n * credit)
      yield* settle(yield* reserve(of), 1n)
      yield* later(90 * Instant.day)
      assert.strictEqual((yield* rowsOf(of, { from: Rows.at(-5) })).total, 1)
      yield* later(90 * Instant.day + 1)
      assert.strictEqual((yield* rowsOf(of, { from: Rows.at(-5) })).total, 0)
    }).pipe(Effect.provide(billing))
  )
})
