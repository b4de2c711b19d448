/** What an open call needs: docs/telephony.md#long-calls, docs/telephony.md#reconcile. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Instant } from "../../src/kernel/index.ts"
import { type Call, stop } from "../../src/telephony/Call.ts"
import {
  type Care,
  careOf,
  giveUpMs,
  judge,
  nextCheck,
  silenceOf,
  unconfirmedMs
} from "../../src/telephony/CareRules.ts"
import type { CarrierTraits } from "../../src/telephony/Carrier.ts"
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

  it.each<[string, Call, number, Care["_tag"]]>([
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
    ["nothing while its minute lasts", quiet(talking), 59.999, "Nothing"],
    ["the next minute 5 s before the present one ends", quiet(talking), 60, "Extend"],
    ["the next minute rather than a look", { ...talking, lookUpAt: start }, 61, "Extend"],
    ["nothing while its order may still be answered", queued, 14.999, "Nothing"],
    ["a look 15 s after an order that nobody has confirmed", queued, 15, "LookUp"],
    ["a look when it was silent for too long", { ...ringing, lookUpAt: seconds(62) }, 62, "LookUp"]
  ])("%s", (_, call, second, care) => {
    expect(careOf(call, Instant.plus(start, second * 1000))._tag).toBe(care)
  })

  it("a look comes after the carrier's silence, and in a conversation after ten minutes", () => {
    expect(silenceOf(ringing, simulator)).toBe(60_000)
    expect(silenceOf(talking, simulator)).toBe(600_000)
    expect(silenceOf(talking, { ...simulator, silenceMs: 3_600_000 })).toBe(3_600_000)
    expect(unconfirmedMs).toBe(15_000)
  })
})

describe("a look-up that found nothing", () => {
  const after = (lookUps: number, sinceSeconds: number, more: Partial<Call> = {}) =>
    [{ ...queued, ...more, lookUps, firstLookUpAt: seconds(15) }, seconds(15 + sinceSeconds)] as const
  const judged = (found: "nothing" | "silence", traits: CarrierTraits, [call, at]: readonly [Call, Instant.Instant]) =>
    judge(call, found, traits, at)

  it("proves at once that there is no call where the carrier's book is complete", () => {
    expect(judged("nothing", simulator, after(1, 0))).toEqual({ _tag: "NoCall" })
  })

  it("proves it at a real carrier the third time, two minutes after the first", () => {
    expect(judged("nothing", real, after(1, 0))).toEqual({ _tag: "Again", at: seconds(15 + 60) })
    expect(judged("nothing", real, after(2, 60))).toEqual({ _tag: "Again", at: seconds(75 + 60) })
    expect(judged("nothing", real, after(3, 120))).toEqual({ _tag: "NoCall" })
  })

  it("proves nothing when three of them came too fast, or when there is no time for the third", () => {
    expect(judged("nothing", real, after(3, 100))._tag).toBe("Again")
    expect(judged("nothing", real, after(2, 105))._tag).toBe("Again")
    expect(judged("nothing", real, after(2, 106))._tag).toBe("Unknown")
  })

  it("proves nothing of a call that the carrier has named", () => {
    expect(judged("nothing", real, after(3, 120, { providerCallId: "C1" }))).toEqual({ _tag: "Unknown" })
    expect(judged("nothing", simulator, after(1, 0, { providerCallId: "C1" }))).toEqual({ _tag: "Unknown" })
  })

  it("is made again after 10 s where the carrier did not answer", () => {
    expect(judged("silence", real, after(0, 0))).toEqual({ _tag: "Again", at: seconds(15 + 10) })
    expect(judged("silence", simulator, after(0, 20))).toEqual({ _tag: "Again", at: seconds(35 + 10) })
  })

  it("is given up on 30 s after the time that proof takes", () => {
    expect(giveUpMs(simulator)).toBe(30_000)
    expect(giveUpMs(real)).toBe(150_000)
    expect(judged("silence", real, after(0, 149))._tag).toBe("Again")
    expect(judged("silence", real, after(0, 150))).toEqual({ _tag: "Unknown" })
    expect(judged("silence", simulator, after(0, 30))).toEqual({ _tag: "Unknown" })
  })

  it("settles an order within 60 s on a complete book and 3 minutes at a real carrier, whatever it answers", () => {
    const answers = fc.infiniteStream(fc.constantFrom("nothing" as const, "silence" as const))
    fc.assert(
      fc.property(answers, fc.constantFrom(simulator, real), fc.constantFrom(null, "C1"), (told, traits, named) => {
        let call: Call = { ...queued, providerCallId: named }
        let at = call.lookUpAt
        for (const found of told) {
          call = {
            ...call,
            lookUps: call.lookUps + (found === "nothing" ? 1 : 0),
            firstLookUpAt: call.firstLookUpAt ?? at
          }
          const finding = judge(call, found, traits, at)
          if (finding._tag !== "Again") {
            expect(at - start).toBeLessThanOrEqual(traits === real ? 180_000 : 60_000)
            return
          }
          expect(finding.at).toBeGreaterThan(at)
          at = finding.at
        }
      })
    )
  })

  it("never proves the absence of a call by fewer look-ups, or in less time, than the carrier's own proof takes", () => {
    const answers = fc.array(fc.constantFrom("nothing" as const, "silence" as const), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(answers, (told) => {
        let call = queued
        let at = call.lookUpAt
        const empty: Array<number> = []
        for (const found of told) {
          if (found === "nothing") empty.push(at)
          call = { ...call, lookUps: empty.length, firstLookUpAt: call.firstLookUpAt ?? at }
          const finding = judge(call, found, real, at)
          if (finding._tag === "NoCall") {
            expect(empty.length).toBeGreaterThanOrEqual(3)
            expect(empty.at(-1)! - empty[0]!).toBeGreaterThanOrEqual(120_000)
          }
          if (finding._tag !== "Again") return
          at = finding.at
        }
      })
    )
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
    named: fc.boolean()
  })
  .map(({ from, lookUpAt, named, paidUntil, stopped, windowClosesAt }) => ({
    ...from,
    lookUpAt,
    windowClosesAt,
    paidUntil: from.answeredAt === null ? null : paidUntil,
    providerCallId: named ? "C1" : null,
    stopReason: stopped ? "hangup_local" : null
  }))

describe("when a call is looked at next, as a law", () => {
  it("is never in the past, and nothing that it needs before then is missed", () => {
    fc.assert(
      fc.property(calls, instants, fc.nat(), (call, at, some) => {
        const next = nextCheck(call, at)!
        expect(next).toBeGreaterThanOrEqual(at)
        if (careOf(call, at)._tag !== "Nothing") return
        const between = Instant.plus(at, some % Math.max(1, next - at))
        expect(careOf(call, between)._tag).toBe("Nothing")
      })
    )
  })

  it("is later than now when it needs nothing now, so that no worker spins", () => {
    fc.assert(
      fc.property(calls, instants, (call, at) => {
        if (careOf(call, at)._tag === "Nothing") expect(nextCheck(call, at)).toBeGreaterThan(at)
      })
    )
  })

  it("is soon when our side wants it ended, and never when it is over", () => {
    expect(nextCheck(quiet(stop(ringing, "do_not_call", start)), seconds(3))).toBe(seconds(8))
    expect(nextCheck({ ...ringing, status: "busy", endedAt: seconds(1) }, seconds(3))).toBeNull()
  })
})
