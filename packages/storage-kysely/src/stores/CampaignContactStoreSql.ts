/**
 * The lists of campaigns in SQL. Whom to dial next is a walk along one of three partial indexes, which hold only contacts
 * that are still to be dialed: `waiting` is their predicate, and stands in the queries word for word, because a database
 * takes a partial index only where it can prove the predicate.
 */
import { CampaignContactStore, type Ids, Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kysely, sql } from "kysely"
import { count, insert, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Contact = Database["campaignContacts"]
type OfCampaign = Pick<Contact, "campaignId">
type Due = OfCampaign & { at: Instant.Instant; limit: number }

const waiting = sql<boolean>`status in ('pending', 'approved')`

const of = (db: Kysely<Database>, campaignId: Ids.CampaignId) =>
  db.selectFrom("campaignContacts").select(fieldsOf("campaignContacts")).where("campaignId", "=", campaignId)

const save = statement<Contact>("contacts.save")((db, contact) =>
  db
    .updateTable("campaignContacts")
    .set(
      changesOf("campaignContacts", contact, [
        "id",
        "tenantId",
        "campaignId",
        "seq",
        "phone",
        "matchKey",
        "name",
        "createdAt"
      ])
    )
    .where("id", "=", contact.id)
    .where("tenantId", "=", contact.tenantId)
)

const find = statement<OfCampaign & { id: Ids.ContactId }>("contacts.find")((db, value) =>
  db
    .selectFrom("campaignContacts")
    .select(fieldsOf("campaignContacts"))
    .where("id", "=", value.id)
    .where("campaignId", "=", value.campaignId)
)

const many = statement<{ ids: ReadonlyArray<Ids.ContactId> }>("contacts.many")((db, value, dialect) =>
  db
    .selectFrom("campaignContacts")
    .select(fieldsOf("campaignContacts"))
    .where("id", "in", dialect.list(value.ids, "uuid"))
)

/** Up to the limit of each kind, each along its own index. */
const due = statement<Due>("contacts.due")((db, value) => {
  const retries = of(db, value.campaignId)
    .where(waiting)
    .where("nextAttemptAt", "is not", null)
    .where("nextAttemptAt", "<=", value.at)
    .orderBy("nextAttemptAt")
    .orderBy("seq")
    .limit(value.limit)
  const unattempted = of(db, value.campaignId)
    .where(waiting)
    .where("nextAttemptAt", "is", null)
    .orderBy("seq")
    .limit(value.limit)
  const fields = fieldsOf("campaignContacts")
  return db
    .selectFrom(retries.as("retries"))
    .select(fields)
    .unionAll(db.selectFrom(unattempted.as("unattempted")).select(fields))
})

/** The order in which contacts are dialed; a union of statements has none. */
const dialedBefore = (a: Contact, b: Contact): number =>
  (a.nextAttemptAt ?? Instant.never) - (b.nextAttemptAt ?? Instant.never) || a.seq - b.seq

const dueApproved = statement<Due>("contacts.dueApproved")((db, value) =>
  of(db, value.campaignId)
    .where(waiting)
    .where("approvedAt", "is not", null)
    .where((eb) => eb.or([eb("nextAttemptAt", "is", null), eb("nextAttemptAt", "<=", value.at)]))
    .orderBy("approvedAt")
    .orderBy("seq")
    .limit(value.limit)
)

const nextRetry = (approvedOnly: boolean) =>
  statement<OfCampaign>(approvedOnly ? "contacts.nextApprovedRetry" : "contacts.nextRetry")((db, value) =>
    db
      .selectFrom("campaignContacts")
      .select("nextAttemptAt")
      .where("campaignId", "=", value.campaignId)
      .where(waiting)
      .where("nextAttemptAt", "is not", null)
      .$if(approvedOnly, (found) => found.where("approvedAt", "is not", null))
      .orderBy("nextAttemptAt")
      .limit(1)
  )

const nextOfAll = nextRetry(false)
const nextOfApproved = nextRetry(true)

/** Not by `status = 'pending'`: an index of all statuses would seem to fit better than the one of this order. */
const awaitingFresh = statement<OfCampaign & { limit: number }>("contacts.awaitingFresh")((db, value) =>
  of(db, value.campaignId)
    .where(waiting)
    .where("status", "<>", sql.lit("approved"))
    .where("approvedAt", "is", null)
    .where("nextAttemptAt", "is", null)
    .orderBy("seq")
    .limit(value.limit)
)

const awaitingRetry = statement<OfCampaign & { limit: number }>("contacts.awaitingRetry")((db, value) =>
  of(db, value.campaignId)
    .where(waiting)
    .where("status", "<>", sql.lit("approved"))
    .where("approvedAt", "is", null)
    .where("nextAttemptAt", "is not", null)
    .orderBy("nextAttemptAt")
    .orderBy("seq")
    .limit(value.limit)
)

const countApproved = statement<OfCampaign>("contacts.countApproved")((db, value) =>
  db
    .selectFrom("campaignContacts")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("campaignId", "=", value.campaignId)
    .where(waiting)
    .where("approvedAt", "is not", null)
)

export const layer = Layer.succeed(CampaignContactStore, {
  add: (contacts) => insert("campaignContacts", contacts),
  save: (contact) => Effect.asVoid(write(save, contact)),
  find: (campaignId, id) => row(find, { campaignId, id }),
  many: (ids) => (ids.length === 0 ? Effect.succeed([]) : rows(many, { ids })),
  due: (campaignId, at, limit) =>
    Effect.map(rows(due, { campaignId, at, limit }), (found) => [...found].sort(dialedBefore).slice(0, limit)),
  dueApproved: (campaignId, at, limit) => rows(dueApproved, { campaignId, at, limit }),
  nextRetryAt: (campaignId, approvedOnly) =>
    Effect.map(row(approvedOnly ? nextOfApproved : nextOfAll, { campaignId }), (found) => found?.nextAttemptAt ?? null),
  pendingApproval: Effect.fnUntraced(function* (campaignId, limit) {
    const first = yield* rows(awaitingFresh, { campaignId, limit })
    if (first.length === limit) return first
    return [...first, ...(yield* rows(awaitingRetry, { campaignId, limit: limit - first.length }))]
  }),
  countApproved: (campaignId) => count(countApproved, { campaignId })
})
