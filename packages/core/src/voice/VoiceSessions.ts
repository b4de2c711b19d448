/** Voice sessions: asked for by callers, connected and ended by the host's media layer. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, ApiKeys, spenderOf, spendingRefusal, Vault } from "../access/index.ts"
import { Credits, Months } from "../billing/index.ts"
import { Bots } from "../bots/index.ts"
import { type Event, Outbox } from "../events/index.ts"
import { fingerprintOf, Idempotency, type InferenceRefused, ModelCatalogue, refuse } from "../inference/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { Storage, type StorageError, type Tx } from "../storage/index.ts"
import { type Asking, heardLanguage, usable } from "./Hearing.ts"
import { idOf, kept, retold } from "./VoiceAnswer.ts"
import { eventsOf } from "./VoiceEvents.ts"
import { begin, connect, endOf, lapse, standardSeconds, usableToken, type VoiceSession } from "./VoiceSession.ts"
import { VoiceStore } from "./VoiceStore.ts"

export interface NewVoiceSession {
  readonly botId: Ids.BotId
  /** 1 to 7200; null for half an hour. */
  readonly maxDurationSeconds: number | null
  /** Null: the agent's own, from `stt_model` and `language` of its configuration. */
  readonly sttModel: string | null
  readonly language: string | null
}

/** What a request under an Idempotency-Key comes to; `body` is what was answered before, as it is sent. */
export type MadeOnce =
  | { readonly _tag: "Made"; readonly session: VoiceSession }
  | { readonly _tag: "Replayed"; readonly body: string }

/** Longer than it takes to make a session. */
const leaseMs = Instant.minute

/** Sessions that end in one transaction. */
const together = 100

/** What tokens begin with, so that people and scanners know them when they see one. */
const tokenPrefix = "vst_"

const noAgent = refuse("not_found", { message: "Agent not found", param: "bot_id" })
const noSession = refuse("session_not_found")

/** What a configuration says under a name, where it says a text. */
const textOf = (config: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = config[name]
  return typeof value === "string" && value !== "" ? value : null
}

export class VoiceSessions extends Context.Service<
  VoiceSessions,
  {
    /**
     * Makes a session with a token that lives for a minute. Fails when the agent or the model is none that may be used, and when the
     * account may not spend. Source: docs/credits.md#rule.
     */
    readonly create: (
      tenantId: Ids.AccountId,
      asking: Asking,
      wanted: NewVoiceSession
    ) => Effect.Effect<VoiceSession, InferenceRefused | StorageError>
    /**
     * The same under an Idempotency-Key, whose answer is kept in the session's transaction: asked for again it is told again,
     * with the session's token while that can be used. Fails as a speech route does for its key.
     * Source: docs/voice.md#idempotency.
     */
    readonly createOnce: (
      tenantId: Ids.AccountId,
      asking: Asking,
      wanted: NewVoiceSession,
      key: string
    ) => Effect.Effect<MadeOnce, InferenceRefused | StorageError>
    readonly get: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<VoiceSession, InferenceRefused | StorageError>
    /**
     * The caller is on the line: the session is active, and its maximum runs. Null when it is too late, because the session
     * has ended or its token has expired, and when `token` is given and not the session's. Connecting again changes nothing.
     */
    readonly connected: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId,
      token: string | null
    ) => Effect.Effect<VoiceSession | null, InferenceRefused | StorageError>
    /**
     * Ends a session, and tells how it has ended. Of any number of ends, in whatever processes, the first decides reason and
     * duration and is told once; the others change nothing. Source: docs/voice.md#reasons.
     */
    readonly end: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId,
      reason: string
    ) => Effect.Effect<VoiceSession, InferenceRefused | StorageError>
    /** Ends sessions whose time is over; tells how many. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next session ends by itself. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
  }
>()("@trunkline/core/voice/VoiceSessions") {
  static readonly layer = Layer.effect(
    VoiceSessions,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const bots = yield* Bots
      const credits = yield* Credits
      const catalogue = yield* ModelCatalogue
      const idempotency = yield* Idempotency
      const outbox = yield* Outbox
      const storage = yield* Storage
      const store = yield* VoiceStore
      const vault = yield* Vault

      /** The token itself, while it can be used; null afterwards, and where no key of ours decrypts it. */
      const tokenOf = Effect.fnUntraced(function* (session: VoiceSession) {
        const stored = usableToken(session, yield* Instant.now)
        if (stored === null) return null
        return yield* Effect.catch(vault.open(stored), ({ message }) =>
          Effect.as(Effect.logWarning(`the token of the voice session ${session.id}: ${message}`), null)
        )
      })

      /** The language that the model will hear; what it lacks is the operator's to know, and no error. */
      const heard = Effect.fnUntraced(function* (sttModel: string | null, asked: string | null, asking: Asking) {
        if (sttModel === null) return asked
        const model = yield* Effect.fromResult(usable(catalogue.get(sttModel), sttModel, asking))
        const { lacks, language } = heardLanguage(model, asked)
        if (lacks) yield* Effect.logWarning(`${sttModel} does not hear ${JSON.stringify(asked)}: it hears ${language}`)
        return language
      })

      /** The same rule as for whatever costs credits, also where the host asks. */
      const mayBegin = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
        const at = yield* Instant.now
        const account = yield* accounts.find(tenantId)
        if (account === null) return yield* refuse("account_inactive")
        const refusal = spendingRefusal(account, at)
        if (refusal !== null) return yield* refuse(refusal)
        const { budget } = yield* credits.room(spenderOf(account), at)
        if (budget !== null && budget <= 0n) {
          return yield* refuse("quota_exceeded", {
            message: "The account's budget of this month is used up. It begins anew on the 1st.",
            retryAfterSeconds: Months.secondsUntilNext(at)
          })
        }
      }, storage.read)

      /** `along` is committed with the session. */
      const made = Effect.fnUntraced(function* <E = never>(
        tenantId: Ids.AccountId,
        asking: Asking,
        wanted: NewVoiceSession,
        along: (session: VoiceSession) => Effect.Effect<void, E | StorageError, Tx>
      ) {
        const { botId } = wanted
        const { config } = yield* Effect.catchTag(bots.get(tenantId, botId), "BotNotFound", () => noAgent)
        const sttModel = wanted.sttModel ?? textOf(config, "stt_model")
        const language = yield* heard(sttModel, wanted.language ?? textOf(config, "language"), asking)
        yield* mayBegin(tenantId)
        const token = ApiKeys.make(tokenPrefix)
        const session = begin(
          {
            id: yield* Ids.fresh<"VoiceSession">(),
            tenantId,
            keyId: asking.key?.id ?? null,
            botId,
            maxDurationSeconds: wanted.maxDurationSeconds ?? standardSeconds,
            sttModel,
            language
          },
          yield* vault.seal(token),
          yield* Instant.now
        )
        yield* storage.transact(Effect.andThen(store.add(session), along(session)))
        return { ...session, token }
      })

      const create = Effect.fn("VoiceSessions.create")(
        (tenantId: Ids.AccountId, asking: Asking, wanted: NewVoiceSession) =>
          made(tenantId, asking, wanted, () => Effect.void)
      )

      const get = Effect.fn("VoiceSessions.get")(function* (tenantId: Ids.AccountId, id: Ids.VoiceSessionId) {
        const session = (yield* storage.read(store.find(tenantId, id))) ?? (yield* noSession)
        return { ...session, token: yield* tokenOf(session) }
      })

      const createOnce = Effect.fn("VoiceSessions.createOnce")(function* (
        tenantId: Ids.AccountId,
        asking: Asking,
        wanted: NewVoiceSession,
        key: string
      ) {
        const { botId, language, maxDurationSeconds, sttModel } = wanted
        const fingerprint = fingerprintOf("voice/sessions", [botId, maxDurationSeconds, sttModel, language])
        const ran = yield* idempotency.run({ tenantId, key, fingerprint, leaseMs }, (keep) =>
          made(tenantId, asking, wanted, (session) => keep(kept(session)))
        )
        if (ran._tag === "Ran") return { _tag: "Made", session: ran.result } as const
        const session = yield* storage.read(store.find(tenantId, idOf(ran.answer)))
        const token = session === null ? null : yield* tokenOf(session)
        return { _tag: "Replayed", body: retold(ran.answer, token) } as const
      })

      /** Saves sessions in new states together with what they tell. */
      const saved = Effect.fnUntraced(function* (sessions: ReadonlyArray<VoiceSession>) {
        yield* Effect.forEach(sessions, store.save, { discard: true })
        return yield* outbox.append(sessions.flatMap(eventsOf))
      })

      /** Decides on a session that nobody else changes meanwhile; null leaves it as it is. */
      const changing = <A>(
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
              const session = (yield* store.hold(tenantId, id)) ?? (yield* noSession)
              const { answer, next } = decide(session, yield* Instant.now)
              const events: ReadonlyArray<Event> = next === null ? [] : yield* saved([next])
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
        const isTheirs = token === null || (expected !== null && ApiKeys.sameDigest(expected, token))
        return yield* changing(tenantId, id, (session, at) => {
          const isInTime = token === null || usableToken(session, at) !== null
          const next = isTheirs && isInTime ? connect(session, at) : null
          return { answer: next, next: next === session ? null : next }
        })
      })

      const end = (tenantId: Ids.AccountId, id: Ids.VoiceSessionId, reason: string) =>
        changing(tenantId, id, (session, at) => {
          const next = endOf(session, reason, at)
          return { answer: next ?? session, next }
        })

      const tick = Effect.gen(function* () {
        for (let ended = 0; ; ) {
          const events = yield* storage.transact(
            Effect.gen(function* () {
              const due = yield* store.holdDue(yield* Instant.now, together)
              return yield* saved(due.flatMap((session) => lapse(session) ?? []))
            })
          )
          yield* outbox.publish(events)
          ended += events.length
          if (events.length < together) return ended
        }
      })

      return VoiceSessions.of({ create, createOnce, get, connected, end, tick, nextDue: storage.read(store.nextDue) })
    })
  )
}
