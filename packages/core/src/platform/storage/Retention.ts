/** Removes rows that are older than the operator keeps, and has the database make room for new ones. Source: docs/reference/storage.md#growth. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../kernel/index.ts"
import { type RetentionKind, RetentionStore } from "./RetentionStore.ts"
import type { StorageError } from "./StorageErrors.ts"

/** Days for which rows are kept at least; null for ever. */
export type RetentionSettings = Readonly<Record<RetentionKind, number | null>>

export const RetentionSettings = Context.Reference<RetentionSettings>(
  "@trunkline/core/platform/storage/RetentionSettings",
  {
    defaultValue: () => ({ usage: null, deliveries: null, events: null, calls: null, messages: null })
  }
)

/**
 * Bounds of the settings, in days. The usage log is shown for 90 days; retries of a delivery, a standstill of a reader of
 * events, and the days whose calls count for a campaign's rate of abandoned calls, are over by then.
 */
export const retentionDays = {
  min: { usage: 92, deliveries: 31, events: 31, calls: 31, messages: 31 },
  max: 36_500
} as const

/** Between two parts of the rows that are removed. */
const restMs = 50

const kinds: ReadonlyArray<RetentionKind> = ["usage", "deliveries", "events", "calls", "messages"]

export class Retention extends Context.Service<
  Retention,
  {
    /** Makes room, and removes all that is too old. */
    readonly tick: Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/platform/storage/Retention") {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const settings = yield* RetentionSettings
      const store = yield* RetentionStore

      const removeOld = Effect.fnUntraced(function* (kind: RetentionKind, days: number, at: Instant.Instant) {
        const before = Instant.plus(at, -days * Instant.day)
        while (yield* store.remove(kind, before)) yield* Effect.sleep(restMs)
      })

      return Retention.of({
        tick: Effect.gen(function* () {
          const at = yield* Instant.now
          yield* store.prepare(at)
          for (const kind of kinds) {
            const days = settings[kind]
            if (days !== null) yield* removeOld(kind, days, at)
          }
        })
      })
    })
  )
}
