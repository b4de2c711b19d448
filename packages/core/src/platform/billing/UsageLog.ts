/** The usage log, as people and programs read it. Source: docs/reference/metering.md#log. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant, type Page, type Paged, tracedFn } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import { type Read, Storage, type StorageError } from "../storage/index.ts"
import { UsageLogStore, type UsagePosition, type UsageQuery } from "./UsageLogStore.ts"
import type { ServiceTotals, SessionUsage, UsageFilter, UsageRow } from "./UsageRow.ts"

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

      return UsageLog.of({ summary, list, after, ofSession: store.ofSession })
    })
  )
}
