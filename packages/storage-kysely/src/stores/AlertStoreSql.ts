/** Alerts in SQL. */
import { AlertStore, type Instant, type Page } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { count, insert, row, rows, write, writeRow, writeRows } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Alert = Database["voiceAlerts"]
type Own = Pick<Alert, "tenantId" | "id">

const find = statement<Own>("alerts.find")((db, value) =>
  db
    .selectFrom("voiceAlerts")
    .select(fieldsOf("voiceAlerts"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

const lock = statement<Own>("alerts.lock")((db, value, dialect) => {
  const found = db
    .selectFrom("voiceAlerts")
    .select(fieldsOf("voiceAlerts"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
  return dialect.forUpdate(found)
})

const list = page<Pick<Alert, "tenantId"> & Page>("alerts.list")((db, value) =>
  db
    .selectFrom("voiceAlerts")
    .select(fieldsOf("voiceAlerts"))
    .where("tenantId", "=", value.tenantId)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const ofAccount = statement<Pick<Alert, "tenantId">>("alerts.count")((db, value) =>
  db
    .selectFrom("voiceAlerts")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
)

const save = statement<Alert>("alerts.save")((db, alert) =>
  db
    .updateTable("voiceAlerts")
    .set(changesOf("voiceAlerts", alert, ["id", "tenantId", "metric", "botId", "createdAt"]))
    .where("id", "=", alert.id)
    .where("tenantId", "=", alert.tenantId)
)

const remove = statement<Pick<Alert, "id">>("alerts.remove")((db, value) =>
  db.deleteFrom("voiceAlerts").where("id", "=", value.id)
)

const lockDue = statement<{ at: Instant.Instant; limit: number }>("alerts.lockDue")((db, value, dialect) => {
  const found = db
    .selectFrom("voiceAlerts")
    .select(fieldsOf("voiceAlerts"))
    .where("dueAt", "is not", null)
    .where("dueAt", "<=", value.at)
    .orderBy("dueAt")
    .orderBy("id")
    .limit(value.limit)
  return dialect.forUpdateSkipLocked(found)
})

const nextDue = statement("alerts.nextDue")((db) =>
  db.selectFrom("voiceAlerts").select("dueAt").where("dueAt", "is not", null).orderBy("dueAt").orderBy("id").limit(1)
)

export const layer = Layer.succeed(AlertStore, {
  add: (alert) => insert("voiceAlerts", [alert]),
  find: (tenantId, id) => row(find, { tenantId, id }),
  lock: (tenantId, id) => writeRow(lock, { tenantId, id }),
  list: (tenantId, page) => rows(list, { tenantId, ...page }),
  count: (tenantId) => count(ofAccount, { tenantId }),
  save: (alert) => Effect.asVoid(write(save, alert)),
  remove: (_, id) => Effect.asVoid(write(remove, { id })),
  lockDue: (at, limit) => writeRows(lockDue, { at, limit }),
  nextDue: Effect.map(row(nextDue, {}), (found) => found?.dueAt ?? null)
})
