/** One run: a server, requests by a seed, a second tenant who measures, and what was found. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Command } from "../faults/Processes.ts"
import { problemsOf } from "./AnswerChecks.ts"
import { type MemoryUse, probeLines, residentOf, type Turn } from "./Measurements.ts"
import { drawn, requestOf } from "./RequestPlan.ts"
import type { Generated, Outcome } from "./Requests.ts"
import { makeRequestWorld, type RequestWorld } from "./RequestWorld.ts"
import { send } from "./Sending.ts"
import type { Sample } from "./WatcherMessages.ts"

export interface RequestRunOptions {
  readonly seed: number
  readonly requests: number
  readonly command: Command
  readonly storage: "sqlite" | "postgres"
  /** Requests that wait for their answer at a time. */
  readonly concurrency: number
  /** This request alone. */
  readonly only?: number
  /** Only hostile requests whose name has one of these words in it. */
  readonly like?: ReadonlyArray<string>
  /** Nothing more is sent after that. */
  readonly maxMs: number
  /** How long the second tenant is measured alone. */
  readonly calmMs: number
  readonly keeps?: boolean
  readonly log: (line: string) => void
}

export interface Found {
  readonly cause: string
  readonly detail: string
  readonly name: string
  readonly number: number
}

/** A request and when it was under way. */
export interface Sent {
  readonly number: number
  readonly name: string
  readonly kind: string
  readonly from: number
  readonly to: number
  readonly status: number
}

export interface RequestRunResult {
  readonly options: RequestRunOptions
  readonly folder: string | null
  readonly found: ReadonlyArray<Found>
  readonly sent: ReadonlyArray<Sent>
  readonly calm: ReadonlyArray<Sample>
  readonly busy: ReadonlyArray<Sample>
  readonly turns: ReadonlyArray<Turn>
  /** Turns of requests that were sent once more, alone. */
  readonly alone: ReadonlyArray<{ readonly sent: Sent; readonly cpuMs: number }>
  readonly resident: { readonly start: number; readonly peak: number; readonly end: number }
  /** After a garbage collection; null where the process had ended. */
  readonly memory: { readonly start: MemoryUse | null; readonly end: MemoryUse | null }
  readonly stop: { readonly code: number | null; readonly ms: number }
  readonly log: ReadonlyArray<string>
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** More of those that stand for long are not under way at a time. */
const maxPatient = 30
/** A server that ends again and again is not started for ever. */
const maxStarts = 40

class Run {
  readonly options: RequestRunOptions
  readonly world: RequestWorld
  readonly folder: string
  readonly found: Array<Found> = []
  readonly sent: Array<Sent> = []
  readonly underWay = new Map<number, Generated>()
  readonly patient = new Set<Promise<unknown>>()
  peak = 0
  #starting: Promise<unknown> | null = null

  constructor(options: RequestRunOptions, world: RequestWorld, folder: string) {
    this.options = options
    this.world = world
    this.folder = folder
  }

  /** Starts the server again where it has ended, and writes down which requests were under way. */
  async revive(): Promise<void> {
    const { product } = this.world
    if (this.#starting === null && !product.isRunning) {
      const detail = `exit code ${product.child?.exitCode}, signal ${product.child?.signalCode}`
      const cause =
        this.underWay.size === 1 ? "the process ended" : "the process ended, while among others was under way"
      const suspects = [...this.underWay.values()].filter(({ kind }) => this.underWay.size === 1 || kind === "hostile")
      for (const { name, number } of suspects) this.found.push({ cause, detail, name, number })
      if (product.starts >= maxStarts) throw new Error("the server ended too often")
      this.#starting = this.world.start().finally(() => {
        this.#starting = null
      })
    }
    await this.#starting
  }

  judge(generated: Generated, outcome: Outcome): void {
    const { document } = this.world.description
    for (const { cause, detail } of problemsOf(generated, outcome, document, this.world.marks)) {
      this.found.push({ cause, detail, name: generated.name, number: generated.number })
    }
  }

  make(number: number): Generated {
    return requestOf(this.options.seed, number, this.world.asking)
  }

  async sendOne(generated: Generated): Promise<Outcome> {
    const { kind, name, number } = generated
    const { product } = this.world
    await this.revive()
    this.underWay.set(number, generated)
    const [from, { starts }] = [Date.now(), product]
    const outcome = await send(new URL(product.url), generated)
    // An ended process is seen a moment after its connections.
    if (outcome.status === 0) await pause(100)
    await this.revive()
    this.underWay.delete(number)
    this.sent.push({ number, name, kind, from, to: Date.now(), status: outcome.status })
    // What an ended process has not answered says nothing about the request.
    if (product.starts === starts) this.judge(generated, outcome)
    generated.learn?.(outcome.status, parsed(outcome.text))
    return outcome
  }

  isWanted(number: number): boolean {
    const { like, seed } = this.options
    const name = like === undefined ? "" : drawn(seed, number, this.world.asking).name
    return like === undefined || (name !== null && like.some((word) => name.includes(word)))
  }

  /** Sends them all, some at a time. */
  async sendAll(): Promise<void> {
    const { concurrency, log, maxMs, requests } = this.options
    const until = Date.now() + maxMs
    let next = 1
    const worker = async (): Promise<void> => {
      while (next <= requests && Date.now() < until) {
        const number = next++
        if (!this.isWanted(number)) continue
        if (number % 5000 === 0)
          log(`${number} requests, ${this.found.length} findings, ${Math.round(this.peak / 1e6)} MB`)
        const generated = this.make(number)
        if (generated.isPatient !== true) await this.sendOne(generated)
        else {
          while (this.patient.size >= maxPatient) await Promise.race(this.patient)
          const standing: Promise<unknown> = this.sendOne(generated).finally(() => this.patient.delete(standing))
          this.patient.add(standing)
        }
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    await Promise.race([Promise.all(this.patient), pause(20_000)])
    if (next <= requests)
      this.found.push({ cause: "not all requests were sent in time", detail: `${next - 1}`, name: "", number: 0 })
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const turnsIn = (folder: string, from: number, to: number): ReadonlyArray<Turn> =>
  probeLines(folder).filter((line): line is Turn => line.what === "turn" && line.at >= from && line.at <= to)

/** Memory after a collection; null without an answer of the process. */
const memoryOf = async ({ folder, world }: Run): Promise<MemoryUse | null> => {
  const from = Date.now()
  world.product.signal("SIGUSR2")
  for (let waited = 0; waited < 10_000; waited += 50) {
    await pause(50)
    const line = probeLines(folder).findLast((one): one is MemoryUse => one.what === "memory" && one.at >= from)
    if (line !== undefined) return line
  }
  return null
}

/** A turn above this is looked into. */
export const longTurnMs = 250
const maxSuspects = 40

/** Of one kind so many are sent once more. */
const maxOfKind = 3
const maxAloneMs = 180_000
const maxCalmMs = 120_000

/** Hostile requests that were under way in a long turn, or when the process ended; the longest turns first. */
const suspectsOf = (run: Run, turns: ReadonlyArray<Turn>): ReadonlyArray<Sent> => {
  const long = turns.filter(({ cpuMs }) => cpuMs > longTurnMs).sort((a, b) => b.cpuMs - a.cpuMs)
  const ended = new Set(
    run.found.filter(({ cause }) => cause.startsWith("the process ended")).map(({ number }) => number)
  )
  const candidates = [
    ...run.sent.filter(({ number }) => ended.has(number)),
    ...long.flatMap(({ at, wallMs }) => run.sent.filter(({ from, to }) => from <= at && to >= at - wallMs))
  ]
  const taken = new Map<string, number>()
  const suspects = [...new Set(candidates)].filter(({ kind, name }) => {
    const count = taken.get(name) ?? 0
    taken.set(name, count + 1)
    return kind === "hostile" && count < maxOfKind
  })
  return suspects.slice(0, maxSuspects)
}

/** Waits until the server does nothing more: it answers soon, and no turn was long meanwhile. */
const calmed = async ({ folder, world }: Run): Promise<void> => {
  for (const end = Date.now() + maxCalmMs; Date.now() < end; ) {
    const from = Date.now()
    await pause(500)
    const isThere = await fetch(`${world.product.url}/healthz`).then(
      ({ ok }) => ok,
      () => false
    )
    if (isThere && Date.now() - from < 1000 && turnsIn(folder, from, Date.now()).length === 0) return
  }
}

/** Sends suspects once more, each alone. */
const alone = async (run: Run, turns: ReadonlyArray<Turn>): Promise<RequestRunResult["alone"]> => {
  const found: Array<{ readonly sent: Sent; readonly cpuMs: number }> = []
  const until = Date.now() + maxAloneMs
  for (const sent of suspectsOf(run, turns)) {
    if (Date.now() > until) break
    await calmed(run)
    const from = Date.now()
    await run.sendOne(run.make(sent.number))
    await pause(300)
    const cpuMs = Math.max(0, ...turnsIn(run.folder, from, Date.now()).map(({ cpuMs }) => cpuMs))
    if (cpuMs > longTurnMs) found.push({ sent, cpuMs })
  }
  return found.sort((a, b) => b.cpuMs - a.cpuMs)
}

/** What may still be under way after a run: conversations, deliveries, batches. */
const settleMs = 6000

const stopped = async ({ world }: Run): Promise<RequestRunResult["stop"]> => {
  const from = Date.now()
  world.product.signal("SIGTERM")
  const code = await Promise.race([world.product.ended(), pause(30_000).then(() => null)])
  return { code, ms: Date.now() - from }
}

const playRequests = async (run: Run): Promise<Omit<RequestRunResult, "options" | "folder">> => {
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
  else options.log(JSON.stringify(await run.sendOne(run.make(options.only)), null, 1).slice(0, 4000))
  await pause(300)
  const turns = turnsIn(folder, from, Date.now())
  const busy = await world.samples()
  const again = options.only === undefined ? await alone(run, turns) : []
  await pause(options.only === undefined ? settleMs : 500)
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
    const result = await playRequests(new Run(options, world, folder))
    return { options, folder: options.keeps === true ? folder : null, ...result }
  } finally {
    await world.close()
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, abort)
    if (options.keeps !== true) rmSync(folder, { recursive: true, force: true })
  }
}
