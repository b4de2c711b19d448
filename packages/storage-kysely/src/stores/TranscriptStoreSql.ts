/** What was said in voice sessions, in SQL. */
import { type Ids, type TranscriptEntry, TranscriptStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kysely, sql } from "kysely"
import { insert, rows, writeRow } from "../Session.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"
import { transcriptFields } from "../tables/VoiceSessionTables.ts"

type Entry = Database["voiceTranscripts"]
type OfSession = Pick<Entry, "sessionId">

const entries = (db: Kysely<Database>) =>
  db
    .selectFrom("voiceTranscripts")
    .select([...transcriptFields.map((field) => `voiceTranscripts.${field}` as const), "n"])

const nextIndex = statement<OfSession>("transcripts.nextIndex")((db, value) =>
  db
    .selectFrom("voiceTranscripts")
    .select(sql<number>`coalesce(max(n), -1) + 1`.as("n"))
    .where("sessionId", "=", value.sessionId)
)

const list = statement<OfSession>("transcripts.list")((db, value) =>
  entries(db).where("sessionId", "=", value.sessionId).orderBy("n")
)

/** Sessions of one call do not overlap, and their ids ascend. */
const ofCall = statement<{ tenantId: Ids.AccountId; callId: Ids.CallId }>("transcripts.ofCall")((db, value) =>
  entries(db)
    .innerJoin("voiceSessions", "voiceSessions.id", "voiceTranscripts.sessionId")
    .where("voiceSessions.callId", "=", value.callId)
    .where("voiceSessions.tenantId", "=", value.tenantId)
    .orderBy("voiceSessions.id")
    .orderBy("n")
)

const lastSaid = statement<OfSession & { limit: number }>("transcripts.lastSaid")((db, value) =>
  db
    .selectFrom("voiceTranscripts")
    .select(["role", "text"])
    .where("sessionId", "=", value.sessionId)
    .where("role", "<>", sql.lit("tool" as const))
    .orderBy("n", "desc")
    .limit(value.limit)
)

const entryOf = ({ n: index, ...entry }: Omit<Entry, "sessionId" | "tenantId" | "botId">): TranscriptEntry => ({
  ...entry,
  index
})

export const layer = Layer.succeed(TranscriptStore, {
  nextIndex: (sessionId) => Effect.map(writeRow(nextIndex, { sessionId }), (found) => found?.n ?? 0),
  add: ({ botId, id: sessionId, tenantId }, added) =>
    insert(
      "voiceTranscripts",
      added.map(({ index: n, ...entry }) => ({ ...entry, sessionId, n, tenantId, botId }))
    ),
  list: (sessionId) => Effect.map(rows(list, { sessionId }), (found) => found.map(entryOf)),
  ofCall: (tenantId, callId) => Effect.map(rows(ofCall, { tenantId, callId }), (found) => found.map(entryOf)),
  lastSaid: (sessionId, limit) => rows(lastSaid, { sessionId, limit })
})
