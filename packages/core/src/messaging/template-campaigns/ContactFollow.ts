/** How a contact follows its message: by the answer to its request, and by reports. Pure. Source: docs/reference/template-campaigns.md#statuses. */
import { Instant } from "../../platform/kernel/index.ts"
import type { SendMeaning } from "../channels/index.ts"
import type { MessagePricing } from "../messages/InboundBatch.ts"
import type { Message, MessageError } from "../messages/Message.ts"
import type { ContactChange } from "./ContactChange.ts"
import { contactAfterReport, type RetryRules } from "./SendResult.ts"
import type { TemplateContact } from "./TemplateContact.ts"

/** What has become of a contact's message. */
export interface Heard extends Pick<Message, "status" | "msgid" | "fault"> {
  /** What the network's code says, where the message has failed; null otherwise. */
  readonly meaning: SendMeaning | null
  /** What the message costs, where that was said; null otherwise. */
  readonly pricing: MessagePricing | null
}

/** What a campaign decides of its contacts' messages. */
export interface FollowRules extends RetryRules {
  /** How long nobody knows of a message before it is taken as failed. */
  readonly unknownAfterMs: number
}

const settled = { reason: null, error: null, settleBy: null, nextAttemptAt: null } as const

/** True of a contact of whose request no answer is known. */
const isUnderWay = ({ status }: TemplateContact): boolean => status === "sending" || status === "unknown"

const accepted = (contact: TemplateContact, at: Instant.Instant) => ({
  ...contact,
  ...settled,
  attempts: isUnderWay(contact) ? contact.attempts + 1 : contact.attempts,
  sentAt: contact.sentAt ?? at,
  outcomeAt: contact.outcomeAt ?? at
})

const afterMessage = (
  contact: TemplateContact,
  { fault, meaning, status }: Heard,
  rules: FollowRules,
  at: Instant.Instant
): TemplateContact => {
  switch (status) {
    case "sent":
      return { ...accepted(contact, at), status }
    case "delivered":
      return { ...accepted(contact, at), status, held: false, deliveredAt: contact.deliveredAt ?? at }
    case "read":
      return {
        ...accepted(contact, at),
        status,
        held: false,
        deliveredAt: contact.deliveredAt ?? at,
        readAt: contact.readAt ?? at
      }
    case "failed": {
      const step = contactAfterReport(contact, meaning ?? "rejected", rules, at)
      return {
        ...contact,
        ...step,
        held: false,
        error: errorOf(fault),
        settleBy: null,
        failedAt: step.status === "failed" ? at : contact.failedAt,
        outcomeAt: contact.outcomeAt ?? at
      }
    }
    case "unknown":
      return { ...contact, status, settleBy: Instant.plus(at, rules.unknownAfterMs) }
    default:
      return contact
  }
}

export const errorOf = (fault: MessageError | null): TemplateContact["error"] =>
  fault === null ? null : { code: fault.code, message: fault.message }

/** True where the contact says so already. A queued one waits because of the failure: it does not fail by hearing of it once more. */
const isKnown = (contact: TemplateContact, { status }: Heard): boolean =>
  status === contact.status || (status === "failed" && contact.status === "queued")

/** A contact after what was heard of its message; null where that changes nothing of it. */
export const followed = (
  contact: TemplateContact,
  heard: Heard,
  rules: FollowRules,
  at: Instant.Instant
): TemplateContact | null => {
  const pricing = contact.pricing ?? heard.pricing
  const after = isKnown(contact, heard) ? contact : afterMessage(contact, heard, rules, at)
  if (after === contact && pricing === contact.pricing) return null
  return { ...after, msgid: heard.msgid ?? contact.msgid, pricing }
}

/** What of a contact's change its campaign counts; null where it counts nothing of it. */
export const changeOf = (
  before: TemplateContact,
  after: TemplateContact,
  { at, id, meaning }: { readonly id: string; readonly at: Instant.Instant; readonly meaning: SendMeaning | null }
): ContactChange | null => {
  const isReply = before.repliedAt === null && after.repliedAt !== null
  const pricing = before.pricing === null ? after.pricing : null
  if (before.status === after.status && !isReply && pricing === null && meaning === null) return null
  const { campaignId, id: contactId, tenantId } = after
  return { id, tenantId, campaignId, contactId, from: before.status, to: after.status, isReply, meaning, pricing, at }
}
