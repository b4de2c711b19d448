/**
 * Imports of contacts in SQL: rows are gathered in a table of their own, where one statement compares or writes all of them.
 */
import {
  type ImportJob,
  ImportStore,
  type ImportTerms,
  type ListKind,
  type StagedPerson
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type RawBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { count, rows, write } from "../Session.ts"
import { plain, statement } from "../Statement.ts"

type Of<K extends keyof ImportJob> = Pick<ImportJob, K>

/** All rows of an import in the order of the file, which is the order in which they were staged. */
const staged = (dialect: SqlDialect) => dialect.fullScan("import_rows")
const fileOrder = (dialect: SqlDialect) => dialect.insertionOrder("row_no")

/** Tables of contacts, by the list. */
const tables: Readonly<Record<ListKind, string>> = {
  campaign: "campaign_contacts",
  templateCampaign: "template_contacts"
}

/** A value for each kind of list. `suffix` makes a statement's name its own. */
const byList = <A>(make: (contacts: RawBuilder<unknown>, suffix: string) => A): Readonly<Record<ListKind, A>> => ({
  campaign: make(sql.raw(tables.campaign), ""),
  templateCampaign: make(sql.raw(tables.templateCampaign), ".template")
})

/**
 * What the list gets to know of a person beside the number, which is in the column `name`: the name alone, or a JSON array of it, the
 * variables of the first row and whether that agrees.
 */
const listedOf = (list: ListKind, { name, optedIn, variables }: StagedPerson["listed"]): string | null =>
  list === "campaign" ? name : JSON.stringify([name, variables, optedIn])

/** The types of `valuesOf`. */
const stagedTypes = ["text", "int", "int", "json", "json", "boolean", "text", "text", "uuid", "uuid"] as const

const valuesOf = (list: ListKind, person: StagedPerson) => [
  person.matchKey,
  person.row,
  person.rows,
  person.fields,
  person.custom,
  person.optedIn,
  person.listed.phone,
  listedOf(list, person.listed),
  person.crmId,
  person.contactId
]

/** With `where true` SQLite reads `on conflict` as no part of the join. */
const stage = statement<Of<"id" | "at"> & { rows: ReadonlyArray<ReturnType<typeof valuesOf>> }>("imports.stage")(
  plain((value, dialect) => {
    const { columns, from } = dialect.tuples(value.rows, stagedTypes)
    return sql`
      insert into import_rows (import_id, attach, created_at,
        match_key, row_no, occurrences, fields, custom, opted_in, phone, name, crm_id, contact_id)
      select ${dialect.cast(value.id, "uuid")}, true, ${dialect.cast(value.at, "bigint")}, ${columns}
      from ${from}
      where true
      on conflict (import_id, match_key) do update set
        occurrences = import_rows.occurrences + excluded.occurrences,
        fields = ${dialect.mergeJson("import_rows.fields", "excluded.fields", "merged-json")},
        custom = ${dialect.mergeJson("import_rows.custom", "excluded.custom", "merged-json")},
        opted_in = import_rows.opted_in or excluded.opted_in`
  })
)

/** Marks staged people of whom `found` holds. */
const mark = (name: string, found: (value: Of<"campaignId">) => RawBuilder<unknown>) =>
  statement<Of<"id" | "campaignId">>(`imports.mark.${name}`)(
    plain(
      (value, dialect) => sql`
        update ${staged(dialect)} set attach = false
        where import_id = ${value.id} and attach and ${found(value)}`
    )
  )

/** A key that is a shorter number's, and how that of a longer number ends; see `PhoneNumber.samePerson`. */
const isShorter = (key: string) =>
  sql.raw(
    `${key} in (substr(import_rows.match_key, 1, 7), substr(import_rows.match_key, 1, 8), substr(import_rows.match_key, 1, 9))`
  )

const isLonger = (key: string) =>
  sql.raw(
    `length(import_rows.match_key) < 10 and ${key} > import_rows.match_key and ${key} < import_rows.match_key || ':'`
  )

const onList = (contacts: RawBuilder<unknown>, value: Of<"campaignId">, same: RawBuilder<unknown>) =>
  sql`exists (select 1 from ${contacts} c where c.campaign_id = ${value.campaignId} and ${same})`

const earlier = (same: RawBuilder<unknown>) =>
  sql`exists (select 1 from import_rows e
    where e.import_id = import_rows.import_id and ${same} and e.row_no < import_rows.row_no)`

const marks = {
  ofList: byList((contacts, suffix) => ({
    equal: mark(`equal${suffix}`, (value) => onList(contacts, value, sql`c.match_key = import_rows.match_key`)),
    shorter: mark(`shorterOnCampaign${suffix}`, (value) => onList(contacts, value, isShorter("c.match_key"))),
    longer: mark(`longerOnCampaign${suffix}`, (value) => onList(contacts, value, isLonger("c.match_key")))
  })),
  shorterEarlier: mark("shorterEarlier", () => earlier(isShorter("e.match_key"))),
  longerEarlier: mark("longerEarlier", () => earlier(isLonger("e.match_key")))
}

const shortOnList = byList((contacts, suffix) =>
  statement<Of<"campaignId">>(`imports.shortOnCampaign${suffix}`)(
    plain<Of<"campaignId">, { n: number }>(
      (value) => sql`
      select count(*) as n from
        (select 1 from ${contacts} where campaign_id = ${value.campaignId} and length(match_key) < 10 limit 1) as found`
    )
  )
)

const shortStaged = statement<Of<"id">>("imports.shortStaged")(
  plain<Of<"id">, { n: number }>(
    (value) => sql`
      select count(*) as n from
        (select 1 from import_rows where import_id = ${value.id} and length(match_key) < 10 limit 1) as found`
  )
)

const totals = statement<Of<"id" | "tenantId">>("imports.totals")(
  plain<Of<"id" | "tenantId">, { n: number; created: number; attached: number }>(
    (value, dialect) => sql`
      select coalesce(sum(occurrences), 0) as n,
        coalesce(sum(case when attach then 1 else 0 end), 0) as attached,
        coalesce(sum(case when exists (select 1 from crm_contacts c
          where c.tenant_id = ${value.tenantId} and c.match_key = import_rows.match_key) then 0 else 1 end), 0) as created
      from ${staged(dialect)} where import_id = ${value.id}`
  )
)

/** Consent that the form gives is for new contacts alone; what a row gives is for all. */
const writePeople = statement<Of<"id" | "tenantId" | "at"> & Pick<ImportTerms, "consentOfNew">>("imports.writePeople")(
  plain(
    (value, dialect) => sql`
      insert into crm_contacts (id, tenant_id, phone, match_key, name, first_name, last_name, email, company, tags, notes,
        opted_in, custom, created_at, updated_at)
      select crm_id, ${dialect.cast(value.tenantId, "uuid")}, fields->>'phone', match_key, fields->>'name',
        fields->>'firstName', fields->>'lastName', fields->>'email', fields->>'company',
        ${dialect.cast(sql`coalesce(fields->'tags', '[]')`, "json")}, fields->>'notes',
        opted_in or ${value.consentOfNew}, ${dialect.cast(sql`custom`, "json")},
        ${dialect.cast(value.at, "bigint")}, ${dialect.cast(value.at, "bigint")}
      from ${staged(dialect)} where import_id = ${value.id} order by ${fileOrder(dialect)}
      on conflict (tenant_id, match_key) do update set
        phone = excluded.phone,
        name = coalesce(excluded.name, crm_contacts.name),
        first_name = coalesce(excluded.first_name, crm_contacts.first_name),
        last_name = coalesce(excluded.last_name, crm_contacts.last_name),
        email = coalesce(excluded.email, crm_contacts.email),
        company = coalesce(excluded.company, crm_contacts.company),
        tags = case when ${dialect.jsonText("excluded.tags")} = '[]' then crm_contacts.tags else excluded.tags end,
        notes = coalesce(excluded.notes, crm_contacts.notes),
        opted_in = crm_contacts.opted_in or (excluded.opted_in and not ${value.consentOfNew}),
        custom = ${dialect.mergeJson("crm_contacts.custom", "excluded.custom", "json")},
        updated_at = excluded.updated_at`
  )
)

/** The columns of a table of contacts, and what a staged person has there. */
interface Listed {
  readonly columns: string
  readonly values: (dialect: SqlDialect) => RawBuilder<unknown>
}

const listed = (dialect: SqlDialect) => dialect.cast(sql`name`, "json")

const contacts: Readonly<Record<ListKind, Listed>> = {
  campaign: { columns: "name, status, attempts", values: () => sql`name, 'pending', 0` },
  templateCampaign: {
    columns: "name, variables, opted_in, status, attempts, pair_waits, has_waited_for_marketing, held, has_begun",
    values: (dialect) => sql`${listed(dialect)}->>0, ${listed(dialect)}->1,
      ${dialect.cast(sql`(${listed(dialect)}->>2)`, "boolean")}, 'queued', 0, 0, false, false, false`
  }
}

const writeListOf = (list: ListKind, suffix: string) =>
  statement<ImportJob & Pick<ImportTerms, "nextSeq">>(`imports.writeList${suffix}`)(
    plain(
      (value, dialect) => sql`
      insert into ${sql.raw(`${tables[list]} (id, tenant_id, campaign_id, seq, phone, match_key, created_at, ${contacts[list].columns})`)}
      select contact_id, ${dialect.cast(value.tenantId, "uuid")}, ${dialect.cast(value.campaignId, "uuid")},
        ${dialect.cast(value.nextSeq, "bigint")} - 1 + row_number() over (order by ${fileOrder(dialect)}),
        phone, match_key, ${dialect.cast(value.at, "bigint")}, ${contacts[list].values(dialect)}
      from ${staged(dialect)} where import_id = ${value.id} and attach order by ${fileOrder(dialect)}`
    )
  )

const writeList = {
  campaign: writeListOf("campaign", ""),
  templateCampaign: writeListOf("templateCampaign", ".template")
}

const compare = Effect.fnUntraced(function* (job: ImportJob) {
  const { equal, longer, shorter } = marks.ofList[job.list]
  yield* write(equal, job)
  const shortOnCampaign = yield* count(shortOnList[job.list], job)
  const shortInFile = yield* count(shortStaged, job)
  // Numbers of 7 to 9 digits are rare, and looking for them costs as much as everything else together.
  if (shortOnCampaign > 0) yield* write(shorter, job)
  if (shortInFile > 0) {
    yield* write(longer, job)
    yield* write(marks.shorterEarlier, job)
    yield* write(marks.longerEarlier, job)
  }
  const counted = (yield* rows(totals, job))[0]!
  return { rows: Number(counted.n), created: Number(counted.created), attached: Number(counted.attached) }
})

const apply = Effect.fnUntraced(function* (job: ImportJob, terms: ImportTerms) {
  yield* write(writePeople, { ...job, ...terms })
  yield* write(writeList[job.list], { ...job, ...terms })
})

export const layer = Layer.succeed(ImportStore, {
  stage: (job, people) =>
    Effect.asVoid(write(stage, { ...job, rows: people.map((person) => valuesOf(job.list, person)) })),
  compare,
  apply
})
