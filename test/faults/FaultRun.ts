/** One run: a world, its load and its faults by a seed, and then what the checks find. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { clockAhead } from "../Clock.ts"
import type { Aim } from "./Aims.ts"
import { check } from "./Checks.ts"
import { type Database, postgresDatabase, sqliteDatabase } from "./Databases.ts"
import type { Finding } from "./Evidence.ts"
import { Faults } from "./Faults.ts"
import { type Logs, readLogs } from "./Lines.ts"
import { runLoad } from "./Load.ts"
import { databaseSkewOf, type Plan, type PlanOptions, planOf } from "./Plan.ts"
import type { Command } from "./Processes.ts"
import { openCalls, readState, type State } from "./State.ts"
import { type FaultyWorld, makeWorld } from "./World.ts"

export interface RunOptions extends PlanOptions {
  readonly command: Command
  readonly library: string | null
  /** How long the end may be waited for. */
  readonly settleMs: number
  /** Ends the wait for the end before that. */
  readonly isEnough?: (logs: Logs) => boolean
  /** A schedule that aims at one fault, instead of the drawn one. */
  readonly aim?: Aim
  /** Leaves the folder with all logs. */
  readonly keeps?: boolean
  readonly log: (line: string) => void
}

export interface RunResult {
  /** With all logs; null where it was removed. */
  readonly folder: string | null
  readonly logs: Logs
  readonly state: State
  readonly findings: ReadonlyArray<Finding>
  /** Faults that were not possible here, and why. */
  readonly skipped: ReadonlyArray<string>
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Writes down which calls are open, every ten seconds. */
const watch = (world: FaultyWorld, isOver: () => boolean): Promise<void> => {
  const look = async (): Promise<void> => {
    while (!isOver()) {
      for (const client of Object.values(world.clients)) {
        const calls = await openCalls(client)
        if (calls.length > 0) world.say("client", { what: "open", account: client.name, calls })
      }
      await pause(10_000)
    }
  }
  return look()
}

/** No campaign begins anything more. */
const pauseCampaigns = async (world: FaultyWorld): Promise<void> => {
  for (const client of Object.values(world.clients)) {
    for (const { id, status } of await client.all("/api/v1/voice-campaigns", 100)) {
      if (status === "running")
        await client.insist("POST", `/api/v1/voice-campaigns/${id}/status`, { status: "paused" })
    }
  }
}

const isQuiet = async (world: FaultyWorld): Promise<boolean> => {
  for (const { client, webhooks } of Object.values(world.accounts)) {
    if ((await openCalls(client)).length > 0) return false
    for (const id of webhooks) {
      const { body, status } = await client.ask("GET", `/api/v1/webhooks/${id}/deliveries?status=pending&limit=1`)
      if (status !== 200 || body.length > 0) return false
    }
  }
  const [answers] = check({ logs: readLogs(world.folder), state: { at: Date.now(), accounts: {} } }).filter(
    ({ promise }) => promise === "answers"
  )
  const reserved = await Promise.all(
    Object.values(world.accounts).map(({ client }) => world.products[0]!.credits(client.accountId))
  )
  return answers?.undecided === 0 && reserved.every(({ reserved }) => reserved === 0)
}

/** Waits until nothing is under way, or for as long as the promises allow. */
const settle = async (world: FaultyWorld, { isEnough, settleMs }: RunOptions): Promise<void> => {
  const began = Date.now()
  while (Date.now() - began < settleMs) {
    if (isEnough?.(readLogs(world.folder))) return
    if (isEnough === undefined && (await isQuiet(world).catch(() => false))) return
    await pause(isEnough === undefined ? 3000 : 200)
  }
}

const skippedOf = (database: Database, { library, storage }: RunOptions): ReadonlyArray<string> => [
  ...[database.cut, database.stopFor, database.fillFor].flatMap((one) => ("skipped" in one ? [one.skipped] : [])),
  ...(library === null ? ["clocks that differ need libfaketime (Debian's package faketime)"] : []),
  ...(storage === "sqlite" ? ["several processes share Postgres alone"] : [])
]

const play = async (world: FaultyWorld, database: Database, plan: Plan, options: RunOptions): Promise<State> => {
  const { isEnough, log, processes, seed } = { ...plan, ...options }
  let isOver = false
  const faults = new Faults(world, database, seed)
  const watching = watch(world, () => isOver)
  const load = { clients: world.clients, processes, say: world.say, order: world.order }
  const loading = runLoad(load, plan.load, () => isOver)
  await faults.run(plan.faults, plan.durationMs)
  log("load and faults are over")
  await faults.allUp()
  // What the load still repeats is done soon now: a campaign that began later would not be paused.
  await Promise.race([loading, pause(isEnough === undefined ? 90_000 : 500)])
  if (isEnough === undefined) await pauseCampaigns(world)
  await settle(world, options)
  // The load stops before the state is read: an answer that comes after the rows of usage were read is in no row.
  isOver = true
  await Promise.all([watching, Promise.race([loading, pause(30_000)])])
  const state = await readState(world.products[0]!, world.accounts)
  await faults.stop()
  return state
}

export const faultRun = async (options: RunOptions): Promise<RunResult> => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-faults-"))
  const { aim, command, isWide, library, seed, storage } = options
  const plan = aim === undefined ? planOf(options) : aim.plan(seed)
  writeFileSync(join(folder, "plan.json"), JSON.stringify(plan, null, 1))
  const fillsDisk = plan.faults.some(({ does }) => does === "full")
  const clockLibrary = isWide ? library : null
  const database =
    storage === "sqlite"
      ? sqliteDatabase(folder, fillsDisk)
      : await postgresDatabase(clockAhead(clockLibrary, databaseSkewOf(seed)))
  const hasOther = aim?.hasOther ?? true
  const own = {
    hasOther,
    folder,
    seed,
    command,
    database,
    processes: plan.processes,
    trouble: aim?.trouble ?? 1,
    aimed: aim?.neighbours ?? {}
  }
  const world = await makeWorld({ ...own, library: clockLibrary })
  const abort = () => void world.close().then(() => process.exit(1))
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, abort)
  try {
    const state = await play(world, database, plan, options)
    writeFileSync(join(folder, "state.json"), JSON.stringify(state))
    const logs = readLogs(folder)
    const findings = check({ logs, state })
    const kept = options.keeps === true ? folder : null
    return { folder: kept, logs, state, findings, skipped: skippedOf(database, options) }
  } finally {
    await world.close()
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, abort)
    if (options.keeps !== true) rmSync(folder, { recursive: true, force: true })
  }
}
