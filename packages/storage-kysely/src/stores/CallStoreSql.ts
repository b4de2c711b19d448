/** Calls, and the carriers' start slots, in SQL. */
import { type CallFilter, CallStore, type Ids, type Instant, PhoneNumber } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, type Kysely, sql } from "kysely"
import { count, insert, row, rows, write, writeRows } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Call = Database["calls"]

const calls = (db: Kysely<Database>) => db.selectFrom("calls").select(fieldsOf("calls"))

const save = statement<Call>("calls.save")((db, call) =>
  db
    .updateTable("calls")
    .set(changesOf("calls", call, ["id", "tenantId", "campaignId", "contactId", "burstId", "to", "toKey", "createdAt"]))
    .where("id", "=", call.id)
)

const find = statement<Pick<Call, "id">>("calls.find")((db, value) => calls(db).where("id", "=", value.id))

type Filtered = Pick<Call, "tenantId"> & CallFilter
type Filter = keyof CallFilter

/** Every set of filters that may be asked for has statements of its own: the one with bit i asks for the i-th filter. */
const filters: ReadonlyArray<Filter> = ["campaignId", "contactId", "status"]
const shapes = Array.from({ length: 1 << filters.length }, (_, shape) =>
  filters.filter((_, bit) => (shape & (1 << bit)) !== 0)
)
const shapeOf = (filter: CallFilter): number =>
  filters.reduce((shape, asked, bit) => (filter[asked] === null ? shape : shape | (1 << bit)), 0)

const matching = (eb: ExpressionBuilder<Database, "calls">, value: Filtered, asked: ReadonlyArray<Filter>) =>
  eb.and([eb("tenantId", "=", value.tenantId), ...asked.map((column) => eb(column, "=", value[column] as never))])

const lists = shapes.map((asked) =>
  statement<Filtered & { limit: number; offset: number }>(["calls.list", ...asked].join("."))((db, value) =>
    calls(db)
      .where((eb) => matching(eb, value, asked))
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const counts = shapes.map((asked) =>
  statement<Filtered>(["calls.count", ...asked].join("."))((db, value) =>
    db
      .selectFrom("calls")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked))
  )
)

const openOfCampaign = statement<{ campaignId: Ids.CampaignId }>("calls.openOfCampaign")((db, value) =>
  calls(db).where("campaignId", "=", value.campaignId).where("endedAt", "is", null).orderBy("id")
)

const unansweredOf = statement<Pick<Call, "tenantId">>("calls.unansweredOf")((db, value) =>
  calls(db)
    .where("tenantId", "=", value.tenantId)
    .where("endedAt", "is", null)
    .where("answeredAt", "is", null)
    .orderBy("id")
)

const ownerOf = statement<{ provider: string; providerCallId: string }>("calls.ownerOf")((db, value) =>
  db
    .selectFrom("calls")
    .select("id")
    .where("provider", "=", value.provider)
    .where("providerCallId", "=", value.providerCallId)
)

const unnamed = statement<{
  provider: string
  since: Instant.Instant
  until: Instant.Instant
  from: string
  to: string
}>("calls.unnamed")((db, value) =>
  db
    .selectFrom("calls")
    .select(["id", "toKey"])
    .where("providerCallId", "is", null)
    .where((eb) => eb.or([eb("endedAt", "is", null), eb("endReason", "=", sql.lit("unknown"))]))
    .where("toKey", ">=", PhoneNumber.as(value.from))
    .where("toKey", "<", PhoneNumber.as(value.to))
    .where("startedAt", ">=", value.since)
    .where("startedAt", "<=", value.until)
    .where("provider", "=", value.provider)
)

const ofBurst = statement<{ campaignId: Ids.CampaignId; burstId: Ids.BurstId }>("calls.ofBurst")((db, value) =>
  calls(db).where("burstId", "=", value.burstId).where("campaignId", "=", value.campaignId).orderBy("id")
)

const answerCounts = statement<{ campaignId: Ids.CampaignId; since: Instant.Instant }>("calls.answerCounts")(
  (db, value) =>
    db
      .selectFrom("calls")
      .select((eb) => eb.fn.countAll().as("n"))
      .select(sql<number>`count(case when abandoned then 1 end)`.as("abandonedCount"))
      .where("campaignId", "=", value.campaignId)
      .where("answeredAt", "is not", null)
      .where("answeredBy", "is distinct from", "machine")
      .where("startedAt", ">=", value.since)
)

/**
 * A claim is a look that locks and then one change: the change alone could tell neither database's callers in which
 * order its rows were due, because it overwrites just that.
 */
const due = statement<{ at: Instant.Instant; limit: number }>("calls.due")((db, value, dialect) => {
  const found = calls(db)
    .where("checkAt", "is not", null)
    .where("checkAt", "<=", value.at)
    .orderBy("checkAt")
    .orderBy("id")
    .limit(value.limit)
  return dialect.forUpdateSkipLocked(found)
})

const lease = statement<{ ids: ReadonlyArray<Ids.CallId>; until: Instant.Instant }>("calls.lease")(
  (db, value, dialect) =>
    db.updateTable("calls").set({ checkAt: value.until }).where("id", "in", dialect.list(value.ids, "uuid"))
)

const distrust = statement<{ at: Instant.Instant }>("calls.distrust")((db, value) =>
  db
    .updateTable("calls")
    .set({ lookUpAt: value.at, checkAt: value.at, lookUps: 0, firstLookUpAt: null, silentSince: null })
    .where("endedAt", "is", null)
    // Written so that the index of open calls is used, not that of all calls that have an id.
    .where(sql<boolean>`coalesce(provider_call_id, '') <> ''`)
)

const nextCheck = statement("calls.nextCheck")((db) =>
  db.selectFrom("calls").select("checkAt").where("checkAt", "is not", null).orderBy("checkAt").limit(1)
)

type StartSlot = Database["carrierSlots"]

const nextStart = statement<Pick<StartSlot, "carrier">>("carrierSlots.find")((db, value) =>
  db.selectFrom("carrierSlots").select("nextStartAt").where("carrier", "=", value.carrier)
)

const setNextStart = statement<StartSlot>("carrierSlots.set")((db, slot) =>
  db
    .insertInto("carrierSlots")
    .values(valuesOf("carrierSlots", slot))
    .onConflict((on) => on.column("carrier").doUpdateSet((eb) => ({ nextStartAt: eb.ref("excluded.nextStartAt") })))
)

export const layer = Layer.succeed(CallStore, {
  add: (call) => insert("calls", [call]),
  save: (call) => Effect.asVoid(write(save, call)),
  find: (id) => row(find, { id }),
  list: (tenantId, filter, page) => rows(lists[shapeOf(filter)]!, { tenantId, ...filter, ...page }),
  count: (tenantId, filter) => count(counts[shapeOf(filter)]!, { tenantId, ...filter }),
  openOfCampaign: (campaignId) => rows(openOfCampaign, { campaignId }),
  unansweredOf: (tenantId) => rows(unansweredOf, { tenantId }),
  ownerOf: (provider, providerCallId) =>
    Effect.map(row(ownerOf, { provider, providerCallId }), (found) => found?.id ?? null),
  unnamed: (provider, key, since, until) =>
    Effect.map(rows(unnamed, { provider, since, until, ...PhoneNumber.seekRange(key) }), (found) =>
      found.filter(({ toKey }) => PhoneNumber.samePerson(toKey, key)).map(({ id }) => id)
    ),
  ofBurst: (campaignId, burstId) => rows(ofBurst, { campaignId, burstId }),
  answerCounts: (campaignId, since) =>
    Effect.map(row(answerCounts, { campaignId, since }), (found) => ({
      answered: Number(found?.n ?? 0),
      abandoned: found?.abandonedCount ?? 0
    })),
  claimDue: Effect.fnUntraced(function* (at, until, limit) {
    const taken = yield* writeRows(due, { at, limit })
    if (taken.length > 0) yield* write(lease, { ids: taken.map(({ id }) => id), until })
    return taken.map((call) => ({ ...call, checkAt: until }))
  }),
  distrust: (at) => Effect.asVoid(write(distrust, { at })),
  nextCheck: Effect.map(row(nextCheck, {}), (found) => found?.checkAt ?? null),
  nextStart: (carrier) => Effect.map(row(nextStart, { carrier }), (found) => found?.nextStartAt ?? null),
  setNextStart: (carrier, nextStartAt) => Effect.asVoid(write(setNextStart, { carrier, nextStartAt }))
})
