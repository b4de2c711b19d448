/** One run: a server, requests by a seed, a second tenant who measures, and what was found. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Alone, alone, single, suspectsOf } from "./Alone.ts"
import { type MemoryUse, probeLines, residentOf, type Turn, turnsIn } from "./Measurements.ts"
import { makeRequestWorld } from "./RequestWorld.ts"
import { type Found, pause, type RequestRunOptions, SendingRun, type Sent } from "./SendingRun.ts"
import type { Sample } from "./WatcherMessages.ts"

export interface RequestRunResult {
  readonly options: RequestRunOptions
  readonly folder: string | null
  readonly found: ReadonlyArray<Found>
  readonly sent: ReadonlyArray<Sent>
  readonly unsent: number
  readonly calm: ReadonlyArray<Sample>
  readonly busy: ReadonlyArray<Sample>
  readonly turns: ReadonlyArray<Turn>
  /** Turns of requests that were sent once more, alone. */
  readonly alone: ReadonlyArray<Alone>
  readonly resident: { readonly start: number; readonly peak: number; readonly end: number }
  /** After a garbage collection; null where the process had ended. */
  readonly memory: { readonly start: MemoryUse | null; readonly end: MemoryUse | null }
  readonly stop: { readonly code: number | null; readonly ms: number }
  readonly log: ReadonlyArray<string>
}

/** Memory after a collection; null without an answer of the process. */
const memoryOf = async ({ folder, world }: SendingRun): Promise<MemoryUse | null> => {
  const from = Date.now()
  world.product.signal("SIGUSR2")
  for (let waited = 0; waited < 10_000; waited += 50) {
    await pause(50)
    const line = probeLines(folder).findLast((one): one is MemoryUse => one.what === "memory" && one.at >= from)
    if (line !== undefined) return line
  }
  return null
}

const stopped = async ({ world }: SendingRun): Promise<RequestRunResult["stop"]> => {
  const from = Date.now()
  world.product.signal("SIGTERM")
  const code = await Promise.race([world.product.ended(), pause(30_000).then(() => null)])
  return { code, ms: Date.now() - from }
}

const playRequests = async (run: SendingRun): Promise<Omit<RequestRunResult, "options" | "folder">> => {
  const { folder, options, world } = run
  const memory = { start: await memoryOf(run) }
  const start = residentOf(world.product.child?.pid)
  const timer = setInterval(() => {
    run.peak = Math.max(run.peak, residentOf(world.product.child?.pid))
  }, 200)
  world.watch()
  await pause(options.calmMs)
  const calm = await world.samples()
  options.log("measured alone; now the requests")
  const from = Date.now()
  if (options.only === undefined) await run.sendAll()
  else await single(run, options.only)
  await pause(300)
  const turns = turnsIn(folder, from, Date.now())
  const busy = await world.samples()
  const again = options.only === undefined ? await alone(run, suspectsOf(run, turns)) : []
  await pause(options.only === undefined ? options.settleMs : 500)
  const end = await memoryOf(run)
  clearInterval(timer)
  const resident = { start, peak: run.peak, end: residentOf(world.product.child?.pid) }
  const stop = await stopped(run)
  const log = readFileSync(join(folder, "p0/log.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
  return {
    found: run.found,
    sent: run.sent,
    unsent: run.unsent,
    calm,
    busy,
    turns,
    alone: again,
    resident,
    memory: { ...memory, end },
    stop,
    log
  }
}

export const requestRun = async (options: RequestRunOptions): Promise<RequestRunResult> => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-requests-"))
  const world = await makeRequestWorld({ folder, command: options.command, storage: options.storage })
  const abort = () => void world.close().then(() => process.exit(1))
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, abort)
  try {
    const result = await playRequests(new SendingRun(options, world, folder))
    return { options, folder: options.keeps === true ? folder : null, ...result }
  } finally {
    await world.close()
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, abort)
    if (options.keeps !== true) rmSync(folder, { recursive: true, force: true })
  }
}
