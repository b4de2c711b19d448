/** Grants of bonuses in SQL. */
import { BonusStore, Ids } from "@trunkline/core/storage"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { changed, rows } from "../Session.ts"
import { valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Bonus = Database["bonusGrants"]

const record = statement<Bonus>("bonuses.record")((db, value) =>
  db
    .insertInto("bonusGrants")
    .values(valuesOf("bonusGrants", value))
    .onConflict((on) => on.columns(["tenantId", "month", "plan"]).doNothing())
)

/** The plans stand in the text, as in the index, which holds these accounts alone. One that moves has its bonus where it arrives. */
const accounts = statement<{ after: Ids.AccountId; limit: number }>("bonuses.accounts")((db, value) =>
  db
    .selectFrom("accounts")
    .select(["id", "plan"])
    .where(sql<boolean>`plan in ('starter', 'pro')`)
    .where(sql<boolean>`status = 'active'`)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("accountMoves")
            .select("accountMoves.tenantId")
            .whereRef("accountMoves.tenantId", "=", "accounts.id")
        )
      )
    )
    .where("id", ">", value.after)
    .orderBy("id")
    .limit(value.limit)
)

export const layer = Layer.succeed(BonusStore, {
  record: (grant) => changed(record, grant),
  accounts: (after, limit) => rows(accounts, { after: after ?? Ids.first(), limit })
})
