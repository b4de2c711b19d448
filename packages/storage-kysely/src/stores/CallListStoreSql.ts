/** Calls in SQL, as people read them. */
import { CallListStore, type Ids, PhoneNumber } from "@trunkline/core/storage"
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

interface Near extends Pick<Call, "tenantId"> {
  readonly from: string
  readonly to: string
}

/** Of few people at most: without an order and a limit, by which a database would walk through the calls of everybody. */
const near = statement<Near>("calls.near")((db, value) =>
  db
    .selectFrom("calls")
    .select(["id", "toKey"])
    .where("tenantId", "=", value.tenantId)
    .where("toKey", ">=", value.from as Call["toKey"])
    .where("toKey", "<", value.to as Call["toKey"])
)

const found = (tenantId: Ids.AccountId, ids: ReadonlyArray<Ids.CallId>) => {
  const sorted = [...ids].sort()
  const [first] = sorted
  return first === undefined ? Effect.succeed([]) : rows(many, { tenantId, ids, first, last: sorted.at(-1)! })
}

const newestFirst = (a: Pick<Call, "id">, b: Pick<Call, "id">): number => (a.id < b.id ? 1 : -1)

export const layer = Layer.succeed(CallListStore, {
  many: found,
  toPerson: Effect.fnUntraced(function* (tenantId, key, limit) {
    const calls = yield* rows(near, { tenantId, ...PhoneNumber.seekRange(key) })
    const own = calls.filter(({ toKey }) => PhoneNumber.samePerson(toKey, key)).sort(newestFirst)
    const newest = yield* found(
      tenantId,
      own.slice(0, limit).map(({ id }) => id)
    )
    return [...newest].sort(newestFirst)
  })
})
