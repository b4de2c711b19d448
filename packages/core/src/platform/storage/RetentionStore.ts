/** Port: how a database grows and what it removes. Source: docs/reference/storage.md#growth. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type { StorageError } from "./StorageErrors.ts"

/** What grows with time: rows of the usage log, finished deliveries, events of the outbox, ended calls, and messages. */
export type RetentionKind = "usage" | "deliveries" | "events" | "calls" | "messages"

export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Makes room ahead of time for what is written from an instant until the next look. Several processes may do it at once. A
     * row that is written before there is room is stored all the same.
     */
    readonly prepare: (at: Instant.Instant) => Effect.Effect<void, StorageError>
    /**
     * Removes rows that are older than an instant and not needed any more, in parts that keep nobody waiting; true where there may
     * be more to remove at once. Needed are a delivery that is still tried, a call that has not ended, and a message that is being sent.
     */
    readonly remove: (kind: RetentionKind, before: Instant.Instant) => Effect.Effect<boolean, StorageError>
  }
>()("@trunkline/core/platform/storage/RetentionStore") {}
