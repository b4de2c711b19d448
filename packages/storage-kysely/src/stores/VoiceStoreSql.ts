/** Voice sessions in SQL. */
import { type Instant, VoiceStore } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { insert, row, write, writeRow, writeRows } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Session = Database["voiceSessions"]
type Own = Pick<Session, "tenantId" | "id">

const find = statement<Own>("voice.find")((db, value) =>
  db
    .selectFrom("voiceSessions")
    .select(fieldsOf("voiceSessions"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

const lock = statement<Own>("voice.lock")((db, value, dialect) => {
  const found = db
    .selectFrom("voiceSessions")
    .select(fieldsOf("voiceSessions"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
  return dialect.forUpdate(found)
})

const save = statement<Session>("voice.save")((db, session) =>
  db
    .updateTable("voiceSessions")
    .set(changesOf("voiceSessions", session, ["id", "tenantId", "keyId", "botId", "createdAt", "wasCounted"]))
    .where("id", "=", session.id)
)

const lockDue = statement<{ at: Instant.Instant; limit: number }>("voice.lockDue")((db, value, dialect) => {
  const found = db
    .selectFrom("voiceSessions")
    .select(fieldsOf("voiceSessions"))
    .where("dueAt", "is not", null)
    .where("dueAt", "<=", value.at)
    .orderBy("dueAt")
    .orderBy("id")
    .limit(value.limit)
  return dialect.forUpdateSkipLocked(found)
})

const nextDue = statement("voice.nextDue")((db) =>
  db.selectFrom("voiceSessions").select("dueAt").where("dueAt", "is not", null).orderBy("dueAt").orderBy("id").limit(1)
)

export const layer = Layer.succeed(VoiceStore, {
  add: (session) => insert("voiceSessions", [session]),
  find: (tenantId, id) => row(find, { tenantId, id }),
  lock: (tenantId, id) => writeRow(lock, { tenantId, id }),
  save: (session) => Effect.asVoid(write(save, session)),
  lockDue: (at, limit) => writeRows(lockDue, { at, limit }),
  nextDue: Effect.map(row(nextDue, {}), (found) => found?.dueAt ?? null)
})
