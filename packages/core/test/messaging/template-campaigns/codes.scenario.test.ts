/** What each code of the platform makes of a contact and of its campaign, by answer and by report. Verifies: TCMP-1, TCMP-2. */
import { Instant } from "@trunkline/core/effect"
import type { Ids } from "@trunkline/core/provider"
import type { TemplateContact } from "@trunkline/core/storage"
import { OptOuts } from "@trunkline/core/testing"
import {
  accepts,
  type CampaignWorld,
  campaignsOf,
  type Delivered,
  listed,
  phoneOf,
  type ReplyWorld,
  refuses,
  sampleBodies,
  silent,
  unreachable
} from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { names, scenario } from "../ReplyScenarios.ts"

const { inboundStatus } = sampleBodies
const { minute, second } = Instant
const hour = 60 * minute
const day = 24 * hour

/** What the platform's codes mean, as it publishes them. */
interface Meaning {
  readonly means: string
  readonly codes: ReadonlyArray<number>
  /** At which status the platform answers with them. */
  readonly status?: number
  /** What an answer makes of the contact: it fails for a reason, it waits, or it is next in line as if nothing had been asked. */
  readonly answer:
    | { readonly _tag: "Fails"; readonly reason: string }
    | { readonly _tag: "Waits"; readonly ms: number }
    | { readonly _tag: "Next" }
  /** Why the contact has failed once a report names the code. */
  readonly report: string
  readonly pause?: string
}

const fails = (reason: string) => ({ answer: { _tag: "Fails", reason }, report: reason }) as const
const waitsFor = (ms: number) => ({ answer: { _tag: "Waits", ms }, report: "platform" }) as const
const pauses = (pause: string) => ({ answer: { _tag: "Next" }, report: "platform", pause }) as const

const meanings: ReadonlyArray<Meaning> = [
  { means: "the number sends too much", codes: [4, 80007, 130429], answer: { _tag: "Next" }, report: "platform" },
  { means: "too many messages went to one customer", codes: [131056], ...waitsFor(minute) },
  {
    means: "the platform is out of order",
    codes: [2, 131000, 131016, 131057, 133004],
    status: 500,
    ...waitsFor(30 * second)
  },
  { means: "templates are in the wrong category", codes: [131064], ...pauses("classification") },
  { means: "messages were reported as spam", codes: [131048], ...pauses("spam_rate") },
  { means: "the customer gets enough marketing messages", codes: [131049], ...fails("marketing_limit") },
  { means: "the customer is part of an experiment", codes: [130472], ...fails("experiment") },
  { means: "the customer has stopped marketing messages", codes: [131050], ...fails("opted_out") },
  { means: "the customer cannot be reached", codes: [131026, 131021, 131030, 131062], ...fails("undeliverable") },
  { means: "the country is closed to the account", codes: [130497], status: 403, ...fails("country") },
  {
    means: "the message's content is refused",
    codes: [100, 131008, 131009, 131051, 131052, 131053, 132000, 132005, 132007, 132008, 132012, 132018, 135000],
    ...fails("invalid_content")
  },
  { means: "there is no such template", codes: [132001], status: 404, ...pauses("template_missing") },
  { means: "the template is paused", codes: [132015], ...pauses("template_paused") },
  { means: "the template is disabled", codes: [132016], ...pauses("template_disabled") },
  { means: "the template's flow is blocked", codes: [132068, 132069], ...pauses("flow_blocked") },
  { means: "marketing is not permitted", codes: [131063], ...pauses("marketing_not_permitted") },
  { means: "the access token is refused", codes: [0, 3, 10, 190, 200, 299], status: 401, ...pauses("credentials") },
  { means: "nobody pays for the account", codes: [131042], ...pauses("payment") },
  {
    means: "the account is restricted",
    codes: [33, 368, 131005, 131031, 131037, 131045, 133010],
    status: 403,
    ...pauses("account_restricted")
  },
  { means: "something else", codes: [1, 131999], ...fails("rejected") }
]

/** The reasons of the campaign's failures, oldest first. */
const failures = (campaigns: CampaignWorld) =>
  Effect.map(campaigns.events, (all) =>
    all.flatMap(({ data, event }) => (event === "campaign.failed" ? [(data as Delivered).reason] : []))
  )

const first = (campaigns: CampaignWorld, id: Ids.TemplateCampaignId): Effect.Effect<TemplateContact> =>
  Effect.map(campaigns.contacts(id), ([contact]) => contact!)

/** A report that the message of a contact has failed. */
const failed = (world: ReplyWorld, msgid: string, code: number) =>
  world.delivers({
    statuses: [
      inboundStatus(msgid, "failed", {
        errors: [{ code, title: "leaky title", message: "leaky words", error_data: { details: "leaky details" } }]
      })
    ]
  })

const optOutsOf = (world: ReplyWorld) =>
  world.run(
    OptOuts.use((list) =>
      list.list(world.tenant, { phone: null, source: null, phoneNumberId: null }, { limit: 10, offset: 0 })
    )
  )

/** Lets time pass in two steps: what is committed in the first one is sent in the second. */
const later = (campaigns: CampaignWorld, milliseconds: number) =>
  Effect.gen(function* () {
    yield* campaigns.work(milliseconds, milliseconds)
    yield* campaigns.work(second / 2)
  })

describe("an answer with a code", () => {
  for (const { answer, codes, means, pause, status = 400 } of meanings) {
    scenario(`that says that ${means} has its contact do as the table says`, function* (world) {
      const campaigns = campaignsOf(world)
      for (const [nth, code] of codes.entries()) {
        const phone = phoneOf(nth + 1)
        const seen = (yield* failures(campaigns)).length
        world.platform.toward(phone, refuses(code, status))
        const id = yield* campaigns.begun([listed(phone)], { name: String(code) })
        const calls = world.platform.of("send").length
        yield* campaigns.work(second / 2)
        expect(world.platform.of("send"), `requests for ${code}`).toHaveLength(calls + 1)
        const { at } = world.platform.of("send").at(-1)!
        const contact = yield* first(campaigns, id)
        const expected = {
          Fails: {
            status: "failed",
            reason: "reason" in answer ? answer.reason : "",
            attempts: 1,
            nextAttemptAt: null
          },
          Waits: { status: "queued", reason: null, attempts: 1, nextAttemptAt: at + ("ms" in answer ? answer.ms : 0) },
          Next: { status: "queued", reason: null, attempts: 0, nextAttemptAt: at }
        }[answer._tag]
        expect(contact, `contact after ${code}`).toMatchObject({ ...expected, error: { code }, msgid: null })
        expect(contact.error!.message).toMatch(/^[A-Z].*\.$/)
        expect(contact.error!.message).not.toContain("leaky")
        expect(yield* campaigns.get(id), `campaign after ${code}`).toMatchObject({
          status: pause === undefined ? (answer._tag === "Fails" ? "completed" : "running") : "paused",
          pauseReason: pause ?? null
        })
        expect((yield* failures(campaigns)).slice(seen)).toEqual(pause === undefined ? [] : [pause])
        yield* Effect.ignore(campaigns.move(id, "cancelled"))
        // The number rests after some of them.
        yield* world.jump(hour)
      }
    })
  }

  scenario(
    "that is the platform's own trouble has the contact tried three times more, and then fail",
    function* (world) {
      const campaigns = campaignsOf(world)
      world.platform.toward(phoneOf(1), refuses(131000, 500))
      const id = yield* campaigns.begun([listed(phoneOf(1))])
      yield* campaigns.work(second / 2)
      for (const [nth, wait] of [30 * second, 2 * minute, 10 * minute].entries()) {
        const at = world.platform.of("send").at(-1)!.at
        expect(yield* first(campaigns, id)).toMatchObject({
          status: "queued",
          attempts: nth + 1,
          nextAttemptAt: at + wait
        })
        const before = at + wait - second - (yield* Instant.now)
        yield* campaigns.work(before, before)
        expect(world.platform.of("send")).toHaveLength(nth + 1)
        yield* campaigns.work(3 * second)
        expect(world.platform.of("send")).toHaveLength(nth + 2)
        expect(world.platform.of("send").at(-1)!.at - at).toBeGreaterThanOrEqual(wait)
      }
      expect(yield* first(campaigns, id)).toMatchObject({
        status: "failed",
        reason: "platform",
        attempts: 4,
        nextAttemptAt: null,
        error: { code: 131000 }
      })
      expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { failed: 1, queued: 0 } })
      expect(new Set(world.platform.of("send").map(({ body }) => body.biz_opaque_callback_data)).size).toBe(1)
    }
  )

  scenario(
    "of the platform's that nobody has heard of counts as its trouble where its status says so",
    function* (world) {
      const campaigns = campaignsOf(world)
      world.platform.next(refuses(987_654, 503))
      const id = yield* campaigns.begun([listed(phoneOf(1))])
      yield* campaigns.work(second)
      expect(yield* first(campaigns, id)).toMatchObject({ status: "queued", attempts: 1, error: { code: 987_654 } })
      yield* later(campaigns, 30 * second)
      expect(yield* first(campaigns, id)).toMatchObject({ status: "sent", attempts: 2, error: null, reason: null })
    }
  )

  scenario("that too many messages went to a customer has the next ones wait 1, 4 and 16 minutes", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.toward(phoneOf(1), refuses(131056))
    const id = yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.work(second / 2)
    for (const [nth, wait] of [minute, 4 * minute, 16 * minute].entries()) {
      const at = world.platform.of("send").at(-1)!.at
      expect(yield* first(campaigns, id)).toMatchObject({
        status: "queued",
        attempts: nth + 1,
        nextAttemptAt: at + wait
      })
      yield* later(campaigns, wait)
    }
    expect(yield* first(campaigns, id)).toMatchObject({ status: "failed", reason: "pair_rate", attempts: 4 })
    expect(world.platform.of("send")).toHaveLength(4)
  })

  scenario(
    "that a customer gets enough marketing has the message sent once more a day later, by the switch",
    function* (world) {
      const campaigns = campaignsOf(world)
      world.platform.toward(phoneOf(1), refuses(131049))
      const id = yield* campaigns.begun([listed(phoneOf(1))], { retryMarketingLimit: true })
      yield* campaigns.work(second / 2)
      const { at } = world.platform.of("send")[0]!
      expect(yield* first(campaigns, id)).toMatchObject({
        status: "queued",
        reason: null,
        attempts: 1,
        nextAttemptAt: at + day
      })
      yield* later(campaigns, day - 2 * second)
      expect(world.platform.of("send")).toHaveLength(1)
      yield* campaigns.work(3 * second)
      expect(yield* first(campaigns, id)).toMatchObject({ status: "failed", reason: "marketing_limit", attempts: 2 })
    }
  )

  scenario("that the customer has opted out adds an opt-out, so that nothing more is sent to them", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.next(refuses(131050))
    yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.work(second)
    expect((yield* optOutsOf(world))!.items).toMatchObject([
      { phone: phoneOf(1), scope: "marketing", source: "platform", phoneNumberId: "106540352242922" }
    ])
    expect(names(yield* world.events).filter((name) => name === "contact.preference")).toHaveLength(1)
  })
})

describe("a report with a code", () => {
  for (const { codes, means, pause, report } of meanings) {
    scenario(`that says that ${means} has its contact fail`, function* (world) {
      const campaigns = campaignsOf(world)
      world.platform.toward(phoneOf(9000), refuses(131000, 500))
      for (const [nth, code] of codes.entries()) {
        const seen = (yield* failures(campaigns)).length
        // The second contact keeps the campaign running.
        const id = yield* campaigns.begun([listed(phoneOf(nth + 1)), listed(phoneOf(9000))], { name: String(code) })
        yield* campaigns.work(second / 2)
        const { msgid, status } = yield* first(campaigns, id)
        expect(status).toBe("sent")
        yield* failed(world, msgid!, code)
        yield* campaigns.work(second / 2)
        const contact = yield* first(campaigns, id)
        expect(contact, `contact after ${code}`).toMatchObject({
          status: "failed",
          reason: report,
          attempts: 1,
          nextAttemptAt: null,
          error: { code }
        })
        expect(contact.failedAt).not.toBeNull()
        expect(contact.error!.message).not.toContain("leaky")
        expect(yield* campaigns.get(id), `campaign after ${code}`).toMatchObject({
          status: pause === undefined ? "running" : "paused",
          pauseReason: pause ?? null,
          counts: { failed: 1, sent: 0 }
        })
        expect((yield* failures(campaigns)).slice(seen)).toEqual(pause === undefined ? [] : [pause])
        yield* campaigns.move(id, "cancelled")
        yield* world.jump(hour)
      }
    })
  }

  scenario("that a customer gets enough marketing has the message sent again, by the switch", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun([listed(phoneOf(1)), listed(phoneOf(2))], { retryMarketingLimit: true })
    world.platform.toward(phoneOf(2), refuses(131000, 500))
    yield* campaigns.work(second / 2)
    const sent = yield* first(campaigns, id)
    yield* failed(world, sent.msgid!, 131049)
    yield* campaigns.work(second / 2)
    const waiting = yield* first(campaigns, id)
    expect(waiting).toMatchObject({ status: "queued", reason: null, attempts: 1, error: { code: 131049 } })
    expect(waiting.nextAttemptAt! - (yield* Instant.now)).toBeGreaterThan(day - second)
    yield* later(campaigns, day)
    expect(campaigns.reached.filter((to) => to === phoneOf(1))).toHaveLength(2)
    const again = yield* first(campaigns, id)
    expect(again).toMatchObject({ status: "sent", attempts: 2 })
    yield* failed(world, again.msgid!, 131049)
    expect(yield* first(campaigns, id)).toMatchObject({ status: "failed", reason: "marketing_limit" })
  })

  scenario("that the customer has opted out adds an opt-out", function* (world) {
    const campaigns = campaignsOf(world)
    yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.work(second)
    yield* failed(world, campaigns.accepted[0]!.id, 131050)
    expect((yield* optOutsOf(world))!.items).toMatchObject([
      { phone: phoneOf(1), scope: "marketing", source: "platform" }
    ])
  })
})

describe("refusals of the content", () => {
  const people = (count: number) => Array.from({ length: count }, (_, nth) => listed(phoneOf(nth + 1)))

  scenario("pause the campaign once twenty came in a row", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.does(refuses(132000))
    const id = yield* campaigns.begun(people(40), { maxPerSecond: 10, maxFailurePercent: 100 })
    yield* campaigns.work(5 * second)
    const { counts, pauseReason, status } = yield* campaigns.get(id)
    expect({ status, pauseReason }).toEqual({ status: "paused", pauseReason: "invalid_content" })
    expect(counts.failed).toBeGreaterThanOrEqual(20)
    expect(counts.failed).toBeLessThanOrEqual(26)
    expect(yield* failures(campaigns)).toEqual(["invalid_content"])
  })

  scenario("do not pause it while messages are accepted between", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.does(refuses(132000))
    world.platform.toward(phoneOf(20), accepts)
    const id = yield* campaigns.begun(people(39), { maxPerSecond: 10, maxFailurePercent: 100 })
    yield* campaigns.work(6 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { failed: 38, sent: 1 } })
  })

  scenario("pause it by reports, too", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.toward(phoneOf(21), refuses(131000, 500))
    const id = yield* campaigns.begun(people(21), { maxFailurePercent: 100 })
    yield* campaigns.work(second)
    for (const [nth, { id: msgid }] of campaigns.accepted.entries()) {
      expect((yield* campaigns.get(id)).status, `after ${nth} reports`).toBe("running")
      yield* failed(world, msgid, 132012)
      yield* campaigns.work(50)
    }
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason: "invalid_content" })
  })
})

describe("trouble of the platform's", () => {
  scenario("rests the number for half a minute once five messages in a row have met with it", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.does(refuses(131000, 500))
    const id = yield* campaigns.begun(
      Array.from({ length: 8 }, (_, nth) => listed(phoneOf(nth + 1))),
      { maxPerSecond: 2 }
    )
    yield* campaigns.work(10 * second)
    expect(world.platform.of("send")).toHaveLength(5)
    const fifth = world.platform.of("send").at(-1)!.at
    world.platform.does(accepts)
    yield* campaigns.work(fifth + 30 * second - (yield* Instant.now) - 100)
    expect(world.platform.of("send")).toHaveLength(5)
    yield* campaigns.work(10 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { sent: 8 } })
  })

  scenario("rests nothing where a message is accepted between", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.does(refuses(131000, 500))
    world.platform.toward(phoneOf(4), accepts)
    yield* campaigns.begun(
      Array.from({ length: 8 }, (_, nth) => listed(phoneOf(nth + 1))),
      { maxPerSecond: 2 }
    )
    yield* campaigns.work(6 * second)
    expect(world.platform.of("send")).toHaveLength(8)
  })

  scenario("is a connection that fails: the message was surely not accepted, and is sent again", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.next(unreachable)
    const id = yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.work(second / 2)
    const contact = yield* first(campaigns, id)
    expect(contact).toMatchObject({ status: "queued", reason: null, error: { code: null } })
    expect(contact.nextAttemptAt).toBe(world.platform.of("send")[0]!.at + 30 * second)
    yield* later(campaigns, 30 * second)
    expect(yield* first(campaigns, id)).toMatchObject({ status: "sent" })
    expect(campaigns.reached).toEqual([phoneOf(1)])
  })
})

describe("a number that sends too much", () => {
  scenario("waits as long as the platform says", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.next(refuses(130429, 429, 7))
    const id = yield* campaigns.begun(
      [1, 2, 3].map((nth) => listed(phoneOf(nth))),
      { maxPerSecond: 1 }
    )
    yield* campaigns.work(500)
    const { at } = world.platform.of("send")[0]!
    yield* campaigns.work(at + 7 * second - 100 - (yield* Instant.now))
    expect(world.platform.of("send")).toHaveLength(1)
    yield* campaigns.work(6 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { sent: 3 } })
    expect((yield* campaigns.contacts(id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
    expect(world.platform.of("send")[1]!.at - at).toBeLessThan(8 * second)
  })

  scenario(
    "waits 1, 2 and 4 seconds where the platform does not say how long, and again 1 once it accepts",
    function* (world) {
      const campaigns = campaignsOf(world)
      world.platform.next(refuses(80007, 429), 3)
      yield* campaigns.begun([listed(phoneOf(1)), listed(phoneOf(2)), listed(phoneOf(3))], { maxPerSecond: 2 })
      yield* campaigns.work(7.8 * second)
      world.platform.next(refuses(80007, 429))
      yield* campaigns.work(5 * second)
      const sends = world.platform.of("send").map(({ at }) => at)
      const gaps = sends.slice(1).map((at, nth) => at - sends[nth]!)
      for (const [nth, least] of [1, 2, 4].entries()) {
        expect(gaps[nth]).toBeGreaterThanOrEqual(least * second)
        expect(gaps[nth]).toBeLessThan(least * second + 300)
      }
      const refused = gaps.findIndex((gap, nth) => nth > 2 && gap >= second)
      expect(refused).toBeGreaterThan(2)
      expect(gaps[refused]).toBeLessThan(1.5 * second)
    }
  )

  scenario("goes on at half its rate, which grows back within five minutes", function* (world) {
    const campaigns = campaignsOf(world)
    const people = Array.from({ length: 900 }, (_, nth) => listed(phoneOf(nth + 1)))
    const id = yield* campaigns.begun(people)
    yield* campaigns.work(1.5 * second)
    expect(campaigns.accepted.length).toBeGreaterThan(70)
    world.platform.next(refuses(4, 400))
    yield* campaigns.work(2 * second)
    const from = yield* Instant.now
    yield* campaigns.work(2 * second)
    const slowed = campaigns.accepted.filter(({ at }) => at > from).length
    expect(slowed).toBeGreaterThanOrEqual(58)
    expect(slowed).toBeLessThanOrEqual(70)
    yield* campaigns.move(id, "paused")
    yield* world.jump(5 * minute)
    yield* campaigns.move(id, "running")
    yield* campaigns.work(500)
    const again = yield* Instant.now
    yield* campaigns.work(2 * second)
    const whole = campaigns.accepted.filter(({ at }) => at > again).length
    expect(whole).toBeGreaterThanOrEqual(120)
    expect(whole).toBeLessThanOrEqual(128)
  })
})

describe("a message of which nobody knows whether it was taken", () => {
  for (const [what, answering] of [
    ["no answer on an open connection", silent(true)],
    ["a server error that names no code", refuses(null, 502)]
  ] as const) {
    scenario(`after ${what} is unknown, and is never sent again`, function* (world) {
      const campaigns = campaignsOf(world)
      world.platform.next(answering)
      const id = yield* campaigns.begun([listed(phoneOf(1))])
      yield* campaigns.work(second)
      expect(yield* first(campaigns, id)).toMatchObject({ status: "unknown", reason: null, attempts: 0 })
      // It keeps nobody from completing.
      expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { unknown: 1 } })
      yield* later(campaigns, hour - 5 * second)
      expect(yield* first(campaigns, id)).toMatchObject({ status: "unknown" })
      yield* campaigns.work(10 * second, second)
      const contact = yield* first(campaigns, id)
      expect(contact).toMatchObject({ status: "failed", reason: "outcome_unknown", error: { code: null } })
      expect(contact.error!.message).not.toBe("")
      yield* campaigns.work(second)
      expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { unknown: 0, failed: 1 } })
      expect(world.platform.of("send")).toHaveLength(1)
    })
  }

  for (const [status, after] of [
    ["sent", { status: "sent", reason: null, error: null }],
    ["delivered", { status: "delivered", reason: null, error: null }],
    ["read", { status: "read", reason: null, error: null }],
    ["failed", { status: "failed", reason: "undeliverable", error: { code: 131026 } }]
  ] as const) {
    scenario(`is ${status} once a report with its reference says so`, function* (world) {
      const campaigns = campaignsOf(world)
      world.platform.next(silent(true))
      const id = yield* campaigns.begun([listed(phoneOf(1))])
      yield* campaigns.work(second)
      const [message] = campaigns.accepted
      const { messageId } = yield* first(campaigns, id)
      expect(message!.body.biz_opaque_callback_data).toBe(messageId)
      yield* world.delivers({
        statuses: [inboundStatus(message!.id, status, { biz_opaque_callback_data: messageId! })]
      })
      yield* campaigns.work(second)
      expect(yield* first(campaigns, id)).toMatchObject({ ...after, msgid: message!.id, attempts: 1 })
      yield* later(campaigns, 2 * hour)
      expect(yield* first(campaigns, id)).toMatchObject({ status: after.status })
      expect(yield* campaigns.get(id)).toMatchObject({ counts: { unknown: 0, [after.status]: 1 } })
      expect(world.platform.of("send")).toHaveLength(1)
    })
  }

  scenario("is settled after the hour, too, when a report comes late", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.next(silent(true))
    const id = yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.work(second)
    const { messageId } = yield* first(campaigns, id)
    yield* later(campaigns, hour + second)
    expect(yield* first(campaigns, id)).toMatchObject({ status: "failed", reason: "outcome_unknown" })
    yield* world.delivers({
      statuses: [inboundStatus(campaigns.accepted[0]!.id, "delivered", { biz_opaque_callback_data: messageId! })]
    })
    yield* campaigns.work(second)
    expect(yield* first(campaigns, id)).toMatchObject({ status: "delivered", reason: null, error: null })
    expect((yield* campaigns.get(id)).counts).toMatchObject({ failed: 0, delivered: 1 })
  })
})
