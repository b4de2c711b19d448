/** What becomes of a message that waits to be sent again when its contact is skipped. Verifies: TCMP-3. */
import { Instant } from "@trunkline/core/effect"
import { campaignsOf, listed, phoneOf, refuses, sampleBodies } from "@trunkline/testing/messaging"
import { describe, expect } from "vitest"
import { scenario } from "../ReplyScenarios.ts"

const { inbound } = sampleBodies
const { minute, second } = Instant

describe("a message that the platform could not take", () => {
  scenario("has failed once its customer has opted out", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.next(refuses(131000))
    const id = yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.work(second)
    expect(yield* world.messages(phoneOf(1))).toMatchObject([{ status: "queued" }])
    const stop = inbound.text("STOP", { from: phoneOf(1), from_user_id: undefined, timestamp: world.second })
    yield* world.delivers({ messages: [stop] })
    yield* world.jump(minute)
    yield* campaigns.work(2 * second)
    expect(yield* campaigns.contacts(id)).toMatchObject([{ status: "skipped", reason: "opted_out" }])
    const sentence = "The person has opted out of these messages."
    const [message] = yield* world.messages(phoneOf(1))
    expect(message).toMatchObject({ status: "failed", fault: { code: null, message: sentence } })
    const events = (yield* world.events).filter(({ event }) => event === "message.status")
    expect(events.map(({ data }) => data)).toMatchObject([{ id: message!.id, status: "failed" }])
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { queued: 0, skipped: 1 } })
  })
})
