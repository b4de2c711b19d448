/** Keys of an account as its people look for them, in SQL. */
import { type Instant, KeyListStore, type KeyQuery } from "@trunkline/core/storage"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { SearchedText } from "../SearchedText.ts"
import { count, row, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Key = Database["apiKeys"]

interface Filtered extends Pick<Key, "tenantId"> {
  readonly state: string
  readonly at: Instant.Instant
  readonly search: SearchedText
}

const lastUse = (eb: ExpressionBuilder<Database, "apiKeys">) =>
  eb.selectFrom("keyUses").select("usedAt").whereRef("keyUses.keyId", "=", "apiKeys.id").as("lastUsedAt")

const stateOf = ({ at }: Filtered) =>
  sql<string>`case when revoked_at is not null then 'revoked' when expires_at <= ${at} then 'expired' else 'active' end`

const matching = (
  eb: ExpressionBuilder<Database, "apiKeys">,
  value: Filtered,
  asked: ReadonlyArray<"state" | "search">,
  dialect: SqlDialect
) =>
  eb.and([
    eb("tenantId", "=", value.tenantId),
    ...asked.map((filter) =>
      filter === "search"
        ? eb.or([dialect.hasPart("name", value.search), dialect.hasPart("prefix", value.search)])
        : eb(stateOf(value), "=", value.state)
    )
  ])

const shapes = byFilters<"state" | "search">(["state", "search"])

const listOf = shapes((asked, suffix) =>
  page<Filtered & { limit: number; offset: number }>(`keys.list${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("apiKeys")
      .select(fieldsOf("apiKeys"))
      .select(lastUse)
      .where((eb) => matching(eb, value, asked, dialect))
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Filtered>(`keys.count${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("apiKeys")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked, dialect))
  )
)

const find = statement<Pick<Key, "id">>("keys.find")((db, value) =>
  db.selectFrom("apiKeys").select(fieldsOf("apiKeys")).select(lastUse).where("id", "=", value.id)
)

const valuesFor = ({ at, search, state, tenantId }: KeyQuery): Filtered => ({
  tenantId,
  at,
  state: state ?? "",
  search: new SearchedText(search ?? "")
})

export const layer = Layer.succeed(KeyListStore, {
  find: (id) => row(find, { id }),
  list: (query, { limit, offset }) => rows(listOf(query), { ...valuesFor(query), limit, offset }),
  count: (query) => count(countOf(query), valuesFor(query))
})
