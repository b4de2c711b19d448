/**
 * Changes of contacts that no transaction of the campaign has counted yet. A report writes one beside the contact, and locks nothing of
 * the campaign: so a delivery never waits for a campaign, and the counts are exact all the same. Pure. Source: docs/reference/template-campaigns.md#counts.
 */
import type { Instant } from "../../platform/kernel/index.ts"
import type { SendMeaning } from "../channels/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { MessagePricing } from "../messages/InboundBatch.ts"
import type { ContactCounts, PricedMessages, TemplateCampaign } from "./TemplateCampaign.ts"
import type { TemplateContactStatus } from "./TemplateContact.ts"

export interface ContactChange {
  /** Ascends: changes are counted in the order in which they were written. */
  readonly id: string
  readonly tenantId: Ids.AccountId
  readonly campaignId: Ids.TemplateCampaignId
  readonly contactId: Ids.TemplateContactId
  readonly from: TemplateContactStatus
  readonly to: TemplateContactStatus
  /** The contact has replied with this change. */
  readonly isReply: boolean
  /** What the network's code says, where the message has failed; null otherwise. */
  readonly meaning: SendMeaning | null
  /** What the message costs, where a report has said so for the first time; null otherwise. */
  readonly pricing: MessagePricing | null
  readonly at: Instant.Instant
}

type Counted = Pick<ContactChange, "from" | "to" | "isReply">

/** The counts after a change of a contact. */
export const counted = (counts: ContactCounts, { from, isReply, to }: Counted): ContactCounts => {
  const left = { ...counts, [from]: counts[from] - 1 }
  const moved = { ...left, [to]: left[to] + 1 }
  return isReply ? { ...moved, replied: moved.replied + 1 } : moved
}

/** The prices of a campaign's messages after one more. */
export const priced = (known: PricedMessages, { billable, category }: MessagePricing): PricedMessages => {
  const name = category ?? "unknown"
  const before = known[name] ?? { billable: 0, free: 0 }
  return {
    ...known,
    [name]: billable === false ? { ...before, free: before.free + 1 } : { ...before, billable: before.billable + 1 }
  }
}

/** What reads show of a campaign: with the changes that are still to be counted. */
export const withChanges = (campaign: TemplateCampaign, changes: ReadonlyArray<ContactChange>): TemplateCampaign => ({
  ...campaign,
  counts: changes.reduce(counted, campaign.counts),
  pricing: changes.reduce((known, { pricing }) => (pricing === null ? known : priced(known, pricing)), campaign.pricing)
})
