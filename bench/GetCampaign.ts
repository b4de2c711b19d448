/** Reading one campaign with an API key: through the adapters, against routes that are written by hand for the same file. */
import type { ChildProcess } from "node:child_process"
import { isDeepStrictEqual } from "node:util"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { start, told } from "./Children.ts"
import { database, encryptionKey, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import type { Server } from "./GetServer.ts"
import { load } from "./Load.ts"
import { interleaved, median, ratio } from "./Rounds.ts"

const plan = { rounds: 5, warmUp: 1 }
const connections = 16
const seconds = 4

const names: ReadonlyArray<Server> = [
  "fastify by hand",
  "fastify by hand, joining",
  "fastify",
  "express by hand",
  "express"
]

type Asking = (round: number) => Promise<number>

interface Target {
  readonly server: ChildProcess
  readonly port: number
}

const startServer = async (name: Server, path: string): Promise<Target> => {
  const server = start("GetServer.ts", [name, path])
  return { server, ...(await told<{ port: number }>(server)) }
}

/** Microseconds that the server has worked so far. */
const cpuOf = async ({ server }: Target): Promise<number> => {
  server.send("cpu")
  return (await told<{ cpu: number }>(server)).cpu
}

/** One account with a key and a few campaigns. */
const prepare = async (path: string) => {
  const core = await createTrunkline({ storage: sqlite(path), telephony: simulator(), encryptionKey })
  const { id: accountId } = await core.admin.createAccount({ name: "Bench", voiceCampaigns: true })
  const { text: key } = await core.admin.createKey(accountId)
  const campaigns = []
  for (let n = 0; n < 100; n++) campaigns.push(await core.campaigns.create(accountId, { name: `Campaign ${n}` }))
  await core.stop()
  return { key, id: campaigns[50]!.id }
}

/** All must give the same answer, and must look at key and campaign, or their speeds cannot be compared. */
const agree = async (targets: Readonly<Record<Server, Target>>, path: string, key: string): Promise<void> => {
  const ask = (name: Server, target: string, credential: string) =>
    fetch(`http://127.0.0.1:${targets[name].port}${target}`, { headers: { authorization: `Bearer ${credential}` } })
  const expected = await (await ask(names[0]!, path, key)).json()
  for (const name of names) {
    const [found, foreign, missing] = [
      await ask(name, path, key),
      await ask(name, path, `${key}x`),
      await ask(name, path.replace(/.{4}$/, "0000"), key)
    ]
    const same = isDeepStrictEqual(await found.json(), expected)
    if (!same || found.status !== 200 || foreign.status !== 401 || missing.status !== 404) {
      throw new Error(`${name} answers differently: ${found.status}, ${foreign.status}, ${missing.status}, ${same}`)
    }
  }
}

const main = async (): Promise<void> => {
  const file = await database(folder(), "get.db")
  const { id, key } = await prepare(file)
  const targets = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await startServer(name, file)] as const))
  ) as Record<Server, Target>
  const path = `/api/v1/voice-campaigns/${id}`
  await agree(targets, path, key)

  const cpu = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Server, Array<number>>
  const busy: Array<number> = []
  const asked =
    (name: Server): Asking =>
    async (round) => {
      const before = await cpuOf(targets[name])
      const headers = { authorization: `Bearer ${key}` }
      const rate = await load({ port: targets[name].port, path, headers, connections, seconds })
      const worked = (await cpuOf(targets[name])) - before
      if (round >= 0) {
        cpu[name].push(worked / (rate * seconds))
        if (name.endsWith("by hand")) busy.push(worked / 1e6 / seconds)
      }
      progress(`${name}: ${rate.toFixed(0)} requests/s`)
      return rate
    }
  const variants = Object.fromEntries(names.map((name) => [name, asked(name)])) as Record<Server, Asking>
  const rates = await interleaved(plan, variants)
  for (const { server } of Object.values(targets)) server.disconnect()

  const figures = (host: "fastify" | "express", atLeast: number): ReadonlyArray<Figure> => {
    const hand = `${host} by hand` as const
    return [
      {
        what: `through the ${host} adapter`,
        measured: `${median(rates[host]).toFixed(0)} requests/s`,
        against: `by hand ${median(rates[hand]).toFixed(0)}`,
        judged: { value: ratio(rates, host, hand), bar: { atLeast } }
      },
      {
        what: "  CPU of the server for one",
        measured: `${median(cpu[host]).toFixed(1)} µs`,
        against: `by hand ${median(cpu[hand]).toFixed(1)} µs, ${(median(cpu[hand]) / median(cpu[host])).toFixed(2)} of it`
      }
    ]
  }
  report([
    ...figures("fastify", 0.45),
    {
      what: "  against a key look-up by one join",
      measured: ratio(rates, "fastify", "fastify by hand, joining").toFixed(2),
      against: `by hand ${median(rates["fastify by hand, joining"]).toFixed(0)}`
    },
    ...figures("express", 0.65),
    {
      what: "  servers by hand, busy",
      measured: `${(median(busy) * 100).toFixed(0)} % of a core`,
      against: median(busy) < 0.9 ? "below 90 % somebody else was busy: believe the CPU" : "the servers were the limit"
    }
  ])
}

await main()
