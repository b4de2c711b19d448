/** Voice sessions, for a host that uses promises: its media layer says when a caller is on the line, and when no more. */
import * as Effect from "effect/Effect"
import { Accounts } from "../access/index.ts"
import { Ids } from "../kernel/index.ts"
import { longestVoiceSeconds, type VoiceSession, VoiceSessions } from "../voice/index.ts"
import { uuid } from "./OutsideId.ts"
import { account, type CallOptions, type Run } from "./Part.ts"
import { TrunklineError } from "./TrunklineError.ts"

export interface VoicePart {
  /** Makes a session with a token that lives for a minute. Source: docs/voice.md#session. */
  readonly create: (
    accountId: string,
    session: {
      readonly botId: string
      /** 1 to 7200; half an hour unless told otherwise. */
      readonly maxDurationSeconds?: number
      /** The agent's own, from its `config`, unless told otherwise. */
      readonly sttModel?: string
      readonly language?: string
    },
    options?: CallOptions
  ) => Promise<VoiceSession>
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<VoiceSession>
  /**
   * The caller is on the line; tells `voice_session.started`, once. Rejects with `voice_session_closed` (409) when the session
   * has ended or its token has expired, and when `token` is given and is not the session's.
   */
  readonly connected: (
    accountId: string,
    id: string,
    options?: CallOptions & { readonly token?: string }
  ) => Promise<VoiceSession>
  /** The session is over; answers how it has ended. Of several ends the first decides. Source: docs/voice.md#reasons. */
  readonly end: (accountId: string, id: string, reason: string, options?: CallOptions) => Promise<VoiceSession>
}

const maxDuration = (seconds: number | undefined): number | null => {
  if (seconds === undefined) return null
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= longestVoiceSeconds) return seconds
  throw new TrunklineError(
    "max_duration_invalid",
    422,
    `maxDurationSeconds must be a whole number from 1 to ${longestVoiceSeconds}`
  )
}

const closed = () =>
  new TrunklineError("voice_session_closed", 409, "The session has ended, or its token is another or has expired")

const session = (id: string) => Ids.as<"VoiceSession">(uuid(id))

export const voicePart = (run: Run): VoicePart => ({
  create: async (accountId, { botId, language = null, maxDurationSeconds, sttModel = null }, o) => {
    const [tenantId, seconds] = [account(accountId), maxDuration(maxDurationSeconds)]
    const wanted = { botId: Ids.as<"Bot">(uuid(botId)), maxDurationSeconds: seconds, sttModel, language }
    return run(
      Effect.gen(function* () {
        const { plan } = yield* Accounts.use((accounts) => accounts.get(tenantId))
        return yield* VoiceSessions.use((voice) => voice.create(tenantId, { plan, key: null }, wanted))
      }),
      o
    )
  },
  get: async (accountId, id, o) =>
    run(
      VoiceSessions.use((voice) => voice.get(account(accountId), session(id))),
      o
    ),
  connected: async (accountId, id, { token, ...o } = {}) => {
    const found = await run(
      VoiceSessions.use((voice) => voice.connected(account(accountId), session(id), token ?? null)),
      o
    )
    if (found === null) throw closed()
    return found
  },
  end: async (accountId, id, reason, o) =>
    run(
      VoiceSessions.use((voice) => voice.end(account(accountId), session(id), reason)),
      o
    )
})
