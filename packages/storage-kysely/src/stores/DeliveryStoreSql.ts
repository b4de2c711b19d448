/** The delivery log, which is the queue of deliveries, in SQL. */
import {
  type ClaimedDelivery,
  type DeliveryEnd,
  DeliveryStore,
  type Instant,
  type LogFilter
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kysely, sql } from "kysely"
import type { SqlDialect, SqlType } from "../dialect/SqlDialect.ts"
import { count, insert, row, rows, write, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, plain, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import { storable } from "../StorableText.ts"
import type { Database } from "../Tables.ts"
import { allRows, type Span as IdSpan, makePending, spanOf } from "./QueueFloor.ts"

type Row = Database["webhookDeliveries"]
type Of<K extends keyof Row> = Pick<Row, K>
interface Paging {
  readonly limit: number
  readonly offset: number
}

const find = statement<Of<"id" | "tenantId" | "webhookId">>("deliveries.find")((db, value) =>
  db
    .selectFrom("webhookDeliveries")
    .select(fieldsOf("webhookDeliveries"))
    .where("id", "=", value.id)
    .where("webhookId", "=", value.webhookId)
    .where("tenantId", "=", value.tenantId)
)

/** Payloads are not listed: a page of them may be megabytes. */
const listedFields = [
  "id",
  "tenantId",
  "webhookId",
  "event",
  "status",
  "attempts",
  "statusCode",
  "error",
  "sendId",
  "createdAt",
  "lastAttemptAt",
  "deliveredAt",
  "nextAt",
  "claim"
] as const

interface Filtered extends Of<"tenantId" | "webhookId"> {
  readonly event: string
}

type Filter = "event"

const shapes = byFilters<Filter>(["event"])

/**
 * Which rows of a log are asked for, and its order. The status is part of the text: the partial index of failed rows does not fit a
 * parameter. Pending rows are few compared to the log: they are found in their own index and sorted, by an expression, so that no planner
 * reads the primary key from its end instead, which is the order of the whole log.
 */
const logs = {
  all: { list: "log", count: "countLog", where: null, order: sql`id` },
  failed: { list: "failedLog", count: "countFailed", where: sql<boolean>`status = 'failed'`, order: sql`id` },
  pending: {
    list: "pendingLog",
    count: "countPending",
    where: sql<boolean>`next_at is not null`,
    order: sql`id || ''`
  },
  delivered: {
    list: "deliveredLog",
    count: "countDelivered",
    where: sql<boolean>`status = 'delivered'`,
    order: sql`id`
  }
} as const

const logOf = ({ count, list, order, where }: (typeof logs)[keyof typeof logs]) => {
  const rowsOf = (db: Kysely<Database>, value: Filtered, asked: ReadonlyArray<Filter>) => {
    const found = db
      .selectFrom("webhookDeliveries")
      .where("webhookId", "=", value.webhookId)
      .where("tenantId", "=", value.tenantId)
    const ofStatus = where === null ? found : found.where(where)
    return asked.length === 0 ? ofStatus : ofStatus.where("event", "=", value.event)
  }
  return {
    list: shapes((asked, suffix) =>
      page<Filtered & Paging>(`deliveries.${list}${suffix}`)((db, value) =>
        rowsOf(db, value, asked).select(listedFields).orderBy(order, "desc").limit(value.limit).offset(value.offset)
      )
    ),
    count: shapes((asked, suffix) =>
      statement<Filtered>(`deliveries.${count}${suffix}`)((db, value) =>
        rowsOf(db, value, asked).select((eb) => eb.fn.countAll().as("n"))
      )
    )
  }
}

const log = {
  all: logOf(logs.all),
  failed: logOf(logs.failed),
  pending: logOf(logs.pending),
  delivered: logOf(logs.delivered)
}

/** Only email has such a list, by a partial index of email rows: the word is part of the text, so that the index fits. */
const ofEmail = (db: Kysely<Database>, tenantId: Row["tenantId"]) =>
  db
    .selectFrom("webhookDeliveries as d")
    .where("d.tenantId", "=", tenantId)
    .where("d.surface", "=", sql<"email">`'email'`)
    .where("d.webhookId", "in", (eb) =>
      eb.selectFrom("webhooks as w").select("w.id").whereRef("w.id", "=", "d.webhookId")
    )

const emailLog = page<Of<"tenantId"> & Paging>("deliveries.emailLog")((db, value) =>
  ofEmail(db, value.tenantId)
    .select(listedFields.map((field) => `d.${field}` as const))
    .orderBy("d.id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countEmailLog = statement<Of<"tenantId">>("deliveries.countEmailLog")((db, value) =>
  ofEmail(db, value.tenantId).select((eb) => eb.fn.countAll().as("n"))
)

const failedSince = statement<
  Of<"tenantId" | "webhookId"> & { since: Instant.Instant; after: Row["id"]; limit: number }
>("deliveries.failedSince")((db, value) =>
  db
    .selectFrom("webhookDeliveries")
    .select(fieldsOf("webhookDeliveries"))
    .where("webhookId", "=", value.webhookId)
    .where("tenantId", "=", value.tenantId)
    .where("status", "=", sql<"failed">`'failed'`)
    .where("createdAt", ">=", value.since)
    .where("id", ">", value.after)
    .orderBy("id")
    .limit(value.limit)
)

type Span = IdSpan<Row["id"]>

/**
 * The endpoints with something pending, one index seek for each: a scan of what is due would be as long as the queue of the
 * slowest endpoint. Ordered like the index of what is pending; in another order Postgres scans the whole log.
 */
const endpoints = ({ first, last }: Span, { idsBetween }: SqlDialect) => sql`endpoints (webhook_id) as (
  select webhook_id from (
    select webhook_id from webhook_deliveries where next_at is not null and ${idsBetween("id", first, last)}
      order by webhook_id, next_at limit 1) as first
  union all
  select (
    select d.webhook_id from webhook_deliveries as d
    where d.next_at is not null and d.webhook_id > endpoints.webhook_id and ${idsBetween("d.id", first, last)}
    order by d.webhook_id, d.next_at limit 1)
  from endpoints where endpoints.webhook_id is not null)`

interface DueQuery extends Span {
  readonly at: Instant.Instant
  readonly perEndpoint: number
  readonly limit: number
  readonly full: ReadonlyArray<Row["webhookId"]>
  readonly suspect: ReadonlyArray<Row["webhookId"]>
}

const due = statement<DueQuery>("deliveries.due")(
  plain<DueQuery, Of<"id" | "webhookId" | "attempts">>(
    (value, dialect) => sql`
      with recursive ${endpoints(value, dialect)}, candidates as (
      select d.id, d.webhook_id, d.attempts, row_number() over (
        partition by d.attempts > 0 or d.webhook_id in ${dialect.list(value.suspect, "uuid")} order by d.next_at, d.id) as place
      from endpoints
      join webhooks as w on w.id = endpoints.webhook_id and w.is_active
      ${dialect.joinEach(
        "webhook_deliveries",
        "d",
        sql`where x.webhook_id = endpoints.webhook_id and x.next_at <= ${value.at}
          and ${dialect.idsBetween("x.id", value.first, value.last)} order by x.next_at, x.id limit ${value.perEndpoint}`
      )}
      where endpoints.webhook_id not in ${dialect.list(value.full, "uuid")})
      select id, webhook_id, attempts from candidates where place <= ${value.limit} order by place, attempts`
  )
)

export const nextDue = statement<Pick<DueQuery, "full"> & Span>("deliveries.nextDue")(
  plain<Pick<DueQuery, "full"> & Span, Of<"nextAt">>(
    (value, dialect) => sql`
      with recursive ${endpoints(value, dialect)}
      select min((
        select x.next_at from webhook_deliveries as x
        where x.webhook_id = endpoints.webhook_id and x.next_at is not null
          and ${dialect.idsBetween("x.id", value.first, value.last)} order by x.next_at limit 1)) as next_at
      from endpoints
      join webhooks as w on w.id = endpoints.webhook_id and w.is_active
      where endpoints.webhook_id not in ${dialect.list(value.full, "uuid")}`
  )
)

interface Claim extends Span {
  readonly ids: ReadonlyArray<Row["id"]>
  readonly claim: string
  readonly at: Instant.Instant
  readonly until: Instant.Instant
}

/** What an attempt needs of a delivery and of its subscription, as they are now. */
const claimable = statement<Pick<Claim, "ids" | "at"> & Span>("deliveries.claimable")((db, value, dialect) => {
  const found = db
    .selectFrom("webhookDeliveries as d")
    .innerJoin("webhooks as w", "w.id", "d.webhookId")
    .select(["d.id", "d.tenantId", "d.webhookId", "d.surface", "d.event", "d.payload", "d.attempts", "d.createdAt"])
    .select(["d.statusCode", "d.error", "d.lastAttemptAt"])
    .select(["w.url", "w.secret", "w.previousSecret", "w.previousUntil", "w.retrySchedule"])
    .select(["w.failingSince", "w.pauseAfterDays"])
    .where(dialect.isOneOf("d.id", value.ids, value.first, value.last))
    // Written so that no index of what is pending is used: it may be longer than when the statement was planned.
    .where(sql<boolean>`coalesce(d.next_at, ${sql.lit(Number.MAX_SAFE_INTEGER)}) <= ${value.at}`)
    .where("w.isActive", "=", sql<boolean>`true`)
  return dialect.forUpdateSkipLockedOf(found, "d")
})

const mark = statement<Omit<Claim, "at">>("deliveries.claim")((db, value, dialect) =>
  db
    .updateTable("webhookDeliveries")
    .set((eb) => ({ claim: value.claim, nextAt: value.until, attempts: eb("attempts", "+", 1) }))
    .where(dialect.isOneOf("id", value.ids, value.first, value.last))
)

const endColumns = {
  id: "uuid",
  claim: "uuid",
  status: "text",
  attempts: "int",
  statusCode: "int",
  error: "text",
  lastAttemptAt: "bigint",
  deliveredAt: "bigint",
  nextAt: "bigint"
} satisfies Record<keyof DeliveryEnd, SqlType>

interface Ends extends Span {
  readonly ends: ReadonlyArray<DeliveryEnd>
  readonly ids: ReadonlyArray<Row["id"]>
}

const end = statement<Ends>("deliveries.end")(
  plain<Ends, Of<"id" | "tenantId">>(
    ({ ends, first, ids, last }, dialect) => sql`
      update webhook_deliveries set status = e."status", attempts = e."attempts", status_code = e."statusCode",
        error = e."error", last_attempt_at = e."lastAttemptAt", delivered_at = e."deliveredAt", next_at = e."nextAt",
        claim = null
      from ${dialect.records(ends, "e", endColumns)}
      where webhook_deliveries.id = e."id" and webhook_deliveries.claim = e."claim"
        and ${dialect.isOneOfJoined("webhook_deliveries.id", ids, first, last)}
      returning webhook_deliveries.id as id, webhook_deliveries.tenant_id as tenant_id`
  )
)

const sweepRows = statement<{ limit: number }>("deliveries.sweep")((db, value) =>
  db.deleteFrom("webhookDeliveries").where("id", "in", (eb) =>
    eb
      .selectFrom("webhookDeliveries as left")
      .select("left.id")
      .where("left.webhookId", "in", (of) => of.selectFrom("removedWebhooks").select("removedWebhooks.id"))
      .limit(value.limit)
  )
)

const sweepMarkers = statement("webhooks.sweepMarkers")((db) =>
  db
    .deleteFrom("removedWebhooks")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("webhookDeliveries")
            .select("webhookDeliveries.id")
            .whereRef("webhookDeliveries.webhookId", "=", "removedWebhooks.id")
        )
      )
    )
)

const filtered = ({ event, tenantId, webhookId }: Exclude<LogFilter, { readonly surface: "email" }>): Filtered => ({
  tenantId,
  webhookId,
  event: event ?? ""
})

const makeStore = (pending: ReturnType<typeof makePending<Row["id"]>>) =>
  DeliveryStore.of({
    add: (deliveries) => insert("webhookDeliveries", deliveries),
    find: (key) => row(find, key),
    list: (of, page) =>
      "surface" in of
        ? rows(emailLog, { tenantId: of.tenantId, ...page })
        : rows(log[of.status ?? "all"].list(of), { ...filtered(of), ...page }),
    count: (of) =>
      "surface" in of
        ? count(countEmailLog, { tenantId: of.tenantId })
        : count(log[of.status ?? "all"].count(of), filtered(of)),
    failedSince: (page) => rows(failedSince, { ...page, after: page.after ?? allRows<Row["id"]>().first }),
    due: (query) => Effect.flatMap(pending, (span) => rows(due, { ...query, ...span })),
    claim: Effect.fnUntraced(function* (wanted) {
      const found = yield* writeRows(claimable, { ...wanted, ...spanOf(wanted.ids) })
      if (found.length === 0) return []
      const ids = found.map(({ id }) => id)
      yield* write(mark, { ...wanted, ids, ...spanOf(ids) })
      return found.map((claimed): ClaimedDelivery => ({ ...claimed, attempts: claimed.attempts + 1 }))
    }),
    end: (ended) => {
      const ids = ended.map(({ id }) => id)
      const ends = ended.map((one) => ({ ...one, error: one.error === null ? null : storable(one.error) }))
      return Effect.map(
        writeRows(end, { ends, ids, ...spanOf(ids) }),
        (found) => new Map(found.map(({ id, tenantId }) => [id, tenantId]))
      )
    },
    nextDue: Effect.fnUntraced(function* (full) {
      const found = yield* row(nextDue, { full, ...(yield* pending) })
      return found?.nextAt ?? null
    }),
    sweep: Effect.fnUntraced(function* (limit) {
      const swept = yield* write(sweepRows, { limit })
      if (swept < limit) yield* write(sweepMarkers, {})
      return swept
    })
  })

export const layer = Layer.sync(DeliveryStore, () => makeStore(makePending("webhook_deliveries")))
