/** How template campaigns, their contacts, live views and dry runs are shown. Pure. Source: docs/reference/template-campaigns.md. */
import * as Schema from "effect/Schema"
import { Entity, Instant, Wire } from "../../platform/kernel/index.ts"
import { qualities } from "../channels/NumberFacts.ts"
import { JsonObject } from "../messages/JsonObject.ts"
import { SendingHoldReason } from "./CampaignHold.ts"
import { campaignSettingFields } from "./CampaignSettings.ts"
import type { DryRun } from "./DryRun.ts"
import type { CampaignNumber, LiveCampaign } from "./LiveCampaign.ts"
import { contactReasons } from "./SendResult.ts"
import {
  type ContactCounts,
  pickCampaignSettings,
  TemplateCampaignStatus,
  templateCampaignEntity,
  totalOf
} from "./TemplateCampaign.ts"
import type { TemplateCampaignView } from "./TemplateCampaigns.ts"
import { ContactReason, contactStatuses, type TemplateContact, TemplateContactRecord } from "./TemplateContact.ts"

const text = Schema.NullOr(Schema.String)

const countNames = [
  "totalContacts",
  "sentContacts",
  "deliveredContacts",
  "readContacts",
  "failedContacts",
  "skippedContacts",
  "repliedContacts"
] as const

/** A message that was read was also delivered, and one that was delivered was sent. */
const cumulative = (counts: ContactCounts) => {
  const readContacts = counts.read
  const deliveredContacts = readContacts + counts.delivered
  return {
    totalContacts: totalOf(counts),
    sentContacts: deliveredContacts + counts.sent,
    deliveredContacts,
    readContacts,
    failedContacts: counts.failed,
    skippedContacts: counts.skipped,
    repliedContacts: counts.replied
  }
}

const { fields } = templateCampaignEntity

const everyCount = Object.fromEntries(countNames.map((name) => [name, Schema.Int])) as Record<
  (typeof countNames)[number],
  typeof Schema.Int
>

/** Source: docs/reference/template-campaigns.md#campaign. */
export const TemplateCampaignBody = Schema.Struct(
  Wire.toWire({
    ...Entity.pick(fields, ["id", "tenantId", "name", "phoneNumberId"] as const),
    template: Schema.Struct({ name: Schema.String, language: Schema.String }),
    category: text,
    templateStatus: text,
    templateQuality: text,
    ...Entity.pick(fields, ["parameters", "status", "pauseReason", "scheduledAt"] as const),
    ...campaignSettingFields,
    ...everyCount,
    ...Entity.pick(fields, ["pricing", "startedAt", "completedAt", "createdAt", "updatedAt"] as const)
  })
).annotate({ identifier: "TemplateCampaign" })

/** A campaign without what only the service's own work reads. */
export const shownTemplateCampaign = (view: TemplateCampaignView) => ({
  id: view.id,
  tenantId: view.tenantId,
  name: view.name,
  phoneNumberId: view.phoneNumberId,
  template: { name: view.templateName, language: view.templateLanguage },
  category: view.category,
  templateStatus: view.templateStatus,
  templateQuality: view.templateQuality,
  parameters: view.parameters,
  status: view.status,
  pauseReason: view.pauseReason,
  scheduledAt: view.scheduledAt,
  ...pickCampaignSettings(view),
  ...cumulative(view.counts),
  pricing: view.pricing,
  startedAt: view.startedAt,
  completedAt: view.completedAt,
  createdAt: view.createdAt,
  updatedAt: view.updatedAt
})

export const campaignRecord = (view: TemplateCampaignView): typeof TemplateCampaignBody.Type =>
  Wire.toWire(shownTemplateCampaign(view))

/** Source: docs/reference/template-campaigns.md#contacts. */
export const TemplateContactShown = Schema.Struct({
  ...TemplateContactRecord.schema.fields,
  reply: Schema.NullOr(Schema.Struct({ message_id: Schema.String.annotate({ format: "uuid" }), text, button: text }))
})

export const contactRecord = (contact: TemplateContact): typeof TemplateContactShown.Type => ({
  ...TemplateContactRecord.toWire(contact),
  reply: contact.reply === null ? null : Wire.toWire(contact.reply)
})

type Cell = string | number | boolean | null

const textOf = (at: Instant.Instant | null) => (at === null ? null : Instant.toIso(at))

const columns = {
  id: ({ id }) => id,
  phone: ({ phone }) => phone,
  user_id: ({ userId }) => userId,
  name: ({ name }) => name,
  variables: ({ variables }) => JSON.stringify(variables),
  opted_in: ({ optedIn }) => optedIn,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  error_code: ({ error }) => error?.code ?? null,
  error_message: ({ error }) => error?.message ?? null,
  attempts: ({ attempts }) => attempts,
  next_attempt_at: ({ nextAttemptAt }) => textOf(nextAttemptAt),
  held: ({ held }) => held,
  message_id: ({ messageId }) => messageId,
  msgid: ({ msgid }) => msgid,
  conversation_id: ({ conversationId }) => conversationId,
  sent_at: ({ sentAt }) => textOf(sentAt),
  delivered_at: ({ deliveredAt }) => textOf(deliveredAt),
  read_at: ({ readAt }) => textOf(readAt),
  failed_at: ({ failedAt }) => textOf(failedAt),
  replied_at: ({ repliedAt }) => textOf(repliedAt),
  reply_message_id: ({ reply }) => reply?.messageId ?? null,
  reply_text: ({ reply }) => reply?.text ?? null,
  reply_button: ({ reply }) => reply?.button ?? null,
  pricing_category: ({ pricing }) => pricing?.category ?? null,
  pricing_type: ({ pricing }) => pricing?.type ?? null,
  pricing_billable: ({ pricing }) => pricing?.billable ?? null,
  created_at: ({ createdAt }) => Instant.toIso(createdAt)
} satisfies Readonly<Record<string, (contact: TemplateContact) => Cell>>

/** The header of a file of contacts. */
export const templateContactColumns: ReadonlyArray<string> = Object.keys(columns)

export const templateContactCells = (contact: TemplateContact): ReadonlyArray<Cell> =>
  Object.values(columns).map((cell) => cell(contact))

const everyStatus = Object.fromEntries(contactStatuses.map((status) => [status, Schema.Int])) as Record<
  (typeof contactStatuses)[number],
  typeof Schema.Int
>

const NumberBody = Schema.Struct({
  quality_rating: Schema.NullOr(Schema.Literals(qualities)),
  messaging_limit: Schema.NullOr(Schema.Struct({ tier: Schema.String, per_day: Schema.NullOr(Schema.Int) })),
  used_24h: Schema.Int
})

const numberRecord = ({ messagingLimit, qualityRating, used24h }: CampaignNumber): typeof NumberBody.Type => ({
  quality_rating: qualityRating,
  messaging_limit: messagingLimit === null ? null : { tier: messagingLimit.tier, per_day: messagingLimit.perDay },
  used_24h: used24h
})

/** Source: docs/reference/template-campaigns.md#live. */
export const TemplateCampaignLiveBody = Schema.Struct({
  campaign_id: fields.id,
  status: TemplateCampaignStatus,
  pause_reason: fields.pauseReason,
  by_status: Schema.Struct(everyStatus),
  messages_per_second: Schema.Finite,
  eta: Schema.NullOr(Instant.Iso),
  failures: Schema.Array(Schema.Struct({ reason: ContactReason, code: Schema.NullOr(Schema.Int), count: Schema.Int })),
  template: Schema.Struct({ status: text, quality: text, category: text }),
  number: NumberBody,
  waiting_for: Schema.NullOr(Schema.Struct({ reason: SendingHoldReason, until: Schema.NullOr(Instant.Iso) }))
}).annotate({ identifier: "TemplateCampaignLive" })

/** A live view without what only the service's own work reads of its campaign. */
export const shownLive = ({ campaign, ...live }: LiveCampaign) => ({
  campaignId: campaign.id,
  status: campaign.status,
  pauseReason: campaign.pauseReason,
  ...live
})

export const liveRecord = (live: LiveCampaign): typeof TemplateCampaignLiveBody.Type => ({
  ...Wire.toWire(shownLive(live)),
  number: numberRecord(live.number)
})

/** Reasons that are not there count nobody. */
const skippedFields = Object.fromEntries(
  contactReasons.map((reason) => [reason, Schema.optionalKey(Schema.Int)])
) as Record<(typeof contactReasons)[number], Schema.optionalKey<typeof Schema.Int>>

const Sentence = Schema.Struct({ code: Schema.String, message: Schema.String })

/** Source: docs/reference/template-campaigns.md#dry-run. */
export const TemplateCampaignDryRunBody = Schema.Struct({
  contacts: Schema.Int,
  sendable: Schema.Int,
  skipped: Schema.Struct(skippedFields),
  errors: Schema.Array(Sentence),
  warnings: Schema.Array(Sentence),
  samples: Schema.Array(
    Schema.Struct({
      contact_id: Schema.String.annotate({ format: "uuid" }),
      to: Schema.String,
      template: JsonObject,
      text: Schema.String
    })
  ),
  template: Schema.Struct({
    name: Schema.String,
    language: Schema.String,
    category: text,
    status: text,
    quality: text
  }),
  number: NumberBody,
  estimate: Schema.Struct({
    category: text,
    messages: Schema.Int,
    free: Schema.Int,
    currency: Schema.String,
    cost: text,
    by_prefix: Schema.Array(
      Schema.Struct({ prefix: Schema.String, messages: Schema.Int, rate: Schema.String, cost: Schema.String })
    )
  }),
  duration_seconds: Schema.Finite
}).annotate({ identifier: "TemplateCampaignDryRun" })

export const dryRunRecord = (found: DryRun): typeof TemplateCampaignDryRunBody.Type => ({
  ...Wire.toWire(found),
  samples: found.samples.map(Wire.toWire),
  number: numberRecord(found.number),
  estimate: Wire.toWire(found.estimate)
})
