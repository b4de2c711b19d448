/**
 * A hundred endpoints, of which one never answers: how fast the other 99 get what is theirs, against the same without the
 * hundredth. Once with endpoints that answer at once, where the process is the limit, and once with endpoints that take
 * their time, where its places are.
 */
import type { Trunkline } from "@trunkline/core"
import { folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { interleaved, median, ratio } from "./Rounds.ts"
import { lateMs } from "./WebhooksClock.ts"
import { logged, product, publish, type Receiver, receiver, subscribe, type World, worlds } from "./WebhooksWorld.ts"

const others = 99
/** To each: more than an endpoint may have at a time, so that the one that hangs takes all that it can get. */
const events = 30
const deliveries = others * events
const plan = { rounds: 7, warmUp: 2 }

const variants = async (world: World, to: Receiver, path: string) => {
  const first = await product(world)
  const { accountId, ids } = await subscribe(first, [
    to.url("hang/one"),
    ...Array.from({ length: others }, (_, n) => to.url(`${path}/${n}`))
  ])
  await first.stop()
  const hanging = ids[0]!

  /** What is left of the endpoint that hangs is none of the next round's. */
  const end = async (core: Trunkline) => {
    to.release()
    await core.stop()
    await world.sql(`delete from webhook_deliveries where webhook_id = '${hanging}'`)
  }

  const run = (isThere: boolean) => async () => {
    const core = await product(world)
    await core.webhooks.change(accountId, hanging, { isActive: isThere })
    await publish(core, accountId, events)
    const began = performance.now()
    const all = to.expect(deliveries)
    await core.start()
    await all
    await logged(world, `webhook_id <> '${hanging}'`)
    const ms = performance.now() - began
    await end(core)
    return ms
  }
  return { without: run(false), with: run(true) }
}

const main = async (): Promise<void> => {
  const to = await receiver()
  const all = await worlds(folder(1))
  const [world] = all.worlds
  const figures: Array<Figure> = []
  for (const [path, what] of [
    ["soon", "which answer at once"],
    ["late", `which answer after ${lateMs} ms`]
  ] as const) {
    progress(`${deliveries} deliveries to ${others} endpoints ${what}`)
    const times = await interleaved(plan, await variants(world!, to, path))
    const perSecond = (name: "with" | "without") => `${((deliveries / median(times[name])) * 1000).toFixed(0)}/s`
    figures.push({
      what: `99 endpoints ${what}, beside one that hangs`,
      measured: perSecond("with"),
      against: `${perSecond("without")} without it`,
      judged: { value: ratio(times, "without", "with"), bar: { atLeast: 0.95 } }
    })
  }
  to.stop()
  await all.close()
  report(figures)
}

await main()
