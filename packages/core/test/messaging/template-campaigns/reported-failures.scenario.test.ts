/** What a campaign makes of messages that the platform reports as failed. Verifies: TCMP-1, TCMP-2, TCMP-6. */
import { Instant } from "@trunkline/core/effect"
import { campaignsOf, listed, phoneOf, sampleBodies } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { names, scenario } from "../ReplyScenarios.ts"

const { inboundStatus } = sampleBodies
const { day, second } = Instant

const marketingLimit = { errors: [{ code: 131049, title: "Not sent, to maintain a healthy ecosystem" }] }

describe("a campaign that sends marketing messages once more", () => {
  scenario("begins anew for a message that fails after the campaign has completed", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun([listed(phoneOf(1))], { retryMarketingLimit: true })
    yield* campaigns.work(2 * second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed" })
    yield* world.delivers({ statuses: [inboundStatus(campaigns.accepted[0]!.id, "failed", marketingLimit)] })
    yield* campaigns.work(second)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "running", completedAt: null, counts: { queued: 1 } })
    yield* world.jump(day)
    yield* campaigns.work(2 * second)
    expect(campaigns.accepted).toHaveLength(2)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { queued: 0, sent: 1 } })
    const [start, end] = ["campaign.started", "campaign.completed"]
    expect(names(yield* campaigns.events)).toEqual([start, end, start, end])
  })
  scenario("waits for a day, although other reports of the failed message come meanwhile", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun([listed(phoneOf(1))], { retryMarketingLimit: true })
    yield* campaigns.work(2 * second)
    const { id: msgid } = campaigns.accepted[0]!
    yield* world.delivers({ statuses: [inboundStatus(msgid, "failed", marketingLimit)] })
    yield* world.delivers({ statuses: [inboundStatus(msgid, "sent"), inboundStatus(msgid, "failed", marketingLimit)] })
    yield* campaigns.work(second)
    expect(yield* campaigns.contacts(id)).toMatchObject([
      { status: "queued", reason: null, pricing: { billable: true } }
    ])
  })

  scenario("waits for a day, although the failure is reported before the answer comes", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.next((_, accept) => Effect.tap(accept, () => Effect.sleep(2 * second)))
    const id = yield* campaigns.begun([listed(phoneOf(1))], { retryMarketingLimit: true })
    yield* campaigns.work(second)
    const { body, id: msgid } = campaigns.accepted[0]!
    const reference = { biz_opaque_callback_data: body.biz_opaque_callback_data }
    yield* world.delivers({ statuses: [inboundStatus(msgid, "failed", { ...marketingLimit, ...reference })] })
    yield* campaigns.work(3 * second)
    expect(yield* campaigns.contacts(id)).toMatchObject([{ status: "queued", reason: null }])
  })
})
