/** Campaigns in SQL. */
import { type CampaignFilter, CampaignStore, Instant, type Reference } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { SearchedText } from "../SearchedText.ts"
import { count, insert, row, rows, write, writeRow } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Campaign = Database["campaigns"]
type OfTenant = Pick<Campaign, "tenantId">
type One = Pick<Campaign, "tenantId" | "id">

/** A list up to this long goes with its campaign; a longer one would hold up every other writer, and is swept in parts. */
const removeBatch = 2000

const save = statement<Campaign>("campaigns.save")((db, campaign) =>
  db
    .updateTable("campaigns")
    .set(changesOf("campaigns", campaign, ["id", "tenantId", "createdAt"]))
    .where("id", "=", campaign.id)
    .where("tenantId", "=", campaign.tenantId)
)

const findInAnyAccount = statement<Pick<Campaign, "id">>("campaigns.findInAnyAccount")((db, value) =>
  db.selectFrom("campaigns").select(fieldsOf("campaigns")).where("id", "=", value.id)
)

const find = statement<One>("campaigns.find")((db, value) =>
  db
    .selectFrom("campaigns")
    .select(fieldsOf("campaigns"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

interface Filtered extends OfTenant {
  readonly statuses: ReadonlyArray<Campaign["status"]>
  readonly search: SearchedText
}

const valuesOf = (tenantId: Campaign["tenantId"], { search, statuses }: CampaignFilter): Filtered => ({
  tenantId,
  statuses: statuses ?? [],
  search: new SearchedText(search ?? "")
})

const matching = (
  eb: ExpressionBuilder<Database, "campaigns">,
  value: Filtered,
  asked: ReadonlyArray<keyof CampaignFilter>,
  dialect: SqlDialect
) =>
  eb.and([
    eb("tenantId", "=", value.tenantId),
    ...asked.map((filter) =>
      filter === "search"
        ? dialect.hasPart("name", value.search)
        : eb("status", "in", dialect.list(value.statuses, "text"))
    )
  ])

const shapes = byFilters<keyof CampaignFilter>(["statuses", "search"])

const listOf = shapes((asked, suffix) =>
  page<Filtered & { limit: number; offset: number }>(`campaigns.list${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("campaigns")
      .select(fieldsOf("campaigns"))
      .where((eb) => matching(eb, value, asked, dialect))
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Filtered>(`campaigns.count${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("campaigns")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked, dialect))
  )
)

const remove = statement<One>("campaigns.remove")((db, value) =>
  db
    .deleteFrom("campaigns")
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .returning("totalContacts")
)

const removeContacts = statement<Pick<Campaign, "id">>("campaigns.removeContacts")((db, value) =>
  db.deleteFrom("campaignContacts").where("campaignId", "=", value.id)
)

const removeHolds = statement<Pick<Campaign, "id">>("campaigns.removeHolds")((db, value) =>
  db.deleteFrom("previewHolds").where("campaignId", "=", value.id)
)

/** Two sweepers take different rows. */
const sweepContacts = statement<{ limit: number }>("campaigns.sweepContacts")((db, value, dialect) =>
  db.deleteFrom("campaignContacts").where("id", "in", (eb) => {
    const left = eb
      .selectFrom("campaignContacts as left")
      .select("left.id")
      .where("left.campaignId", "in", (of) => of.selectFrom("removedCampaigns").select("removedCampaigns.id"))
      .limit(value.limit)
    return dialect.forUpdateSkipLocked(left)
  })
)

const sweepMarkers = statement("campaigns.sweepMarkers")((db) =>
  db
    .deleteFrom("removedCampaigns")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("campaignContacts")
            .select("campaignContacts.id")
            .whereRef("campaignContacts.campaignId", "=", "removedCampaigns.id")
        )
      )
    )
)

interface DueQuery {
  readonly at: Instant.Instant
  readonly limit: number
  readonly except: ReadonlyArray<Campaign["tenantId"]>
}

const due = statement<DueQuery>("campaigns.due")((db, value, dialect) =>
  db
    .selectFrom("campaigns")
    .select(["id", "tenantId", "botId"])
    .where("nextDialAt", "is not", null)
    .where("nextDialAt", "<=", value.at)
    .where("tenantId", "not in", dialect.list(value.except, "uuid"))
    .orderBy("nextDialAt")
    .orderBy("id")
    .limit(value.limit)
)

export const nextDue = statement("campaigns.nextDue")((db) =>
  db.selectFrom("campaigns").select("nextDialAt").where("nextDialAt", "is not", null).orderBy("nextDialAt").limit(1)
)

const usersOf = (column: "botId" | "fromNumberId" | "voicemailTemplateId") =>
  statement<OfTenant & { id: string }>(`campaigns.users.${column}`)((db, value) =>
    db
      .selectFrom("campaigns")
      .select("id")
      .where("tenantId", "=", value.tenantId)
      .where(column, "=", value.id as never)
      .where(sql<boolean>`status not in ('completed', 'cancelled')`)
      .limit(1)
  )

const users: Record<Reference["_tag"], ReturnType<typeof usersOf>> = {
  Bot: usersOf("botId"),
  Number: usersOf("fromNumberId"),
  Template: usersOf("voicemailTemplateId")
}

export const layer = Layer.succeed(CampaignStore, {
  add: (campaign) => insert("campaigns", [campaign]),
  save: (campaign) => Effect.asVoid(write(save, campaign)),
  find: (tenantId, id) => row(find, { tenantId, id }),
  findInAnyAccount: (id) => row(findInAnyAccount, { id }),
  list: (tenantId, filter, page) => rows(listOf(filter), { ...valuesOf(tenantId, filter), ...page }),
  count: (tenantId, filter) => count(countOf(filter), valuesOf(tenantId, filter)),
  remove: Effect.fnUntraced(function* (tenantId, id) {
    const removed = yield* writeRow(remove, { tenantId, id })
    if (removed === null) return false
    yield* write(removeHolds, { id })
    if (removed.totalContacts <= removeBatch) yield* write(removeContacts, { id })
    else yield* insert("removedCampaigns", [{ id, tenantId, createdAt: yield* Instant.now }])
    return true
  }),
  sweep: Effect.fnUntraced(function* (limit) {
    const swept = yield* write(sweepContacts, { limit })
    if (swept < limit) yield* write(sweepMarkers, {})
    return swept
  }),
  due: (query) => rows(due, query),
  nextDue: Effect.map(row(nextDue, {}), (found) => found?.nextDialAt ?? null),
  uses: (tenantId, { _tag, id }) => Effect.map(row(users[_tag], { tenantId, id }), (found) => found !== null)
})
