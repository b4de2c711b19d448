/**
 * One server process under steady, modest load for two hours: `npm run test:soak -- --minutes 120`. Samples its memory, heap,
 * files, connections and log every minute, and fails where one of them grows.
 */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { sqliteDatabase } from "./Databases.ts"
import { growthOf, limits, type Sample } from "./Growth.ts"
import { runLoad } from "./Load.ts"
import { planOf } from "./Plan.ts"
import { commandOf } from "./Processes.ts"
import { makeWorld } from "./World.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "120" },
    seed: { type: "string", default: "1" },
    load: { type: "string", default: "1" }
  }
})
const minutes = Number(values.minutes)
const seed = Number(values.seed)

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "trunkline-soak-"))
const csv = join(folder, "samples.csv")
const probe = join(folder, "heap")
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const descriptorsOf = (pid: number) => {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch {
      return ""
    }
  })
  return { files: links.length, connections: links.filter((link) => link.startsWith("socket:")).length }
}

const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024

/** Seconds of processor time. */
const processorOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const lastHeap = (): number => {
  if (!existsSync(probe)) return 0
  return Number(readFileSync(probe, "utf8").trim().split("\n").at(-1)!.split(" ")[1])
}

const bytesOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0)

process.env.SOAK_PROBE = probe
const command = await commandOf(root)
const database = sqliteDatabase(folder, false)
const watch = ["--expose-gc", "--import", resolve(import.meta.dirname, "SoakProbe.ts")]
const world = await makeWorld({
  ...{ folder, seed, command, database, processes: 1, trouble: 0.3, library: null, hasOther: true, aimed: {} },
  options: watch
})
const pid = world.products[0]!.child!.pid!
const samples: Array<Sample> = []
let isOver = false

const sample = (): void => {
  const wal = bytesOf(join(folder, "data/trunkline.db-wal"))
  const rows: Sample = {
    minute: samples.length,
    resident: residentOf(pid),
    heap: lastHeap(),
    ...descriptorsOf(pid),
    wal,
    database: bytesOf(join(folder, "data/trunkline.db")),
    processor: processorOf(pid)
  }
  if (samples.length === 0) appendFileSync(csv, `${Object.keys(rows).join(",")}\n`)
  appendFileSync(csv, `${Object.values(rows).join(",")}\n`)
  samples.push(rows)
}

say(`Process ${pid}, ${minutes} minutes, seed ${seed}; samples in ${csv}`)
const timer = setInterval(sample, 60_000)
const plan = planOf({ seed, kills: 0, storage: "sqlite", minutes, load: Number(values.load), isWide: false })
const stop = async (): Promise<void> => {
  isOver = true
  clearInterval(timer)
  await world.close()
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop().then(() => process.exit(1)))
const load = { clients: world.clients, processes: 1, say: world.say, order: world.order }
await runLoad(load, plan.load, () => isOver)
sample()
await stop()
for (const name of readdirSync(folder)) if (name !== "samples.csv") rmSync(join(folder, name), { recursive: true })

const found = growthOf(samples)
for (const { after, bound, from, name, isOver } of found) {
  say(
    `${isOver ? "GROWS" : "flat "} ${name}: ${from.toFixed(0)} at a quarter, ${after.toFixed(0)} more in two hours, bound ${bound}`
  )
}
const seconds = samples.at(-1)!.processor - samples[0]!.processor
say(
  `Processor: ${((seconds / ((samples.length - 1) * 60)) * 100).toFixed(1)} % of a core. Bounds: ${JSON.stringify(limits)}`
)
process.exit(found.some(({ isOver }) => isOver) ? 1 : 0)
