/** Port: campaigns and their contact lists. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { CampaignState, CampaignStatus } from "./Campaign.ts"
import type { CampaignContact } from "./CampaignContact.ts"

/** What a campaign refers to, and what therefore cannot go while it has not ended. */
export type Reference =
  | { readonly _tag: "Bot"; readonly id: Ids.BotId }
  | { readonly _tag: "Number"; readonly id: Ids.NumberId }
  | { readonly _tag: "Template"; readonly id: Ids.TemplateId }

/** Which campaigns of an account are listed. Null asks for nothing. */
export interface CampaignFilter {
  readonly statuses: ReadonlyArray<CampaignStatus> | null
  /** A part of the name, in which the case of no script counts. */
  readonly search: string | null
}

export const everyCampaign: CampaignFilter = { statuses: null, search: null }

/** A campaign that the dialer must look at. */
export type DueCampaign = Pick<CampaignState, "id" | "tenantId" | "botId">

export class CampaignStore extends Context.Service<
  CampaignStore,
  {
    readonly add: (campaign: CampaignState) => Effect.Effect<void, StorageError, Tx>
    /** Writes back a campaign that was read under its lock. */
    readonly save: (campaign: CampaignState) => Effect.Effect<void, StorageError, Tx>
    readonly find: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId
    ) => Effect.Effect<CampaignState | null, StorageError, Read>
    /** For the service's own work: a request of a caller names its account, and uses `find`. */
    readonly findInAnyAccount: (id: Ids.CampaignId) => Effect.Effect<CampaignState | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: CampaignFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<CampaignState>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, filter: CampaignFilter) => Effect.Effect<number, StorageError, Read>
    /** Removes a campaign; its contacts go with it, at once or, where there are many, soon: nothing can see them any more. */
    readonly remove: (tenantId: Ids.AccountId, id: Ids.CampaignId) => Effect.Effect<boolean, StorageError, Tx>
    /** Removes up to `limit` contacts of campaigns that are gone; returns how many. */
    readonly sweep: (limit: number) => Effect.Effect<number, StorageError, Tx>
    /**
     * Campaigns that the dialer must look at, soonest first, without those of the accounts `except`. Its cost depends on what is
     * due, not on what exists.
     */
    readonly due: (query: {
      readonly at: Instant.Instant
      readonly limit: number
      readonly except: ReadonlyArray<Ids.AccountId>
    }) => Effect.Effect<ReadonlyArray<DueCampaign>, StorageError, Read>
    /** When the next campaign is due, or null. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** True when a campaign that has not ended refers to it. */
    readonly uses: (tenantId: Ids.AccountId, reference: Reference) => Effect.Effect<boolean, StorageError, Read>
  }
>()("@trunkline/core/calling/campaigns/CampaignStore") {}

export class CampaignContactStore extends Context.Service<
  CampaignContactStore,
  {
    readonly add: (contacts: ReadonlyArray<CampaignContact>) => Effect.Effect<void, StorageError, Tx>
    readonly save: (contact: CampaignContact) => Effect.Effect<void, StorageError, Tx>
    readonly find: (
      campaignId: Ids.CampaignId,
      id: Ids.ContactId
    ) => Effect.Effect<CampaignContact | null, StorageError, Read>
    readonly many: (
      ids: ReadonlyArray<Ids.ContactId>
    ) => Effect.Effect<ReadonlyArray<CampaignContact>, StorageError, Read>
    /**
     * Pending and approved contacts that may be dialed: first those whose next attempt is due, soonest first, then those without
     * an instant to wait for, in the order of the list.
     */
    readonly due: (
      campaignId: Ids.CampaignId,
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CampaignContact>, StorageError, Read>
    /** Approved contacts that may be dialed now, in the order of approval. */
    readonly dueApproved: (
      campaignId: Ids.CampaignId,
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CampaignContact>, StorageError, Read>
    /** The earliest next attempt; in preview mode among approved contacts alone. */
    readonly nextRetryAt: (
      campaignId: Ids.CampaignId,
      approvedOnly: boolean
    ) => Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Pending contacts without approval, in dialing order. */
    readonly pendingApproval: (
      campaignId: Ids.CampaignId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CampaignContact>, StorageError, Read>
    /** Approved contacts that have neither ended nor are being called. */
    readonly countApproved: (campaignId: Ids.CampaignId) => Effect.Effect<number, StorageError, Read>
  }
>()("@trunkline/core/calling/campaigns/CampaignContactStore") {}
