/** A person on the list of a template campaign. Pure. Source: docs/reference/template-campaigns.md#contacts. */
import * as Schema from "effect/Schema"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import { MatchKey } from "../../platform/numbers/index.ts"
import * as Ids from "../MessagingIds.ts"
import { contactReasons } from "./SendResult.ts"

export const contactStatuses = [
  "queued",
  "sending",
  "sent",
  "delivered",
  "read",
  "skipped",
  "failed",
  "unknown"
] as const
export const TemplateContactStatus = Schema.Literals(contactStatuses)
export type TemplateContactStatus = (typeof contactStatuses)[number]

export const ContactReason = Schema.Literals(contactReasons)

const texts = Schema.Record(Schema.String, Schema.String)

/** Its row. */
export const templateContactEntity = Schema.Struct({
  id: Ids.schema<"TemplateContact">(),
  tenantId: Ids.schema<"Account">(),
  campaignId: Ids.schema<"TemplateCampaign">(),
  /** Its place in the list. */
  seq: Schema.Int,
  /** As it was given; null where only the network's id of the person is known. */
  phone: Schema.NullOr(Schema.String),
  matchKey: Schema.NullOr(MatchKey),
  userId: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  variables: texts,
  optedIn: Schema.Boolean,
  status: TemplateContactStatus,
  reason: Schema.NullOr(ContactReason),
  error: Schema.NullOr(Schema.Struct({ code: Schema.NullOr(Schema.Int), message: Schema.String })),
  /** Requests that the network has answered, those apart that do not count. */
  attempts: Schema.Int,
  nextAttemptAt: Schema.NullOr(Instant.Iso),
  /** How often it has waited because too many messages went to this customer. */
  pairWaits: Schema.Int,
  /** True once it has waited because the network keeps marketing messages from this customer. */
  hasWaitedForMarketing: Schema.Boolean,
  /** The network holds the message back for now. */
  held: Schema.Boolean,
  /** What fills the template, as it was when the message was first committed; null before. */
  values: Schema.NullOr(texts),
  messageId: Schema.NullOr(Ids.schema<"Message">()),
  msgid: Schema.NullOr(Schema.String),
  conversationId: Schema.NullOr(Ids.schema<"Conversation">()),
  /** While it is `sending`: true once the request of its message may have begun. */
  hasBegun: Schema.Boolean,
  /** While it is `sending` or `unknown`: when it is settled, if nothing has been heard of its message by then. */
  settleBy: Schema.NullOr(Instant.Iso),
  /** When it was first accepted or failed since it was queued; null before. */
  outcomeAt: Schema.NullOr(Instant.Iso),
  sentAt: Schema.NullOr(Instant.Iso),
  deliveredAt: Schema.NullOr(Instant.Iso),
  readAt: Schema.NullOr(Instant.Iso),
  failedAt: Schema.NullOr(Instant.Iso),
  repliedAt: Schema.NullOr(Instant.Iso),
  reply: Schema.NullOr(
    Schema.Struct({
      messageId: Ids.schema<"Message">(),
      text: Schema.NullOr(Schema.String),
      button: Schema.NullOr(Schema.String)
    })
  ),
  pricing: Schema.NullOr(
    Schema.Struct({
      category: Schema.NullOr(Schema.String),
      type: Schema.NullOr(Schema.String),
      billable: Schema.NullOr(Schema.Boolean)
    })
  ),
  createdAt: Instant.Iso
})
export interface TemplateContact extends Schema.Struct.Type<typeof templateContactEntity.fields> {}

/** A person who is added to a list. */
export type NewTemplateContact = Pick<
  TemplateContact,
  "id" | "seq" | "phone" | "matchKey" | "userId" | "name" | "variables" | "optedIn"
>

/** A contact that nobody has written to yet. */
export const newTemplateContact = (
  campaign: Pick<TemplateContact, "tenantId" | "campaignId">,
  given: NewTemplateContact,
  at: Instant.Instant
): TemplateContact => ({
  ...notSent,
  ...campaign,
  ...given,
  status: "queued",
  pricing: null,
  reply: null,
  repliedAt: null,
  createdAt: at
})

/** What a contact has before its first message, and again where it is to be written to anew by order. */
export const notSent = {
  reason: null,
  error: null,
  attempts: 0,
  nextAttemptAt: null,
  pairWaits: 0,
  hasWaitedForMarketing: false,
  held: false,
  values: null,
  messageId: null,
  msgid: null,
  conversationId: null,
  hasBegun: false,
  settleBy: null,
  outcomeAt: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null
} as const

/** How a contact is shown; `reply` and `pricing` have names of the wire of their own. */
export const TemplateContactRecord = Entity.recordOf(templateContactEntity, [
  "id",
  "phone",
  "userId",
  "name",
  "variables",
  "optedIn",
  "status",
  "reason",
  "error",
  "attempts",
  "nextAttemptAt",
  "held",
  "messageId",
  "msgid",
  "conversationId",
  "sentAt",
  "deliveredAt",
  "readAt",
  "failedAt",
  "repliedAt",
  "reply",
  "pricing",
  "createdAt"
])
