/** Why a running campaign must not go on, by what is known of its number and its template. Pure. Source: docs/reference/template-campaigns.md#pauses. */
import type { Instant } from "../../platform/kernel/index.ts"
import type { ConnectedNumber, Quality, Restriction } from "../channels/index.ts"
import type { KnownTemplate } from "../templates/index.ts"
import type { PauseReason } from "./SendResult.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"

/** What a campaign's messages depend on. */
export interface Standing {
  /** Null where it is gone. */
  readonly number: Pick<ConnectedNumber, "disconnectedAt" | "platform"> | null
  /** Null where nothing is known of it any more. */
  readonly template: Pick<KnownTemplate, "status" | "category" | "quality"> | null
}

/** Statuses in which the network sends no message of a template. */
const ofStatus: Readonly<Record<string, PauseReason>> = {
  REJECTED: "template_rejected",
  PAUSED: "template_paused",
  DISABLED: "template_disabled",
  PENDING_DELETION: "template_deleted",
  DELETED: "template_deleted"
}

/** Categories that a template's messages may become: to people who did not agree to it, or that no campaign sends. */
const otherCategories: ReadonlyArray<string> = ["MARKETING", "AUTHENTICATION"]

const qualitiesThatPause: Readonly<Record<TemplateCampaign["pauseOnQuality"], ReadonlyArray<string>>> = {
  red: ["RED"],
  yellow: ["RED", "YELLOW"],
  never: []
}

/** Restrictions of messages to people who have not written first; others restrict what no campaign does. */
const restricts = ({ type, until }: Restriction, at: Instant.Instant): boolean =>
  /BIZ_INITIATED|DISABLE/.test(type.toUpperCase()) && (until === null || until > at)

const ofTemplate = (
  template: Standing["template"],
  { categoryAtStart }: Pick<TemplateCampaign, "categoryAtStart">
): PauseReason | null => {
  if (template === null) return "template_deleted"
  const { category, status } = template
  const reason = ofStatus[status ?? ""]
  if (reason !== undefined) return reason
  const isOther = category !== null && categoryAtStart !== null && category !== categoryAtStart
  return isOther && otherCategories.includes(category) ? "template_category" : null
}

/** Null where the campaign may go on. */
export const standingPause = (
  campaign: Pick<TemplateCampaign, "categoryAtStart" | "pauseOnQuality">,
  { number, template }: Standing,
  at: Instant.Instant
): PauseReason | null => {
  if (number === null || number.disconnectedAt !== null) return "number_disconnected"
  const { platform } = number
  if (platform?.restriction != null && restricts(platform.restriction, at)) return "account_restricted"
  const reason = ofTemplate(template, campaign)
  if (reason !== null) return reason
  const bad = qualitiesThatPause[campaign.pauseOnQuality]
  const ratings: ReadonlyArray<Quality | string | null> = [platform?.qualityRating ?? null, template?.quality ?? null]
  return ratings.some((rating) => rating !== null && bad.includes(rating)) ? "quality" : null
}
