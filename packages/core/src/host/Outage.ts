/**
 * Notices that the storage is unavailable, so that the log has a few lines for an outage instead of one for each operation that fails.
 * Source: docs/reference/operations.md#outage.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { Instant } from "../platform/kernel/index.ts"
import { Storage, StorageError } from "../platform/storage/index.ts"

/** Interval of the lines while an outage lasts. */
const everyMs = Instant.minute

/** An outage ends when an operation succeeds and none has failed for this time: single connections may break. */
const calmMs = 5 * Instant.second

export interface StorageState {
  /** When the present outage began; null while there is none. */
  readonly unavailableSince: Instant.Instant | null
  /** Operations that failed since the process began, for lack of a connection or of disk space. */
  readonly failures: number
}

/** True of a failure that the lines about the outage cover. */
export const isOutage = (error: unknown): error is StorageError =>
  error instanceof StorageError && (error.reason === "unavailable" || error.reason === "full")

/** True of a cause in which nothing else has gone wrong. */
export const isOutageCause = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.length > 0 && reasons.every((reason) => Cause.isFailReason(reason) && isOutage(reason.error))

/** How the storage is. */
export class StorageWatch extends Context.Service<StorageWatch, { readonly state: () => StorageState }>()(
  "@trunkline/core/host/StorageWatch"
) {}

interface Outage {
  readonly reason: StorageError["reason"]
  readonly since: Instant.Instant
  failures: number
  last: Instant.Instant
  loggedAt: Instant.Instant
}

/** Without the annotations of a request: the line is about all operations. */
const say = (log: Effect.Effect<void>) => Effect.provideService(log, References.CurrentLogAnnotations, {})

/** The storage, watched. Its lines are one when an outage begins, one a minute while it lasts, and one when it is over. */
export const watchedStorage: Layer.Layer<Storage | StorageWatch, never, Storage> = Layer.effectContext(
  Effect.map(Storage, (storage) => {
    let outage: Outage | null = null
    let failures = 0

    const failed = (error: unknown): Effect.Effect<void> =>
      isOutage(error)
        ? Effect.flatMap(Instant.now, (at) => {
            failures += 1
            if (outage === null) {
              outage = { reason: error.reason, since: at, failures: 1, last: at, loggedAt: at }
              return say(Effect.logError(`storage ${error.reason} since ${Instant.toIso(at)}: ${error.detail}`))
            }
            outage.failures += 1
            outage.last = at
            if (at - outage.loggedAt < everyMs) return Effect.void
            outage.loggedAt = at
            const { reason, since } = outage
            return say(
              Effect.logError(
                `storage ${reason} since ${Instant.toIso(since)}: ${outage.failures} operations failed so far`
              )
            )
          })
        : Effect.void

    /** Who can read may still not write, where there is no room. */
    const succeeded = (isWrite: boolean): Effect.Effect<void> =>
      Effect.flatMap(Instant.now, (at) => {
        if (outage === null || at - outage.last < calmMs || (outage.reason === "full" && !isWrite)) return Effect.void
        const { failures: count, last, reason, since } = outage
        outage = null
        const seconds = Math.ceil((last - since) / Instant.second)
        return say(
          Effect.logWarning(
            `storage available again: ${reason} from ${Instant.toIso(since)} for ${seconds} s, ${count} operations failed`
          )
        )
      })

    const watched = <A, E, R>(work: Effect.Effect<A, E, R>, isWrite: boolean): Effect.Effect<A, E, R> => {
      const watching = Effect.tapError(work, failed)
      const ending = Effect.tap(watching, () => succeeded(isWrite))
      // While all is well a success costs nothing. Decided at each run: workers build their operations once, before any outage.
      return Effect.suspend(() => (outage === null ? watching : ending))
    }

    return Context.make(Storage, {
      transact: (program) => watched(storage.transact(program), true),
      transactWith: (options) => {
        const transact = storage.transactWith(options)
        return (program) => watched(transact(program), true)
      },
      durable: watched(storage.durable, true),
      read: (program) => watched(storage.read(program), false),
      ready: watched(storage.ready, true)
    }).pipe(Context.add(StorageWatch, { state: () => ({ unavailableSince: outage?.since ?? null, failures }) }))
  })
)
