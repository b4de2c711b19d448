/** A campaign that sends one template to many people: its fields and moves. Pure. Source: docs/reference/template-campaigns.md#campaign. */
import * as Schema from "effect/Schema"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import * as Ids from "../MessagingIds.ts"
import {
  type CampaignSettings,
  campaignDefaults,
  campaignSettingFields,
  campaignSettingNames
} from "./CampaignSettings.ts"
import { pauseReasons } from "./SendResult.ts"

export const templateCampaignStatuses = ["draft", "scheduled", "running", "paused", "completed", "cancelled"] as const
export const TemplateCampaignStatus = Schema.Literals(templateCampaignStatuses)
export type TemplateCampaignStatus = typeof TemplateCampaignStatus.Type

/** Which template is sent. */
export interface TemplateName {
  readonly name: string
  readonly language: string
}

/** What fills one place of the template, for everybody or from each contact. */
export type TemplateParameter =
  | { readonly value: string }
  | { readonly field: string; readonly fallback?: string | null }

export const TemplateParameterBody = Schema.Union([
  Schema.Struct({ value: Schema.String }),
  Schema.Struct({ field: Schema.String, fallback: Schema.optionalKey(Schema.NullOr(Schema.String)) })
])

/** Contacts by status, and those who have replied. */
export interface ContactCounts {
  readonly queued: number
  readonly sending: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly skipped: number
  readonly failed: number
  readonly unknown: number
  readonly replied: number
}

export const noContacts: ContactCounts = {
  queued: 0,
  sending: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  skipped: 0,
  failed: 0,
  unknown: 0,
  replied: 0
}

const counts = Entity.mapValues(noContacts, () => Schema.Int) as {
  readonly [K in keyof ContactCounts]: typeof Schema.Int
}

/** Messages that the network has named a price for, by category. */
export type PricedMessages = Readonly<Record<string, { readonly billable: number; readonly free: number }>>

/** Its row. */
export const templateCampaignEntity = Schema.Struct({
  id: Ids.schema<"TemplateCampaign">(),
  tenantId: Ids.schema<"Account">(),
  name: Schema.String,
  /** The number that it sends from, by our id and by the channel's. */
  phoneId: Ids.schema<"Phone">(),
  phoneNumberId: Schema.String,
  templateName: Schema.String,
  templateLanguage: Schema.String,
  parameters: Schema.Record(Schema.String, TemplateParameterBody),
  status: TemplateCampaignStatus,
  /** Why the service has paused it; null where a person has. */
  pauseReason: Schema.NullOr(Schema.Literals(pauseReasons)),
  scheduledAt: Schema.NullOr(Instant.Iso),
  ...campaignSettingFields,
  /** As far as the changes of its contacts have been counted: see `ContactChange`. */
  counts: Schema.Struct(counts),
  pricing: Schema.Record(Schema.String, Schema.Struct({ billable: Schema.Int, free: Schema.Int })),
  startedAt: Schema.NullOr(Instant.Iso),
  completedAt: Schema.NullOr(Instant.Iso),
  createdAt: Instant.Iso,
  updatedAt: Instant.Iso,
  /** When the sender must decide it next; null while nothing but an event can move it on. */
  nextTurnAt: Schema.NullOr(Instant.Iso),
  /** The place that the next contact gets in the list. */
  nextSeq: Schema.Int,
  /** The first instant, in microseconds, at which its own rate lets a further message go. */
  nextSlot: Schema.Int,
  /** The beginning of the local day whose messages are counted, and how many they are. */
  dayStart: Schema.NullOr(Instant.Iso),
  dayMessages: Schema.Int,
  /** The template's category when the campaign was last started; null before. */
  categoryAtStart: Schema.NullOr(Schema.String),
  /** Failures are counted from then on. */
  failuresSince: Schema.NullOr(Instant.Iso),
  /** Messages in a row that were refused for their content. */
  invalidInRow: Schema.Int
})
export interface TemplateCampaign extends Schema.Struct.Type<typeof templateCampaignEntity.fields> {}

/** A draft. */
export const newTemplateCampaign = (
  given: Pick<
    TemplateCampaign,
    "id" | "tenantId" | "name" | "phoneId" | "phoneNumberId" | "templateName" | "templateLanguage"
  > &
    Partial<Pick<TemplateCampaign, "parameters" | "scheduledAt" | keyof CampaignSettings>>,
  at: Instant.Instant
): TemplateCampaign => ({
  ...campaignDefaults,
  parameters: {},
  scheduledAt: null,
  ...given,
  status: "draft",
  pauseReason: null,
  counts: noContacts,
  pricing: {},
  startedAt: null,
  completedAt: null,
  createdAt: at,
  updatedAt: at,
  nextTurnAt: null,
  nextSeq: 0,
  nextSlot: 0,
  dayStart: null,
  dayMessages: 0,
  categoryAtStart: null,
  failuresSince: null,
  invalidInRow: 0
})

export const pickCampaignSettings = (campaign: CampaignSettings): CampaignSettings =>
  Entity.pick(campaign, campaignSettingNames)

/** Everybody on the list. */
export const totalOf = ({ replied: _, ...byStatus }: ContactCounts): number =>
  Object.values(byStatus).reduce((sum, n) => sum + n, 0)

/** Who may move a campaign. */
export type Mover = "caller" | "schedule" | "service" | "retry"

/** Every change of status that there is, and who may make it. Source: docs/reference/template-campaigns.md#states. */
export const templateMoves: ReadonlyArray<{
  readonly from: TemplateCampaignStatus
  readonly to: TemplateCampaignStatus
  readonly by: ReadonlyArray<Mover>
}> = [
  { from: "draft", to: "scheduled", by: ["caller"] },
  { from: "draft", to: "running", by: ["caller"] },
  { from: "draft", to: "cancelled", by: ["caller"] },
  { from: "scheduled", to: "draft", by: ["caller"] },
  { from: "scheduled", to: "running", by: ["caller", "schedule"] },
  { from: "scheduled", to: "paused", by: ["schedule"] },
  { from: "scheduled", to: "cancelled", by: ["caller"] },
  { from: "running", to: "paused", by: ["caller", "service"] },
  { from: "running", to: "completed", by: ["service"] },
  { from: "running", to: "cancelled", by: ["caller"] },
  { from: "paused", to: "running", by: ["caller"] },
  { from: "paused", to: "cancelled", by: ["caller"] },
  { from: "completed", to: "running", by: ["retry"] }
]

export const mayMove = (mover: Mover, from: TemplateCampaignStatus, to: TemplateCampaignStatus): boolean =>
  templateMoves.some((move) => move.from === from && move.to === to && move.by.includes(mover))

/** True of a status that no person moves a campaign out of. */
export const hasEnded = (status: TemplateCampaignStatus): boolean => status === "completed" || status === "cancelled"

/** True while contacts may be added. Source: docs/reference/template-campaigns.md#contacts. */
export const takesContacts = (status: TemplateCampaignStatus): boolean =>
  status === "draft" || status === "scheduled" || status === "paused"
