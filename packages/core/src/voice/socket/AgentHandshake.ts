/** Who may open a conversation's socket. Source: docs/reference/voice-agent.md#socket. */
import * as Effect from "effect/Effect"
import { keyConnections, type NotAdmitted } from "../../gateway/admission/index.ts"
import { type InferenceRefused, refuse, storageUnavailable } from "../../gateway/errors/index.ts"
import type { ApiKeys } from "../../platform/accounts/index.ts"
import type { SocketRequest } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { type Connected, defaultVoiceSeconds, type KeepRoom, LiveSessions } from "../sessions/index.ts"

/** The prefix of a session's token. */
const tokenPrefix = "vst_"

const permissions = ["llm", "stt", "tts"] as const

interface Credential {
  readonly text: string
  /** The subprotocol of the answer; null where none is offered. */
  readonly protocol: string | null
}

/** Of the header, or of the subprotocols, which browsers can send. Null where there is none; the query has none. */
export const credentialOf = ({
  headers,
  protocols
}: Pick<SocketRequest, "headers" | "protocols">): Credential | null => {
  const [first, second] = protocols
  // A client that offers subprotocols expects one of them in the answer, whatever its header has.
  const protocol = first !== undefined && /^(?:token|bearer)$/i.test(first) ? first : null
  const header = /^(?:token|bearer)\s+(\S+)$/i.exec(headers.authorization?.trim() ?? "")
  if (header?.[1] !== undefined) return { text: header[1], protocol }
  return protocol === null || second === undefined ? null : { text: second, protocol }
}

/** Who has connected. */
export interface SocketCaller {
  readonly protocol: string | null
  readonly key: ApiKeys.ApiKey | null
  /** The session that is connected; for a token of an account with too many, that session as it has ended. */
  readonly connected: Connected
  /** Releases the key's place. */
  readonly release: Effect.Effect<void>
}

/** A key has a session of its own, which its settings describe. */
const newSession = {
  botId: null,
  callId: null,
  maxDurationSeconds: defaultVoiceSeconds,
  variables: {},
  metadata: {},
  sttModel: null,
  language: null,
  llmModel: null,
  ttsModel: null,
  voice: null
}

const noCredential = refuse("invalid_api_key", {
  message:
    "Send Authorization: Token or Bearer, or Sec-WebSocket-Protocol: token or bearer, with an API key or a session's token."
})

const noRoom = refuse("too_many_concurrent_requests", {
  message: "The account has as many voice sessions on this server as one account may have. Wait for one to end.",
  retryAfterSeconds: 1
})

/** A refusal without figures of a key. */
const plain = (error: InferenceRefused | StorageError): Effect.Effect<never, NotAdmitted> =>
  error._tag === "InferenceRefused"
    ? Effect.fail({ refused: error, allowance: null })
    : Effect.andThen(Effect.logError(error), Effect.fail({ refused: storageUnavailable, allowance: null }))

export interface AgentHandshake {
  /** Checks a handshake as every request of `/v1/*` is checked. A key's place is kept until it is released. */
  readonly admit: (request: SocketRequest, keepRoom: KeepRoom) => Effect.Effect<SocketCaller, NotAdmitted>
}

export const makeAgentHandshake = Effect.gen(function* () {
  const connect = yield* keyConnections
  const live = yield* LiveSessions

  const byToken = Effect.fnUntraced(function* (
    { protocol, text }: Credential,
    { headers }: SocketRequest,
    keepRoom: KeepRoom
  ) {
    const from = { token: text, origin: headers.origin, referer: headers.referer, keepRoom }
    const connected = yield* Effect.catch(live.connectByToken(from), plain)
    return { protocol, key: null, connected, release: Effect.void }
  })

  const byKey = Effect.fnUntraced(function* (
    { protocol, text }: Credential,
    request: SocketRequest,
    keepRoom: KeepRoom
  ) {
    const { key, principal, release } = yield* connect(text, request, permissions)
    const { account, tenantId } = principal
    if (!keepRoom(tenantId)) return yield* Effect.andThen(release, plain(noRoom))
    const payer = { tenantId, plan: account.plan, monthlyBudget: account.monthlyBudget, key }
    const begun = yield* live.begin({ ...newSession, payer }).pipe(
      Effect.catch(plain),
      Effect.onError(() => release)
    )
    return { protocol, key, connected: { _tag: "Connected", live: begun } as const, release }
  })

  const admit: AgentHandshake["admit"] = (request, keepRoom) => {
    const credential = credentialOf(request)
    if (credential === null) return plain(noCredential)
    const by = credential.text.startsWith(tokenPrefix) ? byToken : byKey
    return by(credential, request, keepRoom)
  }

  return { admit } satisfies AgentHandshake
})
