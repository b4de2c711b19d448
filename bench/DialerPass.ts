/**
 * One pass of the dialer over a database with 1,000,000 contacts on 1,000 idle campaigns, against one with 10,000 on 10.
 * Beside them both have the same few campaigns that are due, so that a pass has the same to do.
 */
import { type Call, Instant, Storage } from "@trunkline/core/effect"
import { CallStore } from "@trunkline/core/storage"
import { CallPlacer, CallReports, Dialer } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { database, fill, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { product } from "./Product.ts"
import { interleaved, median, ratio, timed } from "./Rounds.ts"
import { account, accountId, campaign, contact, credit } from "./SeedRows.ts"

const idleCampaigns = { small: 10, large: 1_000 } as const
const contactsOfEach = 1_000
/** In each pass that dials, each of them opens one call. */
const dueCampaigns = 5
const idlePasses = 500
const dialingPasses = 40
const plan = { rounds: 9, warmUp: 3 }

type World = keyof typeof idleCampaigns

const campaigns = function* (count: number, opensAt: number) {
  // Idle is a campaign that runs and has people to call, and nothing to do before its window opens again.
  for (let n = 0; n < count; n++) yield campaign(n, contactsOfEach, n < dueCampaigns ? 0 : opensAt)
}

/** One in ten is done and one in ten is to be tried again later: every index of the dialer has something in it. */
const contacts = function* (campaignCount: number, retryAt: number) {
  for (let n = 0; n < campaignCount * contactsOfEach; n++) {
    const seq = Math.floor(n / campaignCount)
    const row = contact(n, n % campaignCount, seq)
    if (seq % 10 === 0) yield { ...row, status: "done", attempts: 1 }
    else yield seq % 10 === 1 ? { ...row, attempts: 1, next_attempt_at: retryAt } : row
  }
}

const busy = (call: Call, at: Instant.Instant) => ({
  callId: call.id,
  providerCallId: call.providerCallId!,
  at,
  news: { _tag: "Ended", status: "busy", failure: null, durationSeconds: 0, by: null } as const
})

const make = async (home: string, name: World) => {
  const later = Date.now() + Instant.day
  const count = idleCampaigns[name] + dueCampaigns
  const path = await database(home, `${name}.db`)
  fill(path, {
    accounts: () => [account],
    credit_accounts: () => [credit],
    campaigns: () => campaigns(count, later),
    campaign_contacts: () => contacts(count, later)
  })
  const runtime = ManagedRuntime.make(product(path))
  const { calls, dialer, placer, reports, storage } = await runtime.runPromise(
    Effect.all({ calls: CallStore, dialer: Dialer, placer: CallPlacer, reports: CallReports, storage: Storage })
  )

  /** From the look at what is due until the carrier has been asked for every call and the answers are committed. */
  const pass = (expected: number) =>
    Effect.gen(function* () {
      const { calls: opened } = yield* dialer.tick
      yield* placer.idle
      if (opened !== expected) yield* Effect.die(new Error(`${name}: a pass opened ${opened} calls, not ${expected}`))
    })

  /** All calls end, which makes their campaigns due again. Not measured. */
  const end = Effect.gen(function* () {
    const filter = { campaignId: null, contactId: null, status: "queued" } as const
    const open = yield* storage.read(calls.list(accountId, filter, { limit: 100, offset: 0 }))
    const at = yield* Instant.now
    yield* Effect.forEach(open, (call) => reports.apply(busy(call, at)), { discard: true })
  })

  return {
    idle: () => timed(() => runtime.runPromise(Effect.repeat(pass(0), { times: idlePasses - 1 }))),
    dialing: async () => {
      const times: Array<number> = []
      for (let n = 0; n < dialingPasses; n++) {
        await runtime.runPromise(end)
        times.push(await timed(() => runtime.runPromise(pass(dueCampaigns))))
      }
      // A checkpoint of the log falls into one pass or another.
      return median(times)
    },
    close: () => runtime.dispose()
  }
}

const main = async (): Promise<void> => {
  const home = folder(2)
  progress("filling both databases")
  const small = await make(home, "small")
  const large = await make(home, "large")
  progress("passes that dial")
  const dialing = await interleaved(plan, { small: small.dialing, large: large.dialing })
  // The last calls are still open, and so nothing is due.
  progress("passes with nothing due")
  const idle = await interleaved(plan, { small: small.idle, large: large.idle })
  await small.close()
  await large.close()

  const figure = (what: string, times: Record<World, ReadonlyArray<number>>, passes: number): Figure => {
    const each = (world: World) => `${((median(times[world]) * 1000) / passes).toFixed(0)} µs`
    return {
      what,
      measured: `${each("large")} with 1,000,000 contacts`,
      against: `${each("small")} with 10,000`,
      judged: { value: ratio(times, "large", "small"), bar: { atMost: 1.2 } }
    }
  }
  report([
    figure(`a pass that opens ${dueCampaigns} calls`, dialing, 1),
    figure("a pass with nothing due", idle, idlePasses)
  ])
}

await main()
