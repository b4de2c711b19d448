/** Agents in SQL. */
import { BotStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { count, insert, row, rows, write, writeRow } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Bot = Database["bots"]

const find = statement<Pick<Bot, "tenantId" | "id">>("bots.find")((db, value) =>
  db.selectFrom("bots").select(fieldsOf("bots")).where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const lock = statement<Pick<Bot, "tenantId" | "id">>("bots.lock")((db, value, dialect) => {
  const found = db
    .selectFrom("bots")
    .select(fieldsOf("bots"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
  return dialect.forUpdate(found)
})

const save = statement<Bot>("bots.save")((db, bot) =>
  db
    .updateTable("bots")
    .set(changesOf("bots", bot, ["id", "tenantId", "createdAt"]))
    .where("id", "=", bot.id)
    .where("tenantId", "=", bot.tenantId)
)

const remove = statement<Pick<Bot, "tenantId" | "id">>("bots.remove")((db, value) =>
  db.deleteFrom("bots").where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const list = page<{ tenantId: Bot["tenantId"]; limit: number; offset: number }>("bots.list")((db, value) =>
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
  lock: (tenantId, id) => writeRow(lock, { tenantId, id }),
  save: (bot) => Effect.asVoid(write(save, bot)),
  remove: (tenantId, id) => Effect.asVoid(write(remove, { tenantId, id })),
  list: (tenantId, page) => rows(list, { tenantId, ...page }),
  count: (tenantId) => count(countOf, { tenantId })
})
