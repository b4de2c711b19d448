/**
 * Template campaigns on random days: one or two of them on one number, whose lists share people; processes that die or stand still at
 * any step, that lose their storage or never hear of a commit; a platform that slows the number down, refuses, is silent or slow; reports
 * in any order, early and twice; people who opt out, take it back and answer; and persons who pause, resume, cancel, add and retry.
 * What must hold is checked after every command, and at the end, when all is well again.
 */
import { Instant } from "@trunkline/core/effect"
import type { Ids } from "@trunkline/core/provider"
import type { StorageLayer } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { goOn, report, runCommand } from "./CampaignCommands.ts"
import { type Day, day, type Plan } from "./CampaignDay.ts"
import {
  check,
  checkAnswered,
  checkEvents,
  checkSettled,
  type Memory,
  newMemory,
  nothingSeen,
  type Seen
} from "./CampaignInvariants.ts"
import { killSteps } from "./CampaignKills.ts"
import { type CampaignWorld, campaignsOf, listed, phoneOf, sampleTemplate } from "./CampaignWorld.ts"
import { accepts } from "./FakeChatPlatform.ts"
import { referenceOf } from "./ReplyMemory.ts"
import { makeReplyWorld } from "./ReplyWorld.ts"

const { hour, minute, second } = Instant

/** Makes a campaign as it is planned, and starts or schedules it. */
const begin = (campaigns: CampaignWorld, { from, people, startsAfter, ...fields }: Plan) =>
  Effect.gen(function* () {
    const all = Array.from({ length: people }, (_, nth) => listed(phoneOf(from + nth)))
    const at = yield* Instant.now
    const scheduledAt = startsAfter === null ? null : Instant.plus(at, startsAfter * second)
    const id = yield* campaigns.draft(all, { ...fields, scheduledAt })
    yield* campaigns.move(id, startsAfter === null ? "running" : "scheduled")
    return id
  })

/** Lives a day on a storage, and checks every command. */
const live = (storage: StorageLayer, given: Day, seen: Seen) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 21, 9))
    const world = yield* makeReplyWorld(storage, { processes: given.processes })
    const campaigns = campaignsOf(world, { ...sampleTemplate, category: given.category })
    const ids: Array<Ids.TemplateCampaignId> = []
    for (const plan of given.campaigns) ids.push(yield* begin(campaigns, plan))
    const memory = newMemory(campaigns, ids, given.category, seen)
    yield* check(memory)
    for (const one of given.commands) {
      yield* runCommand(memory, one)
      yield* world.revive
      yield* check(memory)
    }
    yield* recover(memory, given.goesOn)
    yield* checkSettled(memory)
    yield* checkReports(memory)
    yield* checkEvents(memory)
    seen.deaths += world.deaths
    seen.stalls += world.seen.stalls
    seen.lostCommits += world.seen.lostCommits
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))

/** In the end everything is in order. Then a minute passes, and then the longest time for which anybody waits. */
const recover = (memory: Memory, goesOn: boolean) =>
  Effect.gen(function* () {
    const { campaigns } = memory
    yield* campaigns.world.clearFaults
    yield* check(memory)
    campaigns.world.platform.does(accepts)
    yield* goOn(campaigns, minute)
    yield* campaigns.world.revive
    yield* goOn(campaigns, second)
    yield* check(memory)
    yield* checkAnswered(memory)
    // The platform may pause one again: of what it has said before, not all is counted.
    for (let times = 0; times < (goesOn ? 3 : 1); times += 1) {
      if (goesOn) for (const id of memory.ids) yield* Effect.ignore(campaigns.move(id, "running"))
      yield* check(memory)
      yield* goOn(campaigns, 26 * hour)
      yield* check(memory)
    }
    yield* goOn(campaigns, 72 * hour)
    yield* check(memory)
  })

/** What the platform has, it reports in the end; and then the contact says so, unless it was written to anew. */
const checkReports = (memory: Memory) =>
  Effect.gen(function* () {
    const { campaigns, ids } = memory
    const delivered = { word: "delivered", code: 0, isNamed: true, hasPrice: true, times: 1 } as const
    for (const accepted of campaigns.accepted) yield* report(memory, accepted, delivered)
    yield* goOn(campaigns, minute)
    yield* check(memory)
    const contacts = (yield* Effect.forEach(ids, (id) => campaigns.contacts(id))).flat()
    for (const accepted of campaigns.accepted) {
      const contact = contacts.find(({ id }) => id === memory.contactOf.get(referenceOf(accepted)))!
      if (contact.messageId !== referenceOf(accepted)) continue
      expect(contact.msgid, "a contact whose message was accepted has its id").toBe(accepted.id)
      expect(contact.status, `the end of contact ${contact.id}, who has the message`).toMatch(/delivered|read/)
    }
  })

/** Declares the model on a storage: `runs` days, and a kill at each step or, at `every` 4, at each fourth. Long runs kill at each. */
export const campaignSuite = (
  name: string,
  storage: () => StorageLayer,
  { every, runs }: { readonly runs: number; readonly every: number }
): void => {
  it(`campaigns on random days on ${name} keep every promise`, async () => {
    const seen = nothingSeen()
    await fc.assert(
      fc.asyncProperty(day, (given) => Effect.runPromise(live(storage(), given, seen))),
      { numRuns: runs, endOnFailure: runs < 60 }
    )
    console.log(`${runs} days of campaigns on ${name}:`, JSON.stringify(seen))
    if (runs >= 60) for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0)
  })
  const isShort = runs < 60
  killSteps(name, storage, isShort ? every : 1, isShort ? 5 * every : 1)
}
