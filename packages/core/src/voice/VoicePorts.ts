/** Ports: what other rooms know about voice sessions and their calls. Each has a default for an installation without them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Entity, Ids, Instant } from "../kernel/index.ts"
import type { Read, StorageError } from "../storage/index.ts"

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

export interface SessionAnalyses {
  /** The latest analysis of each session that has one. */
  readonly find: (
    sessionIds: ReadonlyArray<Ids.VoiceSessionId>
  ) => Effect.Effect<ReadonlyMap<Ids.VoiceSessionId, SessionAnalysis>, StorageError, Read>
}

export const SessionAnalyses = Context.Reference<SessionAnalyses>("@trunkline/core/voice/SessionAnalyses", {
  defaultValue: () => ({ find: () => Effect.succeed(new Map()) })
})
