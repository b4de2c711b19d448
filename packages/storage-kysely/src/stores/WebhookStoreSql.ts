/** Subscriptions and their delivery log, which is the queue, in SQL. */
import {
  type ClaimedDelivery,
  type DeliveryEnd,
  type HealthNote,
  Ids,
  Instant,
  WebhookStore
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kysely, sql } from "kysely"
import type { SqlType } from "../dialect/SqlDialect.ts"
import { changed, count, insert, row, rows, write, writeRows } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { plain, statement } from "../Statement.ts"
import { storable } from "../StorableText.ts"
import type { Database } from "../Tables.ts"

type Webhook = Database["webhooks"]
type Row = Database["webhookDeliveries"]
type Of<K extends keyof Row> = Pick<Row, K>
interface Paging {
  readonly limit: number
  readonly offset: number
}

const save = statement<Webhook>("webhooks.save")((db, webhook) =>
  db
    .updateTable("webhooks")
    .set(changesOf("webhooks", webhook, ["id", "tenantId", "surface", "createdAt"]))
    .where("id", "=", webhook.id)
)

const find = statement<Pick<Webhook, "id" | "tenantId" | "surface">>("webhooks.find")((db, value) =>
  db
    .selectFrom("webhooks")
    .select(fieldsOf("webhooks"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .where("surface", "=", value.surface)
)

type OfAccount = Pick<Webhook, "tenantId" | "surface">

const list = statement<OfAccount & Paging>("webhooks.list")((db, value) =>
  db
    .selectFrom("webhooks")
    .select(fieldsOf("webhooks"))
    .where("tenantId", "=", value.tenantId)
    .where("surface", "=", value.surface)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countAll = statement<OfAccount>("webhooks.count")((db, value) =>
  db
    .selectFrom("webhooks")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
    .where("surface", "=", value.surface)
)

const remove = statement<Pick<Webhook, "id">>("webhooks.remove")((db, value) =>
  db.deleteFrom("webhooks").where("id", "=", value.id)
)

const secrets = statement<{ after: Webhook["id"]; limit: number; pattern: string }>("webhooks.secrets")((db, value) =>
  db
    .selectFrom("webhooks")
    .select(["id", "secret", "previousSecret"])
    .where("id", ">", value.after)
    .where((where) =>
      where.or([where("secret", "like", value.pattern), where("previousSecret", "like", value.pattern)])
    )
    .orderBy("id")
    .limit(value.limit)
)

const replaceSecret = statement<Pick<Webhook, "id"> & { was: string; is: string }>("webhooks.replaceSecret")(
  (db, value) =>
    db
      .updateTable("webhooks")
      .set({
        secret: sql`case when secret = ${value.was} then ${value.is} else secret end`,
        previousSecret: sql`case when previous_secret = ${value.was} then ${value.is} else previous_secret end`
      })
      .where("id", "=", value.id)
      .where((eb) => eb.or([eb("secret", "=", value.was), eb("previousSecret", "=", value.was)]))
)

const activeFilters = statement<OfAccount>("webhooks.activeFilters")((db, value, dialect) => {
  const found = db
    .selectFrom("webhooks")
    .select(["id", "events", "botId"])
    .where("tenantId", "=", value.tenantId)
    .where("surface", "=", value.surface)
    .where("isActive", "=", sql<boolean>`true`)
    .orderBy("id")
  return dialect.forKeyShare(found)
})

const note = statement<Pick<Webhook, "id" | "failingSince"> & Pick<HealthNote, "was"> & { staysOn: boolean }>(
  "webhooks.note"
)((db, value) =>
  db
    .updateTable("webhooks")
    .set({ failingSince: value.failingSince, isActive: sql<boolean>`is_active and ${value.staysOn}` })
    .where("id", "=", value.id)
    .where("failingSince", "is not distinct from", value.was)
)

const findDelivery = statement<Of<"id" | "webhookId">>("deliveries.find")((db, value) =>
  db
    .selectFrom("webhookDeliveries")
    .select(fieldsOf("webhookDeliveries"))
    .where("id", "=", value.id)
    .where("webhookId", "=", value.webhookId)
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

const log = statement<Of<"webhookId"> & Paging>("deliveries.log")((db, value) =>
  db
    .selectFrom("webhookDeliveries")
    .select(listedFields)
    .where("webhookId", "=", value.webhookId)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

/** The status stands in the text, or the index of what failed would not fit. */
const failedLog = statement<Of<"webhookId"> & Paging>("deliveries.failedLog")((db, value) =>
  db
    .selectFrom("webhookDeliveries")
    .select(listedFields)
    .where("webhookId", "=", value.webhookId)
    .where("status", "=", sql<"failed">`'failed'`)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

/** What is pending is found in its own index, and sorted: it is little beside the log. */
const pendingLog = statement<Of<"webhookId"> & Paging>("deliveries.pendingLog")((db, value) =>
  db
    .selectFrom("webhookDeliveries")
    .select(listedFields)
    .where("id", "in", (eb) =>
      eb
        .selectFrom("webhookDeliveries as pending")
        .select("pending.id")
        .where("pending.webhookId", "=", value.webhookId)
        .where("pending.nextAt", "is not", null)
    )
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countFailed = statement<Of<"webhookId">>("deliveries.countFailed")((db, value) =>
  db
    .selectFrom("webhookDeliveries")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("webhookId", "=", value.webhookId)
    .where("status", "=", sql<"failed">`'failed'`)
)

const countPending = statement<Of<"webhookId">>("deliveries.countPending")((db, value) =>
  db
    .selectFrom("webhookDeliveries")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("webhookId", "=", value.webhookId)
    .where("nextAt", "is not", null)
)

const countLog = statement<Of<"webhookId">>("deliveries.countLog")((db, value) =>
  db
    .selectFrom("webhookDeliveries")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("webhookId", "=", value.webhookId)
)

/** Email alone has such a list, and its index is of email alone: the word stands in the text, or no index would fit. */
const ofEmail = (db: Kysely<Database>, tenantId: Row["tenantId"]) =>
  db
    .selectFrom("webhookDeliveries as d")
    .where("d.tenantId", "=", tenantId)
    .where("d.surface", "=", sql<"email">`'email'`)
    .where("d.webhookId", "in", (eb) =>
      eb.selectFrom("webhooks as w").select("w.id").whereRef("w.id", "=", "d.webhookId")
    )

const logOfEmail = statement<Of<"tenantId"> & Paging>("deliveries.logOfEmail")((db, value) =>
  ofEmail(db, value.tenantId)
    .select(listedFields.map((field) => `d.${field}` as const))
    .orderBy("d.id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countLogOfEmail = statement<Of<"tenantId">>("deliveries.countLogOfEmail")((db, value) =>
  ofEmail(db, value.tenantId).select((eb) => eb.fn.countAll().as("n"))
)

const failedSince = statement<Of<"webhookId"> & { since: Instant.Instant; after: Row["id"]; limit: number }>(
  "deliveries.failedSince"
)((db, value) =>
  db
    .selectFrom("webhookDeliveries")
    .select(fieldsOf("webhookDeliveries"))
    .where("webhookId", "=", value.webhookId)
    .where("status", "=", sql<"failed">`'failed'`)
    .where("createdAt", ">=", value.since)
    .where("id", ">", value.after)
    .orderBy("id")
    .limit(value.limit)
)

/** Before every id. */
const firstId = "00000000-0000-0000-0000-000000000000" as Row["id"]

/**
 * The endpoints with something pending, one index seek for each: a walk through what is due would be as long as the queue
 * of the slowest endpoint. Ordered as the index of what is pending is, because Postgres would else walk the whole log.
 */
const lanes = sql`lanes (webhook_id) as (
  select webhook_id from (
    select webhook_id from webhook_deliveries where next_at is not null order by webhook_id, next_at limit 1) as first
  union all
  select (
    select d.webhook_id from webhook_deliveries as d
    where d.next_at is not null and d.webhook_id > lanes.webhook_id order by d.webhook_id, d.next_at limit 1)
  from lanes where lanes.webhook_id is not null)`

interface Look {
  readonly at: Instant.Instant
  readonly perLane: number
  readonly limit: number
  readonly full: ReadonlyArray<Row["webhookId"]>
  readonly doubtful: ReadonlyArray<Row["webhookId"]>
}

const due = statement<Look>("deliveries.due")(
  plain<Look, Of<"id" | "webhookId" | "attempts">>(
    (value, dialect) => sql`
      with recursive ${lanes}, candidates as (
      select d.id, d.webhook_id, d.attempts, row_number() over (
        partition by d.attempts > 0 or d.webhook_id in ${dialect.list(value.doubtful, "uuid")} order by d.next_at, d.id) as place
      from lanes
      join webhooks as w on w.id = lanes.webhook_id and w.is_active
      join webhook_deliveries as d on d.id in (
        select x.id from webhook_deliveries as x
        where x.webhook_id = lanes.webhook_id and x.next_at <= ${value.at} order by x.next_at, x.id limit ${value.perLane})
      where lanes.webhook_id not in ${dialect.list(value.full, "uuid")})
      select id, webhook_id, attempts from candidates where place <= ${value.limit} order by place, attempts`
  )
)

const nextDue = statement<Pick<Look, "full">>("deliveries.nextDue")(
  plain<Pick<Look, "full">, Of<"nextAt">>(
    (value, dialect) => sql`
      with recursive ${lanes}
      select min((
        select x.next_at from webhook_deliveries as x
        where x.webhook_id = lanes.webhook_id and x.next_at is not null order by x.next_at limit 1)) as next_at
      from lanes
      join webhooks as w on w.id = lanes.webhook_id and w.is_active
      where lanes.webhook_id not in ${dialect.list(value.full, "uuid")}`
  )
)

interface Claim {
  readonly ids: ReadonlyArray<Row["id"]>
  readonly claim: string
  readonly at: Instant.Instant
  readonly until: Instant.Instant
}

/** What an attempt needs to know, as it is now. */
const claimable = statement<Pick<Claim, "ids" | "at">>("deliveries.claimable")((db, value, dialect) => {
  const found = db
    .selectFrom("webhookDeliveries as d")
    .innerJoin("webhooks as w", "w.id", "d.webhookId")
    .select(["d.id", "d.tenantId", "d.webhookId", "d.surface", "d.event", "d.payload", "d.attempts", "d.createdAt"])
    .select(["w.url", "w.secret", "w.previousSecret", "w.previousUntil", "w.retrySchedule"])
    .select(["w.failingSince", "w.pauseAfterDays"])
    .where("d.id", "in", dialect.list(value.ids, "uuid"))
    .where("d.nextAt", "<=", value.at)
    .where("w.isActive", "=", sql<boolean>`true`)
  return dialect.forUpdateSkipLockedOf(found, "d")
})

const take = statement<Omit<Claim, "at">>("deliveries.take")((db, value, dialect) =>
  db
    .updateTable("webhookDeliveries")
    .set((eb) => ({ claim: value.claim, nextAt: value.until, attempts: eb("attempts", "+", 1) }))
    .where("id", "in", dialect.list(value.ids, "uuid"))
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

interface Ends {
  readonly ends: ReadonlyArray<DeliveryEnd>
}

const end = statement<Ends>("deliveries.end")(
  plain<Ends, Of<"id">>(
    ({ ends }, dialect) => sql`
      update webhook_deliveries set status = e."status", attempts = e."attempts", status_code = e."statusCode",
        error = e."error", last_attempt_at = e."lastAttemptAt", delivered_at = e."deliveredAt", next_at = e."nextAt",
        claim = null
      from ${dialect.records(ends, "e", endColumns)}
      where webhook_deliveries.id = e."id" and webhook_deliveries.claim = e."claim"
      returning webhook_deliveries.id as id`
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

export const layer = Layer.succeed(WebhookStore, {
  add: (webhook) => insert("webhooks", [webhook]),
  save: (webhook) => Effect.asVoid(write(save, webhook)),
  find: (tenantId, surface, id) => row(find, { tenantId, surface, id }),
  list: (tenantId, surface, page) => rows(list, { tenantId, surface, ...page }),
  count: (tenantId, surface) => count(countAll, { tenantId, surface }),
  remove: Effect.fnUntraced(function* (id) {
    yield* write(remove, { id })
    yield* insert("removedWebhooks", [{ id, createdAt: yield* Instant.now }])
  }),
  secrets: (after, limit, prefix) => rows(secrets, { after: after ?? Ids.as(firstId), limit, pattern: `${prefix}%` }),
  replaceSecret: (id, was, is) => changed(replaceSecret, { id, was, is }),
  activeFilters: (tenantId, surface) => writeRows(activeFilters, { tenantId, surface }),
  addDeliveries: (deliveries) => insert("webhookDeliveries", deliveries),
  findDelivery: (webhookId, id) => row(findDelivery, { webhookId, id }),
  log: (webhookId, status, page) => {
    if (status === null) return rows(log, { webhookId, ...page })
    return rows(status === "failed" ? failedLog : pendingLog, { webhookId, ...page })
  },
  countLog: (webhookId, status) => {
    if (status === null) return count(countLog, { webhookId })
    return count(status === "failed" ? countFailed : countPending, { webhookId })
  },
  logOfEmail: (tenantId, page) => rows(logOfEmail, { tenantId, ...page }),
  countLogOfEmail: (tenantId) => count(countLogOfEmail, { tenantId }),
  failedSince: (webhookId, since, after, limit) =>
    rows(failedSince, { webhookId, since, after: after ?? firstId, limit }),
  due: (look) => rows(due, look),
  claim: Effect.fnUntraced(function* (asked) {
    const found = yield* writeRows(claimable, asked)
    if (found.length === 0) return []
    yield* write(take, { ...asked, ids: found.map(({ id }) => id) })
    return found.map((taken): ClaimedDelivery => ({ ...taken, attempts: taken.attempts + 1 }))
  }),
  end: (ends) =>
    Effect.map(
      writeRows(end, { ends: ends.map((one) => ({ ...one, error: one.error === null ? null : storable(one.error) })) }),
      (ended) => new Set(ended.map(({ id }) => id))
    ),
  note: (id, { failingSince, pauses, was }) => Effect.asVoid(write(note, { id, failingSince, was, staysOn: !pauses })),
  nextDue: (full) => Effect.map(row(nextDue, { full }), (found) => found?.nextAt ?? null),
  sweep: Effect.fnUntraced(function* (limit) {
    const swept = yield* write(sweepRows, { limit })
    if (swept < limit) yield* write(sweepMarkers, {})
    return swept
  })
})
