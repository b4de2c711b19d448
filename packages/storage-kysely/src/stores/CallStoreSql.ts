/** Calls in SQL. */
import { type CallFilter, CallStore, type Ids, type Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, type Kysely, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { count, insert, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"
import { makePending, type Span } from "./QueueFloor.ts"

type Call = Database["calls"]

const calls = (db: Kysely<Database>) => db.selectFrom("calls").select(fieldsOf("calls"))

/** What never changes, and the token of its media, which has statements of its own. */
const fixed = [
  ...(["id", "tenantId", "campaignId", "contactId", "burstId", "to", "toKey", "createdAt"] as const),
  "mediaToken" as const
]

const save = statement<Call>("calls.save")((db, call) =>
  db
    .updateTable("calls")
    .set(changesOf("calls", call, fixed))
    .where("id", "=", call.id)
    .where("tenantId", "=", call.tenantId)
)

const findInAnyAccount = statement<Pick<Call, "id">>("calls.findInAnyAccount")((db, value) =>
  calls(db).where("id", "=", value.id)
)

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
  page<Filtered & { limit: number; offset: number }>(["calls.list", ...asked].join("."))((db, value) =>
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

type OpenOfCampaign = Span<Ids.CallId> & { campaignId: Ids.CampaignId }

const isOpenOf = (value: OpenOfCampaign, dialect: SqlDialect) => (eb: ExpressionBuilder<Database, "calls">) =>
  eb.and([
    eb("campaignId", "=", value.campaignId),
    eb("endedAt", "is", null),
    dialect.idsBetween("id", value.first, value.last)
  ])

const openOfCampaign = statement<OpenOfCampaign>("calls.openOfCampaign")((db, value, dialect) =>
  calls(db).where(isOpenOf(value, dialect)).orderBy("id")
)

/** A count has no order, and without one SQLite reads all calls of the campaign. */
const openIdsOfCampaign = statement<OpenOfCampaign>("calls.openIdsOfCampaign")((db, value, dialect) =>
  db.selectFrom("calls").select("id").where(isOpenOf(value, dialect)).orderBy("id")
)

const unansweredOf = statement<Pick<Call, "tenantId">>("calls.unansweredOf")((db, value) =>
  calls(db)
    .where("tenantId", "=", value.tenantId)
    .where("endedAt", "is", null)
    .where("answeredAt", "is", null)
    .orderBy("id")
)

/** As a literal: the index holds these calls alone. */
const countAwaitingAgent = statement<Span<Ids.CallId> & Pick<Call, "tenantId">>("calls.countAwaitingAgent")(
  (db, value, dialect) =>
    db
      .selectFrom("calls")
      .select((eb) => eb.fn.countAll().as("n"))
      .where("tenantId", "=", value.tenantId)
      .where("awaitsAgent", "=", sql<boolean>`true`)
      .where(dialect.idsBetween("id", value.first, value.last))
)

const legsOf = statement<{ campaignId: Ids.CampaignId; burstId: Ids.BurstId }>("calls.legsOf")((db, value) =>
  calls(db).where("burstId", "=", value.burstId).where("campaignId", "=", value.campaignId).orderBy("id")
)

const answerCounts = statement<{ campaignId: Ids.CampaignId; since: Instant.Instant }>("calls.answerCounts")(
  (db, value) =>
    db
      .selectFrom("calls")
      .select((eb) => eb.fn.countAll().as("n"))
      .select(sql<number>`count(case when answered_by is distinct from 'machine' then 1 end)`.as("answered"))
      .select(
        sql<number>`count(case when abandoned and answered_by is distinct from 'machine' then 1 end)`.as(
          "abandonedCount"
        )
      )
      .where("campaignId", "=", value.campaignId)
      .where("answeredAt", "is not", null)
      .where("startedAt", ">=", value.since)
)

/** A call that was closed before any carrier had it was never placed. */
const startedSince = statement<{ campaignId: Ids.CampaignId; since: Instant.Instant }>("calls.startedSince")(
  (db, value) =>
    db
      .selectFrom("calls")
      .select((eb) => eb.fn.countAll().as("n"))
      .where("campaignId", "=", value.campaignId)
      .where("startedAt", ">=", value.since)
      .where((eb) => eb.or([eb("status", "<>", sql.lit("canceled")), eb("providerCallId", "is not", null)]))
)

const makeStore = (open: ReturnType<typeof makePending<Ids.CallId>>) =>
  CallStore.of({
    add: (call) => insert("calls", [call]),
    save: (call) => Effect.asVoid(write(save, call)),
    findInAnyAccount: (id) => row(findInAnyAccount, { id }),
    list: (tenantId, filter, page) => rows(lists[shapeOf(filter)]!, { tenantId, ...filter, ...page }),
    count: (tenantId, filter) => count(counts[shapeOf(filter)]!, { tenantId, ...filter }),
    openOfCampaign: (campaignId) => Effect.flatMap(open, (span) => rows(openOfCampaign, { campaignId, ...span })),
    countOpenOfCampaign: (campaignId) =>
      Effect.flatMap(open, (span) =>
        Effect.map(rows(openIdsOfCampaign, { campaignId, ...span }), ({ length }) => length)
      ),
    unansweredOf: (tenantId) => rows(unansweredOf, { tenantId }),
    countAwaitingAgent: (tenantId) => Effect.flatMap(open, (span) => count(countAwaitingAgent, { tenantId, ...span })),
    legsOf: (campaignId, burstId) => rows(legsOf, { campaignId, burstId }),
    answerCounts: (campaignId, since) =>
      Effect.map(row(answerCounts, { campaignId, since }), (found) => ({
        answered: found?.answered ?? 0,
        abandoned: found?.abandonedCount ?? 0,
        answeredByAnybody: Number(found?.n ?? 0)
      })),
    startedSince: (campaignId, since) => count(startedSince, { campaignId, since })
  })

export const layer = Layer.sync(CallStore, () => makeStore(makePending("calls")))
