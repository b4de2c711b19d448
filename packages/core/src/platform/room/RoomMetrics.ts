/** What a metric is, and how a room has some. Source: docs/reference/operations.md#metrics. */
import type * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"

/** How a metric is declared. No label has an account or an id, so that the number of series is bounded. */
export interface MetricDeclaration {
  readonly type: "counter" | "gauge" | "histogram"
  readonly labels: ReadonlyArray<string>
  /** `installation`: counted in the database, and the same in every process. */
  readonly of: "process" | "installation"
  readonly help: string
}

export type MetricDeclarations = Readonly<Record<string, MetricDeclaration>>

export interface MetricSample {
  /** Of a histogram: how many values are at most `le`, their sum, or how many there are. */
  readonly part?: "bucket" | "sum" | "count"
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Queues of the installation: what a worker does when it is due. */
export type Queue = "campaigns" | "calls" | "deliveries" | "replies" | "batches" | "analyses"

export interface UnderWay {
  /** Calls that have not ended. */
  readonly calls: ReadonlyArray<{ readonly status: string; readonly n: number }>
  /** Deliveries whose next attempt is to come or under way. */
  readonly deliveries: number
  /** Customers with messages to be answered or parts to be sent. */
  readonly replies: number
  /** Template campaigns that are running. */
  readonly templateCampaigns: number
  /** Requests to models with a reservation, and the nano-credits that they have reserved. */
  readonly inference: ReadonlyArray<{ readonly service: string; readonly n: number; readonly reserved: bigint }>
  /** Nano-credits that open calls have reserved. */
  readonly reservedByCalls: bigint
  /** When the first row of each queue that no process has claimed was due, or will be; null where there is none. */
  readonly due: Readonly<Record<Queue, Instant.Instant | null>>
}

/** The figures that are counted in the database when metrics are read. */
export interface Counted {
  /** Null while the storage does not answer. */
  readonly underWay: UnderWay | null
  readonly at: Instant.Instant
}

/** Samples by the names of metrics. A room may add samples to a metric that another one declares. */
export type MetricSamples = Readonly<Record<string, ReadonlyArray<MetricSample>>>

/** Reads a room's figures. */
export type ReadMetrics = (counted: Counted) => MetricSamples

/** The metrics that a room declares, and what makes its reader once its services are there. */
export interface RoomMetrics {
  readonly declared: MetricDeclarations
  readonly reader: Effect.Effect<ReadMetrics, unknown, unknown>
}

export const sample = (value: number, labels: MetricSample["labels"] = {}): MetricSample => ({ labels, value })

/** Counts by labels. */
export class Counts {
  readonly #samples = new Map<string, { readonly labels: MetricSample["labels"]; value: number }>()

  add(labels: MetricSample["labels"], amount = 1): void {
    const key = JSON.stringify(labels)
    const known = this.#samples.get(key)
    if (known === undefined) this.#samples.set(key, { labels, value: amount })
    else known.value += amount
  }

  get samples(): ReadonlyArray<MetricSample> {
    return [...this.#samples.values()].map(({ labels, value }) => ({ labels, value }))
  }
}

/** How long something has taken, by bounds of seconds. It has samples from the beginning: a rate needs a first value. */
export class Durations {
  readonly #bounds: ReadonlyArray<number>
  readonly #counts: Array<number>
  #sum = 0
  #count = 0

  constructor(bounds: ReadonlyArray<number>) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  observe(seconds: number): void {
    this.#sum += seconds
    this.#count += 1
    for (const [nth, bound] of this.#bounds.entries()) if (seconds <= bound) this.#counts[nth]! += 1
  }

  get samples(): ReadonlyArray<MetricSample> {
    const bucket = (le: string, value: number): MetricSample => ({ part: "bucket", labels: { le }, value })
    return [
      ...this.#bounds.map((bound, nth) => bucket(String(bound), this.#counts[nth]!)),
      bucket("+Inf", this.#count),
      { part: "sum", labels: {}, value: this.#sum },
      { part: "count", labels: {}, value: this.#count }
    ]
  }
}

/** For how long the first row of a queue has been due that no process has claimed. */
export const queueLag = (queue: keyof UnderWay["due"], { at, underWay }: Counted): MetricSamples => {
  if (underWay === null) return {}
  const since = underWay.due[queue]
  const seconds = since === null ? 0 : Math.max(0, at - since) / Instant.second
  return { trunkline_queue_lag_seconds: [sample(seconds, { queue })] }
}

/** All samples of several readers. */
export const allSamples = (parts: ReadonlyArray<MetricSamples>): MetricSamples => {
  const all = new Map<string, ReadonlyArray<MetricSample>>()
  for (const part of parts) {
    for (const [name, samples] of Object.entries(part)) all.set(name, [...(all.get(name) ?? []), ...samples])
  }
  return Object.fromEntries(all)
}
