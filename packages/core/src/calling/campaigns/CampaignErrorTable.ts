/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../../platform/room/index.ts"

export const campaignErrors = {
  CampaignEnded: { status: 409, code: "campaign_ended" },
  CampaignNotFound: { status: 404, code: "campaign_not_found" },
  ContactNotFound: { status: 404, code: "contact_not_found" },
  ContactsClosed: { status: 409, code: "contacts_closed" },
  MoveRefused: { status: 409, code: "move_refused" },
  NotPreview: { status: 409, code: "not_preview" },
  NotWaiting: { status: 409, code: "not_waiting" },
  RailsRefused: { status: 422, code: "rails_refused" }
} as const satisfies ErrorTable
