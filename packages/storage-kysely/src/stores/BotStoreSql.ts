/** Agents in SQL. */
import { BotStore } from "@trunkline/core/effect"
import * as Layer from "effect/Layer"
import { count, insert, row, rows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Bot = Database["bots"]

const find = statement<Pick<Bot, "tenantId" | "id">>("bots.find")((db, value) =>
  db.selectFrom("bots").select(fieldsOf("bots")).where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const list = statement<{ tenantId: Bot["tenantId"]; limit: number; offset: number }>("bots.list")((db, value) =>
  db
    .selectFrom("bots")
    .select(fieldsOf("bots"))
    .where("tenantId", "=", value.tenantId)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countOf = statement<Pick<Bot, "tenantId">>("bots.count")((db, value) =>
  db
    .selectFrom("bots")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
)

export const layer = Layer.succeed(BotStore, {
  add: (bot) => insert("bots", [bot]),
  find: (tenantId, id) => row(find, { tenantId, id }),
  list: (tenantId, page) => rows(list, { tenantId, ...page }),
  count: (tenantId) => count(countOf, { tenantId })
})
