/** The usage log in SQL. */
import { UsageLogStore, type UsageQuery } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import { count, insert, row, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Log = Database["usageLog"]

const position = statement<Pick<Log, "id" | "tenantId">>("usage.position")((db, value) =>
  db
    .selectFrom("usageLog")
    .select(["createdAt", "id"])
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

const ofKeys = statement<Pick<Log, "tenantId">>("usage.ofKeys")((db, value) =>
  db.selectFrom("usageLog").select("id").where("tenantId", "=", value.tenantId).where("keyId", "is not", null).limit(1)
)

/** Filters that find few rows have an index, and statements that begin at it; the first of them that is asked for leads. */
const leading = ["sessionId", "traceId", "keyId"] as const
type Leading = (typeof leading)[number] | null

type Filtered = Pick<UsageQuery, "tenantId" | "service" | "model" | "keyId" | "sessionId" | "traceId" | "since"> & {
  readonly beforeAt: Log["createdAt"]
  readonly beforeId: Log["id"]
}

const optional = <T>(column: string, value: T) =>
  sql<boolean>`(cast(${value} as text) is null or ${sql.ref(column)} = ${value})`

const matching = (eb: ExpressionBuilder<Database, "usageLog">, value: Filtered, lead: Leading) =>
  eb.and([
    eb("tenantId", "=", value.tenantId),
    ...(lead === null ? [] : [eb(lead, "=", value[lead] as never)]),
    eb("createdAt", ">=", value.since),
    sql<boolean>`(created_at, id) < (${value.beforeAt}, ${value.beforeId})`,
    optional("service", value.service),
    optional("model", value.model),
    ...leading.filter((filter) => filter !== lead).map((filter) => optional(filter, value[filter]))
  ])

const byLead = <S>(make: (lead: Leading, suffix: string) => S): ReadonlyMap<Leading, S> =>
  new Map([...leading, null].map((lead) => [lead, make(lead, lead === null ? "" : `.${lead}`)]))

const lists = byLead((lead, suffix) =>
  page<Filtered & { limit: number; offset: number }>(`usage.list${suffix}`)((db, value) =>
    db
      .selectFrom("usageLog")
      .select(fieldsOf("usageLog"))
      .where((eb) => matching(eb, value, lead))
      .orderBy("createdAt", "desc")
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const counts = byLead((lead, suffix) =>
  statement<Filtered>(`usage.count${suffix}`)((db, value) =>
    db
      .selectFrom("usageLog")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, lead))
  )
)

const totals = byLead((lead, suffix) =>
  statement<Filtered>(`usage.totals${suffix}`)((db, value) =>
    db
      .selectFrom("usageLog")
      .select((eb) => [
        "service",
        eb.fn.countAll<number>().as("calls"),
        eb.fn.sum<number>("inputTokens").as("inputTokens"),
        eb.fn.sum<number>("outputTokens").as("outputTokens"),
        eb.fn.sum<number>("cacheReadTokens").as("cacheReadTokens"),
        eb.fn.sum<number>("cacheCreationTokens").as("cacheCreationTokens"),
        sql<number>`sum(case when unit = 'seconds' then units else 0 end)`.as("audioSeconds"),
        eb.fn.sum<bigint>("credits").as("credits")
      ])
      .where((eb) => matching(eb, value, lead))
      .groupBy("service")
      .orderBy("service")
  )
)

const ofSession = statement<Pick<Log, "tenantId"> & { sessionId: string }>("usage.ofSession")((db, value) =>
  db
    .selectFrom("usageLog")
    .select((eb) => [
      "service",
      "model",
      eb.fn.sum<number>("inputTokens").as("inputTokens"),
      eb.fn.sum<number>("outputTokens").as("outputTokens"),
      sql<number>`sum(case when unit = 'seconds' then units else 0 end)`.as("audioSeconds"),
      sql<number>`sum(case when unit = 'characters' then units else 0 end)`.as("characters"),
      eb.fn.sum<bigint>("credits").as("credits")
    ])
    .where("tenantId", "=", value.tenantId)
    .where("sessionId", "=", value.sessionId)
    .groupBy(["service", "model"])
)

const valuesFor = ({ before, ...query }: UsageQuery): readonly [lead: Leading, values: Filtered] => [
  leading.find((filter) => query[filter] !== null) ?? null,
  { ...query, beforeAt: before.createdAt, beforeId: before.id }
]

export const layer = Layer.succeed(UsageLogStore, {
  add: (added) => insert("usageLog", [added]),
  position: (tenantId, id) => row(position, { tenantId, id }),
  list: (query, { limit, offset }) => {
    const [lead, values] = valuesFor(query)
    return rows(lists.get(lead)!, { ...values, limit, offset })
  },
  count: (query) => {
    const [lead, values] = valuesFor(query)
    return count(counts.get(lead)!, values)
  },
  hasOfKeys: (tenantId) => Effect.map(row(ofKeys, { tenantId }), (found) => found !== null),
  totals: (query) => {
    const [lead, values] = valuesFor(query)
    return rows(totals.get(lead)!, values)
  },
  ofSession: (tenantId, sessionId) => rows(ofSession, { tenantId, sessionId })
})
