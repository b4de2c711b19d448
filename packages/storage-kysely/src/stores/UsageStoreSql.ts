/** Holds, counts, spends, the usage log and bonuses in SQL. Whatever may not be overdrawn is asked by the statement that takes it. */
import { Ids, type UsageQuery, UsageStore } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import { changed, count, insert, row, rows, write, writeRow } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Count = Database["usageCounts"]
type Spend = Database["spends"]
type Hold = Database["usageHolds"]
type Log = Database["usageLog"]
type Bonus = Database["bonusGrants"]

/** More calls than a month can see, and more credit than there is: bounds for whoever has none. */
const unboundedCalls = 2_147_483_647
const unboundedCredit = 9_223_372_036_854_775_807n

const beginCall = statement<Count & { cap: number }>("usage.beginCall")((db, value) =>
  db
    .insertInto("usageCounts")
    .values(valuesOf("usageCounts", value))
    .onConflict((on) =>
      on
        .columns(["tenantId", "service", "month"])
        .doUpdateSet((eb) => ({ pending: eb("usageCounts.pending", "+", 1) }))
        .where((eb) => eb(eb("usageCounts.used", "+", eb.ref("usageCounts.pending")), "<", value.cap))
    )
)

const endCall = statement<Count>("usage.endCall")((db, value) =>
  db
    .updateTable("usageCounts")
    .set((eb) => ({ used: eb("used", "+", value.used), pending: eb("pending", "-", value.pending) }))
    .where("tenantId", "=", value.tenantId)
    .where("service", "=", value.service)
    .where("month", "=", value.month)
)

const calls = statement<Pick<Count, "tenantId" | "service" | "month">>("usage.calls")((db, value) =>
  db
    .selectFrom("usageCounts")
    .select(["used", "pending"])
    .where("tenantId", "=", value.tenantId)
    .where("service", "=", value.service)
    .where("month", "=", value.month)
)

const spend = statement<Pick<Spend, "ownerId" | "period">>("usage.spend")((db, value) =>
  db
    .selectFrom("spends")
    .select(["spent", "pendingAmount"])
    .where("ownerId", "=", value.ownerId)
    .where("period", "=", value.period)
)

const spends = statement<{ readonly ownerIds: ReadonlyArray<string>; readonly periods: ReadonlyArray<string> }>(
  "usage.spends"
)((db, value, dialect) =>
  db
    .selectFrom("spends")
    .select(["ownerId", "period", "spent"])
    .where("ownerId", "in", dialect.list(value.ownerIds, "uuid"))
    .where("period", "in", dialect.list(value.periods, "text"))
)

/** Taken apart so that no sum can leave 64 bits: what is left of the budget is compared with what is asked. */
const holdSpend = statement<Spend & { budget: bigint }>("usage.holdSpend")((db, value) =>
  db
    .insertInto("spends")
    .values(valuesOf("spends", value))
    .onConflict((on) =>
      on
        .columns(["ownerId", "period"])
        .doUpdateSet((eb) => ({ pendingAmount: eb("spends.pendingAmount", "+", eb.ref("excluded.pendingAmount")) }))
        .where(sql<boolean>`${value.budget} - spends.spent - spends.pending_amount >= excluded.pending_amount`)
    )
)

const endSpend = statement<Pick<Spend, "ownerId" | "period"> & { held: bigint; charged: bigint }>("usage.endSpend")(
  (db, value) =>
    db
      .updateTable("spends")
      .set((eb) => ({
        spent: eb("spent", "+", value.charged),
        pendingAmount: eb("pendingAmount", "-", value.held)
      }))
      .where("ownerId", "=", value.ownerId)
      .where("period", "=", value.period)
      .returning(["spent", "alerted", "exceeded"])
)

const mark = (which: "alerted" | "exceeded") =>
  statement<Spend>(`usage.mark.${which}`)((db, value) =>
    db
      .insertInto("spends")
      .values(valuesOf("spends", value))
      .onConflict((on) =>
        on
          .columns(["ownerId", "period"])
          .doUpdateSet((eb) => ({ [which]: eb.ref(`excluded.${which}`) }))
          .where(`spends.${which}`, "=", sql<boolean>`false`)
      )
      .returning("spent")
  )
const marks = { alerted: mark("alerted"), exceeded: mark("exceeded") }

const takeHold = statement<Pick<Hold, "id">>("usage.takeHold")((db, value) =>
  db.deleteFrom("usageHolds").where("id", "=", value.id).returning(fieldsOf("usageHolds"))
)

interface Look {
  readonly expiresAt: Hold["expiresAt"]
  readonly limit: number
}

const expired = statement<Look>("usage.expired")((db, value) =>
  db
    .selectFrom("usageHolds")
    .select(["id", "tenantId"])
    .where("lapsed", "=", sql<boolean>`false`)
    .where("expiresAt", "<=", value.expiresAt)
    .orderBy("expiresAt")
    .orderBy("id")
    .limit(value.limit)
)

const expiredOf = statement<Look & Pick<Hold, "tenantId">>("usage.expiredOf")((db, value) =>
  db
    .selectFrom("usageHolds")
    .select(["id", "tenantId"])
    .where("tenantId", "=", value.tenantId)
    .where("lapsed", "=", sql<boolean>`false`)
    .where("expiresAt", "<=", value.expiresAt)
    .orderBy("expiresAt")
    .orderBy("id")
    .limit(value.limit)
)

const lapse = statement<Pick<Hold, "id" | "expiresAt"> & { forgetAt: Hold["expiresAt"] }>("usage.lapse")((db, value) =>
  db
    .updateTable("usageHolds")
    .set({ lapsed: sql<boolean>`true`, expiresAt: value.forgetAt })
    .where("id", "=", value.id)
    .where("lapsed", "=", sql<boolean>`false`)
    .where("expiresAt", "<=", value.expiresAt)
    .returning(fieldsOf("usageHolds"))
)

const forget = statement<Look>("usage.forget")((db, value) =>
  db
    .deleteFrom("usageHolds")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("usageHolds as old")
        .select("old.id")
        .where("old.lapsed", "=", sql<boolean>`true`)
        .where("old.expiresAt", "<=", value.expiresAt)
        .orderBy("old.expiresAt")
        .orderBy("old.id")
        .limit(value.limit)
    )
)

const place = statement<Pick<Log, "id" | "tenantId">>("usage.place")((db, value) =>
  db
    .selectFrom("usageLog")
    .select(["createdAt", "id"])
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
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
  statement<Filtered & { limit: number; offset: number }>(`usage.list${suffix}`)((db, value) =>
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

const asked = ({ before, ...query }: UsageQuery): readonly [lead: Leading, values: Filtered] => [
  leading.find((filter) => query[filter] !== null) ?? null,
  { ...query, beforeAt: before.createdAt, beforeId: before.id }
]

const bookBonus = statement<Bonus>("usage.bookBonus")((db, value) =>
  db
    .insertInto("bonusGrants")
    .values(valuesOf("bonusGrants", value))
    .onConflict((on) => on.columns(["tenantId", "month", "plan"]).doNothing())
)

/** Before every id. */
const firstId = Ids.as<"Account">("00000000-0000-0000-0000-000000000000")

/** The plans stand in the text, as in the index, which holds these accounts alone. */
const bonusAccounts = statement<{ after: Ids.AccountId; limit: number }>("usage.bonusAccounts")((db, value) =>
  db
    .selectFrom("accounts")
    .select(["id", "plan"])
    .where(sql<boolean>`plan in ('starter', 'pro')`)
    .where(sql<boolean>`status = 'active'`)
    .where("id", ">", value.after)
    .orderBy("id")
    .limit(value.limit)
)

const unspent = (ownerId: string, period: string): Spend => ({
  ownerId,
  period,
  spent: 0n,
  pendingAmount: 0n,
  alerted: false,
  exceeded: false
})

export const layer = Layer.succeed(UsageStore, {
  // A row that is not there yet has no conflict that could ask for the bound.
  beginCall: (tenantId, service, month, cap) =>
    cap !== null && cap < 1
      ? Effect.succeed(false)
      : changed(beginCall, { tenantId, service, month, used: 0, pending: 1, cap: cap ?? unboundedCalls }),
  calls: (tenantId, service, month) =>
    Effect.map(row(calls, { tenantId, service, month }), (found) => found ?? { used: 0, pending: 0 }),
  endCall: (tenantId, service, month, ended) => Effect.asVoid(write(endCall, { tenantId, service, month, ...ended })),
  holdSpend: (ownerId, period, amount, budget) =>
    budget !== null && budget < amount
      ? Effect.succeed(false)
      : changed(holdSpend, { ...unspent(ownerId, period), pendingAmount: amount, budget: budget ?? unboundedCredit }),
  spend: (ownerId, period) =>
    Effect.map(row(spend, { ownerId, period }), (found) => ({
      spent: found?.spent ?? 0n,
      pending: found?.pendingAmount ?? 0n
    })),
  spends: (ownerIds, periods) => rows(spends, { ownerIds, periods }),
  endSpend: (ownerId, period, held, charged) => writeRow(endSpend, { ownerId, period, held, charged }),
  mark: (ownerId, period, which) =>
    Effect.map(
      writeRow(marks[which], { ...unspent(ownerId, period), [which]: true }),
      (marked) => marked?.spent ?? null
    ),
  addHold: (hold) => insert("usageHolds", [hold]),
  takeHold: (id) => writeRow(takeHold, { id }),
  expired: (tenantId, expiresAt, limit) =>
    tenantId === null ? rows(expired, { expiresAt, limit }) : rows(expiredOf, { tenantId, expiresAt, limit }),
  lapse: (id, expiresAt, forgetAt) => writeRow(lapse, { id, expiresAt, forgetAt }),
  forget: (expiresAt, limit) => write(forget, { expiresAt, limit }),
  addRow: (added) => insert("usageLog", [added]),
  place: (tenantId, id) => row(place, { tenantId, id }),
  list: (query, limit, offset) => {
    const [lead, values] = asked(query)
    return rows(lists.get(lead)!, { ...values, limit, offset })
  },
  count: (query) => {
    const [lead, values] = asked(query)
    return count(counts.get(lead)!, values)
  },
  totals: (query) => {
    const [lead, values] = asked(query)
    return rows(totals.get(lead)!, values)
  },
  bookBonus: (tenantId, month, plan) => changed(bookBonus, { tenantId, month, plan }),
  bonusAccounts: (after, limit) => rows(bonusAccounts, { after: after ?? firstId, limit })
})
