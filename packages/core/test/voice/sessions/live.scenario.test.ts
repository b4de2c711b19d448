/**
 * Sessions that this product carries, under the clock of its processes: docs/reference/voice.md#leases, #concurrency, #token.
 * Verifies: VOIC-1, VOIC-2, VOIC-6, VOIC-7, VOIC-8, VOIC-9, VOIC-11.
 */

import {
  Accounts,
  Bots,
  Instant,
  Keys,
  type NewVoiceSession,
  Recordings,
  SessionRecords,
  transact,
  type VoiceSession,
  VoiceSessions
} from "@trunkline/core/effect"
import { UsageLogStore } from "@trunkline/core/storage"
import { newSessionOf } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Workers } from "../../../src/host/Workers.ts"
import { operator } from "../../../src/platform/accounts/index.ts"
import type { LiveSession, LostLease, NewTranscriptEntry, VoiceCaller } from "../../../src/voice/sessions/index.ts"
import { LiveSessions } from "../../../src/voice/sessions/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"
import { strictly } from "../../platform/events/StrictEvents.ts"

const host: VoiceCaller = { plan: "free", key: null }
const nowhere: { readonly origin: string | undefined; readonly referer: string | undefined } = {
  origin: undefined,
  referer: undefined
}

const created = Effect.fnUntraced(function* (stage: Stage, caller = host, over: Partial<NewVoiceSession> = {}) {
  const agent = { name: "Asha", type: "messaging", systemPrompt: null, isActive: true, config: {} }
  return yield* stage.run(
    Effect.gen(function* () {
      const { id } = yield* Bots.use((bots) => bots.create(stage.tenant, agent))
      const wanted = { ...newSessionOf({ botId: id }), ...over }
      return yield* VoiceSessions.use((voice) => voice.create(stage.tenant, caller, wanted))
    })
  )
})

const connecting = (token: string | null, from = nowhere) =>
  LiveSessions.use((live) => live.connectByToken({ token: token ?? "", ...from }))

/** A session that this process runs. */
const connected = Effect.fnUntraced(function* (stage: Stage, over: Partial<NewVoiceSession> = {}) {
  const { token } = yield* created(stage, host, over)
  const answer = yield* stage.run(connecting(token))
  if (answer._tag !== "Connected") throw new Error("the session has no place")
  return answer.live
})

/** Keeps the lease of a session, and lists how it was lost. */
const attached = Effect.fnUntraced(function* (stage: Stage, { lease }: Pick<LiveSession, "lease">) {
  const lost: Array<LostLease> = []
  const scope = Scope.makeUnsafe()
  yield* stage.run(
    Effect.provideService(
      LiveSessions.use((live) => live.attach(lease, (how) => void lost.push(how))),
      Scope.Scope,
      scope
    )
  )
  return lost
})

const get = (stage: Stage, { id }: Pick<VoiceSession, "id">) =>
  stage.run(VoiceSessions.use((voice) => voice.get(stage.tenant, id)))

const end = (stage: Stage, { lease }: Pick<LiveSession, "lease">, reason: string) =>
  stage.run(LiveSessions.use((live) => live.end(lease, reason)))

const eventsOf = (stage: Stage, { id }: Pick<VoiceSession, "id">) =>
  Effect.map(stage.events, (events) => events.filter(({ data }) => data.session_id === id))

const namesOf = (stage: Stage, session: Pick<VoiceSession, "id">) =>
  Effect.map(eventsOf(stage, session), (events) => events.map(({ event }) => event))

const say = (role: NewTranscriptEntry["role"], text: string, startedAt: Instant.Instant): NewTranscriptEntry => ({
  ...{ role, text, startedAt, durationMs: null, interrupted: false, model: null, tool: null },
  beginsTurn: role === "user",
  ...{ eouMs: null, sttMs: null, llmMs: null, ttsMs: null, totalMs: null }
})

const invalid = { code: "invalid_api_key", status: 401 }

describe("a session's token", () => {
  // Verifies: V-8, V-10, V-208.
  scenario("makes its session active once, of whatever account, and then nothing more", function* (stage) {
    const made = yield* created(stage)
    yield* TestClock.adjust(59_999)
    const answers = yield* Effect.forEach(
      Array.from({ length: 20 }),
      () => Effect.result(stage.run(connecting(made.token))),
      { concurrency: "unbounded" }
    )
    const won = answers.flatMap((answer) => (answer._tag === "Success" ? [answer.success] : []))
    expect(won).toMatchObject([
      { _tag: "Connected", live: { session: { id: made.id, status: "active", token: null }, isResumed: false } }
    ])
    for (const answer of answers) if (answer._tag === "Failure") expect(answer.failure).toMatchObject(invalid)
    expect(yield* stage.fails(connecting(made.token))).toMatchObject(invalid)
    expect(yield* namesOf(stage, made)).toEqual(["voice_session.started"])
  })

  // Verifies: V-8.
  scenario("is refused when it is unknown, has expired, or its session is over", function* (stage) {
    const [late, over] = [yield* created(stage), yield* created(stage)]
    yield* stage.run(VoiceSessions.use((voice) => voice.end(stage.tenant, over.id, "api_delete")))
    for (const token of [over.token, "vst_nobody", ""]) {
      expect(yield* stage.fails(connecting(token))).toMatchObject(invalid)
    }
    yield* TestClock.adjust(60_000)
    expect(yield* stage.fails(connecting(late.token))).toMatchObject(invalid)
    expect(yield* namesOf(stage, late)).toEqual([])
  })

  const keyOf = (stage: Stage, allowedDomains: ReadonlyArray<string>) =>
    stage.run(
      Effect.map(
        Keys.use((keys) =>
          keys.create(
            {
              ...{ tenantId: stage.tenant, name: null, scopes: ["*"], permissions: ["llm"], budget: null },
              ...{ budgetPeriod: "total", allowedModels: null, allowedDomains, searchProviders: null },
              ...{ requestsPerMinute: null, concurrency: null, expiresAt: null }
            },
            operator
          )
        ),
        ({ key }) => key
      )
    )

  // Verifies: V-9.
  scenario("leads where its key leads: to the key's domains, and nowhere once the key is revoked", function* (stage) {
    const key = yield* keyOf(stage, ["app.example.com"])
    const made = yield* created(stage, { plan: "free", key })
    for (const origin of [undefined, "https://example.com"]) {
      const refused = yield* stage.fails(connecting(made.token, { origin, referer: undefined }))
      expect(refused).toMatchObject({ code: "domain_not_allowed", status: 403 })
    }
    const own = { origin: "https://app.example.com", referer: undefined }
    expect(yield* stage.run(connecting(made.token, own))).toMatchObject({ live: { payer: { key: { id: key.id } } } })
    const next = yield* created(stage, { plan: "free", key })
    yield* stage.run(Keys.use((keys) => keys.revoke({ tenantId: null, id: key.id }, operator)))
    expect(yield* stage.fails(connecting(next.token, own))).toMatchObject(invalid)
  })

  scenario("is refused where its account may not spend", function* (stage) {
    const made = yield* created(stage)
    yield* stage.run(Accounts.use((accounts) => accounts.change(stage.tenant, { status: "inactive" }, operator)))
    expect(yield* stage.fails(connecting(made.token))).toMatchObject({ code: "account_inactive", status: 403 })
  })
})

describe("the sessions of an account", () => {
  // Verifies: V-62, V-168.
  scenario("are as many at a time as its plan allows, when 20 callers come for the last place", function* (stage) {
    yield* stage.second
    yield* connected(stage)
    const made = yield* Effect.forEach(Array.from({ length: 20 }), () => created(stage))
    const answers = yield* Effect.forEach(
      made,
      ({ token }, i) => (i % 2 === 0 ? stage.run(connecting(token)) : stage.elsewhere(connecting(token))),
      { concurrency: "unbounded" }
    )
    expect(answers.filter(({ _tag }) => _tag === "Connected")).toHaveLength(1)
    const refused = answers.flatMap((answer) => (answer._tag === "ConcurrencyLimit" ? [answer.session] : []))
    expect(refused).toHaveLength(19)
    for (const session of refused) {
      expect(yield* get(stage, session)).toMatchObject({ status: "failed", endReason: "concurrency_limit" })
      expect(yield* namesOf(stage, session)).toEqual(["voice_session.failed"])
    }
  })

  scenario("have their place for as long as their process lives", function* (stage) {
    const [one, two] = [yield* connected(stage), yield* connected(stage)]
    yield* attached(stage, one)
    yield* stage.elapse(21_000, 1000)
    // The second one's process has not renewed its lease.
    const three = yield* connected(stage)
    const { token } = yield* created(stage)
    expect(yield* stage.run(connecting(token))).toMatchObject({ _tag: "ConcurrencyLimit" })
    expect(new Set([one, two, three].map(({ session }) => session.id)).size).toBe(3)
  })
})

describe("a session whose process", () => {
  // Verifies: V-68, V-179.
  scenario("dies is over within half a minute, as it was last seen, and is reported once", function* (stage) {
    yield* stage.second
    const live = yield* connected(stage)
    const started = live.session.startedAt!
    yield* attached(stage, live)
    yield* stage.elapse(32_000, 1000)
    yield* stage.kill
    yield* stage.elsewhere(Workers.use((workers) => workers.start))
    yield* stage.start
    yield* stage.run(Workers.use((workers) => workers.start))
    yield* stage.elapse(25_000, 1000)
    expect(yield* get(stage, live.session)).toMatchObject({
      status: "failed",
      endReason: "agent_error",
      endedAt: Instant.plus(started, 30_000),
      durationSeconds: 30
    })
    expect(yield* namesOf(stage, live.session)).toEqual(["voice_session.started", "voice_session.failed"])
  })

  scenario("dies as it writes the end has ended once", function* (stage) {
    const live = yield* connected(stage)
    yield* stage.killAtNextCommit
    yield* Effect.exit(end(stage, live, "client_disconnect"))
    yield* stage.start
    yield* stage.run(Workers.use((workers) => workers.start))
    yield* stage.elapse(60_000, 1000)
    expect(yield* get(stage, live.session)).toMatchObject({ status: "completed", endReason: "client_disconnect" })
    expect(yield* namesOf(stage, live.session)).toEqual(["voice_session.started", "voice_session.ended"])
  })

  scenario("dies as it connects is over within half a minute", function* (stage) {
    const made = yield* created(stage)
    yield* stage.killAtNextCommit
    yield* Effect.exit(stage.run(connecting(made.token)))
    yield* stage.start
    yield* stage.run(Workers.use((workers) => workers.start))
    yield* stage.elapse(25_000, 1000)
    expect(yield* get(stage, made)).toMatchObject({ status: "failed", endReason: "agent_error", durationSeconds: 0 })
    expect(yield* namesOf(stage, made)).toEqual(["voice_session.started", "voice_session.failed"])
  })

  // Verifies: V-173.
  scenario("dies after a turn has that turn", function* (stage) {
    const live = yield* connected(stage)
    const at = yield* Instant.now
    yield* stage.run(LiveSessions.use(({ append }) => append(live.lease, [say("user", "Do you hear me?", at)])))
    yield* stage.restart
    yield* TestClock.adjust(20_000)
    yield* stage.run(LiveSessions.use(({ tick }) => tick))
    const entries = yield* stage.run(SessionRecords.use((records) => records.transcript(stage.tenant, live.session.id)))
    expect(entries).toMatchObject([{ index: 0, role: "user", text: "Do you hear me?", offsetMs: 0 }])
    expect((yield* eventsOf(stage, live.session))[1]).toMatchObject({
      data: { turn_count: 1, transcript: [{ role: "user", text: "Do you hear me?" }] }
    })
  })

  scenario(
    "ends it for somebody else is notified at once, and another one's within its next renewal",
    function* (stage) {
      yield* stage.second
      const [here, there] = [yield* connected(stage), yield* connected(stage)]
      const [lostHere, lostThere] = [yield* attached(stage, here), yield* attached(stage, there)]
      const remove = ({ session }: LiveSession) =>
        VoiceSessions.use((voice) => voice.end(stage.tenant, session.id, "api_delete"))
      yield* stage.run(remove(here))
      expect(lostHere).toMatchObject([{ why: "ended", session: { endReason: "api_delete" } }])
      yield* stage.elsewhere(remove(there))
      expect(lostThere).toEqual([])
      yield* stage.elapse(6000, 1000)
      expect(lostThere).toMatchObject([{ why: "ended", session: { endReason: "api_delete" } }])
      expect(lostHere).toHaveLength(1)
    }
  )

  scenario("is notified at once of an end that came before it listened", function* (stage) {
    const live = yield* connected(stage)
    yield* stage.run(VoiceSessions.use((voice) => voice.end(stage.tenant, live.session.id, "api_delete")))
    expect(yield* attached(stage, live)).toMatchObject([{ why: "ended", session: { endReason: "api_delete" } }])
  })

  scenario("listens anew is notified in the new place alone, also once the earlier one is closed", function* (stage) {
    const live = yield* connected(stage)
    const scope = Scope.makeUnsafe()
    const before: Array<LostLease> = []
    const attach = LiveSessions.use(({ attach }) => attach(live.lease, (how) => void before.push(how)))
    yield* stage.run(Effect.provideService(attach, Scope.Scope, scope))
    const lost = yield* attached(stage, live)
    yield* stage.run(Scope.close(scope, Exit.void))
    yield* stage.elapse(12_000, 1000)
    yield* stage.run(VoiceSessions.use((voice) => voice.end(stage.tenant, live.session.id, "api_delete")))
    expect([before.length, lost.length]).toEqual([0, 1])
  })

  scenario("ends it itself is not notified of it", function* (stage) {
    const live = yield* connected(stage)
    const lost = yield* attached(stage, live)
    yield* end(stage, live, "agent_closed")
    yield* stage.elapse(12_000, 1000)
    expect(lost).toEqual([])
  })

  scenario("renews its lease runs on past any number of leases", function* (stage) {
    yield* stage.run(Workers.use((workers) => workers.start))
    const live = yield* connected(stage)
    const lost = yield* attached(stage, live)
    yield* stage.elapse(300_000, 5000)
    expect(lost).toEqual([])
    expect(yield* get(stage, live.session)).toMatchObject({ status: "active" })
  })
})

describe("what a session leaves", () => {
  // Verifies: V-164, V-178.
  scenario("is in the event of its end: turns, cost and words", function* (stage) {
    const live = yield* connected(stage)
    const { id, tenantId } = live.session
    const at = yield* Instant.now
    yield* stage.run(
      LiveSessions.use(({ append }) =>
        append(live.lease, [
          say("assistant", "Hello.", at),
          say("user", "Hi.", Instant.plus(at, 1500)),
          { ...say("tool", "", at), tool: { name: "find", arguments: "{}", result: "none" } }
        ])
      )
    )
    const row = {
      ...{ id: "01936f00-0000-7000-8000-0000000000aa", tenantId, createdAt: at, requestId: "r", keyId: null },
      ...{ service: "llm", model: "m", httpStatus: 200, units: 3, unit: "tokens", inputTokens: 2, outputTokens: 1 },
      ...{
        cacheReadTokens: 0,
        cacheCreationTokens: 0,
        credits: 1_500_000_000n,
        latencyMs: 1,
        sessionId: id,
        traceId: null
      }
    }
    yield* stage.look(transact(UsageLogStore.use((log) => log.add(row as never))))
    yield* TestClock.adjust(10_000)
    const ended = yield* end(stage, live, "caller_hangup")
    expect(ended).toMatchObject({ turnCount: 1, credits: 1_500_000_000n, durationSeconds: 10 })
    const events = yield* eventsOf(stage, live.session)
    expect(events[1]).toMatchObject({
      event: "voice_session.ended",
      data: {
        call_id: null,
        turn_count: 1,
        credits: 1.5,
        recording: "none",
        transcript: [
          { role: "assistant", text: "Hello." },
          { role: "user", text: "Hi." }
        ]
      }
    })
    expect(events[1]!.data.transcript_truncated).toBe(false)
    expect(events.flatMap(({ data, event }) => strictly(event, data))).toEqual([])
    const cost = yield* stage.run(SessionRecords.use((records) => records.cost(tenantId, id)))
    expect(cost).toMatchObject({ totalCredits: 1_500_000_000n, call: null, items: [{ service: "llm", model: "m" }] })
  })

  // Verifies: V-178.
  scenario(
    "is no word in events where the host says so",
    function* (stage) {
      const live = yield* connected(stage)
      const at = yield* Instant.now
      yield* stage.run(LiveSessions.use(({ append }) => append(live.lease, [say("user", "A secret", at)])))
      yield* end(stage, live, "caller_hangup")
      expect(JSON.stringify(yield* stage.events)).not.toContain("A secret")
    },
    { host: { voice: { events: { transcript: false } } } }
  )

  scenario("is what it was described as, and nothing of another one's hand", function* (stage) {
    const live = yield* connected(stage)
    const described = { llmModel: "gemma-4-26b-a4b-it", ttsModel: "bulbul:v3", voice: "anushka", language: "hi" }
    yield* stage.run(LiveSessions.use(({ describe: write }) => write(live.lease, described)))
    expect(yield* get(stage, live.session)).toMatchObject(described)
    const foreign = { ...live.lease, claim: "another" }
    expect(yield* stage.run(LiveSessions.use(({ describe: write }) => write(foreign, { voice: "other" })))).toBeNull()
    expect(yield* stage.run(LiveSessions.use(({ append }) => append(foreign, [])))).toBeNull()
    expect(yield* stage.run(LiveSessions.use((sessions) => sessions.end(foreign, "agent_closed")))).toBeNull()
    expect(yield* get(stage, live.session)).toMatchObject({ ...described, status: "active" })
  })

  scenario("is no recording where there is no place for one", function* (stage) {
    const live = yield* connected(stage)
    const start = Recordings.use((recordings) => recordings.start(live.lease, 8000, () => undefined))
    expect(yield* stage.fails(start)).toMatchObject({ _tag: "RecordingFailed" })
    expect(yield* get(stage, live.session)).toMatchObject({ recording: "none" })
  })
})
