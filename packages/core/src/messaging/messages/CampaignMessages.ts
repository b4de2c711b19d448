/** Port: what becomes of messages that campaigns have sent. Source: docs/reference/template-campaigns.md#statuses. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { MessagePricing } from "./InboundBatch.ts"
import type { Message } from "./Message.ts"

/** The place of a message in a campaign. */
export interface CampaignPlace {
  readonly campaignId: Ids.TemplateCampaignId
  readonly contactId: Ids.TemplateContactId
}

export class CampaignMessages extends Context.Service<
  CampaignMessages,
  {
    /**
     * The contact of a campaign's message follows the message, as it is from now on. A message of no campaign changes nothing.
     * `pricing`: what it costs, where the report says so.
     */
    readonly follow: (message: Message, pricing?: MessagePricing | null) => Effect.Effect<void, StorageError, Tx | Read>
    /**
     * A customer's message, which is stored: the first one after a campaign's message is its contact's reply. Returns what it answers;
     * null where it answers no campaign.
     */
    readonly replied: (message: Message) => Effect.Effect<CampaignPlace | null, StorageError, Tx | Read>
  }
>()("@trunkline/core/messaging/messages/CampaignMessages") {}
