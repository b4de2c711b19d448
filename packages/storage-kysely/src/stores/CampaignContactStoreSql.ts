/**
 * The lists of campaigns in SQL. Whom to dial next is a walk along one of three partial indexes, which hold only contacts
 * that are still to be dialed: `waiting` is their predicate, and stands in the queries word for word, because a database
 * takes a partial index only where it can prove the predicate.
 */
import { CampaignContactStore, type CampaignOfAccount, type Ids, type Instant } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kysely, sql } from "kysely"
import { count, insert, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Contact = Database["campaignContacts"]
type OfCampaign = Pick<Contact, "campaignId" | "tenantId">
type Due = OfCampaign & { at: Instant.Instant; limit: number }

const waiting = sql<boolean>`status in ('pending', 'approved')`

const of = (db: Kysely<Database>, { campaignId, tenantId }: OfCampaign) =>
  db
    .selectFrom("campaignContacts")
    .select(fieldsOf("campaignContacts"))
    .where("campaignId", "=", campaignId)
    .where("tenantId", "=", tenantId)

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
    .where("tenantId", "=", value.tenantId)
)

const list = statement<OfCampaign & { limit: number; offset: number }>("contacts.list")((db, value) =>
  of(db, value).orderBy("seq").limit(value.limit).offset(value.offset)
)

const many = statement<{ ids: ReadonlyArray<Ids.ContactId> }>("contacts.many")((db, value, dialect) =>
  db
    .selectFrom("campaignContacts")
    .select(fieldsOf("campaignContacts"))
    .where("id", "in", dialect.list(value.ids, "uuid"))
)

const dueRetries = statement<Due>("contacts.dueRetries")((db, value) =>
  of(db, value)
    .where(waiting)
    .where("nextAttemptAt", "is not", null)
    .where("nextAttemptAt", "<=", value.at)
    .orderBy("nextAttemptAt")
    .orderBy("seq")
    .limit(value.limit)
)

const unattempted = statement<OfCampaign & { limit: number }>("contacts.unattempted")((db, value) =>
  of(db, value).where(waiting).where("nextAttemptAt", "is", null).orderBy("seq").limit(value.limit)
)

const dueApproved = statement<Due>("contacts.dueApproved")((db, value) =>
  of(db, value)
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
      .where("tenantId", "=", value.tenantId)
      .where(waiting)
      .where("nextAttemptAt", "is not", null)
      .$if(approvedOnly, (found) => found.where("approvedAt", "is not", null))
      .orderBy("nextAttemptAt")
      .limit(1)
  )

const nextOfAll = nextRetry(false)
const nextOfApproved = nextRetry(true)

const awaitingFresh = statement<OfCampaign & { limit: number }>("contacts.awaitingFresh")((db, value) =>
  of(db, value)
    .where(waiting)
    .where("status", "=", sql.lit("pending"))
    .where("approvedAt", "is", null)
    .where("nextAttemptAt", "is", null)
    .orderBy("seq")
    .limit(value.limit)
)

const awaitingRetry = statement<OfCampaign & { limit: number }>("contacts.awaitingRetry")((db, value) =>
  of(db, value)
    .where(waiting)
    .where("status", "=", sql.lit("pending"))
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
    .where("tenantId", "=", value.tenantId)
    .where(waiting)
    .where("approvedAt", "is not", null)
)

const keyOf = ({ id, tenantId }: CampaignOfAccount): OfCampaign => ({ campaignId: id, tenantId })

export const layer = Layer.succeed(CampaignContactStore, {
  add: (contacts) => insert("campaignContacts", contacts),
  save: (contact) => Effect.asVoid(write(save, contact)),
  find: (campaign, id) => row(find, { ...keyOf(campaign), id }),
  list: (campaign, page) => rows(list, { ...keyOf(campaign), ...page }),
  many: (ids) => (ids.length === 0 ? Effect.succeed([]) : rows(many, { ids })),
  dueRetries: (campaign, at, limit) => rows(dueRetries, { ...keyOf(campaign), at, limit }),
  unattempted: (campaign, limit) => rows(unattempted, { ...keyOf(campaign), limit }),
  dueApproved: (campaign, at, limit) => rows(dueApproved, { ...keyOf(campaign), at, limit }),
  nextRetryAt: (campaign, approvedOnly) =>
    Effect.map(
      row(approvedOnly ? nextOfApproved : nextOfAll, { ...keyOf(campaign) }),
      (found) => found?.nextAttemptAt ?? null
    ),
  pendingApproval: Effect.fnUntraced(function* (campaign, limit) {
    const first = yield* rows(awaitingFresh, { ...keyOf(campaign), limit })
    if (first.length === limit) return first
    return [...first, ...(yield* rows(awaitingRetry, { ...keyOf(campaign), limit: limit - first.length }))]
  }),
  countApproved: (campaign) => count(countApproved, { ...keyOf(campaign) })
})
