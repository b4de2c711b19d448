/** Port: bytes of the plan's storage that an account uses. Where no room stores files it is none. Source: docs/plans.md#counters. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Ids, Instant } from "../kernel/index.ts"
import type { Read, StorageError } from "../storage/index.ts"

export interface StoredBytes {
  /** Of what is there at an instant. */
  readonly used: (tenantId: Ids.AccountId, at: Instant.Instant) => Effect.Effect<number, StorageError, Read>
}

export const StoredBytes = Context.Reference<StoredBytes>("@trunkline/core/billing/StoredBytes", {
  defaultValue: () => ({ used: () => Effect.succeed(0) })
})
