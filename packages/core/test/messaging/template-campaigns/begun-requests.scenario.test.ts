/** What becomes of messages that a process has committed when it is killed. Verifies: TCMP-1. */
import { Instant } from "@trunkline/core/effect"
import { campaignsOf, listed, phoneOf } from "@trunkline/testing/messaging"
import { describe, expect } from "vitest"
import { scenario } from "../ReplyScenarios.ts"

const { minute, second } = Instant

const people = Array.from({ length: 12 }, (_, nth) => listed(phoneOf(nth)))

describe("messages of a process that is killed", () => {
  scenario("go out from the next process within 10 s where their request had not begun", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.draft(people)
    yield* campaigns.move(id, "running")
    world.crashAfter(1, "before", "platform")
    yield* campaigns.work(second)
    const left = yield* campaigns.contacts(id)
    expect(left.map(({ status }) => status)).toEqual(people.map(() => "sending"))
    const begun = left.filter(({ hasBegun }) => hasBegun).map(({ phone }) => phone)
    // Two intervals of 25 ms, at 64 messages a second.
    expect(begun.length).toBeGreaterThan(0)
    expect(begun.length).toBeLessThan(5)
    yield* world.revive
    yield* campaigns.work(10 * second)
    const others = people.map(({ phone }) => phone!).filter((phone) => !begun.includes(phone))
    expect(campaigns.reached.toSorted()).toEqual(others)
    yield* campaigns.work(minute)
    const unknown = (yield* campaigns.contacts(id)).filter(({ status }) => status === "unknown")
    expect(unknown.map(({ phone }) => phone)).toEqual(begun)
    expect(campaigns.reached).toHaveLength(others.length)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed" })
  })
})
