/** Totals of accounts in SQL: triggers of the tables that they are about write them, see AccountTotalTriggers.ts. */
import { type AccountTotal, AccountTotals, accountTotals } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { row, rows } from "../Session.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Total = Database["accountTotals"]

const one = statement<Pick<Total, "tenantId" | "name">>("accountTotals.read")((db, value) =>
  db.selectFrom("accountTotals").select("n").where("tenantId", "=", value.tenantId).where("name", "=", value.name)
)

const all = statement<Pick<Total, "tenantId">>("accountTotals.all")((db, value) =>
  db.selectFrom("accountTotals").select(["name", "n"]).where("tenantId", "=", value.tenantId)
)

export const layer = Layer.succeed(AccountTotals, {
  read: (tenantId, name) => Effect.map(row(one, { tenantId, name }), (found) => found?.n ?? 0),
  all: (tenantId) =>
    Effect.map(rows(all, { tenantId }), (found) => {
      const stored = new Map<string, number>(found.map(({ n, name }) => [name, n]))
      return Object.fromEntries(accountTotals.map((name) => [name, stored.get(name) ?? 0])) as Record<
        AccountTotal,
        number
      >
    })
})
