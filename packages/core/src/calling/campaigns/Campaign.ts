/** Names a campaign's fields and bounds, and decides which status may follow which, at whose word. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import * as Ids from "../CallingIds.ts"
import { type DialingSettings, defaults, settingFields, settingNames } from "./DialingSettings.ts"

export const CampaignStatus = Schema.Literals([
  "draft",
  "scheduled",
  "running",
  "paused",
  "insufficient_balance",
  "completed",
  "cancelled"
])
export type CampaignStatus = typeof CampaignStatus.Type

/** What a campaign refers to, and when it starts by itself; null where it does not. */
export const references = {
  botId: Ids.schema<"Bot">(),
  fromNumberId: Ids.schema<"Number">(),
  scheduledAt: Instant.Iso,
  voicemailTemplateId: Ids.schema<"VoicemailTemplate">()
}

/** Source: docs/reference/campaigns.md#campaign. */
export interface Campaign extends DialingSettings {
  readonly id: Ids.CampaignId
  readonly tenantId: Ids.AccountId
  readonly name: string
  readonly status: CampaignStatus
  readonly totalContacts: number
  /** Contacts that are `done`. */
  readonly completedContacts: number
  /** Contacts that are `failed`. */
  readonly failedContacts: number
  readonly botId: Ids.BotId | null
  readonly fromNumberId: Ids.NumberId | null
  readonly scheduledAt: Instant.Instant | null
  readonly voicemailTemplateId: Ids.TemplateId | null
  readonly createdAt: Instant.Instant
  readonly updatedAt: Instant.Instant
}

const entity = Schema.Struct({
  id: Ids.schema<"Campaign">(),
  tenantId: Ids.schema<"Account">(),
  name: Schema.String,
  status: CampaignStatus,
  totalContacts: Schema.Int,
  completedContacts: Schema.Int,
  failedContacts: Schema.Int,
  ...settingFields,
  botId: Schema.NullOr(references.botId),
  fromNumberId: Schema.NullOr(references.fromNumberId),
  scheduledAt: Schema.NullOr(references.scheduledAt),
  voicemailTemplateId: Schema.NullOr(references.voicemailTemplateId),
  createdAt: Instant.Iso,
  updatedAt: Instant.Iso
})

/** How a campaign is shown. Settings are a caller's own; every other field is named, or is not shown. */
export const CampaignRecord = Entity.recordOf(entity, [
  ...(["id", "tenantId", "name", "status", "totalContacts", "completedContacts", "failedContacts"] as const),
  ...settingNames,
  ...(["botId", "fromNumberId", "scheduledAt", "voicemailTemplateId", "createdAt", "updatedAt"] as const)
])

/** A campaign with what the dialer keeps beside it: its row. */
export const CampaignState = Schema.Struct({
  ...entity.fields,
  /** When the dialer must decide it next, or null while nothing but an event can move it on. */
  nextDialAt: Schema.NullOr(Instant.Iso),
  /** When its last call started. */
  lastDialAt: Schema.NullOr(Instant.Iso),
  /** Orders in a row that the carrier refused because of our configuration. */
  refusals: Schema.Int,
  /** The place that the next contact gets in the list. */
  nextSeq: Schema.Int
})
export interface CampaignState extends Schema.Struct.Type<typeof CampaignState.fields> {}

/** What a caller may set. */
export type CampaignFields = Partial<Pick<Campaign, "name" | keyof typeof references | keyof DialingSettings>>

/** A new campaign, whose settings fit each other. */
export const newCampaign = (
  fields: CampaignFields & Pick<Campaign, "name">,
  given: Pick<Campaign, "id" | "tenantId"> & { readonly at: Instant.Instant }
): CampaignState => ({
  botId: null,
  fromNumberId: null,
  scheduledAt: null,
  voicemailTemplateId: null,
  ...defaults,
  ...fields,
  id: given.id,
  tenantId: given.tenantId,
  status: "draft",
  totalContacts: 0,
  completedContacts: 0,
  failedContacts: 0,
  createdAt: given.at,
  updatedAt: given.at,
  nextDialAt: null,
  lastDialAt: null,
  refusals: 0,
  nextSeq: 0
})

const length = (minimum: number, maximum: number) => ({ minimum, maximum })

/** Minimum and maximum length of a text in code points, or of a list. */
export const bounds = {
  name: length(1, 255),
  contactPhone: length(1, 64),
  contactName: length(0, 255),
  /** Contacts in one request. */
  contactsAdded: length(0, 1000)
} as const

/** The service's own moves. */
export type ServiceMove =
  /** A scheduled campaign's time has come. */
  | "start"
  /** No contact of a running campaign is left to be dialed, waited for or approved. */
  | "complete"
  /** One minute of a call could not be reserved. */
  | "runOutOfCredits"
  /** The carrier refuses the service itself. A caller that halts also publishes `campaign.failed`, with the reason. */
  | "halt"

export interface Transition {
  readonly from: CampaignStatus
  readonly to: CampaignStatus
  readonly by: ReadonlyArray<"caller" | ServiceMove>
}

/** Every change of status that there is, and who may make it. Source: docs/reference/campaigns.md#states. */
export const transitions: ReadonlyArray<Transition> = [
  { from: "draft", to: "scheduled", by: ["caller"] },
  { from: "draft", to: "cancelled", by: ["caller"] },
  { from: "scheduled", to: "running", by: ["caller", "start"] },
  { from: "scheduled", to: "paused", by: ["caller"] },
  { from: "scheduled", to: "draft", by: ["caller"] },
  { from: "scheduled", to: "cancelled", by: ["caller"] },
  { from: "running", to: "paused", by: ["caller", "halt"] },
  { from: "running", to: "completed", by: ["caller", "complete"] },
  { from: "running", to: "cancelled", by: ["caller"] },
  { from: "running", to: "insufficient_balance", by: ["runOutOfCredits"] },
  { from: "paused", to: "running", by: ["caller"] },
  { from: "paused", to: "scheduled", by: ["caller"] },
  { from: "paused", to: "cancelled", by: ["caller"] },
  { from: "insufficient_balance", to: "running", by: ["caller"] },
  { from: "insufficient_balance", to: "paused", by: ["caller"] },
  { from: "insufficient_balance", to: "cancelled", by: ["caller"] }
]

export type Announcement = "campaign.started" | "campaign.completed"

/** Statuses that are published as events, whichever caller made the move. All other moves are silent. */
const announced: Partial<Record<CampaignStatus, Announcement>> = {
  running: "campaign.started",
  completed: "campaign.completed"
}

/** What a move comes to: nothing, because the campaign is there already, or a new status and what to announce. */
export type Move =
  | { readonly _tag: "Stay" }
  | { readonly _tag: "Moved"; readonly to: CampaignStatus; readonly announce: Announcement | null }

export class MoveRefused extends Schema.TaggedError<MoveRefused>()("MoveRefused", {
  from: CampaignStatus,
  to: CampaignStatus
}) {
  override get message() {
    return `A campaign cannot move from ${this.from} to ${this.to}`
  }
}

const moveBy = (
  mover: Transition["by"][number],
  from: CampaignStatus,
  to: CampaignStatus
): Result.Result<Move, MoveRefused> => {
  if (from === to) return Result.succeed({ _tag: "Stay" })
  const allowed = transitions.some((row) => row.from === from && row.to === to && row.by.includes(mover))
  return allowed
    ? Result.succeed({ _tag: "Moved", to, announce: announced[to] ?? null })
    : Result.fail(new MoveRefused({ from, to }))
}

/**
 * Decides a status that a caller posts. The present status is no move; `insufficient_balance` is otherwise refused
 * from everywhere, because only the service sets it.
 */
export const move = (from: CampaignStatus, to: CampaignStatus) => moveBy("caller", from, to)

/** Starts a scheduled campaign when its time has come. */
export const start = (from: CampaignStatus) => moveBy("start", from, "running")

/** Ends a running campaign that has nothing left to do. */
export const complete = (from: CampaignStatus) => moveBy("complete", from, "completed")

/** Stops a running campaign for lack of credits. */
export const runOutOfCredits = (from: CampaignStatus) => moveBy("runOutOfCredits", from, "insufficient_balance")

/** Pauses a running campaign because the service itself cannot place calls. */
export const halt = (from: CampaignStatus) => moveBy("halt", from, "paused")

/** True of a status that nothing follows. */
export const isTerminal = (status: CampaignStatus): boolean => !transitions.some((row) => row.from === status)

/** The statuses of campaigns that have left what comes before the first call. */
export const begun: ReadonlyArray<CampaignStatus> = CampaignStatus.literals.filter(
  (status) => status !== "draft" && status !== "scheduled"
)

/** True while contacts may be added. Source: docs/reference/campaigns.md#contacts. */
export const acceptsContacts = (status: CampaignStatus): boolean =>
  status === "draft" || status === "scheduled" || status === "paused"
