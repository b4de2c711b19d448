/**
 * One account with as much work as a thousand others together, and all of it due before theirs: how long it takes until the others
 * have what is theirs, beside it and without it. Calls are claimed in one process, deliveries made in one.
 */
import { Dialer } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import type { Figure } from "./Figures.ts"
import type { PostgresServer } from "./Postgres.ts"
import { interleaved, median, type Plan, ratio, type Times, timed } from "./Rounds.ts"
import { idSql, kinds, seeder } from "./ScaleSeed.ts"
import { runtimeOf } from "./ScaleSizes.ts"
import { pause, product, publish, receiver, subscribe, worldAt } from "./WebhooksWorld.ts"

const bar = { atMost: 1.1 }

const figureOf = (what: string, times: Times<"with" | "without">): Figure => ({
  what,
  measured: `${median(times.with).toFixed(0)} ms`,
  against: `${median(times.without).toFixed(0)} ms without it`,
  judged: { value: ratio(times, "with", "without"), bar }
})

/** The noisy account is the first, the quiet ones follow. */
const dialing = async (server: PostgresServer, quiet: number, plan: Plan): Promise<Figure> => {
  const url = await server.database("scale_noisy_dialing")
  const runtime = runtimeOf(url)
  const dialer = await runtime.runPromise(Dialer)
  const seed = await seeder(url)
  const noisy = { from: quiet, count: quiet }
  await seed.accounts({ from: 0, count: quiet + 1 })
  await seed.campaigns({ from: 0, count: quiet }, { from: 0, count: quiet })
  await seed.campaigns(noisy, { from: quiet, count: 1 })
  const all = { from: 0, count: 2 * quiet }
  await seed.contacts({ from: 0, count: 20 * all.count }, all, quiet)
  await seed.run("vacuum analyze")
  const isNoisy = `id >= ${idSql(kinds.campaign, String(quiet))}`
  const waiting = () => seed.run(`select 1 from campaigns where next_dial_at is not null and not (${isNoisy})`)
  const run = (isThere: boolean) => async () => {
    await seed.run("delete from calls")
    await seed.run("update campaign_contacts set status = 'done' where status = 'calling'")
    await seed.run(
      `update campaigns set next_dial_at = case when ${isNoisy} then ${isThere ? "1" : "null::bigint"} else 2 end`
    )
    await seed.run("vacuum analyze campaigns, calls, campaign_contacts")
    return timed(async () => {
      while ((await waiting()) > 0) await runtime.runPromise(Effect.asVoid(dialer.tick))
    })
  }
  const times = await interleaved(plan, { without: run(false), with: run(true) })
  await runtime.dispose()
  await seed.close()
  return figureOf(`${quiet} accounts that dial, beside one with ${quiet} campaigns`, times)
}

const delivering = async (server: PostgresServer, quiet: number, plan: Plan): Promise<Figure> => {
  const url = await server.database("scale_noisy_deliveries")
  const world = worldAt({ name: "Postgres", address: url })
  const to = await receiver()
  const seed = await seeder(url)
  const making = await product(world)
  const loud = await subscribe(making, [to.url("noisy")])
  const accounts: Array<string> = []
  for (let n = 0; n < quiet; n++) accounts.push((await subscribe(making, [to.url(`${n}`)])).accountId)
  const waiting = () =>
    seed.run(`select 1 from webhook_deliveries where next_at is not null and tenant_id <> '${loud.accountId}' limit 1`)
  const run = (isThere: boolean) => async () => {
    if (isThere) await publish(making, loud.accountId, 3 * quiet)
    for (const id of accounts) await publish(making, id, 3)
    const core = await product(world)
    const ms = await timed(async () => {
      await core.start()
      while ((await waiting()) > 0) await pause(5)
    })
    await core.stop()
    await seed.run("delete from webhook_deliveries")
    return ms
  }
  const times = await interleaved(plan, { without: run(false), with: run(true) })
  await making.stop()
  to.stop()
  await seed.close()
  return figureOf(`deliveries of ${quiet} accounts, beside one with as many as all of them`, times)
}

export const noisy = async (server: PostgresServer, quiet: number, plan: Plan): Promise<ReadonlyArray<Figure>> => [
  await dialing(server, quiet, plan),
  await delivering(server, quiet, plan)
]
