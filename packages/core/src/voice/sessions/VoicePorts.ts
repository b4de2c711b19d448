/** Ports: what other rooms know about voice sessions and their calls. Each has a default for an installation without them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Money } from "../../platform/billing/index.ts"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import * as Ids from "../VoiceIds.ts"

/** What a model has found out about a conversation. */
export const sessionAnalysisFields = {
  id: Ids.schema<"VoiceAnalysis">(),
  status: Schema.Literals(["pending", "completed", "failed"]),
  summary: Schema.NullOr(Schema.String),
  outcome: Schema.NullOr(Schema.String),
  sentiment: Schema.NullOr(Schema.Literals(["positive", "neutral", "negative"])),
  score: Schema.NullOr(Schema.Finite),
  results: Schema.NullOr(Schema.JsonObject),
  model: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  createdAt: Instant.Iso,
  completedAt: Schema.NullOr(Instant.Iso)
}
export interface SessionAnalysis extends Schema.Struct.Type<typeof sessionAnalysisFields> {}

export const AnalysisRecord = Entity.recordOf(
  Schema.Struct(sessionAnalysisFields),
  Object.keys(sessionAnalysisFields) as Array<keyof typeof sessionAnalysisFields>
)

/** How an analysis is answered, by itself and with its session. */
export const AnalysisBody = AnalysisRecord.schema.annotate({ identifier: "VoiceSessionAnalysis" })

/** What its fields mean. */
export const analysisTexts = {
  "VoiceSessionAnalysis.id": "Id of the analysis",
  "VoiceSessionAnalysis.status": "Status of the analysis",
  "VoiceSessionAnalysis.summary": "What was said, in short; null until it is completed",
  "VoiceSessionAnalysis.outcome": "The one of the agent's outcomes that fits; null for none",
  "VoiceSessionAnalysis.sentiment": "The caller's sentiment; null where it is not known",
  "VoiceSessionAnalysis.score": "How well it went, from 0 to 1; null where it is not known",
  "VoiceSessionAnalysis.results": "The agent's fields by name; null until it is completed",
  "VoiceSessionAnalysis.model": "Language model that was asked; null before",
  "VoiceSessionAnalysis.error": "Why it failed; null when it did not",
  "VoiceSessionAnalysis.completed_at": "Time at which it was completed or failed; null before"
}

export interface SessionAnalyses {
  /** The latest analysis of each session that has one. */
  readonly find: (
    sessionIds: ReadonlyArray<Ids.VoiceSessionId>
  ) => Effect.Effect<ReadonlyMap<Ids.VoiceSessionId, SessionAnalysis>, StorageError, Read>
}

export const SessionAnalyses = Context.Reference<SessionAnalyses>("@trunkline/core/voice/sessions/SessionAnalyses", {
  defaultValue: () => ({ find: () => Effect.succeed(new Map()) })
})

/** What a call has cost so far, and its started minutes. */
export interface CallCost {
  readonly credits: Money.Nano
  readonly minutes: number
}

export interface CallCosts {
  /** Null for a call that has cost nothing. */
  readonly find: (callId: Ids.CallId) => Effect.Effect<CallCost | null, StorageError, Read>
}

export const CallCosts = Context.Reference<CallCosts>("@trunkline/core/voice/sessions/CallCosts", {
  defaultValue: () => ({ find: () => Effect.succeed(null) })
})

export interface LiveCalls {
  /** Those of these calls that have not ended. */
  readonly isUp: (callIds: ReadonlyArray<Ids.CallId>) => Effect.Effect<ReadonlySet<Ids.CallId>, StorageError, Read>
  /** Calls of an account that are going to be sessions, and have a place for them. */
  readonly countAwaiting: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
  /**
   * Names the session that begins on a call, whose lock the caller has. Succeeds with whether the call had a place for it and a
   * conversation of the plan: the session has both from now on. Null, and nothing is changed, where the call is to end.
   */
  readonly begin: (
    callId: Ids.CallId,
    id: Ids.VoiceSessionId
  ) => Effect.Effect<{ readonly hadPlace: boolean } | null, StorageError, Tx | Read>
  /**
   * Names the failed session of a call whose media never came, and stops the call, whose lock the caller has. False, and nothing is
   * changed, where the call does not wait for its agent any more.
   */
  readonly giveUp: (callId: Ids.CallId, id: Ids.VoiceSessionId) => Effect.Effect<boolean, StorageError, Tx | Read>
}

export const LiveCalls = Context.Reference<LiveCalls>("@trunkline/core/voice/sessions/LiveCalls", {
  defaultValue: () => ({
    isUp: () => Effect.succeed(new Set()),
    countAwaiting: () => Effect.succeed(0),
    begin: () => Effect.succeed({ hadPlace: false }),
    giveUp: () => Effect.succeed(false)
  })
})
