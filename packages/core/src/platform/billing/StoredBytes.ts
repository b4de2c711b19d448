/**
 * Port: bytes of the plan's storage that an account uses, of files, knowledge and kept responses. Where no room stores anything it is
 * none. Source: docs/reference/plans.md#storage.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { LimitReached, Read, StorageError } from "../storage/index.ts"

export interface StoredBytes {
  /** The bytes of everything that is stored at an instant. */
  readonly used: (tenantId: Ids.AccountId, at: Instant.Instant) => Effect.Effect<number, StorageError, Read>
}

export const StoredBytes = Context.Reference<StoredBytes>("@trunkline/core/platform/billing/StoredBytes", {
  defaultValue: () => ({ used: () => Effect.succeed(0) })
})

/** Port: who knows the plan of an account. Where no room does, nothing is refused. */
export interface PlanStorage {
  /** Refuses bytes that do not fit into the plan's storage. */
  readonly checkRoom: (tenantId: Ids.AccountId, bytes: number) => Effect.Effect<void, LimitReached | StorageError, Read>
}

export const PlanStorage = Context.Reference<PlanStorage>("@trunkline/core/platform/billing/PlanStorage", {
  defaultValue: () => ({ checkRoom: () => Effect.void })
})
