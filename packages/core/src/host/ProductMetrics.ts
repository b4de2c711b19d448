/**
 * What an operator's monitoring reads: counters of this process, and what waits or runs in the whole installation. No label has
 * an account or an id, so that the number of series is bounded. Source: docs/reference/operations.md#metrics.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { ReplyWorker } from "../messaging/replies/index.ts"
import { Metering, Money } from "../platform/billing/index.ts"
import { Outbox } from "../platform/events/index.ts"
import { Instant } from "../platform/kernel/index.ts"
import { Storage, StorageCounters, type StorageCounts } from "../platform/storage/index.ts"
import { VoiceCounters, type VoiceCounts } from "../voice/live/index.ts"
import { Deliverer } from "../webhooks/deliveries/index.ts"
import { MetricsStore, type UnderWay } from "./MetricsStore.ts"
import { StorageWatch } from "./Outage.ts"
import { Workers } from "./Workers.ts"

/** How a metric is declared. */
interface Declared {
  readonly type: "counter" | "gauge"
  readonly labels: ReadonlyArray<string>
  /** `installation`: counted in the database, and the same in every process. */
  readonly of: "process" | "installation"
  readonly help: string
}

/** Every metric of the product. Source: docs/reference/operations.md#metrics. */
export const metricCatalogue = {
  trunkline_calls_open: {
    type: "gauge",
    labels: ["status"],
    of: "installation",
    help: "Calls that have not ended"
  },
  trunkline_calls_total: {
    type: "counter",
    labels: ["status"],
    of: "process",
    help: "Calls whose end this process has written, by their last status"
  },
  trunkline_deliveries_waiting: {
    type: "gauge",
    labels: [],
    of: "installation",
    help: "Webhook deliveries whose next attempt is to come or under way, 100000 at most"
  },
  trunkline_deliveries_total: {
    type: "counter",
    labels: ["status"],
    of: "process",
    help: "Webhook deliveries that this process has ended"
  },
  trunkline_delivery_attempts_running: {
    type: "gauge",
    labels: [],
    of: "process",
    help: "Attempts of webhook deliveries that are under way"
  },
  trunkline_replies_waiting: {
    type: "gauge",
    labels: [],
    of: "installation",
    help: "Chat customers with messages to be answered or answers to be sent, 100000 at most"
  },
  trunkline_replies_running: {
    type: "gauge",
    labels: [],
    of: "process",
    help: "Chat customers whose messages are being answered"
  },
  trunkline_queue_lag_seconds: {
    type: "gauge",
    labels: ["queue"],
    of: "installation",
    help: "For how long the first row of a queue that no process has claimed has been due, 0 where none is"
  },
  trunkline_inference_running: {
    type: "gauge",
    labels: ["service"],
    of: "installation",
    help: "Requests to models that are under way, those of agents included"
  },
  trunkline_inference_requests_total: {
    type: "counter",
    labels: ["service", "status"],
    of: "process",
    help: "Requests that reached a model's upstream, by the HTTP status of their answer, those of agents included"
  },
  trunkline_credits_reserved: {
    type: "gauge",
    labels: ["kind"],
    of: "installation",
    help: "Credits that open calls and running requests hold of balances"
  },
  trunkline_credits_spent_total: {
    type: "counter",
    labels: ["kind"],
    of: "process",
    help: "Credits that ended calls and requests have cost, whether or not the plan deducts them"
  },
  trunkline_events_total: {
    type: "counter",
    labels: ["event"],
    of: "process",
    help: "Events that this process has committed"
  },
  trunkline_voice_sessions_active: {
    type: "gauge",
    labels: [],
    of: "process",
    help: "Voice sessions that this process carries"
  },
  trunkline_voice_sessions_total: {
    type: "counter",
    labels: ["end_reason"],
    of: "process",
    help: "Voice sessions that this process has ended"
  },
  trunkline_voice_stage_seconds_sum: {
    type: "counter",
    labels: ["stage"],
    of: "process",
    help: "Time of replies to turns, by stage; own is what no model and no silence has used"
  },
  trunkline_voice_stage_seconds_count: {
    type: "counter",
    labels: ["stage"],
    of: "process",
    help: "Replies to turns that had the stage"
  },
  trunkline_voice_interruptions_total: {
    type: "counter",
    labels: [],
    of: "process",
    help: "Times at which a caller has stopped an agent"
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
  trunkline_storage_connections: {
    type: "gauge",
    labels: ["state"],
    of: "process",
    help: "Connections of the pool to Postgres, used or idle"
  },
  trunkline_storage_connections_max: {
    type: "gauge",
    labels: [],
    of: "process",
    help: "Maximum number of connections of the pool to Postgres"
  },
  trunkline_storage_connections_waiting: {
    type: "gauge",
    labels: [],
    of: "process",
    help: "Transactions that wait for a connection to Postgres"
  },
  trunkline_sqlite_size_bytes: {
    type: "gauge",
    labels: ["file"],
    of: "process",
    help: "Size of the SQLite database and of its write-ahead log"
  },
  trunkline_signals_sent_total: {
    type: "counter",
    labels: [],
    of: "process",
    help: "Signals that this process has sent to the others"
  },
  trunkline_signals_received_total: {
    type: "counter",
    labels: [],
    of: "process",
    help: "Signals of other processes that this one has received"
  },
  trunkline_signals_listening: {
    type: "gauge",
    labels: [],
    of: "process",
    help: "1 while this process listens to signals of others, 0 while it only polls"
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
} as const satisfies Readonly<Record<string, Declared>>

type Name = keyof typeof metricCatalogue

export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Metric {
  readonly name: string
  readonly type: "counter" | "gauge"
  readonly help: string
  readonly samples: ReadonlyArray<MetricSample>
}

/** Maximum age of what is counted in the database. */
const freshMs = 5 * Instant.second

/** A storage that does not answer in time has no figures, and does not delay the others. */
const timeoutMs = 2 * Instant.second

const sample = (value: number, labels: MetricSample["labels"] = {}): MetricSample => ({ labels, value })

/** Counts by labels. */
class Counts {
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

const ofStorage = ({ files, pool, signals }: StorageCounts) => ({
  trunkline_storage_connections:
    pool === null ? [] : [sample(pool.used, { state: "used" }), sample(pool.idle, { state: "idle" })],
  trunkline_storage_connections_max: pool === null ? [] : [sample(pool.max)],
  trunkline_storage_connections_waiting: pool === null ? [] : [sample(pool.waiting)],
  trunkline_sqlite_size_bytes:
    files === null ? [] : [sample(files.databaseBytes, { file: "database" }), sample(files.logBytes, { file: "wal" })],
  trunkline_signals_sent_total: signals === null ? [] : [sample(signals.sent)],
  trunkline_signals_received_total: signals === null ? [] : [sample(signals.received)],
  trunkline_signals_listening: signals === null ? [] : [sample(signals.isListening ? 1 : 0)]
})

const credits = (nano: Money.Nano): number => Money.toNumber(nano)

const ofVoice = ({ active, endedBy, interruptions, stages }: VoiceCounts) => ({
  trunkline_voice_sessions_active: [sample(active)],
  trunkline_voice_sessions_total: [...endedBy].map(([end_reason, n]) => sample(n, { end_reason })),
  trunkline_voice_stage_seconds_sum: [...stages].map(([stage, { seconds }]) => sample(seconds, { stage })),
  trunkline_voice_stage_seconds_count: [...stages].map(([stage, { count }]) => sample(count, { stage })),
  trunkline_voice_interruptions_total: [sample(interruptions)]
})

const ofInstallation = (
  { calls, deliveries, due, inference, replies, reservedByCalls }: UnderWay,
  at: Instant.Instant
) => {
  const reserved = inference.reduce((sum, one) => sum + one.reserved, 0n)
  return {
    trunkline_calls_open: calls.map(({ n, status }) => sample(n, { status })),
    trunkline_deliveries_waiting: [sample(deliveries)],
    trunkline_replies_waiting: [sample(replies)],
    trunkline_queue_lag_seconds: Object.entries(due).map(([queue, since]) =>
      sample(since === null ? 0 : Math.max(0, at - since) / Instant.second, { queue })
    ),
    trunkline_inference_running: inference.map(({ n, service }) => sample(n, { service })),
    trunkline_credits_reserved: [
      sample(credits(reservedByCalls), { kind: "call" }),
      sample(credits(reserved), { kind: "inference" })
    ]
  } satisfies Partial<Record<Name, ReadonlyArray<MetricSample>>>
}

export class ProductMetrics extends Context.Service<
  ProductMetrics,
  {
    /** Every metric, in the order of the catalogue. What is counted in the database is left out while that does not answer. */
    readonly read: Effect.Effect<ReadonlyArray<Metric>>
  }
>()("@trunkline/core/host/ProductMetrics") {
  static readonly layer = Layer.effect(
    ProductMetrics,
    Effect.gen(function* () {
      const deliverer = yield* Deliverer
      const metering = yield* Metering
      const outbox = yield* Outbox
      const replies = yield* ReplyWorker
      const storage = yield* Storage
      const storageCounters = yield* StorageCounters
      const store = yield* MetricsStore
      const voice = yield* VoiceCounters
      const watch = yield* StorageWatch
      const workers = yield* Workers
      const one = yield* Semaphore.make(1)

      const [endedCalls, events] = [new Counts(), new Counts()]
      let spentOnCalls = 0
      outbox.on("*", ({ data, event }) =>
        Effect.sync(() => {
          events.add({ event })
          if (event !== "call.completed" && event !== "call.failed") return
          endedCalls.add({ status: String(data.status) })
          spentOnCalls += Number(data.credits)
        })
      )

      let last: { readonly at: Instant.Instant; readonly underWay: UnderWay | null } | null = null
      const underWay = Effect.gen(function* () {
        const at = yield* Instant.now
        if (last !== null && at < last.at + freshMs) return last.underWay
        const found = yield* Effect.timeoutOption(Effect.option(storage.read(store.underWay)), timeoutMs)
        last = { at, underWay: Option.getOrNull(Option.flatten(found)) }
        return last.underWay
      }).pipe(Semaphore.withPermit(one))

      const read = Effect.gen(function* () {
        const present = yield* underWay
        const at = yield* Instant.now
        const { lastPassAt, running } = workers.state()
        const { failures, unavailableSince } = watch.state()
        const samples: Readonly<Record<Name, ReadonlyArray<MetricSample>>> = {
          ...(present === null ? nothing : ofInstallation(present, at)),
          trunkline_calls_total: endedCalls.samples,
          trunkline_deliveries_total: Object.entries(deliverer.ended()).map(([status, n]) => sample(n, { status })),
          trunkline_delivery_attempts_running: [sample(deliverer.running())],
          trunkline_replies_running: [sample(replies.running())],
          trunkline_inference_requests_total: metering
            .counts()
            .map(({ httpStatus, n, service }) => sample(n, { service, status: String(httpStatus) })),
          trunkline_credits_spent_total: [
            sample(spentOnCalls, { kind: "call" }),
            sample(credits(metering.spent()), { kind: "inference" })
          ],
          trunkline_events_total: events.samples,
          ...ofVoice(voice.read()),
          trunkline_storage_unavailable: [sample(unavailableSince === null ? 0 : 1)],
          trunkline_storage_failures_total: [sample(failures)],
          ...ofStorage(storageCounters.read()),
          trunkline_workers_running: [sample(running ? 1 : 0)],
          trunkline_dialer_last_pass_timestamp_seconds: [sample((lastPassAt ?? 0) / Instant.second)]
        }
        return names.map((name): Metric => {
          const { help, type } = metricCatalogue[name]
          return { name, type, help, samples: samples[name] }
        })
      })

      return ProductMetrics.of({ read })
    })
  )
}

/** The keys of our own object are its names. */
const names = Object.keys(metricCatalogue) as ReadonlyArray<Name>

const nothing = {
  trunkline_calls_open: [],
  trunkline_deliveries_waiting: [],
  trunkline_replies_waiting: [],
  trunkline_queue_lag_seconds: [],
  trunkline_inference_running: [],
  trunkline_credits_reserved: []
} satisfies Partial<Record<Name, ReadonlyArray<MetricSample>>>

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (one) => (one === "\n" ? "\\n" : `\\${one}`))

/** Metrics in the text format of Prometheus, each with its help and its type; those without samples are left out. Pure. */
export const prometheusText = (metrics: ReadonlyArray<Metric>): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ help, name, samples, type }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels, value }) => {
        const written = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
        return `${name}${written.length === 0 ? "" : `{${written.join(",")}}`} ${value}`
      })
    ])
    .map((line) => `${line}\n`)
    .join("")
