/** The live view: docs/reference/campaigns.md#live, docs/reference/campaigns.md#waiting-for. */

import { Accounts, Instant } from "@trunkline/core/effect"
import { describe, expect } from "vitest"
import { operator } from "../../../src/platform/accounts/index.ts"
import { instant, type Stage, scenario } from "../calls/Scenarios.ts"

const [a, b, c] = ["+14155550101", "+14155550102", "+14155550103"]

const change = (stage: Stage, fields: { status?: "active" | "inactive" | "terminated"; voiceCampaigns?: boolean }) =>
  stage.run(Accounts.use((accounts) => accounts.change(stage.tenant, fields, operator)))

describe("the calls of a live view", () => {
  // Verifies: C-60, C-63, C-64, C-65, C-68, D-83.
  scenario("are those under way, with whom and since when; one that is over is gone", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.wait(1)
    const seen: Array<ReadonlyArray<string>> = []
    const look = function* () {
      const { activeCalls } = yield* stage.live(id)
      seen.push(activeCalls.map(({ status }) => status))
      return activeCalls
    }
    const [first] = yield* look()
    expect(first).toMatchObject({
      phone: a,
      name: null,
      contactId: (yield* stage.contact(id, a)).id,
      burstId: null,
      isWinner: false,
      startedAt: instant("2026-11-21T06:30:00Z")
    })
    yield* stage.report(a, { _tag: "Dialing" })
    yield* look()
    yield* stage.ring(a)
    yield* look()
    yield* stage.answer(a)
    yield* look()
    yield* stage.end(a)
    yield* look()
    expect(seen).toEqual([["queued"], ["dialing"], ["ringing"], ["in_progress"], []])
  })

  // Verifies: C-66, C-67.
  scenario("show the parallel dial and its winner, oldest first", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 3 }, [a, b, c])
    yield* stage.rest
    stage.stubborn.add(a)
    yield* stage.ring(a)
    yield* stage.answer(b)
    const { activeCalls } = yield* stage.live(id)
    expect(activeCalls.map(({ isWinner, phone }) => [phone, isWinner])).toEqual([
      [a, false],
      [b, true]
    ])
    expect(new Set(activeCalls.map(({ burstId }) => burstId)).size).toBe(1)
  })

  scenario("are the campaign's own alone", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.running({}, [b])
    yield* stage.dial(c)
    yield* stage.rest
    expect((yield* stage.live(id)).activeCalls.map(({ phone }) => phone)).toEqual([a])
  })
})

describe("those who wait for approval", () => {
  // Verifies: C-61, C-62, C-69, D-85, D-86.
  scenario("are the first 50 in dialing order, and the number of all, in preview mode alone", function* (stage) {
    const phones = Array.from({ length: 60 }, (_, i) => `+1415555${1000 + i}`)
    const id = yield* stage.running({ dialMode: "preview" }, phones)
    yield* stage.approve(id, phones[0]!)
    yield* stage.rest
    yield* stage.approve(id, phones[1]!)
    let live = yield* stage.live(id)
    expect(live.awaitingApproval.map(({ phone }) => phone)).toEqual(phones.slice(2, 52))
    expect(live.awaitingApprovalTotal).toBe(58)
    // One called, one approved; then one done, one called.
    yield* stage.end(phones[0]!)
    live = yield* stage.live(id)
    expect(live.awaitingApprovalTotal).toBe(58)
    yield* stage.end(phones[1]!, "busy")
    expect((yield* stage.live(id)).awaitingApprovalTotal).toBe(58)
    yield* stage.change(id, { dialMode: "power" })
    expect(yield* stage.live(id)).toMatchObject({ awaitingApproval: [], awaitingApprovalTotal: 0 })
  })

  // Verifies: D-86.
  scenario("are counted rightly whatever becomes of the others", function* (stage) {
    const id = yield* stage.running({ dialMode: "preview", maxAttempts: 1 }, [a, b, c])
    const total = function* () {
      return (yield* stage.live(id)).awaitingApprovalTotal
    }
    expect(yield* total()).toBe(3)
    yield* stage.approve(id, a)
    expect(yield* total()).toBe(2)
    yield* stage.rest
    expect(yield* total()).toBe(2)
    yield* stage.end(a, "busy")
    expect(yield* total()).toBe(2)
    yield* stage.approve(id, b)
    yield* stage.suppress(b)
    yield* stage.rest
    expect(yield* total()).toBe(1)
  })
})

describe("what a campaign waits for", () => {
  const waiting = (stage: Stage, id: Parameters<Stage["live"]>[0]) =>
    function* () {
      return (yield* stage.live(id)).waitingFor
    }

  scenario("is a person or its time while it does not run", function* (stage) {
    const id = yield* stage.draft({ scheduledAt: instant("2026-11-22T00:00:00Z") }, [a])
    const now = waiting(stage, id)
    expect(yield* now()).toEqual({ reason: "not_running", until: null })
    yield* stage.move(id, "scheduled")
    expect(yield* now()).toEqual({ reason: "not_running", until: instant("2026-11-22T00:00:00Z") })
    yield* stage.move(id, "cancelled")
    expect(yield* now()).toEqual({ reason: "not_running", until: null })
  })

  scenario("is its account while that is not active or has no feature, and it goes on by itself", function* (stage) {
    const id = yield* stage.running({}, [a])
    const now = waiting(stage, id)
    for (const fields of [{ status: "inactive" }, { status: "terminated" }] as const) {
      yield* change(stage, fields)
      yield* stage.wait(60_000)
      expect(yield* now()).toEqual({ reason: "account", until: null })
    }
    yield* change(stage, { status: "active", voiceCampaigns: false })
    yield* stage.wait(60_000)
    expect(yield* now()).toEqual({ reason: "account", until: null })
    expect(stage.dialed).toEqual([])
    expect((yield* stage.campaign(id)).status).toBe("running")
    yield* change(stage, { voiceCampaigns: true })
    yield* stage.wait(5_000)
    expect(stage.dialed).toEqual([a])
  })

  scenario("is its account from the next call on: one under way goes on", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 5 }, [a, b])
    yield* stage.rest
    yield* stage.answer(a)
    yield* change(stage, { voiceCampaigns: false })
    yield* stage.wait(60_000)
    expect(stage.line(a).endedAt).toBeNull()
    yield* stage.end(a)
    yield* stage.wait(60_000)
    expect(stage.dialed).toEqual([a])
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "done" })
  })

  scenario("is credit when one minute cannot be reserved", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.leaveCredit(999_999_999n)
    expect(yield* waiting(stage, id)()).toEqual({ reason: "credits", until: null })
    yield* stage.rest
    expect(yield* waiting(stage, id)()).toEqual({ reason: "credits", until: null })
  })

  scenario("is credit also when other calls have reserved what there is", function* (stage) {
    yield* stage.leaveCredit(1_500_000_000n)
    const id = yield* stage.running({}, [a])
    yield* stage.dial(b)
    expect(yield* waiting(stage, id)()).toEqual({ reason: "credits", until: null })
  })

  scenario(
    "is its carrier while starts are booked ahead",
    function* (stage) {
      yield* stage.running({ dialMode: "parallel", parallelLines: 5 }, [a, b, c, `${a}4`, `${a}5`])
      yield* stage.rest
      const id = yield* stage.running({}, ["+14155550199"])
      yield* stage.rest
      expect(yield* waiting(stage, id)()).toEqual({
        reason: "provider",
        until: Instant.plus(yield* Instant.now, 5_000)
      })
      yield* stage.wait(5_000)
      expect(stage.dialed).toContain("+14155550199")
    },
    { carrier: { startsPerSecond: 1 } }
  )

  scenario("is its window, until that opens", function* (stage) {
    const id = yield* stage.running({ quietHoursStart: 9, quietHoursEnd: 10 }, [a])
    expect(yield* waiting(stage, id)()).toEqual({ reason: "window", until: instant("2026-11-21T09:00:00Z") })
  })

  scenario("is approval while nobody is approved, also while a call is under way", function* (stage) {
    const id = yield* stage.running({ dialMode: "preview" }, [a, b])
    const now = waiting(stage, id)
    expect(yield* now()).toEqual({ reason: "approval", until: null })
    yield* stage.approve(id, a)
    expect(yield* now()).toBeNull()
    yield* stage.rest
    expect(yield* now()).toEqual({ reason: "approval", until: null })
    yield* stage.approve(id, b)
    expect(yield* now()).toEqual({ reason: "lines", until: null })
    yield* stage.end(a, "busy")
    const retryAt = Instant.plus(yield* Instant.now, 15 * Instant.minute)
    yield* stage.end(b, "failed")
    expect(yield* now()).toEqual({ reason: "nothing_due", until: retryAt })
  })

  scenario("is a line while the call, or a leg of the parallel dial, is not over", function* (stage) {
    const power = yield* stage.running({}, [a, b])
    const parallel = yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b, c])
    yield* stage.rest
    expect(yield* waiting(stage, power)()).toEqual({ reason: "lines", until: null })
    expect(yield* waiting(stage, parallel)()).toEqual({ reason: "lines", until: null })
  })

  scenario("is its pace, until that has passed, and nothing then", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 30 }, [a, b])
    const now = waiting(stage, id)
    expect(yield* now()).toBeNull()
    yield* stage.rest
    const started = yield* Instant.now
    yield* stage.wait(2_000)
    yield* stage.end(a)
    expect(yield* now()).toEqual({ reason: "pace", until: Instant.plus(started, 30_000) })
  })

  scenario("is the next retry when nobody is due, and nobody at all on an empty list", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 5 }, [a])
    yield* stage.rest
    yield* stage.end(a, "busy")
    const at = yield* Instant.now
    yield* stage.wait(6_000)
    expect(yield* waiting(stage, id)()).toEqual({ reason: "nothing_due", until: Instant.plus(at, 15 * Instant.minute) })
    const empty = yield* stage.running({}, [])
    expect(yield* waiting(stage, empty)()).toEqual({ reason: "nothing_due", until: null })
  })
})

describe("the abandon rate", () => {
  /** A parallel dial of two calls: both answer, one is abandoned. */
  const race = function* (stage: Stage, winner: string, loser: string) {
    const at = yield* Instant.now
    stage.network.answer(stage.line(winner), "human", at)
    stage.network.answer(stage.line(loser), "human", at)
    yield* stage.rest
    yield* stage.end(winner)
  }

  // Verifies: D-79.
  scenario("is 0 while nobody has answered, then abandoned of answered calls, over 30 days", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2, maxAttempts: 1 }, [a, b, c])
    const rate = function* () {
      return (yield* stage.live(id)).abandonRate
    }
    yield* stage.rest
    expect(yield* rate()).toBe(0)
    yield* race(stage, a, b)
    expect(yield* rate()).toBe(1 / 2)
    yield* stage.answer(c)
    yield* stage.end(c)
    expect(yield* rate()).toBe(1 / 3)
    yield* stage.wait(30 * Instant.day - 1)
    expect(yield* rate()).toBe(1 / 3)
    yield* stage.wait(Instant.minute)
    expect(yield* rate()).toBe(0)
  })

  scenario("is about people: machines that answered are not counted", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 4, amdEnabled: true }, [a, b, c, `${a}4`])
    yield* stage.rest
    yield* stage.answer(c, "machine")
    yield* stage.answer(`${a}4`, "machine")
    yield* race(stage, a, b)
    expect((yield* stage.live(id)).abandonRate).toBe(1 / 2)
  })
})

// Verifies: C-58, C-59.
scenario("a live view shows the campaign's own dialing settings", function* (stage) {
  const id = yield* stage.running({ dialMode: "parallel", parallelLines: 4, paceSeconds: 77 }, [])
  expect(yield* stage.live(id)).toMatchObject({
    campaignId: id,
    status: "running",
    dialMode: "parallel",
    paceSeconds: 77,
    parallelLines: 4
  })
})
