/** Voice sessions in SQL. */
import { type Instant, type VoiceSessionFilter, VoiceStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ExpressionBuilder, sql } from "kysely"
import { count, insert, row, rows, write, writeRow, writeRows } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
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

const fixed = [
  ...(["id", "tenantId", "keyId", "callId", "createdAt", "wasCounted"] as const),
  ...(["variables", "metadata"] as const)
]

const save = statement<Session>("voice.save")((db, session) =>
  db
    .updateTable("voiceSessions")
    .set(changesOf("voiceSessions", session, fixed))
    .where("id", "=", session.id)
    .where("tenantId", "=", session.tenantId)
)

type Filtered = Pick<Session, "tenantId"> & VoiceSessionFilter
type Filter = keyof VoiceSessionFilter

/** Every set of filters that may be asked for has statements of its own: the one with bit i asks for the i-th filter. */
const filters: ReadonlyArray<Filter> = ["status", "botId", "callId"]
const shapes = Array.from({ length: 1 << filters.length }, (_, shape) =>
  filters.filter((_, bit) => (shape & (1 << bit)) !== 0)
)
const shapeOf = (filter: VoiceSessionFilter): number =>
  filters.reduce((shape, asked, bit) => (filter[asked] === null ? shape : shape | (1 << bit)), 0)

const matching = (eb: ExpressionBuilder<Database, "voiceSessions">, value: Filtered, asked: ReadonlyArray<Filter>) =>
  eb.and([eb("tenantId", "=", value.tenantId), ...asked.map((column) => eb(column, "=", value[column] as never))])

const lists = shapes.map((asked) =>
  page<Filtered & { limit: number; offset: number }>(["voice.list", ...asked].join("."))((db, value) =>
    db
      .selectFrom("voiceSessions")
      .select(fieldsOf("voiceSessions"))
      .where((eb) => matching(eb, value, asked))
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
  )
)

const counts = shapes.map((asked) =>
  statement<Filtered>(["voice.count", ...asked].join("."))((db, value) =>
    db
      .selectFrom("voiceSessions")
      .select((eb) => eb.fn.countAll().as("n"))
      .where((eb) => matching(eb, value, asked))
  )
)

const lockRecorded = statement<{ endedBy: Instant.Instant; limit: number }>("voice.lockRecorded")(
  (db, value, dialect) =>
    dialect.forUpdateSkipLocked(
      db
        .selectFrom("voiceSessions")
        .select(fieldsOf("voiceSessions"))
        .where("recording", "=", sql.lit("available" as const))
        .where("endedAt", "<=", value.endedBy)
        .orderBy("endedAt")
        .orderBy("id")
        .limit(value.limit)
    )
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
  list: (tenantId, filter, page) => rows(lists[shapeOf(filter)]!, { tenantId, ...filter, ...page }),
  count: (tenantId, filter) => count(counts[shapeOf(filter)]!, { tenantId, ...filter }),
  lockRecorded: (endedBy, limit) => writeRows(lockRecorded, { endedBy, limit }),
  lock: (tenantId, id) => writeRow(lock, { tenantId, id }),
  save: (session) => Effect.asVoid(write(save, session)),
  lockDue: (at, limit) => writeRows(lockDue, { at, limit }),
  nextDue: Effect.map(row(nextDue, {}), (found) => found?.dueAt ?? null)
})
