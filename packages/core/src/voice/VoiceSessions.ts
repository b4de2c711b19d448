/** Voice sessions: requested by callers, connected and ended by the host's media layer. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, ApiKeys, spenderOf, spendingRefusal, Vault } from "../access/index.ts"
import { ConversationQuota, Credits, Months } from "../billing/index.ts"
import { Bots } from "../bots/index.ts"
import { type Event, Outbox } from "../events/index.ts"
import { Idempotency, requestFingerprint } from "../idempotency/index.ts"
import {
  type InferenceRefused,
  idempotencyRefusal,
  type ModelCaller,
  ModelCatalogue,
  refuse
} from "../inference/index.ts"
import { Ids, Instant, timingSafeEqual } from "../kernel/index.ts"
import { Storage, type StorageError, type Tx } from "../storage/index.ts"
import { SessionWatcher } from "./SessionWatcher.ts"
import { selectLanguage, selectSpeechModel } from "./SpeechModelSelection.ts"
import { replayedBody, sessionIdOf, storedResponse } from "./VoiceAnswer.ts"
import { eventsOf } from "./VoiceEvents.ts"
import {
  begin,
  connect,
  defaultSeconds,
  endOf,
  isEnded,
  isUnused,
  lapse,
  usableToken,
  type VoiceSession
} from "./VoiceSession.ts"
import { VoiceStore } from "./VoiceStore.ts"

export interface NewVoiceSession {
  readonly botId: Ids.BotId
  /** 1 to 7200; null for half an hour. */
  readonly maxDurationSeconds: number | null
  /** Null: the agent's own, from `stt_model` and `language` of its configuration. */
  readonly sttModel: string | null
  readonly language: string | null
}

/** Who requests a session. */
export interface VoiceCaller extends Pick<ModelCaller, "plan"> {
  /** Null for the host itself. */
  readonly key: ApiKeys.ApiKey | null
}

/** A session that was created, or the body of the response to an earlier request, as it is sent. */
export type CreatedOnce =
  | { readonly _tag: "Created"; readonly session: VoiceSession }
  | { readonly _tag: "Replayed"; readonly body: string }

/** Longer than it takes to create a session. */
const leaseMs = Instant.minute

/** Sessions that end in one transaction. */
const batchSize = 100

/** The prefix of tokens, by which people and scanners recognize them. */
const tokenPrefix = "vst_"

const noAgent = refuse("not_found", { message: "Agent not found", param: "bot_id" })
const noSession = refuse("session_not_found")

const quotaExceeded = (message: string, at: Instant.Instant): InferenceRefused =>
  refuse("quota_exceeded", { message, retryAfterSeconds: Months.secondsUntilNext(at) })

/** The text of a field of a configuration; null where it has none. */
const textOf = (config: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = config[name]
  return typeof value === "string" && value !== "" ? value : null
}

export class VoiceSessions extends Context.Service<
  VoiceSessions,
  {
    /**
     * Creates a session with a token that is valid for a minute. Fails when the agent or the model may not be used, and when the
     * account may not spend. Source: docs/credits.md#rule.
     */
    readonly create: (
      tenantId: Ids.AccountId,
      caller: VoiceCaller,
      wanted: NewVoiceSession
    ) => Effect.Effect<VoiceSession, InferenceRefused | StorageError>
    /**
     * The same under an Idempotency-Key, whose response is stored in the session's transaction and replayed, with the session's
     * token while that can be used. Fails as a speech route does for its key.
     * Source: docs/voice.md#idempotency.
     */
    readonly createOnce: (
      tenantId: Ids.AccountId,
      caller: VoiceCaller,
      wanted: NewVoiceSession,
      key: string
    ) => Effect.Effect<CreatedOnce, InferenceRefused | StorageError>
    readonly get: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<VoiceSession, InferenceRefused | StorageError>
    /**
     * Marks a session as active, and starts its maximum duration. Null when it is too late, because the session has ended or its
     * token has expired, and when `token` is given and is not the session's. Connecting again changes nothing.
     */
    readonly connected: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId,
      token: string | null
    ) => Effect.Effect<VoiceSession | null, InferenceRefused | StorageError>
    /**
     * Ends a session, and returns it as it has ended. Of any number of ends, in whatever processes, the first decides reason and
     * duration and is reported once; the others change nothing. Source: docs/voice.md#reasons.
     */
    readonly end: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId,
      reason: string
    ) => Effect.Effect<VoiceSession, InferenceRefused | StorageError>
    /** Ends sessions whose time is over; returns how many. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next session is due to end. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
  }
>()("@trunkline/core/voice/VoiceSessions") {
  static readonly layer = Layer.effect(
    VoiceSessions,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const bots = yield* Bots
      const conversations = yield* ConversationQuota
      const credits = yield* Credits
      const catalogue = yield* ModelCatalogue
      const idempotency = yield* Idempotency
      const outbox = yield* Outbox
      const storage = yield* Storage
      const store = yield* VoiceStore
      const vault = yield* Vault
      const watcher = yield* SessionWatcher

      /** The token itself, while it can be used; null afterwards, and where none of our keys decrypts it. */
      const tokenOf = Effect.fnUntraced(function* (session: VoiceSession) {
        const stored = usableToken(session, yield* Instant.now)
        if (stored === null) return null
        return yield* Effect.catch(vault.decrypt(stored), ({ message }) =>
          Effect.as(Effect.logWarning(`the token of the voice session ${session.id}: ${message}`), null)
        )
      })

      /** The language that the model gets. A fallback is logged for the operator, and is no error. */
      const languageFor = Effect.fnUntraced(function* (
        { language: requested, sttModel }: Pick<NewVoiceSession, "language" | "sttModel">,
        caller: VoiceCaller
      ) {
        if (sttModel === null) return requested
        const model = yield* Effect.fromResult(selectSpeechModel(sttModel, catalogue.get(sttModel), caller))
        const { isFallback, language } = selectLanguage(model, requested)
        if (isFallback) {
          yield* Effect.logWarning(`${sttModel} does not hear ${JSON.stringify(requested)}: it hears ${language}`)
        }
        return language
      })

      /** The rule of everything that costs credits, also for the host itself. */
      const checkSpending = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
        const at = yield* Instant.now
        const account = yield* accounts.find(tenantId)
        if (account === null) return yield* refuse("account_inactive")
        const refusal = spendingRefusal(account, at)
        if (refusal !== null) return yield* refuse(refusal)
        const { budget } = yield* credits.headroom(spenderOf(account), at)
        if (budget !== null && budget <= 0n) {
          return yield* quotaExceeded("The account's budget of this month is used up. It begins anew on the 1st.", at)
        }
      }, storage.read)

      /** The session counts against the plan from now on. `along` is committed with it. */
      const insert = Effect.fnUntraced(function* <E>(
        session: VoiceSession,
        { plan }: VoiceCaller,
        along: Effect.Effect<void, E | StorageError, Tx>
      ) {
        const { createdAt: at, tenantId } = session
        if (!(yield* conversations.count({ tenantId, plan, at }))) {
          return yield* quotaExceeded(
            "The plan's conversations of this month are used up. They begin anew on the 1st.",
            at
          )
        }
        yield* store.add(session)
        yield* along
      }, storage.transact)

      const add = Effect.fnUntraced(function* <E = never>(
        tenantId: Ids.AccountId,
        caller: VoiceCaller,
        wanted: NewVoiceSession,
        along: (session: VoiceSession) => Effect.Effect<void, E | StorageError, Tx>
      ) {
        const { botId } = wanted
        const { config } = yield* Effect.catchTag(bots.get(tenantId, botId), "BotNotFound", () => noAgent)
        const sttModel = wanted.sttModel ?? textOf(config, "stt_model")
        const requested = wanted.language ?? textOf(config, "language")
        const language = yield* languageFor({ sttModel, language: requested }, caller)
        yield* checkSpending(tenantId)
        const token = ApiKeys.make(tokenPrefix)
        const session = begin(
          {
            id: yield* Ids.fresh<"VoiceSession">(),
            tenantId,
            keyId: caller.key?.id ?? null,
            botId,
            maxDurationSeconds: wanted.maxDurationSeconds ?? defaultSeconds,
            sttModel,
            language
          },
          yield* vault.encrypt(token),
          yield* Instant.now
        )
        yield* insert(session, caller, along(session))
        return { ...session, token }
      })

      const create = Effect.fn("VoiceSessions.create")(
        (tenantId: Ids.AccountId, caller: VoiceCaller, wanted: NewVoiceSession) =>
          add(tenantId, caller, wanted, () => Effect.void)
      )

      const get = Effect.fn("VoiceSessions.get")(function* (tenantId: Ids.AccountId, id: Ids.VoiceSessionId) {
        const session = (yield* storage.read(store.find(tenantId, id))) ?? (yield* noSession)
        return { ...session, token: yield* tokenOf(session) }
      })

      const createOnce = Effect.fn("VoiceSessions.createOnce")(function* (
        tenantId: Ids.AccountId,
        caller: VoiceCaller,
        wanted: NewVoiceSession,
        key: string
      ) {
        const { botId, language, maxDurationSeconds, sttModel } = wanted
        const fingerprint = requestFingerprint("voice/sessions", [botId, maxDurationSeconds, sttModel, language])
        const ran = yield* idempotency
          .run({ tenantId, key, fingerprint, leaseMs }, (storeResponse) =>
            add(tenantId, caller, wanted, (session) => storeResponse(storedResponse(session)))
          )
          .pipe(Effect.mapError((error) => (error._tag === "IdempotencyRefused" ? idempotencyRefusal(error) : error)))
        if (ran._tag === "Executed") return { _tag: "Created", session: ran.result } as const
        const session = yield* storage.read(store.find(tenantId, sessionIdOf(ran.response)))
        const token = session === null ? null : yield* tokenOf(session)
        return { _tag: "Replayed", body: replayedBody(ran.response, token) } as const
      })

      /** Saves sessions in new states together with their events, and what they release of the plan. */
      const save = Effect.fnUntraced(function* (sessions: ReadonlyArray<VoiceSession>) {
        yield* Effect.forEach(sessions, store.save, { discard: true })
        const unused = sessions.filter(isUnused)
        yield* conversations.release(unused.map(({ createdAt: at, tenantId }) => ({ tenantId, at })))
        yield* watcher.ended(sessions.filter(isEnded))
        return yield* outbox.append(sessions.flatMap(eventsOf))
      })

      /** Applies a decision to a locked session; `next` of null leaves it as it is. */
      const update = <A>(
        tenantId: Ids.AccountId,
        id: Ids.VoiceSessionId,
        decide: (
          session: VoiceSession,
          at: Instant.Instant
        ) => { readonly next: VoiceSession | null; readonly answer: A }
      ): Effect.Effect<A, InferenceRefused | StorageError> =>
        Effect.gen(function* () {
          const { answer, events } = yield* storage.transact(
            Effect.gen(function* () {
              const session = (yield* store.lock(tenantId, id)) ?? (yield* noSession)
              const { answer, next } = decide(session, yield* Instant.now)
              const events: ReadonlyArray<Event> = next === null ? [] : yield* save([next])
              return { answer, events }
            })
          )
          yield* outbox.publish(events)
          return answer
        })

      const connected = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        id: Ids.VoiceSessionId,
        token: string | null
      ) {
        // Decrypted before the transaction: a session has one token, which nothing but its removal changes.
        const expected = token === null ? null : (yield* get(tenantId, id)).token
        const isMatch = token === null || (expected !== null && timingSafeEqual(expected, token))
        return yield* update(tenantId, id, (session, at) => {
          const isInTime = token === null || usableToken(session, at) !== null
          const next = isMatch && isInTime ? connect(session, at) : null
          return { answer: next, next: next === session ? null : next }
        })
      })

      const end = (tenantId: Ids.AccountId, id: Ids.VoiceSessionId, reason: string) =>
        update(tenantId, id, (session, at) => {
          const next = endOf(session, reason, at)
          return { answer: next ?? session, next }
        })

      const tick = Effect.gen(function* () {
        for (let ended = 0; ; ) {
          const events = yield* storage.transact(
            Effect.gen(function* () {
              const due = yield* store.lockDue(yield* Instant.now, batchSize)
              return yield* save(due.flatMap((session) => lapse(session) ?? []))
            })
          )
          yield* outbox.publish(events)
          ended += events.length
          if (events.length < batchSize) return ended
        }
      })

      return VoiceSessions.of({ create, createOnce, get, connected, end, tick, nextDue: storage.read(store.nextDue) })
    })
  )
}
