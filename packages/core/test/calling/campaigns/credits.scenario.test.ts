/** Credit at work: docs/reference/campaigns.md#credits, docs/reference/credits.md, docs/reference/telephony.md#long-calls. Verifies: TELE-5. */
import { describe, expect } from "vitest"
import { scenario } from "../calls/Scenarios.ts"

const [a, b, c] = ["+14155550101", "+14155550102", "+14155550103"]
const credit = 1_000_000_000n

describe("credit", () => {
  // Verifies: C-7, D-113.
  scenario(
    "of one minute is reserved before a call, charged when it was answered, and released when it was not",
    function* (stage) {
      const { balance } = yield* stage.credits
      yield* stage.running({ paceSeconds: 5 }, [a, b])
      yield* stage.rest
      expect(yield* stage.credits).toMatchObject({ balance, reserved: credit })
      yield* stage.end(a, "no_answer")
      expect(yield* stage.credits).toMatchObject({ balance, reserved: 0n })
      expect(yield* stage.call(a)).toMatchObject({ credits: 0n, durationSeconds: 0 })
      yield* stage.wait(5_000)
      yield* stage.completeCall(b, 1)
      expect(yield* stage.credits).toMatchObject({ balance: balance - credit, reserved: 0n })
      expect(yield* stage.call(b)).toMatchObject({ credits: credit, durationSeconds: 1 })
    }
  )

  for (const [seconds, minutes] of [
    [0, 1n],
    [60, 1n],
    [61, 2n],
    [185, 4n]
  ] as const) {
    scenario(`of ${minutes} minutes is the price of ${seconds} s of conversation`, function* (stage) {
      const { balance } = yield* stage.credits
      yield* stage.running({}, [a])
      yield* stage.wait(20_000)
      yield* stage.completeCall(a, seconds)
      expect(yield* stage.call(a)).toMatchObject({ durationSeconds: seconds, credits: minutes * credit })
      expect(yield* stage.credits).toMatchObject({ balance: balance - minutes * credit, reserved: 0n })
    })
  }

  // Verifies: D-158.
  scenario("is reserved for the next minute 5 s before the present one ends, one minute at a time", function* (stage) {
    yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.ring(a)
    yield* stage.wait(25_000)
    yield* stage.answer(a)
    const held = []
    for (const milliseconds of [54_999, 1, 59_999, 1, 60_000]) {
      yield* stage.wait(milliseconds)
      held.push((yield* stage.credits).reserved / credit)
    }
    expect(held).toEqual([1n, 2n, 2n, 3n, 4n])
  })

  // Verifies: D-112.
  scenario(
    "is counted in fractions exactly, at whatever price",
    function* (stage) {
      const { balance } = yield* stage.credits
      yield* stage.running({}, [a])
      yield* stage.rest
      expect(yield* stage.credits).toMatchObject({ reserved: 123_456_789n })
      yield* stage.completeCall(a, 121)
      expect(yield* stage.call(a)).toMatchObject({ credits: 370_370_367n })
      expect(yield* stage.credits).toMatchObject({ balance: balance - 370_370_367n, reserved: 0n })
    },
    { host: { pricing: { callCreditsPerMinute: 0.123456789 } } }
  )

  scenario(
    "is not needed where calls cost nothing",
    function* (stage) {
      yield* stage.leaveCredit(0n)
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      yield* stage.completeCall(a, 130)
      expect(yield* stage.campaign(id)).toMatchObject({ status: "completed", completedContacts: 1 })
      expect(yield* stage.credits).toMatchObject({ balance: 0n, reserved: 0n })
    },
    { host: { pricing: { callCreditsPerMinute: 0 } } }
  )
})

describe("too little credit", () => {
  // Verifies: C-89, D-114.
  scenario("for one minute lets no call start: the contact stays as it was, the campaign stops", function* (stage) {
    yield* stage.leaveCredit(credit - 1n)
    const id = yield* stage.running({}, [a, b])
    expect((yield* stage.campaign(id)).status).toBe("running")
    yield* stage.wait(60_000)
    expect(stage.dialed).toEqual([])
    expect(yield* stage.calls()).toEqual([])
    expect((yield* stage.campaign(id)).status).toBe("insufficient_balance")
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 0, lastError: null, callId: null })
    expect(yield* stage.credits).toMatchObject({ balance: credit - 1n, reserved: 0n })
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started"])
  })

  scenario("leaves an approved contact approved", function* (stage) {
    yield* stage.leaveCredit(0n)
    const id = yield* stage.running({ dialMode: "preview" }, [a])
    yield* stage.approve(id, a)
    yield* stage.rest
    expect((yield* stage.campaign(id)).status).toBe("insufficient_balance")
    expect((yield* stage.contact(id, a)).status).toBe("approved")
  })

  // Verifies: C-91.
  scenario("goes on after a top-up when a person says so, and not by itself", function* (stage) {
    yield* stage.leaveCredit(0n)
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.leaveCredit(5n * credit)
    yield* stage.wait(3_600_000)
    expect(stage.dialed).toEqual([])
    yield* stage.move(id, "running")
    yield* stage.rest
    expect(stage.dialed).toEqual([a])
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started", "campaign.started"])
  })

  // Verifies: D-114.
  scenario("for a whole parallel dial starts the legs that it covers, and the campaign stops", function* (stage) {
    yield* stage.leaveCredit(2n * credit)
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 3 }, [a, b, c])
    yield* stage.rest
    expect(stage.dialed).toEqual([a, b])
    expect((yield* stage.campaign(id)).status).toBe("insufficient_balance")
    yield* stage.completeCall(a, 5)
    expect((yield* stage.contacts(id)).map(({ status }) => status)).toEqual(["done", "pending", "pending"])
    expect(yield* stage.credits).toMatchObject({ balance: credit, reserved: 0n })
  })

  // Verifies: D-159.
  scenario("for the next minute hangs up, counts the call as answered, and stops the campaign", function* (stage) {
    yield* stage.leaveCredit(2n * credit)
    const id = yield* stage.running({}, [a, b])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(114_999)
    expect(stage.line(a).endedAt).toBeNull()
    yield* stage.wait(1)
    expect(stage.line(a).endedAt).not.toBeNull()
    expect(yield* stage.call(a)).toMatchObject({
      status: "completed",
      endReason: "credits",
      durationSeconds: 115,
      credits: 2n * credit
    })
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "done", attempts: 1, lastError: null })
    expect((yield* stage.campaign(id)).status).toBe("insufficient_balance")
    expect(yield* stage.credits).toMatchObject({ balance: 0n, reserved: 0n })
    yield* stage.wait(3_600_000)
    expect(stage.dialed).toEqual([a])
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started"])
  })

  scenario("of one call lets another campaign's calls go on as long as they are covered", function* (stage) {
    yield* stage.leaveCredit(3n * credit)
    const one = yield* stage.running({}, [a])
    const other = yield* stage.running({}, [b])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(20_000)
    yield* stage.answer(b)
    yield* stage.wait(56_000)
    // The third credit went to the second minute of the first call; the second call had its first alone.
    expect(yield* stage.call(a)).toMatchObject({ status: "in_progress" })
    expect(yield* stage.call(b)).toMatchObject({ status: "completed", endReason: "credits" })
    expect((yield* stage.campaign(one)).status).toBe("running")
    expect((yield* stage.campaign(other)).status).toBe("insufficient_balance")
  })

  scenario("never makes the balance negative, also when the end of a call is reported late", function* (stage) {
    yield* stage.leaveCredit(2n * credit)
    yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.answer(a)
    stage.stubborn.add(a)
    yield* stage.wait(400_000)
    yield* stage.end(a)
    expect(yield* stage.call(a)).toMatchObject({ durationSeconds: 400, credits: 2n * credit })
    expect(yield* stage.credits).toMatchObject({ balance: 0n, reserved: 0n })
  })
})
