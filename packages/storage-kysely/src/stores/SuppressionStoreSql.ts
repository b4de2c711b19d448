/** The do-not-call list in SQL: one range seek per question. */
import { SuppressionStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, count, rows } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Entry = Database["suppressionEntries"]

const add = statement<Entry>("suppression.add")((db, entry) =>
  db
    .insertInto("suppressionEntries")
    .values(valuesOf("suppressionEntries", entry))
    .onConflict((on) => on.columns(["tenantId", "matchKey"]).doNothing())
)

const remove = statement<Pick<Entry, "tenantId" | "id">>("suppression.remove")((db, value) =>
  db.deleteFrom("suppressionEntries").where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const keysBetween = statement<{ tenantId: Entry["tenantId"]; from: Entry["matchKey"]; to: Entry["matchKey"] }>(
  "suppression.keysBetween"
)((db, value) =>
  db
    .selectFrom("suppressionEntries")
    .select("matchKey")
    .where("tenantId", "=", value.tenantId)
    .where("matchKey", ">=", value.from)
    .where("matchKey", "<", value.to)
)

const list = page<{ tenantId: Entry["tenantId"]; limit: number; offset: number }>("suppression.list")((db, value) =>
  db
    .selectFrom("suppressionEntries")
    .select(fieldsOf("suppressionEntries"))
    .where("tenantId", "=", value.tenantId)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countOf = statement<Pick<Entry, "tenantId">>("suppression.count")((db, value) =>
  db
    .selectFrom("suppressionEntries")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
)

export const layer = Layer.succeed(SuppressionStore, {
  add: (entry) => changed(add, entry),
  remove: (tenantId, id) => changed(remove, { tenantId, id }),
  keysBetween: (tenantId, from, to) =>
    Effect.map(rows(keysBetween, { tenantId, from: from as Entry["matchKey"], to: to as Entry["matchKey"] }), (found) =>
      found.map(({ matchKey }) => matchKey)
    ),
  list: (tenantId, page) => rows(list, { tenantId, ...page }),
  count: (tenantId) => count(countOf, { tenantId })
})
