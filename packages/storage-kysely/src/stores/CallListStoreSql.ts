/** Calls in SQL, as people read them. */
import { CallListStore, type Ids } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Call = Database["calls"]

interface Many extends Pick<Call, "tenantId"> {
  readonly ids: ReadonlyArray<Ids.CallId>
  readonly first: Ids.CallId
  readonly last: Ids.CallId
}

/** The ids of a month are between two: other months are not looked at. */
const many = statement<Many>("calls.many")((db, value, dialect) =>
  db
    .selectFrom("calls")
    .select(fieldsOf("calls"))
    .where("tenantId", "=", value.tenantId)
    .where(dialect.isOneOf("id", value.ids, value.first, value.last))
)

export const layer = Layer.succeed(CallListStore, {
  many: (tenantId, ids) => {
    const sorted = [...ids].sort()
    const [first] = sorted
    return first === undefined ? Effect.succeed([]) : rows(many, { tenantId, ids, first, last: sorted.at(-1)! })
  }
})
