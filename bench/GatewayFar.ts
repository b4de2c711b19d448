/**
 * Chats of one account with a database on another machine: Postgres behind a round trip of two milliseconds, 64 chats at a time and
 * one at a time. All of them change the same counters, so that what counts is how often each waits for the database. The word
 * `short` shows that it works: its figures mean little.
 */
import { postgres } from "@trunkline/storage-postgres"
import pg from "pg"
import { messageOf, start } from "./Children.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { type Answered, load, percentile } from "./GatewayLoad.ts"
import { chatTo } from "./GatewayRequests.ts"
import { ours, prepare, type Target, upstream } from "./GatewayTargets.ts"
import { postgresServer } from "./Postgres.ts"
import { median } from "./Rounds.ts"

const isShort = process.argv.includes("short")
const rounds = isShort ? 1 : 5
const milliseconds = isShort ? 1000 : 3000

/** The month's calls start anew: a plan has fewer than a benchmark makes. */
const newMonth = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("update trunkline.usage_counts set used = 0").finally(() => client.end())
}

const chats = async (url: string, target: Target, connections: number): Promise<ReadonlyArray<Answered>> => {
  const found: Array<Answered> = []
  for (let round = -1; round < rounds; round++) {
    await newMonth(url)
    const request = chatTo(target, { isStreamed: false })
    const answered = await load({ port: target.port, request, connections, until: { milliseconds }, mark: '"stop"' })
    progress(
      `${connections} at a time: ${answered.perSecond.toFixed(0)}/s, p50 ${percentile(answered, 50).toFixed(1)} ms`
    )
    if (round >= 0) found.push(answered)
  }
  return found
}

const main = async (): Promise<void> => {
  const server = await postgresServer()
  if ("missing" in server) return report([{ what: "chats with a database far away", measured: server.missing }])
  const near = await server.database("gateway_far")
  const proxy = start("FarDatabase.ts", [new URL(near).port])
  const { port } = await messageOf<{ readonly port: number }>(proxy)
  const far = near.replace(/:\d+\//, `:${port}/`)
  const key = await prepare(postgres(near))
  const model = await upstream()
  const target = await ours("product", model.port, far, key)
  const many = await chats(near, target, 64)
  const single = await chats(near, target, 1)
  const wait = (all: ReadonlyArray<Answered>) => `${median(all.map((one) => percentile(one, 50))).toFixed(1)} ms`
  const figures: ReadonlyArray<Figure> = [
    {
      what: "chats a second of one account, 64 at a time, database two milliseconds away",
      measured: `${median(many.map(({ perSecond }) => perSecond)).toFixed(0)}/s, first byte p50 ${wait(many)}`,
      judged: { value: median(many.map(({ perSecond }) => perSecond)), bar: { atLeast: 1000 } }
    },
    { what: "… one at a time", measured: `first byte p50 ${wait(single)}` }
  ]
  target.stop()
  model.stop()
  proxy.disconnect()
  await server.stop()
  report(figures)
}

await main()
