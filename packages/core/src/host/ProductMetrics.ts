/**
 * What an operator's monitoring reads: counters of this process, and what waits or runs in the whole installation. Source:
 * docs/reference/operations.md#metrics.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { Instant } from "../platform/kernel/index.ts"
import {
  allSamples,
  type MetricDeclarations,
  type MetricSample,
  sample,
  type UnderWay
} from "../platform/room/index.ts"
import { Storage } from "../platform/storage/index.ts"
import { MetricsStore } from "./MetricsStore.ts"
import { StorageWatch } from "./Outage.ts"
import { type AnyRoom, type Rooms, roomMetrics } from "./Rooms.ts"
import { Workers } from "./Workers.ts"

/** The metrics of the host itself, and those to which several rooms add samples. */
const own = {
  trunkline_queue_lag_seconds: {
    type: "gauge",
    labels: ["queue"],
    of: "installation",
    help: "For how long the first row of a queue that no process has claimed has been due, 0 where none is"
  },
  trunkline_storage_unavailable: {
    type: "gauge",
    labels: [],
    of: "process",
    help: "1 while the storage cannot be reached or has no room"
  },
  trunkline_storage_failures_total: {
    type: "counter",
    labels: [],
    of: "process",
    help: "Operations that failed because the storage could not be reached or had no room"
  },
  trunkline_workers_running: {
    type: "gauge",
    labels: [],
    of: "process",
    help: "1 while the background work of this process runs"
  },
  trunkline_dialer_last_pass_timestamp_seconds: {
    type: "gauge",
    labels: [],
    of: "process",
    help: "When this process's dialer last finished a pass, 0 before the first"
  }
} as const satisfies MetricDeclarations

/** Every metric of these rooms, and of the host. */
export const declaredMetrics = (rooms: Rooms): MetricDeclarations =>
  Object.assign({}, ...roomMetrics(rooms).map(({ declared }) => declared), own)

export interface Metric {
  readonly name: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly help: string
  readonly samples: ReadonlyArray<MetricSample>
}

/** Maximum age of figures that are counted in the database. */
const freshMs = 5 * Instant.second

/** A storage that does not answer in time has no figures, and does not delay the others. */
const timeoutMs = 2 * Instant.second

export class ProductMetrics extends Context.Service<
  ProductMetrics,
  {
    /** Every metric that is declared. Figures of the database are left out while it does not answer. */
    readonly read: Effect.Effect<ReadonlyArray<Metric>>
  }
>()("@trunkline/core/host/ProductMetrics") {
  static readonly layer = (rooms: Rooms) => Layer.effect(ProductMetrics, make(rooms))
}

const make = Effect.fnUntraced(function* (rooms: Rooms) {
  const storage = yield* Storage
  const store = yield* MetricsStore
  const watch = yield* StorageWatch
  const workers = yield* Workers
  const one = yield* Semaphore.make(1)
  const readers = yield* Effect.all(roomMetrics(rooms).map(({ reader }) => reader as ReaderOf<AnyRoom["metrics"]>))
  const declared = Object.entries(declaredMetrics(rooms))

  let last: { readonly at: Instant.Instant; readonly underWay: UnderWay | null } | null = null
  const underWay = Effect.gen(function* () {
    const at = yield* Instant.now
    if (last !== null && at < last.at + freshMs) return last.underWay
    const found = yield* Effect.timeoutOption(Effect.option(storage.read(store.underWay)), timeoutMs)
    last = { at, underWay: Option.getOrNull(Option.flatten(found)) }
    return last.underWay
  }).pipe(Semaphore.withPermit(one))

  const read = Effect.gen(function* () {
    const counted = { underWay: yield* underWay, at: yield* Instant.now }
    const { lastPassAt, running } = workers.state()
    const { failures, unavailableSince } = watch.state()
    const samples = allSamples([
      ...readers.map((reader) => reader(counted)),
      {
        trunkline_storage_unavailable: [sample(unavailableSince === null ? 0 : 1)],
        trunkline_storage_failures_total: [sample(failures)],
        trunkline_workers_running: [sample(running ? 1 : 0)],
        trunkline_dialer_last_pass_timestamp_seconds: [sample((lastPassAt ?? 0) / Instant.second)]
      }
    ])
    return declared.map(([name, { help, type }]): Metric => ({ name, type, help, samples: samples[name] ?? [] }))
  })

  return ProductMetrics.of({ read })
})

type ReaderOf<M> = M extends { readonly reader: infer Reader } ? Reader : never

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (one) => (one === "\n" ? "\\n" : `\\${one}`))

/** Metrics in the text format of Prometheus, each with its help and its type; those without samples are left out. Pure. */
export const prometheusText = (metrics: ReadonlyArray<Metric>): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ help, name, samples, type }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels, part, value }) => {
        const written = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
        return `${name}${part === undefined ? "" : `_${part}`}${written.length === 0 ? "" : `{${written.join(",")}}`} ${value}`
      })
    ])
    .map((line) => `${line}\n`)
    .join("")
