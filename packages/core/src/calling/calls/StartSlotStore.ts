/** Port: when each carrier accepts its next call. Read and written under the lock of the carrier. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"

export interface StartSlot {
  readonly nextStartAt: Instant.Instant
  /** By the clock of the process that stored the slot; null for a slot of an earlier release. */
  readonly storedAt: Instant.Instant | null
}

export class StartSlotStore extends Context.Service<
  StartSlotStore,
  {
    /** The slot of a carrier; null before its first. */
    readonly find: (carrier: string) => Effect.Effect<StartSlot | null, StorageError, Read>
    readonly save: (carrier: string, slot: StartSlot) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/calling/calls/StartSlotStore") {}
