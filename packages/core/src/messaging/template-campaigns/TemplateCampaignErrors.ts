/** What the use cases of template campaigns refuse. Source: docs/reference/errors.md. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../../platform/room/index.ts"
import { TemplateCampaignStatus } from "./TemplateCampaign.ts"
import { TemplateContactStatus } from "./TemplateContact.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const templateCampaignErrors = {
  CampaignRunning: { status: 409, code: "template_campaign_running" },
  InvalidTemplateCampaign: { status: 422, code: "invalid_template_campaign" },
  ListClosed: { status: 409, code: "template_contacts_closed" },
  ListedContactNotFound: { status: 404, code: "template_contact_not_found" },
  ListedContactStarted: { status: 409, code: "template_contact_started" },
  RecipientOptedOut: { status: 409, code: "recipient_opted_out" },
  ScheduleMissing: { status: 409, code: "schedule_missing" },
  StartRefused: { status: 409, code: "start_refused" },
  TemplateCampaignEnded: { status: 409, code: "template_campaign_ended" },
  TemplateCampaignNotFound: { status: 404, code: "template_campaign_not_found" },
  TemplateFixed: { status: 409, code: "template_fixed" },
  TemplateMoveRefused: { status: 409, code: "template_move_refused" }
} as const satisfies ErrorTable

export class TemplateCampaignNotFound extends Schema.TaggedError<TemplateCampaignNotFound>()(
  "TemplateCampaignNotFound",
  { id: Schema.String }
) {
  override get message() {
    return "Template campaign not found"
  }
}

export class ListedContactNotFound extends Schema.TaggedError<ListedContactNotFound>()("ListedContactNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Contact not found on this campaign"
  }
}

export class ListedContactStarted extends Schema.TaggedError<ListedContactStarted>()("ListedContactStarted", {
  status: TemplateContactStatus
}) {
  override get message() {
    return `Only a contact that is queued can be removed from a campaign; this one is ${this.status}.`
  }
}

/** Every fault at once, by the code's field names. */
export class InvalidTemplateCampaign extends Schema.TaggedError<InvalidTemplateCampaign>()("InvalidTemplateCampaign", {
  faults: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.faults.map(({ message }) => message).join("; ")
  }
}

export class ListClosed extends Schema.TaggedError<ListClosed>()("ListClosed", { status: TemplateCampaignStatus }) {
  override get message() {
    return `Contacts can be added while a campaign is draft, scheduled or paused; this one is ${this.status}. Pause it first, if it is running.`
  }
}

export class CampaignRunning extends Schema.TaggedError<CampaignRunning>()("CampaignRunning", {}) {
  override get message() {
    return "A campaign that is running cannot be deleted. Pause or cancel it first."
  }
}

export class TemplateCampaignEnded extends Schema.TaggedError<TemplateCampaignEnded>()("TemplateCampaignEnded", {
  status: TemplateCampaignStatus
}) {
  override get message() {
    return `This campaign is ${this.status}, and cannot be changed any more.`
  }
}

export class TemplateFixed extends Schema.TaggedError<TemplateFixed>()("TemplateFixed", {
  status: TemplateCampaignStatus
}) {
  override get message() {
    return `The template of a campaign can be changed while it is a draft; this one is ${this.status}.`
  }
}

export class TemplateMoveRefused extends Schema.TaggedError<TemplateMoveRefused>()("TemplateMoveRefused", {
  from: TemplateCampaignStatus,
  to: TemplateCampaignStatus
}) {
  override get message() {
    return `A template campaign cannot move from ${this.from} to ${this.to}.`
  }
}

export class ScheduleMissing extends Schema.TaggedError<ScheduleMissing>()("ScheduleMissing", {}) {
  override get message() {
    return "A campaign can be scheduled once its scheduled_at is in the future. Set it first."
  }
}

/** Everything that keeps a campaign from starting, with a code for programs. */
export class StartRefused extends Schema.TaggedError<StartRefused>()("StartRefused", {
  reasons: Schema.Array(Schema.Struct({ code: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.reasons.map(({ message }) => message).join(" ")
  }
}

export class RecipientOptedOut extends Schema.TaggedError<RecipientOptedOut>()("RecipientOptedOut", {}) {
  override get message() {
    return "This person has opted out of messages of campaigns. Nothing was sent."
  }
}
