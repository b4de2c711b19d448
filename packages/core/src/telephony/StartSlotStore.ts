/** Port: when each carrier accepts its next call. Read and written under the lock of the carrier. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

export class StartSlotStore extends Context.Service<
  StartSlotStore,
  {
    /** The earliest instant at which a carrier may be asked for a call; null before the first. */
    readonly next: (carrier: string) => Effect.Effect<Instant.Instant | null, StorageError, Read>
    readonly setNext: (carrier: string, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/telephony/StartSlotStore") {}
