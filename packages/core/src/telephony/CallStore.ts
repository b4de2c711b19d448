/** Port: the calls table, and the carriers' start slots. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant, Page } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { PhoneNumber } from "../suppression/index.ts"
import type { Call, CallStatus } from "./Call.ts"

export interface CallFilter {
  readonly campaignId: Ids.CampaignId | null
  readonly contactId: Ids.ContactId | null
  readonly status: CallStatus | null
}

export class CallStore extends Context.Service<
  CallStore,
  {
    readonly add: (call: Call) => Effect.Effect<void, StorageError, Tx>
    /** Writes back a call that was read under its lock. */
    readonly save: (call: Call) => Effect.Effect<void, StorageError, Tx>
    readonly find: (id: Ids.CallId) => Effect.Effect<Call | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: CallFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, filter: CallFilter) => Effect.Effect<number, StorageError, Read>
    /** Calls of a campaign that have not ended, oldest first. */
    readonly openOfCampaign: (campaignId: Ids.CampaignId) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    /** Calls of an account that have not been answered yet. */
    readonly unansweredOf: (tenantId: Ids.AccountId) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    /** The call that has this record of the carrier's, in whatever account, or null. No two calls ever have the same. */
    readonly ownerOf: (provider: string, providerCallId: string) => Effect.Effect<Ids.CallId | null, StorageError, Read>
    /**
     * Calls to the same person, in whatever account, that started from `since` until `until` and that the carrier may know
     * under an id that we do not: those that are open, and those whose outcome is unknown.
     */
    readonly unnamed: (
      provider: string,
      key: PhoneNumber.MatchKey,
      since: Instant.Instant,
      until: Instant.Instant
    ) => Effect.Effect<ReadonlyArray<Ids.CallId>, StorageError, Read>
    /** Calls of one burst, ended ones included. */
    readonly ofBurst: (
      campaignId: Ids.CampaignId,
      burstId: Ids.BurstId
    ) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    /** Calls of a campaign that a person answered, and those of them that were abandoned, started since an instant. */
    readonly answerCounts: (
      campaignId: Ids.CampaignId,
      since: Instant.Instant
    ) => Effect.Effect<{ readonly answered: number; readonly abandoned: number }, StorageError, Read>
    /**
     * Takes up to `limit` calls that somebody must look after, soonest first, and sets their `checkAt` to `until`: two
     * callers never get the same call, and a caller that dies gives it up at `until`.
     */
    readonly claimDue: (
      at: Instant.Instant,
      until: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Call>, StorageError, Tx>
    /**
     * After a restart: every open call that the carrier has an id for is to be looked up at `at`, and what earlier requests
     * brought is forgotten.
     */
    readonly distrust: (at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /** When the next call must be looked after, or null. */
    readonly nextCheck: Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** The earliest instant at which a carrier may be asked for a call, and taking it: under the carrier's lock. */
    readonly nextStart: (carrier: string) => Effect.Effect<Instant.Instant | null, StorageError, Read>
    readonly setNextStart: (carrier: string, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/telephony/CallStore") {}
