/** Voice sessions that a process of ours runs, in SQL. */
import { type Ids, type Instant, type LeaseTimes, LiveSessionStore, type SessionLease } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kysely, sql } from "kysely"
import { count, row, rows, write, writeRow, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Session = Database["voiceSessions"]

const sessions = (db: Kysely<Database>) => db.selectFrom("voiceSessions").select(fieldsOf("voiceSessions"))

/** As a literal: the index holds active sessions alone. */
const active = sql.lit("active" as const)

const byToken = statement<{ tokenDigest: string }>("liveSessions.byToken")((db, value) =>
  sessions(db).where("tokenDigest", "=", value.tokenDigest)
)

const lock = statement<Pick<Session, "id">>("liveSessions.lock")((db, value, dialect) =>
  dialect.forUpdate(sessions(db).where("id", "=", value.id))
)

const lockOfCall = statement<{ callId: Ids.CallId }>("liveSessions.lockOfCall")((db, value, dialect) =>
  dialect.forUpdate(sessions(db).where("callId", "=", value.callId).where("status", "=", active).limit(1))
)

const addTurns = statement<{ id: Ids.VoiceSessionId; turns: number }>("liveSessions.addTurns")((db, value) =>
  db
    .updateTable("voiceSessions")
    .set((eb) => ({ turnCount: eb("turnCount", "+", value.turns) }))
    .where("id", "=", value.id)
)

const countActive = statement<{ tenantId: Ids.AccountId; at: Instant.Instant }>("liveSessions.countActive")(
  (db, value) =>
    db
      .selectFrom("voiceSessions")
      .select((eb) => eb.fn.countAll().as("n"))
      .where("tenantId", "=", value.tenantId)
      .where("status", "=", active)
      .where("leaseUntil", ">", value.at)
)

const renew = statement<LeaseTimes & { leases: ReadonlyArray<SessionLease> }>("liveSessions.renew")(
  (db, value, dialect) =>
    db
      .updateTable("voiceSessions")
      .set({ lastSeenAt: value.lastSeenAt, leaseUntil: value.leaseUntil })
      .where("status", "=", active)
      .where(
        sql<boolean>`(id, claim) in (select lease.id, lease.claim from ${dialect.records(value.leases, "lease", {
          id: "uuid",
          claim: "text"
        })})`
      )
      .returning("id")
)

const byIds = statement<{ ids: ReadonlyArray<Ids.VoiceSessionId> }>("liveSessions.byIds")((db, value, dialect) =>
  sessions(db).where("id", "in", dialect.list(value.ids, "uuid") as never)
)

const lockLapsed = statement<{ at: Instant.Instant; limit: number }>("liveSessions.lockLapsed")((db, value, dialect) =>
  dialect.forUpdateSkipLocked(
    sessions(db)
      .where("status", "=", active)
      .where("leaseUntil", "is not", null)
      .where("leaseUntil", "<=", value.at)
      .orderBy("leaseUntil")
      .orderBy("id")
      .limit(value.limit)
  )
)

const nextLapse = statement("liveSessions.nextLapse")((db) =>
  db
    .selectFrom("voiceSessions")
    .select("leaseUntil")
    .where("status", "=", active)
    .where("leaseUntil", "is not", null)
    .orderBy("leaseUntil")
    .orderBy("id")
    .limit(1)
)

export const layer = Layer.succeed(LiveSessionStore, {
  byToken: (tokenDigest) => row(byToken, { tokenDigest }),
  lock: (id) => writeRow(lock, { id }),
  lockOfCall: (callId) => writeRow(lockOfCall, { callId }),
  addTurns: (id, turns) => Effect.asVoid(write(addTurns, { id, turns })),
  countActive: (tenantId, at) => count(countActive, { tenantId, at }),
  renew: (leases, times) =>
    Effect.map(writeRows(renew, { ...times, leases }), (renewed) => renewed.map(({ id }) => id)),
  byIds: (ids) => rows(byIds, { ids }),
  lockLapsed: (at, limit) => writeRows(lockLapsed, { at, limit }),
  nextLapse: Effect.map(row(nextLapse, {}), (found) => found?.leaseUntil ?? null)
})
