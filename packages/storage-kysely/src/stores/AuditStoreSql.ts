/** The audit log in SQL. */
import { type AuditFilter, AuditStore, Instant } from "@trunkline/core/storage"
import * as Layer from "effect/Layer"
import type { ExpressionBuilder } from "kysely"
import { count, insert, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import { byFilters } from "../StatementShapes.ts"
import type { Database } from "../Tables.ts"

type AuditRow = Database["auditLog"]

/** An equal value, each of which has statements of its own. */
type Equal = "actor" | "action" | "targetId"

interface Filtered extends Pick<AuditRow, "tenantId" | "actor" | "action"> {
  readonly targetId: string
  readonly from: Instant.Instant
  readonly to: Instant.Instant
}

const matching = (eb: ExpressionBuilder<Database, "auditLog">, value: Filtered, asked: ReadonlyArray<Equal>) =>
  eb.and([
    eb("tenantId", "=", value.tenantId),
    eb("at", ">=", value.from),
    eb("at", "<", value.to),
    ...asked.map((column) => eb(column, "=", value[column]))
  ])

const shapes = byFilters<Equal>(["actor", "action", "targetId"])

const listOf = shapes((asked, suffix) =>
  page<Filtered & { limit: number; offset: number }>(`audit.list${suffix}`)((db, value) =>
    db
      .selectFrom("auditLog")
      .select(fieldsOf("auditLog"))
      .where((eb) => matching(eb, value, asked))
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = shapes((asked, suffix) =>
  statement<Filtered>(`audit.count${suffix}`)((db, value) =>
    db
      .selectFrom("auditLog")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked))
  )
)

const valuesFor = (tenantId: AuditRow["tenantId"], { action, actor, from, targetId, to }: AuditFilter): Filtered => ({
  tenantId,
  actor: actor ?? "",
  action: action ?? "",
  targetId: targetId ?? "",
  from: from ?? Instant.make(0),
  to: to ?? Instant.never
})

export const layer = Layer.succeed(AuditStore, {
  add: (entry) => insert("auditLog", [entry]),
  list: (tenantId, filter, { limit, offset }) =>
    rows(listOf(filter), { ...valuesFor(tenantId, filter), limit, offset }),
  count: (tenantId, filter) => count(countOf(filter), valuesFor(tenantId, filter))
})
