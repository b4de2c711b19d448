/** What one, two and four processes on one Postgres do: deliveries, dialing, chats through the gateway, inbound chat. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { postgres } from "@trunkline/storage-postgres"
import { Pool, request } from "undici"
import { customer, delivery, sent } from "./ChatWorld.ts"
import { messageOf, start } from "./Children.ts"
import { encryptionKey } from "./Database.ts"
import type { Figure } from "./Figures.ts"
import { load } from "./Load.ts"
import type { PostgresServer } from "./Postgres.ts"
import { median, type Plan, ratio, type Times, timed } from "./Rounds.ts"
import type { Curve } from "./ScaleCurves.ts"
import type { Role } from "./ScaleProcess.ts"
import { type Seeder, seeder } from "./ScaleSeed.ts"
import { pause, product, publish, receiver, subscribe, worldAt } from "./WebhooksWorld.ts"

export interface Found {
  readonly figures: ReadonlyArray<Figure>
  readonly curves: ReadonlyArray<Curve>
}

/** How much is done: a run that only shows that it works does little. */
export interface Amounts {
  readonly plan: Plan
  readonly deliveries: number
  readonly campaigns: number
  readonly seconds: number
}

/** A process compiles what it runs while it does this part of the work, before anything is measured. */
const warmUpShare = 1 / 4

/** Wakes the workers of all processes, as another process would. */
const wake = (name: string): string => `select pg_notify('trunkline', '["trunkline", "bench", "${name}"]')`

const counts = [1, 2, 4] as const
const connections = 32

const processes = (count: number, role: Role, url: string, upstream = "0") =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const child = start("ScaleProcess.ts", [role, url, upstream])
      return { child, ...(await messageOf<{ readonly port: number }>(child)) }
    })
  )

const ended = (children: ReadonlyArray<{ readonly child: ChildProcess }>) =>
  Promise.all(
    children.map(async ({ child }) => {
      const exit = once(child, "exit")
      child.disconnect()
      await exit
    })
  )

const stopped = (children: ReadonlyArray<{ readonly child: ChildProcess }>) =>
  Promise.all(
    children.map(async ({ child }) => {
      const exit = once(child, "exit")
      child.send("stop")
      await exit
    })
  )

/** Units of work a second, for each number of processes, in turns. */
const byCount = async (plan: Plan, run: (count: number) => Promise<number>): Promise<Times<string>> => {
  const rates: Record<string, Array<number>> = { 1: [], 2: [], 4: [] }
  for (let round = -plan.warmUp; round < plan.rounds; round++) {
    for (const count of counts) {
      const rate = await run(count)
      if (round >= 0) rates[count]!.push(rate)
    }
  }
  return rates
}

const figureOf = (what: string, rates: Times<string>, atLeast?: number): ReadonlyArray<Figure> => [
  {
    what: `${what}, 2 processes`,
    measured: `${median(rates[2]!).toFixed(0)}/s`,
    against: `1 process ${median(rates[1]!).toFixed(0)}/s`,
    ...(atLeast === undefined ? {} : { judged: { value: ratio(rates, "2", "1"), bar: { atLeast } } })
  },
  {
    what: "  4 processes",
    measured: `${median(rates[4]!).toFixed(0)}/s`,
    against: `${ratio(rates, "4", "1").toFixed(2)} times one`
  }
]

const curveOf = (name: string, title: string, yLabel: string, all: Readonly<Record<string, Times<string>>>): Curve => ({
  name,
  title,
  yLabel,
  xLabel: "processes on one Postgres",
  isLogarithmic: false,
  series: Object.entries(all).map(([series, rates]) => ({
    name: series,
    points: counts.map((count) => [count, Math.round(median(rates[count]!))] as const)
  }))
})

/** The product without its workers: makes what the processes find. */
const bare = (url: string) =>
  createTrunkline({ storage: postgres(url), telephony: simulator(), encryptionKey, log: () => undefined })

/** An instant at which nothing is due. */
const farAway = Date.UTC(2100, 0, 1)

export const deliveries = async (server: PostgresServer, { deliveries: amount, plan }: Amounts): Promise<Found> => {
  const url = await server.database("scale_deliveries")
  const to = await receiver()
  const world = worldAt({ name: "Postgres", address: url })
  const endpoints = 16
  let seed: Seeder | undefined
  const measure = async (path: string, total: number) => {
    const each = Math.ceil(total / endpoints)
    const warmUp = Math.ceil(each * warmUpShare)
    const core = await product(world)
    const { accountId } = await subscribe(
      core,
      Array.from({ length: endpoints }, (_, n) => to.url(`${path}/${n}`))
    )
    seed ??= await seeder(url)
    const { run } = seed
    const rates = await byCount(plan, async (count) => {
      await publish(core, accountId, each)
      await run(`update webhook_deliveries set next_at = ${farAway} where next_at is not null`)
      const children = await processes(count, "deliver", url)
      for (const { child } of children) child.send("go")
      const warm = to.expect(warmUp * count * endpoints)
      await publish(core, accountId, warmUp * count)
      await warm
      await pause(1000)
      const all = to.expect(each * endpoints)
      const ms = await timed(async () => {
        await run(`update webhook_deliveries set next_at = 1 where next_at is not null; ${wake("deliveries")}`)
        await all
      })
      await stopped(children)
      return ((each * endpoints) / ms) * 1000
    })
    for (const { id } of (await core.webhooks.list(accountId)).items) await core.webhooks.remove(accountId, id)
    await core.stop()
    return rates
  }
  // Of slow endpoints a process does 320 a second: as many as it has slots, every 200 ms.
  const slow = await measure("slow", amount)
  const fast = await measure("soon", 2 * amount)
  await seed?.close()
  to.stop()
  return {
    figures: [
      ...figureOf("deliveries to a receiver that takes 200 ms", slow, 1.7),
      ...figureOf("deliveries to a receiver that answers at once", fast, 1.4)
    ],
    curves: [
      curveOf("deliveries", "Deliveries by number of processes", "deliveries a second", {
        "the receiver takes 200 ms": slow,
        "the receiver answers at once": fast
      })
    ]
  }
}

/** From campaigns that are due to calls that the carrier has accepted. */
export const dialing = async (server: PostgresServer, { campaigns, plan }: Amounts): Promise<Found> => {
  const url = await server.database("scale_dialing")
  await (await bare(url)).stop()
  const seed: Seeder = await seeder(url)
  const accounts = 100
  await seed.accounts({ from: 0, count: accounts })
  const warmUp = Math.ceil(campaigns * warmUpShare)
  const ofAll = counts.reduce((sum, count) => sum + campaigns + warmUp * count, 0)
  const all = { from: 0, count: ofAll * (plan.rounds + plan.warmUp) }
  await seed.campaigns(all, { from: 0, count: accounts })
  await seed.contacts(all, all, accounts)
  await seed.run("vacuum analyze")
  /** Makes campaigns due that have not been, and waits until the carrier has as many calls more. */
  const dial = async (count: number, before: number): Promise<void> => {
    await seed.run(`update campaigns set next_dial_at = 1 where id in (select id from campaigns
      where last_dial_at is null and next_dial_at is null order by id limit ${count}); ${wake("dialer")}`)
    const last = `select 1 from calls where provider_call_id is not null offset ${before + count - 1} limit 1`
    while ((await seed.run(last)) === 0) await pause(5)
  }
  const rates = await byCount(plan, async (count) => {
    await seed.run("delete from calls")
    const children = await processes(count, "dial", url)
    for (const { child } of children) child.send("go")
    await pause(1000)
    await dial(warmUp * count, 0)
    const ms = await timed(() => dial(campaigns, warmUp * count))
    await ended(children)
    return (campaigns / ms) * 1000
  })
  await seed.close()
  return {
    figures: figureOf("calls that are claimed and placed", rates),
    curves: [curveOf("dialing", "Call starts by number of processes", "calls a second", { dialer: rates })]
  }
}

const postTo = async (port: number, key: string, path: string, body: object): Promise<{ readonly id: string }> => {
  const answer = await request(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${await answer.body.text()}`)
  return (await answer.body.json()) as { readonly id: string }
}

let customers = 0

/** Deliveries of the platform, of one message each, from customers who write once. */
const inbound = async (ports: ReadonlyArray<number>, seconds: number): Promise<number> => {
  const until = performance.now() + seconds * 1000
  let answered = 0
  await Promise.all(
    ports.map(async (port) => {
      const pool = new Pool(`http://127.0.0.1:${port}`, { connections: connections / ports.length })
      const one = async (): Promise<void> => {
        while (performance.now() < until) {
          const { body, headers } = delivery([customer(customers++)])
          const answer = await pool.request({ method: "POST", path: "/api/v1/messaging/inbound", headers, body })
          await answer.body.dump()
          if (answer.statusCode !== 200) throw new Error(`an acknowledgement is ${answer.statusCode}`)
          answered += 1
        }
      }
      await Promise.all(Array.from({ length: connections / ports.length }, one))
      await pool.close()
    })
  )
  return answered / seconds
}

export const serving = async (server: PostgresServer, { plan, seconds }: Amounts): Promise<Found> => {
  const url = await server.database("scale_serving")
  const core = await bare(url)
  const { id } = await core.admin.createAccount({ name: "Bench", plan: "enterprise" })
  const { text: key } = await core.admin.createKey(id, { concurrency: 1024 })
  await core.stop()
  const other = start("ChatUpstream.ts", ["0"])
  const upstream = String((await messageOf<{ readonly port: number }>(other)).port)
  const [first] = await processes(1, "serve", url, upstream)
  const bot = await postTo(first!.port, key, "/bots", { name: "Bench", system_prompt: "You answer guests of a hotel." })
  const number = await postTo(first!.port, key, "/messaging/phone_numbers", {
    phone_number_id: sent.phoneNumberId,
    business_account_id: "102290129340398",
    access_token: "EAAG-bench",
    display_phone_number: "+1 555 078 3881"
  })
  await postTo(first!.port, key, `/messaging/phone_numbers/${number.id}/link-bot`, { bot_id: bot.id })
  await ended([first!])
  const body = JSON.stringify({
    model: "gpt-5.4",
    messages: [{ role: "user", content: "Is there a room with a view?" }]
  })
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const chats = async (ports: ReadonlyArray<number>) => {
    const asked = { method: "POST", path: "/v1/chat/completions", headers, body, status: 200, seconds }
    const rates = await Promise.all(
      ports.map((port) => load({ ...asked, port, connections: connections / ports.length }))
    )
    return rates.reduce((sum, { rate }) => sum + rate, 0)
  }
  const measure = (work: (ports: ReadonlyArray<number>) => Promise<number>) =>
    byCount(plan, async (count) => {
      const children = await processes(count, "serve", url, upstream)
      const ports = children.map(({ port }) => port)
      await work(ports)
      const rate = await work(ports)
      await ended(children)
      return rate
    })
  const gateway = await measure(chats)
  const messages = await measure((ports) => inbound(ports, seconds))
  other.disconnect()
  return {
    figures: [
      ...figureOf("chats through the gateway", gateway),
      ...figureOf("inbound messages, each stored", messages)
    ],
    curves: [
      curveOf("requests", "Requests by number of processes", "requests a second", {
        "chats through the gateway": gateway,
        "inbound messages": messages
      })
    ]
  }
}
