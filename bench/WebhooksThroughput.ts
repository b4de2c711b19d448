/**
 * From a full queue to an empty one: the product delivers what was published while its worker was off, until the receiver
 * has all and the log says so. Against a bare loop. Each is a process of its own, as in production: two databases in one
 * process would slow each other's code down.
 */
import { messageOf, start } from "./Children.ts"
import { folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { interleaved, median, ratio } from "./Rounds.ts"
import type { Asked, Spent } from "./WebhooksDeliverer.ts"
import { fullQueue, type Receiver, receiver, type World, worlds } from "./WebhooksWorld.ts"

const { deliveries } = fullQueue
const plan = { rounds: 9, warmUp: 4 }
const bars = { SQLite: 0.55, Postgres: 0.5 } as const

const variant = async (name: "bare" | World["name"], to: Receiver, address: string) => {
  const child = start("WebhooksDeliverer.ts", [name, String(to.port), address])
  await messageOf(child)
  const ask = (asked: Asked) => void child.send(asked)
  const work = async (): Promise<Spent> => {
    ask("prepare")
    await messageOf(child)
    const all = to.expect(deliveries)
    const spent = messageOf<Spent>(child)
    ask("deliver")
    await all
    ask("received")
    return await spent
  }
  return { name, work, stop: () => child.disconnect() }
}

const main = async (): Promise<void> => {
  const to = await receiver()
  const all = await worlds(folder(1))
  if (all.missing !== undefined) progress(`without Postgres: ${all.missing}`)
  const cpu: Record<string, Array<number>> = {}
  const reporting = (name: string, work: () => Promise<Spent>) => async (round: number) => {
    const { cpu: each, ms } = await work()
    if (round >= 0) cpu[name] = [...(cpu[name] ?? []), each]
    return ms
  }
  const processes = [await variant("bare", to, "")]
  for (const { address, name } of all.worlds) processes.push(await variant(name, to, address))
  const variants = Object.fromEntries(processes.map(({ name, work }) => [name, reporting(name, work)]))
  progress(`${deliveries} deliveries at a time, ${plan.warmUp + plan.rounds} rounds`)
  const times = await interleaved(plan, variants)

  for (const { name, sql } of all.worlds) {
    const rows = await sql("select count(*) from webhook_deliveries where status = 'delivered' and attempts = 1")
    const expected = deliveries * (plan.warmUp + plan.rounds)
    if (rows !== expected) throw new Error(`${name}: ${rows} rows say delivered at once, not ${expected}`)
  }
  for (const { stop } of [to, ...processes]) stop()
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
