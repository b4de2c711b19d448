/** Port: alerts. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import type { Alert } from "./Alert.ts"

export class AlertStore extends Context.Service<
  AlertStore,
  {
    readonly add: (alert: Alert) => Effect.Effect<void, StorageError, Tx>
    readonly find: (tenantId: Ids.AccountId, id: Ids.VoiceAlertId) => Effect.Effect<Alert | null, StorageError, Read>
    /** Locks the alert until the end of the transaction, and returns it as it is then. */
    readonly lock: (tenantId: Ids.AccountId, id: Ids.VoiceAlertId) => Effect.Effect<Alert | null, StorageError, Tx>
    /** Newest first. */
    readonly list: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<ReadonlyArray<Alert>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    /** Writes a locked alert. */
    readonly save: (alert: Alert) => Effect.Effect<void, StorageError, Tx>
    readonly remove: (tenantId: Ids.AccountId, id: Ids.VoiceAlertId) => Effect.Effect<void, StorageError, Tx>
    /** Locks up to `limit` alerts that are due, the soonest first; skips those that another transaction has locked. */
    readonly lockDue: (at: Instant.Instant, limit: number) => Effect.Effect<ReadonlyArray<Alert>, StorageError, Tx>
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError, Read>
  }
>()("@trunkline/core/voice/alerts/AlertStore") {}
