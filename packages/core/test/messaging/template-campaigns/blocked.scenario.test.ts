/** Whom the account has blocked on a number gets no message of the number's campaigns. */
import { Instant } from "@trunkline/core/effect"
import type { Recipient } from "@trunkline/core/provider"
import { CampaignTrials, NumberManagement } from "@trunkline/core/testing"
import { campaignsOf, listed, phoneOf, type ReplyWorld, sampleCustomer } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { scenario } from "../ReplyScenarios.ts"

const { second } = Instant

const phone = (digits: string): Recipient => ({ _tag: "Phone", phone: digits })
const user = (id: string): Recipient => ({ _tag: "User", id })

const blocks = (world: ReplyWorld, people: ReadonlyArray<Recipient>, id = world.phoneId) =>
  world.run(NumberManagement.use((numbers) => numbers.block(world.tenant, id, people)))

const unblocks = (world: ReplyWorld, ...people: ReadonlyArray<Recipient>) =>
  world.run(NumberManagement.use((numbers) => numbers.unblock(world.tenant, world.phoneId, people)))

/** Writes to these people by a campaign of their own; returns what has become of each. */
const fates = (world: ReplyWorld, ...people: ReadonlyArray<ReturnType<typeof listed>>) =>
  Effect.gen(function* () {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.draft(people)
    const dry = yield* world.run(CampaignTrials.use((trials) => trials.dryRun(world.tenant, id)))
    yield* campaigns.move(id, "running")
    yield* campaigns.work(second)
    const found = (yield* campaigns.contacts(id)).map(({ reason, status }) => reason ?? status)
    expect(dry!.skipped).toEqual(
      found.includes("blocked") ? { blocked: found.filter((fate) => fate === "blocked").length } : {}
    )
    return found
  })

const ofUser = (userId: string) => ({ ...listed("1"), phone: null, userId })

describe("a person who is blocked on the number", () => {
  scenario("is skipped, until they are let write again", function* (world) {
    yield* blocks(world, [phone(phoneOf(1)), phone(phoneOf(2)), user("US.7")])
    const people = [listed(`+${phoneOf(1)}`), listed(phoneOf(2)), listed(phoneOf(3)), ofUser("US.7")]
    expect(yield* fates(world, ...people)).toEqual(["blocked", "blocked", "sent", "blocked"])
    yield* unblocks(world, phone(phoneOf(1)), user("US.7"))
    expect(yield* fates(world, ...people)).toEqual(["sent", "blocked", "sent", "sent"])
  })

  scenario(
    "is skipped under both names that the network has answered with, and let write again under both",
    function* (world) {
      world.platform.userIds.set(phoneOf(1), "US.8")
      yield* blocks(world, [phone(phoneOf(1))])
      expect(yield* fates(world, ofUser("US.8"), listed(phoneOf(1)))).toEqual(["blocked", "blocked"])
      yield* unblocks(world, phone(phoneOf(1)))
      expect(yield* fates(world, ofUser("US.8"), listed(phoneOf(1)))).toEqual(["sent", "sent"])
    }
  )

  scenario("is the customer by phone and by id, whichever was blocked or let write again", function* (world) {
    yield* world.writes("Hello")
    const people = [listed(sampleCustomer.phone), ofUser(sampleCustomer.userRef)]
    yield* blocks(world, [user(sampleCustomer.userRef)])
    expect(yield* fates(world, ...people)).toEqual(["blocked", "blocked"])
    yield* unblocks(world, phone(sampleCustomer.phone))
    expect(yield* fates(world, ...people)).toEqual(["sent", "sent"])
    yield* blocks(world, [phone(sampleCustomer.phone)])
    expect(yield* fates(world, ...people)).toEqual(["blocked", "blocked"])
    yield* unblocks(world, user(sampleCustomer.userRef))
    expect(yield* fates(world, ...people)).toEqual(["sent", "sent"])
  })

  scenario("is written to where the network has not blocked them, or another number has", function* (world) {
    const other = yield* world.connect({ phoneNumberId: "206540352242922", displayPhoneNumber: "+1 555-078-3882" })
    world.platform.unblockable.set(phoneOf(1), 131047)
    yield* blocks(world, [phone(phoneOf(1))])
    yield* blocks(world, [phone(phoneOf(2))], other)
    expect(yield* fates(world, listed(phoneOf(1)), listed(phoneOf(2)))).toEqual(["sent", "sent"])
    yield* blocks(world, [phone(phoneOf(3))])
    world.platform.unblockable.set(phoneOf(3), 131047)
    yield* unblocks(world, phone(phoneOf(3)))
    expect(yield* fates(world, listed(phoneOf(3)))).toEqual(["blocked"])
  })
})
