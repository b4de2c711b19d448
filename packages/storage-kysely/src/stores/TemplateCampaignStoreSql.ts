/** Template campaigns in SQL, and the changes of their contacts that are to be counted. */
import { Ids, Instant, type TemplateCampaignFilter, TemplateCampaignStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, type Kysely, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { count, insert, row, rows, write, writeRow } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Campaign = Database["templateCampaigns"]
type Of<K extends keyof Campaign> = Pick<Campaign, K>

/** A list up to this long goes with its campaign; a longer one would hold up every other writer, and is swept in parts. */
const removeBatch = 2000

const save = statement<Campaign>("templateCampaigns.save")((db, campaign) =>
  db
    .updateTable("templateCampaigns")
    .set(changesOf("templateCampaigns", campaign, ["id", "tenantId", "phoneId", "phoneNumberId", "createdAt"]))
    .where("id", "=", campaign.id)
    .where("tenantId", "=", campaign.tenantId)
)

const find = statement<Of<"tenantId" | "id">>("templateCampaigns.find")((db, value) =>
  db
    .selectFrom("templateCampaigns")
    .select(fieldsOf("templateCampaigns"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

const findInAnyAccount = statement<Of<"id">>("templateCampaigns.findInAnyAccount")((db, value) =>
  db.selectFrom("templateCampaigns").select(fieldsOf("templateCampaigns")).where("id", "=", value.id)
)

type Filter = keyof TemplateCampaignFilter
type Filtered = TemplateCampaignFilter & Of<"tenantId">

const shapes = byFilters<Filter>(["status", "phoneNumberId"])

const matching = (
  eb: ExpressionBuilder<Database, "templateCampaigns">,
  value: Filtered,
  asked: ReadonlyArray<Filter>
) => eb.and([eb("tenantId", "=", value.tenantId), ...asked.map((column) => eb(column, "=", value[column]))])

const listOf = shapes((asked, suffix) =>
  page<Filtered & { readonly limit: number; readonly offset: number }>(`templateCampaigns.list${suffix}`)((db, value) =>
    db
      .selectFrom("templateCampaigns")
      .select(fieldsOf("templateCampaigns"))
      .where((eb) => matching(eb, value, asked))
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Filtered>(`templateCampaigns.count${suffix}`)((db, value) =>
    db
      .selectFrom("templateCampaigns")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked))
  )
)

const remove = statement<Of<"tenantId" | "id">>("templateCampaigns.remove")((db, value) =>
  db
    .deleteFrom("templateCampaigns")
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .returning("nextSeq")
)

const removeContacts = statement<Of<"id">>("templateCampaigns.removeContacts")((db, value) =>
  db.deleteFrom("templateContacts").where("campaignId", "=", value.id)
)

const removeChanges = statement<Of<"id">>("templateCampaigns.removeChanges")((db, value) =>
  db.deleteFrom("contactChanges").where("campaignId", "=", value.id)
)

/** Two sweepers take different rows. */
const sweepContacts = statement<{ limit: number }>("templateCampaigns.sweepContacts")((db, value, dialect) =>
  db.deleteFrom("templateContacts").where("id", "in", (eb) => {
    const left = eb
      .selectFrom("templateContacts as left")
      .select("left.id")
      .where("left.campaignId", "in", (of) =>
        of.selectFrom("removedTemplateCampaigns").select("removedTemplateCampaigns.id")
      )
      .limit(value.limit)
    return dialect.forUpdateSkipLocked(left)
  })
)

const sweepChanges = statement<{ limit: number }>("templateCampaigns.sweepChanges")((db, value, dialect) =>
  db
    .with("due", (of) => {
      const left = of
        .selectFrom("contactChanges")
        .select(["campaignId", "id"])
        .where("campaignId", "in", (eb) =>
          eb.selectFrom("removedTemplateCampaigns").select("removedTemplateCampaigns.id")
        )
        .limit(value.limit)
      return dialect.forUpdateSkipLocked(left)
    })
    .deleteFrom("contactChanges")
    .where(sql<boolean>`(campaign_id, id) in (select campaign_id, id from due)`)
)

const sweepMarkers = statement("templateCampaigns.sweepMarkers")((db) =>
  db
    .deleteFrom("removedTemplateCampaigns")
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("templateContacts")
            .select("templateContacts.id")
            .whereRef("templateContacts.campaignId", "=", "removedTemplateCampaigns.id")
        )
      )
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("contactChanges")
            .select("contactChanges.id")
            .whereRef("contactChanges.campaignId", "=", "removedTemplateCampaigns.id")
        )
      )
    )
)

const due = statement<{ readonly at: Instant.Instant; readonly limit: number }>("templateCampaigns.due")((db, value) =>
  db
    .selectFrom("templateCampaigns")
    .select(["id", "tenantId", "phoneId"])
    .where("nextTurnAt", "is not", null)
    .where("nextTurnAt", "<=", value.at)
    .orderBy("nextTurnAt")
    .orderBy("id")
    .limit(value.limit)
)

const nextDue = statement("templateCampaigns.nextDue")((db) =>
  db
    .selectFrom("templateCampaigns")
    .select("nextTurnAt")
    .where("nextTurnAt", "is not", null)
    .orderBy("nextTurnAt")
    .limit(1)
)

type OfNumber = Of<"phoneId"> & { readonly statuses: ReadonlyArray<Campaign["status"]> }

const ofNumberIn = (db: Kysely<Database>, value: OfNumber, dialect: SqlDialect) =>
  db
    .selectFrom("templateCampaigns")
    .select(["id", "tenantId", "phoneId"])
    .where("phoneId", "=", value.phoneId)
    .where("status", "in", dialect.list(value.statuses, "text"))
    .orderBy("id")

const runningAfter = statement<{ readonly after: Ids.TemplateCampaignId; readonly limit: number }>(
  "templateCampaigns.running"
)((db, value) =>
  db
    .selectFrom("templateCampaigns")
    .select(fieldsOf("templateCampaigns"))
    .where("status", "=", sql.lit("running" as const))
    .where("id", ">", value.after)
    .orderBy("id")
    .limit(value.limit)
)

type Sent = OfNumber & Of<"templateName">

const using = statement<Sent>("templateCampaigns.using")((db, value, dialect) =>
  ofNumberIn(db, value, dialect).where("templateName", "=", value.templateName)
)

const usingLanguage = statement<Sent & Of<"templateLanguage">>("templateCampaigns.usingLanguage")(
  (db, value, dialect) =>
    ofNumberIn(db, value, dialect)
      .where("templateName", "=", value.templateName)
      .where("templateLanguage", "=", value.templateLanguage)
)

export const layer = Layer.succeed(TemplateCampaignStore, {
  add: (campaign) => insert("templateCampaigns", [campaign]),
  save: (campaign) => Effect.asVoid(write(save, campaign)),
  find: (tenantId, id) => row(find, { tenantId, id }),
  findInAnyAccount: (id) => row(findInAnyAccount, { id }),
  list: (tenantId, filter, page) => rows(listOf({ ...filter }), { tenantId, ...filter, ...page }),
  count: (tenantId, filter) => count(countOf({ ...filter }), { tenantId, ...filter }),
  remove: Effect.fnUntraced(function* (tenantId, id) {
    const removed = yield* writeRow(remove, { tenantId, id })
    if (removed === null) return false
    if (removed.nextSeq <= removeBatch) {
      yield* write(removeContacts, { id })
      yield* write(removeChanges, { id })
    } else yield* insert("removedTemplateCampaigns", [{ id, tenantId, createdAt: yield* Instant.now }])
    return true
  }),
  sweep: Effect.fnUntraced(function* (limit) {
    const [contacts, changes] = [yield* write(sweepContacts, { limit }), yield* write(sweepChanges, { limit })]
    if (contacts < limit && changes < limit) yield* write(sweepMarkers, {})
    return contacts + changes
  }),
  due: (at, limit) => rows(due, { at, limit }),
  nextDue: Effect.map(row(nextDue, {}), (found) => found?.nextTurnAt ?? null),
  using: (phoneId, { language, name }, statuses) =>
    language === null
      ? rows(using, { phoneId, statuses, templateName: name })
      : rows(usingLanguage, { phoneId, statuses, templateName: name, templateLanguage: language }),
  running: (after, limit) => rows(runningAfter, { after: after ?? Ids.first(), limit })
})
