/** Contact lists of campaigns in SQL, as people read them. */
import {
  type ContactListFilter,
  ContactListStore,
  type ContactSearch,
  type Ids,
  type Instant,
  type LastError,
  type ListedContact
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, type Kysely, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { SearchedText } from "../SearchedText.ts"
import { count, rows, write } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Contact = Database["campaignContacts"]
type OfCampaign = Pick<Contact, "campaignId">
type Filter = keyof ContactListFilter

interface Filtered extends OfCampaign, Pick<ContactListFilter, "status" | "lastError" | "outcome"> {
  readonly search: SearchedText
  readonly digits: string
  readonly lastDigits: string
}

/** What no `like` finds. */
const nothing = ""

const valuesOf = (campaignId: Ids.CampaignId, { lastError, outcome, search, status }: ContactListFilter): Filtered => ({
  campaignId,
  status,
  lastError,
  outcome,
  search: new SearchedText(search?.text ?? ""),
  ...digitsOf(search)
})

const digitsOf = (search: ContactSearch | null) => {
  const digits = search?.digits ?? null
  return digits === null
    ? { digits: nothing, lastDigits: nothing }
    : { digits: `%${digits}%`, lastDigits: `%${[...digits].reverse().join("")}%` }
}

/** What people write between the digits of a number. */
const separators = [" ", "-", "(", ")", ".", "/", "+", "\u00a0", "\u2011", "\u2013"]

const writtenDigits = sql.raw<string>(
  separators.reduce((text, separator) => `replace(${text}, '${separator}', '')`, "phone")
)

/** The key has the last digits of a number in whatever script, backwards. */
const hasDigits = (value: Filtered) =>
  sql<boolean>`${value.digits} <> '' and (match_key like ${value.lastDigits} or ${writtenDigits} like ${value.digits})`

/** Of few calls something was noted: they are found first. */
const hasOutcome = (eb: ExpressionBuilder<Database, "campaignContacts">, value: Filtered) =>
  eb(
    "callId",
    "in",
    eb
      .selectFrom("calls")
      .select("calls.id")
      .where("calls.tenantId", "=", (of) =>
        of.selectFrom("campaigns").select("campaigns.tenantId").where("campaigns.id", "=", value.campaignId)
      )
      .where("calls.outcome", "=", value.outcome)
      .where("calls.campaignId", "=", value.campaignId)
  )

const matching = (
  eb: ExpressionBuilder<Database, "campaignContacts">,
  value: Filtered,
  asked: ReadonlyArray<Filter>,
  dialect: SqlDialect
) =>
  eb.and([
    eb("campaignId", "=", value.campaignId),
    ...asked.map((filter) => {
      if (filter === "search") return eb.or([dialect.hasPart("name", value.search), hasDigits(value)])
      if (filter === "outcome") return hasOutcome(eb, value)
      return eb(filter, "=", value[filter] as never)
    })
  ])

const shapes = byFilters<Filter>(["status", "lastError", "outcome", "search"])

const listOf = shapes((asked, suffix) =>
  page<Filtered & { after: number; limit: number; offset: number }>(`contacts.list${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("campaignContacts")
      .select(fieldsOf("campaignContacts"))
      .where((eb) => matching(eb, value, asked, dialect))
      .where("seq", ">", value.after)
      .orderBy("seq")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Filtered>(`contacts.count${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("campaignContacts")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked, dialect))
  )
)

const byStatus = statement<OfCampaign>("contacts.byStatus")((db, value) =>
  db
    .selectFrom("campaignContacts")
    .select(["status", (eb) => eb.fn.countAll<number>().as("n")])
    .where("campaignId", "=", value.campaignId)
    .groupBy("status")
)

const byLastError = statement<OfCampaign>("contacts.byLastError")((db, value) =>
  db
    .selectFrom("campaignContacts")
    .select(["lastError", (eb) => eb.fn.countAll<number>().as("n")])
    .where("campaignId", "=", value.campaignId)
    .where("lastError", "is not", null)
    .groupBy("lastError")
)

const countLater = statement<OfCampaign & { at: Instant.Instant }>("contacts.countLater")((db, value) =>
  db
    .selectFrom("campaignContacts")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("campaignId", "=", value.campaignId)
    .where(sql<boolean>`status in ('pending', 'approved')`)
    .where("nextAttemptAt", "is not", null)
    .where("nextAttemptAt", ">", value.at)
)

const remove = statement<ListedContact>("contacts.remove")((db, value) =>
  db
    .deleteFrom("campaignContacts")
    .where("id", "=", value.id)
    .where("campaignId", "=", value.campaignId)
    .where("tenantId", "=", value.tenantId)
)

/** By the rule of `PhoneNumber.samePerson`. A key that another record of the account has as well has an id behind it. */
const isSuppressed = sql<boolean>`exists (select 1 from suppression_entries e
  where e.tenant_id = campaign_contacts.tenant_id and (
    (e.match_key >= campaign_contacts.match_key and e.match_key < campaign_contacts.match_key || ':')
    or e.match_key in (substr(campaign_contacts.match_key, 1, 7), substr(campaign_contacts.match_key, 1, 8),
      substr(campaign_contacts.match_key, 1, 9))))`

type Retried = Pick<ListedContact, "tenantId" | "campaignId">

/** An approval was given for the attempts that have failed, and not for these. */
const retrying = (db: Kysely<Database>, value: Retried) =>
  db
    .updateTable("campaignContacts")
    .set({
      status: "pending",
      attempts: 0,
      nextAttemptAt: null,
      lastError: null,
      approvedAt: null,
      approvedBy: null,
      skippedAt: null
    })
    .where("campaignId", "=", value.campaignId)
    .where("tenantId", "=", value.tenantId)
    .where("status", "=", "failed")
    .where(sql<boolean>`not ${isSuppressed}`)

const retryContacts = statement<Retried & { ids: ReadonlyArray<Ids.ContactId> }>("contacts.retryContacts")(
  (db, value, dialect) => retrying(db, value).where("id", "in", dialect.list(value.ids, "uuid"))
)

const retryErrors = statement<Retried & { lastErrors: ReadonlyArray<LastError> }>("contacts.retryErrors")(
  (db, value, dialect) => retrying(db, value).where("lastError", "in", dialect.list(value.lastErrors, "text"))
)

const countFailed = statement<OfCampaign & { lastErrors: ReadonlyArray<LastError> }>("contacts.countFailed")(
  (db, value, dialect) =>
    db
      .selectFrom("campaignContacts")
      .select((eb) => eb.fn.countAll().as("n"))
      .where("campaignId", "=", value.campaignId)
      .where("status", "=", "failed")
      .where("lastError", "in", dialect.list(value.lastErrors, "text"))
)

/** Before the first place of every list. */
const start = -1

export const layer = Layer.succeed(ContactListStore, {
  list: (campaignId, filter, page) => rows(listOf(filter), { ...valuesOf(campaignId, filter), ...page, after: start }),
  after: (campaignId, filter, after, limit) =>
    rows(listOf(filter), { ...valuesOf(campaignId, filter), after, limit, offset: 0 }),
  remove: (contact) => Effect.asVoid(write(remove, contact)),
  retry: ({ campaignId, tenantId }, which) =>
    which._tag === "Contacts"
      ? write(retryContacts, { tenantId, campaignId, ids: which.ids })
      : write(retryErrors, { tenantId, campaignId, lastErrors: which.lastErrors }),
  countFailed: (campaignId, lastErrors) => count(countFailed, { campaignId, lastErrors }),
  count: (campaignId, filter) => count(countOf(filter), valuesOf(campaignId, filter)),
  tally: Effect.fnUntraced(function* (campaignId, at) {
    const statuses = yield* rows(byStatus, { campaignId })
    const errors = yield* rows(byLastError, { campaignId })
    return {
      byStatus: new Map(statuses.map(({ n, status }) => [status, n])),
      byLastError: new Map(errors.flatMap(({ lastError, n }) => (lastError === null ? [] : [[lastError, n] as const]))),
      later: yield* count(countLater, { campaignId, at })
    }
  })
})
