/** A campaign of three contacts, whose process is killed before and after every single step from its start to its last report. */
import { Instant } from "@trunkline/core/effect"
import type { StorageLayer } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { expect, it } from "vitest"
import type { When } from "../FaultyProcess.ts"
import { answeringOf, goOn, report } from "./CampaignCommands.ts"
import type { Outcome } from "./CampaignDay.ts"
import { check, checkAnswered, checkEvents, checkSettled, newMemory, nothingSeen } from "./CampaignInvariants.ts"
import { type CampaignWorld, campaignsOf, listed, phoneOf } from "./CampaignWorld.ts"
import { referenceOf } from "./ReplyMemory.ts"
import { makeReplyWorld } from "./ReplyWorld.ts"

const { hour, minute, second } = Instant

/** How the platform answers the first messages of each campaign. */
const runs: Readonly<Record<string, ReadonlyArray<Outcome>>> = {
  "that the platform accepts": [],
  "that the platform refuses for now, and is silent about": [
    { does: "refuse", code: 131000, retryAfter: null },
    { does: "accept unheard" }
  ]
}

/** Where a process dies. */
interface Kill {
  readonly steps: number
  readonly when: When
}

/** One campaign whose process dies at a step, if it takes that step; up to which event everything was looked at. */
const killOnce = (
  campaigns: CampaignWorld,
  { steps, when }: Kill,
  outcomes: ReadonlyArray<Outcome>,
  eventsAfter: string | null
) =>
  Effect.gen(function* () {
    const { world } = campaigns
    campaignsMade += 1
    const people = [0, 1, 2].map((one) => phoneOf(3 * campaignsMade + one))
    const id = yield* campaigns.draft(people.map((phone) => listed(phone)))
    const memory = newMemory(campaigns, [id], "UTILITY", nothingSeen())
    memory.looked = world.platform.of("send").length
    memory.eventsAfter = eventsAfter
    const before = { deaths: world.deaths, accepted: campaigns.accepted.length }
    const isDead = () => world.processes.some(({ alive }) => !alive)
    const reported = (word: "delivered" | "read" | "failed", of: number) =>
      Effect.suspend(() => {
        const accepted = campaigns.accepted[before.accepted + of]
        if (accepted === undefined) return Effect.void
        const one = { word, code: 131026, isNamed: true, hasPrice: true, times: 1 }
        return report(memory, accepted, one)
      })
    for (const outcome of outcomes) world.platform.next(answeringOf(outcome))
    world.crashAfter(steps, when)
    const script = [
      campaigns.move(id, "running"),
      goOn(campaigns, 100),
      ...(outcomes.length === 0 ? [] : [goOn(campaigns, 30 * second)]),
      reported("delivered", 0),
      reported("failed", 1),
      reported("read", 2),
      goOn(campaigns, 0)
    ]
    for (const one of script) {
      yield* Effect.ignore(one)
      if (isDead()) {
        yield* world.revive
        // Who asks hears no answer, and asks again.
        yield* Effect.ignore(one)
        yield* check(memory)
      }
    }
    world.processes[0]!.death = null
    yield* goOn(campaigns, minute)
    yield* checkAnswered(memory)
    yield* goOn(campaigns, hour + minute)
    yield* check(memory)
    yield* checkSettled(memory)
    expect((yield* campaigns.stored(id))!.status, `the campaign whose process died at step ${steps}`).toBe("completed")
    yield* checkEvents(memory)
    const own = campaigns.accepted.slice(before.accepted)
    expect(new Set(own.map(referenceOf)).size, "messages that were accepted").toBe(own.length)
    return { isKilled: world.deaths > before.deaths, eventsAfter: memory.eventsAfter }
  })

let campaignsMade = 0

/** Kills at one step after another until none is left. */
const killAll = (storage: StorageLayer, outcomes: ReadonlyArray<Outcome>, every: number) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 21, 9))
    const campaigns = campaignsOf(yield* makeReplyWorld(storage))
    let kills = 0
    let eventsAfter: string | null = null
    for (const when of ["before", "after"] as const) {
      for (let steps = 1; ; steps += every) {
        const done: Effect.Success<ReturnType<typeof killOnce>> = yield* killOnce(
          campaigns,
          { steps, when },
          outcomes,
          eventsAfter
        )
        eventsAfter = done.eventsAfter
        if (!done.isKilled) break
        kills += 1
      }
    }
    return kills
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))

/** Declares the kills on a storage. At `every` 1 there is one at each step; at 4, at each fourth. The longer campaign has its own number. */
export const killSteps = (name: string, storage: () => StorageLayer, every: number, everyOfLonger: number): void => {
  for (const [title, outcomes] of Object.entries(runs)) {
    it(`a process of messages ${title} dies before and after each of its steps on ${name}, and nobody is lost`, async () => {
      const kills = await Effect.runPromise(killAll(storage(), outcomes, outcomes.length === 0 ? every : everyOfLonger))
      console.log(`${kills} kills of a campaign on ${name}`)
      expect(kills).toBeGreaterThan(5)
    })
  }
}
