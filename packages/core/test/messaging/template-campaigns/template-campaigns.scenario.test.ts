/** What a template campaign does from its start to its completion. Verifies: TCMP-1, TCMP-2, TCMP-4, TCMP-6. */
import { Instant } from "@trunkline/core/effect"
import { campaignsOf, listed, phoneOf, sampleBodies, sampleTemplate } from "@trunkline/testing/messaging"
import { describe, expect } from "vitest"
import { names, scenario } from "../ReplyScenarios.ts"

const { inboundStatus } = sampleBodies
const { second } = Instant

describe("a template campaign", () => {
  scenario("writes to each of its contacts once, and completes", function* (world) {
    const campaigns = campaignsOf(world)
    const people = [1, 2, 3].map((nth) => listed(phoneOf(nth), { variables: { "1": `Person ${nth}` } }))
    const id = yield* campaigns.begun(people)
    yield* campaigns.work(2 * second)
    expect(campaigns.reached.toSorted()).toEqual([1, 2, 3].map(phoneOf))
    expect(campaigns.accepted.map(({ body }) => body.template)).toEqual(
      [1, 2, 3].map((nth) => ({
        name: sampleTemplate.name,
        language: { code: "en" },
        components: [{ type: "body", parameters: [{ type: "text", text: `Person ${nth}` }] }]
      }))
    )
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { queued: 0, sending: 0, sent: 3 } })
    expect(names(yield* campaigns.events)).toEqual(["campaign.started", "campaign.completed"])
    yield* campaigns.work(5 * second)
    expect(campaigns.accepted).toHaveLength(3)
  })

  scenario("counts what the platform reports of its messages", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun([listed(phoneOf(1)), listed(phoneOf(2))])
    yield* campaigns.work(2 * second)
    const [one, two] = campaigns.accepted.map((message) => message.id)
    yield* world.delivers({ statuses: [inboundStatus(one!, "delivered"), inboundStatus(one!, "read")] })
    yield* world.delivers({ statuses: [inboundStatus(two!, "failed")] })
    yield* campaigns.work(second)
    expect((yield* campaigns.get(id)).counts).toMatchObject({ sent: 0, delivered: 0, read: 1, failed: 1 })
    expect(yield* campaigns.contacts(id)).toMatchObject([
      { status: "read", msgid: one, reason: null },
      { status: "failed", reason: "undeliverable", error: { code: 131026 } }
    ])
  })
})
