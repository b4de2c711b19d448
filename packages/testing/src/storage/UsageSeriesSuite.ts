/** Usage over time on a database, against a sum that goes through all rows: docs/reference/usage.md#series. Verifies: BILL-12. */
import { assert } from "@effect/vitest"
import { type Ids, Instant, transact, UsageLog } from "@trunkline/core/effect"
import { UsageLogStore } from "@trunkline/core/storage"
import type { SeriesQuery, Stores, UsageFilter, UsageRow } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { type Billing, billing, everything } from "./Metered.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

/** Within 90 days before it most zones change their clock, in both directions. */
const now = Instant.make(Date.UTC(2026, 10, 30, 12))

/** With changes by a half hour, at midnight, over midnight, and with none. */
const zones = [
  "UTC",
  "Europe/Paris",
  "America/New_York",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "America/Santiago",
  "America/Havana",
  "Asia/Kathmandu"
]

const services = ["llm", "stt"] as const
const models = ["a", "b", "c"]

interface Made {
  readonly minutesAgo: number
  readonly service: number
  readonly model: number
  readonly key: number | null
  readonly credits: bigint
  readonly units: number
}

const made = fc.record({
  // Some are older than what is shown.
  minutesAgo: fc.integer({ min: 0, max: 91 * 24 * 60 }),
  service: fc.nat(1),
  model: fc.nat(2),
  key: fc.option(fc.nat(1)),
  credits: fc.bigInt(0n, 10n ** 15n),
  units: fc.nat(100)
})

/** An instant of the last days, to the millisecond. */
const recent = fc.integer({ min: 0, max: 100 * 24 * 3_600_000 }).map((ago) => Instant.plus(now, -ago))

interface Asked
  extends Pick<SeriesQuery, "unit" | "timezone" | "by">,
    Pick<UsageFilter, "service" | "model" | "from" | "to"> {
  readonly key: number | null
}

const asked: fc.Arbitrary<Asked> = fc.record({
  unit: fc.constantFrom("hour" as const, "day" as const, "month" as const),
  timezone: fc.constantFrom(...zones),
  by: fc.constantFrom(null, "service" as const, "model" as const, "key" as const),
  service: fc.option(fc.constantFrom(...services)),
  model: fc.option(fc.constantFrom(...models)),
  key: fc.option(fc.nat(1)),
  from: fc.option(recent),
  to: fc.option(recent)
})

const clocks = new Map<string, Intl.DateTimeFormat>()

/** What the clock of a zone shows, as far as it names an interval: an hour that comes twice has its offset beside it. */
const labelOf = (timezone: string, unit: SeriesQuery["unit"], at: number): string => {
  const clock =
    clocks.get(timezone) ??
    new Intl.DateTimeFormat("en-CA", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      timeZoneName: "longOffset"
    })
  clocks.set(timezone, clock)
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]))
  const month = `${parts.year}-${parts.month}`
  if (unit === "month") return month
  return unit === "day" ? `${month}-${parts.day}` : `${month}-${parts.day}T${parts.hour} ${parts.timeZoneName}`
}

const plus = (sums: Map<string, bigint>, name: string, credits: bigint) =>
  sums.set(name, (sums.get(name) ?? 0n) + credits)

const sortedSums = (sums: Map<string, bigint>) => [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1))

const groupOf = (row: UsageRow, by: SeriesQuery["by"]): string | null => {
  if (by === null) return null
  return by === "key" ? row.keyId : row[by]
}

/** Of another account. */
const ofOthers: Made = { minutesAgo: 5, service: 0, model: 0, key: 0, credits: 7n, units: 1 }

export const usageSeries = suite("usage over time", ({ it }) => {
  // Verifies: B-608.
  it.effect("sums of local intervals are those of a walk through all rows, and together those of the summary", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const log = yield* UsageLog
      const store = yield* UsageLogStore
      const context = yield* Effect.context<Billing | Stores>()
      const keys = [Rows.id<"Key">(), Rows.id<"Key">()]

      const rowOf = (tenantId: Ids.AccountId, { credits, key, minutesAgo, model, service, units }: Made): UsageRow => ({
        id: Rows.id(),
        tenantId,
        keyId: key === null ? null : keys[key]!,
        service: services[service]!,
        model: models[model]!,
        requestId: "r",
        httpStatus: 200,
        units,
        unit: service === 1 ? "seconds" : "tokens",
        inputTokens: units,
        outputTokens: 2 * units,
        cacheReadTokens: 0,
        cacheCreationTokens: 0,
        latencyMs: 1,
        sessionId: null,
        traceId: null,
        credits,
        createdAt: Instant.plus(now, -minutesAgo * Instant.minute)
      })

      const compare = Effect.fnUntraced(function* (
        rows: ReadonlyArray<UsageRow>,
        tenantId: Ids.AccountId,
        { by, key, timezone, unit, ...given }: Asked
      ) {
        const filter: UsageFilter = { ...everything, ...given, keyId: key === null ? null : keys[key]! }
        const from = filter.from ?? Instant.plus(filter.to ?? now, -30 * Instant.day)
        const found = yield* log.series(tenantId, { filter, unit, timezone, by })
        if (found === null) {
          assert.isAbove(((filter.to ?? now) - from) / Instant.hour, 990)
          return
        }
        const shown = rows.filter(
          (row) =>
            row.createdAt >= Math.max(from, now - 90 * Instant.day) &&
            row.createdAt < (filter.to ?? Number.POSITIVE_INFINITY) &&
            (filter.service ?? row.service) === row.service &&
            (filter.model ?? row.model) === row.model &&
            (filter.keyId ?? row.keyId) === row.keyId
        )
        const [expected, answered] = [new Map<string, bigint>(), new Map<string, bigint>()]
        for (const row of shown)
          plus(expected, `${labelOf(timezone, unit, row.createdAt)} ${groupOf(row, by)}`, row.credits)
        for (const { credits, group, start } of found) {
          const label = `${labelOf(timezone, unit, start)} ${group}`
          assert.isFalse(answered.has(label), `${label} stands there twice`)
          plus(answered, label, credits)
        }
        const empty = [...answered].filter(([name, credits]) => credits === 0n && !expected.has(name))
        if (by !== null) assert.deepStrictEqual(empty, [])
        for (const [name] of empty) answered.delete(name)
        assert.deepStrictEqual(sortedSums(answered), sortedSums(expected))

        // Oldest first, without a gap.
        const starts = found.map(({ start }) => start)
        assert.deepStrictEqual(
          starts,
          starts.toSorted((a, b) => a - b)
        )
        if (by === null && from < (filter.to ?? Instant.plus(now, 1))) {
          assert.isAtMost(starts[0]!, from)
          for (const start of starts)
            assert.notStrictEqual(labelOf(timezone, unit, start - 1), labelOf(timezone, unit, start))
          const last = labelOf(timezone, unit, (filter.to ?? now + 1) - 1)
          assert.strictEqual(labelOf(timezone, unit, starts.at(-1)!), last)
        }

        const summary = yield* log.summary(tenantId, { ...filter, from })
        const sum = (of: ReadonlyArray<Readonly<Record<string, unknown>>>, name: string) =>
          of.reduce((total, one) => total + BigInt(one[name] as bigint), 0n)
        for (const name of ["calls", "inputTokens", "outputTokens", "audioSeconds", "credits"])
          assert.strictEqual(sum(found as never, name), sum(summary as never, name), name)
      })

      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.array(made, { maxLength: 60 }),
            fc.array(asked, { minLength: 1, maxLength: 8 }),
            (all, queries) => {
              const tenantId = Rows.id<"Account">()
              const rows = all.map((one) => rowOf(tenantId, one))
              const run = Effect.gen(function* () {
                yield* transact(Effect.forEach([...rows, rowOf(Rows.id(), ofOthers)], store.add))
                yield* Effect.forEach(queries, (query) => compare(rows, tenantId, query))
              })
              return Effect.runPromise(Effect.provideContext(run, context))
            }
          ),
          { numRuns: 15 }
        )
      )
    }).pipe(Effect.provide(billing))
  )
})
