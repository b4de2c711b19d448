/** The usage log, as people and programs read it. Source: docs/reference/metering.md#log. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant, type IntervalUnit, intervalsOf, type Page, type Paged, tracedFn } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import { type Read, Storage, type StorageError } from "../storage/index.ts"
import { UsageLogStore, type UsagePosition, type UsageQuery, type UsageSpan } from "./UsageLogStore.ts"
import type { IntervalTotals, ServiceTotals, SessionUsage, UsageFilter, UsageGroup, UsageRow } from "./UsageRow.ts"

const shownMs = 90 * Instant.day

/** Before every id: nothing that was written at `to` is before it. */
const firstId = Ids.first<"Usage">()

/** The query of a filter, within what may be shown at an instant. */
const queryOf = (tenantId: Ids.AccountId, filter: UsageFilter, at: Instant.Instant): UsageQuery => {
  const oldest = Instant.plus(at, -shownMs)
  return {
    tenantId,
    service: filter.service,
    model: filter.model,
    keyId: filter.keyId,
    sessionId: filter.sessionId,
    traceId: filter.traceId,
    since: filter.from === null ? oldest : Instant.later(filter.from, oldest),
    before: { createdAt: filter.to ?? Instant.never, id: firstId }
  }
}

const earlier = (a: UsagePosition, b: UsagePosition): UsagePosition =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id) ? a : b

export interface SeriesQuery {
  readonly filter: UsageFilter
  readonly unit: IntervalUnit
  readonly timezone: string
  readonly by: UsageGroup | null
}

/** Intervals of a series, at most. */
export const maxIntervals = 1000

/** The period of a series that is asked for without a start. */
const standardSeriesMs = 30 * Instant.day

const unused = (start: Instant.Instant): IntervalTotals => ({
  start,
  group: null,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  audioSeconds: 0,
  credits: 0n
})

export class UsageLog extends Context.Service<
  UsageLog,
  {
    readonly summary: (
      tenantId: Ids.AccountId,
      filter: UsageFilter
    ) => Effect.Effect<ReadonlyArray<ServiceTotals>, StorageError>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: UsageFilter,
      page: Page
    ) => Effect.Effect<Paged<UsageRow>, StorageError>
    /** Newest first, after a row; for exports, which read page by page. */
    readonly after: (
      tenantId: Ids.AccountId,
      filter: UsageFilter,
      last: Ids.UsageId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<UsageRow>, StorageError>
    /**
     * Sums by local intervals of a zone, oldest first: of each, or of each group that was used in it. Null where there are more
     * intervals than are shown.
     */
    readonly series: (
      tenantId: Ids.AccountId,
      asked: SeriesQuery
    ) => Effect.Effect<ReadonlyArray<IntervalTotals> | null, StorageError>
    /** All that a session has used, by service and model, as a part of a look or a transaction. */
    readonly ofSession: (
      tenantId: Ids.AccountId,
      sessionId: string
    ) => Effect.Effect<ReadonlyArray<SessionUsage>, StorageError, Read>
  }
>()("@trunkline/core/platform/billing/UsageLog") {
  static readonly layer = Layer.effect(
    UsageLog,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* UsageLogStore

      const queryNow = (tenantId: Ids.AccountId, filter: UsageFilter) =>
        Effect.map(Instant.now, (at) => queryOf(tenantId, filter, at))

      const summary = tracedFn("UsageLog.summary")(function* (tenantId: Ids.AccountId, filter: UsageFilter) {
        return yield* store.totals(yield* queryNow(tenantId, filter))
      }, storage.read)

      const list = tracedFn("UsageLog.list")(function* (tenantId: Ids.AccountId, filter: UsageFilter, page: Page) {
        const query = yield* queryNow(tenantId, filter)
        return { items: yield* store.list(query, page), total: yield* store.count(query) }
      }, storage.read)

      const after = tracedFn("UsageLog.after")(function* (
        tenantId: Ids.AccountId,
        filter: UsageFilter,
        last: Ids.UsageId | null,
        limit: number
      ) {
        const query = yield* queryNow(tenantId, filter)
        if (last === null) return yield* store.list(query, { limit, offset: 0 })
        const position = yield* store.position(tenantId, last)
        return position === null
          ? []
          : yield* store.list({ ...query, before: earlier(position, query.before) }, { limit, offset: 0 })
      }, storage.read)

      const series = tracedFn("UsageLog.series")(function* (
        tenantId: Ids.AccountId,
        { by, filter, timezone, unit }: SeriesQuery
      ) {
        const now = yield* Instant.now
        const from = filter.from ?? Instant.plus(filter.to ?? now, -standardSeriesMs)
        // The end itself is not included; without one the present interval is.
        const until = filter.to === null ? now : Instant.plus(filter.to, -1)
        const intervals = intervalsOf({ unit, timezone, from, until }, maxIntervals)
        if (intervals === null) return null
        const query = queryOf(tenantId, { ...filter, from }, now)
        const end = query.before.createdAt
        const spans = intervals.map(
          (one, nth): UsageSpan => ({
            start: one.start,
            since: Instant.later(one.start, query.since),
            // What another process has written by a clock that is ahead belongs to the last one.
            before: nth === intervals.length - 1 ? end : Instant.earlier(one.end, end)
          })
        )
        const used = yield* store.series(
          query,
          spans.filter(({ before, since }) => since < before),
          by
        )
        if (by !== null) return used
        const found = new Map(used.map((totals) => [totals.start, totals]))
        return intervals.map(({ start }) => found.get(start) ?? unused(start))
      }, storage.read)

      return UsageLog.of({ summary, list, after, series, ofSession: store.ofSession })
    })
  )
}
