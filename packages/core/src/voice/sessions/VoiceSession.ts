/** The life of one voice session: how it begins, and how exactly one ending wins. Pure. */
import * as Schema from "effect/Schema"
import * as Money from "../../platform/billing/Money.ts"
import { Entity, Ids, Instant } from "../../platform/kernel/index.ts"

const voiceStatuses = ["created", "active", "completed", "failed", "timeout"] as const

/** The last three are ends. Types that a host sees come from the list, so that they name nothing of Effect. */
export const VoiceStatus = Schema.Literals(voiceStatuses)
export type VoiceStatus = (typeof voiceStatuses)[number]

/** Whether there is a recording of the session. */
export const RecordingState = Schema.Literals(["none", "available", "deleted"])
export type RecordingState = typeof RecordingState.Type

export type EndStatus = Exclude<VoiceStatus, "created" | "active">

/** Its row. Source: docs/reference/voice.md#session. */
export const voiceSessionEntity = Schema.Struct({
  id: Ids.schema<"VoiceSession">(),
  tenantId: Ids.schema<"Account">(),
  /** The key that asked for it; null for the host itself. */
  keyId: Schema.NullOr(Ids.schema<"Key">()),
  /** Null while nobody has named an agent: a client describes its own. */
  botId: Schema.NullOr(Ids.schema<"Bot">()),
  /** The telephone call on which it is held; null elsewhere. */
  callId: Schema.NullOr(Ids.schema<"Call">()),
  status: VoiceStatus,
  /** Stored only while it can be used; encrypted in the store, plain in answers. */
  token: Schema.NullOr(Schema.String),
  /** Of the token, by which its session is found while the token can be used. */
  tokenDigest: Schema.NullOr(Schema.String),
  tokenExpiresAt: Instant.Iso,
  maxDurationSeconds: Schema.Int,
  /** Null: the host's media layer decides. */
  sttModel: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  llmModel: Schema.NullOr(Schema.String),
  ttsModel: Schema.NullOr(Schema.String),
  voice: Schema.NullOr(Schema.String),
  /** Values for the agent's texts. */
  variables: Schema.Record(Schema.String, Schema.String),
  /** The account's own notes about it. */
  metadata: Schema.JsonObject,
  /** When it was connected. */
  startedAt: Schema.NullOr(Instant.Iso),
  endedAt: Schema.NullOr(Instant.Iso),
  durationSeconds: Schema.NullOr(Schema.Int),
  endReason: Schema.NullOr(Schema.String),
  createdAt: Instant.Iso,
  /** When it is due to end; null when it has ended. */
  dueAt: Schema.NullOr(Instant.Iso),
  /** Whether it was counted as a conversation of the plan when it was made. */
  wasCounted: Schema.Boolean,
  /** Turns of the caller so far. */
  turnCount: Schema.Int,
  /** What its stages cost; 0 until it has ended. */
  credits: Schema.BigInt,
  recording: RecordingState,
  /** The right of the process that runs it; null where the host's own media layer does, or while nobody has its line. It stays after the end. */
  claim: Schema.NullOr(Schema.String),
  /** When that process is taken for dead, unless it renews its lease. */
  leaseUntil: Schema.NullOr(Instant.Iso),
  /** When its process last renewed the lease. */
  lastSeenAt: Schema.NullOr(Instant.Iso),
  /** How often a line that was lost has come back. */
  resumes: Schema.Int
})
export interface VoiceSession extends Schema.Struct.Type<typeof voiceSessionEntity.fields> {}

const shownEntity = Schema.Struct({ ...voiceSessionEntity.fields, credits: Schema.Finite })

const record = Entity.recordOf(shownEntity, [
  "id",
  "botId",
  "callId",
  "status",
  "token",
  "tokenExpiresAt",
  "maxDurationSeconds",
  "sttModel",
  "language",
  "llmModel",
  "ttsModel",
  "voice",
  "metadata",
  "startedAt",
  "endedAt",
  "durationSeconds",
  "endReason",
  "turnCount",
  "credits",
  "recording",
  "createdAt"
])

const priced = (session: VoiceSession) => ({ ...session, credits: Money.toNumber(session.credits) })

/** How a session is shown to its account. */
export const SessionRecord = {
  schema: record.schema,
  toWire: (session: VoiceSession) => record.toWire(priced(session)),
  shown: (session: VoiceSession) => record.shown(priced(session))
}

/** Which state may follow which; every other move is refused or changes nothing. Source: docs/reference/voice.md#states. */
export const moves: Readonly<Record<VoiceStatus, ReadonlyArray<VoiceStatus>>> = {
  created: ["active", "completed", "failed", "timeout"],
  active: ["completed", "failed", "timeout"],
  completed: [],
  failed: [],
  timeout: []
}

/** The status of reasons that are no ordinary end; every other reason is `completed`. Source: docs/reference/voice.md#reasons. */
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

const tokenTtlMs = 60 * Instant.second

export const maxSeconds = 7200
export const defaultSeconds = 1800

/** How long the host's media layer has to report the end of a session at its maximum, before it counts as unreported. */
export const reportMs = 5 * Instant.second

const maxReasonLength = 64

/** A reason is never refused, which would leave the session open: a long one is cut, an empty one is `unspecified`. */
const boundedReason = (reason: string): string => [...reason.trim()].slice(0, maxReasonLength).join("") || "unspecified"

export const isEnded = ({ status }: Pick<VoiceSession, "status">): boolean => moves[status].length === 0

/** True of a session that has ended without a connection: it was no conversation of the plan. Source: docs/reference/plans.md#conversations. */
export const isUnused = (session: Pick<VoiceSession, "status" | "startedAt" | "wasCounted">): boolean =>
  session.wasCounted && isEnded(session) && session.startedAt === null

/** What is decided about a session when it is made. */
export interface SessionFields
  extends Pick<
    VoiceSession,
    | "id"
    | "tenantId"
    | "keyId"
    | "botId"
    | "callId"
    | "maxDurationSeconds"
    | "sttModel"
    | "language"
    | "llmModel"
    | "ttsModel"
    | "voice"
    | "variables"
    | "metadata"
  > {}

/** A secret as it is stored: encrypted, and its digest. */
interface StoredToken {
  readonly encrypted: string
  readonly digest: string
}

/** A new session, whose token is valid for a minute. Without a token it can only be connected at once. */
export const begin = (fields: SessionFields, token: StoredToken | null, at: Instant.Instant): VoiceSession => {
  const tokenExpiresAt = Instant.plus(at, token === null ? 0 : tokenTtlMs)
  return {
    ...fields,
    status: "created",
    token: token?.encrypted ?? null,
    tokenDigest: token?.digest ?? null,
    tokenExpiresAt,
    startedAt: null,
    endedAt: null,
    durationSeconds: null,
    endReason: null,
    createdAt: at,
    dueAt: tokenExpiresAt,
    wasCounted: true,
    turnCount: 0,
    credits: 0n,
    recording: "none",
    claim: null,
    leaseUntil: null,
    lastSeenAt: null,
    resumes: 0
  }
}

/** The token for as long as it can be used: before the session is connected, and for a minute at most. */
export const usableToken = ({ status, token, tokenExpiresAt }: VoiceSession, at: Instant.Instant): string | null =>
  status === "created" && at < tokenExpiresAt ? token : null

/** When a session that was connected is ended by itself. */
const dueAtOf = (startedAt: Instant.Instant, { maxDurationSeconds }: Pick<VoiceSession, "maxDurationSeconds">) =>
  Instant.plus(startedAt, maxDurationSeconds * Instant.second + reportMs)

const activated = (session: VoiceSession, at: Instant.Instant): VoiceSession => ({
  ...session,
  status: "active",
  token: null,
  tokenDigest: null,
  startedAt: at,
  dueAt: dueAtOf(at, session)
})

/** What becomes known of a session once it has begun. */
export interface SessionDescription
  extends Pick<
    VoiceSession,
    "botId" | "maxDurationSeconds" | "sttModel" | "language" | "llmModel" | "ttsModel" | "voice"
  > {}

/** An active session with what has become known of it. */
export const described = (session: VoiceSession, description: Partial<SessionDescription>): VoiceSession => {
  const next = { ...session, ...description }
  return next.startedAt === null ? next : { ...next, dueAt: dueAtOf(next.startedAt, next) }
}

/** The session as it is connected, or null when it is too late for that. Connecting again changes nothing. */
export const connect = (session: VoiceSession, at: Instant.Instant): VoiceSession | null => {
  if (session.status === "active") return session
  return usableToken(session, at) === null ? null : activated(session, at)
}

/** How long a process is taken for alive after it last renewed its lease on a session. */
export const sessionLeaseMs = 20 * Instant.second

/** The session under a claim: the process that has it runs the session. */
export const claimed = (session: VoiceSession, claim: string, at: Instant.Instant): VoiceSession => ({
  ...session,
  claim,
  leaseUntil: Instant.plus(at, sessionLeaseMs),
  lastSeenAt: at
})

/** A new session as the process that makes it runs it. */
export const startLive = (session: VoiceSession, claim: string, at: Instant.Instant): VoiceSession =>
  claimed(activated(session, at), claim, at)

/** The session of a call whose media never came. Its call gives the conversation back. */
export const neverConnected = (fields: SessionFields, at: Instant.Instant): VoiceSession =>
  endOf({ ...begin(fields, null, at), wasCounted: false }, "start_failed", at)!

/** How often the line of a session may come back. */
const maxResumes = 3

/** A session on a line that its process has handed back: nobody has it, and it was not lost. */
export const handedBack = (session: VoiceSession, at: Instant.Instant): VoiceSession => ({
  ...session,
  claim: null,
  leaseUntil: Instant.plus(at, sessionLeaseMs)
})

const wasHandedBack = ({ claim }: Pick<VoiceSession, "claim">): boolean => claim === null

/** Whether the line of a session may come back. */
export const mayComeBack = (session: Pick<VoiceSession, "claim" | "resumes" | "status">): boolean =>
  session.status === "active" && (wasHandedBack(session) || session.resumes < maxResumes)

/**
 * The session on a line that has come back, under the claim of the process that has the line; null where it may not. A line that was
 * handed back was not lost: that is none of the times that it may come back.
 */
export const resumeLive = (session: VoiceSession, claim: string, at: Instant.Instant): VoiceSession | null =>
  mayComeBack(session)
    ? { ...claimed(session, claim, at), resumes: session.resumes + (wasHandedBack(session) ? 0 : 1) }
    : null

/** How long a session is kept for its call before it is looked at again. */
export const keepMs = 5 * Instant.second

/** The session whose process is gone while its call goes on. */
export const keepForCall = (session: VoiceSession, at: Instant.Instant): VoiceSession => ({
  ...session,
  leaseUntil: Instant.plus(at, keepMs)
})

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
    tokenDigest: null,
    endedAt,
    durationSeconds: session.startedAt === null ? 0 : Math.round((endedAt - session.startedAt) / Instant.second),
    endReason,
    dueAt: null,
    leaseUntil: null
  }
}

/** The end of a session whose time is over, dated to when it was over, however late that is noticed. */
export const lapse = (session: VoiceSession): VoiceSession | null =>
  session.startedAt === null
    ? endOf(session, "token_expired", session.tokenExpiresAt)
    : endOf(session, "timeout", Instant.plus(session.startedAt, session.maxDurationSeconds * Instant.second))

/** The end of a session whose process is gone, dated to its last sign of life. */
export const abandon = (session: VoiceSession, at: Instant.Instant): VoiceSession | null =>
  endOf(session, "agent_error", session.lastSeenAt ?? at)
