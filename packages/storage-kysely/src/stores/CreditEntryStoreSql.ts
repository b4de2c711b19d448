/** The ledger as it is read, in SQL. */
import { type CreditEntryQuery, CreditEntryStore, Ids, Instant } from "@trunkline/core/storage"
import * as Layer from "effect/Layer"
import type { ExpressionBuilder } from "kysely"
import { count, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type Entry = Database["creditLedger"]

interface Filtered extends Pick<Entry, "tenantId" | "kind"> {
  readonly from: Instant.Instant
  readonly to: Instant.Instant
  /** After every id where the list begins at its beginning. */
  readonly beforeId: string
}

const matching = (eb: ExpressionBuilder<Database, "creditLedger">, value: Filtered, asked: ReadonlyArray<"kind">) =>
  eb.and([
    eb("tenantId", "=", value.tenantId),
    eb("id", "<", value.beforeId),
    eb("createdAt", ">=", value.from),
    eb("createdAt", "<", value.to),
    ...asked.map((column) => eb(column, "=", value[column]))
  ])

const shapes = byFilters<"kind">(["kind"])

const listOf = shapes((asked, suffix) =>
  page<Filtered & { limit: number; offset: number }>(`creditEntries.list${suffix}`)((db, value) =>
    db
      .selectFrom("creditLedger")
      .select(fieldsOf("creditLedger"))
      .where((eb) => matching(eb, value, asked))
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Filtered>(`creditEntries.count${suffix}`)((db, value) =>
    db
      .selectFrom("creditLedger")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked))
  )
)

const valuesFor = ({ after, from, kind, tenantId, to }: CreditEntryQuery): Filtered => ({
  tenantId,
  kind: kind ?? "grant",
  from: from ?? Instant.make(0),
  to: to ?? Instant.never,
  beforeId: after ?? Ids.last()
})

export const layer = Layer.succeed(CreditEntryStore, {
  list: (query, { limit, offset }) => rows(listOf(query), { ...valuesFor(query), limit, offset }),
  count: (query) => count(countOf(query), valuesFor(query))
})
