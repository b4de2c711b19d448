/** Voice sessions, for a host that uses promises: its media layer says when a caller is on the line, and when no more. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { TranscriptRole } from "../../calling/calls/index.ts"
import { Accounts } from "../../platform/accounts/index.ts"
import { Money } from "../../platform/billing/index.ts"
import { type Instant, type Paged, Wire } from "../../platform/kernel/index.ts"
import {
  newSessionOf,
  type RecordingState,
  Recordings,
  type SessionCost,
  SessionRecord,
  SessionRecords,
  type VoiceSession,
  VoiceSessions,
  type VoiceStatus
} from "../../voice/sessions/index.ts"
import * as VoiceApi from "../../voice/sessions/VoiceApi.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, type PageOptions, shownPage } from "../Facade.ts"
import * as Ids from "../HostIds.ts"
import { TrunklineError } from "../TrunklineError.ts"

type JsonValue = string | number | boolean | null | ReadonlyArray<JsonValue> | VoiceMetadata

/** Notes of the account: an object of JSON. */
export interface VoiceMetadata {
  readonly [name: string]: JsonValue
}

/** Source: docs/reference/voice.md#session. */
export interface NewVoiceSessionRequest {
  /** The agent that speaks. */
  readonly botId: string
  /** 1 to 7200. Default 1800. */
  readonly maxDurationSeconds?: number | null
  /** Default: the agent's own, from its `config`. */
  readonly sttModel?: string | null
  /** The language of the conversation; the agent's by default. */
  readonly language?: string | null
  /** Default: the agent's own, from `model`, `tts_model` and `voice` of its `config`. */
  readonly llmModel?: string | null
  /** The model that speaks; the agent's by default. */
  readonly ttsModel?: string | null
  /** The voice of that model; the agent's by default. */
  readonly voice?: string | null
  /** Values for the agent's texts; up to 16 KiB of JSON. */
  readonly variables?: Readonly<Record<string, string>> | null
  /** Notes of your own; up to 4 KiB of JSON. */
  readonly metadata?: VoiceMetadata | null
}

const newSession = Arguments.given<NewVoiceSessionRequest>()(
  Schema.Struct(Wire.fromWire(VoiceApi.NewVoiceSession.fields))
)

/** Source: docs/reference/voice.md#session. */
export interface VoiceSessionRecord {
  /** The id of the session. */
  readonly id: Ids.VoiceSessionId
  /** Null where a client has described its own agent. */
  readonly botId: Ids.BotId | null
  /** The call that it is held on; null for a session without one. */
  readonly callId: Ids.CallId | null
  /** Whether the session waits for its caller, is held, or has ended. */
  readonly status: VoiceStatus
  /** Null once it can no longer be used. */
  readonly token: string | null
  /** Until when a client may connect with the session's token. */
  readonly tokenExpiresAt: Instant.Instant
  /** The longest time from the connection on, in seconds. */
  readonly maxDurationSeconds: number
  /** The model that hears. */
  readonly sttModel: string | null
  /** The language of the conversation; null where none was set. */
  readonly language: string | null
  /** The model that thinks. */
  readonly llmModel: string | null
  /** The model that speaks. */
  readonly ttsModel: string | null
  /** The voice of that model; null for its own standard. */
  readonly voice: string | null
  /** What the creator of the session has noted with it. */
  readonly metadata: VoiceMetadata
  /** When it was connected. */
  readonly startedAt: Instant.Instant | null
  /** When it ended; null before that. */
  readonly endedAt: Instant.Instant | null
  /** How long it lasted, in seconds; null before its end. */
  readonly durationSeconds: number | null
  /** Why it ended; null before that. */
  readonly endReason: string | null
  /** The number of turns of the caller. */
  readonly turnCount: number
  /** What its models cost, once it has ended. */
  readonly credits: number
  /** Whether there is a recording. */
  readonly recording: RecordingState
  /** When it was made. */
  readonly createdAt: Instant.Instant
}

/** What was said, or a function that was called. What was not measured is null. Source: docs/reference/voice.md#transcript. */
export interface VoiceTranscriptEntry {
  /** The id of the entry. */
  readonly id: Ids.TranscriptEntryId
  /** From 0, in the order in which it was said. */
  readonly index: number
  /** Who said it; `tool` for a function that the agent has called. */
  readonly role: TranscriptRole
  /** As it was heard; empty for a function. */
  readonly text: string
  /** When it began to be spoken. */
  readonly startedAt: Instant.Instant
  /** Since the session began. */
  readonly offsetMs: number
  /** How long it was heard, in milliseconds; null where that was not measured. */
  readonly durationMs: number | null
  /** The caller did not let the agent finish: `text` ends with the last word that was heard. */
  readonly interrupted: boolean
  /** The model that has written it; null where none has. */
  readonly model: string | null
  /** Milliseconds between the end of speech and the decision that the turn is over. */
  readonly eouMs: number | null
  /** Milliseconds that the speech-to-text model took. */
  readonly sttMs: number | null
  /** Milliseconds until the first token of the language model. */
  readonly llmMs: number | null
  /** Milliseconds until the first sound of the text-to-speech model. */
  readonly ttsMs: number | null
  /** Milliseconds between the end of speech and the first sound of the reply. */
  readonly totalMs: number | null
  /** `result` is null where nothing has come of it. */
  readonly tool: { readonly name: string; readonly arguments: string; readonly result: string | null } | null
}

/** Source: docs/reference/voice.md#cost. */
export interface VoiceSessionCost {
  /** The session that was asked for. */
  readonly sessionId: Ids.VoiceSessionId
  /** What models and call have cost together, in credits. */
  readonly totalCredits: number
  /** What each model has cost. */
  readonly items: ReadonlyArray<Omit<SessionCost["items"][number], "credits"> & { readonly credits: number }>
  /** What the call has cost; null for a session without one. */
  readonly call: { readonly credits: number; readonly minutes: number } | null
}

export interface VoiceFacade {
  /** Makes a session with a token that lives for a minute. Source: docs/reference/voice.md#session. */
  readonly create: (
    accountId: string,
    session: NewVoiceSessionRequest,
    options?: CallOptions
  ) => Promise<VoiceSessionRecord>
  /** One session. Throws `session_not_found` where the account has no such session. */
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<VoiceSessionRecord>
  /** Newest first. */
  readonly list: (
    accountId: string,
    options?: PageOptions & { readonly status?: VoiceStatus; readonly botId?: string; readonly callId?: string }
  ) => Promise<Paged<VoiceSessionRecord>>
  /** What was said, in its order; also while the session runs. Source: docs/reference/voice.md#transcript. */
  readonly transcript: (
    accountId: string,
    id: string,
    options?: CallOptions
  ) => Promise<ReadonlyArray<VoiceTranscriptEntry>>
  /** What it has cost, its call included. Source: docs/reference/voice.md#cost. */
  readonly cost: (accountId: string, id: string, options?: CallOptions) => Promise<VoiceSessionCost>
  /** Removes the recording of a session that has ended. Source: docs/reference/voice.md#recording. */
  readonly removeRecording: (accountId: string, id: string, options?: CallOptions) => Promise<void>
  /**
   * The caller is on the line; emits `voice_session.started`, once. Rejects with `voice_session_closed` (409) when the session
   * has ended or its token has expired, and when `token` is given and is not the session's.
   */
  readonly connected: (
    accountId: string,
    id: string,
    options?: CallOptions & { readonly token?: string }
  ) => Promise<VoiceSessionRecord>
  /** The session is over; answers how it has ended. Of several ends the first decides. Source: docs/reference/voice.md#reasons. */
  readonly end: (accountId: string, id: string, reason: string, options?: CallOptions) => Promise<VoiceSessionRecord>
}

const closed = new TrunklineError(
  "voice_session_closed",
  409,
  "The session has ended, or its token is another or has expired"
)

const shown: (session: VoiceSession) => VoiceSessionRecord = SessionRecord.shown

const shownCost = ({ call, items, ...cost }: SessionCost): VoiceSessionCost => ({
  ...cost,
  totalCredits: Money.toNumber(cost.totalCredits),
  items: items.map((item) => ({ ...item, credits: Money.toNumber(item.credits) })),
  call: call === null ? null : { ...call, credits: Money.toNumber(call.credits) }
})

const { accountId, anyAccountId, argument, callOptions, listOptions, options, record } = Arguments
const listed = listOptions(
  Schema.Struct({ ...Wire.fromWire(VoiceApi.voiceQuery), ...Arguments.signal }),
  VoiceApi.voicePages
)
const id = argument("id", Ids.schema<"VoiceSession">())
const withToken = options(Schema.Struct({ token: Schema.optionalKey(Schema.String), ...Arguments.signal }))

export const voiceFacade = (method: Method): VoiceFacade => ({
  create: method([accountId, record("session", newSession), callOptions], (tenantId, given) =>
    Effect.gen(function* () {
      const { plan } = yield* Accounts.use((accounts) => accounts.get(tenantId))
      const wanted = newSessionOf(given)
      return shown(yield* VoiceSessions.use((voice) => voice.create(tenantId, { plan, key: null }, wanted)))
    })
  ),
  get: method([accountId, id, callOptions], (tenantId, id) =>
    Effect.map(
      VoiceSessions.use((voice) => voice.get(tenantId, id)),
      shown
    )
  ),
  list: method([accountId, listed], (tenantId, { botId, callId, status, ...page }) => {
    const filter = { status: status ?? null, botId: botId ?? null, callId: callId ?? null }
    return Effect.map(
      VoiceSessions.use((voice) => voice.list(tenantId, filter, page)),
      shownPage(shown)
    )
  }),
  transcript: method([accountId, id, callOptions], (tenantId, id) =>
    SessionRecords.use((records) => records.transcript(tenantId, id))
  ),
  cost: method([accountId, id, callOptions], (tenantId, id) =>
    Effect.map(
      SessionRecords.use((records) => records.cost(tenantId, id)),
      shownCost
    )
  ),
  removeRecording: method([accountId, id, callOptions], (tenantId, id) =>
    Recordings.use((recordings) => recordings.remove(tenantId, id))
  ),
  connected: method([accountId, id, withToken], (tenantId, id, { token }) =>
    Effect.flatMap(
      VoiceSessions.use((voice) => voice.connected(tenantId, id, token ?? null)),
      (found) => (found === null ? Effect.fail(closed) : Effect.succeed(shown(found)))
    )
  ),
  end: method([anyAccountId, id, argument("reason", Schema.String), callOptions], (tenantId, id, reason) =>
    Effect.map(
      VoiceSessions.use((voice) => voice.end(tenantId, id, reason)),
      shown
    )
  )
})
