/** Voice sessions, for a host that uses promises: its media layer says when a caller is on the line, and when no more. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Accounts } from "../../access/index.ts"
import { Ids, type Instant, Wire } from "../../kernel/index.ts"
import { SessionRecord, type VoiceSession, VoiceSessions, type VoiceStatus } from "../../voice/index.ts"
import * as VoiceApi from "../../voice/VoiceApi.ts"
import * as Arguments from "../Arguments.ts"
import type { CallOptions, Method } from "../Facade.ts"
import { TrunklineError } from "../TrunklineError.ts"

/** Source: docs/voice.md#session. */
export interface NewVoiceSessionRequest {
  readonly botId: string
  /** 1 to 7200. Default 1800. */
  readonly maxDurationSeconds?: number | null
  /** Default: the agent's own, from its `config`. */
  readonly sttModel?: string | null
  readonly language?: string | null
}

const newSession = Arguments.given<NewVoiceSessionRequest>()(
  Schema.Struct(Wire.fromWire(VoiceApi.NewVoiceSession.fields))
)

/** Source: docs/voice.md#session. */
export interface VoiceSessionRecord {
  readonly id: Ids.VoiceSessionId
  readonly botId: Ids.BotId
  readonly status: VoiceStatus
  /** Null once it can no longer be used. */
  readonly token: string | null
  readonly tokenExpiresAt: Instant.Instant
  readonly maxDurationSeconds: number
  readonly sttModel: string | null
  readonly language: string | null
  /** When it was connected. */
  readonly startedAt: Instant.Instant | null
  readonly endedAt: Instant.Instant | null
  readonly durationSeconds: number | null
  readonly endReason: string | null
  readonly createdAt: Instant.Instant
}

export interface VoiceFacade {
  /** Makes a session with a token that lives for a minute. Source: docs/voice.md#session. */
  readonly create: (
    accountId: string,
    session: NewVoiceSessionRequest,
    options?: CallOptions
  ) => Promise<VoiceSessionRecord>
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<VoiceSessionRecord>
  /**
   * The caller is on the line; emits `voice_session.started`, once. Rejects with `voice_session_closed` (409) when the session
   * has ended or its token has expired, and when `token` is given and is not the session's.
   */
  readonly connected: (
    accountId: string,
    id: string,
    options?: CallOptions & { readonly token?: string }
  ) => Promise<VoiceSessionRecord>
  /** The session is over; answers how it has ended. Of several ends the first decides. Source: docs/voice.md#reasons. */
  readonly end: (accountId: string, id: string, reason: string, options?: CallOptions) => Promise<VoiceSessionRecord>
}

const closed = new TrunklineError(
  "voice_session_closed",
  409,
  "The session has ended, or its token is another or has expired"
)

const shown: (session: VoiceSession) => VoiceSessionRecord = SessionRecord.shown

const { accountId, argument, callOptions, options, record } = Arguments
const id = argument("id", Ids.schema<"VoiceSession">())
const withToken = options(Schema.Struct({ token: Schema.optionalKey(Schema.String), ...Arguments.signal }))

export const voiceFacade = (method: Method): VoiceFacade => ({
  create: method([accountId, record("session", newSession), callOptions], (tenantId, given) =>
    Effect.gen(function* () {
      const { plan } = yield* Accounts.use((accounts) => accounts.get(tenantId))
      const wanted = {
        botId: given.botId,
        maxDurationSeconds: given.maxDurationSeconds ?? null,
        sttModel: given.sttModel ?? null,
        language: given.language ?? null
      }
      return shown(yield* VoiceSessions.use((voice) => voice.create(tenantId, { plan, key: null }, wanted)))
    })
  ),
  get: method([accountId, id, callOptions], (tenantId, id) =>
    Effect.map(
      VoiceSessions.use((voice) => voice.get(tenantId, id)),
      shown
    )
  ),
  connected: method([accountId, id, withToken], (tenantId, id, { token }) =>
    Effect.flatMap(
      VoiceSessions.use((voice) => voice.connected(tenantId, id, token ?? null)),
      (found) => (found === null ? Effect.fail(closed) : Effect.succeed(shown(found)))
    )
  ),
  end: method([accountId, id, argument("reason", Schema.String), callOptions], (tenantId, id, reason) =>
    Effect.map(
      VoiceSessions.use((voice) => voice.end(tenantId, id, reason)),
      shown
    )
  )
})
