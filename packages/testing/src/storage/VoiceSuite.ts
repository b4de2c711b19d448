/**
 * A voice session is made once under a key, and ends once, however many ends arrive at once, with one event.
 * Verifies: VOIC-1, VOIC-2, VOIC-3, VOIC-4, VOIC-5.
 */
import { assert } from "@effect/vitest"
import {
  Accounts,
  Bots,
  Credits,
  type Errors,
  Instant,
  read,
  transact,
  UsageLog,
  type VoiceSession,
  VoiceSessions
} from "@trunkline/core/effect"
import { type Ids, ModelCatalogue } from "@trunkline/core/provider"
import {
  AccessStore,
  BotStore,
  IdempotencyStore,
  OutboxStore,
  QuotaStore,
  StorageError,
  VoiceStore
} from "@trunkline/core/storage"
import {
  Bonuses,
  CampaignUses,
  ConversationQuota,
  EventFanOut,
  Idempotency,
  Months,
  newSessionOf,
  Outbox,
  type Recorded,
  SessionAdmission,
  SessionChanges,
  Spending,
  type Stores,
  Vault
} from "@trunkline/core/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { auditingAccounts } from "./AuditingAccounts.ts"
import * as Rows from "./Rows.ts"
import { gate, pause, suite } from "./Subject.ts"

const outboxWith = (enqueue: EventFanOut["enqueue"]) =>
  Layer.provide(Outbox.layer, Layer.succeed(EventFanOut, { enqueue, dispatch: () => Effect.void }))

/** No subscriptions: events are read from the outbox. */
const noSubscriptions = outboxWith(() => Effect.void)

const vault = Vault.layer("a key for the secrets of this test")
const allBots = Layer.provide(Bots.layer, Layer.mergeAll(auditingAccounts, CampaignUses.layer, vault))
const payers = Layer.provideMerge(
  Accounts.layer,
  Layer.provideMerge(Layer.mergeAll(Bonuses.layer, ConversationQuota.layer, Spending.layer), Credits.layer)
)

const servicesWith = ({
  bots = allBots,
  idempotency = Idempotency.layer,
  outbox = noSubscriptions
}: {
  readonly bots?: Layer.Layer<Bots, never, Stores>
  readonly idempotency?: Layer.Layer<Idempotency, never, Stores>
  readonly outbox?: Layer.Layer<Outbox, never, Stores>
} = {}) =>
  VoiceSessions.layer.pipe(
    Layer.provide(Layer.merge(SessionChanges.layer, SessionAdmission.layer)),
    Layer.provide(Layer.mergeAll(bots, idempotency, ModelCatalogue.layer(), outbox, vault, payers, UsageLog.layer))
  )

const services = servicesWith()

const row = Rows.voiceSession

const host = { plan: "free", key: null } as const

/** What somebody asks for who has an agent. */
const asked = Effect.gen(function* () {
  const account = Rows.account()
  const bot = Rows.bot(account.id)
  yield* transact(
    Effect.andThen(
      AccessStore.use((store) => store.addAccount(account)),
      BotStore.use((store) => store.add(bot))
    )
  )
  return { bot, wanted: newSessionOf({ botId: bot.id }) }
})

/** A session of the present moment. */
const created = Effect.gen(function* () {
  const { bot, wanted } = yield* asked
  return yield* VoiceSessions.use((voice) => voice.create(bot.tenantId, host, wanted))
})

/** A request that is sent again and again under one key. */
const keyed = Effect.map(asked, ({ bot: { tenantId }, wanted }) => ({
  tenantId,
  ask: (more: { readonly language?: string } = {}) =>
    VoiceSessions.use((voice) => voice.createOnce(tenantId, host, { ...wanted, ...more }, "a key"))
}))

const codeOf = (refused: Errors.InferenceRefused | StorageError) =>
  refused._tag === "InferenceRefused" ? refused.code : refused._tag

/** What there is of an account's sessions. */
const sessionsOf = (tenantId: Ids.AccountId) =>
  Effect.map(transact(VoiceStore.use((store) => store.lockDue(Instant.make(Number.MAX_SAFE_INTEGER), 1000))), (all) =>
    all.filter((session) => session.tenantId === tenantId)
  )

const active = Effect.gen(function* () {
  const { id, tenantId } = yield* created
  return (yield* VoiceSessions.use((voice) => voice.connected(tenantId, id, null)))!
})

const end = ({ id, tenantId }: VoiceSession, reason: string) =>
  VoiceSessions.use((voice) => voice.end(tenantId, id, reason))

const conversationsOf = (tenantId: Ids.AccountId) =>
  Effect.gen(function* () {
    const month = Months.of(yield* Instant.now)
    return yield* read(QuotaStore.use((quotas) => quotas.counts({ tenantId, service: "conversation", month })))
  })

/** Every event about a session, oldest first. Others may still be writing theirs: a storage then holds some back. */
const eventsOf = Effect.fnUntraced(function* ({ id }: VoiceSession, expected: number) {
  for (let tries = 0; ; tries++) {
    const all: Array<Recorded> = []
    for (;;) {
      const page = yield* read(OutboxStore.use((store) => store.after(all.at(-1)?.cursor ?? null, 1000)))
      all.push(...page)
      if (page.length < 1000) break
    }
    const events = all.filter(({ data }) => data.session_id === id)
    if (events.length >= expected || tries > 30_000) return events
    yield* pause(10)
  }
})

const over = (session: VoiceSession) =>
  transact(VoiceStore.use((store) => store.save({ ...session, status: "failed", dueAt: null })))

/** Ends whatever earlier tests have left. */
const nothingDue = Effect.gen(function* () {
  const store = yield* VoiceStore
  yield* Effect.forEach(yield* transact(store.lockDue(Instant.make(Number.MAX_SAFE_INTEGER), 1000)), over)
})

const reasons = ["caller_hangup", "agent_error", "timeout", "api_delete"]
const endEvent = { completed: "voice_session.ended", failed: "voice_session.failed", timeout: "voice_session.failed" }

export const voice = suite("voice sessions", ({ it, sideBySide }) => {
  const test = (name: string, body: () => Effect.Effect<void, unknown, Stores | VoiceSessions>) =>
    it.effect(name, () => Effect.provide(body(), services))

  it.effect("come back as they were written, in every state, and to their own account alone", () =>
    Effect.gen(function* () {
      const store = yield* VoiceStore
      const fresh = row({ keyId: Rows.id(), sttModel: "ink-2", language: "hi" })
      const { id, tenantId } = fresh
      const find = (of: Ids.AccountId) => read(store.find(of, id))
      yield* transact(store.add(fresh))
      assert.deepStrictEqual(yield* find(tenantId), fresh)
      assert.isNull(yield* find(Rows.id()))
      assert.isNull(yield* transact(store.lock(Rows.id(), id)))
      const connected: VoiceSession = {
        ...fresh,
        status: "active",
        token: null,
        startedAt: Rows.at(5),
        dueAt: Rows.at(9)
      }
      const over = { endedAt: Rows.at(8), durationSeconds: 3, endReason: "caller_hangup", dueAt: null }
      for (const next of [connected, { ...connected, ...over, status: "completed" as const }]) {
        yield* transact(store.save(next))
        assert.deepStrictEqual(yield* find(tenantId), next)
        assert.deepStrictEqual(yield* transact(store.lock(tenantId, id)), next)
      }
    })
  )

  it.effect("are due soonest first, until they have ended", () =>
    Effect.gen(function* () {
      const store = yield* VoiceStore
      const held = (at: number, limit: number) =>
        Effect.map(transact(store.lockDue(Rows.at(at), limit)), (found) => found.map(({ id }) => id))
      yield* nothingDue
      assert.isNull(yield* read(store.nextDue))
      const sessions = [30, 10, 20, 99].map((at) => row({ dueAt: Rows.at(at) }))
      const [late, first, second] = sessions as [VoiceSession, VoiceSession, VoiceSession]
      yield* transact(Effect.forEach([...sessions, row({ dueAt: null, status: "failed" })], store.add))
      assert.strictEqual(yield* read(store.nextDue), Rows.at(10))
      assert.deepStrictEqual(yield* held(9, 10), [])
      assert.deepStrictEqual(yield* held(50, 2), [first.id, second.id])
      yield* over(first)
      assert.deepStrictEqual(yield* held(50, 10), [second.id, late.id])
      assert.strictEqual(yield* read(store.nextDue), Rows.at(20))
    })
  )

  test("that are asked for 20 times at once under one key are one", () =>
    Effect.gen(function* () {
      const { ask, tenantId } = yield* keyed
      const answers = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.result(ask()), {
        concurrency: "unbounded"
      })
      const again = yield* ask()
      const words = [...answers.map(Result.merge), again].map((one) => ("code" in one ? one.code : one._tag))
      assert.strictEqual(words.filter((word) => word === "Created").length, 1)
      assert.strictEqual(again._tag, "Replayed")
      assert.deepStrictEqual(
        words.filter((word) => !["Created", "Replayed", "idempotency_in_progress"].includes(word)),
        []
      )
      assert.strictEqual((yield* sessionsOf(tenantId)).length, 1)
    }))

  test("that are being made under a key are not made a second time meanwhile", () =>
    Effect.gen(function* () {
      const { ask, tenantId } = yield* keyed
      const [asking, goOn] = [yield* gate, yield* gate]
      const slow = Layer.effect(
        Bots,
        Effect.map(Bots, (bots) => ({
          ...bots,
          get: (tenant: Ids.AccountId, id: Ids.BotId) =>
            Deferred.succeed(asking, undefined).pipe(
              Effect.andThen(Deferred.await(goOn)),
              Effect.andThen(bots.get(tenant, id))
            )
        }))
      ).pipe(Layer.provide(allBots))
      const first = yield* Effect.forkChild(Effect.provide(ask(), Layer.fresh(servicesWith({ bots: slow }))))
      yield* Deferred.await(asking)
      const refused = yield* Effect.flip(ask())
      assert.deepInclude(refused, { code: "idempotency_in_progress", status: 409, retryAfterSeconds: 1 })
      assert.strictEqual(codeOf(yield* Effect.flip(ask({ language: "hi" }))), "idempotency_key_reused")
      yield* Deferred.succeed(goOn, undefined)
      assert.strictEqual((yield* Fiber.join(first))._tag, "Created")
      assert.strictEqual((yield* ask())._tag, "Replayed")
      assert.strictEqual(codeOf(yield* Effect.flip(ask({ language: "hi" }))), "idempotency_key_reused")
      assert.strictEqual((yield* sessionsOf(tenantId)).length, 1)
    }).pipe(Effect.scoped))

  // Verifies: G-201.
  test("whose answer cannot be kept are not made, and their key is free", () =>
    Effect.gen(function* () {
      const { ask, tenantId } = yield* keyed
      const full = new StorageError({ reason: "full", detail: "no room for an answer" })
      const keeping = Layer.effect(
        IdempotencyStore,
        Effect.map(IdempotencyStore, (store) => ({ ...store, complete: () => Effect.fail(full) }))
      )
      const failing = servicesWith({ idempotency: Layer.provide(Idempotency.layer, keeping) })
      assert.strictEqual(yield* Effect.flip(Effect.provide(ask(), Layer.fresh(failing))), full)
      assert.deepStrictEqual(yield* sessionsOf(tenantId), [])
      assert.strictEqual((yield* conversationsOf(tenantId)).used, 0)
      assert.strictEqual((yield* ask({ language: "hi" }))._tag, "Created")
    }))

  // Verifies: G-201.
  test("leave no token with the answer that is kept", () =>
    Effect.gen(function* () {
      const { ask, tenantId } = yield* keyed
      const made = yield* ask()
      const kept = yield* read(IdempotencyStore.use((store) => store.find(tenantId, "a key")))
      const { id } = (yield* sessionsOf(tenantId))[0]!
      assert.ok(made._tag === "Created")
      assert.match(made.session.token!, /^vst_/)
      assert.deepInclude(JSON.parse(kept!.answer!.body), { id, status: "created", token: null })
      assert.notInclude(JSON.stringify(kept), "vst_")
    }))

  // Verifies: G-247, W-159.
  // Verifies: V-181.
  test("that 20 ends reach at once have ended by one of them, and one event is published", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        const session = yield* active
        yield* TestClock.adjust(12_400)
        const answers = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, i) => reasons[i % reasons.length]!),
          (reason) => end(session, reason),
          { concurrency: "unbounded" }
        )
        const [first] = answers as [VoiceSession]
        for (const answer of answers) assert.deepStrictEqual(answer, first)
        assert.strictEqual(first.durationSeconds, 12)
        const events = yield* eventsOf(session, 2)
        assert.deepStrictEqual(
          events.map(({ event }) => event),
          ["voice_session.started", endEvent[first.status as keyof typeof endEvent]]
        )
        assert.include(events[1]!.data, { status: first.status, end_reason: first.endReason, duration_seconds: 12 })
      }
    }))

  test("that end while they are being connected have a duration that fits their beginning", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const session = yield* created
        const { id, tenantId } = session
        const connect = VoiceSessions.use((voice) => voice.connected(tenantId, id, null))
        const [connected, ended] = yield* Effect.all([connect, end(session, "api_delete")], {
          concurrency: "unbounded"
        })
        assert.strictEqual(ended.startedAt === null, connected === null)
        const events = yield* eventsOf(session, connected === null ? 1 : 2)
        assert.deepStrictEqual(
          events.map(({ event }) => event),
          [...(connected === null ? [] : ["voice_session.started"]), "voice_session.ended"]
        )
      }
    }))

  test("whose time is over are ended once, by however many processes look at once", () =>
    Effect.gen(function* () {
      const { nextDue, tick } = yield* VoiceSessions
      yield* nothingDue
      const lost = yield* Effect.forEach(Array.from({ length: 230 }), () => created)
      const long = yield* active
      assert.strictEqual(yield* nextDue, lost[0]!.tokenExpiresAt)
      yield* TestClock.adjust(59_999)
      assert.strictEqual(yield* tick, 0)
      yield* TestClock.adjust(1)
      const ended = yield* Effect.all(
        Array.from({ length: 8 }, () => tick),
        { concurrency: "unbounded" }
      )
      // One that found others busy with what is due may have left the rest to them.
      assert.strictEqual(ended.reduce((sum, n) => sum + n, 0) + (yield* tick), 230)
      for (const session of [lost[0]!, lost[229]!]) {
        const events = yield* eventsOf(session, 1)
        assert.deepStrictEqual(
          events.map(({ data, event }) => [event, data.end_reason, data.duration_seconds]),
          [["voice_session.failed", "token_expired", 0]]
        )
      }
      yield* TestClock.adjust(1800 * Instant.second)
      assert.strictEqual(yield* tick, 1)
      const events = yield* eventsOf(long, 2)
      assert.include(events[1]!.data, { status: "timeout", end_reason: "timeout", duration_seconds: 1800 })
      assert.isNull(yield* nextDue)
    }))

  // Verifies: H-803, H-804.
  test("that are made side by side are as many as the plan has conversations, and one that nobody connects to is none", () =>
    Effect.gen(function* () {
      const { bot, wanted } = yield* asked
      const { tenantId } = bot
      const { create, connected, tick } = yield* VoiceSessions
      yield* nothingDue
      const at = yield* Instant.now
      yield* transact(
        ConversationQuota.use((quota) =>
          Effect.forEach(Array.from({ length: 44 }), () => quota.count({ tenantId, plan: "free", at }))
        )
      ).pipe(Effect.provide(ConversationQuota.layer))
      const answers = yield* Effect.forEach(
        Array.from({ length: 30 }),
        () => Effect.result(create(tenantId, host, wanted)),
        { concurrency: "unbounded" }
      )
      const made = answers.flatMap((one) => (one._tag === "Success" ? [one.success] : []))
      assert.strictEqual(made.length, 6)
      for (const one of answers) if (one._tag === "Failure") assert.strictEqual(codeOf(one.failure), "quota_exceeded")
      assert.strictEqual((yield* sessionsOf(tenantId)).length, 6)
      assert.deepStrictEqual(yield* conversationsOf(tenantId), { used: 50, pending: 0 })
      const [first, second] = made as [VoiceSession, VoiceSession]
      yield* connected(tenantId, first.id, null)
      yield* Effect.all([end(first, "caller_hangup"), end(second, "start_failed"), end(second, "api_delete")], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(yield* conversationsOf(tenantId), { used: 49, pending: 0 })
      yield* TestClock.adjust(60_000)
      yield* Effect.all(
        Array.from({ length: 8 }, () => tick),
        { concurrency: "unbounded" }
      )
      yield* tick
      assert.deepStrictEqual(yield* conversationsOf(tenantId), { used: 45, pending: 0 })
    }))

  // Verifies: H-804.
  test("of a release that did not count them end without a change of the plan's counter", () =>
    Effect.gen(function* () {
      const session = row({ createdAt: yield* Instant.now, wasCounted: false })
      yield* transact(VoiceStore.use((store) => store.add(session)))
      assert.strictEqual((yield* end(session, "api_delete")).status, "completed")
      assert.deepStrictEqual(yield* conversationsOf(session.tenantId), { used: 0, pending: 0 })
    }))

  test("whose end cannot be published have not ended", () =>
    Effect.gen(function* () {
      const session = yield* active
      const full = new StorageError({ reason: "full", detail: "no room for an event" })
      const failing = Layer.fresh(servicesWith({ outbox: outboxWith(() => Effect.fail(full)) }))
      assert.strictEqual(yield* Effect.flip(Effect.provide(end(session, "agent_error"), failing)), full)
      const lost = yield* created
      assert.strictEqual(yield* Effect.flip(Effect.provide(end(lost, "agent_error"), failing)), full)
      assert.strictEqual((yield* conversationsOf(lost.tenantId)).used, 1)
      const store = yield* VoiceStore
      assert.deepStrictEqual(yield* read(store.find(session.tenantId, session.id)), session)
      assert.strictEqual((yield* end(session, "caller_hangup")).endReason, "caller_hangup")
      assert.deepStrictEqual(
        (yield* eventsOf(session, 2)).map(({ event }) => event),
        ["voice_session.started", "voice_session.ended"]
      )
    }))

  sideBySide("that are locked by another are skipped by a sweep, which waits for nobody", () =>
    Effect.gen(function* () {
      const store = yield* VoiceStore
      const [busy, free] = [row({ dueAt: Rows.at(1) }), row({ dueAt: Rows.at(2) })]
      yield* transact(Effect.forEach([busy, free], store.add))
      const [held, goOn] = [yield* gate, yield* gate]
      const holder = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* store.lock(busy.tenantId, busy.id)
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(held)
      const found = yield* transact(store.lockDue(Rows.at(5), 100))
      assert.include(
        found.map(({ id }) => id),
        free.id
      )
      assert.notInclude(
        found.map(({ id }) => id),
        busy.id
      )
      assert.isFalse(yield* Deferred.isDone(goOn))
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(holder)
    })
  )
})
