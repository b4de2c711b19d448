/**
 * Calls whose reports or answers were lost, and outages of ours: docs/reference/telephony.md#reconcile.
 * Verifies: TELE-2, TELE-4, TELE-6, TELE-7, TELE-8.
 */

import { Accounts, Calls, Instant } from "@trunkline/core/effect"
import { CallReports } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { operator } from "../../../src/platform/accounts/index.ts"
import { realTraits, type Stage, scenario } from "./Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]
const credit = 1_000_000_000n
const threeMinutes = 3 * Instant.minute

const real = { ...realTraits, needsCaller: false }
const byNumber = { ...real, findsBy: "number" as const }

const requests = (stage: Stage, kind: string, to = a) =>
  stage.network.log.filter((entry) => entry.kind === kind && entry.to === to).map(({ at }) => at)

const row = (stage: Stage, id: Parameters<Stage["contact"]>[0], phone = a) =>
  Effect.map(stage.contact(id, phone), ({ attempts, lastError, status }) => [status, attempts, lastError])

/** The carrier does what it is asked for, and its answers are lost for this long. */
const answersLost = (stage: Stage, milliseconds: number) =>
  Effect.map(Instant.now, (at) => {
    stage.network.outage = { until: Instant.plus(at, milliseconds), acts: true }
  })

/** Delivers what has happened so far, and nothing that comes of it. */
const deliverOnce = Effect.fnUntraced(function* (stage: Stage) {
  stage.muted = true
  for (const report of stage.network.pending.splice(0)) {
    yield* stage.run(CallReports.use((reports) => reports.apply(report)))
  }
  yield* stage.rest
})

describe("a call that our side wants to end", () => {
  for (const lost of ["the last report", "the last report and the carrier's answer"]) {
    const losing = (stage: Stage) => (lost.endsWith("answer") ? answersLost(stage, Instant.minute) : Effect.void)
    const settled = function* (stage: Stage, phone = a) {
      yield* stage.wait(threeMinutes)
      stage.network.pending.length = 0
      stage.muted = false
      const call = yield* stage.call(phone)
      expect(call.endedAt).not.toBeNull()
      expect(yield* stage.credits).toMatchObject({ reserved: 0n })
      return call
    }

    // Verifies: D-250.
    scenario(
      `because its number was listed is closed without ${lost}`,
      function* (stage) {
        const id = yield* stage.running({}, [a])
        yield* stage.rest
        yield* stage.ring(a)
        stage.muted = true
        yield* losing(stage)
        yield* stage.suppress(a)
        expect(yield* settled(stage)).toMatchObject({ status: "canceled", endReason: "do_not_call" })
        expect(yield* row(stage, id)).toEqual(["failed", 1, "do_not_call"])
        expect((yield* stage.campaign(id)).status).toBe("completed")
      },
      { carrier: real }
    )

    scenario(
      `because somebody hangs up is closed without ${lost}`,
      function* (stage) {
        yield* stage.dial(a)
        yield* stage.rest
        yield* stage.answer(a)
        yield* stage.wait(20_000)
        stage.muted = true
        yield* losing(stage)
        yield* stage.hangUp(a)
        expect(yield* settled(stage)).toMatchObject({ status: "completed", durationSeconds: 20, credits: credit })
      },
      { carrier: real }
    )

    // Verifies: D-250.
    scenario(
      `because another leg won is closed without ${lost}`,
      function* (stage) {
        const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b])
        yield* stage.rest
        yield* stage.ring(a)
        yield* losing(stage)
        stage.network.answer(stage.line(b), "human", yield* Instant.now)
        yield* deliverOnce(stage)
        yield* stage.wait(threeMinutes)
        expect((yield* stage.call(a)).endReason).toBe("lost_race")
        expect(yield* row(stage, id)).toEqual(["pending", 1, "canceled"])
      },
      { carrier: real }
    )

    scenario(
      `because its window closes is closed without ${lost}`,
      function* (stage) {
        yield* stage.waitUntil("2026-11-21T06:59:50Z")
        const id = yield* stage.running({ quietHoursStart: 6, quietHoursEnd: 7 }, [a])
        yield* stage.rest
        yield* stage.ring(a)
        stage.muted = true
        yield* stage.waitUntil("2026-11-21T06:59:59Z")
        yield* losing(stage)
        expect(yield* settled(stage)).toMatchObject({ status: "canceled", endReason: "window_closed" })
        expect(yield* row(stage, id)).toEqual(["pending", 1, "canceled"])
      },
      { carrier: real }
    )

    scenario(
      `because a machine answered is closed without ${lost}`,
      function* (stage) {
        const id = yield* stage.running({ amdEnabled: true }, [a])
        yield* stage.rest
        stage.network.answer(stage.line(a), "machine", yield* Instant.now)
        yield* losing(stage)
        yield* deliverOnce(stage)
        expect(yield* settled(stage)).toMatchObject({ status: "completed", endReason: "hangup_local" })
        expect(yield* row(stage, id)).toEqual(["pending", 1, "machine"])
      },
      { carrier: real }
    )
  }

  // Verifies: D-250.
  scenario("had ended before, and the carrier's record of that stands", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.ring(a)
    yield* stage.losing(Effect.map(Instant.now, (at) => stage.network.end(stage.line(a), "busy", null, at)))
    yield* stage.suppress(a)
    yield* stage.rest
    expect(yield* stage.call(a)).toMatchObject({ status: "busy", endReason: "busy" })
    expect(yield* row(stage, id)).toEqual(["pending", 1, "busy"])
  })

  // Verifies: D-251.
  scenario("and goes on is asked to end again, but more and more rarely", function* (stage) {
    stage.stubborn.add(a)
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.hangUp(a)
    yield* stage.wait(5 * Instant.minute)
    const ends = requests(stage, "end")
    expect(ends.slice(1).map((at, i) => (at - ends[i]!) / 1000)).toEqual([5, 10, 20, 40, 60, 60, 60])
    stage.stubborn.clear()
    yield* stage.wait(Instant.minute)
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", endReason: "hangup_local" })
  })

  scenario("stays open while the carrier is away if somebody has answered, and is ended after that", function* (stage) {
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    const at = yield* Instant.now
    stage.network.outage = { until: Instant.plus(at, 8 * Instant.minute), acts: false }
    yield* stage.hangUp(a)
    yield* stage.wait(8 * Instant.minute)
    expect((yield* stage.call(a)).endedAt).toBeNull()
    yield* stage.wait(Instant.minute)
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", endReason: "hangup_local" })
  })
})

describe("the carrier's record of a call", () => {
  const stranger = Effect.fnUntraced(function* (stage: Stage, to: string) {
    const them = yield* stage.run(
      Accounts.use((accounts) => accounts.create({ name: "Other", plan: "free", voiceCampaigns: true }))
    )
    const call = yield* stage.run(Calls.use((calls) => calls.create(them.id, { to, fromNumberId: null, botId: null })))
    yield* stage.rest
    return () => stage.run(Calls.use((calls) => calls.get(them.id, call.id)))
  })

  // Verifies: D-252.
  scenario(
    "is one call's alone: an order that never arrived is not given another account's call to the same number",
    function* (stage) {
      const { balance } = yield* stage.credits
      const id = yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.rest
      const theirs = yield* stranger(stage, "+1 (415) 555-0101")
      stage.network.answer(stage.line("+1 (415) 555-0101"), "human", yield* Instant.now)
      yield* stage.deliver
      yield* stage.wait(threeMinutes)
      const [first, second] = yield* stage.calls()
      expect(first).toMatchObject({ status: "canceled", providerCallId: null, credits: 0n })
      expect(yield* stage.eventNames(first!)).toEqual([])
      expect(second).toMatchObject({ to: a, status: "queued" })
      expect(yield* row(stage, id)).toEqual(["calling", 0, null])
      expect(yield* theirs()).toMatchObject({ status: "in_progress" })
      yield* stage.end(a, "busy")
      expect(yield* stage.credits).toMatchObject({ balance, reserved: 0n })
    },
    { carrier: { ...byNumber, onPlace: (_, nth) => (nth === 1 ? "lose_order" : "accept") } }
  )

  // Verifies: D-253.
  scenario(
    "is nobody's where two calls may be meant and only one of them arrived: both outcomes are unknown, and neither costs",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      const theirs = yield* stranger(stage, a)
      yield* stage.losing(stage.completeCall(a, 10))
      yield* stage.wait(threeMinutes)
      expect(yield* stage.call(a)).toMatchObject({ status: "failed", endReason: "unknown", credits: 0n })
      expect(yield* row(stage, id)).toEqual(["failed", 1, "outcome_unknown"])
      expect(yield* theirs()).toMatchObject({ status: "failed", endReason: "unknown", providerCallId: null })
      yield* stage.wait(Instant.day)
      expect(stage.dialed).toEqual([a, a])
    },
    { carrier: { ...byNumber, onPlace: (_, nth) => (nth === 1 ? "lose_order" : "lose_answer") } }
  )

  // Verifies: D-254.
  scenario(
    "is identified by our own id where the carrier returns it",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      const theirs = yield* stranger(stage, a)
      yield* stage.losing(stage.completeCall(a, 10))
      yield* stage.wait(20_000)
      expect(yield* theirs()).toMatchObject({ status: "completed", durationSeconds: 10 })
      yield* stage.wait(threeMinutes)
      expect((yield* stage.calls())[0]).toMatchObject({ status: "canceled", credits: 0n })
      expect(yield* row(stage, id)).toEqual(["calling", 0, null])
    },
    {
      carrier: {
        ...real,
        onPlace: (_, nth) => (["lose_order", "lose_answer"] as const)[nth - 1] ?? "accept"
      }
    }
  )

  scenario(
    "is recognized by its number where no other call may be meant",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      yield* stage.losing(stage.completeCall(a, 5))
      yield* stage.wait(20_000)
      expect(yield* stage.call(a)).toMatchObject({ status: "completed", durationSeconds: 5 })
      expect(yield* row(stage, id)).toEqual(["done", 1, null])
    },
    { carrier: { ...byNumber, onPlace: () => "lose_answer" } }
  )

  scenario(
    "that the carrier names for two calls belongs to the first; the other's outcome is unknown, and it is not placed again",
    function* (stage) {
      yield* stage.dial(b)
      yield* stage.rest
      const id = yield* stage.running({}, [a])
      yield* stage.wait(10_000)
      expect(yield* stage.call(b)).toMatchObject({ status: "queued", providerCallId: "SAME" })
      expect(yield* stage.call(a)).toMatchObject({ status: "failed", endReason: "unknown", providerCallId: null })
      expect(yield* row(stage, id)).toEqual(["failed", 1, "outcome_unknown"])
      expect(stage.dialed).toEqual([b, a])
    },
    { line: (whole) => ({ place: (permit) => Effect.as(whole.place(permit), { providerCallId: "SAME" }) }) }
  )

  scenario(
    "is known from a report also when the call was given up before, and stays that call's",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      stage.network.outage = { until: Instant.plus(yield* Instant.now, threeMinutes), acts: true }
      yield* stage.wait(threeMinutes)
      expect(yield* row(stage, id)).toEqual(["failed", 1, "outcome_unknown"])
      const given = yield* stage.call(a)
      yield* stage.ring(a)
      expect(yield* stage.call(a)).toEqual({ ...given, providerCallId: expect.any(String) })
    },
    { carrier: real }
  )
})

describe("an outage of ours", () => {
  // Verifies: D-255.
  scenario(
    "in the middle of a proof begins it anew: the contact is called after all",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.wait(20_000)
      yield* stage.kill
      yield* stage.wait(threeMinutes)
      yield* stage.start
      yield* stage.wait(threeMinutes)
      expect((yield* stage.calls())[0]).toMatchObject({ status: "canceled", endReason: "canceled" })
      expect(stage.dialed).toEqual([a, a])
      expect(yield* row(stage, id)).toEqual(["calling", 0, null])
      const finds = requests(stage, "find").slice(0, 4)
      expect(finds.map((at) => (at - requests(stage, "place")[0]!) / 1000)).toEqual([15, 200, 260, 320])
    },
    { carrier: { ...real, onPlace: (_, nth) => (nth === 1 ? "lose_order" : "accept") } }
  )

  // Verifies: D-257.
  scenario("in which a report is refused costs nothing: it is applied once the storage is back", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(10_000)
    stage.breakEvents = true
    stage.network.end(stage.line(a), "completed", "remote", yield* Instant.now)
    const report = stage.network.pending.pop()!
    const refused = yield* stage.fails(CallReports.use((reports) => reports.apply(report)))
    expect(refused).toMatchObject({ _tag: "StorageError" })
    stage.muted = true
    yield* stage.elapse(20_000)
    expect(yield* stage.call(a)).toMatchObject({ status: "in_progress" })
    stage.breakEvents = false
    yield* stage.elapse(1_000)
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", durationSeconds: 10, endReason: "hangup_remote" })
    expect(yield* row(stage, id)).toEqual(["done", 1, null])
  })

  // Verifies: D-257.
  scenario("in which the carrier's answer to an order is refused does not lose it", function* (stage) {
    stage.breakEvents = true
    yield* stage.dial(a)
    yield* stage.elapse(5_000)
    expect(yield* stage.call(a)).toMatchObject({ providerCallId: null })
    stage.breakEvents = false
    yield* stage.elapse(1_000)
    expect(yield* stage.call(a)).toMatchObject({ providerCallId: expect.any(String) })
    expect(requests(stage, "find")).toEqual([])
    expect(stage.dialed).toEqual([a])
  })
})

describe("a conversation", () => {
  // Verifies: D-256.
  scenario("whose end was lost is noticed within a minute, and no further minute is reserved", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(30_000)
    yield* stage.losing(Effect.map(Instant.now, (at) => stage.network.end(stage.line(a), "completed", "remote", at)))
    yield* stage.wait(20_000)
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", durationSeconds: 30, credits: credit })
    expect(yield* stage.credits).toMatchObject({ reserved: 0n })
    expect(yield* row(stage, id)).toEqual(["done", 1, null])
  })

  for (const [lost, secondsUntilLost] of [
    ["end", 30],
    ["end after many minutes", 400],
    ["answer and end", 0]
  ] as const) {
    // Verifies: D-256.
    scenario(
      `for which nothing is ever reserved is closed within three minutes when the report of its ${lost} was lost`,
      function* (stage) {
        // Enterprise without a monthly budget: its time is covered for good.
        yield* stage.run(Accounts.use((accounts) => accounts.change(stage.tenant, { plan: "enterprise" }, operator)))
        const id = yield* stage.running({}, [a])
        yield* stage.rest
        if (secondsUntilLost > 0) yield* stage.answer(a)
        yield* stage.wait(secondsUntilLost * 1000)
        stage.muted = true
        const at = yield* Instant.now
        stage.network.answer(stage.line(a), "human", at)
        stage.network.end(stage.line(a), "completed", "remote", at)
        stage.network.pending.length = 0
        yield* stage.wait(threeMinutes)
        expect(yield* stage.call(a)).toMatchObject({ status: "completed", durationSeconds: secondsUntilLost })
        expect(yield* stage.credits).toMatchObject({ reserved: 0n })
        expect(yield* row(stage, id)).toEqual(["done", 1, null])
      },
      { carrier: real }
    )
  }

  // Verifies: D-256.
  scenario("is looked up before each further minute is reserved, and only then", function* (stage) {
    yield* stage.dial(a)
    yield* stage.rest
    const answeredAt = yield* Instant.now
    yield* stage.answer(a)
    yield* stage.wait(200_000)
    expect(requests(stage, "find").map((at) => (at - answeredAt) / 1000)).toEqual([45, 105, 165])
    expect((yield* stage.credits).reserved).toBe(4n * credit)
  })

  scenario("goes on, and is paid for, while the carrier answers no look-up", function* (stage) {
    yield* stage.dial(a)
    yield* stage.rest
    yield* stage.answer(a)
    yield* answersLost(stage, 8 * Instant.minute)
    yield* stage.wait(8 * Instant.minute)
    expect(yield* stage.call(a)).toMatchObject({ status: "in_progress" })
    expect((yield* stage.credits).reserved).toBe(9n * credit)
    yield* stage.end(a)
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", durationSeconds: 480, credits: 8n * credit })
  })
})

describe("a phone that rang", () => {
  // Verifies: D-258.
  scenario("counts as an attempt although the report of it was lost", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2, maxAttempts: 1 }, [a, b])
    yield* stage.rest
    yield* stage.losing(Effect.map(Instant.now, (at) => stage.network.ring(stage.line(a), at)))
    yield* stage.answer(b)
    yield* stage.end(b)
    expect(yield* stage.call(a)).toMatchObject({ status: "canceled", endReason: "lost_race" })
    expect(yield* row(stage, id)).toEqual(["failed", 1, "canceled"])
    yield* stage.wait(Instant.hour)
    expect(stage.dialed).toEqual([a, b])
  })

  // Verifies: D-258.
  scenario(
    "counts also where the record no longer says so once the call is cancelled: it is read before",
    function* (stage) {
      const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2, maxAttempts: 1 }, [a, b])
      yield* stage.rest
      yield* stage.losing(Effect.map(Instant.now, (at) => stage.network.ring(stage.line(a), at)))
      yield* stage.answer(b)
      yield* stage.end(b)
      expect(yield* row(stage, id)).toEqual(["failed", 1, "canceled"])
    },
    {
      line: (whole) => ({
        end: (ref, options) =>
          Effect.map(whole.end(ref, options), (report) => {
            if (report?.news._tag !== "Ended") return report
            const { rang: _, ...news } = report.news
            return { ...report, news }
          })
      })
    }
  )
})
