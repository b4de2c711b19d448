/** What has the service pause a campaign, and what a campaign needs to go on. Verifies: TCMP-1, TCMP-2. */
import { ConnectedNumbers, Instant } from "@trunkline/core/effect"
import type { AccountReport, Ids, NumberFacts } from "@trunkline/core/provider"
import type { TemplateCampaign } from "@trunkline/core/storage"
import {
  accepts,
  type CampaignWorld,
  campaignsOf,
  listed,
  phoneOf,
  refuses,
  sampleBodies,
  sampleTemplate
} from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { names, scenario } from "../ReplyScenarios.ts"

const { inboundStatus } = sampleBodies
const { minute, second } = Instant
const hour = 60 * minute

const people = (count: number, from = 1) => Array.from({ length: count }, (_, nth) => listed(phoneOf(from + nth)))

type Template = Extract<AccountReport, { readonly _tag: "Template" }>

const ofTemplate = (news: Template["news"]): Template => ({
  _tag: "Template",
  id: sampleTemplate.id,
  name: sampleTemplate.name,
  language: sampleTemplate.language,
  news
})

const status = (status: string): Template =>
  ofTemplate({ _tag: "Status", status, reason: null, rejection: null, disableAt: null })
const category = (category: string): Template => ofTemplate({ _tag: "Category", category })
const quality = (quality: string): Template => ofTemplate({ _tag: "Quality", quality })

/** A campaign that has written to a few of many people, one each second. */
const underWay = (campaigns: CampaignWorld, fields: Partial<TemplateCampaign> = {}) =>
  Effect.gen(function* () {
    const id = yield* campaigns.begun(people(30), { maxPerSecond: 1, ...fields })
    yield* campaigns.work(2 * second)
    expect((yield* campaigns.get(id)).status).toBe("running")
    return id
  })

/** The campaign was paused within a second, for this reason; it sends nothing more, and does not go on by itself. */
const expectPaused = (campaigns: CampaignWorld, id: Ids.TemplateCampaignId, pauseReason: string) =>
  Effect.gen(function* () {
    yield* campaigns.work(0.9 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason })
    const sent = campaigns.accepted.length
    yield* campaigns.work(hour, 10 * minute)
    yield* campaigns.work(2 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason })
    expect(campaigns.accepted).toHaveLength(sent)
    const events = yield* campaigns.events
    expect(names(events)).toEqual(["campaign.started", "campaign.failed"])
    expect(events[1]!.data).toMatchObject({
      campaign_id: id,
      kind: "template",
      reason: pauseReason,
      status: "paused",
      total_contacts: 30
    })
  })

const expectRunning = (campaigns: CampaignWorld, id: Ids.TemplateCampaignId) =>
  Effect.gen(function* () {
    const sent = campaigns.accepted.length
    yield* campaigns.work(3 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "running", pauseReason: null })
    expect(campaigns.accepted.length).toBeGreaterThan(sent)
  })

describe("a delivery about the template", () => {
  for (const [says, reason] of [
    ["REJECTED", "template_rejected"],
    ["PAUSED", "template_paused"],
    ["DISABLED", "template_disabled"],
    ["DELETED", "template_deleted"],
    ["PENDING_DELETION", "template_deleted"]
  ] as const) {
    scenario(`that says ${says} pauses its campaigns within a second`, function* (world) {
      const campaigns = campaignsOf(world)
      const id = yield* underWay(campaigns)
      yield* campaigns.reports(status(says))
      yield* expectPaused(campaigns, id, reason)
    })
  }

  for (const becomes of ["MARKETING", "AUTHENTICATION"]) {
    scenario(`that has become ${becomes} pauses its campaigns within a second`, function* (world) {
      const campaigns = campaignsOf(world)
      const id = yield* underWay(campaigns)
      yield* campaigns.reports(category(becomes))
      yield* expectPaused(campaigns, id, "template_category")
    })
  }

  scenario("that changes nothing of what may be sent pauses nothing", function* (world) {
    const campaigns = campaignsOf(world, { ...sampleTemplate, category: "MARKETING" })
    const id = yield* underWay(campaigns)
    for (const report of [status("APPROVED"), category("MARKETING"), category("UTILITY"), quality("GREEN")]) {
      yield* campaigns.reports(report)
      yield* expectRunning(campaigns, id)
    }
    yield* campaigns.reports({ ...status("REJECTED"), id: "5940002", name: "another_template" })
    yield* campaigns.reports({ ...status("REJECTED"), id: "5940003", language: "de" })
    yield* expectRunning(campaigns, id)
  })

  scenario("leaves campaigns alone that do not run", function* (world) {
    const campaigns = campaignsOf(world)
    const draft = yield* campaigns.draft(people(1))
    const running = yield* underWay(campaigns)
    yield* campaigns.move(running, "paused")
    yield* campaigns.reports(status("PAUSED"))
    yield* campaigns.work(2 * second)
    expect(yield* campaigns.get(draft)).toMatchObject({ status: "draft", pauseReason: null })
    expect(yield* campaigns.get(running)).toMatchObject({ status: "paused", pauseReason: null })
    expect(names(yield* campaigns.events)).toEqual(["campaign.started"])
  })
})

describe("a quality", () => {
  const ratings = ["GREEN", "YELLOW", "RED", "UNKNOWN"] as const
  const pausing = { red: ["RED"], yellow: ["RED", "YELLOW"], never: [] as Array<string> } as const

  for (const [pauseOnQuality, low] of Object.entries(pausing) as Array<[keyof typeof pausing, ReadonlyArray<string>]>) {
    for (const rating of ratings) {
      const pauses = low.includes(rating)
      scenario(
        `of ${rating} ${pauses ? "pauses" : "does not pause"} a campaign that pauses on ${pauseOnQuality}`,
        function* (world) {
          const campaigns = campaignsOf(world)
          const id = yield* underWay(campaigns, { pauseOnQuality })
          yield* campaigns.numberIs({ qualityRating: rating as NumberFacts["qualityRating"] })
          yield* pauses ? expectPaused(campaigns, id, "quality") : expectRunning(campaigns, id)
          if (pauses) return
          yield* campaigns.reports(quality(rating))
          yield* expectRunning(campaigns, id)
        }
      )
    }
  }

  scenario("of the template pauses a campaign like one of the number", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* underWay(campaigns)
    yield* campaigns.reports(quality("YELLOW"))
    yield* expectRunning(campaigns, id)
    yield* campaigns.reports(quality("RED"))
    yield* expectPaused(campaigns, id, "quality")
  })
})

describe("a restriction of the account", () => {
  const restriction = (type: string, until: Instant.Instant | null): AccountReport => ({
    _tag: "Restriction",
    restriction: { type, until }
  })

  for (const type of ["RESTRICTED_BIZ_INITIATED_MESSAGING", "DISABLE"]) {
    scenario(`of the type ${type} pauses its campaigns within a second`, function* (world) {
      const campaigns = campaignsOf(world)
      const id = yield* underWay(campaigns)
      yield* campaigns.reports(restriction(type, Instant.plus(yield* Instant.now, 24 * hour)))
      yield* expectPaused(campaigns, id, "account_restricted")
    })
  }

  scenario("that is over, or of something else, pauses nothing", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* underWay(campaigns)
    yield* campaigns.reports(restriction("RESTRICTED_BIZ_INITIATED_MESSAGING", yield* Instant.now))
    yield* expectRunning(campaigns, id)
    yield* campaigns.reports(restriction("RESTRICTED_ADD_PHONE_NUMBER_ACTION", null))
    yield* expectRunning(campaigns, id)
    yield* campaigns.reports({ _tag: "Restriction", restriction: null })
    yield* expectRunning(campaigns, id)
  })
})

describe("a number that is disconnected", () => {
  scenario("pauses its campaigns within a second", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* underWay(campaigns)
    yield* world.run(ConnectedNumbers.use((numbers) => numbers.disconnect(world.tenant, world.phoneId)))
    yield* expectPaused(campaigns, id, "number_disconnected")
  })
})

describe("the share of failures", () => {
  const undeliverable = refuses(131026)

  /** A campaign of a number of people, and one more who keeps it running; the first ones are refused with a code. */
  const failing = (
    campaigns: CampaignWorld,
    { all, fail, code = 131026, ...fields }: { all: number; fail: number; code?: number } & Partial<TemplateCampaign>
  ) =>
    Effect.gen(function* () {
      const { platform } = campaigns.world
      for (let nth = 1; nth <= fail; nth += 1) platform.toward(phoneOf(nth), refuses(code))
      platform.toward(phoneOf(9000), refuses(131000, 500))
      const id = yield* campaigns.begun([...people(all), listed(phoneOf(9000))], { maxPerSecond: 20, ...fields })
      yield* campaigns.work((all / 20 + 2) * second)
      return id
    })

  const reported = (campaigns: CampaignWorld, nth: number) =>
    Effect.gen(function* () {
      const { id } = campaigns.accepted.find(({ to }) => to === phoneOf(nth))!
      yield* campaigns.world.delivers({ statuses: [inboundStatus(id, "failed")] })
      yield* campaigns.work(second)
    })

  scenario("pauses a campaign once it is above its limit, by answers and reports together", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* failing(campaigns, { all: 20, fail: 6 })
    expect(yield* campaigns.get(id)).toMatchObject({ status: "running", counts: { failed: 6, sent: 14 } })
    yield* reported(campaigns, 20)
    expect(yield* campaigns.get(id)).toMatchObject({
      status: "paused",
      pauseReason: "failure_rate",
      counts: { failed: 7, sent: 13, queued: 1 }
    })
    expect((yield* campaigns.events).at(-1)).toMatchObject({
      event: "campaign.failed",
      data: { reason: "failure_rate" }
    })
  })

  scenario("says nothing before twenty outcomes are known", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* failing(campaigns, { all: 19, fail: 19 })
    expect(yield* campaigns.get(id)).toMatchObject({ status: "running", counts: { failed: 19 } })
  })

  scenario("of twenty outcomes, all of which are failures, pauses a campaign", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* failing(campaigns, { all: 20, fail: 20 })
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason: "failure_rate" })
  })

  scenario("never pauses a campaign whose limit is 100", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* failing(campaigns, { all: 40, fail: 40, maxFailurePercent: 100 })
    expect(yield* campaigns.get(id)).toMatchObject({ status: "running", counts: { failed: 40 } })
  })

  for (const [code, reason] of [
    [131049, "marketing_limit"],
    [130472, "experiment"],
    [131050, "opted_out"]
  ] as const) {
    scenario(`does not count those who have failed as ${reason}`, function* (world) {
      const campaigns = campaignsOf(world)
      const id = yield* failing(campaigns, { all: 25, fail: 25, code })
      expect(yield* campaigns.get(id)).toMatchObject({ status: "running", counts: { failed: 25 } })
      expect((yield* campaigns.contacts(id)).slice(0, 25).every((contact) => contact.reason === reason)).toBe(true)
    })
  }

  scenario("is that of the last hundred outcomes", function* (world) {
    const campaigns = campaignsOf(world)
    for (let nth = 31; nth <= 60; nth += 1) world.platform.toward(phoneOf(nth), undeliverable)
    world.platform.toward(phoneOf(9000), refuses(131000, 500))
    const id = yield* campaigns.begun([...people(130), listed(phoneOf(9000))], {
      maxPerSecond: 50,
      maxFailurePercent: 60
    })
    yield* campaigns.work(5 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "running", counts: { failed: 30, sent: 100 } })
    yield* campaigns.change(id, { maxFailurePercent: 30 })
    // A failure among the first thirty is none of the last hundred outcomes.
    yield* reported(campaigns, 1)
    expect((yield* campaigns.get(id)).status).toBe("running")
    yield* reported(campaigns, 130)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason: "failure_rate" })
  })

  scenario("is counted anew once a person has the campaign go on", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* failing(campaigns, { all: 20, fail: 20 })
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason: "failure_rate" })
    for (let nth = 101; nth <= 119; nth += 1) world.platform.toward(phoneOf(nth), undeliverable)
    yield* campaigns.add(id, people(19, 101))
    yield* campaigns.move(id, "running")
    yield* campaigns.work(3 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "running", pauseReason: null, counts: { failed: 39 } })
    yield* campaigns.move(id, "paused")
    world.platform.toward(phoneOf(120), undeliverable)
    yield* campaigns.add(id, people(1, 120))
    yield* campaigns.move(id, "running")
    yield* campaigns.work(3 * second)
    // The person's own pause began another count.
    expect(yield* campaigns.get(id)).toMatchObject({ status: "running", counts: { failed: 40 } })
  })
})

describe("a campaign that the service has paused", () => {
  scenario("goes on where its start is allowed again, and writes to nobody twice", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(people(6), { maxPerSecond: 1 })
    yield* campaigns.work(2 * second)
    yield* campaigns.reports(status("PAUSED"))
    yield* campaigns.work(second)
    world.platform.templates.splice(0, 1, { ...sampleTemplate, status: "PAUSED" })
    const refusal = yield* Effect.flip(campaigns.move(id, "running"))
    expect(refusal).toMatchObject({ _tag: "StartRefused", reasons: [{ code: "template_not_approved" }] })
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason: "template_paused" })
    world.platform.templates.splice(0, 1, sampleTemplate)
    yield* campaigns.reports(status("APPROVED"))
    yield* campaigns.work(2 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason: "template_paused" })
    yield* campaigns.move(id, "running")
    yield* campaigns.work(8 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", pauseReason: null, counts: { sent: 6 } })
    expect(campaigns.reached.toSorted()).toEqual(people(6).map(({ phone }) => phone))
    expect(names(yield* campaigns.events)).toEqual([
      "campaign.started",
      "campaign.failed",
      "campaign.started",
      "campaign.completed"
    ])
  })

  scenario("by a code goes on with the contact that met with it first", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.does(refuses(190, 401))
    const id = yield* campaigns.begun(people(3), { maxPerSecond: 1 })
    yield* campaigns.work(3 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason: "credentials" })
    const asked = world.platform.of("send").length
    expect(asked).toBeLessThan(3)
    world.platform.does(accepts)
    yield* campaigns.work(hour, 10 * minute)
    expect(world.platform.of("send")).toHaveLength(asked)
    yield* campaigns.move(id, "running")
    yield* campaigns.work(5 * second)
    expect(campaigns.reached).toEqual([1, 2, 3].map(phoneOf))
    expect((yield* campaigns.contacts(id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
  })

  scenario("by a person has no reason, and no further message begins within a second", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(people(60), { maxPerSecond: 20 })
    yield* campaigns.work(second)
    yield* campaigns.move(id, "paused")
    const at = yield* Instant.now
    yield* campaigns.work(5 * second)
    expect(campaigns.accepted.every((one) => one.at <= at + second)).toBe(true)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "paused", pauseReason: null, counts: { sending: 0 } })
    expect(names(yield* campaigns.events)).toEqual(["campaign.started"])
    yield* campaigns.move(id, "running")
    yield* campaigns.work(5 * second)
    expect(campaigns.reached.toSorted()).toEqual(people(60).map(({ phone }) => phone))
    expect((yield* campaigns.get(id)).status).toBe("completed")
  })
})
