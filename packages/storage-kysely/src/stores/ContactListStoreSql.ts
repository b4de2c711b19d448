/** Contact lists of campaigns in SQL, as people read them. */
import {
  type ContactListFilter,
  ContactListStore,
  type ContactSearch,
  type Ids,
  type Instant
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { SearchedText } from "../SearchedText.ts"
import { count, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Contact = Database["campaignContacts"]
type OfCampaign = Pick<Contact, "campaignId">
type Filter = keyof ContactListFilter

interface Filtered extends OfCampaign, Pick<ContactListFilter, "status" | "lastError"> {
  readonly search: SearchedText
  readonly digits: string
  readonly lastDigits: string
}

/** What no `like` finds. */
const nothing = ""

const valuesOf = (campaignId: Ids.CampaignId, { lastError, search, status }: ContactListFilter): Filtered => ({
  campaignId,
  status,
  lastError,
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

const matching = (
  eb: ExpressionBuilder<Database, "campaignContacts">,
  value: Filtered,
  asked: ReadonlyArray<Filter>,
  dialect: SqlDialect
) =>
  eb.and([
    eb("campaignId", "=", value.campaignId),
    ...asked.map((filter) =>
      filter === "search"
        ? eb.or([dialect.hasPart("name", value.search), hasDigits(value)])
        : eb(filter, "=", value[filter] as never)
    )
  ])

const shapes = byFilters<Filter>(["status", "lastError", "search"])

const listOf = shapes((asked, suffix) =>
  page<Filtered & { limit: number; offset: number }>(`contacts.list${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("campaignContacts")
      .select(fieldsOf("campaignContacts"))
      .where((eb) => matching(eb, value, asked, dialect))
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

export const layer = Layer.succeed(ContactListStore, {
  list: (campaignId, filter, page) => rows(listOf(filter), { ...valuesOf(campaignId, filter), ...page }),
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
