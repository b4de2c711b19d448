/** Routes of the product on three hosts, each against the same route by hand on the same host and the same file. */
import type { ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { messageOf, start } from "./Children.ts"
import { database, encryptionKey, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import type { Author, Host } from "./HttpServer.ts"
import { load } from "./Load.ts"
import { interleaved, median, ratio } from "./Rounds.ts"
import { type RouteName, type RouteRequest, requestsOf, routeNames } from "./Routes.ts"

const plan = { rounds: 7, warmUp: 1 }
const connections = 16
const seconds = 1.5

const hosts: ReadonlyArray<Host> = ["fastify", "express", "node"]
const authors: ReadonlyArray<Author> = ["by hand", "product"]

/** The part of the speed by hand that is left; bare Node has no bar, since nobody writes such routes for it. */
const bars: Readonly<Record<Host, { readonly read: number; readonly others: number } | null>> = {
  fastify: { read: 0.75, others: 0.6 },
  express: { read: 0.9, others: 0.75 },
  node: null
}

interface Target {
  readonly server: ChildProcess
  readonly port: number
}

type Targets = Readonly<Record<Host, Readonly<Record<Author, Target>>>>

interface World {
  readonly path: string
  readonly modelsFile: string
  /** One key for each route: what one creates, no other lists. */
  readonly keys: Readonly<Record<RouteName, string>>
  readonly campaignId: string
}

const prepare = async (): Promise<World> => {
  const inFolder = folder()
  const path = await database(inFolder, "http.db")
  const core = await createTrunkline({ storage: sqlite(path), telephony: simulator(), encryptionKey })
  const account = async () => {
    const { id } = await core.admin.createAccount({ name: "Bench", voiceCampaigns: true, plan: "enterprise" })
    const { text } = await core.admin.createKey(id, { concurrency: 256 })
    return { id, text }
  }
  const [reader, writer] = [await account(), await account()]
  const campaigns = []
  for (let n = 0; n < 100; n++) campaigns.push(await core.campaigns.create(reader.id, { name: `Campaign ${n}` }))
  const models = await core.fetch(
    new Request("http://localhost/v1/models", { headers: { authorization: `Bearer ${reader.text}` } })
  )
  const modelsFile = join(inFolder, "models.json")
  writeFileSync(modelsFile, await models.text())
  await core.stop()
  const { text } = reader
  return {
    path,
    modelsFile,
    campaignId: campaigns[50]!.id,
    keys: { read: text, list: text, models: text, create: writer.text }
  }
}

const startServer = async (host: Host, author: Author, { modelsFile, path }: World): Promise<Target> => {
  const server = start("HttpServer.ts", [host, author, path, modelsFile])
  return { server, ...(await messageOf<{ port: number }>(server)) }
}

/** Microseconds that the server has worked so far. */
const cpuOf = async ({ server }: Target): Promise<number> => {
  server.send("cpu")
  return (await messageOf<{ cpu: number }>(server)).cpu
}

const headersOf = (key: string, { body }: RouteRequest): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${key}`,
  ...(body === undefined ? {} : { "content-type": "application/json" })
})

const ask = async ({ port }: Target, request: RouteRequest, key: string) => {
  const { body, method, path } = request
  const sent = { method, headers: headersOf(key, request), ...(body === undefined ? {} : { body }) }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, sent)
  const answer: unknown = await response.json()
  return { answer, status: response.status, total: response.headers.get("x-total-count") }
}

const made = ["id", "created_at", "updated_at"]

/** What is made anew by each request is left out. */
const comparable = (route: RouteName, answer: unknown): unknown =>
  route !== "create"
    ? answer
    : Object.fromEntries(
        Object.entries(answer as object).map(([name, value]) => [name, made.includes(name) ? 0 : value])
      )

/** All must give the same answer, and must look at the key, or their speeds cannot be compared. */
const agree = async (targets: Targets, { campaignId, keys }: World): Promise<void> => {
  for (const route of routeNames) {
    const request = requestsOf(campaignId)[route]
    const expected = await ask(targets.fastify["by hand"], request, keys[route])
    for (const host of hosts) {
      for (const author of authors) {
        const found = await ask(targets[host][author], request, keys[route])
        const foreign = await ask(targets[host][author], request, `${keys[route]}x`)
        const same =
          isDeepStrictEqual(comparable(route, found.answer), comparable(route, expected.answer)) &&
          found.total === expected.total
        if (!same || found.status !== request.status || foreign.status !== 401) {
          throw new Error(`${route} on ${host}, ${author}, answers differently: ${JSON.stringify(found).slice(0, 600)}`)
        }
      }
    }
  }
}

type Measured = Record<Author, ReadonlyArray<number>>

interface Comparison {
  readonly rates: Measured
  /** Microseconds of the server's work for one request, round by round. */
  readonly cpu: Measured
}

const compare = async (targets: Targets, host: Host, route: RouteName, world: World): Promise<Comparison> => {
  const request = requestsOf(world.campaignId)[route]
  const headers = headersOf(world.keys[route], request)
  const cpu: Record<Author, Array<number>> = { "by hand": [], product: [] }
  const measured = (author: Author) => async (round: number) => {
    const target = targets[host][author]
    const before = await cpuOf(target)
    const { count, rate } = await load({ port: target.port, headers, connections, seconds, ...request })
    if (round >= 0) cpu[author].push(((await cpuOf(target)) - before) / count)
    return rate
  }
  const rates = await interleaved(plan, { "by hand": measured("by hand"), product: measured("product") })
  progress(
    `${route} on ${host}: ${median(rates.product).toFixed(0)} of ${median(rates["by hand"]).toFixed(0)} a second`
  )
  return { rates, cpu }
}

const figuresOf = (host: Host, route: RouteName, { cpu, rates }: Comparison): ReadonlyArray<Figure> => {
  const bar = bars[host]
  const value = ratio(rates, "product", "by hand")
  return [
    {
      what: `${route}, ${host}`,
      measured: `${median(rates.product).toFixed(0)} requests/s`,
      against: `by hand ${median(rates["by hand"]).toFixed(0)}, ${value.toFixed(2)} of it`,
      ...(bar === null ? {} : { judged: { value, bar: { atLeast: route === "read" ? bar.read : bar.others } } })
    },
    {
      what: "  CPU of the server for one",
      measured: `${median(cpu.product).toFixed(1)} µs`,
      against: `by hand ${median(cpu["by hand"]).toFixed(1)} µs, ${ratio(cpu, "by hand", "product").toFixed(2)} of it`
    }
  ]
}

/** Routes and hosts that are named on the command line, or all. */
const chosen = <Name extends string>(names: ReadonlyArray<Name>): ReadonlyArray<Name> => {
  const named = names.filter((name) => process.argv.includes(name))
  return named.length > 0 ? named : names
}

const main = async (): Promise<void> => {
  const world = await prepare()
  const targets = {} as Record<Host, Record<Author, Target>>
  for (const host of hosts) {
    targets[host] = {
      "by hand": await startServer(host, "by hand", world),
      product: await startServer(host, "product", world)
    }
  }
  await agree(targets, world)
  const figures: Array<Figure> = []
  for (const route of chosen(routeNames)) {
    for (const host of chosen(hosts))
      figures.push(...figuresOf(host, route, await compare(targets, host, route, world)))
  }
  for (const host of hosts) for (const author of authors) targets[host][author].server.disconnect()
  report(figures)
}

await main()
