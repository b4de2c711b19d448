/** The audit log in SQL. */
import { AuditStore } from "@trunkline/core/storage"
import * as Layer from "effect/Layer"
import { insert, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type AuditRow = Database["auditLog"]

const list = page<{ tenantId: AuditRow["tenantId"]; limit: number; offset: number }>("audit.list")((db, value) =>
  db
    .selectFrom("auditLog")
    .select(fieldsOf("auditLog"))
    .where("tenantId", "=", value.tenantId)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

export const layer = Layer.succeed(AuditStore, {
  add: (entry) => insert("auditLog", [entry]),
  list: (tenantId, page) => rows(list, { tenantId, ...page })
})
