/**
 * Sessions that processes of ours run: tokens, leases, places, transcripts, and what they used.
 * Verifies: VOIC-6, VOIC-7, VOIC-8, VOIC-9, VOIC-10.
 */
import { assert } from "@effect/vitest"
import { Accounts, Credits, Ids, Instant, read, transact, UsageLog, type VoiceSession } from "@trunkline/core/effect"
import {
  AccessStore,
  LiveSessionStore,
  OutboxStore,
  type SessionLease,
  type TranscriptEntry,
  TranscriptStore,
  UsageLogStore,
  type VoiceSessionFilter,
  VoiceStore
} from "@trunkline/core/storage"
import {
  AccountMoves,
  Authentication,
  Bonuses,
  ConversationQuota,
  KeyUses,
  LeaseKeeper,
  LiveCalls,
  LiveSessions,
  Outbox,
  type Payer,
  SessionAdmission,
  SessionChanges,
  SignedInSessions,
  Spending,
  type Stores,
  Tokens,
  type UsageRow
} from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Rows from "./Rows.ts"
import { pause, suite } from "./Subject.ts"

const payers = Layer.provideMerge(
  Accounts.layer,
  Layer.provideMerge(Layer.mergeAll(Bonuses.layer, ConversationQuota.layer, Spending.layer), Credits.layer)
)

const signIn = Layer.provide(
  Authentication.layer({ allowedOrigins: null, authenticate: null, channel: "whatsapp", keyPrefix: "svc_" }),
  Layer.mergeAll(
    KeyUses.layer,
    Layer.succeed(SignedInSessions, { find: () => null, goesOn: () => Effect.succeed(false) }),
    Layer.succeed(Tokens.TokenSettings, {
      secret: null,
      keySet: null,
      claims: { subject: "sub", name: "name", account: "tenant_id", role: "role" },
      issuer: null,
      audiences: [],
      roles: new Map()
    })
  )
)

/** The use cases of one process. */
const services = LiveSessions.layer.pipe(
  Layer.provideMerge(LeaseKeeper.layer),
  Layer.provideMerge(Layer.merge(SessionChanges.layer, SessionAdmission.layer)),
  Layer.provide(Layer.mergeAll(Outbox.layer, payers, signIn, UsageLog.layer)),
  Layer.provide(AccountMoves.layer)
)

type Services = LiveSessions | SessionAdmission

const hasPlace = (of: Payer) =>
  read(SessionAdmission.use((admission) => Effect.flatMap(Instant.now, (at) => admission.hasPlace(of, at))))

const digestOf = (n: number) => `digest ${n} ${Ids.ascending().next(Rows.at(n))}`

const added = <A extends VoiceSession>(session: A) =>
  Effect.as(transact(VoiceStore.use((store) => store.add(session))), session)

const found = ({ id, tenantId }: VoiceSession) =>
  Effect.map(read(VoiceStore.use((store) => store.find(tenantId, id))), (session) => session!)

const everything: VoiceSessionFilter = { status: null, botId: null, callId: null }

const entry = (index: number, over: Partial<TranscriptEntry> = {}): TranscriptEntry => ({
  id: Rows.id(),
  index,
  role: "user",
  text: `Entry ${index}`,
  startedAt: Rows.at(index),
  offsetMs: index,
  durationMs: null,
  interrupted: false,
  model: null,
  eouMs: null,
  sttMs: null,
  llmMs: null,
  ttsMs: null,
  totalMs: null,
  tool: null,
  ...over
})

/** What is said to `append`. */
/** The first words of a turn, or what the agent says. */
const said = (text: string, role: TranscriptEntry["role"] = "user") => {
  const { id: _, index: __, offsetMs: ___, ...rest } = entry(0, { text, role, startedAt: Instant.make(0) })
  return { ...rest, beginsTurn: role === "user" }
}

/** Ends whatever earlier tests have left under a lease. */
const noLeases = Effect.gen(function* () {
  const [live, store] = [yield* LiveSessionStore, yield* VoiceStore]
  const all = yield* transact(live.lockLapsed(Instant.make(Number.MAX_SAFE_INTEGER), 1000))
  yield* transact(
    Effect.forEach(all, (session) => store.save({ ...session, status: "failed", leaseUntil: null, dueAt: null }))
  )
})

/** An account on a plan, as it pays. */
const payer = (plan: Payer["plan"]) =>
  Effect.gen(function* () {
    const account = Rows.account({ plan })
    yield* transact(AccessStore.use((store) => store.addAccount(account)))
    return { tenantId: account.id, plan, monthlyBudget: null, key: null } satisfies Payer
  })

const begin = (of: Payer, callId: Ids.CallId | null = null) =>
  LiveSessions.use((live) =>
    live.begin({
      ...{ payer: of, botId: null, callId, maxDurationSeconds: 1800, sttModel: null, language: null },
      ...{ llmModel: null, ttsModel: null, voice: null, variables: {}, metadata: {} }
    })
  )

const codes = (
  answers: ReadonlyArray<{ readonly _tag: "Success" } | { readonly _tag: "Failure"; readonly failure: unknown }>
) => answers.map((answer) => (answer._tag === "Success" ? "ok" : (answer.failure as { readonly code?: string }).code))

/** Names of the events about a session, oldest first. Others may still be writing theirs: a storage then keeps some back. */
const eventsOf = Effect.fnUntraced(function* ({ id }: Pick<VoiceSession, "id">, expected: number) {
  for (let tries = 0; ; tries++) {
    const all = yield* read(OutboxStore.use((store) => store.after(null, 1000)))
    const names = all.filter(({ data }) => data.session_id === id).map(({ event }) => event)
    if (names.length >= expected || tries > 30_000) return names
    yield* pause(10)
  }
})

const usage = (of: Pick<VoiceSession, "id" | "tenantId">, over: Partial<UsageRow>): UsageRow => ({
  id: Rows.id(),
  tenantId: of.tenantId,
  createdAt: Rows.at(0),
  requestId: "request",
  keyId: null,
  service: "llm",
  model: "a model",
  httpStatus: 200,
  units: 1,
  unit: "tokens",
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  credits: 0n,
  latencyMs: 1,
  sessionId: of.id,
  traceId: null,
  ...over
})

const unbounded = { concurrency: "unbounded" } as const

export const liveSessions = suite("live voice sessions", ({ it }) => {
  const test = (name: string, body: () => Effect.Effect<void, unknown, Stores | Services>) =>
    it.effect(name, () => Effect.provide(body(), services))

  // Verifies: V-17.
  it.effect("are listed newest first, by status, agent and call, and to their own account alone", () =>
    Effect.gen(function* () {
      const store = yield* VoiceStore
      const [tenantId, botId, callId] = [Rows.id<"Account">(), Rows.id<"Bot">(), Rows.id<"Call">()]
      const first = yield* added(Rows.voiceSession({ tenantId, botId }))
      const second = yield* added(Rows.liveSession({ tenantId, botId: null, callId }))
      const third = yield* added(Rows.liveSession({ tenantId, botId }))
      yield* added(Rows.liveSession({ botId, callId }))
      const list = (filter: Partial<VoiceSessionFilter>, page = { limit: 10, offset: 0 }) =>
        read(
          Effect.all([
            store.list(tenantId, { ...everything, ...filter }, page),
            store.count(tenantId, { ...everything, ...filter })
          ])
        )
      assert.deepStrictEqual(yield* list({}), [[third, second, first], 3])
      assert.deepStrictEqual(yield* list({}, { limit: 1, offset: 1 }), [[second], 3])
      assert.deepStrictEqual(yield* list({ status: "active" }), [[third, second], 2])
      assert.deepStrictEqual(yield* list({ botId }), [[third, first], 2])
      assert.deepStrictEqual(yield* list({ callId }), [[second], 1])
      assert.deepStrictEqual(yield* list({ callId, status: "created" }), [[], 0])
      assert.deepStrictEqual(yield* list({ botId, status: "created" }), [[first], 1])
    })
  )

  it.effect("are found by the digest of their token, whose account it is, and by no other", () =>
    Effect.gen(function* () {
      const live = yield* LiveSessionStore
      const tokenDigest = digestOf(1)
      const session = yield* added(Rows.voiceSession({ tokenDigest }))
      yield* added(Rows.voiceSession({ tokenDigest: digestOf(2) }))
      yield* added(Rows.voiceSession({ tokenDigest: null }))
      assert.deepStrictEqual(yield* read(live.byToken(tokenDigest)), session)
      assert.isNull(yield* read(live.byToken("no digest")))
      yield* transact(VoiceStore.use((store) => store.save({ ...session, tokenDigest: null })))
      assert.isNull(yield* read(live.byToken(tokenDigest)))
    })
  )

  it.effect("count while their lease lasts", () =>
    Effect.gen(function* () {
      const live = yield* LiveSessionStore
      const tenantId = Rows.id<"Account">()
      const until = (at: number | null, over: Partial<VoiceSession> = {}) =>
        added(Rows.liveSession({ tenantId, leaseUntil: at === null ? null : Rows.at(at), ...over }))
      yield* Effect.all([until(10), until(20), until(20, { status: "completed" }), until(null)])
      yield* added(Rows.liveSession({ leaseUntil: Rows.at(30) }))
      const count = (at: number) => read(live.countActive(tenantId, Rows.at(at)))
      assert.deepStrictEqual([yield* count(9), yield* count(10), yield* count(20)], [2, 1, 0])
    })
  )

  it.effect("keep their lease where the process that asks has it, and nowhere else", () =>
    Effect.gen(function* () {
      const live = yield* LiveSessionStore
      const [own, taken, over] = [
        yield* added(Rows.liveSession()),
        yield* added(Rows.liveSession()),
        yield* added(Rows.liveSession({ status: "completed", leaseUntil: null }))
      ]
      const times = { lastSeenAt: Rows.at(5000), leaseUntil: Rows.at(25_000) }
      const leases = [
        { id: own.id, claim: own.claim! },
        { id: taken.id, claim: "another claim" },
        { id: over.id, claim: over.claim! },
        { id: Rows.id<"VoiceSession">(), claim: own.claim! }
      ]
      assert.deepStrictEqual(yield* transact(live.renew(leases, times)), [own.id])
      assert.deepStrictEqual(yield* found(own), { ...own, ...times })
      assert.deepStrictEqual(yield* found(taken), taken)
      assert.deepStrictEqual(yield* found(over), over)
      assert.sameDeepMembers(
        [...(yield* read(live.byIds([taken.id, own.id, Rows.id()])))],
        [taken, { ...own, ...times }]
      )
    })
  )

  // Verifies: V-179.
  it.effect("whose lease is over are found, the longest over first", () =>
    Effect.gen(function* () {
      const live = yield* LiveSessionStore
      yield* noLeases
      assert.isNull(yield* read(live.nextLapse))
      const at = (leaseUntil: number | null, over: Partial<VoiceSession> = {}) =>
        added(Rows.liveSession({ leaseUntil: leaseUntil === null ? null : Rows.at(leaseUntil), ...over }))
      const [late, first] = [yield* at(30), yield* at(10)]
      yield* Effect.all([at(null), at(5, { status: "failed" }), at(99)])
      assert.strictEqual(yield* read(live.nextLapse), Rows.at(10))
      const lapsed = (instant: number, limit: number) =>
        Effect.map(transact(live.lockLapsed(Rows.at(instant), limit)), (all) => all.map(({ id }) => id))
      assert.deepStrictEqual(yield* lapsed(9, 10), [])
      assert.deepStrictEqual(yield* lapsed(50, 1), [first.id])
      assert.deepStrictEqual(yield* lapsed(50, 10), [first.id, late.id])
    })
  )

  // Verifies: V-177.
  it.effect("with old recordings are found", () =>
    Effect.gen(function* () {
      const store = yield* VoiceStore
      const ended = (at: number, recording: VoiceSession["recording"]) =>
        added(Rows.voiceSession({ status: "completed", endedAt: Rows.at(at), recording }))
      const [second, first] = [yield* ended(2, "available"), yield* ended(1, "available")]
      yield* Effect.all([ended(1, "none"), ended(1, "deleted"), ended(9, "available")])
      yield* added(Rows.liveSession({ recording: "available" }))
      const old = yield* transact(store.lockRecorded(Rows.at(5), 10))
      assert.deepStrictEqual(
        old.map(({ id }) => id),
        [first.id, second.id]
      )
    })
  )

  // Verifies: V-173.
  it.effect("have a transcript in its order, and a call has those of all its sessions", () =>
    Effect.gen(function* () {
      const transcripts = yield* TranscriptStore
      const [tenantId, callId] = [Rows.id<"Account">(), Rows.id<"Call">()]
      const [one, two] = [Rows.liveSession({ tenantId, callId }), Rows.liveSession({ tenantId, callId })]
      yield* Effect.forEach([one, two], added)
      const whole = entry(1, {
        role: "assistant",
        durationMs: 900,
        interrupted: true,
        model: "gemma",
        eouMs: 1,
        sttMs: 2,
        llmMs: 3,
        ttsMs: 4,
        totalMs: 5
      })
      const tool = entry(2, { role: "tool", text: "", tool: { name: "find", arguments: "{}", result: null } })
      const [first, last] = [entry(0), entry(0, { text: "Of the second" })]
      yield* transact(transcripts.add(two, [last]))
      assert.strictEqual(yield* transact(transcripts.nextIndex(one.id)), 0)
      yield* transact(transcripts.add(one, [first, whole]))
      yield* transact(transcripts.add(one, [tool]))
      assert.strictEqual(yield* transact(transcripts.nextIndex(one.id)), 3)
      assert.deepStrictEqual(yield* read(transcripts.list(one.id)), [first, whole, tool])
      assert.deepStrictEqual(yield* read(transcripts.ofCall(tenantId, callId)), [first, whole, tool, last])
      assert.deepStrictEqual(yield* read(transcripts.ofCall(Rows.id(), callId)), [])
      const spoken = (limit: number) => read(transcripts.lastSaid(one.id, limit))
      assert.deepStrictEqual(yield* spoken(10), [
        { role: "assistant", text: "Entry 1" },
        { role: "user", text: "Entry 0" }
      ])
      assert.strictEqual((yield* spoken(1)).length, 1)
    })
  )

  it.effect("have used what the usage log says under their id, by service and model", () =>
    Effect.gen(function* () {
      const log = yield* UsageLogStore
      const of = Rows.liveSession()
      const rows = [
        usage(of, { inputTokens: 10, outputTokens: 1, credits: 3n }),
        usage(of, { inputTokens: 20, outputTokens: 2, credits: 9_007_199_254_740_993n }),
        usage(of, { service: "stt", model: "ear", unit: "seconds", units: 4, credits: 5n }),
        usage(of, { service: "tts", model: "mouth", unit: "characters", units: 70, credits: 0n })
      ]
      const others = [
        usage({ ...of, tenantId: Rows.id() }, { credits: 1n }),
        usage(Rows.liveSession(), { credits: 1n })
      ]
      yield* transact(Effect.forEach([...rows, ...others], log.add))
      const items = yield* read(log.ofSession(of.tenantId, of.id))
      const none = { inputTokens: 0, outputTokens: 0, audioSeconds: 0, characters: 0 }
      assert.sameDeepMembers(
        [...items],
        [
          {
            ...none,
            service: "llm",
            model: "a model",
            inputTokens: 30,
            outputTokens: 3,
            credits: 9_007_199_254_740_996n
          },
          { ...none, service: "stt", model: "ear", audioSeconds: 4, credits: 5n },
          { ...none, service: "tts", model: "mouth", characters: 70, credits: 0n }
        ]
      )
      assert.deepStrictEqual(yield* read(log.ofSession(of.tenantId, Rows.id())), [])
    })
  )

  // Verifies: V-168, V-169.
  test("that begin side by side are as many as the plan allows, and one that ends makes room for one", () =>
    Effect.gen(function* () {
      const of = yield* payer("starter")
      const first = yield* begin(of)
      yield* Effect.forEach(Array.from({ length: 3 }), () => begin(of))
      const all = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.result(begin(of)), unbounded)
      assert.deepStrictEqual(
        codes(all).toSorted(),
        ["ok", ...Array.from({ length: 19 }, () => "too_many_concurrent_requests")].toSorted()
      )
      assert.isFalse(yield* hasPlace(of))
      yield* LiveSessions.use((live) => live.end(first.lease, "client_disconnect"))
      assert.isTrue(yield* hasPlace(of))
      const again = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.result(begin(of)), unbounded)
      assert.strictEqual(codes(again).filter((code) => code === "ok").length, 1)
    }))

  // Verifies: V-146.
  test("of one call that begin side by side are one, which the last of them has", () =>
    Effect.gen(function* () {
      const of = yield* payer("enterprise")
      const callId = Rows.id<"Call">()
      const all = yield* Effect.forEach(Array.from({ length: 10 }), () => begin(of, callId), unbounded)
      assert.strictEqual(new Set(all.map(({ session }) => session.id)).size, 1)
      assert.strictEqual(all.filter(({ isResumed }) => !isResumed).length, 1)
      const { claim } = yield* found(all[0]!.session)
      const results = yield* Effect.forEach(all, ({ lease }) =>
        LiveSessions.use((live) => live.append(lease, [said("Hi")]))
      )
      assert.deepStrictEqual(
        results.map((result) => result !== null),
        all.map(({ lease }) => lease.claim === claim)
      )
      assert.deepStrictEqual(yield* eventsOf(all[0]!.session, 1), ["voice_session.started"])
    }))

  test("that are written to from all sides have every entry once, and as many turns as begin", () =>
    Effect.gen(function* () {
      const { lease, session } = yield* begin(yield* payer("free"))
      const { append } = yield* LiveSessions
      yield* Effect.forEach(
        Array.from({ length: 20 }),
        (_, i) =>
          append(lease, [
            said(`Question ${i}`),
            { ...said(`More ${i}`), beginsTurn: false },
            said(`Answer ${i}`, "assistant")
          ]),
        unbounded
      )
      const entries = yield* read(TranscriptStore.use((store) => store.list(session.id)))
      assert.deepStrictEqual(
        entries.map(({ index }) => index),
        Array.from({ length: 60 }, (_, i) => i)
      )
      assert.strictEqual(new Set(entries.map(({ text }) => text)).size, 60)
      assert.strictEqual((yield* found(session)).turnCount, 20)
    }))

  // Verifies: V-181.
  test("that end side by side, by hand and because their lease is over, end once", () =>
    Effect.gen(function* () {
      yield* noLeases
      const of = yield* payer("pro")
      const live = yield* LiveSessions
      for (let round = 0; round < 5; round++) {
        const { lease, session } = yield* begin(of)
        yield* TestClock.adjust(20_000)
        const ends = Array.from({ length: 10 }, (_, i) =>
          i % 2 === 0 ? Effect.asVoid(live.tick) : Effect.asVoid(live.end(lease, `end ${i}`))
        )
        yield* Effect.all(ends, unbounded)
        const ended = yield* found(session)
        assert.strictEqual(ended.leaseUntil, null)
        const isAbandoned = ended.endReason === "agent_error"
        assert.strictEqual(ended.durationSeconds, isAbandoned ? 0 : 20)
        assert.deepStrictEqual(yield* eventsOf(session, 2), [
          "voice_session.started",
          isAbandoned ? "voice_session.failed" : "voice_session.ended"
        ])
      }
    }))

  test("on a telephone that their process has handed back are resumed without a loss of the line being counted", () =>
    Effect.gen(function* () {
      const of = yield* payer("pro")
      const callId = Rows.id<"Call">()
      const begun = yield* begin(of, callId)
      const resume = LiveSessions.use((live) => live.resume(callId))
      const handBack = (lease: SessionLease) => LiveSessions.use((live) => live.handBack(lease))
      let { lease } = begun
      for (let restarts = 1; restarts <= 5; restarts++) {
        yield* handBack(lease)
        assert.isNull(yield* LiveSessions.use((live) => live.end(lease, "agent_closed")))
        const resumed = (yield* resume)!
        assert.deepInclude(resumed.session, { id: begun.session.id, resumes: 0, status: "active" })
        lease = resumed.lease
      }
      for (let losses = 1; losses <= 3; losses++) lease = (yield* resume)!.lease
      assert.isNull(yield* resume)
      yield* handBack(lease)
      assert.deepInclude((yield* resume)!.session, { id: begun.session.id, resumes: 3 })
      // Who has lost the session hands nothing back.
      yield* handBack(lease)
      assert.isNull(yield* resume)
    }))

  // Verifies: V-152, V-180.
  test("on a telephone are kept while their call is up, and end with it", () =>
    Effect.gen(function* () {
      yield* noLeases
      const of = yield* payer("pro")
      const up = new Set<Ids.CallId>()
      const calls = Layer.succeed(LiveCalls, {
        ...LiveCalls.defaultValue(),
        isUp: (ids) => Effect.succeed(new Set(ids.filter((id) => up.has(id))))
      })
      const ticking = Effect.provide(
        LiveSessions.use(({ tick }) => tick),
        Layer.fresh(Layer.provide(services, calls))
      )
      const callId = Rows.id<"Call">()
      up.add(callId)
      const [held, socket] = [yield* begin(of, callId), yield* begin(of)]
      yield* TestClock.adjust(20_000)
      assert.strictEqual(yield* ticking, 1)
      assert.deepInclude(yield* found(socket.session), { status: "failed", endReason: "agent_error" })
      assert.strictEqual((yield* found(held.session)).status, "active")
      const resume = LiveSessions.use((live) => live.resume(callId))
      for (let resumes = 1; resumes <= 3; resumes++) {
        const resumed = (yield* resume)!
        assert.deepInclude(resumed, { isResumed: true })
        assert.deepInclude(resumed.session, { id: held.session.id, resumes })
        assert.isNull(yield* LiveSessions.use((live) => live.end(held.lease, "participant_disconnect")))
      }
      assert.isNull(yield* resume)
      up.delete(callId)
      yield* TestClock.adjust(20_000)
      assert.strictEqual(yield* ticking, 1)
      assert.deepInclude(yield* found(held.session), {
        status: "failed",
        endReason: "agent_error",
        durationSeconds: 20
      })
      assert.isNull(yield* resume)
      assert.isNull(yield* LiveSessions.use((live) => live.endOfCall(callId, "caller_hangup")))
      assert.deepStrictEqual(yield* eventsOf(held.session, 2), ["voice_session.started", "voice_session.failed"])
    }))

  test("of a call end with it, whichever process has them", () =>
    Effect.gen(function* () {
      const callId = Rows.id<"Call">()
      const { lease, session } = yield* begin(yield* payer("free"), callId)
      const ended = yield* LiveSessions.use((live) => live.endOfCall(callId, "caller_hangup"))
      assert.deepInclude(ended, { id: session.id, status: "completed", endReason: "caller_hangup" })
      assert.deepInclude(yield* LiveSessions.use((live) => live.end(lease, "agent_error")), {
        endReason: "caller_hangup"
      })
      assert.deepStrictEqual(yield* eventsOf(session, 2), ["voice_session.started", "voice_session.ended"])
    }))

  // Verifies: V-164.
  test("cost what was settled before they ended, and what was settled a moment later", () =>
    Effect.gen(function* () {
      const { lease, session } = yield* begin(yield* payer("free"))
      const live = yield* LiveSessions
      const spend = (credits: bigint) => transact(UsageLogStore.use((log) => log.add(usage(session, { credits }))))
      yield* spend(5n)
      assert.strictEqual((yield* live.end(lease, "api_delete"))?.credits, 5n)
      yield* spend(2n)
      assert.deepInclude(yield* live.end(lease, "client_disconnect"), { credits: 7n, endReason: "api_delete" })
      assert.strictEqual((yield* found(session)).credits, 7n)
      assert.deepStrictEqual(yield* eventsOf(session, 2), ["voice_session.started", "voice_session.ended"])
    }))
})
