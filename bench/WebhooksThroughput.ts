/**
 * From a full queue to an empty one: the product delivers what was published while its worker was off, until the receiver
 * has all and the log says so. Against a bare loop that resolves, signs and POSTs as much with the same client, as many at
 * a time, and keeps nothing.
 */

import { Signature } from "@trunkline/core/domain"
import { Outbound, type Outbound as Port } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import { folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { interleaved, median, ratio } from "./Rounds.ts"
import {
  data,
  event,
  host,
  logged,
  outboundToHere,
  product,
  publish,
  type Receiver,
  receiver,
  subscribe,
  type World,
  worlds
} from "./WebhooksWorld.ts"

/** Enough for every place: each gets 16 attempts at a time. */
const endpoints = 8
const events = 500
const deliveries = events * endpoints
/** What the product is set to where nothing is said. */
const places = 64
const plan = { rounds: 7, warmUp: 2 }
const bars = { SQLite: 0.35, Postgres: 0.3 } as const

interface Spent {
  readonly ms: number
  /** Of this process, in microseconds for each delivery. */
  readonly cpu: number
}

const spent = async (work: () => Promise<unknown>): Promise<Spent> => {
  const cpu = process.cpuUsage()
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  const { system, user } = process.cpuUsage(cpu)
  return { ms, cpu: (system + user) / deliveries }
}

/** The least that sends a signed webhook: nothing is judged, claimed or written. */
const bare = (to: Receiver) => {
  const secrets = [Signature.makeSecret(crypto.getRandomValues(new Uint8Array(32)))] as const
  const body = new TextEncoder().encode(JSON.stringify({ event, data, timestamp: "2026-11-21T09:30:00.000+00:00" }))
  const url = new URL(to.url("bare"))
  const one = ({ post, resolve }: Port["Service"]) =>
    Effect.gen(function* () {
      const [address] = yield* resolve(host)
      const id = crypto.randomUUID()
      yield* post({
        url,
        address: address!,
        body,
        remainingMs: 10_000,
        headers: {
          "Content-Type": "application/json",
          "User-Agent": "webhooks/1",
          "X-Service-Event": event,
          "X-Service-Delivery": id,
          ...Signature.signatureHeaders({ headerPrefix: "X-Service-", secrets, body }),
          ...Signature.standardHeaders({ id, at: Date.now(), body, secrets })
        }
      })
    })
  const all = Effect.flatMap(Outbound, (outbound) => {
    let left = deliveries
    const place = Effect.whileLoop({ while: () => left-- > 0, body: () => one(outbound), step: () => undefined })
    return Effect.all(
      Array.from({ length: places }, () => place),
      { concurrency: "unbounded", discard: true }
    )
  })
  return () => spent(() => Promise.all([to.expect(deliveries), Effect.runPromise(Effect.provide(all, outboundToHere))]))
}

const whole = async (world: World, to: Receiver) => {
  const first = await product(world)
  const { accountId } = await subscribe(
    first,
    Array.from({ length: endpoints }, (_, n) => to.url(`${n}`))
  )
  await first.stop()
  return async (): Promise<Spent> => {
    const core = await product(world)
    await publish(core, accountId, events)
    const measured = await spent(async () => {
      const all = to.expect(deliveries)
      await core.start()
      await all
      await logged(world)
    })
    await core.stop()
    return measured
  }
}

const main = async (): Promise<void> => {
  const home = folder(1)
  const to = await receiver()
  const all = await worlds(home)
  if (all.missing !== undefined) progress(`without Postgres: ${all.missing}`)
  const cpu: Record<string, Array<number>> = {}
  const reporting = (name: string, work: () => Promise<Spent>) => async (round: number) => {
    const { cpu: each, ms } = await work()
    if (round >= 0) cpu[name] = [...(cpu[name] ?? []), each]
    return ms
  }
  const variants: Record<string, (round: number) => Promise<number>> = { bare: reporting("bare", bare(to)) }
  for (const world of all.worlds) variants[world.name] = reporting(world.name, await whole(world, to))
  progress(`${deliveries} deliveries at a time, ${plan.warmUp + plan.rounds} rounds`)
  const times = await interleaved(plan, variants)

  for (const { name, sql } of all.worlds) {
    const rows = await sql("select count(*) from webhook_deliveries where status = 'delivered' and attempts = 1")
    const expected = deliveries * (plan.warmUp + plan.rounds)
    if (rows !== expected) throw new Error(`${name}: ${rows} rows say delivered at once, not ${expected}`)
  }
  to.stop()
  await all.close()

  const perSecond = (name: string) => `${((deliveries / median(times[name]!)) * 1000).toFixed(0)}/s`
  report(
    all.worlds.flatMap(
      ({ name }): ReadonlyArray<Figure> => [
        {
          what: `deliveries a second on ${name}`,
          measured: perSecond(name),
          against: `${perSecond("bare")} bare`,
          judged: { value: ratio(times, "bare", name), bar: { atLeast: bars[name] } }
        },
        {
          what: "  CPU of the process for each",
          measured: `${median(cpu[name]!).toFixed(0)} µs`,
          against: `${median(cpu.bare!).toFixed(0)} µs bare`
        }
      ]
    )
  )
}

await main()
