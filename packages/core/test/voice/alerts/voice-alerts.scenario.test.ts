/** Alerts under the clock of a process: docs/reference/voice-alerts.md. Verifies: VALT-1, VALT-2, VALT-3, VALT-4, VALT-5, VALT-6. */

import { Bots, Ids, Instant, type Services, transact, VoiceAlerts, VoiceSessions } from "@trunkline/core/effect"
import { CallStore } from "@trunkline/core/storage"
import { type Alert, newSessionOf } from "@trunkline/core/testing"
import { Rows } from "@trunkline/testing/storage"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { type AlertRule, makeAlertWorker } from "../../../src/voice/alerts/index.ts"
import type { LiveSession } from "../../../src/voice/sessions/index.ts"
import { LiveSessions } from "../../../src/voice/sessions/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"
import { strictly } from "../../platform/events/StrictEvents.ts"

const rule = (over: Partial<AlertRule> = {}): AlertRule => ({
  ...{ name: "Many calls", metric: "call_volume", comparison: "above", threshold: 1, windowSeconds: 3600 },
  ...{ botId: null, enabled: true, cooldownSeconds: 0 },
  ...over
})

const creating = (stage: Stage, over: Partial<AlertRule> = {}) =>
  VoiceAlerts.use((alerts) => alerts.create(stage.tenant, rule(over)))

const create = (stage: Stage, over: Partial<AlertRule> = {}) => stage.run(creating(stage, over))

const get = (stage: Stage, { id }: Alert) => stage.run(VoiceAlerts.use((alerts) => alerts.get(stage.tenant, id)))

const ticking: Effect.Effect<number, unknown, Services> = Effect.flatMap(makeAlertWorker, (worker) => worker.tick)

const tick = (stage: Stage) => stage.run(ticking)

const bot = (stage: Stage) =>
  stage.run(
    Bots.use((bots) =>
      bots.create(stage.tenant, { name: "Asha", type: "x", systemPrompt: null, isActive: true, config: {} })
    )
  )

/** Calls that are placed now, and have ended at once. */
const calls = (stage: Stage, count: number, { answered = 0, botId = null as Ids.BotId | null } = {}) =>
  Effect.gen(function* () {
    const at = yield* Instant.now
    const rows = Array.from({ length: count }, (_, n) =>
      Rows.call(stage.tenant, {
        ...{ botId, startedAt: at, endedAt: at, status: n < answered ? "completed" : "no_answer" },
        answeredAt: n < answered ? at : null
      })
    )
    yield* stage.look(transact(CallStore.use((store) => Effect.forEach(rows, store.add, { discard: true }))))
  })

/** A session of an agent that this process carries. */
const talking = (stage: Stage, botId: Ids.BotId) =>
  Effect.gen(function* () {
    const wanted = newSessionOf({ botId })
    const { token } = yield* stage.run(
      VoiceSessions.use((voice) => voice.create(stage.tenant, { plan: "pro", key: null }, wanted))
    )
    const from = { token: token ?? "", origin: undefined, referer: undefined }
    const connected = yield* stage.run(LiveSessions.use((sessions) => sessions.connectByToken(from)))
    if (connected._tag !== "Connected") throw new Error("the session has no place")
    return connected.live
  })

/** Replies that begin now, by their latencies. */
const replies = (stage: Stage, { lease }: LiveSession, latencies: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const startedAt = yield* Instant.now
    const entries = latencies.map((totalMs) => ({
      ...{ role: "assistant" as const, text: "Yes.", startedAt, durationMs: 1, interrupted: false, model: null },
      ...{ beginsTurn: false, tool: null, eouMs: null, sttMs: null, llmMs: null, ttsMs: null, totalMs }
    }))
    yield* stage.run(LiveSessions.use((sessions) => sessions.append(lease, entries)))
  })

const fired = (stage: Stage) =>
  Effect.map(stage.events, (events) => events.filter(({ event }) => event === "voice_alert.triggered"))

describe("an alert", () => {
  // Verifies: V-194.
  scenario("is evaluated once in each interval, whatever number of processes looks", function* (stage) {
    yield* stage.second
    const alert = yield* create(stage)
    yield* calls(stage, 3)
    expect(yield* tick(stage)).toBe(0)
    for (let minute = 1; minute <= 5; minute++) {
      yield* TestClock.adjust(Instant.minute)
      const looked = yield* Effect.all([tick(stage), stage.elsewhere(ticking), tick(stage), stage.elsewhere(ticking)], {
        concurrency: "unbounded"
      })
      expect(looked.reduce((sum, n) => sum + n, 0)).toBe(1)
      expect(yield* get(stage, alert)).toMatchObject({ lastValue: 3, lastEvaluatedAt: yield* Instant.now })
    }
    expect(yield* fired(stage)).toHaveLength(1)
  })

  // Verifies: V-195.
  scenario("fires with its event in one transaction", function* (stage) {
    const { id: botId } = yield* bot(stage)
    const alert = yield* create(stage, { botId, windowSeconds: 600 })
    yield* calls(stage, 5)
    yield* TestClock.adjust(Instant.minute)
    yield* tick(stage)
    expect(yield* get(stage, alert)).toMatchObject({ isFiring: false, lastValue: 0 })
    yield* calls(stage, 2, { botId })
    yield* TestClock.adjust(Instant.minute)
    stage.breakEvents = true
    expect(yield* stage.fails(ticking)).toMatchObject({ _tag: "StorageError" })
    expect(yield* get(stage, alert)).toMatchObject({ isFiring: false, lastFiredAt: null, lastValue: 0 })
    stage.breakEvents = false
    yield* tick(stage)
    const at = yield* Instant.now
    expect(yield* get(stage, alert)).toMatchObject({ isFiring: true, lastFiredAt: at, lastValue: 2 })
    const events = yield* fired(stage)
    expect(events).toMatchObject([{ botId, tenantId: stage.tenant }])
    expect(events[0]!.data).toEqual({
      ...{ alert_id: alert.id, name: "Many calls", metric: "call_volume", value: 2, threshold: 1, comparison: "above" },
      ...{ window_seconds: 600, bot_id: botId, triggered_at: Instant.toIso(at) }
    })
    expect(strictly("voice_alert.triggered", events[0]!.data)).toEqual([])
  })

  // Verifies: V-195.
  scenario("fires again once it has recovered and its cooldown is over", function* (stage) {
    const alert = yield* create(stage, { windowSeconds: 60, cooldownSeconds: 600 })
    let seen = ""
    for (let minute = 0; minute < 12; minute++) {
      yield* TestClock.adjust(30 * Instant.second)
      if (minute !== 1) yield* calls(stage, 2)
      yield* TestClock.adjust(30 * Instant.second)
      yield* tick(stage)
      seen += (yield* get(stage, alert)).isFiring ? "*" : "-"
    }
    expect(seen).toBe("*---------**")
    const events = yield* fired(stage)
    expect(events).toHaveLength(2)
    expect(events[1]!.at - events[0]!.at).toBe(10 * Instant.minute)
  })

  scenario("of a rate has no reading of fewer than five, and changes nothing", function* (stage) {
    const connects = yield* create(stage, { metric: "connect_rate", comparison: "below", threshold: 0.5 })
    const fails = yield* create(stage, { metric: "failure_rate", threshold: 0.5 })
    yield* calls(stage, 4, { answered: 1 })
    yield* TestClock.adjust(Instant.minute)
    yield* tick(stage)
    for (const alert of [connects, fails]) {
      expect(yield* get(stage, alert)).toMatchObject({
        lastValue: null,
        isFiring: false,
        lastEvaluatedAt: expect.any(Number)
      })
    }
    yield* calls(stage, 1)
    yield* TestClock.adjust(Instant.minute)
    yield* tick(stage)
    expect(yield* get(stage, connects)).toMatchObject({ lastValue: 0.2, isFiring: true })
    expect(yield* get(stage, fails)).toMatchObject({ lastValue: 0.8, isFiring: true })
    // The window is over: there is nothing to say that it has recovered.
    yield* TestClock.adjust(Instant.hour)
    yield* tick(stage)
    expect(yield* get(stage, connects)).toMatchObject({ lastValue: 0.2, isFiring: true })
  })

  // Verifies: V-192.
  scenario("watches how voice sessions end", function* (stage) {
    const { id: botId } = yield* bot(stage)
    const unsuccessful = yield* create(stage, { metric: "session_failure_rate", threshold: 0.1 })
    const hangups = yield* create(stage, { metric: "hangup_rate", threshold: 0.1 })
    const duration = yield* create(stage, { metric: "average_duration", threshold: 20 })
    const latency = yield* create(stage, { metric: "latency_p95", threshold: 1 })
    for (const reason of ["agent_closed", "caller_hangup", "client_disconnect", "agent_error", "timeout"]) {
      const { id } = yield* stage.run(
        VoiceSessions.use((voice) =>
          voice.create(
            stage.tenant,
            { plan: "pro", key: null },
            {
              botId,
              maxDurationSeconds: null,
              sttModel: null,
              language: null,
              llmModel: null,
              ttsModel: null,
              voice: null,
              variables: {},
              metadata: {}
            }
          )
        )
      )
      yield* stage.run(VoiceSessions.use((voice) => voice.connected(stage.tenant, id, null)))
      yield* TestClock.adjust(30 * Instant.second)
      yield* stage.run(VoiceSessions.use((voice) => voice.end(stage.tenant, id, reason)))
    }
    yield* tick(stage)
    expect(yield* get(stage, unsuccessful)).toMatchObject({ lastValue: 0.4, isFiring: true })
    expect(yield* get(stage, hangups)).toMatchObject({ lastValue: 0.4, isFiring: true })
    expect(yield* get(stage, duration)).toMatchObject({ lastValue: 30, isFiring: true })
    expect(yield* get(stage, latency)).toMatchObject({ lastValue: null, isFiring: false })
  })

  scenario("reads the latency that 95 of 100 replies of its window do not exceed", function* (stage) {
    const { id: botId } = yield* bot(stage)
    const ofAgent = yield* create(stage, { metric: "latency_p95", botId, threshold: 1000, windowSeconds: 60 })
    const ofOther = yield* create(stage, { metric: "latency_p95", botId: (yield* bot(stage)).id, threshold: 1 })
    const live = yield* talking(stage, botId)
    yield* replies(stage, live, [60_000])
    // What began before the window does not count.
    yield* TestClock.adjust(Instant.minute)
    yield* replies(
      stage,
      live,
      // From 10 to 1000 in tens, the longest first.
      Array.from({ length: 100 }, (_, n) => 1000 - 10 * n)
    )
    yield* tick(stage)
    expect(yield* get(stage, ofAgent)).toMatchObject({ lastValue: 950, isFiring: false })
    expect(yield* get(stage, ofOther)).toMatchObject({ lastValue: null, isFiring: false })
    yield* TestClock.adjust(30 * Instant.second)
    yield* replies(stage, live, [2000, 2002, 2001])
    yield* TestClock.adjust(30 * Instant.second)
    yield* tick(stage)
    expect(yield* get(stage, ofAgent)).toMatchObject({ lastValue: 2002, isFiring: true })
  })

  // Verifies: V-195.
  scenario("that is changed while it fires is disarmed without an event, and may fire anew", function* (stage) {
    const alert = yield* create(stage)
    yield* calls(stage, 3)
    yield* TestClock.adjust(Instant.minute)
    yield* tick(stage)
    const change = (fields: Partial<AlertRule>) =>
      stage.run(VoiceAlerts.use((alerts) => alerts.change(stage.tenant, alert.id, fields)))
    expect(yield* change({ threshold: 2 })).toMatchObject({ isFiring: false, threshold: 2, lastValue: 3 })
    expect(yield* fired(stage)).toHaveLength(1)
    yield* TestClock.adjust(Instant.minute)
    yield* tick(stage)
    expect(yield* get(stage, alert)).toMatchObject({ isFiring: true })
    yield* change({ enabled: false })
    yield* TestClock.adjust(Instant.hour)
    expect(yield* tick(stage)).toBe(0)
    expect(yield* fired(stage)).toHaveLength(2)
  })

  // Verifies: V-191.
  scenario("is one of at most fifty, also when they are made side by side", function* (stage) {
    const made = yield* Effect.forEach(Array.from({ length: 60 }), () => Effect.result(create(stage)), {
      concurrency: "unbounded"
    })
    expect(made.filter(({ _tag }) => _tag === "Success")).toHaveLength(50)
    expect(yield* stage.fails(creating(stage))).toMatchObject({ _tag: "LimitReached", name: "voiceAlerts", max: 50 })
    const [one] = (yield* stage.run(VoiceAlerts.use((a) => a.list(stage.tenant, { limit: 1, offset: 0 })))).items
    yield* stage.run(VoiceAlerts.use((alerts) => alerts.remove(stage.tenant, one!.id)))
    expect(yield* stage.fails(VoiceAlerts.use((a) => a.get(stage.tenant, one!.id)))).toMatchObject({
      _tag: "VoiceAlertNotFound"
    })
    yield* create(stage)
  })

  scenario("of many is looked at with all others in one tick", function* (stage) {
    for (let n = 0; n < 45; n++) yield* create(stage)
    yield* TestClock.adjust(Instant.minute)
    expect(yield* tick(stage)).toBe(45)
    expect(yield* tick(stage)).toBe(0)
  })

  scenario("needs an agent of the account's own", function* (stage) {
    const botId = Ids.as<"Bot">("00000000-0000-4000-8000-000000000000")
    expect(yield* stage.fails(creating(stage, { botId }))).toMatchObject({ _tag: "BotNotFound" })
    expect((yield* stage.run(VoiceAlerts.use((a) => a.list(stage.tenant, { limit: 1, offset: 0 })))).total).toBe(0)
  })

  // Verifies: V-194.
  scenario(
    "is evaluated as often as the host says",
    function* (stage) {
      yield* create(stage)
      yield* TestClock.adjust(Instant.second)
      expect(yield* tick(stage)).toBe(1)
      expect(yield* tick(stage)).toBe(0)
      yield* TestClock.adjust(Instant.second)
      expect(yield* tick(stage)).toBe(1)
    },
    { host: { voice: { alertsEverySeconds: 1 } } }
  )
})
