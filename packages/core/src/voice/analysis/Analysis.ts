/** The life of an analysis: asked for, run a few times where its upstream fails, and done once. Pure. Source: docs/reference/voice-agent.md#analysis. */
import * as Schema from "effect/Schema"
import type { EventOf } from "../../platform/events/index.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { type SessionAnalysis, type SpokenSession, sessionAnalysisFields } from "../sessions/index.ts"
import type { voiceAnalysisCompleted } from "./AnalysisEventEntries.ts"

/** Its row: a session has one, the latest. */
export const analysisEntity = Schema.Struct({
  ...sessionAnalysisFields,
  sessionId: Ids.schema<"VoiceSession">(),
  tenantId: Ids.schema<"Account">(),
  /** How often it has been begun. */
  attempts: Schema.Int,
  /** When it is due, or when the claim of its process runs out; null when it is done. */
  dueAt: Schema.NullOr(Instant.Iso),
  claim: Schema.NullOr(Schema.String)
})
export interface Analysis extends Schema.Struct.Type<typeof analysisEntity.fields> {}

/** The result of an analysis. */
export type Findings = Pick<SessionAnalysis, "summary" | "outcome" | "sentiment" | "score"> & {
  readonly results: NonNullable<SessionAnalysis["results"]>
}

/** Waits before the second and the third attempt: the last one is ten minutes after the first. */
const retryMs: ReadonlyArray<number> = [2 * Instant.minute, 8 * Instant.minute]

/** Attempts that may begin: those that fail, and further ones whose process died. */
export const maxAttempts = retryMs.length + 1

/** A new analysis, due at once. */
export const requested = (of: Pick<Analysis, "id" | "sessionId" | "tenantId">, at: Instant.Instant): Analysis => ({
  ...of,
  status: "pending",
  summary: null,
  outcome: null,
  sentiment: null,
  score: null,
  results: null,
  model: null,
  error: null,
  createdAt: at,
  completedAt: null,
  attempts: 0,
  dueAt: at,
  claim: null
})

const done = { dueAt: null, claim: null } as const

export const completed = (
  analysis: Analysis,
  findings: Findings,
  { at, model }: { readonly at: Instant.Instant; readonly model: string }
): Analysis => ({ ...analysis, ...findings, ...done, model, status: "completed", completedAt: at })

/** `error` is a sentence of our own. */
export const failed = (
  analysis: Analysis,
  error: string,
  { at, model }: { readonly at: Instant.Instant; readonly model: string | null }
): Analysis => ({ ...analysis, ...done, model, error, status: "failed", completedAt: at })

/** The analysis after an attempt that may be repeated: due later, or null where that was the last one. */
export const postponed = (analysis: Analysis, at: Instant.Instant): Analysis | null => {
  const waitMs = retryMs[analysis.attempts - 1]
  return waitMs === undefined ? null : { ...analysis, claim: null, dueAt: Instant.plus(at, waitMs) }
}

/** The analysis of a process that stops: it begins again elsewhere, and the attempt does not count. */
export const released = (analysis: Analysis, at: Instant.Instant): Analysis => ({
  ...analysis,
  claim: null,
  attempts: analysis.attempts - 1,
  dueAt: at
})

/** What receivers learn of a completed analysis. */
export const eventOf = (
  analysis: Analysis,
  { botId, callId }: Pick<SpokenSession, "botId" | "callId">,
  at: Instant.Instant
): EventOf<typeof voiceAnalysisCompleted> => ({
  event: "voice_analysis.completed",
  tenantId: analysis.tenantId,
  botId,
  data: {
    analysis_id: analysis.id,
    call_id: callId,
    session_id: analysis.sessionId,
    bot_id: botId,
    summary: analysis.summary,
    score: analysis.score,
    results: { ...analysis.results, outcome: analysis.outcome, sentiment: analysis.sentiment },
    completed_at: Instant.toIso(at)
  }
})
