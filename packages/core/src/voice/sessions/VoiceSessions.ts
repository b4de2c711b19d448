/** Voice sessions: requested by callers, connected and ended by the host's media layer. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import { Bots } from "../../agents/bots/index.ts"
import type { ModelCaller } from "../../gateway/admission/index.ts"
import { ModelCatalogue } from "../../gateway/catalogue/index.ts"
import { type InferenceRefused, refuse } from "../../gateway/errors/index.ts"
import { idempotencyRefusal, limitRefusal } from "../../gateway/run/index.ts"
import { ApiKeys, Vault } from "../../platform/accounts/index.ts"
import { Idempotency, requestFingerprint } from "../../platform/idempotency/index.ts"
import {
  Instant,
  type Page,
  type Paged,
  sha256Hex,
  sortedJson,
  timingSafeEqual,
  traced,
  tracedFn
} from "../../platform/kernel/index.ts"
import { roomFor, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import * as Ids from "../VoiceIds.ts"
import { SessionAdmission } from "./SessionAdmission.ts"
import { SessionChanges, unchanged } from "./SessionChanges.ts"
import { selectLanguage, selectModels, selectSpeechModel } from "./SpeechModelSelection.ts"
import { replayedBody, sessionIdOf, storedResponse } from "./VoiceAnswer.ts"
import { SessionAnalyses, type SessionAnalysis } from "./VoicePorts.ts"
import {
  begin,
  connect,
  defaultSeconds,
  endOf,
  lapse,
  maxSeconds,
  usableToken,
  type VoiceSession
} from "./VoiceSession.ts"
import { type VoiceSessionFilter, VoiceStore } from "./VoiceStore.ts"

export interface NewVoiceSession {
  readonly botId: Ids.BotId
  /** 1 to 7200; null for the agent's own, from `max_duration_seconds` of its configuration, else half an hour. */
  readonly maxDurationSeconds: number | null
  /** Null: the agent's own, from `stt_model` and `language` of its configuration. */
  readonly sttModel: string | null
  readonly language: string | null
  /** Null: the agent's own, from `model`, `tts_model` and `voice` of its configuration. */
  readonly llmModel: string | null
  readonly ttsModel: string | null
  readonly voice: string | null
  /** Values for the agent's texts. */
  readonly variables: Readonly<Record<string, string>>
  readonly metadata: Schema.JsonObject
}

/** The same as callers write it: what they omit, or leave null, has a default. */
export interface GivenVoiceSession
  extends Pick<NewVoiceSession, "botId">,
    Partial<{ readonly [K in keyof Omit<NewVoiceSession, "botId">]: NewVoiceSession[K] | null }> {}

export const newSessionOf = (given: GivenVoiceSession): NewVoiceSession => ({
  botId: given.botId,
  maxDurationSeconds: given.maxDurationSeconds ?? null,
  sttModel: given.sttModel ?? null,
  language: given.language ?? null,
  llmModel: given.llmModel ?? null,
  ttsModel: given.ttsModel ?? null,
  voice: given.voice ?? null,
  variables: given.variables ?? {},
  metadata: given.metadata ?? {}
})

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

/** What makes two requests the same. A field that older releases did not know counts only where it is given. */
const fingerprinted = (wanted: NewVoiceSession): ReadonlyArray<unknown> => {
  const { botId, language, llmModel, maxDurationSeconds, metadata, sttModel, ttsModel, variables, voice } = wanted
  const texts = [llmModel, ttsModel, voice]
  const objects = [variables, metadata]
  const isPlain = texts.every((text) => text === null) && objects.every((object) => Object.keys(object).length === 0)
  const before = [botId, maxDurationSeconds, sttModel, language]
  return isPlain ? before : [...before, ...texts, ...objects.map(sortedJson)]
}

/** The text of a field of a configuration; null where it has none. */
const textOf = (config: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = config[name]
  return typeof value === "string" && value !== "" ? value : null
}

/** The maximum that a configuration names; null where it has none. A wrong one was accepted by earlier releases. */
const secondsOf = ({ max_duration_seconds: seconds }: Readonly<Record<string, unknown>>): number | null =>
  Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= maxSeconds ? Number(seconds) : null

export class VoiceSessions extends Context.Service<
  VoiceSessions,
  {
    /**
     * Creates a session with a token that is valid for a minute. Fails when the agent or the model may not be used, and when the
     * account may not spend. Source: docs/reference/credits.md#rule.
     */
    readonly create: (
      tenantId: Ids.AccountId,
      caller: VoiceCaller,
      wanted: NewVoiceSession
    ) => Effect.Effect<VoiceSession, InferenceRefused | StorageError>
    /**
     * The same under an Idempotency-Key, whose response is stored in the session's transaction and replayed, with the session's
     * token while that can be used. Fails as a speech route does for its key.
     * Source: docs/reference/voice.md#idempotency.
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
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: VoiceSessionFilter,
      page: Page
    ) => Effect.Effect<Paged<VoiceSession>, StorageError>
    /** What was found out about a session; null where nothing was. */
    readonly analysisOf: (id: Ids.VoiceSessionId) => Effect.Effect<SessionAnalysis | null, StorageError>
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
     * duration and is reported once; the others change nothing. Source: docs/reference/voice.md#reasons.
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
>()("@trunkline/core/voice/sessions/VoiceSessions") {
  static readonly layer = Layer.effect(
    VoiceSessions,
    Effect.gen(function* () {
      const bots = yield* Bots
      const admission = yield* SessionAdmission
      const analyses = yield* SessionAnalyses
      const catalogue = yield* ModelCatalogue
      const idempotency = yield* Idempotency
      const changes = yield* SessionChanges
      const storage = yield* Storage
      const store = yield* VoiceStore
      const vault = yield* Vault
      const roomForOne = yield* roomFor("waitingSessions")

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

      /** The session counts against the plan from now on. `along` is committed with it. */
      const insert = <E>(
        session: VoiceSession,
        { plan }: VoiceCaller,
        along: Effect.Effect<void, E | StorageError, Tx>
      ) =>
        storage.transact(
          Effect.gen(function* () {
            yield* admission.count(session, plan)
            const waiting = store.count(session.tenantId, { status: "created", botId: null, callId: null })
            yield* Effect.catchTag(roomForOne(session.tenantId, waiting), "LimitReached", (error) =>
              Effect.fail(limitRefusal(error))
            )
            yield* store.add(session)
            yield* along
          })
        )

      const add = Effect.fnUntraced(function* <E = never>(
        tenantId: Ids.AccountId,
        caller: VoiceCaller,
        wanted: NewVoiceSession,
        along: (session: VoiceSession) => Effect.Effect<void, E | StorageError, Tx>
      ) {
        const { botId, metadata, variables } = wanted
        const { config } = yield* Effect.catchTag(bots.get(tenantId, botId), "BotNotFound", () => noAgent)
        const sttModel = wanted.sttModel ?? textOf(config, "stt_model")
        const requested = wanted.language ?? textOf(config, "language")
        const language = yield* languageFor({ sttModel, language: requested }, caller)
        yield* Effect.fromResult(selectModels(wanted, catalogue.get, caller))
        yield* admission.checkSpending(tenantId)
        const token = ApiKeys.make(tokenPrefix)
        const session = begin(
          {
            id: yield* Ids.fresh<"VoiceSession">(),
            tenantId,
            keyId: caller.key?.id ?? null,
            botId,
            callId: null,
            maxDurationSeconds: wanted.maxDurationSeconds ?? secondsOf(config) ?? defaultSeconds,
            sttModel,
            language,
            llmModel: wanted.llmModel ?? textOf(config, "model"),
            ttsModel: wanted.ttsModel ?? textOf(config, "tts_model"),
            voice: wanted.voice ?? textOf(config, "voice"),
            variables,
            metadata
          },
          { encrypted: yield* vault.encrypt(token), digest: sha256Hex(token) },
          yield* Instant.now
        )
        yield* insert(session, caller, along(session))
        return { ...session, token }
      })

      const create = flow(
        (tenantId: Ids.AccountId, caller: VoiceCaller, wanted: NewVoiceSession) =>
          add(tenantId, caller, wanted, () => Effect.void),
        traced("VoiceSessions.create")
      )

      const list = tracedFn("VoiceSessions.list")(function* (
        tenantId: Ids.AccountId,
        filter: VoiceSessionFilter,
        page: Page
      ) {
        const found = yield* storage.read(
          Effect.all({ items: store.list(tenantId, filter, page), total: store.count(tenantId, filter) })
        )
        const items = yield* Effect.forEach(found.items, (session) =>
          Effect.map(tokenOf(session), (token) => ({ ...session, token }))
        )
        return { items, total: found.total }
      })

      const get = tracedFn("VoiceSessions.get")(function* (tenantId: Ids.AccountId, id: Ids.VoiceSessionId) {
        const session = (yield* storage.read(store.find(tenantId, id))) ?? (yield* noSession)
        return { ...session, token: yield* tokenOf(session) }
      })

      const analysisOf = (id: Ids.VoiceSessionId) =>
        Effect.map(storage.read(analyses.find([id])), (found) => found.get(id) ?? null)

      const createOnce = tracedFn("VoiceSessions.createOnce")(function* (
        tenantId: Ids.AccountId,
        caller: VoiceCaller,
        wanted: NewVoiceSession,
        key: string
      ) {
        const fingerprint = requestFingerprint("voice/sessions", fingerprinted(wanted))
        const ran = yield* idempotency
          .run({ tenantId, key, fingerprint, leaseMs }, (storeResponse) =>
            add(tenantId, caller, wanted, (session) => storeResponse(storedResponse(session)))
          )
          .pipe(
            Effect.catchTags({
              IdempotencyRefused: (error) => Effect.fail(idempotencyRefusal(error)),
              LimitReached: (error) => Effect.fail(limitRefusal(error))
            })
          )
        if (ran._tag === "Executed") return { _tag: "Created", session: ran.result } as const
        const session = yield* storage.read(store.find(tenantId, sessionIdOf(ran.response)))
        const token = session === null ? null : yield* tokenOf(session)
        return { _tag: "Replayed", body: replayedBody(ran.response, { token }) } as const
      })

      /** Applies a decision to a locked session; `next` of null leaves it as it is. */
      const update = <A>(
        tenantId: Ids.AccountId,
        id: Ids.VoiceSessionId,
        decide: (
          session: VoiceSession,
          at: Instant.Instant
        ) => { readonly next: VoiceSession | null; readonly answer: A }
      ): Effect.Effect<A | VoiceSession, InferenceRefused | StorageError> =>
        Effect.gen(function* () {
          const { answer, changed } = yield* storage.transact(
            Effect.gen(function* () {
              const session = (yield* store.lock(tenantId, id)) ?? (yield* noSession)
              const { answer, next } = decide(session, yield* Instant.now)
              return { answer, changed: next === null ? unchanged : yield* changes.save([next]) }
            })
          )
          yield* changes.announce(changed)
          return changed.sessions[0] ?? answer
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
          const changed = yield* storage.transact(
            Effect.gen(function* () {
              const due = yield* store.lockDue(yield* Instant.now, batchSize)
              return yield* changes.save(due.flatMap((session) => lapse(session) ?? []))
            })
          )
          yield* changes.announce(changed)
          ended += changed.sessions.length
          if (changed.sessions.length < batchSize) return ended
        }
      })

      return VoiceSessions.of({
        create,
        createOnce,
        get,
        list,
        analysisOf,
        connected,
        end,
        tick,
        nextDue: storage.read(store.nextDue)
      })
    })
  )
}
