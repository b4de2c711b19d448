/** Sends what a seed has, some at a time, to a server that is started again wherever it ends. */
import type { Command } from "../faults/Processes.ts"
import { problemsOf } from "./AnswerChecks.ts"
import { drawn, requestOf } from "./RequestPlan.ts"
import type { Generated, Outcome, RawRequest } from "./Requests.ts"
import type { RequestWorld } from "./RequestWorld.ts"
import { send } from "./Sending.ts"

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
  /** Idle connections stand for this part of their time. */
  readonly patience?: number
  /** Time after the last request in which what is under way may end. */
  readonly settleMs: number
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

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** More of those that stand for long are not under way at a time. */
const maxPatient = 30
/** A server that ends again and again is not started for ever. */
const maxStarts = 40

const standing = (generated: Generated, patience: number): Generated => {
  const { request } = generated
  if (request.via !== "raw" || patience === 1) return generated
  const scaled = (one: RawRequest): RawRequest => ({
    ...one,
    steps: one.steps.map((step) => (typeof step === "number" ? step * patience : step))
  })
  return { ...generated, request: { ...scaled(request), beside: (request.beside ?? []).map(scaled) } }
}

export class SendingRun {
  readonly options: RequestRunOptions
  readonly world: RequestWorld
  readonly folder: string
  readonly found: Array<Found> = []
  readonly sent: Array<Sent> = []
  readonly underWay = new Map<number, Generated>()
  readonly patient = new Set<Promise<unknown>>()
  peak = 0
  /** So many were not sent in time. */
  unsent = 0
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
    return standing(requestOf(this.options.seed, number, this.world.asking), this.options.patience ?? 1)
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
    this.unsent = Math.max(0, requests - next + 1)
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
