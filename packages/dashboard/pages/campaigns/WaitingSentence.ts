/** Why a campaign calls nobody now, in a sentence. */
import type { CampaignLive } from "@trunkline/client"
import { placeOf, say, sayCount, wordOf } from "../frame/Say.ts"
import type { Seen } from "./CampaignReads.ts"

export type Reason = NonNullable<CampaignLive["waiting_for"]>["reason"]

export const waitingSentence = ({ campaign, counts, live }: Seen, reason: Reason): string => {
  const place = placeOf(campaign.timezone)
  switch (reason) {
    case "not_running":
      return campaign.status === "draft" && campaign.total_contacts === 0
        ? say("waiting.draft-empty")
        : campaign.status === "scheduled" && campaign.scheduled_at !== null
          ? say("waiting.scheduled-at")
          : wordOf("waiting.not_running", campaign.status)
    case "window":
      return say("waiting.window", {
        from: `${String(campaign.quiet_hours_start).padStart(2, "0")}:00`,
        until: `${String(campaign.quiet_hours_end).padStart(2, "0")}:00`,
        place
      })
    case "daily_limit":
      return sayCount("waiting.daily_limit", campaign.max_calls_per_day ?? 0, { place })
    case "approval":
      return sayCount("waiting.approval", live?.awaiting_approval_total ?? 0)
    case "lines":
      return sayCount("waiting.lines", live?.active_calls.length ?? 0)
    case "pace":
      return sayCount("waiting.pace", campaign.pace_seconds)
    case "nothing_due":
      return counts !== undefined &&
        counts.by_status.calling + counts.by_status.pending + counts.by_status.approved === 0
        ? say("waiting.nobody-left")
        : say("waiting.nothing_due")
    default:
      return say(`waiting.${reason}`)
  }
}
