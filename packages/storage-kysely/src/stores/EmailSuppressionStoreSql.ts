/** The email suppression list in SQL. */
import { EmailSuppressionStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, count, rows, write } from "../Session.ts"
import { fieldsOf, valuesOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Entry = Database["emailSuppressions"]

const add = statement<Entry>("emailSuppressions.add")((db, entry) =>
  db
    .insertInto("emailSuppressions")
    .values(valuesOf("emailSuppressions", entry))
    .onConflict((on) => on.columns(["tenantId", "email"]).doNothing())
)

const remove = statement<Pick<Entry, "id" | "tenantId">>("emailSuppressions.remove")((db, value) =>
  db.deleteFrom("emailSuppressions").where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const list = page<Pick<Entry, "tenantId"> & { limit: number; offset: number }>("emailSuppressions.list")((db, value) =>
  db
    .selectFrom("emailSuppressions")
    .select(fieldsOf("emailSuppressions"))
    .where("tenantId", "=", value.tenantId)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countAll = statement<Pick<Entry, "tenantId">>("emailSuppressions.count")((db, value) =>
  db
    .selectFrom("emailSuppressions")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
)

export const layer = Layer.succeed(EmailSuppressionStore, {
  add: (entry) => Effect.asVoid(write(add, entry)),
  remove: (tenantId, id) => changed(remove, { tenantId, id }),
  list: (tenantId, page) => rows(list, { tenantId, ...page }),
  count: (tenantId) => count(countAll, { tenantId })
})
