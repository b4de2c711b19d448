/** How fast campaigns send, and what they wait for. Verifies: TCMP-5. */
import { Accounts, Instant } from "@trunkline/core/effect"
import { ChannelUnreachable, type Ids } from "@trunkline/core/provider"
import { NativeSend, NumberManagement, TemplateCampaigns } from "@trunkline/core/testing"
import {
  type AcceptedMessage,
  accepts,
  type CampaignWorld,
  campaignsOf,
  holds,
  listed,
  phoneOf,
  type ReplyWorld,
  refuses,
  sampleBodies,
  sampleCustomer,
  sampleNumber,
  sampleTemplate
} from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { operator } from "../../../src/platform/accounts/index.ts"
import { scenario, start } from "../ReplyScenarios.ts"

const { inboundStatus } = sampleBodies
const { minute, second } = Instant
const hour = 60 * minute
const day = 24 * hour

const unreachable = new ChannelUnreachable({ isCertain: false, detail: "no answer in time" })

const people = (count: number, from = 1) => Array.from({ length: count }, (_, nth) => listed(phoneOf(from + nth)))

const utc = (text: string): Instant.Instant => Instant.make(Date.parse(text))

/** The most messages that any second has. */
const maxInSecond = (messages: ReadonlyArray<AcceptedMessage>): number => {
  const at = messages.map((message) => message.at)
  return Math.max(...at.map((from, nth) => at.slice(nth).filter((one) => one < from + second).length))
}

const waitingFor = (campaigns: CampaignWorld, id: Ids.TemplateCampaignId) =>
  Effect.map(
    campaigns.world.run(TemplateCampaigns.use((all) => all.live(campaigns.world.tenant, id))),
    (live) => live!.waitingFor
  )

/** Until an instant, in a few large steps. */
const until = (campaigns: CampaignWorld, at: Instant.Instant, step: number = 10 * minute) =>
  Effect.gen(function* () {
    yield* campaigns.work(at - (yield* Instant.now), step)
  })

const secondNumber = { phoneNumberId: "206540352242922", displayPhoneNumber: "+1 555-078-3882" }

const sendsTemplate = (world: ReplyWorld, digits: string, phoneNumberId: string = sampleNumber.phoneNumberId) =>
  world.run(
    NativeSend.use((native) =>
      native.send(world.tenant, {
        phoneNumberId,
        to: { _tag: "Phone", digits },
        type: "template",
        content: { name: sampleTemplate.name, language: { code: "en" } },
        answers: null
      })
    )
  )

describe("the rate of a number", () => {
  scenario(
    "is four fifths of its throughput, over two campaigns and two processes",
    function* (world) {
      const campaigns = campaignsOf(world)
      yield* campaigns.begun(people(400))
      yield* campaigns.begun(people(400, 401))
      yield* campaigns.work(6 * second)
      const during = campaigns.accepted.filter(({ at }) => at >= start + second && at < start + 5 * second)
      expect(maxInSecond(campaigns.accepted)).toBeLessThanOrEqual(64)
      expect(during.length / 4).toBeGreaterThanOrEqual(62)
      expect(new Set(campaigns.reached).size).toBe(campaigns.reached.length)
      // Neither campaign keeps the other one from sending.
      const ofFirst = during.filter(({ to }) => Number(to.slice(-4)) <= 400).length
      expect(ofFirst).toBeGreaterThan(during.length / 4)
      expect(ofFirst).toBeLessThan((during.length * 3) / 4)
    },
    { processes: 2 }
  )

  for (const [perSecond, rate] of [
    [20, 16],
    [1, 1]
  ] as const) {
    scenario(`that takes ${perSecond} messages a second is ${rate}`, function* (world) {
      const campaigns = campaignsOf(world)
      yield* campaigns.numberIs({ throughput: { level: "OTHER", perSecond } })
      yield* campaigns.begun(people(100))
      yield* campaigns.work(4 * second)
      expect(maxInSecond(campaigns.accepted)).toBeLessThanOrEqual(rate)
      expect(campaigns.accepted.length).toBeGreaterThanOrEqual(Math.floor(rate * 3.8))
    })
  }

  scenario("is a campaign's own where that is less", function* (world) {
    const campaigns = campaignsOf(world)
    yield* campaigns.begun(people(100), { maxPerSecond: 5 })
    yield* campaigns.work(10 * second)
    expect(maxInSecond(campaigns.accepted)).toBeLessThanOrEqual(5)
    expect(campaigns.accepted.length).toBeGreaterThanOrEqual(47)
  })

  scenario("is read when a campaign starts, and every six hours while it runs", function* (world) {
    const campaigns = campaignsOf(world)
    yield* world.run(NumberManagement.use((numbers) => numbers.readDue))
    const asked = world.platform.of("facts").length
    const id = yield* campaigns.begun(people(3), { maxPerDay: 1 })
    const reads = Effect.map(
      world.run(NumberManagement.use((numbers) => numbers.readDue)),
      () => world.platform.of("facts").length - asked
    )
    expect(yield* reads).toBe(1)
    yield* campaigns.work(second)
    const at = yield* Instant.now
    expect(yield* reads).toBe(1)
    yield* until(campaigns, Instant.make(at + 6 * hour - 2 * second))
    expect(yield* reads).toBe(1)
    world.platform.fails("facts", unreachable)
    yield* campaigns.work(4 * second)
    expect(yield* reads).toBe(2)
    // A failure changes nothing, and is no reason to ask again at once.
    yield* campaigns.work(minute, second)
    expect(yield* reads).toBe(2)
    expect((yield* world.number).platform).toMatchObject({ throughput: { perSecond: 80 } })
    world.platform.fails("facts", null)
    yield* campaigns.move(id, "cancelled")
    yield* campaigns.work(7 * hour, 10 * minute)
    yield* reads
    yield* campaigns.work(7 * hour, 10 * minute)
    const ended = yield* reads
    yield* campaigns.work(7 * hour, 10 * minute)
    expect(yield* reads).toBe(ended)
  })

  scenario("of a campaign may change while it runs", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(people(60), { maxPerSecond: 1 })
    yield* campaigns.work(3 * second)
    expect(campaigns.accepted.length).toBeLessThanOrEqual(4)
    yield* campaigns.change(id, { maxPerSecond: 20 })
    yield* campaigns.work(4.5 * second)
    expect((yield* campaigns.get(id)).status).toBe("completed")
  })
})

describe("max_per_day", () => {
  scenario("counts by the local day of the campaign's zone", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(people(7), { timezone: "America/New_York", maxPerDay: 3 })
    yield* campaigns.work(2 * second)
    expect(campaigns.accepted).toHaveLength(3)
    // Four in the morning in New York: its day ends at five in the morning of UTC.
    const midnight = utc("2026-11-22T05:00:00Z")
    expect(yield* waitingFor(campaigns, id)).toEqual({ reason: "daily_limit", until: midnight })
    yield* until(campaigns, Instant.make(midnight - 1000))
    expect(campaigns.accepted).toHaveLength(3)
    yield* campaigns.work(3 * second)
    expect(campaigns.accepted).toHaveLength(6)
    yield* until(campaigns, Instant.make(midnight + day - 1000))
    expect(campaigns.accepted).toHaveLength(6)
    yield* campaigns.work(3 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { sent: 7 } })
  })

  scenario("that is reached waits for the next local day's hours", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(people(3), { maxPerDay: 1, quietHoursStart: 9, quietHoursEnd: 21 })
    yield* campaigns.work(2 * second)
    // Nine in the morning in Kolkata.
    expect(yield* waitingFor(campaigns, id)).toEqual({ reason: "daily_limit", until: utc("2026-11-22T03:30:00Z") })
    yield* campaigns.change(id, { maxPerDay: 2 })
    yield* campaigns.work(2 * second)
    expect(campaigns.accepted).toHaveLength(2)
  })
})

describe("quiet hours", () => {
  scenario("begin to the millisecond, and end so", function* (world) {
    const campaigns = campaignsOf(world)
    // 21:00 in Kolkata.
    const closing = utc("2026-11-21T15:30:00Z")
    const opening = utc("2026-11-22T03:30:00Z")
    yield* TestClock.setTime(closing - 3 * second)
    const id = yield* campaigns.begun(people(400), { quietHoursStart: 9, quietHoursEnd: 21 })
    yield* campaigns.work(10 * second)
    const before = campaigns.accepted.length
    expect(before).toBeGreaterThan(150)
    expect(campaigns.accepted.filter(({ at }) => at >= closing)).toEqual([])
    expect(yield* waitingFor(campaigns, id)).toEqual({ reason: "window", until: opening })
    yield* until(campaigns, Instant.make(opening - second))
    expect(campaigns.accepted).toHaveLength(before)
    yield* campaigns.work(5 * second)
    const [first] = campaigns.accepted.slice(before)
    expect(first!.at).toBeGreaterThanOrEqual(opening)
    expect(first!.at).toBeLessThan(opening + second)
  })

  scenario("follow the local clock over a change of the zone's", function* (world) {
    const campaigns = campaignsOf(world)
    yield* TestClock.setTime(utc("2027-03-27T19:59:58Z"))
    const id = yield* campaigns.begun(people(5), {
      timezone: "Europe/Berlin",
      quietHoursStart: 9,
      quietHoursEnd: 21,
      maxPerSecond: 1
    })
    yield* campaigns.work(5 * second)
    const before = campaigns.accepted.length
    expect(before).toBeLessThanOrEqual(3)
    // The clock goes forward in the night: nine is an hour earlier than the day before.
    const opening = utc("2027-03-28T07:00:00Z")
    expect(yield* waitingFor(campaigns, id)).toEqual({ reason: "window", until: opening })
    yield* until(campaigns, Instant.make(opening - second))
    expect(campaigns.accepted).toHaveLength(before)
    yield* campaigns.work(8 * second)
    expect((yield* campaigns.get(id)).status).toBe("completed")
  })
})

describe("the messaging limit", () => {
  const limitedTo = (campaigns: CampaignWorld, perDay: number | null) =>
    campaigns.numberIs({ messagingLimit: { tier: `TIER_${perDay ?? "UNLIMITED"}`, perDay } })

  scenario(
    "counts different people over the numbers of a business account, and templates of anybody's",
    function* (world) {
      const campaigns = campaignsOf(world)
      const other = yield* world.connect(secondNumber)
      const limit = { messagingLimit: { tier: "TIER_5", perDay: 5 } }
      yield* campaigns.numberIs(limit)
      yield* campaigns.numberIs(limit, other, secondNumber.phoneNumberId)
      yield* sendsTemplate(world, phoneOf(1), secondNumber.phoneNumberId)
      yield* sendsTemplate(world, phoneOf(1))
      const first = yield* campaigns.begun(people(3))
      yield* campaigns.work(2 * second)
      expect(yield* campaigns.get(first)).toMatchObject({ status: "completed", counts: { sent: 3 } })
      // Three people so far: two places are left, on whatever number.
      const begun = yield* Instant.now
      const second_ = yield* campaigns.begun(people(4, 101), { phoneNumberId: secondNumber.phoneNumberId })
      yield* campaigns.work(2 * second)
      expect((yield* campaigns.get(second_)).counts).toMatchObject({ sent: 2, queued: 2 })
      const hold = yield* waitingFor(campaigns, second_)
      // The one whom a person has written to was counted anew by the campaign.
      expect(hold).toMatchObject({ reason: "messaging_limit" })
      const oldest = Math.min(...campaigns.accepted.slice(2).map(({ at }) => at))
      expect(hold!.until! - oldest - day).toBeLessThanOrEqual(0)
      expect(hold!.until! - oldest - day).toBeGreaterThan(-second)
      yield* until(campaigns, Instant.make(hold!.until! - 2000), hour)
      expect((yield* campaigns.get(second_)).counts).toMatchObject({ sent: 2, queued: 2 })
      yield* campaigns.work(begun - start + 10 * second, second)
      expect((yield* campaigns.get(second_)).status).toBe("completed")
    }
  )

  scenario("keeps nobody back who was counted already, or whose window is open", function* (world) {
    const campaigns = campaignsOf(world)
    yield* limitedTo(campaigns, 2)
    yield* world.writes("Hello")
    yield* world.pass(10 * second)
    const first = yield* campaigns.begun(people(2))
    yield* campaigns.work(2 * second)
    expect((yield* campaigns.get(first)).status).toBe("completed")
    const next = yield* campaigns.begun([...people(3), listed(sampleCustomer.phone)])
    yield* campaigns.work(2 * second)
    const contacts = yield* campaigns.contacts(next)
    expect(contacts.map(({ status }) => status)).toEqual(["sent", "sent", "queued", "sent"])
    // Somebody whose window is open uses no place.
    yield* limitedTo(campaigns, 3)
    yield* campaigns.change(next, { name: "Winter" })
    yield* campaigns.work(2 * second)
    expect((yield* campaigns.get(next)).status).toBe("completed")
  })

  scenario("keeps nobody back far down the list whose window is open", function* (world) {
    const campaigns = campaignsOf(world)
    yield* limitedTo(campaigns, 1)
    yield* world.writes("Hello")
    yield* world.pass(10 * second)
    const id = yield* campaigns.begun([...people(450), listed(sampleCustomer.phone), ...people(10, 451)])
    yield* campaigns.work(5 * second)
    expect(campaigns.reached.toSorted()).toEqual([phoneOf(1), sampleCustomer.phone])
    expect(yield* waitingFor(campaigns, id)).toMatchObject({ reason: "messaging_limit" })
  })

  scenario("lets somebody through within a minute or so whose window opens meanwhile", function* (world) {
    const campaigns = campaignsOf(world)
    yield* limitedTo(campaigns, 1)
    yield* campaigns.begun([...people(2), listed(sampleCustomer.phone)])
    yield* campaigns.work(2 * minute, 5 * second)
    expect(campaigns.reached).toEqual([phoneOf(1)])
    yield* world.writes("Hello")
    yield* world.pass(10 * second)
    yield* campaigns.work(minute, second)
    expect(campaigns.reached).toEqual([phoneOf(1), sampleCustomer.phone])
  })

  scenario("of none lets everybody through, as does one that nobody knows", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(people(300))
    yield* campaigns.work(6 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { sent: 300 } })
    yield* limitedTo(campaigns, null)
    const next = yield* campaigns.begun(people(10, 301))
    yield* campaigns.work(2 * second)
    expect(yield* campaigns.get(next)).toMatchObject({ status: "completed", counts: { sent: 10 } })
  })
})

describe("an account", () => {
  const accountIs = (
    world: ReplyWorld,
    change: { status?: "active" | "inactive"; paymentMethod?: "verified" | "missing" }
  ) => world.run(Accounts.use((accounts) => accounts.change(world.tenant, change, operator)))

  for (const [what, shut, open] of [
    ["that is not active", { status: "inactive" }, { status: "active" }],
    ["without a payment method", { paymentMethod: "missing" }, { paymentMethod: "verified" }]
  ] as const) {
    scenario(`${what} sends nothing, and goes on by itself once that is settled`, function* (world) {
      const campaigns = campaignsOf(world)
      const id = yield* campaigns.begun(people(8), { maxPerSecond: 1 })
      yield* campaigns.work(2 * second)
      yield* accountIs(world, shut)
      const at = yield* Instant.now
      yield* campaigns.work(10 * second)
      expect(campaigns.accepted.filter((one) => one.at > at + second)).toEqual([])
      expect(yield* waitingFor(campaigns, id)).toEqual({ reason: "account", until: null })
      expect(yield* campaigns.get(id)).toMatchObject({ status: "running", pauseReason: null })
      yield* accountIs(world, open)
      yield* campaigns.work(15 * second)
      expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { sent: 8 } })
    })
  }
})

describe("what a campaign waits for", () => {
  scenario("is its status while it does not run", function* (world) {
    const campaigns = campaignsOf(world)
    const scheduledAt = Instant.plus(yield* Instant.now, hour)
    const id = yield* campaigns.draft(people(1), { scheduledAt })
    expect(yield* waitingFor(campaigns, id)).toEqual({ reason: "not_running", until: null })
    yield* campaigns.move(id, "scheduled")
    expect(yield* waitingFor(campaigns, id)).toEqual({ reason: "not_running", until: scheduledAt })
  })

  scenario("is nothing while a message can go out", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(people(1))
    expect(yield* waitingFor(campaigns, id)).toBeNull()
  })

  scenario("is the platform while that is out of order, and the next attempt while nobody is due", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.next(refuses(130429, 429, 30))
    const id = yield* campaigns.begun(people(1))
    yield* campaigns.work(second)
    const { at } = world.platform.of("send")[0]!
    expect(yield* waitingFor(campaigns, id)).toEqual({ reason: "platform", until: at + 30 * second })
    world.platform.next(refuses(131000, 500))
    yield* campaigns.work(31 * second)
    const again = world.platform.of("send")[1]!
    expect(yield* waitingFor(campaigns, id)).toEqual({ reason: "nothing_due", until: again.at + 30 * second })
  })

  scenario("is the rate while another campaign of the number uses it up", function* (world) {
    const campaigns = campaignsOf(world)
    yield* campaigns.numberIs({ throughput: { level: "OTHER", perSecond: 1 } })
    const id = yield* campaigns.begun(people(10))
    yield* campaigns.begun(people(10, 11))
    let seen: unknown = null
    for (let nth = 0; nth < 40 && seen === null; nth += 1) {
      yield* campaigns.work(50)
      const hold = yield* waitingFor(campaigns, id)
      seen = hold?.reason === "rate" ? hold : null
    }
    expect(seen).toEqual({ reason: "rate", until: null })
  })
})

describe("a message that the platform holds back", () => {
  scenario("is sent and held until a report comes", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.does(holds)
    const id = yield* campaigns.begun(people(2))
    yield* campaigns.work(second)
    expect(yield* campaigns.contacts(id)).toMatchObject([
      { status: "sent", held: true },
      { status: "sent", held: true }
    ])
    world.platform.does(accepts)
    const [one, two] = campaigns.accepted.map((message) => message.id)
    yield* world.delivers({ statuses: [inboundStatus(one!, "delivered"), inboundStatus(two!, "failed")] })
    expect(yield* campaigns.contacts(id)).toMatchObject([
      { status: "delivered", held: false },
      { status: "failed", held: false }
    ])
  })
})
