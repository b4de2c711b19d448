/**
 * Contacts of template campaigns, in SQL. Whom to write to next is a walk along one partial index, which holds only contacts that
 * are queued: its predicate stands in the queries word for word, because a database takes a partial index only where it can prove it.
 */
import {
  type Ids,
  Instant,
  notSent,
  type TemplateContact,
  type TemplateContactFilter,
  TemplateContactStore,
  TemplateListStore
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, type Kysely, sql } from "kysely"
import { changed, count, insert, row, rows, write, writeRows } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, type Statement, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Contact = Database["templateContacts"]
type Of<K extends keyof Contact> = Pick<Contact, K>
type OfCampaign = Of<"campaignId">

const rowOf = ({ error, ...contact }: TemplateContact): Contact => ({ ...contact, fault: error })

const contactOf = ({ fault, ...row }: Contact): TemplateContact => ({ ...row, error: fault })

const contacts = (db: Kysely<Database>) => db.selectFrom("templateContacts").select(fieldsOf("templateContacts"))

const of = (db: Kysely<Database>, { campaignId }: OfCampaign) => contacts(db).where("campaignId", "=", campaignId)

/** Nothing sees a contact whose campaign is gone: it only waits to be swept. */
const isOnList = sql<boolean>`not exists (
  select 1 from removed_template_campaigns as removed where removed.id = template_contacts.campaign_id)`

type Saved = Contact & { readonly was: Contact["status"] }

/** A reply and a price are known once, and stay: a report and a reply that come at once keep both. */
const save = statement<Saved>("templateContacts.save")((db, contact) =>
  db
    .updateTable("templateContacts")
    .set({
      ...changesOf("templateContacts", contact, [
        ...(["id", "tenantId", "campaignId", "seq", "phone", "matchKey", "userId", "name", "variables"] as const),
        ...(["optedIn", "createdAt", "repliedAt", "reply", "pricing"] as const)
      ]),
      repliedAt: sql<Contact["repliedAt"]>`coalesce(replied_at, ${contact.repliedAt})`,
      reply: sql<Contact["reply"]>`coalesce(reply, ${contact.reply})`,
      pricing: sql<Contact["pricing"]>`coalesce(pricing, ${contact.pricing})`
    })
    .where("id", "=", contact.id)
    .where("tenantId", "=", contact.tenantId)
    .where(sql<boolean>`status || '' = ${contact.was}`)
)

/** Its process has ended before its request began, or has not begun it yet. */
const hasNotBegun = sql<boolean>`status || '' = 'sending' and not has_begun`

const begin = statement<{ readonly ids: ReadonlyArray<Contact["id"]>; readonly settleBy: Instant.Instant }>(
  "templateContacts.begin"
)((db, value, dialect) =>
  db
    .updateTable("templateContacts")
    .set({ hasBegun: true, settleBy: value.settleBy })
    .where("id", "in", dialect.list(value.ids, "uuid"))
    .where(hasNotBegun)
    .returning("id")
)

const requeue = statement<Of<"id" | "tenantId">>("templateContacts.requeue")((db, value) =>
  db
    .updateTable("templateContacts")
    .set({ status: "queued", settleBy: null })
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .where(hasNotBegun)
)

const find = statement<Of<"campaignId" | "id">>("templateContacts.find")((db, value) =>
  of(db, value).where("id", "=", value.id)
)

const byId = statement<Of<"id">>("templateContacts.byId")((db, value) =>
  contacts(db).where("id", "=", value.id).where(isOnList)
)

interface Keys {
  readonly from: string
  readonly to: string
}

const near = statement<OfCampaign & Keys>("templateContacts.near")((db, value) =>
  db
    .selectFrom("templateContacts")
    .select(["id", "matchKey"])
    .where("campaignId", "=", value.campaignId)
    .where("matchKey", "is not", null)
    .where("matchKey", ">=", value.from as never)
    .where("matchKey", "<", value.to as never)
)

const ofUser = statement<OfCampaign & { readonly userId: string }>("templateContacts.ofUser")((db, value) =>
  db
    .selectFrom("templateContacts")
    .select("id")
    .where("campaignId", "=", value.campaignId)
    .where("userId", "is not", null)
    .where("userId", "=", value.userId)
    .limit(1)
)

const isQueued = sql<boolean>`status = 'queued'`

/** Up to the limit of each kind. */
const due = statement<OfCampaign & { readonly at: Instant.Instant; readonly limit: number }>("templateContacts.due")(
  (db, value) => {
    const fields = fieldsOf("templateContacts")
    const queued = of(db, value).where(isQueued).orderBy("nextAttemptAt").orderBy("seq").limit(value.limit)
    const retries = queued.where("nextAttemptAt", "<=", value.at)
    const untried = queued.where("nextAttemptAt", "is", null)
    return db
      .selectFrom(retries.as("retries"))
      .select(fields)
      .unionAll(db.selectFrom(untried.as("untried")).select(fields))
  }
)

/** The order in which contacts are written to; a union of statements has none. */
const sentBefore = (a: TemplateContact, b: TemplateContact): number =>
  (a.nextAttemptAt ?? Instant.never) - (b.nextAttemptAt ?? Instant.never) || a.seq - b.seq

const nextRetry = statement<OfCampaign>("templateContacts.nextRetry")((db, value) =>
  db
    .selectFrom("templateContacts")
    .select("nextAttemptAt")
    .where("campaignId", "=", value.campaignId)
    .where(isQueued)
    .where("nextAttemptAt", "is not", null)
    .orderBy("nextAttemptAt")
    .limit(1)
)

const unsettled = (db: Kysely<Database>) => db.selectFrom("templateContacts").where("settleBy", "is not", null)

/** Nobody settles a contact of an account that moves, but what is under way: its row is being copied. */
const overdue = statement<{ readonly at: Instant.Instant; readonly limit: number }>("templateContacts.overdue")(
  (db, value) =>
    unsettled(db)
      .select(fieldsOf("templateContacts"))
      .where("settleBy", "<=", value.at)
      .where(isOnList)
      .where(
        sql<boolean>`(status = 'sending' or not exists (select 1 from account_moves as m where m.tenant_id = template_contacts.tenant_id))`
      )
      .orderBy("settleBy")
      .orderBy("id")
      .limit(value.limit)
)

const nextOverdue = statement("templateContacts.nextOverdue")((db) =>
  unsettled(db).select("settleBy").where(isOnList).orderBy("settleBy").orderBy("id").limit(1)
)

type Since = OfCampaign & { readonly since: Instant.Instant }

const lastOutcomes = statement<Since & { readonly limit: number }>("templateContacts.lastOutcomes")((db, value) =>
  db
    .selectFrom("templateContacts")
    .select(["status", "reason"])
    .where("campaignId", "=", value.campaignId)
    .where("outcomeAt", ">=", value.since)
    .orderBy("outcomeAt", "desc")
    .orderBy("seq", "desc")
    .limit(value.limit)
)

const sentSince = statement<Since>("templateContacts.sentSince")((db, value) =>
  db
    .selectFrom("templateContacts")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("campaignId", "=", value.campaignId)
    .where("outcomeAt", ">=", value.since)
    .where("sentAt", ">=", value.since)
)

const { error: fault, ...unsent } = notSent

type Retried = Of<"tenantId" | "campaignId"> & { readonly reasons: ReadonlyArray<NonNullable<Contact["reason"]>> }

const retry = statement<Retried>("templateContacts.retry")((db, value, dialect) =>
  db
    .updateTable("templateContacts")
    .set({ ...unsent, fault, status: "queued" })
    .where("campaignId", "=", value.campaignId)
    .where("tenantId", "=", value.tenantId)
    .where("reason", "is not", null)
    .where("reason", "in", dialect.list(value.reasons, "text"))
    .where(sql<boolean>`status || '' = 'failed'`)
)

type Filter = "status" | "reason" | "phone"

interface Filtered extends OfCampaign, Pick<TemplateContactFilter, "status" | "reason">, Keys {}

/** No key is between these. */
const noKeys: Keys = { from: "", to: "" }

const valuesOf = (campaignId: Ids.TemplateCampaignId, { phone, reason, status }: TemplateContactFilter): Filtered => ({
  campaignId,
  status,
  reason,
  ...(phone ?? noKeys)
})

type Replied = TemplateContactFilter["replied"]

/** The one filter whose index has the fewest rows is asked for as the index has it; an index of no other fits the rest. */
const matching = (
  eb: ExpressionBuilder<Database, "templateContacts">,
  value: Filtered,
  asked: ReadonlyArray<Filter>,
  replied: Replied
) => {
  const [hasPhone, hasReason] = [asked.includes("phone"), asked.includes("reason")]
  const conditions = {
    phone: [
      eb("matchKey", "is not", null),
      eb("matchKey", ">=", value.from as never),
      eb("matchKey", "<", value.to as never)
    ],
    reason: hasPhone
      ? [sql<boolean>`reason || '' = ${value.reason}`]
      : [eb("reason", "is not", null), eb("reason", "=", value.reason)],
    status: [
      hasPhone || hasReason || replied === true
        ? sql<boolean>`status || '' = ${value.status}`
        : eb("status", "=", value.status as never)
    ]
  }
  const hasReplied = hasPhone || hasReason ? sql<boolean>`coalesce(replied_at, 0) > 0` : eb("repliedAt", "is not", null)
  return eb.and([
    eb("campaignId", "=", value.campaignId),
    ...(replied === null ? [] : [replied ? hasReplied : eb("repliedAt", "is", null)]),
    ...asked.flatMap((filter) => conditions[filter])
  ])
}

const shapes = byFilters<Filter>(["status", "reason", "phone"])

/** Those of a phone are few, and sorted. */
const listOf = (replied: Replied, name: string) =>
  shapes((asked, suffix) =>
    page<Filtered & { readonly after: number; readonly limit: number; readonly offset: number }>(
      `templateContacts.list${name}${suffix}`
    )((db, value) =>
      contacts(db)
        .where((eb) => matching(eb, value, asked, replied))
        .where(asked.includes("phone") ? sql<number>`seq + 0` : "seq", ">", value.after)
        .orderBy("seq")
        .limit(value.limit)
        .offset(value.offset)
    )
  )

const countOf = (replied: Replied, name: string) =>
  shapes((asked, suffix) =>
    statement<Filtered>(`templateContacts.count${name}${suffix}`)((db, value) =>
      db
        .selectFrom("templateContacts")
        .select((eb) => eb.fn.countAll().as("n"))
        .where((eb) => matching(eb, value, asked, replied))
    )
  )

const [listAll, listReplied, listUnreplied] = [
  listOf(null, ""),
  listOf(true, ".replied"),
  listOf(false, ".unreplied")
] as const
const [countAll, countReplied] = [countOf(null, ""), countOf(true, ".replied")] as const

const listFor = ({ phone, reason, replied, status }: TemplateContactFilter) =>
  (replied === null ? listAll : replied ? listReplied : listUnreplied)({ phone, reason, status })

const remove = statement<Of<"id" | "tenantId" | "campaignId">>("templateContacts.remove")((db, value) =>
  db
    .deleteFrom("templateContacts")
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .where("campaignId", "=", value.campaignId)
)

const failures = statement<OfCampaign>("templateContacts.failures")((db, value) =>
  db
    .selectFrom("templateContacts")
    .select(["reason", sql<number | null>`error_code`.as("code"), (eb) => eb.fn.countAll<number>().as("n")])
    .where("campaignId", "=", value.campaignId)
    .where("reason", "is not", null)
    .groupBy(["reason", sql`error_code`])
    .orderBy("n", "desc")
    .orderBy("reason")
    .orderBy("code")
    .limit(20)
)

const lastWrittenTo = statement<{ readonly customerId: Ids.CustomerId }>("templateContacts.lastWrittenTo")(
  (db, value) =>
    contacts(db)
      .where(isOnList)
      .where("id", "=", (eb) =>
        eb
          .selectFrom("chatMessages")
          .select("chatMessages.contactId")
          .where("chatMessages.customerId", "=", value.customerId)
          .where(sql<boolean>`chat_messages.direction = 'outbound' and chat_messages.contact_id is not null`)
          .orderBy(sql`chat_messages.position`, "desc")
          .limit(1)
      )
)

const all = <P>(statement: Statement<P, Contact>, values: P) =>
  Effect.map(rows(statement, values), (found) => found.map(contactOf))

const one = <P>(statement: Statement<P, Contact>, values: P) =>
  Effect.map(row(statement, values), (found) => (found === null ? null : contactOf(found)))

/** Before the first place of every list. */
const start = -1

const countOfAll = ({ phone, reason, status }: TemplateContactFilter, values: Filtered) =>
  count(countAll({ phone, reason, status }), values)

const countOfReplied = ({ phone, reason, status }: TemplateContactFilter, values: Filtered) =>
  count(countReplied({ phone, reason, status }), values)

const written = Layer.succeed(TemplateContactStore, {
  add: (added) => insert("templateContacts", added.map(rowOf)),
  save: (contact, was) => changed(save, { ...rowOf(contact), was }),
  begin: (ids, settleBy) => Effect.map(writeRows(begin, { ids, settleBy }), (begun) => begun.map(({ id }) => id)),
  requeue: ({ id, tenantId }) => changed(requeue, { id, tenantId }),
  byId: (id) => one(byId, { id }),
  due: (campaignId, at, limit) =>
    Effect.map(all(due, { campaignId, at, limit }), (found) => found.toSorted(sentBefore).slice(0, limit)),
  nextRetryAt: (campaignId) => Effect.map(row(nextRetry, { campaignId }), (found) => found?.nextAttemptAt ?? null),
  overdue: (at, limit) => all(overdue, { at, limit }),
  nextOverdue: Effect.map(row(nextOverdue, {}), (found) => found?.settleBy ?? null),
  lastOutcomes: (campaignId, since, limit) => rows(lastOutcomes, { campaignId, since, limit }),
  sentSince: (campaignId, since) => count(sentSince, { campaignId, since }),
  lastWrittenTo: (customerId) => one(lastWrittenTo, { customerId })
})

const listed = Layer.succeed(TemplateListStore, {
  near: (campaignId, { from, to }) => rows(near, { campaignId, from, to }),
  isUserOn: (campaignId, userId) => Effect.map(row(ofUser, { campaignId, userId }), (found) => found !== null),
  find: (campaignId, id) => one(find, { campaignId, id }),
  list: (campaignId, filter, page) => all(listFor(filter), { ...valuesOf(campaignId, filter), ...page, after: start }),
  count: (campaignId, filter) => {
    const values = valuesOf(campaignId, filter)
    if (filter.replied === null) return countOfAll(filter, values)
    if (filter.replied) return countOfReplied(filter, values)
    return Effect.zipWith(countOfAll(filter, values), countOfReplied(filter, values), (all, replied) => all - replied)
  },
  after: (campaignId, filter, after, limit) =>
    all(listFor(filter), { ...valuesOf(campaignId, filter), after, limit, offset: 0 }),
  remove: (contact) => Effect.asVoid(write(remove, contact)),
  retry: ({ campaignId, tenantId }, reasons) => write(retry, { campaignId, tenantId, reasons }),
  failures: (campaignId) =>
    Effect.map(rows(failures, { campaignId }), (found) =>
      found.flatMap(({ code, n, reason }) => (reason === null ? [] : [{ reason, code, count: n }]))
    )
})

export const layer = Layer.merge(written, listed)
