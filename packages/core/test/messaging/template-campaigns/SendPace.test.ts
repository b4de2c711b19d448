/** How fast a number sends: docs/reference/template-campaigns.md#pace. Verifies: TCMP-5. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Ids from "../../../src/messaging/MessagingIds.ts"
import {
  newPace,
  numberRate,
  paceAfterAccepted,
  paceAfterThrottle,
  paceAfterTrouble,
  slots
} from "../../../src/messaging/template-campaigns/SendPace.ts"
import type { SenderPace } from "../../../src/messaging/template-campaigns/TemplateCampaignStore.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const start = Instant.make(Date.UTC(2026, 10, 22, 9, 30))
const after = (ms: number) => Instant.plus(start, ms)
const fresh = newPace("pho_1" as Ids.PhoneId, "acc_1" as Ids.AccountId)
const rateOf = (pace: SenderPace, ms: number) => numberRate(pace, { perSecond: 1000 }, 80, after(ms))
const heldFor = (pace: SenderPace, at: number = start) => (pace.heldUntil === null ? null : pace.heldUntil - at)

/** The paces after throttles each of which comes when the wait for the last one is over. */
const throttled = (times: number): SenderPace =>
  Array.from({ length: times }).reduce<SenderPace>(
    (pace) => paceAfterThrottle(pace, null, pace.heldUntil ?? start),
    fresh
  )

describe("the rate of a number", () => {
  const cases = [
    { perSecond: null, percent: 80, rate: 64 },
    { perSecond: 80, percent: 80, rate: 64 },
    { perSecond: 1000, percent: 80, rate: 800 },
    { perSecond: 1000, percent: 100, rate: 1000 },
    { perSecond: 33, percent: 50, rate: 16 },
    { perSecond: 1, percent: 1, rate: 1 }
  ]
  for (const { percent, perSecond, rate } of cases) {
    it(`is ${rate} messages a second at ${percent} percent of a throughput of ${perSecond ?? "unknown size"}`, () => {
      const throughput = perSecond === null ? null : { perSecond }
      expect(numberRate(fresh, throughput, percent, start)).toBe(rate)
    })
  }

  it("is half after the wait for a throttle, and grows back evenly within five minutes", () => {
    const slowed = paceAfterThrottle(fresh, null, start)
    const times = [0, 1000, 1000 + 75_000, 1000 + 150_000, 1000 + 300_000, 9_000_000]
    expect(times.map((ms) => rateOf(slowed, ms))).toEqual([400, 400, 500, 600, 800, 800])
  })

  it("is halved from what it is at the time, again and again, and stays a whole number of at least 1", () => {
    const second = paceAfterThrottle(paceAfterThrottle(fresh, null, start), null, after(151_000))
    expect(rateOf(second, 153_000)).toBe(296)
    const often = throttled(30)
    expect(numberRate(often, { perSecond: 1 }, 80, often.heldUntil!)).toBe(1)
    expect(often.slowedTo).toBe(1)
  })
})

describe("a number that the network slows down", () => {
  it("waits 1, 2, 4 and up to 60 seconds, by how often in a row", () => {
    const waits: Array<number | null> = []
    let pace = fresh
    for (let n = 0; n < 8; n++) {
      const at = pace.heldUntil ?? start
      pace = paceAfterThrottle(pace, null, at)
      waits.push(heldFor(pace, at))
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  })

  it("waits for as long as the network asks for: a second at least, a day at most", () => {
    const waits = [0, 1, 7, 90, 10_000_000].map((seconds) => heldFor(paceAfterThrottle(fresh, seconds, start)))
    expect(waits).toEqual([1000, 1000, 7000, 90_000, Instant.day])
  })

  it("counts the refusals of messages that overlap once, and waits for the longest of them", () => {
    const once = paceAfterThrottle(fresh, null, start)
    expect(paceAfterThrottle(once, null, after(20))).toBe(once)
    const longer = paceAfterThrottle(once, 5, after(20))
    expect(longer).toMatchObject({ throttles: 1, slowedTo: 50, heldUntil: after(5020), slowedAt: after(5020) })
    expect(paceAfterThrottle(longer, 1, after(30))).toMatchObject({ heldUntil: after(5020), slowedAt: after(5020) })
  })

  it("begins to count anew after a message that was accepted, and keeps its slower rate", () => {
    const accepted = paceAfterAccepted(throttled(3))
    expect(accepted).toMatchObject({ throttles: 0, slowedTo: 12 })
    expect(heldFor(paceAfterThrottle(accepted, null, after(60_000)), after(60_000))).toBe(1000)
    expect(paceAfterAccepted(accepted)).toBe(accepted)
  })
})

describe("a number whose network is out of order", () => {
  const contacts = Array.from({ length: 9 }, (_, nth) => Ids.as<"TemplateContact">(`contact ${nth}`))

  const troubled = (times: number, pace = fresh) =>
    contacts.slice(0, times).reduce<SenderPace>((before, id) => paceAfterTrouble(before, id, start), pace)

  it("waits for 30 seconds after failures of five contacts in a row, and begins to count anew", () => {
    expect([1, 4, 5, 6, 9].map((times) => heldFor(troubled(times)))).toEqual([null, null, 30_000, 30_000, 30_000])
    expect([4, 5, 6].map((times) => troubled(times).troubled.length)).toEqual([4, 0, 1])
  })

  it("does not wait where the same contacts fail again and again", () => {
    expect(heldFor(troubled(4, troubled(4, troubled(4))))).toBeNull()
  })

  it("does not wait where a message was accepted or throttled between", () => {
    expect(heldFor(troubled(4, paceAfterAccepted(troubled(4))))).toBeNull()
    expect(troubled(1, paceAfterThrottle(troubled(4), null, start)).troubled).toHaveLength(1)
  })

  it("never shortens a wait that is longer", () => {
    expect(heldFor(troubled(5, paceAfterThrottle(fresh, 90, start)))).toBe(90_000)
    expect(heldFor(paceAfterThrottle(troubled(5), 1, start))).toBe(30_000)
  })
})

describe("the instants at which messages may go", () => {
  const ask = {
    at: start,
    pace: fresh,
    campaignNextSlot: 0,
    rate: 10,
    campaignRate: null,
    leadMs: 250,
    max: 100
  } as const
  const from = start * 1000

  it("lie within the time ahead, apart by a little more than the rate asks for", () => {
    expect(slots(ask)).toEqual({
      slots: [from, from + 102_000, from + 204_000],
      paceNext: from + 306_000,
      campaignNext: from + 204_000
    })
  })

  it("are as many as are asked for at most", () => {
    expect(slots({ ...ask, max: 2 })).toMatchObject({ slots: [from, from + 102_000], paceNext: from + 204_000 })
    expect(slots({ ...ask, max: 0 })).toEqual({ slots: [], paceNext: 0, campaignNext: 0 })
  })

  it("begin where the last ones of the number or of the campaign ended, or when the number's wait is over", () => {
    const used = { ...fresh, nextSlot: from + 50_000 }
    expect(slots({ ...ask, pace: used }).slots[0]).toBe(from + 50_000)
    expect(slots({ ...ask, pace: used, campaignNextSlot: from + 70_000, campaignRate: 5 })).toEqual({
      slots: [from + 70_000],
      paceNext: from + 172_000,
      campaignNext: from + 274_000
    })
    expect(slots({ ...ask, pace: { ...used, heldUntil: after(100) } }).slots[0]).toBe(from + 100_000)
    const held = { ...used, heldUntil: after(250) }
    expect(slots({ ...ask, pace: held })).toEqual({ slots: [], paceNext: held.nextSlot, campaignNext: 0 })
  })

  it("save up nothing from a time in which nothing was sent", () => {
    const idle = { ...fresh, nextSlot: from - 3_600_000_000 }
    expect(slots({ ...ask, pace: idle })).toEqual(slots(ask))
  })

  const maxLateMs = 15
  const rates = fc.oneof(fc.constantFrom(1, 2, 64, 800, 1000), fc.integer({ min: 1, max: 1000 }))

  /** The turns of a sender: who sends in each, and the slots that it gets. */
  const run = (
    rate: number,
    campaignRates: ReadonlyArray<number | null>,
    turns: ReadonlyArray<{ readonly pauseMs: number; readonly campaign: number; readonly max: number }>,
    leadMs: number
  ) => {
    let [pace, at] = [fresh, start]
    const next = campaignRates.map(() => 0)
    return turns.flatMap(({ campaign: nth, max, pauseMs }) => {
      const campaign = nth % campaignRates.length
      at = Instant.plus(at, pauseMs)
      const campaignRate = campaignRates[campaign]!
      const found = slots({ at, pace, rate, campaignRate, campaignNextSlot: next[campaign]!, leadMs, max })
      pace = { ...pace, nextSlot: found.paceNext }
      next[campaign] = found.campaignNext
      const isWithin = (slot: number) => slot >= at * 1000 && slot < (at + leadMs) * 1000
      expect(found.slots.every(isWithin)).toBe(true)
      return found.slots.map((slot) => ({ slot, campaign }))
    })
  }

  /** True where no window of one second has more than `rate` of these instants. */
  const holds = (instants: ReadonlyArray<number>, rate: number): boolean => {
    const sorted = [...instants].sort((a, b) => a - b)
    return sorted.every((first, n) => (sorted[n + rate] ?? Number.POSITIVE_INFINITY) - first >= 1_000_000)
  }

  it("never let a number or a campaign send more than its rate in any second, though every message may be 15 ms late", () => {
    const turn = fc.record({
      pauseMs: fc.oneof(fc.nat(300), fc.constantFrom(0, 250, 5000)),
      campaign: fc.nat(2),
      max: fc.integer({ min: 1, max: 400 })
    })
    const own = fc.array(fc.option(rates), { minLength: 1, maxLength: 3 })
    const turns = fc.array(turn, { minLength: 1, maxLength: 40, size: "max" })
    const late = fc.infiniteStream(fc.nat(maxLateMs * 1000))
    fc.assert(
      fc.property(
        rates,
        own,
        turns,
        fc.constantFrom(250, 500, 2000),
        late,
        (rate, campaignRates, given, leadMs, lates) => {
          const sent = run(rate, campaignRates, given, leadMs).map(({ campaign, slot }) => ({
            campaign,
            at: slot + Number(lates.next().value)
          }))
          expect(
            holds(
              sent.map(({ at }) => at),
              rate
            )
          ).toBe(true)
          campaignRates.forEach((campaignRate, nth) => {
            const own = sent.filter(({ campaign }) => campaign === nth).map(({ at }) => at)
            expect(campaignRate === null || holds(own, campaignRate)).toBe(true)
          })
        }
      ),
      { numRuns: 150 }
    )
  })

  it("hold even where the first of a second is as late as can be, and the others are in time", () => {
    for (const rate of [1, 2, 3, 10, 64, 333, 800, 1000]) {
      const sent = run(rate, [null], [{ pauseMs: 0, campaign: 0, max: 2 * rate + 2 }], 3000).map(({ slot }) => slot)
      expect(sent.length, String(rate)).toBeGreaterThan(rate)
      const late = sent.map((slot, n) => (n % (rate + 1) === 0 ? slot + maxLateMs * 1000 : slot))
      expect(holds(late, rate), String(rate)).toBe(true)
    }
  })

  it("use the rate: turns in time leave no second with less than 97 percent of it, rounded down", () => {
    fc.assert(
      fc.property(
        rates,
        fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 60, maxLength: 60 }),
        (rate, pauses) => {
          const turns = pauses.map((pauseMs) => ({ pauseMs, campaign: 0, max: 1000 }))
          const sent = run(rate, [null], turns, 250).map(({ slot }) => slot)
          const last = sent.at(-1)!
          const least = Math.floor((97 * rate) / 100)
          // A second that begins just after a message has the next ones.
          expect(sent.every((first, n) => (sent[n + least] ?? first) - first <= 1_000_000)).toBe(true)
          // Over the whole time it is 97 percent without rounding.
          expect((sent.length - 1) * 1_000_000 * 100).toBeGreaterThanOrEqual(97 * rate * (last - sent[0]!))
        }
      ),
      { numRuns: 40 }
    )
  })
})
