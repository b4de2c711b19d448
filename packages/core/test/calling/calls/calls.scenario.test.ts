/** Calls of the telephony API, through the admission: docs/reference/telephony.md#admission, #routes, #life, #long-calls, #events. Verifies: TELE-1. */

import { Accounts, Bots, Calls, Ids, Instant, Numbers } from "@trunkline/core/effect"
import type { CallFilter } from "@trunkline/core/storage"
import { CallReports } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { operator } from "../../../src/platform/accounts/index.ts"
import { type Stage, scenario } from "./Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]
const credit = 1_000_000_000n
const stranger = "01936f00-0000-7000-8000-0000000000ff"

const change = (stage: Stage, fields: { status?: "active" | "inactive" | "terminated"; voiceCampaigns?: boolean }) =>
  stage.run(Accounts.use((accounts) => accounts.change(stage.tenant, fields, operator)))

const other = (stage: Stage) =>
  stage.run(Accounts.use((accounts) => accounts.create({ name: "Other", plan: "free", voiceCampaigns: true })))

const bot = (stage: Stage, config: Record<string, unknown> = {}, tenant = stage.tenant) =>
  stage.run(
    Bots.use((bots) =>
      bots.create(tenant, { name: "Asha", type: "messaging", systemPrompt: null, isActive: true, config })
    )
  )

const refused = (stage: Stage, to = a) =>
  stage.fails(Calls.use((calls) => calls.create(stage.tenant, { to, fromNumberId: null, botId: null })))

describe("placing a call", () => {
  // Verifies: D-132.
  scenario("answers with its row at once; the carrier is asked afterwards, once", function* (stage) {
    const call = yield* stage.dial("+1 (415) 555-0101")
    expect(call).toMatchObject({
      to: "+1 (415) 555-0101",
      status: "queued",
      campaignId: null,
      contactId: null,
      attempt: null,
      burstId: null,
      isWinner: false,
      abandoned: false,
      provider: "fake",
      providerCallId: null,
      startedAt: yield* Instant.now,
      endedAt: null,
      durationSeconds: null,
      endReason: null,
      credits: 0n
    })
    yield* stage.rest
    expect(stage.dialed).toEqual(["+1 (415) 555-0101"])
    expect(yield* stage.call(call.to)).toMatchObject({ id: call.id, providerCallId: expect.any(String) })
    yield* stage.wait(14_000)
    expect(stage.dialed).toHaveLength(1)
  })

  scenario(
    "knows no calling hours, no pace and no lines",
    function* (stage) {
      yield* stage.running({ quietHoursStart: 1, quietHoursEnd: 2 }, [b])
      for (let i = 0; i < 5; i++) yield* stage.dial(a)
      yield* stage.rest
      expect(stage.dialed).toEqual([a, a, a, a, a])
      yield* stage.wait(24 * 3_600_000)
      expect(stage.network.log.filter(({ kind, to }) => kind === "end" && to === a)).toEqual([])
    },
    { carrier: { silenceMs: 3_600_000 } }
  )

  // Verifies: D-153.
  scenario("lets the callee hear the agent, and shows the chosen number", function* (stage) {
    const agent = yield* bot(stage, { greeting: "Good day!", language: "en-IN" })
    yield* stage.run(Numbers.use((numbers) => numbers.add(stage.tenant, "+14155550190", null)))
    const second = yield* stage.run(Numbers.use((numbers) => numbers.add(stage.tenant, "+14155550191", null)))
    const call = yield* stage.dial(a, { botId: agent.id, fromNumberId: second.id })
    expect(call).toMatchObject({ botId: agent.id, fromNumberId: second.id, from: "+14155550191" })
    yield* stage.rest
    expect(stage.line(a).order).toMatchObject({
      from: "+14155550191",
      detectMachine: false,
      answer: { _tag: "Say", text: "Good day!", language: "en-IN" }
    })
  })

  // Verifies: D-156.
  scenario(
    "lets the host decide what is heard",
    function* (stage) {
      const agent = yield* bot(stage)
      const call = yield* stage.dial(a, { botId: agent.id })
      yield* stage.rest
      expect(stage.line(a).order.answer).toEqual({ _tag: "Stream", url: `wss://host.example/${call.id}/Asha` })
    },
    {
      host: { onAnswer: (call, agent) => ({ _tag: "Stream", url: `wss://host.example/${call.id}/${agent?.name}` }) }
    }
  )

  // Verifies: D-136.
  scenario("is refused for a number that cannot be dialed", function* (stage) {
    const texts = [
      "123456",
      "call me",
      "1-800-555-HELPDESK",
      "1234567890123456",
      "4.4770E+11",
      "2026-11-28",
      "a@b.example"
    ]
    for (const to of [...texts, "$1,234,567.00", "+49 33203 / 123456"]) {
      expect(yield* refused(stage, to)).toMatchObject({ _tag: "UnusableNumber", field: "to" })
    }
    expect(yield* refused(stage, "4.4770E+11")).toMatchObject({ message: expect.stringContaining("spreadsheet") })
    expect(stage.dialed).toEqual([])
  })

  scenario("is refused with an agent or a number that is not the account's", function* (stage) {
    const them = yield* other(stage)
    const agent = yield* bot(stage, {}, them.id)
    const number = yield* stage.run(Numbers.use((numbers) => numbers.add(them.id, "+14155550190", null)))
    const dialing = (more: { botId?: Ids.BotId; fromNumberId?: Ids.NumberId }) =>
      stage.fails(Calls.use((calls) => calls.create(stage.tenant, { to: a, botId: null, fromNumberId: null, ...more })))
    expect(yield* dialing({ botId: agent.id })).toMatchObject({ _tag: "BotNotFound" })
    expect(yield* dialing({ botId: Ids.as(stranger) })).toMatchObject({ _tag: "BotNotFound" })
    expect(yield* dialing({ fromNumberId: number.id })).toMatchObject({ _tag: "NumberNotFound" })
    expect(yield* dialing({ fromNumberId: Ids.as(stranger) })).toMatchObject({ _tag: "NumberNotFound" })
    expect(yield* stage.calls()).toEqual([])
  })

  // Verifies: C-15, D-128, D-135, D-137.
  scenario(
    "is refused by the admission for the first reason that there is, and stores nothing",
    function* (stage) {
      yield* stage.leaveCredit(credit - 1n)
      yield* stage.suppress(a)
      yield* change(stage, { status: "inactive", voiceCampaigns: false })
      const reasons = []
      reasons.push((yield* refused(stage))._tag)
      yield* change(stage, { status: "terminated" })
      reasons.push((yield* refused(stage))._tag)
      yield* change(stage, { status: "active" })
      reasons.push((yield* refused(stage))._tag)
      yield* change(stage, { voiceCampaigns: true })
      reasons.push((yield* refused(stage))._tag)
      reasons.push((yield* refused(stage, b))._tag)
      yield* stage.run(Numbers.use((numbers) => numbers.add(stage.tenant, "+14155550190", null)))
      reasons.push((yield* refused(stage, b))._tag)
      expect(reasons).toEqual([
        "AccountInactive",
        "AccountInactive",
        "FeatureDisabled",
        "NumberSuppressed",
        "NoCallerNumber",
        "OutOfCredits"
      ])
      yield* stage.rest
      expect(stage.dialed).toEqual([])
      expect(yield* stage.calls()).toEqual([])
      expect(yield* stage.credits).toMatchObject({ balance: credit - 1n, reserved: 0n })
      expect(yield* stage.events).toEqual([])
    },
    { carrier: { needsCaller: true } }
  )

  scenario("is refused for want of credit that other calls have reserved", function* (stage) {
    yield* stage.leaveCredit(2n * credit)
    yield* stage.dial(a)
    yield* stage.dial(a)
    expect(yield* refused(stage)).toMatchObject({ _tag: "OutOfCredits" })
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.dial(a)
    expect(yield* stage.credits).toMatchObject({ reserved: 2n * credit })
  })

  scenario(
    "waits for its turn below the carrier's start rate",
    function* (stage) {
      const calls = []
      for (let i = 0; i < 3; i++) calls.push(yield* stage.dial(a))
      const at = yield* Instant.now
      expect(calls.map(({ startedAt }) => startedAt - at)).toEqual([0, 1000, 2000])
      yield* stage.wait(1_999)
      expect(stage.dialed).toHaveLength(2)
      yield* stage.wait(1)
      expect(stage.dialed).toHaveLength(3)
    },
    { carrier: { startsPerSecond: 1 } }
  )
})

describe("hanging up", () => {
  scenario("cancels a call that nobody has answered", function* (stage) {
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.ring(a)
    const answer = yield* stage.hangUp(a)
    // The answer shows the status of that moment.
    expect(answer).toMatchObject({ status: "ringing", endReason: null })
    expect(yield* stage.call(a)).toMatchObject({ status: "canceled", endReason: "hangup_local", credits: 0n })
    expect(yield* stage.eventNames(yield* stage.call(a))).toEqual(["call.started", "call.failed"])
  })

  scenario("ends one that was answered, and it costs what was talked", function* (stage) {
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(61_000)
    yield* stage.hangUp(a)
    expect(yield* stage.call(a)).toMatchObject({
      status: "completed",
      endReason: "hangup_local",
      durationSeconds: 61,
      credits: 2n * credit
    })
  })

  // Verifies: D-138.
  scenario("twice is once, and leaves a call that is over exactly as it was", function* (stage) {
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.hangUp(a)
    const over = yield* stage.call(a)
    yield* stage.wait(1_000)
    expect(yield* stage.hangUp(a)).toEqual(over)
    expect(yield* stage.call(a)).toEqual(over)
    expect(yield* stage.eventNames(over)).toEqual(["call.started", "call.completed"])
  })

  scenario(
    "before the carrier was asked keeps it from being asked; there was no call, and no event is written",
    function* (stage) {
      yield* stage.dial(b)
      const waiting = yield* stage.dial(a)
      yield* stage.hangUp(a)
      yield* stage.wait(5_000)
      expect(stage.dialed).toEqual([b])
      expect(yield* stage.call(a)).toMatchObject({ status: "canceled", endReason: "hangup_local", credits: 0n })
      expect(yield* stage.eventNames(waiting)).toEqual([])
      expect(yield* stage.credits).toMatchObject({ reserved: credit })
    },
    { carrier: { startsPerSecond: 1 } }
  )

  scenario("is for the account's own calls alone", function* (stage) {
    const { id } = yield* stage.dial(a)
    yield* stage.rest
    const them = yield* other(stage)
    for (const attempt of [
      Calls.use((calls) => calls.hangUp(them.id, id)),
      Calls.use((calls) => calls.get(them.id, id)),
      Calls.use((calls) => calls.hangUp(stage.tenant, Ids.as(stranger))),
      Calls.use((calls) => calls.get(stage.tenant, Ids.as(stranger)))
    ]) {
      expect(yield* stage.fails(attempt)).toMatchObject({ _tag: "CallNotFound" })
    }
    yield* stage.wait(10_000)
    expect(stage.line(a).endedAt).toBeNull()
  })
})

describe("a long call", () => {
  scenario("is hung up when its next minute cannot be reserved", function* (stage) {
    yield* stage.leaveCredit(2n * credit)
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(115_000)
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", endReason: "credits", credits: 2n * credit })
    expect(yield* stage.credits).toMatchObject({ balance: 0n, reserved: 0n })
  })

  scenario("goes on when credit is added in time", function* (stage) {
    yield* stage.leaveCredit(credit)
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(54_000)
    yield* stage.leaveCredit(credit)
    yield* stage.wait(60_000)
    expect(yield* stage.call(a)).toMatchObject({ status: "in_progress" })
  })

  scenario("costs one reservation for each minute, also after a restart of the server", function* (stage) {
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(100_000)
    yield* stage.restart
    yield* stage.wait(100_000)
    expect((yield* stage.credits).reserved).toBe(4n * credit)
    yield* stage.end(a)
    expect(yield* stage.call(a)).toMatchObject({ durationSeconds: 200, credits: 4n * credit })
  })
})

describe("the list of calls", () => {
  // Verifies: D-140.
  scenario("is newest first, has pages, and filters that combine", function* (stage) {
    const campaign = yield* stage.running({ paceSeconds: 5 }, [a, b])
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.wait(5_000)
    yield* stage.end(b, "busy")
    yield* stage.wait(15 * 60_000)
    yield* stage.dial(b)
    yield* stage.rest
    const contact = yield* stage.contact(campaign, a)
    const list = (filter: Partial<CallFilter>, page = { limit: 100, offset: 0 }) =>
      Effect.map(
        stage.run(
          Calls.use((calls) =>
            calls.list(stage.tenant, { campaignId: null, contactId: null, status: null, ...filter }, page)
          )
        ),
        ({ items, total }) => [items.map(({ to, status }) => [to, status]), total]
      )
    expect(yield* list({})).toEqual([
      [
        [b, "queued"],
        [a, "queued"],
        [b, "busy"],
        [a, "busy"]
      ],
      4
    ])
    expect(yield* list({}, { limit: 2, offset: 1 })).toEqual([
      [
        [a, "queued"],
        [b, "busy"]
      ],
      4
    ])
    expect((yield* list({ campaignId: campaign }))[1]).toBe(3)
    expect((yield* list({ contactId: contact.id }))[1]).toBe(2)
    expect(yield* list({ contactId: contact.id, campaignId: campaign, status: "busy" })).toEqual([[[a, "busy"]], 1])
    expect((yield* list({ status: "busy" }))[1]).toBe(2)
    expect((yield* list({ status: "queued", campaignId: campaign }))[1]).toBe(1)
    expect(yield* list({ status: "completed" })).toEqual([[], 0])
  })

  scenario("is the account's own", function* (stage) {
    yield* stage.dial(a)
    const them = yield* other(stage)
    const theirs = yield* stage.run(
      Calls.use((calls) =>
        calls.list(them.id, { campaignId: null, contactId: null, status: null }, { limit: 9, offset: 0 })
      )
    )
    expect(theirs).toEqual({ items: [], total: 0 })
  })
})

describe("what a carrier reports", () => {
  // Verifies: D-145.
  scenario("late, twice or in disorder never moves a call backwards, and settles it once", function* (stage) {
    const { balance } = yield* stage.credits
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.losing(stage.completeCall(a, 30))
    const { order, providerCallId } = stage.line(a)
    const at = yield* Instant.now
    const report = (news: Parameters<Stage["report"]>[1], when = at) =>
      stage.run(CallReports.use((reports) => reports.apply({ callId: order.callId, providerCallId, at: when, news })))
    const end = { _tag: "Ended", status: "completed", failure: null, durationSeconds: 30, by: "remote" } as const
    yield* report({ _tag: "Answered" }, Instant.plus(at, -30_000))
    yield* report({ _tag: "Ringing" })
    expect((yield* stage.call(a)).status).toBe("in_progress")
    yield* report(end)
    const over = yield* stage.call(a)
    for (const news of [end, { ...end, durationSeconds: 900 }, { _tag: "Answered" }, { _tag: "Ringing" }] as const) {
      yield* report(news, Instant.plus(at, 5_000))
    }
    expect(yield* stage.call(a)).toEqual(over)
    expect(over).toMatchObject({ status: "completed", durationSeconds: 30, credits: credit })
    expect(yield* stage.credits).toMatchObject({ balance: balance - credit, reserved: 0n })
    expect(yield* stage.eventNames(over)).toEqual(["call.started", "call.completed"])
  })

  scenario("about a call that nobody here knows changes nothing", function* (stage) {
    yield* stage.run(
      CallReports.use((reports) =>
        reports.apply({
          callId: Ids.as(stranger),
          providerCallId: "X",
          at: stage.network.log[0]?.at ?? (0 as Instant.Instant),
          news: { _tag: "Answered" }
        })
      )
    )
    expect(yield* stage.calls()).toEqual([])
    expect(yield* stage.events).toEqual([])
  })

  scenario("under another id of its own than the call has is not about this call", function* (stage) {
    yield* stage.dial(a)
    yield* stage.rest
    const call = yield* stage.call(a)
    yield* stage.run(
      CallReports.use((reports) =>
        reports.apply({ callId: call.id, providerCallId: "another", at: call.startedAt, news: { _tag: "Answered" } })
      )
    )
    expect(yield* stage.call(a)).toEqual(call)
  })

  const racing: { stage?: Stage } = {}
  // Verifies: D-162.
  scenario(
    "may be faster than its answer to the order: one call.started, and the call is ringing",
    function* (stage) {
      racing.stage = stage
      yield* stage.dial(a)
      yield* stage.rest
      expect(yield* stage.call(a)).toMatchObject({ status: "ringing", providerCallId: expect.any(String) })
      expect(yield* stage.eventNames(yield* stage.call(a))).toEqual(["call.started"])
    },
    {
      carrier: {
        after: ({ callId, kind }) =>
          kind === "place"
            ? Effect.flatMap(Instant.now, (at) => {
                racing.stage!.network.ring(racing.stage!.network.calls.get(callId)!, at)
                return racing.stage!.deliver
              })
            : Effect.void
      }
    }
  )

  // Verifies: D-164.
  scenario(
    "at once, as a refusal of this number, is published as a failed call that never started",
    function* (stage) {
      yield* stage.dial(a)
      yield* stage.rest
      const call = yield* stage.call(a)
      expect(call).toMatchObject({ status: "failed", endReason: "failed", credits: 0n, durationSeconds: 0 })
      expect(yield* stage.eventNames(call)).toEqual(["call.failed"])
      expect(yield* stage.credits).toMatchObject({ reserved: 0n })
    },
    { carrier: { onPlace: () => "invalid_number" } }
  )
})
