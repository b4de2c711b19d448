/**
 * An idle product: from the commit of an event, in the process that delivers it, to the first byte at the receiver. The
 * receiver closes every connection, as it would have done by the time that something happens again, so that each delivery
 * resolves and dials.
 */
import type { Trunkline } from "@trunkline/core"
import { folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { now } from "./WebhooksClock.ts"
import {
  data,
  event,
  logged,
  pause,
  product,
  type Receiver,
  receiver,
  subscribe,
  type World,
  worlds
} from "./WebhooksWorld.ts"

const warmUp = 20
const samples = 200

/** Between two events: long enough that nothing is under way, and never in step with the worker's own clock. */
const idleMs = () => 60 + Math.random() * 120

const percentile = (values: ReadonlyArray<number>, part: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1]!

/** Listeners are called right after the commit; the promise of `publish` may resolve after the POST has begun. */
const once = async (core: Trunkline, accountId: string, to: Receiver) => {
  let committedAt = Number.NaN
  const forget = core.events.on(event, () => {
    committedAt = now()
  })
  const firstByte = to.firstByte()
  const askedAt = now()
  await core.events.publish(accountId, { event, data })
  const arrivedAt = await firstByte
  forget()
  return { fromCommit: arrivedAt - committedAt, fromPublish: arrivedAt - askedAt }
}

/** With `isElsewhere` the process that commits delivers nothing itself. */
const measure = async (world: World, to: Receiver, isElsewhere: boolean): Promise<ReadonlyArray<Figure>> => {
  const delivering = await product(world)
  const { accountId } = await subscribe(delivering, [to.url("here")])
  await delivering.start()
  const core = isElsewhere ? await product(world) : delivering
  const seen: Array<Awaited<ReturnType<typeof once>>> = []
  for (let n = -warmUp; n < samples; n++) {
    await pause(idleMs())
    const sample = await once(core, accountId, to)
    await logged(world)
    if (n >= 0) seen.push(sample)
  }
  if (isElsewhere) await core.stop()
  await delivering.stop()
  const commits = seen.map(({ fromCommit }) => fromCommit)
  const publishes = seen.map(({ fromPublish }) => fromPublish)
  const p95 = percentile(commits, 0.95)
  const shownOf = (values: ReadonlyArray<number>) =>
    `p50 ${percentile(values, 0.5).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms, at most ${Math.max(...values).toFixed(1)} ms`
  return [
    {
      what: `commit to first byte on ${world.name}${isElsewhere ? ", from another process" : ""}`,
      measured: shownOf(commits),
      judged: { value: p95, unit: " ms", bar: { atMost: isElsewhere ? 20 : 50 } }
    },
    { what: "  from the call of publish", measured: shownOf(publishes) }
  ]
}

const main = async (): Promise<void> => {
  const to = await receiver("close")
  const all = await worlds(folder(1))
  if (all.missing !== undefined) progress(`without Postgres: ${all.missing}`)
  const figures: Array<Figure> = []
  for (const world of all.worlds) {
    progress(`${samples} events on an idle ${world.name}`)
    figures.push(...(await measure(world, to, false)))
    if (world.name === "Postgres") figures.push(...(await measure(await world.another(), to, true)))
  }
  to.stop()
  await all.close()
  report(figures)
}

await main()
