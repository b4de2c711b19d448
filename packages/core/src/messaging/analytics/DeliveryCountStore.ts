/** Port: counts of messages by interval, out of our own records. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { StatusCount } from "./DeliveryRows.ts"

/** Which messages are counted; null for all. */
export interface DeliveryFilter {
  readonly phoneNumberId: string | null
  /** Messages of this campaign, and what its contacts have replied. A campaign has one number: the filter of numbers stands aside. */
  readonly campaignId: Ids.TemplateCampaignId | null
  readonly type: string | null
}

export class DeliveryCountStore extends Context.Service<
  DeliveryCountStore,
  {
    /**
     * Counts messages by the interval in which they were created, by status and by code. `bounds` has the first instant of each
     * interval and the end of the last one, in their order; an interval without messages is left out. Numbers that were disconnected
     * count too.
     */
    readonly count: (
      tenantId: Ids.AccountId,
      filter: DeliveryFilter,
      bounds: ReadonlyArray<Instant.Instant>
    ) => Effect.Effect<ReadonlyArray<StatusCount>, StorageError, Read>
  }
>()("@trunkline/core/messaging/analytics/DeliveryCountStore") {}
