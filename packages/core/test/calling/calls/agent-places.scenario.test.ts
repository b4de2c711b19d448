/** How many calls agents may answer, and how many are placed for them: docs/reference/telephony.md#agents. Verifies: TELE-11, TELE-12, VOIC-7. */
import { Accounts, Bots, type Ids, Instant, Storage, VoiceSessions } from "@trunkline/core/effect"
import { type CampaignFields, ConversationQuota } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { operator } from "../../../src/platform/accounts/index.ts"
import type { NewLiveSession } from "../../../src/voice/sessions/index.ts"
import { LiveSessions } from "../../../src/voice/sessions/index.ts"
import { type Stage, scenario } from "./Scenarios.ts"

const [a, b, c, d] = ["+14155550101", "+14155550102", "+14155550103", "+14155550104"]

/** The plan of the stage allows two sessions at a time. */
const withAgents = { host: { answer: { kind: "agent" as const } }, carrier: { hasMedia: true } }

const agent = (stage: Stage, systemPrompt: string | null = "You sell tea.") =>
  Effect.orDie(
    stage.run(
      Bots.use((bots) =>
        bots.create(stage.tenant, { name: "Asha", type: "voice", systemPrompt, isActive: true, config: {} })
      )
    )
  )

const sessionOf = (stage: Stage, callId: Ids.CallId | null): NewLiveSession => ({
  payer: { tenantId: stage.tenant, plan: "free", monthlyBudget: null, key: null },
  ...{ botId: null, callId, maxDurationSeconds: 600, variables: {}, metadata: {} },
  ...{ sttModel: null, language: null, llmModel: null, ttsModel: null, voice: null }
})

const begin = (stage: Stage, callId: Ids.CallId | null = null) =>
  LiveSessions.use((live) => live.begin(sessionOf(stage, callId)))

const end = ({ lease }: { readonly lease: { readonly id: Ids.VoiceSessionId; readonly claim: string } }) =>
  LiveSessions.use((live) => live.end(lease, "agent_closed"))

/** Conversations of the month that have been counted. */
const counted = (stage: Stage) =>
  stage.run(
    Effect.gen(function* () {
      const [quota, storage] = [yield* ConversationQuota, yield* Storage]
      const at = yield* Instant.now
      let room = 0
      while (yield* storage.transact(quota.count({ tenantId: stage.tenant, plan: "free", at }))) room++
      yield* storage.transact(quota.release(Array.from({ length: room }, () => ({ tenantId: stage.tenant, at }))))
      return 50 - room
    })
  )

const useUp = (stage: Stage, conversations: number) =>
  stage.run(
    Effect.gen(function* () {
      const [quota, storage] = [yield* ConversationQuota, yield* Storage]
      const one = { tenantId: stage.tenant, plan: "free" as const, at: yield* Instant.now }
      yield* storage.transact(Effect.forEach(Array.from({ length: conversations }), () => quota.count(one)))
    })
  )

const busy = { _tag: "TooManyConversations" }

describe("calls that an agent is to answer", () => {
  // Verifies: V-170.
  scenario(
    "are as many as the account may have sessions, from before their answer on",
    function* (stage) {
      const { id: botId } = yield* agent(stage)
      yield* stage.dial(a, { botId })
      yield* stage.dial(b, { botId })
      expect(yield* stage.fails(stage.dial(c, { botId }))).toMatchObject(busy)
      yield* stage.rest
      yield* stage.end(a, "busy")
      yield* stage.dial(c, { botId })
      expect(yield* stage.fails(stage.dial(a, { botId }))).toMatchObject(busy)
    },
    withAgents
  )

  scenario(
    "leave calls alone that no agent answers",
    function* (stage) {
      const [{ id: botId }, silent] = [yield* agent(stage), yield* agent(stage, null)]
      yield* stage.dial(a, { botId })
      yield* stage.dial(b, { botId })
      yield* stage.dial(c)
      yield* stage.dial(d, { botId: silent.id })
      yield* stage.rest
      expect(stage.dialed).toEqual([a, b, c, d])
    },
    withAgents
  )

  scenario(
    "share their number with the sessions of clients, in both directions",
    function* (stage) {
      const { id: botId } = yield* agent(stage)
      const first = yield* stage.run(begin(stage))
      yield* stage.dial(a, { botId })
      expect(yield* stage.fails(stage.dial(b, { botId }))).toMatchObject(busy)
      const full = { code: "too_many_concurrent_requests", status: 429 }
      expect(yield* stage.fails(begin(stage))).toMatchObject(full)
      yield* stage.run(end(first))
      yield* stage.run(begin(stage))
      expect(yield* stage.fails(stage.dial(b, { botId }))).toMatchObject(busy)
    },
    withAgents
  )

  scenario(
    "have their place for certain once they are answered, and each one conversation of the plan",
    function* (stage) {
      const { id: botId } = yield* agent(stage)
      const calls = [yield* stage.dial(a, { botId }), yield* stage.dial(b, { botId })]
      yield* stage.rest
      expect(yield* counted(stage)).toBe(2)
      for (const phone of [a, b]) yield* stage.answer(phone)
      const sessions = []
      for (const { id } of calls) sessions.push(yield* stage.run(begin(stage, id)))
      expect(yield* stage.call(a)).toMatchObject({ voiceSessionId: sessions[0]!.session.id, awaitsAgent: false })
      expect(yield* counted(stage)).toBe(2)
      expect(yield* stage.fails(stage.dial(c, { botId }))).toMatchObject(busy)
      // The agent has handed its call over: the line stays up, and no agent is busy with it.
      yield* stage.run(end(sessions[0]!))
      yield* stage.dial(c, { botId })
    },
    withAgents
  )

  scenario(
    "are exactly as many when they are asked for side by side, in two processes",
    function* (stage) {
      yield* stage.second
      const { id: botId } = yield* agent(stage)
      const phones = Array.from({ length: 10 }, (_, i) => `+1415555020${i}`)
      const answers = yield* Effect.forEach(phones, (to) => Effect.result(stage.dial(to, { botId })), {
        concurrency: "unbounded"
      })
      expect(answers.filter(({ _tag }) => _tag === "Success")).toHaveLength(2)
    },
    withAgents
  )

  // Verifies: V-167.
  scenario(
    "are refused once the plan's conversations are used up, and give theirs back where nobody answers",
    function* (stage) {
      yield* useUp(stage, 49)
      const { id: botId } = yield* agent(stage)
      yield* stage.dial(a, { botId })
      const none = { _tag: "ConversationsUsedUp", retryAfterSeconds: 840_600 }
      expect(yield* stage.fails(stage.dial(b, { botId }))).toMatchObject(none)
      yield* stage.rest
      yield* stage.end(a, "no_answer")
      expect(yield* counted(stage)).toBe(49)
      yield* stage.dial(b, { botId })
    },
    withAgents
  )

  scenario(
    "give their conversation back where they cannot be paid for",
    function* (stage) {
      const { id: botId } = yield* agent(stage)
      yield* stage.leaveCredit(0n)
      expect(yield* stage.fails(stage.dial(a, { botId }))).toMatchObject({ _tag: "OutOfCredits" })
      expect(yield* counted(stage)).toBe(0)
    },
    withAgents
  )

  scenario(
    "give their place back where they are spoken to after all",
    function* (stage) {
      const [one, other] = [yield* agent(stage), yield* agent(stage)]
      yield* stage.dial(a, { botId: one.id })
      yield* stage.dial(b, { botId: other.id })
      expect(yield* counted(stage)).toBe(2)
      // The second call waits for its start.
      yield* stage.run(Bots.use((bots) => bots.change(stage.tenant, other.id, { isActive: false })))
      yield* stage.wait(2000)
      expect([a, b].map((phone) => stage.line(phone).order.answer._tag)).toEqual(["Agent", "Say"])
      expect((yield* stage.call(b)).awaitsAgent).toBe(false)
      expect(yield* counted(stage)).toBe(1)
    },
    { ...withAgents, carrier: { hasMedia: true, startsPerSecond: 1 } }
  )
})

describe("an answered call whose media is never connected", () => {
  const answered = function* (stage: Stage) {
    const { id: botId } = yield* agent(stage)
    yield* stage.dial(a, { botId })
    yield* stage.rest
    yield* stage.answer(a)
  }

  const gaveUp = function* (stage: Stage) {
    const call = yield* stage.call(a)
    expect(call).toMatchObject({ status: "completed", endReason: "hangup_local", durationSeconds: 15 })
    const session = yield* stage.run(VoiceSessions.use((voice) => voice.get(stage.tenant, call.voiceSessionId!)))
    const failed = { status: "failed", endReason: "start_failed", startedAt: null, durationSeconds: 0 }
    expect(session).toMatchObject({ callId: call.id, botId: call.botId, ...failed })
    const events = (yield* stage.events).filter(({ data }) => data.session_id === session.id)
    expect(events.map(({ event }) => event)).toEqual(["voice_session.failed"])
    expect(yield* counted(stage)).toBe(0)
  }

  // Verifies: V-145.
  scenario(
    "is hung up after 15 seconds, and its session has failed to start",
    function* (stage) {
      yield* answered(stage)
      yield* stage.wait(14_900)
      expect(yield* stage.call(a)).toMatchObject({ status: "in_progress", stopReason: null, voiceSessionId: null })
      yield* stage.wait(100)
      yield* gaveUp(stage)
    },
    withAgents
  )

  // Verifies: V-145.
  scenario(
    "is hung up at the same instant when the process is another one by then",
    function* (stage) {
      yield* answered(stage)
      yield* stage.wait(5000)
      yield* stage.kill
      yield* stage.start
      yield* stage.wait(10_000)
      yield* gaveUp(stage)
    },
    withAgents
  )

  scenario(
    "is hung up once, whichever of several processes is first",
    function* (stage) {
      yield* stage.second
      yield* answered(stage)
      yield* stage.wait(20_000)
      yield* gaveUp(stage)
    },
    withAgents
  )

  scenario(
    "begins no session once its time is over, and goes on where its session began in time",
    function* (stage) {
      yield* answered(stage)
      const { id } = yield* stage.call(a)
      yield* stage.wait(15_000)
      expect(yield* stage.fails(begin(stage, id))).toMatchObject({ code: "session_not_found" })
      const { id: botId } = yield* agent(stage)
      const other = yield* stage.dial(b, { botId })
      yield* stage.rest
      yield* stage.answer(b)
      yield* stage.wait(14_000)
      yield* stage.run(begin(stage, other.id))
      yield* stage.wait(30_000)
      expect(yield* stage.call(b)).toMatchObject({ status: "in_progress", stopReason: null })
    },
    withAgents
  )
})

describe("a campaign whose agent answers", () => {
  const running = function* (stage: Stage, fields: CampaignFields, phones: ReadonlyArray<string>) {
    const { id: botId } = yield* agent(stage)
    return yield* stage.running({ botId, ...fields }, phones)
  }

  // Verifies: V-170.
  scenario(
    "waits for lines while all sessions are in use, and dials once one has ended",
    function* (stage) {
      const held = [yield* stage.run(begin(stage)), yield* stage.run(begin(stage))]
      const id = yield* running(stage, {}, [a])
      yield* stage.rest
      expect(stage.dialed).toEqual([])
      expect((yield* stage.live(id)).waitingFor).toEqual({ reason: "lines", until: null })
      yield* stage.run(end(held[0]!))
      expect((yield* stage.live(id)).waitingFor).toBeNull()
      yield* stage.wait(2000)
      expect(stage.dialed).toEqual([a])
    },
    withAgents
  )

  scenario(
    "dials as many lines at once as there are places, and is never over its number",
    function* (stage) {
      yield* stage.second
      const lines = { dialMode: "parallel" as const, parallelLines: 4 }
      const id = yield* running(stage, lines, [a, b, c, d])
      yield* stage.rest
      expect(stage.dialed).toEqual([a, b])
      expect((yield* stage.live(id)).waitingFor).toEqual({ reason: "lines", until: null })
      for (const phone of [a, b]) yield* stage.end(phone, "busy")
      expect(stage.dialed).toEqual([a, b, c, d])
    },
    withAgents
  )

  // Verifies: V-167.
  scenario(
    "waits for the account where the plan's conversations are used up, until the next month",
    function* (stage) {
      yield* useUp(stage, 50)
      const id = yield* running(stage, {}, [a])
      yield* stage.rest
      expect((yield* stage.live(id)).waitingFor).toEqual({ reason: "account", until: null })
      expect(stage.dialed).toEqual([])
      yield* TestClock.setTime(Instant.parse("2026-12-01T00:00:00Z")!)
      yield* stage.rest
      expect(stage.dialed).toEqual([a])
    },
    withAgents
  )

  scenario(
    "shares the account's number with other campaigns, and each of them gets its turn",
    function* (stage) {
      yield* stage.run(Accounts.use((accounts) => accounts.addCredits(stage.tenant, 1_000_000_000_000n, operator)))
      const many = (n: number) => Array.from({ length: 20 }, (_, i) => `+1415555${n}${String(i).padStart(2, "0")}`)
      const lists = [many(31), many(32), many(33)]
      for (const list of lists) yield* running(stage, { paceSeconds: 5 }, list)
      for (let round = 0; round < 30; round++) {
        yield* stage.wait(2500)
        expect(stage.network.openCalls().length).toBeLessThanOrEqual(2)
        for (const { order } of stage.network.openCalls()) yield* stage.end(order.to, "failed")
      }
      for (const list of lists) expect(stage.dialed.some((phone) => list.includes(phone))).toBe(true)
    },
    withAgents
  )
})
