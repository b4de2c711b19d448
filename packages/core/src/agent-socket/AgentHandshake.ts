/** Who may open a conversation's socket. Source: docs/voice-agent.md#socket. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { type ApiKeys, Authentication, type Principal, type Unauthenticated } from "../access/index.ts"
import { KeyLimits, Plans, type RateLimited, type TooManyAtOnce } from "../billing/index.ts"
import { Admission, type InferenceRefused, refuse } from "../inference/index.ts"
import { Ids, Instant, leaseMs, renewing } from "../kernel/index.ts"
import type { SocketRequest } from "../room/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { type Connected, defaultVoiceSeconds, LiveSessions } from "../voice/index.ts"

/** The prefix of a session's token. */
const tokenPrefix = "vst_"

const permissions = ["llm", "stt", "tts"] as const

export interface Credential {
  readonly text: string
  /** The subprotocol of the answer; null where the credential stands in a header. */
  readonly protocol: string | null
}

/** Of the header, or of the subprotocols, which browsers can send. Null where there is none; the query has none. */
export const credentialOf = ({
  headers,
  protocols
}: Pick<SocketRequest, "headers" | "protocols">): Credential | null => {
  const header = /^(?:token|bearer)\s+(\S+)$/i.exec(headers.authorization?.trim() ?? "")
  if (header?.[1] !== undefined) return { text: header[1], protocol: null }
  const [scheme, text] = protocols
  if (scheme === undefined || text === undefined || !/^(?:token|bearer)$/i.test(scheme)) return null
  return { text, protocol: scheme }
}

/** Who has connected. */
export interface SocketCaller {
  readonly protocol: string | null
  readonly key: ApiKeys.ApiKey | null
  /** The session that is connected; for a token of an account with too many, that session as it has ended. */
  readonly connected: Connected
  /** Gives back the key's place. */
  readonly release: Effect.Effect<void>
}

/** A key has a session of its own, which its settings describe. */
const newSession = {
  ...{ botId: null, callId: null, maxDurationSeconds: defaultVoiceSeconds, variables: {}, metadata: {} },
  ...{ sttModel: null, language: null, llmModel: null, ttsModel: null, voice: null }
}

const noCredential = refuse("invalid_api_key", {
  message:
    "Send Authorization: Token or Bearer, or Sec-WebSocket-Protocol: token or bearer, with an API key or a session's token."
})

const unauthenticated = ({ detail, reason }: Unauthenticated): InferenceRefused =>
  refuse(reason === "key_expired" ? "api_key_expired" : "invalid_api_key", { message: detail })

const overLimit = (error: RateLimited | TooManyAtOnce): InferenceRefused =>
  error._tag === "TooManyAtOnce"
    ? refuse("too_many_concurrent_requests", { retryAfterSeconds: 1 })
    : refuse("rate_limit_exceeded", { retryAfterSeconds: error.retryAfterSeconds })

export class AgentHandshake extends Context.Service<
  AgentHandshake,
  {
    /** Checks a handshake as every request of `/v1/*` is checked. A key's place is kept until it is released. */
    readonly admit: (request: SocketRequest) => Effect.Effect<SocketCaller, InferenceRefused | StorageError>
  }
>()("@trunkline/core/agent-socket/AgentHandshake") {
  static readonly layer = Layer.effect(
    AgentHandshake,
    Effect.gen(function* () {
      const authentication = yield* Authentication
      const limits = yield* KeyLimits
      const live = yield* LiveSessions
      const storage = yield* Storage

      const byToken = Effect.fnUntraced(function* ({ protocol, text }: Credential, { headers }: SocketRequest) {
        const connected = yield* live.connectByToken({ token: text, origin: headers.origin, referer: headers.referer })
        return { protocol, key: null, connected, release: Effect.void }
      })

      const checked = Effect.fnUntraced(function* (text: string, request: SocketRequest) {
        const { headers, path } = request
        const asked = { method: "GET", url: path, headers, source: request }
        const principal = yield* authentication
          .identify(text, asked, { portal: false, people: false })
          .pipe(Effect.catchTag("Unauthenticated", (error) => Effect.fail(unauthenticated(error))))
        const at = yield* Instant.now
        for (const permission of permissions) {
          const needs = { signedIn: "nobody", permission, scope: null } as const
          const refused = Admission.refusalOf(
            principal,
            needs,
            { origin: headers.origin, referer: headers.referer },
            at
          )
          if (refused !== null) return yield* refused
        }
        return principal
      })

      /** One request of the key's rate, and one of its places, for as long as the connection lasts. */
      const acquired = Effect.fnUntraced(function* (key: ApiKeys.ApiKey, { account }: Principal) {
        const slot = { id: yield* Ids.fresh<"Usage">(), keyId: key.id, isReleased: false }
        const perMinute = Plans.requestsPerMinute(account.plan, key.requestsPerMinute)
        const concurrency = Plans.concurrency(key.concurrency)
        yield* limits.acquire({ id: slot.id, keyId: key.id, perMinute, concurrency, leaseMs }).pipe(
          Effect.catchTags({
            RateLimited: (error) => Effect.fail(overLimit(error)),
            TooManyAtOnce: (error) => Effect.fail(overLimit(error))
          })
        )
        const renew = (until: Instant.Instant) =>
          storage.transactWith({ durability: "relaxed" })(limits.renew(slot, until))
        const renewal = yield* Effect.forkDetach(renewing(Effect.never, { leaseMs, renew }))
        return Effect.andThen(
          Fiber.interrupt(renewal),
          Effect.catchCause(limits.releaseUnlessReleased(slot), (cause) =>
            Effect.logError("the place of a connection is held until its lease ends", cause)
          )
        )
      })

      const byKey = Effect.fnUntraced(function* ({ protocol, text }: Credential, request: SocketRequest) {
        const principal = yield* checked(text, request)
        const { account, caller, tenantId } = principal
        if (caller._tag !== "Key") return yield* noCredential
        const { key } = caller
        const payer = { tenantId, plan: account.plan, monthlyBudget: account.monthlyBudget, key }
        const release = yield* acquired(key, principal)
        const begun = yield* Effect.onError(live.begin({ ...newSession, payer }), () => release)
        return { protocol, key, connected: { _tag: "Connected", live: begun } as const, release }
      })

      const admit = (request: SocketRequest) => {
        const credential = credentialOf(request)
        if (credential === null) return Effect.fail(noCredential)
        return credential.text.startsWith(tokenPrefix) ? byToken(credential, request) : byKey(credential, request)
      }

      return AgentHandshake.of({ admit })
    })
  )
}
