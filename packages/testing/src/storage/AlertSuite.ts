/** Alerts on a database, and what they measure. Verifies: VALT-1, VALT-6. */
import { assert } from "@effect/vitest"
import { type Ids, read, transact, type VoiceSession } from "@trunkline/core/effect"
import {
  AlertReadingStore,
  AlertStore,
  type AlertWindow,
  CallStore,
  TranscriptStore,
  VoiceStore
} from "@trunkline/core/storage"
import type { Alert } from "@trunkline/core/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Rows from "./Rows.ts"
import { gate, suite } from "./Subject.ts"

const row = (over: Partial<Alert> = {}): Alert => ({
  id: Rows.id(),
  tenantId: Rows.id(),
  name: "Few people answer",
  metric: "connect_rate",
  comparison: "below",
  threshold: 0.3,
  windowSeconds: 3600,
  botId: null,
  enabled: true,
  cooldownSeconds: 3600,
  isFiring: false,
  lastValue: null,
  lastFiredAt: null,
  lastEvaluatedAt: null,
  createdAt: Rows.at(0),
  updatedAt: Rows.at(0),
  dueAt: Rows.at(0),
  ...over
})

const session = (tenantId: Ids.AccountId, over: Partial<VoiceSession> = {}): VoiceSession => ({
  id: Rows.id(),
  tenantId,
  keyId: null,
  botId: Rows.id(),
  status: "completed",
  token: null,
  tokenExpiresAt: Rows.at(60_000),
  maxDurationSeconds: 1800,
  callId: null,
  tokenDigest: null,
  sttModel: null,
  language: null,
  llmModel: null,
  ttsModel: null,
  voice: null,
  variables: {},
  metadata: {},
  turnCount: 0,
  credits: 0n,
  recording: "none",
  claim: null,
  leaseUntil: null,
  lastSeenAt: null,
  resumes: 0,
  startedAt: Rows.at(0),
  endedAt: Rows.at(10),
  durationSeconds: 4,
  endReason: "agent_closed",
  createdAt: Rows.at(0),
  dueAt: null,
  wasCounted: true,
  ...over
})

const add = (...alerts: ReadonlyArray<Alert>) =>
  transact(AlertStore.use((store) => Effect.forEach(alerts, store.add, { discard: true })))

/** Replies of a session: when each began, and its latency. */
const replied = (
  { botId, id, tenantId }: VoiceSession,
  ...replies: ReadonlyArray<readonly [number, number | null]>
) => {
  const entries = replies.map(([at, totalMs], index) => ({
    ...{ id: Rows.id<"TranscriptEntry">(), index, role: "assistant" as const, text: "Yes.", startedAt: Rows.at(at) },
    ...{ offsetMs: 0, durationMs: 1, interrupted: false, model: null, tool: null, totalMs },
    ...{ eouMs: null, sttMs: null, llmMs: null, ttsMs: null }
  }))
  return transact(TranscriptStore.use((store) => store.add({ botId, callId: null, id, tenantId }, entries)))
}

const nothingDue = Effect.gen(function* () {
  const store = yield* AlertStore
  yield* transact(
    Effect.gen(function* () {
      const due = yield* store.lockDue(Rows.at(1_000_000), 10_000)
      yield* Effect.forEach(due, (alert) => store.save({ ...alert, dueAt: null }))
    })
  )
  assert.isNull(yield* read(store.nextDue))
})

const windowOf = (tenantId: Ids.AccountId, over: Partial<AlertWindow> = {}): AlertWindow => ({
  tenantId,
  botId: null,
  from: Rows.at(0),
  to: Rows.at(100),
  ...over
})

export const alerts = suite("alerts", ({ it, sideBySide }) => {
  it.effect("come back as they were written, newest first and to their own account alone", () =>
    Effect.gen(function* () {
      const store = yield* AlertStore
      const tenantId = Rows.id<"Account">()
      const [first, second] = [row({ tenantId }), row({ tenantId, botId: Rows.id(), metric: "latency_p95" })]
      yield* add(first, second, row())
      assert.deepStrictEqual(yield* read(store.find(tenantId, first.id)), first)
      assert.isNull(yield* read(store.find(Rows.id(), first.id)))
      assert.isNull(yield* transact(store.lock(Rows.id(), first.id)))
      assert.deepStrictEqual(yield* transact(store.lock(tenantId, first.id)), first)
      assert.deepStrictEqual(yield* read(store.list(tenantId, { limit: 10, offset: 0 })), [second, first])
      assert.deepStrictEqual(yield* read(store.list(tenantId, { limit: 1, offset: 1 })), [first])
      assert.strictEqual(yield* read(store.count(tenantId)), 2)
      const fired: Alert = {
        ...first,
        ...{ name: "Nobody answers", comparison: "above", threshold: 1234.5678, windowSeconds: 60, cooldownSeconds: 0 },
        ...{ isFiring: true, lastValue: 0.1 + 0.2, lastFiredAt: Rows.at(5), lastEvaluatedAt: Rows.at(6) },
        ...{ enabled: false, updatedAt: Rows.at(7), dueAt: null }
      }
      yield* transact(store.save(fired))
      assert.deepStrictEqual(yield* read(store.find(tenantId, first.id)), fired)
      yield* transact(store.remove(tenantId, first.id))
      assert.isNull(yield* read(store.find(tenantId, first.id)))
      assert.strictEqual(yield* read(store.count(tenantId)), 1)
    })
  )

  it.effect("are due soonest first, while they are enabled", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* AlertStore
      const [late, first, second] = [30, 10, 20].map((at) => row({ dueAt: Rows.at(at) })) as [Alert, Alert, Alert]
      yield* add(late, first, second, row({ enabled: false, dueAt: null }))
      const due = (at: number, limit: number) =>
        Effect.map(transact(store.lockDue(Rows.at(at), limit)), (found) => found.map(({ id }) => id))
      assert.strictEqual(yield* read(store.nextDue), Rows.at(10))
      assert.deepStrictEqual(yield* due(9, 10), [])
      assert.deepStrictEqual(yield* due(50, 2), [first.id, second.id])
      yield* transact(store.save({ ...first, dueAt: Rows.at(99) }))
      assert.deepStrictEqual(yield* due(50, 10), [second.id, late.id])
    })
  )

  sideBySide("that one process evaluates are passed over by another, which waits for nobody", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* AlertStore
      const [busy, free] = [row({ dueAt: Rows.at(1) }), row({ dueAt: Rows.at(2) })]
      yield* add(busy, free)
      const [locked, goOn] = [yield* gate, yield* gate]
      const holder = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* store.lockDue(Rows.at(1), 10)
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(locked)
      const found = yield* transact(store.lockDue(Rows.at(5), 10))
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        [free.id]
      )
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(holder)
    })
  )

  // Verifies: V-192.
  it.effect("count calls that ended or were started in the window, of an account or of one agent", () =>
    Effect.gen(function* () {
      const store = yield* AlertReadingStore
      const [tenantId, botId] = [Rows.id<"Account">(), Rows.id<"Bot">()]
      const answered = { status: "completed", answeredAt: Rows.at(5), providerCallId: null } as const
      const calls = [
        Rows.call(tenantId, { ...answered, botId, startedAt: Rows.at(1), endedAt: Rows.at(100) }),
        Rows.call(tenantId, { ...answered, startedAt: Rows.at(0), endedAt: Rows.at(101) }),
        Rows.call(tenantId, { status: "no_answer", botId, startedAt: Rows.at(100), endedAt: Rows.at(50) }),
        Rows.call(tenantId, { status: "no_answer", startedAt: Rows.at(50), endedAt: Rows.at(0) }),
        Rows.call(tenantId, { status: "canceled", botId, startedAt: Rows.at(50), endedAt: Rows.at(50) }),
        Rows.call(tenantId, {
          ...{ status: "canceled", botId, providerCallId: Rows.key() },
          ...{ startedAt: Rows.at(50), endedAt: Rows.at(60) }
        }),
        Rows.call(tenantId, { status: "ringing", startedAt: Rows.at(20) }),
        Rows.call(Rows.id(), { ...answered, botId, startedAt: Rows.at(50), endedAt: Rows.at(50) })
      ]
      yield* transact(CallStore.use((of) => Effect.forEach(calls, of.add)))
      assert.deepEqual(yield* read(store.endedCalls(windowOf(tenantId))), { ended: 3, answered: 1 })
      assert.deepEqual(yield* read(store.endedCalls(windowOf(tenantId, { botId }))), { ended: 3, answered: 1 })
      assert.deepEqual(yield* read(store.endedCalls(windowOf(tenantId, { to: Rows.at(200) }))), {
        ended: 4,
        answered: 2
      })
      assert.deepEqual(yield* read(store.endedCalls(windowOf(Rows.id()))), { ended: 0, answered: 0 })
      assert.strictEqual(yield* read(store.placedCalls(windowOf(tenantId))), 5)
      assert.strictEqual(yield* read(store.placedCalls(windowOf(tenantId, { botId }))), 3)
    })
  )

  // Verifies: V-192.
  it.effect("count sessions that ended in the window, of an account or of one agent", () =>
    Effect.gen(function* () {
      const store = yield* AlertReadingStore
      const [tenantId, botId] = [Rows.id<"Account">(), Rows.id<"Bot">()]
      const sessions = [
        session(tenantId, { botId, endReason: "caller_hangup", endedAt: Rows.at(100), durationSeconds: 6 }),
        session(tenantId, { botId, endReason: "client_disconnect" }),
        session(tenantId, { status: "failed", endReason: "agent_error" }),
        session(tenantId, { status: "timeout", endReason: "token_expired", startedAt: null, durationSeconds: 0 }),
        session(tenantId, { endedAt: Rows.at(0) }),
        session(tenantId, { status: "active", endedAt: null, durationSeconds: null, endReason: null }),
        session(Rows.id(), { botId })
      ]
      yield* transact(VoiceStore.use((of) => Effect.forEach(sessions, of.add)))
      assert.deepEqual(yield* read(store.endedSessions(windowOf(tenantId))), {
        ...{ ended: 4, unsuccessful: 2, hungUp: 2, connected: 3, seconds: 14 }
      })
      assert.deepEqual(yield* read(store.endedSessions(windowOf(tenantId, { botId }))), {
        ...{ ended: 2, unsuccessful: 0, hungUp: 2, connected: 2, seconds: 10 }
      })
      assert.deepEqual(yield* read(store.endedSessions(windowOf(Rows.id()))), {
        ...{ ended: 0, unsuccessful: 0, hungUp: 0, connected: 0, seconds: 0 }
      })
    })
  )

  it.effect("rank the latencies of replies that began in the window, of an account or of one agent", () =>
    Effect.gen(function* () {
      const store = yield* AlertReadingStore
      const [tenantId, botId] = [Rows.id<"Account">(), Rows.id<"Bot">()]
      const [asha, other, foreign] = [session(tenantId, { botId }), session(tenantId), session(Rows.id(), { botId })]
      yield* transact(VoiceStore.use((of) => Effect.forEach([asha, other, foreign], of.add)))
      yield* replied(asha, [1, 500], [50, 300], [100, 900], [0, 10_000], [101, 10_000], [60, null])
      yield* replied(other, [50, 100])
      yield* replied(foreign, [50, 5000])
      const ranked = (window: AlertWindow) =>
        Effect.forEach([1, 2, 3, 4, 5], (rank) => read(store.replyLatency(window, rank)))
      assert.strictEqual(yield* read(store.replies(windowOf(tenantId))), 4)
      assert.deepEqual(yield* ranked(windowOf(tenantId)), [100, 300, 500, 900, null])
      assert.strictEqual(yield* read(store.replies(windowOf(tenantId, { botId }))), 3)
      assert.deepEqual(yield* ranked(windowOf(tenantId, { botId })), [300, 500, 900, null, null])
      assert.strictEqual(yield* read(store.replies(windowOf(Rows.id()))), 0)
    })
  )
})
