/**
 * One transcription of a megabyte through the gateway, with key, limits, reserve, settle and a row of the usage log, in front
 * of an upstream on the loopback that answers at once: against a route by hand that passes the upload through and does none
 * of it, and against another gateway for Node.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import BetterSqlite from "better-sqlite3"
import { messageOf, start } from "./Children.ts"
import { database, encryptionKey, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { percentile, uploads } from "./GatewayLoad.ts"
import { interleaved, median, ratio, type Times } from "./Rounds.ts"

const plan = { rounds: 5, warmUp: 1 }
const milliseconds = 3000
/** What the memory is measured with: all uploads are in the server at one time. */
const together = 64
const lateMs = 300

const otherGateway = { name: "@portkey-ai/gateway", version: "1.15.2" }

interface Target {
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  readonly server: ChildProcess | null
  readonly stop: () => void
}

const upstream = async (late = 0) => {
  const child = start("GatewayUpstream.ts", [String(late)])
  return { ...(await messageOf<{ readonly port: number }>(child)), stop: () => child.disconnect() }
}

/** An account that may do all of it, for as long as the benchmark takes. */
const prepare = async (path: string): Promise<string> => {
  const core = await createTrunkline({ storage: sqlite(path), telephony: simulator(), encryptionKey })
  const { id } = await core.admin.createAccount({ name: "Bench", plan: "pro" })
  await core.admin.addCredits(id, "1000000")
  const { text } = await core.admin.createKey(id, { requestsPerMinute: 1_000_000, concurrency: 256, budget: "1000000" })
  await core.stop()
  return text
}

const ours = async (name: "product" | "by hand", upstreamPort: number, path: string, key: string): Promise<Target> => {
  const server = start("GatewayServer.ts", [name, String(upstreamPort), path])
  const { port } = await messageOf<{ readonly port: number }>(server)
  return { port, server, headers: { authorization: `Bearer ${key}` }, stop: () => server.disconnect() }
}

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  probe.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

const isUp = async (port: number): Promise<boolean> => {
  const socket = connect(port, "127.0.0.1")
  return await new Promise((resolve) => {
    socket.once("connect", () => resolve(true))
    socket.once("error", () => resolve(false))
  }).then((up) => {
    socket.destroy()
    return up as boolean
  })
}

/** The other gateway is no dependency of ours: it is fetched into the benchmark's folder, or left out. */
const another = async (home: string, upstreamPort: number): Promise<Target | string> => {
  try {
    const wanted = `${otherGateway.name}@${otherGateway.version}`
    execFileSync("npm", ["install", "--prefix", home, "--no-save", "--ignore-scripts", "--silent", wanted], {
      stdio: ["ignore", "ignore", "pipe"]
    })
  } catch (error) {
    return `${otherGateway.name} cannot be fetched: ${(error as Error).message.split("\n")[0]}`
  }
  const port = await freePort()
  const file = join(home, "node_modules", otherGateway.name, "build/start-server.js")
  const server = spawn(process.execPath, [file, `--port=${port}`, "--headless"], {
    stdio: "ignore",
    env: { ...process.env, NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "127.0.0.1,localhost" }
  })
  process.once("exit", () => server.kill("SIGKILL"))
  for (let tries = 0; !(await isUp(port)); tries++) {
    if (tries > 100) return `${otherGateway.name} does not listen`
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const headers = {
    authorization: "Bearer none",
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `http://127.0.0.1:${upstreamPort}/v1`
  }
  return { port, headers, server: null, stop: () => void server.kill("SIGKILL") }
}

const asked = async (server: ChildProcess, what: "cpu" | "memory"): Promise<number> => {
  server.send(what)
  const answer = await messageOf<{ readonly cpu?: number; readonly peak?: number }>(server)
  return (answer.cpu ?? answer.peak)!
}

/** The month's calls start anew: a plan has fewer than a benchmark makes. */
const newMonth = (path: string): void => {
  const db = new BetterSqlite(path, { timeout: 5000 })
  db.exec("update usage_counts set used = 0")
  db.close()
}

const main = async (): Promise<void> => {
  const home = folder(1)
  const path = await database(home, "gateway.db")
  const key = await prepare(path)
  const soon = await upstream()
  const targets: Record<string, Target> = {
    "by hand": await ours("by hand", soon.port, path, key),
    product: await ours("product", soon.port, path, key)
  }
  const other = await another(home, soon.port)
  if (typeof other === "string") progress(`without the other gateway: ${other}`)
  else targets.other = other

  const figures: Array<Figure> = []
  const cpu: Record<string, Array<number>> = {}
  const waits: Record<number, Times<string>> = {}
  const rates: Record<number, Times<string>> = {}
  for (const connections of [1, 16]) {
    const rate: Record<string, Array<number>> = {}
    const asking = (name: string) => async (round: number) => {
      const target = targets[name]!
      newMonth(path)
      const before = target.server === null ? 0 : await asked(target.server, "cpu")
      const answered = await uploads({ ...target, connections, milliseconds })
      if (round >= 0) {
        rate[name] = [...(rate[name] ?? []), answered.perSecond]
        if (target.server !== null && connections === 16) {
          const each = ((await asked(target.server, "cpu")) - before) / answered.count
          cpu[name] = [...(cpu[name] ?? []), each]
        }
      }
      progress(
        `${name}, ${connections} at a time: ${answered.perSecond.toFixed(0)}/s, p50 ${percentile(answered, 50).toFixed(2)} ms, p99 ${percentile(answered, 99).toFixed(2)} ms`
      )
      return percentile(answered, 50)
    }
    waits[connections] = await interleaved(
      plan,
      Object.fromEntries(Object.keys(targets).map((name) => [name, asking(name)]))
    )
    rates[connections] = rate
  }
  for (const { stop } of Object.values(targets)) stop()
  soon.stop()

  const cpuRatio = median(cpu.product!.map((each, round) => each / cpu["by hand"]![round]!))
  figures.push({
    what: "CPU of the server for one",
    measured: `${(median(cpu.product!) / 1000).toFixed(2)} ms`,
    against: `passed through ${(median(cpu["by hand"]!) / 1000).toFixed(2)} ms`,
    judged: { value: cpuRatio, bar: { atMost: 2.5 } }
  })
  const added = median(waits[1]!.product!.map((wait, round) => wait - waits[1]!["by hand"]![round]!))
  figures.push({
    what: "first byte, added, one at a time",
    measured: `p50 ${median(waits[1]!.product!).toFixed(2)} ms`,
    against: `passed through ${median(waits[1]!["by hand"]!).toFixed(2)} ms`,
    judged: { value: added, unit: " ms", bar: { atMost: 3 } }
  })
  figures.push({
    what: "first byte, 16 at a time",
    measured: `p50 ${median(waits[16]!.product!).toFixed(1)} ms`,
    against: `passed through ${median(waits[16]!["by hand"]!).toFixed(1)} ms`,
    judged: { value: ratio(waits[16]!, "product", "by hand"), bar: { atMost: 1.6 } }
  })
  for (const connections of [1, 16]) {
    if (targets.other === undefined) break
    const found = rates[connections]!
    figures.push({
      what: `requests a second, ${connections} at a time`,
      measured: `${median(found.product!).toFixed(0)}/s`,
      against: `${otherGateway.name} ${median(found.other!).toFixed(0)}/s, passed through ${median(found["by hand"]!).toFixed(0)}/s`,
      judged: { value: ratio(found, "product", "other"), bar: { atLeast: 1.8 } }
    })
  }

  progress(`${together} uploads at one time`)
  const late = await upstream(lateMs)
  const grown = (name: "product" | "by hand") => async () => {
    newMonth(path)
    const target = await ours(name, late.port, path, key)
    await uploads({ ...target, connections: 2, milliseconds: 1 })
    await asked(target.server!, "memory")
    await new Promise((resolve) => setTimeout(resolve, 200))
    const before = await asked(target.server!, "memory")
    await uploads({ ...target, connections: together, milliseconds: 3 * lateMs })
    const peak = await asked(target.server!, "memory")
    target.stop()
    return (peak - before) / 1e6
  }
  const memory = await interleaved({ rounds: 5, warmUp: 0 }, { "by hand": grown("by hand"), product: grown("product") })
  late.stop()
  figures.push({
    what: `memory that ${together} uploads of 1 MB take`,
    measured: `${median(memory.product).toFixed(0)} MB`,
    against: `passed through ${median(memory["by hand"]).toFixed(0)} MB`,
    judged: { value: ratio(memory, "product", "by hand"), bar: { atMost: 1.2 } }
  })
  report(figures)
}

await main()
