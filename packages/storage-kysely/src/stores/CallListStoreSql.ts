/** Calls in SQL, as people read them. */
import { CallListStore, type CallSearch, type Ids, PhoneNumber } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { count, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
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

/** Keys of the person, see `PhoneNumber.sameKeys`; of nobody where none is asked for. */
interface Keys {
  readonly shorter: ReadonlyArray<PhoneNumber.MatchKey>
  readonly keyFrom: PhoneNumber.MatchKey
  readonly keyTo: PhoneNumber.MatchKey
  readonly nearFrom: PhoneNumber.MatchKey
  readonly nearTo: PhoneNumber.MatchKey
}

type Asked = Pick<Call, "tenantId"> & Omit<CallSearch, "to"> & Keys

/** Filters that find few calls have an index, and statements that begin at it; the first of them that is asked for leads. */
const leading = ["to", "outcome", "campaignId"] as const
type Leading = (typeof leading)[number] | null

const optional = <T>(column: string, value: T) =>
  sql<boolean>`(cast(${value} as text) is null or ${sql.ref(column)} = ${value})`

const leads = (eb: ExpressionBuilder<Database, "calls">, value: Asked, lead: Leading, dialect: SqlDialect) => {
  if (lead === null) return []
  if (lead !== "to") return [eb(lead, "=", value[lead] as never)]
  return [
    // A range that an index answers, and then those of the person alone.
    eb("toKey", ">=", value.nearFrom),
    eb("toKey", "<", value.nearTo),
    eb.or([
      eb("toKey", "in", dialect.list(value.shorter, "text")),
      eb.and([eb("toKey", ">=", value.keyFrom), eb("toKey", "<", value.keyTo)])
    ])
  ]
}

const matching = (eb: ExpressionBuilder<Database, "calls">, value: Asked, lead: Leading, dialect: SqlDialect) =>
  eb.and([
    eb("tenantId", "=", value.tenantId),
    ...leads(eb, value, lead, dialect),
    ...(["campaignId", "outcome", "contactId", "status", "botId", "fromNumberId", "endReason", "answeredBy"] as const)
      .filter((column) => column !== lead)
      .map((column) => optional(column, value[column])),
    sql<boolean>`(cast(${value.since} as bigint) is null or created_at >= ${value.since})`,
    sql<boolean>`(cast(${value.until} as bigint) is null or created_at < ${value.until})`
  ])

const byLead = <S>(make: (lead: Leading, suffix: string) => S) => {
  const made = new Map([...leading, null].map((lead) => [lead, make(lead, lead === null ? "" : `.${lead}`)]))
  return (search: CallSearch): S => made.get(leading.find((filter) => search[filter] !== null) ?? null)!
}

const listOf = byLead((lead, suffix) =>
  page<Asked & { before: Ids.CallId; limit: number; offset: number }>(`calls.search${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("calls")
      .select(fieldsOf("calls"))
      .where((eb) => matching(eb, value, lead, dialect))
      .where("id", "<", value.before)
      // By the id itself a database would walk through the calls of everybody.
      .orderBy(lead === "to" ? sql`cast(id as text)` : "id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const countOf = byLead((lead, suffix) =>
  statement<Asked>(`calls.countSearch${suffix}`)((db, value, dialect) =>
    db
      .selectFrom("calls")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, lead, dialect))
  )
)

/** Behind the id of every call. */
const end = "ffffffff-ffff-ffff-ffff-ffffffffffff" as Ids.CallId

const asked = (tenantId: Call["tenantId"], { to: key, ...search }: CallSearch): Asked => {
  const asked = key ?? PhoneNumber.as("")
  const { from, shorter, to } = PhoneNumber.sameKeys(asked)
  const near = PhoneNumber.seekRange(asked)
  const nearTo = PhoneNumber.as(near.to)
  return { tenantId, ...search, shorter, keyFrom: from, keyTo: to, nearFrom: PhoneNumber.as(near.from), nearTo }
}

const found = (tenantId: Ids.AccountId, ids: ReadonlyArray<Ids.CallId>) => {
  const sorted = [...ids].sort()
  const [first] = sorted
  return first === undefined ? Effect.succeed([]) : rows(many, { tenantId, ids, first, last: sorted.at(-1)! })
}

const newestFirst = (a: Pick<Call, "id">, b: Pick<Call, "id">): number => (a.id < b.id ? 1 : -1)

export const layer = Layer.succeed(CallListStore, {
  list: (tenantId, search, page) => rows(listOf(search), { ...asked(tenantId, search), before: end, ...page }),
  before: (tenantId, search, before, limit) =>
    rows(listOf(search), { ...asked(tenantId, search), before: before ?? end, limit, offset: 0 }),
  count: (tenantId, search) => count(countOf(search), asked(tenantId, search)),
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
