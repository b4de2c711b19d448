/** The usage log in SQL. */
import {
  type IntervalTotals,
  type UsageGroup,
  UsageLogStore,
  type UsageQuery,
  type UsageSpan
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import { count, insert, row, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, plain, statement } from "../Statement.ts"
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

const columnOf = { service: "service", model: "model", key: "key_id" } as const satisfies Record<UsageGroup, string>

interface Spans extends Filtered {
  readonly spans: ReadonlyArray<Pick<UsageSpan, "since" | "before"> & { readonly n: number }>
}

interface SpanTotals extends Omit<IntervalTotals, "start" | "group"> {
  /** The span's place in the list. */
  readonly n: number
  readonly usageGroup: string | null
}

const spanTypes = { n: "int", since: "bigint", before: "bigint" } as const

/** Each span is looked up by itself, along the index that the statement begins at. */
const seriesOf = (lead: Leading, by: UsageGroup | null) =>
  statement<Spans>(`usage.series${by === null ? "" : `.${by}`}${lead === null ? "" : `.by.${lead}`}`)(
    plain<Spans, SpanTotals>((value, dialect) => {
      const group = by === null ? null : sql.ref(`usage_log.${columnOf[by]}`)
      const others = [...leading.filter((filter) => filter !== lead), "service", "model"] as const
      const conditions = [
        sql`usage_log.tenant_id = ${value.tenantId}`,
        ...(lead === null ? [] : [sql`${sql.ref(lead)} = ${value[lead]}`]),
        sql`usage_log.created_at >= spans."since" and usage_log.created_at < spans."before"`,
        ...others.map((filter) => optional(filter, value[filter]))
      ]
      return sql`select spans."n" as n, ${group ?? sql`cast(null as text)`} as usage_group, count(*) as calls,
          sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
          sum(case when unit = 'seconds' then units else 0 end) as audio_seconds, sum(credits) as credits
        from ${dialect.records(value.spans, "spans", spanTypes)} cross join usage_log
        where ${sql.join(conditions, sql` and `)} group by spans."n"${group === null ? sql`` : sql`, ${group}`}
        order by spans."n"${group === null ? sql`` : sql`, ${group}`}`
    })
  )

const series = new Map(
  ([null, "service", "model", "key"] as const).map((by) => [
    by,
    new Map([...leading, null].map((lead) => [lead, seriesOf(lead, by)]))
  ])
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
  series: (query, spans, by) => {
    if (spans.length === 0) return Effect.succeed([])
    const [lead, values] = valuesFor(query)
    const numbered = spans.map(({ before, since }, n) => ({ n, since, before }))
    return Effect.map(rows(series.get(by)!.get(lead)!, { ...values, spans: numbered }), (found) =>
      found.map(({ n, usageGroup, ...totals }) => ({ start: spans[n]!.start, group: usageGroup, ...totals }))
    )
  },
  ofSession: (tenantId, sessionId) => rows(ofSession, { tenantId, sessionId })
})
