/** Port: which calls need supervision, and which calls a carrier's record may belong to. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { PhoneNumber } from "../../platform/numbers/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { Call } from "./Call.ts"

export interface CallClaim {
  readonly at: Instant.Instant
  /** The claim lasts until then. */
  readonly until: Instant.Instant
  readonly limit: number
}

/** A carrier's id of a call: unique for each provider. */
export interface CarrierRecordId {
  readonly provider: string
  readonly providerCallId: string
}

export interface UnnamedFilter {
  readonly provider: string
  /** Whom the call is to. */
  readonly key: PhoneNumber.MatchKey
  /** Started between these instants, both included. */
  readonly since: Instant.Instant
  readonly until: Instant.Instant
}

export class CallSupervisionStore extends Context.Service<
  CallSupervisionStore,
  {
    /**
     * Claims up to `limit` calls that are due, soonest first, by setting their `checkAt` to `until`: two callers never get
     * the same call, and the claim of a caller that dies ends at `until`.
     */
    readonly claimDue: (claim: CallClaim) => Effect.Effect<ReadonlyArray<Call>, StorageError, Tx>
    /** When the next call is due, or null. */
    readonly nextCheck: Effect.Effect<Instant.Instant | null, StorageError, Read>
    /**
     * After a restart: every open call that the carrier has an id for is to be looked up at `at`, and the counters of earlier
     * look-ups are reset.
     */
    readonly markForReconciliation: (at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /** The call that has this record of the carrier's, in any account, or null. No two calls ever have the same. */
    readonly ownerOf: (record: CarrierRecordId) => Effect.Effect<Ids.CallId | null, StorageError, Read>
    /**
     * Calls to the same person, in any account, that the carrier may know under an id that we do not: those that are
     * open, and those whose outcome is unknown.
     */
    readonly unnamed: (filter: UnnamedFilter) => Effect.Effect<ReadonlyArray<Ids.CallId>, StorageError, Read>
  }
>()("@trunkline/core/calling/calls/CallSupervisionStore") {}
