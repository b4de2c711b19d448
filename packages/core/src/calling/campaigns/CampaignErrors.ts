/** Errors of requests about a campaign. `MoveRefused` is beside the table in Campaign.ts. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../../platform/room/index.ts"
import { CampaignStatus } from "./Campaign.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const campaignErrors = {
  CampaignEnded: { status: 409, code: "campaign_ended" },
  CampaignNotFound: { status: 404, code: "campaign_not_found" },
  ContactCalling: { status: 409, code: "contact_calling" },
  ContactNotFound: { status: 404, code: "contact_not_found" },
  ContactsClosed: { status: 409, code: "contacts_closed" },
  MoveRefused: { status: 409, code: "move_refused" },
  NotPreview: { status: 409, code: "not_preview" },
  NotWaiting: { status: 409, code: "not_waiting" },
  RailsRefused: { status: 422, code: "rails_refused" }
} as const satisfies ErrorTable

export class CampaignNotFound extends Schema.TaggedError<CampaignNotFound>()("CampaignNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Campaign not found"
  }
}

export class ContactNotFound extends Schema.TaggedError<ContactNotFound>()("ContactNotFound", { id: Schema.String }) {
  override get message() {
    return "Contact not found on this campaign"
  }
}

export class ContactCalling extends Schema.TaggedError<ContactCalling>()("ContactCalling", {}) {
  override get message() {
    return "This contact is being called: it can be removed once its call has ended"
  }
}

export class ContactsClosed extends Schema.TaggedError<ContactsClosed>()("ContactsClosed", { status: CampaignStatus }) {
  override get message() {
    return `Contacts can be added while a campaign is draft, scheduled or paused; this one is ${this.status}. Pause it first, if it is running.`
  }
}

export class NotPreview extends Schema.TaggedError<NotPreview>()("NotPreview", { dialMode: Schema.String }) {
  override get message() {
    return `Only a campaign in preview mode takes approvals; this one dials in ${this.dialMode} mode`
  }
}

export class NotWaiting extends Schema.TaggedError<NotWaiting>()("NotWaiting", { status: Schema.String }) {
  override get message() {
    return `This contact is not waiting for approval: it is ${this.status}`
  }
}

export class CampaignEnded extends Schema.TaggedError<CampaignEnded>()("CampaignEnded", { status: CampaignStatus }) {
  override get message() {
    return `This campaign is ${this.status}: nobody on its list is dialed any more`
  }
}

/** DialingSettings that do not go together; every fault at once, by the code's field names. */
export class InvalidDialingSettings extends Schema.TaggedError<InvalidDialingSettings>()("RailsRefused", {
  faults: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.faults.map(({ message }) => message).join("; ")
  }
}
