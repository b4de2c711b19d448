/** What alerts measure, in SQL. */
import { AlertReadingStore, type AlertWindow, type Ids } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ExpressionBuilder } from "kysely"
import { sql } from "kysely"
import { row } from "../Session.ts"
import { type Build, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Span = Omit<AlertWindow, "botId">
type OfBot = Span & { readonly botId: Ids.BotId }

/** Two statements, of all agents and of one: the second is the first with a condition. */
const both = <R extends object>(name: string, build: (isOfBot: boolean) => Build<OfBot, R>) => {
  const all = statement<OfBot>(name)(build(false))
  const ofBot = statement<OfBot>(`${name}.botId`)(build(true))
  return ({ botId, ...span }: AlertWindow) =>
    Effect.map(
      // Without an agent no placeholder asks for one.
      botId === null ? row(all, span as OfBot) : row(ofBot, { ...span, botId }),
      (found) => found as R
    )
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

export const layer = Layer.succeed(AlertReadingStore, {
  endedCalls,
  placedCalls: (window) => Effect.map(placedCalls(window), ({ n }) => n),
  endedSessions,
  // Nothing has been said in a session of the host's media layer.
  replies: () => Effect.succeed(0),
  replyLatency: () => Effect.succeed(null)
})
