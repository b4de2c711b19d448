/** Spending of budgets in SQL. The statement that reserves an amount also compares it with the limit. */
import { type BudgetPeriod, BudgetStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { changed, row, rows, write, writeRow } from "../Session.ts"
import { valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Spend = Database["spends"]

/** More credit than there is: the limit of a budget that has none. */
const unbounded = 9_223_372_036_854_775_807n

const spending = statement<Pick<Spend, "ownerId" | "period">>("budgets.spending")((db, value) =>
  db
    .selectFrom("spends")
    .select(["spent", "pendingAmount"])
    .where("ownerId", "=", value.ownerId)
    .where("period", "=", value.period)
)

const spendingOf = statement<{ readonly ownerIds: ReadonlyArray<string>; readonly periods: ReadonlyArray<string> }>(
  "budgets.spendingOf"
)((db, value, dialect) =>
  db
    .selectFrom("spends")
    .select(["ownerId", "period", "spent"])
    .where("ownerId", "in", dialect.list(value.ownerIds, "uuid"))
    .where("period", "in", dialect.list(value.periods, "text"))
)

/** Compares the amount with the rest of the limit, by subtraction alone: no sum can overflow 64 bits. */
const reserve = statement<Spend & { budget: bigint }>("budgets.reserve")((db, value) =>
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

const settle = statement<Pick<Spend, "ownerId" | "period"> & { held: bigint; charged: bigint }>("budgets.settle")(
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
  statement<Spend>(`budgets.mark.${which}`)((db, value) =>
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

const forgetReports = statement<Pick<Spend, "ownerId">>("budgets.forgetReports")((db, value) =>
  db
    .updateTable("spends")
    .set({ alerted: sql<boolean>`false`, exceeded: sql<boolean>`false` })
    .where("ownerId", "=", value.ownerId)
)

const unspent = (period: BudgetPeriod): Spend => ({
  ...period,
  spent: 0n,
  pendingAmount: 0n,
  alerted: false,
  exceeded: false
})

export const layer = Layer.succeed(BudgetStore, {
  reserve: (period, { amount, limit }) =>
    limit !== null && limit < amount
      ? Effect.succeed(false)
      : changed(reserve, { ...unspent(period), pendingAmount: amount, budget: limit ?? unbounded }),
  spending: (period) =>
    Effect.map(row(spending, period), (found) => ({ spent: found?.spent ?? 0n, pending: found?.pendingAmount ?? 0n })),
  spendingOf: (ownerIds, periods) => rows(spendingOf, { ownerIds, periods }),
  settle: (period, { reserved, spent }) => writeRow(settle, { ...period, held: reserved, charged: spent }),
  markReported: (period, threshold) =>
    Effect.map(writeRow(marks[threshold], { ...unspent(period), [threshold]: true }), (found) => found?.spent ?? null),
  forgetReports: (ownerId) => Effect.asVoid(write(forgetReports, { ownerId }))
})
