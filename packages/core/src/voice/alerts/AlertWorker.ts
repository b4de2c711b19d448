/** Evaluates alerts that are due: each once in an interval, whatever number of processes looks. */
import * as Effect from "effect/Effect"
import { Outbox } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { type Read, Storage, type StorageError } from "../../platform/storage/index.ts"
import { type Alert, type AlertMetric, evaluated, eventOf } from "./Alert.ts"
import { AlertReadingStore, type Window } from "./AlertReadingStore.ts"
import { averageOf, rankOfP95, rateOf } from "./AlertReadings.ts"
import { AlertSettings } from "./AlertSettings.ts"
import { AlertStore } from "./AlertStore.ts"

/** Alerts that are evaluated in one transaction. */
const batchSize = 20

type Reading = (store: AlertReadingStore["Service"], window: Window) => Effect.Effect<number | null, StorageError, Read>

const readings: Readonly<Record<AlertMetric, Reading>> = {
  connect_rate: (store, window) =>
    Effect.map(store.endedCalls(window), ({ answered, ended }) => rateOf(answered, ended)),
  failure_rate: (store, window) =>
    Effect.map(store.endedCalls(window), ({ answered, ended }) => rateOf(ended - answered, ended)),
  call_volume: (store, window) => store.placedCalls(window),
  session_failure_rate: (store, window) =>
    Effect.map(store.endedSessions(window), ({ ended, unsuccessful }) => rateOf(unsuccessful, ended)),
  hangup_rate: (store, window) => Effect.map(store.endedSessions(window), ({ ended, hungUp }) => rateOf(hungUp, ended)),
  latency_p95: (store, window) =>
    Effect.flatMap(store.replies(window), (count) =>
      count === 0 ? Effect.succeed(null) : store.replyLatency(window, rankOfP95(count))
    ),
  average_duration: (store, window) => Effect.map(store.endedSessions(window), averageOf)
}

export interface AlertWorker {
  /** Evaluates all alerts that are due; returns how many. */
  readonly tick: Effect.Effect<number, StorageError>
  readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
}

export const makeAlertWorker = Effect.gen(function* () {
  const { everySeconds } = yield* AlertSettings
  const outbox = yield* Outbox
  const readingStore = yield* AlertReadingStore
  const storage = yield* Storage
  const store = yield* AlertStore
  const everyMs = everySeconds * Instant.second

  /** The alert's event, where it fires. */
  const evaluate = Effect.fnUntraced(function* (alert: Alert, at: Instant.Instant) {
    const { botId, metric, tenantId, windowSeconds } = alert
    const from = Instant.plus(at, -windowSeconds * Instant.second)
    const value = yield* readings[metric](readingStore, { tenantId, botId, from, to: at })
    const { fires, next } = evaluated(alert, value, { at, everyMs })
    yield* store.save(next)
    return fires && value !== null ? [eventOf(next, value, at)] : []
  })

  const pass = Effect.gen(function* () {
    const at = yield* Instant.now
    const due = yield* store.lockDue(at, batchSize)
    const fired = yield* Effect.forEach(due, (alert) => evaluate(alert, at))
    return { count: due.length, events: yield* outbox.append(fired.flat()) }
  })

  const tick = Effect.gen(function* () {
    for (let done = 0; ; ) {
      const { count, events } = yield* storage.transact(pass)
      yield* outbox.publish(events)
      done += count
      if (count < batchSize) return done
    }
  })

  return { tick, nextDue: storage.read(store.nextDue) } satisfies AlertWorker
})
