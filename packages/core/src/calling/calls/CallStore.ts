/** Port: calls. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { Call, CallStatus } from "./Call.ts"

export interface CallFilter {
  readonly campaignId: Ids.CampaignId | null
  readonly contactId: Ids.ContactId | null
  readonly status: CallStatus | null
}

export interface AnswerCounts {
  readonly answered: number
  readonly abandoned: number
  readonly answeredByAnybody: number
}

export class CallStore extends Context.Service<
  CallStore,
  {
    readonly add: (call: Call) => Effect.Effect<void, StorageError, Tx>
    /** Writes back a call that was read under its lock. */
    readonly save: (call: Call) => Effect.Effect<void, StorageError, Tx>
    /** For the service's own work, and for callers who compare the account. */
    readonly findInAnyAccount: (id: Ids.CallId) => Effect.Effect<Call | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: CallFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, filter: CallFilter) => Effect.Effect<number, StorageError, Read>
    /** Calls of a campaign that have not ended, oldest first. */
    readonly openOfCampaign: (campaignId: Ids.CampaignId) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    readonly countOpenOfCampaign: (campaignId: Ids.CampaignId) => Effect.Effect<number, StorageError, Read>
    /** Calls of an account that have not been answered yet. */
    readonly unansweredOf: (tenantId: Ids.AccountId) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    /** Calls of an account that have a place for a session that has not begun. */
    readonly countAwaitingAgent: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    /** Calls of one parallel dial, ended ones included. */
    readonly legsOf: (
      campaignId: Ids.CampaignId,
      burstId: Ids.BurstId
    ) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    /**
     * Calls of a campaign that were started since an instant: those that a person answered, those of them that were abandoned, and
     * those that were answered by a person or a machine.
     */
    readonly answerCounts: (
      campaignId: Ids.CampaignId,
      since: Instant.Instant
    ) => Effect.Effect<AnswerCounts, StorageError, Read>
    /**
     * Number of calls of a campaign that started at or after an instant. Calls that were provably never placed do not count.
     */
    readonly startedSince: (
      campaignId: Ids.CampaignId,
      since: Instant.Instant
    ) => Effect.Effect<number, StorageError, Read>
  }
>()("@trunkline/core/calling/calls/CallStore") {}
