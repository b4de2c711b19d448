/** Voice sessions under the clock of a process: docs/reference/voice.md#states, #token. Verifies: VOIC-2, VOIC-3, VOIC-4, VOIC-5. */

import {
  Accounts,
  Bots,
  type Event,
  type Ids,
  Instant,
  type NewVoiceSession,
  PlanUsage,
  type VoiceSession,
  VoiceSessions
} from "@trunkline/core/effect"
import { type AccountChange, newSessionOf } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Workers } from "../../../src/host/Workers.ts"
import { operator } from "../../../src/platform/accounts/index.ts"
import { Months } from "../../../src/platform/billing/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"
import { strictly } from "../../platform/events/StrictEvents.ts"

const host = { plan: "pro", key: null } as const

const wantedOf = (stage: Stage, over: Partial<NewVoiceSession> = {}) =>
  stage.run(
    Effect.gen(function* () {
      const agent = { name: "Asha", type: "messaging", systemPrompt: null, isActive: true, config: {} }
      const { id } = yield* Bots.use((bots) => bots.create(stage.tenant, agent))
      return { ...newSessionOf({ botId: id }), ...over }
    })
  )

const begin = (stage: Stage, over: Partial<NewVoiceSession> = {}) =>
  Effect.flatMap(wantedOf(stage, over), (wanted) =>
    stage.run(VoiceSessions.use((voice) => voice.create(stage.tenant, host, wanted)))
  )

const createOnce = (stage: Stage, wanted: NewVoiceSession) =>
  VoiceSessions.use((voice) => voice.createOnce(stage.tenant, host, wanted, "a key"))

/** The answer to a request under the key: the session and its token. */
const once = (stage: Stage, wanted: NewVoiceSession) =>
  Effect.map(stage.run(createOnce(stage, wanted)), (made) => {
    const { id, status, token } =
      made._tag === "Created" ? made.session : (JSON.parse(made.body) as Pick<VoiceSession, "id" | "status" | "token">)
    return { replayed: made._tag === "Replayed", id, status, token }
  })

type OfSession = { readonly id: Ids.VoiceSessionId }

const get = (stage: Stage, { id }: OfSession) => stage.run(VoiceSessions.use((voice) => voice.get(stage.tenant, id)))

const connect = (stage: Stage, { id }: OfSession, token: string | null = null) =>
  stage.run(VoiceSessions.use((voice) => voice.connected(stage.tenant, id, token)))

const end = (stage: Stage, { id }: OfSession, reason: string) =>
  stage.run(VoiceSessions.use((voice) => voice.end(stage.tenant, id, reason)))

const tick = (stage: Stage) => stage.run(VoiceSessions.use((voice) => voice.tick))

const eventsOf = (stage: Stage, { id }: OfSession) =>
  Effect.map(stage.events, (events) => events.filter(({ data }) => data.session_id === id))

const names = (events: ReadonlyArray<Event>) => events.map(({ event }) => event)

describe("a voice session", () => {
  // Verifies: D-212.
  // Verifies: V-74.
  scenario("whose caller never comes ends a minute after it was made, and not before", function* (stage) {
    const made = yield* begin(stage)
    yield* TestClock.adjust(59_999)
    expect(yield* tick(stage)).toBe(0)
    expect(yield* get(stage, made)).toEqual(made)
    yield* TestClock.adjust(1)
    // Nobody has looked yet, and still the token is of no use.
    expect(yield* get(stage, made)).toMatchObject({ status: "created", token: null })
    expect(yield* connect(stage, made)).toBeNull()
    expect(yield* tick(stage)).toBe(1)
    expect(yield* tick(stage)).toBe(0)
    expect(yield* get(stage, made)).toMatchObject({ status: "timeout", endReason: "token_expired", durationSeconds: 0 })
    expect(names(yield* eventsOf(stage, made))).toEqual(["voice_session.failed"])
  })

  // Verifies: V-74.
  scenario("that nobody ends is over at its maximum, however late somebody looks", function* (stage) {
    const made = yield* begin(stage, { maxDurationSeconds: 90 })
    yield* TestClock.adjust(30_000)
    const active = (yield* connect(stage, made, made.token))!
    yield* TestClock.adjust(94_999)
    expect(yield* tick(stage)).toBe(0)
    yield* TestClock.adjust(Instant.hour)
    expect(yield* tick(stage)).toBe(1)
    expect(yield* get(stage, made)).toMatchObject({
      status: "timeout",
      endReason: "timeout",
      endedAt: Instant.plus(active.startedAt!, 90_000),
      durationSeconds: 90
    })
    expect(names(yield* eventsOf(stage, made))).toEqual(["voice_session.started", "voice_session.failed"])
  })

  scenario("that reaches its maximum is as its media layer says, when it says so in time", function* (stage) {
    const made = yield* begin(stage, { maxDurationSeconds: 90 })
    yield* connect(stage, made)
    yield* TestClock.adjust(90_400)
    expect(yield* tick(stage)).toBe(0)
    expect(yield* end(stage, made, "max_duration")).toMatchObject({ status: "completed", durationSeconds: 90 })
    yield* TestClock.adjust(Instant.hour)
    expect(yield* tick(stage)).toBe(0)
    expect(names(yield* eventsOf(stage, made))).toEqual(["voice_session.started", "voice_session.ended"])
  })

  scenario("is ended by the workers of any process, within a second", function* (stage) {
    yield* stage.second
    yield* stage.run(Workers.use((workers) => workers.start))
    yield* stage.elsewhere(Workers.use((workers) => workers.start))
    const made = yield* begin(stage)
    const long = yield* begin(stage, { maxDurationSeconds: 1 })
    yield* connect(stage, long)
    yield* stage.elapse(7_000, 500)
    expect(yield* get(stage, long)).toMatchObject({ status: "timeout" })
    yield* stage.elapse(54_000, 500)
    expect(yield* get(stage, made)).toMatchObject({ status: "timeout" })
    expect(names(yield* eventsOf(stage, made))).toEqual(["voice_session.failed"])
    expect(names(yield* eventsOf(stage, long))).toEqual(["voice_session.started", "voice_session.failed"])
  })

  scenario("publishes the catalogue's events, with its agent", function* (stage) {
    const sessions = [
      yield* begin(stage),
      yield* begin(stage, { sttModel: "ink-2", language: "fr" }),
      yield* begin(stage)
    ]
    for (const [session, reason] of [
      [sessions[0]!, "caller_hangup"],
      [sessions[1]!, "agent_error"],
      [sessions[2]!, "timeout"]
    ] as const) {
      yield* connect(stage, session, session.token)
      yield* end(stage, session, reason)
      const events = yield* eventsOf(stage, session)
      expect(events.flatMap(({ data, event }) => strictly(event, data))).toEqual([])
      expect(events.map(({ botId, tenantId }) => [botId, tenantId])).toEqual([
        [session.botId, stage.tenant],
        [session.botId, stage.tenant]
      ])
    }
  })

  // Verifies: V-207.
  scenario("keeps its token out of events and logs, and hides it once it is used or ended", function* (stage) {
    const lines: Array<string> = []
    const listening = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
    const { token } = yield* Effect.gen(function* () {
      const made = yield* begin(stage, { sttModel: "ink-2", language: "de" })
      expect(yield* get(stage, made)).toEqual(made)
      expect(yield* connect(stage, made, "vst_another")).toBeNull()
      expect(yield* connect(stage, made, "")).toBeNull()
      expect((yield* connect(stage, made, made.token))?.token).toBeNull()
      expect((yield* get(stage, made)).token).toBeNull()
      // It has been used.
      expect(yield* connect(stage, made, made.token)).toBeNull()
      expect(yield* connect(stage, made, "")).toBeNull()
      expect((yield* end(stage, made, "caller_hangup")).token).toBeNull()
      return made
    }).pipe(Effect.provide(listening))
    expect(lines.join("\n")).toContain("ink-2 does not hear")
    const said = lines.join("\n") + JSON.stringify(yield* stage.events)
    expect(token).toMatch(/^vst_[0-9A-Za-z]{40}$/)
    expect(said).not.toContain("vst_")
  })

  scenario("goes on when its process is replaced", function* (stage) {
    const made = yield* begin(stage)
    yield* connect(stage, made)
    yield* stage.restart
    yield* TestClock.adjust(5_000)
    expect(yield* end(stage, made, "caller_hangup")).toMatchObject({ status: "completed", durationSeconds: 5 })
  })

  // Verifies: W-159.
  scenario("has ended once when its end was written and its process died of it", function* (stage) {
    const made = yield* begin(stage)
    yield* connect(stage, made)
    yield* stage.killAtNextCommit
    yield* Effect.exit(end(stage, made, "agent_error"))
    yield* stage.start
    expect(yield* end(stage, made, "caller_hangup")).toMatchObject({ status: "failed", endReason: "agent_error" })
    expect(names(yield* eventsOf(stage, made))).toEqual(["voice_session.started", "voice_session.failed"])
  })
})

describe("a voice session under an Idempotency-Key", () => {
  // Verifies: G-201.
  scenario(
    "is returned again with its token for a minute, without it for a day, and is then another one",
    function* (stage) {
      const wanted = yield* wantedOf(stage)
      const first = yield* once(stage, wanted)
      expect(first).toMatchObject({ replayed: false, status: "created", token: expect.stringMatching(/^vst_/) })
      yield* TestClock.adjust(59_999)
      expect(yield* once(stage, wanted)).toEqual({ ...first, replayed: true })
      yield* TestClock.adjust(1)
      expect(yield* once(stage, wanted)).toEqual({ ...first, replayed: true, token: null })
      expect(yield* tick(stage)).toBe(1)
      yield* TestClock.adjust(Instant.day - 60_001)
      expect(yield* once(stage, wanted)).toEqual({ ...first, replayed: true, token: null })
      expect(yield* get(stage, first)).toMatchObject({ status: "timeout" })
      yield* TestClock.adjust(1)
      const second = yield* once(stage, wanted)
      expect(second).toMatchObject({ replayed: false, token: expect.stringMatching(/^vst_/) })
      expect(second.id).not.toBe(first.id)
    }
  )

  scenario("whose process died before it answered is returned by the next process", function* (stage) {
    const wanted = yield* wantedOf(stage)
    const first = yield* once(stage, wanted)
    yield* stage.restart
    expect(yield* once(stage, wanted)).toEqual({ ...first, replayed: true })
  })

  scenario("is made a minute later when the first process died over it, and not before", function* (stage) {
    const wanted = yield* wantedOf(stage)
    yield* stage.killAtNextCommit
    yield* Effect.forkDetach(Effect.exit(stage.run(createOnce(stage, wanted))))
    yield* stage.elapse(1)
    expect(stage.isAlive).toBe(false)
    yield* stage.start
    yield* TestClock.adjust(59_998)
    expect(yield* stage.fails(createOnce(stage, wanted))).toMatchObject({ code: "idempotency_in_progress" })
    yield* TestClock.adjust(1)
    expect(yield* once(stage, wanted)).toMatchObject({ replayed: false, status: "created" })
  })

  // Verifies: H-163.
  scenario(
    "is one session when its process stands still past its lease and it is asked for elsewhere",
    function* (stage) {
      const wanted = yield* wantedOf(stage)
      yield* stage.second
      const resume = (yield* stage.stall(1)) as Effect.Effect<void>
      const stalled = yield* Effect.forkChild(stage.run(createOnce(stage, wanted)))
      yield* stage.elapse(60_001, 60_001)
      const other = yield* stage.elsewhere(createOnce(stage, wanted))
      expect(other).toMatchObject({ _tag: "Created" })
      yield* resume
      const first = (yield* Fiber.join(stalled as Fiber.Fiber<unknown, unknown>)) as { readonly body: string }
      expect(first).toMatchObject({ _tag: "Replayed" })
      const { session } = other as { readonly session: VoiceSession }
      expect(JSON.parse(first.body)).toMatchObject({ id: session.id, token: session.token })
      yield* TestClock.adjust(60_000)
      expect(yield* tick(stage)).toBe(1)
    }
  )
})

describe("a conversation of the plan", () => {
  const free = { plan: "free", key: null } as const

  const used = (stage: Stage) =>
    Effect.map(stage.run(PlanUsage.use((usage) => usage.read(stage.tenant, "free"))), ({ counters }) => {
      return counters.conversations.used
    })

  // Verifies: H-803, H-804.
  // Verifies: V-165.
  scenario("is a session from when it is made, unless nobody ever connects", function* (stage) {
    const ends = [
      (one: OfSession) => end(stage, one, "start_failed"),
      () => Effect.andThen(TestClock.adjust(60_000), tick(stage)),
      (one: OfSession) => Effect.andThen(connect(stage, one), end(stage, one, "start_failed"))
    ]
    for (const [nth, over] of ends.entries()) {
      const made = yield* begin(stage)
      expect(yield* used(stage)).toBe(1)
      yield* over(made)
      yield* end(stage, made, "api_delete")
      expect(yield* used(stage), String(nth)).toBe(nth === 2 ? 1 : 0)
    }
  })

  // Verifies: H-804.
  scenario("is refunded to the month in which it was made", function* (stage) {
    const at = yield* Instant.now
    const month = Instant.plus(at, Months.secondsUntilNext(at) * Instant.second)
    yield* TestClock.setTime(month - 1)
    yield* begin(stage)
    yield* TestClock.setTime(month)
    yield* begin(stage)
    yield* TestClock.setTime(month + 59_999)
    expect(yield* tick(stage)).toBe(1)
    expect(yield* used(stage)).toBe(1)
    yield* TestClock.setTime(month - 1)
    expect(yield* used(stage)).toBe(0)
  })

  // Verifies: H-808.
  // Verifies: V-166.
  scenario(
    "is refused beyond the plan, under a key too, and what was answered before is answered again",
    function* (stage) {
      const wanted = yield* wantedOf(stage)
      const createFree = VoiceSessions.use((voice) => voice.create(stage.tenant, free, wanted))
      const onceFree = (key: string) => VoiceSessions.use((voice) => voice.createOnce(stage.tenant, free, wanted, key))
      expect(yield* stage.run(onceFree("a key"))).toMatchObject({ _tag: "Created" })
      for (let made = 1; made < 50; made++) yield* stage.run(createFree)
      const refusal = { code: "quota_exceeded", status: 429, retryAfterSeconds: 840_600 }
      expect(yield* stage.fails(createFree)).toMatchObject(refusal)
      expect(yield* stage.fails(onceFree("another key"))).toMatchObject(refusal)
      expect(yield* stage.run(onceFree("a key"))).toMatchObject({ _tag: "Replayed" })
      expect(yield* used(stage)).toBe(50)
    }
  )
})

describe("an account that may not spend", () => {
  const change = (stage: Stage, fields: AccountChange) =>
    stage.run(Accounts.use((accounts) => accounts.change(stage.tenant, fields, operator)))

  for (const [fields, refusal] of [
    [{ status: "inactive" }, { code: "account_inactive", status: 403 }],
    [{ paymentMethod: "missing" }, { code: "payment_method_required", status: 402 }],
    [{ monthlyBudget: 0n }, { code: "quota_exceeded", status: 429, retryAfterSeconds: 840_600 }]
  ] as const) {
    // Verifies: H-164.
    scenario(`has no session, asked for by its host or by a caller: ${refusal.code}`, function* (stage) {
      const wanted = yield* wantedOf(stage)
      const made = yield* once(stage, wanted)
      yield* change(stage, fields)
      const create = VoiceSessions.use((voice) => voice.create(stage.tenant, host, wanted))
      expect(yield* stage.fails(create)).toMatchObject(refusal)
      // What was answered before is answered again.
      expect(yield* once(stage, wanted)).toEqual({ ...made, replayed: true })
    })
  }
})
