/** What the simulated carrier remembers of the calls it has taken, so that they go on while the server is down. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

/** One call in the simulated network. What state it is in follows from these facts and the present instant. */
export interface BookedCall {
  readonly callId: Ids.CallId
  readonly providerCallId: string
  readonly to: string
  readonly from: string | null
  readonly detectMachine: boolean
  readonly acceptedAt: Instant.Instant
  /** When our side ended it, whatever state it was in. */
  readonly stoppedAt: Instant.Instant | null
  /** When our side began to leave a message. */
  readonly messageAt: Instant.Instant | null
  /** When all that there is to tell has been told. Null while the call is still to be told of. */
  readonly closedAt: Instant.Instant | null
}

export class CarrierBook extends Context.Service<
  CarrierBook,
  {
    /** Writes a call down. A call that is there already stays as it is. */
    readonly accept: (call: BookedCall) => Effect.Effect<void, StorageError, Tx>
    /** Sets `stoppedAt`, once: the first caller's instant stands. */
    readonly stop: (callId: Ids.CallId, at: Instant.Instant) => Effect.Effect<BookedCall | null, StorageError, Tx>
    /** Sets `messageAt`, once. */
    readonly message: (callId: Ids.CallId, at: Instant.Instant) => Effect.Effect<BookedCall | null, StorageError, Tx>
    readonly close: (callId: Ids.CallId, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    readonly find: (callId: Ids.CallId) => Effect.Effect<BookedCall | null, StorageError, Read>
    /** All calls not yet closed, oldest first. */
    readonly open: Effect.Effect<ReadonlyArray<BookedCall>, StorageError, Read>
  }
>()("@trunkline/core/telephony/CarrierBook") {}
