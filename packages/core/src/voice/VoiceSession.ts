/** The life of one voice session: how it begins, and how exactly one ending wins. Pure. */
import * as Schema from "effect/Schema"
import { Entity, Ids, Instant, Statuses } from "../kernel/index.ts"

export type VoiceStatus = Statuses.VoiceStatus
export type EndStatus = Exclude<VoiceStatus, "created" | "active">

/** Its row. Source: docs/voice.md#session. */
export const voiceSessionEntity = Schema.Struct({
  id: Ids.schema<"VoiceSession">(),
  tenantId: Ids.schema<"Account">(),
  /** The key that asked for it; null for the host itself. */
  keyId: Schema.NullOr(Ids.schema<"Key">()),
  botId: Ids.schema<"Bot">(),
  status: Statuses.VoiceStatus,
  /** Stored only while it can be used; encrypted in the store, plain in answers. */
  token: Schema.NullOr(Schema.String),
  tokenExpiresAt: Instant.Iso,
  maxDurationSeconds: Schema.Int,
  /** Null: the host's media layer decides. */
  sttModel: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  /** When it was connected. */
  startedAt: Schema.NullOr(Instant.Iso),
  endedAt: Schema.NullOr(Instant.Iso),
  durationSeconds: Schema.NullOr(Schema.Int),
  endReason: Schema.NullOr(Schema.String),
  createdAt: Instant.Iso,
  /** When it is due to end; null when it has ended. */
  dueAt: Schema.NullOr(Instant.Iso),
  /** Whether it was counted as a conversation of the plan when it was made. */
  wasCounted: Schema.Boolean
})
export interface VoiceSession extends Schema.Struct.Type<typeof voiceSessionEntity.fields> {}

/** How a session is shown to its account. */
export const SessionRecord = Entity.recordOf(voiceSessionEntity, [
  "id",
  "botId",
  "status",
  "token",
  "tokenExpiresAt",
  "maxDurationSeconds",
  "sttModel",
  "language",
  "startedAt",
  "endedAt",
  "durationSeconds",
  "endReason",
  "createdAt"
])

/** Which state may follow which; every other move is refused or changes nothing. Source: docs/voice.md#states. */
export const moves: Readonly<Record<VoiceStatus, ReadonlyArray<VoiceStatus>>> = {
  created: ["active", "completed", "failed", "timeout"],
  active: ["completed", "failed", "timeout"],
  completed: [],
  failed: [],
  timeout: []
}

/** The status of reasons that are no ordinary end; every other reason is `completed`. Source: docs/voice.md#reasons. */
export const endings: ReadonlyMap<string, EndStatus> = new Map<string, EndStatus>([
  ["agent_error", "failed"],
  ["start_failed", "failed"],
  ["invalid_settings", "failed"],
  ["concurrency_limit", "failed"],
  ["model_unavailable", "failed"],
  ["non_settings_message_before_settings", "failed"],
  ["timeout", "timeout"],
  ["token_expired", "timeout"]
])

export const endStatusOf = (reason: string): EndStatus => endings.get(reason) ?? "completed"

export const tokenTtlMs = 60 * Instant.second

export const maxSeconds = 7200
export const defaultSeconds = 1800

/** How long the host's media layer has to report the end of a session at its maximum, before it counts as unreported. */
export const reportMs = 5 * Instant.second

const maxReasonLength = 64

/** A reason is never refused, which would leave the session open: a long one is cut, an empty one is `unspecified`. */
const boundedReason = (reason: string): string => [...reason.trim()].slice(0, maxReasonLength).join("") || "unspecified"

export const isEnded = ({ status }: Pick<VoiceSession, "status">): boolean => moves[status].length === 0

/** True of a session that has ended without a connection: it was no conversation of the plan. Source: docs/plans.md#conversations. */
export const isUnused = (session: Pick<VoiceSession, "status" | "startedAt" | "wasCounted">): boolean =>
  session.wasCounted && isEnded(session) && session.startedAt === null

/** A new session, whose token is valid for a minute. */
export const begin = (
  fields: Pick<VoiceSession, "id" | "tenantId" | "keyId" | "botId" | "maxDurationSeconds" | "sttModel" | "language">,
  token: string,
  at: Instant.Instant
): VoiceSession => {
  const tokenExpiresAt = Instant.plus(at, tokenTtlMs)
  return {
    ...fields,
    status: "created",
    token,
    tokenExpiresAt,
    startedAt: null,
    endedAt: null,
    durationSeconds: null,
    endReason: null,
    createdAt: at,
    dueAt: tokenExpiresAt,
    wasCounted: true
  }
}

/** The token for as long as it can be used: before the session is connected, and for a minute at most. */
export const usableToken = ({ status, token, tokenExpiresAt }: VoiceSession, at: Instant.Instant): string | null =>
  status === "created" && at < tokenExpiresAt ? token : null

/** The session as it is connected, or null when it is too late for that. Connecting again changes nothing. */
export const connect = (session: VoiceSession, at: Instant.Instant): VoiceSession | null => {
  if (session.status === "active") return session
  if (usableToken(session, at) === null) return null
  const dueAt = Instant.plus(at, session.maxDurationSeconds * Instant.second + reportMs)
  return { ...session, status: "active", token: null, startedAt: at, dueAt }
}

/** The session as it has ended, or null when it had before: the first end decides. */
export const endOf = (session: VoiceSession, reason: string, at: Instant.Instant): VoiceSession | null => {
  if (isEnded(session)) return null
  const endReason = boundedReason(reason)
  // Clocks of processes differ: no session ends before it began.
  const endedAt = Instant.later(at, session.startedAt ?? session.createdAt)
  return {
    ...session,
    status: endStatusOf(endReason),
    token: null,
    endedAt,
    durationSeconds: session.startedAt === null ? 0 : Math.round((endedAt - session.startedAt) / Instant.second),
    endReason,
    dueAt: null
  }
}

/** The end of a session whose time is over, dated to when it was over, however late that is noticed. */
export const lapse = (session: VoiceSession): VoiceSession | null =>
  session.startedAt === null
    ? endOf(session, "token_expired", session.tokenExpiresAt)
    : endOf(session, "timeout", Instant.plus(session.startedAt, session.maxDurationSeconds * Instant.second))
