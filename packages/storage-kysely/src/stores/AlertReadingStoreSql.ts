/** What alerts measure, in SQL. */
import { AlertReadingStore, type AlertWindow, type Ids } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ExpressionBuilder, SelectQueryBuilder } from "kysely"
import { sql } from "kysely"
import { row } from "../Session.ts"
import { type Build, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type OfBot = Omit<AlertWindow, "botId"> & { readonly botId: Ids.BotId }
type Ranked = { readonly rank: number }

/** Two statements, of all agents and of one: the second is the first with a condition. */
const either = <R extends object, M extends object = object>(
  name: string,
  build: (isOfBot: boolean) => Build<OfBot & M, R>
) => {
  const all = statement<OfBot & M>(name)(build(false))
  const ofBot = statement<OfBot & M>(`${name}.botId`)(build(true))
  // Without an agent no placeholder asks for one.
  return (value: AlertWindow & M) => row(value.botId === null ? all : ofBot, value as OfBot & M)
}

/** The same of statements that count, which have one row whatever there is. */
const both = <R extends object>(name: string, build: (isOfBot: boolean) => Build<OfBot, R>) => {
  const found = either(name, build)
  return (window: AlertWindow) => Effect.map(found(window), (one) => one as R)
}

type Calls = ExpressionBuilder<Database, "calls">

/** A call that was never placed is canceled, and has no name at the carrier. */
const wasPlaced = (eb: Calls) => eb.or([eb("status", "<>", sql.lit("canceled")), eb("providerCallId", "is not", null)])

const endedCalls = both("readings.endedCalls", (isOfBot) => (db, value) => {
  const found = db
    .selectFrom("calls")
    .select((eb) => [eb.fn.countAll<number>().as("ended"), eb.fn.count<number>("answeredAt").as("answered")])
    .where("tenantId", "=", value.tenantId)
    .where("endedAt", ">", value.from)
    .where("endedAt", "<=", value.to)
    .where(wasPlaced)
  return isOfBot ? found.where("botId", "=", value.botId) : found
})

const placedCalls = both("readings.placedCalls", (isOfBot) => (db, value) => {
  const found = db
    .selectFrom("calls")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("tenantId", "=", value.tenantId)
    .where("startedAt", ">", value.from)
    .where("startedAt", "<=", value.to)
    .where(wasPlaced)
  return isOfBot ? found.where("botId", "=", value.botId) : found
})

const endedSessions = both("readings.endedSessions", (isOfBot) => (db, value) => {
  const found = db
    .selectFrom("voiceSessions")
    .select((eb) => [
      eb.fn.countAll<number>().as("ended"),
      sql<number>`count(case when status in ('failed', 'timeout') then 1 end)`.as("unsuccessful"),
      sql<number>`count(case when end_reason in ('caller_hangup', 'client_disconnect') then 1 end)`.as("hungUp"),
      eb.fn.count<number>("startedAt").as("connected"),
      sql<number>`coalesce(sum(case when started_at is not null then duration_seconds end), 0)`.as("seconds")
    ])
    .where("tenantId", "=", value.tenantId)
    .where("endedAt", ">", value.from)
    .where("endedAt", "<=", value.to)
  return isOfBot ? found.where("botId", "=", value.botId) : found
})

type Entries = SelectQueryBuilder<Database, "voiceTranscripts", object>

/** Replies whose latency was measured. */
const measured = (entries: Entries, value: OfBot, isOfBot: boolean) => {
  const found = entries
    .where("tenantId", "=", value.tenantId)
    .where("startedAt", ">", value.from)
    .where("startedAt", "<=", value.to)
    .where("totalMs", "is not", null)
  return isOfBot ? found.where("botId", "=", value.botId) : found
}

const replies = both(
  "readings.replies",
  (isOfBot) => (db, value) =>
    measured(db.selectFrom("voiceTranscripts"), value, isOfBot).select((eb) => eb.fn.countAll<number>().as("n"))
)

/** Found by the index, and sorted: it lies in the order of time. */
const replyLatency = either<{ readonly totalMs: number | null }, Ranked>(
  "readings.replyLatency",
  (isOfBot) => (db, value) =>
    measured(db.selectFrom("voiceTranscripts"), value, isOfBot)
      .select("totalMs")
      .orderBy("totalMs")
      .limit(1)
      .offset(value.rank)
)

export const layer = Layer.succeed(AlertReadingStore, {
  endedCalls,
  placedCalls: (window) => Effect.map(placedCalls(window), ({ n }) => n),
  endedSessions,
  replies: (window) => Effect.map(replies(window), ({ n }) => n),
  // The shortest is the first, which no row precedes.
  replyLatency: (window, rank) =>
    Effect.map(replyLatency({ ...window, rank: rank - 1 }), (found) => found?.totalMs ?? null)
})
