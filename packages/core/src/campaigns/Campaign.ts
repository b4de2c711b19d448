/** Names a campaign's fields and bounds, and decides which status may follow which, at whose word. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Ids, Instant } from "../kernel/index.ts"

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

/**
 * - `preview`  nothing is dialed until a person approves the contact; one call at a time, without pace
 * - `power`    one call at a time, `paceSeconds` apart
 * - `parallel` up to `parallelLines` calls at once, the first answer wins
 */
export const DialMode = Schema.Literals(["preview", "power", "parallel"])
export type DialMode = typeof DialMode.Type

/** A campaign as it is kept. Source: docs/campaigns.md#campaign. */
export interface Campaign {
  readonly id: Ids.CampaignId
  readonly tenantId: Ids.AccountId
  readonly name: string
  readonly status: CampaignStatus
  readonly totalContacts: number
  /** Contacts that are `done`. */
  readonly completedContacts: number
  /** Contacts that are `failed`. */
  readonly failedContacts: number
  /** The IANA zone in which the calling hours are read. */
  readonly timezone: string
  /** The first local hour in which a call may start. */
  readonly quietHoursStart: number
  /** The local hour at which no further call may start; 24 is midnight. */
  readonly quietHoursEnd: number
  readonly maxAttempts: number
  readonly dialMode: DialMode
  readonly paceSeconds: number
  /** 1 in every mode but parallel. */
  readonly parallelLines: number
  readonly amdEnabled: boolean
  readonly botId: Ids.BotId | null
  readonly fromNumberId: Ids.NumberId | null
  readonly scheduledAt: Instant.Instant | null
  readonly voicemailTemplateId: Ids.TemplateId | null
  readonly createdAt: Instant.Instant
  readonly updatedAt: Instant.Instant
}

/** Least and greatest value of a number, least and greatest length of a text in code points. */
export const bounds = {
  name: { minimum: 1, maximum: 255 },
  quietHoursStart: { minimum: 0, maximum: 23 },
  quietHoursEnd: { minimum: 1, maximum: 24 },
  maxAttempts: { minimum: 1, maximum: 5 },
  paceSeconds: { minimum: 5, maximum: 3600 },
  parallelLines: { minimum: 1, maximum: 5 },
  contactPhone: { minimum: 1, maximum: 64 },
  contactName: { minimum: 0, maximum: 255 },
  /** Contacts in one request. */
  contactsAdded: { minimum: 0, maximum: 1000 }
} as const

/** What a campaign has for the rails that its creator left out. */
export const defaults = {
  timezone: "Asia/Kolkata",
  quietHoursStart: 9,
  quietHoursEnd: 21,
  maxAttempts: 3,
  dialMode: "power",
  paceSeconds: 30,
  parallelLines: 1,
  amdEnabled: false
} as const satisfies Partial<Campaign>

/** The service's own moves. */
export type ServiceMove =
  /** A scheduled campaign's time has come. */
  | "start"
  /** No contact of a running campaign is left to be dialed, waited for or approved. */
  | "complete"
  /** One minute of a call could not be reserved. */
  | "runOutOfCredits"
  /** The carrier refuses the service itself. Whoever halts also publishes `campaign.failed`, with the reason. */
  | "halt"

export interface Transition {
  readonly from: CampaignStatus
  readonly to: CampaignStatus
  readonly by: ReadonlyArray<"caller" | ServiceMove>
}

/** Every change of status that there is, and who may make it. Source: docs/campaigns.md#states. */
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

/** Statuses whose reaching is told to others, whoever made the move. All other moves are silent. */
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

/** Stops a running campaign for want of credits. */
export const runOutOfCredits = (from: CampaignStatus) => moveBy("runOutOfCredits", from, "insufficient_balance")

/** Pauses a running campaign because the service itself cannot place calls. */
export const halt = (from: CampaignStatus) => moveBy("halt", from, "paused")

/** True of a status that nothing follows. */
export const isTerminal = (status: CampaignStatus): boolean => !transitions.some((row) => row.from === status)

/** True while contacts may be added. Source: docs/campaigns.md#contacts. */
export const acceptsContacts = (status: CampaignStatus): boolean =>
  status === "draft" || status === "scheduled" || status === "paused"
