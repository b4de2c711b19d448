/** What an open call needs: docs/reference/telephony.md#long-calls, docs/reference/telephony.md#reconcile. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Call, stop } from "../../../src/calling/calls/Call.ts"
import type { CallReport, CarrierTraits } from "../../../src/calling/calls/Carrier.ts"
import {
  counted,
  endRequested,
  evaluate,
  type NoRecord,
  nextAction,
  nextCheck,
  nextLookUp,
  outageMs,
  recognize,
  type SupervisionAction,
  unconfirmedMs
} from "../../../src/calling/calls/SupervisionRules.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"
import { dialing, queued, ringing, seconds, start, talking } from "./SampleCall.ts"

const simulator: CarrierTraits = {
  name: "fake",
  startsPerSecond: null,
  needsCaller: false,
  defaultFrom: null,
  proof: { lookUps: 1, overMs: 0 },
  silenceMs: 60_000
}
const real: CarrierTraits = { ...simulator, needsCaller: true, proof: { lookUps: 3, overMs: 120_000 } }

/** Nothing is due of it for long. */
const quiet = (call: Call): Call => ({ ...call, lookUpAt: seconds(9000) })

describe("what a call needs first", () => {
  const closed = { windowClosesAt: seconds(30) }

  it.each<[string, Call, number, SupervisionAction["_tag"]]>([
    [
      "nothing, once it is over",
      { ...ringing, status: "busy", endedAt: seconds(1), stopReason: "credits" },
      90,
      "Nothing"
    ],
    ["its end, when our side wants it", quiet(stop(ringing, "do_not_call", start)), 1, "End"],
    ["its end rather than another minute", quiet(stop(talking, "hangup_local", start)), 64, "End"],
    ["nothing, when it may not exist and was asked for just now", stop(queued, "do_not_call", start), 14, "Nothing"],
    ["a look, when it may not exist, rather than its end", stop(queued, "do_not_call", start), 15, "LookUp"],
    ["nothing while its window is open", quiet({ ...ringing, ...closed }), 29.999, "Nothing"],
    ["its end when the window closes and nobody has answered", quiet({ ...ringing, ...closed }), 30, "CloseWindow"],
    ["its end, also before anybody has heard of it", { ...queued, ...closed }, 31, "CloseWindow"],
    ["nothing when the window closes on a conversation", quiet({ ...talking, ...closed }), 31, "Nothing"],
    ["nothing between two requests to end it", endRequested(stop(ringing, "credits", start), start), 4.999, "Nothing"],
    ["its end again, when that has not come of it", endRequested(stop(ringing, "credits", start), start), 5, "End"],
    ["nothing while its minute lasts", quiet(talking), 59.999, "Nothing"],
    ["the next minute 5 s before the present one ends", quiet(talking), 60, "Extend"],
    ["a look before the next minute", { ...talking, lookUpAt: seconds(50) }, 61, "LookUp"],
    ["nothing while its order may still be answered", queued, 14.999, "Nothing"],
    ["a look 15 s after an order that nobody has confirmed", queued, 15, "LookUp"],
    ["a look when it was silent for too long", { ...ringing, lookUpAt: seconds(62) }, 62, "LookUp"]
  ])("%s", (_, call, second, action) => {
    expect(nextAction(call, Instant.plus(start, second * 1000))._tag).toBe(action)
  })

  it("a look comes after the carrier's silence, and in a conversation before each further minute", () => {
    expect(nextLookUp(ringing, simulator, seconds(4))).toBe(seconds(64))
    expect(unconfirmedMs).toBe(15_000)
    // Answered at 5 s: paid for until 65 s, and looked up 10 s before the next minute is reserved.
    const looks = [5, 49.999, 50, 50.001, 109.999, 110, 3650].map((second) =>
      nextLookUp(talking, real, seconds(second))
    )
    expect(looks).toEqual([50, 50, 110, 110, 110, 170, 3710].map(seconds))
  })

  // Verifies: D-251.
  it("an end is asked for again after 5 s, 10 s and so on, up to a minute", () => {
    let call = stop(ringing, "lost_race", start)
    const pauses = []
    for (let at = start; pauses.length < 7; at = call.lookUpAt) {
      call = endRequested(call, at)
      pauses.push((call.lookUpAt - at) / 1000)
    }
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60, 60])
  })
})

/** One request about a call, made when it was due. */
interface Request {
  readonly found: NoRecord
  /** How much later than due it is made, in seconds. */
  readonly late?: number
  /** How long it lasts, in seconds. */
  readonly lasts?: number
}

/** Asks about a call until something is decided, or until there are no more requests. */
const asking = (begun: Call, traits: CarrierTraits, requests: Iterable<Request>) => {
  let call = begun
  const askedAt: Array<number> = []
  for (const { found, late = 0, lasts = 0 } of requests) {
    const at = Instant.plus(call.lookUpAt, late * 1000)
    askedAt.push((at - start) / 1000)
    call = counted(call, found, at, Instant.plus(at, lasts * 1000))
    const finding = evaluate(call, found, traits, at)
    if (finding._tag !== "Retry") return { verdict: finding._tag, askedAt }
    expect(finding.at, "no worker spins").toBeGreaterThan(at)
    call = { ...call, lookUpAt: finding.at }
  }
  return { verdict: "Retry" as const, askedAt }
}

const all = (...found: ReadonlyArray<NoRecord>): ReadonlyArray<Request> => found.map((one) => ({ found: one }))
const endless = (found: NoRecord): Iterable<Request> => fc.sample(fc.constant({ found }), 200)
const named: Call = { ...queued, providerCallId: "C1" }

describe("a look-up that found nothing", () => {
  it("proves at once that there is no call where the carrier's book is complete", () => {
    expect(asking(queued, simulator, endless("nothing"))).toEqual({ verdict: "NoCall", askedAt: [15] })
  })

  it("proves it at a real carrier the third time, two minutes after the first", () => {
    expect(asking(queued, real, endless("nothing"))).toEqual({ verdict: "NoCall", askedAt: [15, 75, 135] })
  })

  it("proves nothing when three of them came too fast", () => {
    const hasty = { ...queued, lookUps: 2, firstLookUpAt: seconds(15), lookUpAt: seconds(115) }
    expect(evaluate(counted(hasty, "nothing", seconds(115), seconds(115)), "nothing", real, seconds(115))._tag).toBe(
      "Retry"
    )
  })

  it("proves it however late the third answer comes", () => {
    expect(asking(queued, real, all("nothing", "nothing", "silence", "silence", "silence", "nothing"))).toEqual({
      verdict: "NoCall",
      askedAt: [15, 75, 135, 145, 155, 175]
    })
  })

  it("proves nothing of a call that the carrier has named", () => {
    expect(asking(named, real, endless("nothing"))).toEqual({ verdict: "Unknown", askedAt: [15, 75, 135] })
    expect(asking(named, simulator, endless("nothing")).verdict).toBe("Unknown")
  })

  it("proves nothing when there is a record that may be this call's or another's", () => {
    expect(asking(queued, real, endless("unclear"))).toEqual({ verdict: "Unknown", askedAt: [15, 75, 135] })
    // Once it is known whose the record is, it was never this call's.
    expect(asking(queued, real, all("unclear", "unclear", "nothing")).verdict).toBe("NoCall")
  })

  it("begins its proof anew after an outage of ours", () => {
    const [look] = all("nothing")
    const requests = [look!, look!, { ...look!, late: 200 }, look!, look!]
    expect(asking(queued, real, requests)).toEqual({ verdict: "NoCall", askedAt: [15, 75, 335, 395, 455] })
    expect(asking(queued, simulator, [{ ...look!, late: 200 }]).verdict).toBe("NoCall")
  })
})

describe("a look-up that the carrier does not answer", () => {
  it("is made again after 10 s, and then more and more rarely", () => {
    expect(asking(queued, real, endless("silence"))).toEqual({
      verdict: "Unknown",
      askedAt: [15, 25, 35, 55, 95, 155, 165]
    })
  })

  it("is closed 30 s after the time that proof needs", () => {
    expect(asking(queued, simulator, endless("silence"))).toEqual({ verdict: "Unknown", askedAt: [15, 25, 35, 45] })
    expect(asking(named, real, endless("silence")).askedAt.at(-1)).toBe(165)
  })

  it("is given up on only after ten minutes where somebody has answered: the call goes on at the carrier", () => {
    const { askedAt, verdict } = asking({ ...talking, lookUpAt: seconds(50) }, real, endless("silence"))
    expect([verdict, askedAt.at(-1)]).toEqual(["Unknown", 650])
  })

  it("is no silence of the carrier's where the outage was ours, before it or meanwhile", () => {
    const silence: Request = { found: "silence" }
    for (const ours of [{ late: 200 }, { lasts: 200 }]) {
      const requests = [silence, silence, silence, { ...silence, ...ours }, silence, silence, silence, silence]
      expect(asking(queued, real, requests).verdict, JSON.stringify(ours)).toBe("Retry")
    }
  })

  it("does not undo what was answered before", () => {
    expect(asking(queued, real, all("nothing", "silence", "nothing", "nothing")).verdict).toBe("NoCall")
  })
})

describe("requests about a call, as laws", () => {
  const answers = fc.constantFrom<NoRecord>("nothing", "unclear", "silence")

  // Verifies: D-123, D-124.
  it("settle an order within 60 s on a complete book and 3 minutes at a real carrier that answers, or never does", () => {
    fc.assert(
      fc.property(fc.constantFrom(simulator, real), fc.constantFrom(queued, named), answers, (traits, call, found) => {
        const { askedAt, verdict } = asking(call, traits, endless(found))
        expect(verdict).not.toBe("Retry")
        expect(askedAt.at(-1)).toBeLessThanOrEqual(traits === real ? 180 : 60)
      })
    )
  })

  it("settle every call, whatever the carrier answers", () => {
    const requests = fc.array(fc.record({ found: answers }), { minLength: 60, maxLength: 60 })
    fc.assert(
      fc.property(
        requests,
        fc.constantFrom(queued, named, talking),
        fc.constantFrom(simulator, real),
        (all, call, traits) => {
          expect(asking(call, traits, all).verdict).not.toBe("Retry")
        }
      )
    )
  })

  // Verifies: D-160.
  it("never prove that there is no call by fewer answers, or in less time, than the carrier's own proof needs", () => {
    const lateness = fc.option(fc.integer({ min: 61, max: 600 }), { nil: 0 })
    const requests = fc.array(fc.record({ found: answers, late: lateness }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(requests, (all) => {
        const { askedAt, verdict } = asking(queued, real, all)
        if (verdict !== "NoCall") return
        const sinceOutage = all.slice(0, askedAt.length).findLastIndex(({ late }) => late > 0)
        const answered = askedAt.filter((_, i) => i >= sinceOutage && all[i]!.found !== "silence")
        expect(answered.length).toBeGreaterThanOrEqual(3)
        expect(answered.at(-1)! - answered[0]!).toBeGreaterThanOrEqual(120)
      })
    )
  })

  // Verifies: D-255.
  it("never find an outcome unknown because of us: outages of ours are no silence of the carrier", () => {
    const requests = Array.from({ length: 60 }, (): Request => ({ found: "silence", late: outageMs / 1000 + 1 }))
    expect(asking(queued, real, requests).verdict).toBe("Retry")
  })
})

describe("a record that agrees with a call in its numbers and its time alone", () => {
  const report = (providerCallId: string): CallReport => ({
    ...{ callId: queued.id, providerCallId, at: start, news: { _tag: "Ringing" } }
  })

  it("is the call's where no other call can have it", () => {
    expect(recognize([report("C1")], false)).toEqual({ _tag: "Match", report: report("C1") })
  })

  // Verifies: D-253.
  it("proves nothing beside another such record, or beside another call that it may belong to", () => {
    expect(recognize([report("C1"), report("C2")], false)).toEqual({ _tag: "NoMatch", found: "unclear" })
    expect(recognize([report("C1")], true)).toEqual({ _tag: "NoMatch", found: "unclear" })
  })

  it("is none where every record is another call's", () => {
    expect(recognize([], true)).toEqual({ _tag: "NoMatch", found: "nothing" })
  })
})

const instants = fc.integer({ min: -60, max: 700 }).map(seconds)
const maybe = (arbitrary: fc.Arbitrary<Instant.Instant>) => fc.option(arbitrary, { nil: null })

const calls: fc.Arbitrary<Call> = fc
  .record({
    from: fc.constantFrom(queued, dialing, ringing, talking),
    lookUpAt: instants,
    windowClosesAt: maybe(instants),
    paidUntil: instants,
    stopped: fc.boolean(),
    named: fc.boolean(),
    endRequests: fc.nat({ max: 3 })
  })
  .map(({ endRequests, from, lookUpAt, named, paidUntil, stopped, windowClosesAt }) => ({
    ...from,
    lookUpAt,
    windowClosesAt,
    paidUntil: from.answeredAt === null ? null : paidUntil,
    providerCallId: named ? "C1" : null,
    stopReason: stopped ? "hangup_local" : null,
    endRequests: stopped ? endRequests : 0
  }))

describe("when a call is looked at next, as a law", () => {
  it("is never in the past, and nothing that it needs before then is missed", () => {
    fc.assert(
      fc.property(calls, instants, fc.nat(), (call, at, some) => {
        const next = nextCheck(call, at)!
        expect(next).toBeGreaterThanOrEqual(at)
        if (nextAction(call, at)._tag !== "Nothing") return
        const between = Instant.plus(at, some % Math.max(1, next - at))
        expect(nextAction(call, between)._tag).toBe("Nothing")
      })
    )
  })

  it("is later than now when it needs nothing now, so that no worker spins", () => {
    fc.assert(
      fc.property(calls, instants, (call, at) => {
        if (nextAction(call, at)._tag === "Nothing") expect(nextCheck(call, at)).toBeGreaterThan(at)
      })
    )
  })

  it("is soon when our side wants it ended, and never when it is over", () => {
    expect(nextCheck(quiet(stop(ringing, "do_not_call", start)), seconds(3))).toBe(seconds(8))
    expect(nextCheck(endRequested(stop(ringing, "do_not_call", start), seconds(3)), seconds(3))).toBe(seconds(8))
    expect(nextCheck({ ...ringing, status: "busy", endedAt: seconds(1) }, seconds(3))).toBeNull()
  })
})
