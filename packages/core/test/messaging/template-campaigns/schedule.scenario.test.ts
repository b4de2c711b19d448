/** The life of a campaign: its moves, its schedule, retries by order, and its end. Verifies: TCMP-1, TCMP-6. */
import { Instant } from "@trunkline/core/effect"
import type { Ids } from "@trunkline/core/provider"
import { ChannelUnreachable } from "@trunkline/core/provider"
import type { TemplateCampaign } from "@trunkline/core/storage"
import {
  type CampaignWorld,
  campaignsOf,
  listed,
  phoneOf,
  refuses,
  sampleBodies,
  sampleTemplate,
  silent,
  waits
} from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { names, scenario } from "../ReplyScenarios.ts"

const { inboundStatus } = sampleBodies
const { minute, second } = Instant
const hour = 60 * minute

type Status = TemplateCampaign["status"]

const people = (count: number, from = 1) => Array.from({ length: count }, (_, nth) => listed(phoneOf(from + nth)))

const unreachable = new ChannelUnreachable({ isCertain: true, detail: "connections are refused" })

/** A campaign that starts in an hour. */
const scheduled = (campaigns: CampaignWorld) =>
  Effect.gen(function* () {
    const scheduledAt = Instant.plus(yield* Instant.now, hour)
    const id = yield* campaigns.draft(people(2), { scheduledAt })
    yield* campaigns.move(id, "scheduled")
    return { id, scheduledAt }
  })

const until = (campaigns: CampaignWorld, at: Instant.Instant) =>
  Effect.flatMap(Instant.now, (now) => campaigns.work(at - now, 10 * minute))

describe("a schedule", () => {
  scenario("starts its campaign at its time, at most five seconds late", function* (world) {
    const campaigns = campaignsOf(world)
    const { id, scheduledAt } = yield* scheduled(campaigns)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "scheduled", startedAt: null })
    yield* until(campaigns, Instant.make(scheduledAt - 1000))
    expect(yield* campaigns.get(id)).toMatchObject({ status: "scheduled", startedAt: null })
    expect(campaigns.accepted).toEqual([])
    yield* campaigns.work(6 * second)
    const { startedAt, status } = yield* campaigns.get(id)
    expect(status).toBe("completed")
    expect(startedAt! - scheduledAt).toBeGreaterThanOrEqual(0)
    expect(startedAt! - scheduledAt).toBeLessThanOrEqual(5 * second)
    expect(campaigns.accepted.every(({ at }) => at >= scheduledAt)).toBe(true)
    expect(names(yield* campaigns.events)).toEqual(["campaign.started", "campaign.completed"])
  })

  scenario("whose start is refused then pauses its campaign", function* (world) {
    const campaigns = campaignsOf(world)
    const { id, scheduledAt } = yield* scheduled(campaigns)
    world.platform.templates.splice(0, 1, { ...sampleTemplate, status: "PAUSED" })
    yield* until(campaigns, scheduledAt)
    yield* campaigns.work(5 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason: "start_refused", startedAt: null })
    expect(names(yield* campaigns.events)).toEqual(["campaign.failed"])
    expect((yield* campaigns.events)[0]!.data).toMatchObject({ reason: "start_refused", status: "paused" })
    world.platform.templates.splice(0, 1, sampleTemplate)
    yield* campaigns.work(hour, 10 * minute)
    expect(campaigns.accepted).toEqual([])
    yield* campaigns.move(id, "running")
    yield* campaigns.work(2 * second)
    expect((yield* campaigns.get(id)).status).toBe("completed")
  })

  scenario("that comes while the platform is down starts its campaign once that is back", function* (world) {
    const campaigns = campaignsOf(world)
    const { id, scheduledAt } = yield* scheduled(campaigns)
    world.platform.fails("templatesNamed", unreachable)
    yield* until(campaigns, scheduledAt)
    yield* campaigns.work(10 * minute, second)
    expect((yield* campaigns.get(id)).status).toBe("scheduled")
    world.platform.fails("templatesNamed", null)
    yield* campaigns.work(8 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { sent: 2 } })
  })

  scenario("may be moved, and is needed in the future", function* (world) {
    const campaigns = campaignsOf(world)
    const bare = yield* campaigns.draft(people(1))
    expect(yield* Effect.flip(campaigns.move(bare, "scheduled"))).toMatchObject({ _tag: "ScheduleMissing" })
    yield* campaigns.change(bare, { scheduledAt: yield* Instant.now })
    expect(yield* Effect.flip(campaigns.move(bare, "scheduled"))).toMatchObject({ _tag: "ScheduleMissing" })
    const { id, scheduledAt } = yield* scheduled(campaigns)
    yield* campaigns.change(id, { scheduledAt: Instant.plus(scheduledAt, hour) })
    yield* until(campaigns, Instant.plus(scheduledAt, minute))
    expect((yield* campaigns.get(id)).status).toBe("scheduled")
    yield* campaigns.change(id, { scheduledAt: Instant.plus(yield* Instant.now, second) })
    yield* campaigns.work(4 * second)
    expect((yield* campaigns.get(id)).status).toBe("completed")
  })

  scenario("that is taken back starts nothing", function* (world) {
    const campaigns = campaignsOf(world)
    const { id, scheduledAt } = yield* scheduled(campaigns)
    yield* campaigns.move(id, "draft")
    yield* until(campaigns, Instant.plus(scheduledAt, minute))
    yield* campaigns.work(2 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "draft", startedAt: null })
    expect(campaigns.accepted).toEqual([])
  })
})

/** Makes a campaign that has a status, by moves alone. */
const inStatus = (campaigns: CampaignWorld, status: Status) =>
  Effect.gen(function* () {
    const scheduledAt = Instant.plus(yield* Instant.now, hour)
    const id = yield* campaigns.draft(people(3), { scheduledAt, maxPerSecond: 1 })
    if (status === "draft") return id
    if (status === "scheduled") yield* campaigns.move(id, "scheduled")
    else if (status === "cancelled") yield* campaigns.move(id, "cancelled")
    else yield* campaigns.move(id, "running")
    if (status === "paused") yield* campaigns.move(id, "paused")
    if (status === "completed") yield* campaigns.work(6 * second)
    expect((yield* campaigns.get(id)).status).toBe(status)
    return id
  })

const allowed: Readonly<Record<Status, ReadonlyArray<Status>>> = {
  draft: ["scheduled", "running", "cancelled"],
  scheduled: ["draft", "running", "cancelled"],
  running: ["paused", "cancelled"],
  paused: ["running", "cancelled"],
  completed: [],
  cancelled: []
}
const statuses = Object.keys(allowed) as ReadonlyArray<Status>

describe("a move", () => {
  for (const from of statuses) {
    scenario(`of a campaign that is ${from} goes where the table says, and nowhere else`, function* (world) {
      const campaigns = campaignsOf(world)
      for (const to of statuses) {
        const id = yield* inStatus(campaigns, from)
        const before = (yield* campaigns.events).length
        if (to === from || allowed[from].includes(to)) {
          yield* campaigns.move(id, to)
          expect((yield* campaigns.get(id)).status).toBe(to)
        } else {
          expect(yield* Effect.flip(campaigns.move(id, to)), `${from} to ${to}`).toMatchObject({
            _tag: "TemplateMoveRefused",
            from,
            to
          })
          expect((yield* campaigns.get(id)).status).toBe(from)
        }
        if (to === from) expect(yield* campaigns.events).toHaveLength(before)
        yield* Effect.ignore(campaigns.move(id, "cancelled"))
      }
    })
  }
})

describe("a start", () => {
  const refusal = (campaigns: CampaignWorld, id: Ids.TemplateCampaignId) =>
    Effect.map(Effect.flip(campaigns.move(id, "running")), (error) =>
      (error as { readonly reasons: ReadonlyArray<{ readonly code: string }> }).reasons.map(({ code }) => code)
    )

  scenario("is refused without contacts, and without a template of that name in that language", function* (world) {
    const campaigns = campaignsOf(world)
    const empty = yield* campaigns.draft([])
    expect(yield* refusal(campaigns, empty)).toEqual(["no_contacts"])
    for (const template of [
      { name: "order", language: "en" },
      { name: "order_sent", language: "en_US" }
    ]) {
      const id = yield* campaigns.draft(people(1), { template })
      expect(yield* refusal(campaigns, id)).toEqual(["template_missing"])
    }
    expect(names(yield* campaigns.events)).toEqual([])
  })

  for (const [what, template, code] of [
    ["that is pending", { status: "PENDING" }, "template_not_approved"],
    ["that sends codes", { category: "AUTHENTICATION" }, "template_category"],
    ["with a carousel", { components: [{ type: "CAROUSEL", cards: [] }] }, "template_unsupported"],
    ["with a place on the map", { components: [{ type: "HEADER", format: "LOCATION" }] }, "template_unsupported"],
    ["with a limited offer", { components: [{ type: "LIMITED_TIME_OFFER" }] }, "template_unsupported"],
    [
      "with a catalogue",
      { components: [{ type: "BUTTONS", buttons: [{ type: "CATALOG", text: "See all" }] }] },
      "template_unsupported"
    ]
  ] as const) {
    scenario(`of a template ${what} is refused`, function* (world) {
      const campaigns = campaignsOf(world, { ...sampleTemplate, ...template } as never)
      const id = yield* campaigns.draft(people(1))
      expect(yield* refusal(campaigns, id)).toEqual([code])
      expect((yield* campaigns.get(id)).status).toBe("draft")
    })
  }

  scenario("of marketing to people who have not agreed is refused", function* (world) {
    const campaigns = campaignsOf(world, { ...sampleTemplate, category: "MARKETING" })
    const id = yield* campaigns.draft(people(1), { requireOptIn: false })
    expect(yield* refusal(campaigns, id)).toEqual(["opt_in_required"])
    // The template is known from then on.
    expect(yield* Effect.flip(campaigns.change(id, { name: "Winter" }))).toMatchObject({
      _tag: "InvalidTemplateCampaign"
    })
  })

  scenario("fails where the template cannot be read", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.fails("templatesNamed", unreachable)
    const id = yield* campaigns.draft(people(1))
    expect(yield* Effect.flip(campaigns.move(id, "running"))).toMatchObject({ _tag: "PlatformDown" })
    expect((yield* campaigns.get(id)).status).toBe("draft")
  })
})

describe("a retry by order", () => {
  scenario("has a completed campaign run again, for its reasons alone", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.toward(phoneOf(1), refuses(131999))
    world.platform.toward(phoneOf(2), refuses(131026))
    world.platform.toward(phoneOf(3), refuses(132000))
    const id = yield* campaigns.begun(people(4))
    yield* campaigns.work(2 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { failed: 3, sent: 1 } })
    for (const nth of [1, 2, 3]) world.platform.toward(phoneOf(nth), null)
    expect(yield* campaigns.retry(id)).toBe(0)
    expect((yield* campaigns.get(id)).status).toBe("completed")
    expect(yield* campaigns.retry(id, ["rejected", "invalid_content"])).toBe(2)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "running", completedAt: null, counts: { queued: 2 } })
    yield* campaigns.work(2 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { failed: 1, sent: 3 } })
    expect(yield* campaigns.contacts(id)).toMatchObject([
      { status: "sent", attempts: 1, error: null, reason: null },
      { status: "failed", reason: "undeliverable" },
      { status: "sent", attempts: 1 },
      { status: "sent", attempts: 1 }
    ])
    expect(campaigns.reached.toSorted()).toEqual([1, 3, 4].map(phoneOf))
  })

  scenario("waits in a paused campaign until that goes on, and is refused in every other one", function* (world) {
    const campaigns = campaignsOf(world)
    for (const status of ["draft", "scheduled", "running", "cancelled"] as const) {
      const id = yield* inStatus(campaigns, status)
      expect(yield* Effect.flip(campaigns.retry(id))).toMatchObject({ _tag: "TemplateMoveRefused", from: status })
      yield* Effect.ignore(campaigns.move(id, "cancelled"))
    }
    world.platform.toward(phoneOf(101), refuses(131999))
    const id = yield* campaigns.begun(people(3, 101), { maxPerSecond: 1 })
    yield* campaigns.work(1.5 * second)
    yield* campaigns.move(id, "paused")
    yield* campaigns.work(second)
    world.platform.toward(phoneOf(101), null)
    expect(yield* campaigns.retry(id, ["rejected"])).toBe(1)
    yield* campaigns.work(3 * second)
    expect(campaigns.reached).not.toContain(phoneOf(101))
    yield* campaigns.move(id, "running")
    yield* campaigns.work(5 * second)
    expect((yield* campaigns.get(id)).status).toBe("completed")
    expect(campaigns.reached.filter((to) => to === phoneOf(101))).toHaveLength(1)
  })

  scenario("has nothing to do with reports of the message before", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(people(1))
    yield* campaigns.work(second)
    const [before] = campaigns.accepted
    yield* world.delivers({
      statuses: [inboundStatus(before!.id, "failed", { errors: [{ code: 131999, title: "x", message: "x" }] })]
    })
    yield* campaigns.work(second)
    expect(yield* campaigns.retry(id, ["rejected"])).toBe(1)
    yield* campaigns.work(second)
    yield* world.delivers({ statuses: [inboundStatus(before!.id, "read")] })
    yield* campaigns.work(second)
    const [contact] = yield* campaigns.contacts(id)
    expect(contact).toMatchObject({ status: "sent", msgid: campaigns.accepted[1]!.id })
    expect((yield* campaigns.get(id)).counts).toMatchObject({ sent: 1, read: 0, failed: 0 })
  })
})

describe("a campaign that is cancelled", () => {
  scenario("leaves those who wait as they are, and writes to nobody more", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(people(5), { maxPerSecond: 1 })
    yield* campaigns.work(1.5 * second)
    yield* campaigns.move(id, "cancelled")
    const at = yield* Instant.now
    yield* campaigns.work(hour, 10 * minute)
    expect(campaigns.accepted.every((one) => one.at <= at + second)).toBe(true)
    const { counts, status } = yield* campaigns.get(id)
    expect(status).toBe("cancelled")
    expect(counts.queued).toBe(5 - campaigns.accepted.length)
    yield* world.delivers({ statuses: [inboundStatus(campaigns.accepted[0]!.id, "read")] })
    yield* campaigns.work(second)
    expect((yield* campaigns.get(id)).counts).toMatchObject({ read: 1 })
    expect(names(yield* campaigns.events)).toEqual(["campaign.started"])
  })
})

describe("a campaign that is deleted", () => {
  scenario("was not running, and its messages stay in their conversations", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(people(2), { maxPerSecond: 1 })
    yield* campaigns.work(second / 2)
    expect(yield* Effect.flip(campaigns.remove(id))).toMatchObject({ _tag: "CampaignRunning" })
    yield* campaigns.move(id, "paused")
    yield* campaigns.remove(id)
    expect(yield* Effect.flip(campaigns.get(id))).toMatchObject({ _tag: "TemplateCampaignNotFound" })
    yield* campaigns.work(hour, 10 * minute)
    expect(campaigns.accepted).toHaveLength(1)
    expect(yield* world.messages(phoneOf(1))).toMatchObject([{ type: "template", status: "sent" }])
    yield* world.delivers({ statuses: [inboundStatus(campaigns.accepted[0]!.id, "read")] })
    expect(yield* world.messages(phoneOf(1))).toMatchObject([{ status: "read" }])
  })
})

describe("a campaign completes", () => {
  scenario(
    "once, whatever two processes do, and only when nobody waits",
    function* (world) {
      const campaigns = campaignsOf(world)
      world.platform.next(refuses(131000, 500))
      const waiting = waits()
      world.platform.toward(phoneOf(3), waiting.answering)
      const id = yield* campaigns.begun(people(3))
      yield* campaigns.work(2 * second)
      expect(yield* campaigns.get(id)).toMatchObject({ status: "running", counts: { queued: 1, sending: 1, sent: 1 } })
      yield* campaigns.work(32 * second, second)
      expect(yield* campaigns.get(id)).toMatchObject({ status: "running", counts: { queued: 0, sending: 1, sent: 2 } })
      yield* waiting.go(silent(true))
      yield* campaigns.work(2 * second)
      expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { unknown: 1, sent: 2 } })
      yield* campaigns.work(2 * hour, 10 * minute)
      expect(names(yield* campaigns.events)).toEqual(["campaign.started", "campaign.completed"])
    },
    { processes: 2 }
  )

  scenario("with everybody skipped, too", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun([listed(phoneOf(1), { optedIn: false })])
    yield* campaigns.work(second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { skipped: 1 } })
    expect(names(yield* campaigns.events)).toEqual(["campaign.started", "campaign.completed"])
  })
})
