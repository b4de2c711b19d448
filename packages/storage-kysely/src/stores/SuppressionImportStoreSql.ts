/** Imports into the do-not-call list in SQL: rows are gathered in a table of their own, from which they are compared and written. */
import { type EntryImport, PhoneNumber, type StagedEntry, SuppressionImportStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { rows, write } from "../Session.ts"
import { plain, statement } from "../Statement.ts"

/** The types of `valuesOf`. */
const stagedTypes = ["text", "int", "text", "text", "uuid"] as const

const valuesOf = ({ id, matchKey, phone, reason, rows: occurrences }: StagedEntry) => [
  matchKey,
  occurrences,
  phone,
  reason,
  id
]

/** With `where true` SQLite reads `on conflict` as no part of the join. */
const stage = statement<Pick<EntryImport, "id" | "at"> & { rows: ReadonlyArray<ReturnType<typeof valuesOf>> }>(
  "imports.stageEntries"
)(
  plain((value, dialect) => {
    const { columns, from } = dialect.tuples(value.rows, stagedTypes)
    return sql`
      insert into import_entries (import_id, created_at, match_key, occurrences, phone, reason, entry_id)
      select ${dialect.cast(value.id, "uuid")}, ${dialect.cast(value.at, "bigint")}, ${columns}
      from ${from}
      where true
      on conflict (import_id, match_key) do update set occurrences = import_entries.occurrences + excluded.occurrences`
  })
)

interface Part {
  readonly id: EntryImport["id"]
  readonly tenantId: EntryImport["tenantId"]
  /** The last key of the part before. */
  readonly after: PhoneNumber.MatchKey
  readonly limit: number
}

interface Compared {
  /** Null behind the last part. */
  readonly matchKey: PhoneNumber.MatchKey | null
  readonly n: number
  readonly created: number
}

/** The last key, how many rows of the file said those of the part, and how many of them are not on the list. */
const comparePart = statement<Part>("imports.compareEntries")(
  plain<Part, Compared>(
    (value) => sql`
      select max(match_key) as match_key, coalesce(sum(occurrences), 0) as n,
        coalesce(sum(case when exists (select 1 from suppression_entries e
          where e.tenant_id = ${value.tenantId} and e.match_key = part.match_key) then 0 else 1 end), 0) as created
      from (select match_key, occurrences from import_entries
        where import_id = ${value.id} and match_key > ${value.after} order by match_key limit ${value.limit}) as part`
  )
)

const lastOfPart = statement<Omit<Part, "tenantId">>("imports.lastEntry")(
  plain<Omit<Part, "tenantId">, Pick<Compared, "matchKey">>(
    (value) => sql`
      select max(match_key) as match_key from (select match_key from import_entries
        where import_id = ${value.id} and match_key > ${value.after} order by match_key limit ${value.limit}) as part`
  )
)

/** Additions to one list insert its keys in one order. */
const addPart = statement<Omit<Part, "limit"> & Pick<EntryImport, "at"> & { last: PhoneNumber.MatchKey }>(
  "imports.addEntries"
)(
  plain(
    (value, dialect) => sql`
      insert into suppression_entries (id, tenant_id, phone, match_key, reason, created_at)
      select entry_id, ${dialect.cast(value.tenantId, "uuid")}, phone, match_key, reason, ${dialect.cast(value.at, "bigint")}
      from import_entries
      where import_id = ${value.id} and match_key > ${value.after} and match_key <= ${value.last}
      order by match_key
      on conflict (tenant_id, match_key) do nothing`
  )
)

/** Rows of one statement: whatever the size of the file, none runs longer than a second or two. */
const partSize = 20_000

/** Before every key. */
const start = PhoneNumber.as("")

const compare = Effect.fnUntraced(function* (run: EntryImport) {
  const found = { rows: 0, added: 0 }
  for (let after: PhoneNumber.MatchKey | null = start; after !== null; ) {
    const part: Compared = (yield* rows(comparePart, { ...run, after, limit: partSize }))[0]!
    found.rows += Number(part.n)
    found.added += Number(part.created)
    after = part.matchKey
  }
  return found
})

const apply = Effect.fnUntraced(function* (run: EntryImport) {
  let added = 0
  let after = start
  for (;;) {
    const { matchKey: last } = (yield* rows(lastOfPart, { ...run, after, limit: partSize }))[0]!
    if (last === null) return added
    added += yield* write(addPart, { ...run, after, last })
    after = last
  }
})

export const layer = Layer.succeed(SuppressionImportStore, {
  stage: (run, entries) => Effect.asVoid(write(stage, { ...run, rows: entries.map(valuesOf) })),
  compare,
  apply
})
