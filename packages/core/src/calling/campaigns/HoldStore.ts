/** Port: holds of the preview desk. The campaign is locked where one is written. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { CampaignContact } from "./CampaignContact.ts"
import type { PreviewHold } from "./PreviewHold.ts"

export class HoldStore extends Context.Service<
  HoldStore,
  {
    /** Holds of a campaign that have not lapsed. */
    readonly ofCampaign: (
      campaignId: Ids.CampaignId,
      at: Instant.Instant
    ) => Effect.Effect<ReadonlyArray<PreviewHold>, StorageError, Read>
    /** Holds a contact in place of what its holder held before on the campaign, and of others whose hold on it has lapsed. */
    readonly put: (hold: PreviewHold) => Effect.Effect<void, StorageError, Tx>
    /** Ends a holder's hold on a campaign; false where there was none. */
    readonly release: (
      hold: Pick<PreviewHold, "tenantId" | "campaignId" | "actor">
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** Ends the hold on a contact, of any holder; false where there was none. */
    readonly releaseContact: (
      contact: Pick<CampaignContact, "tenantId" | "campaignId" | "id">
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** Contacts that wait for an approval in the order of dialing; those that were skipped behind the others, the longest skipped first. */
    readonly waiting: (
      campaignId: Ids.CampaignId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CampaignContact>, StorageError, Read>
  }
>()("@trunkline/core/calling/campaigns/HoldStore") {}
