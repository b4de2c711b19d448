/** The contract of `/api/v1/voice-campaigns`, the do-not-call list apart. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { DoerBody } from "../../platform/accounts/index.ts"
import { CsvText } from "../../platform/http/CsvFile.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsFeature, NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Entity, Ids, Instant, Wire } from "../../platform/kernel/index.ts"
import { OpenCallStatus } from "../calls/CallStatus.ts"
import { bounds, CampaignRecord, CampaignStatus, references } from "./Campaign.ts"
import { ContactStatus, LastError } from "./ContactLifecycle.ts"
import { ContactBody } from "./ContactViews.ts"
import { DialMode, settings } from "./DialingSettings.ts"
import { HoldReason } from "./DialPlan.ts"

/** Source: docs/reference/campaigns.md#campaign. */
const CampaignBody = CampaignRecord.schema.annotate({ identifier: "Campaign" })

const name = Fields.name(bounds.name.maximum)

const referenceFields = {
  botId: Fields.optional(references.botId),
  fromNumberId: Fields.optional(references.fromNumberId),
  voicemailTemplateId: Fields.optional(references.voicemailTemplateId),
  scheduledAt: Fields.optional(Instant.AnyIso)
}

const givenSettings = Entity.pluck(settings, "given")

/** Null means absent: the default is used. */
const newSettings = Fields.allOptional(givenSettings)

const changedSettings = Struct.map(givenSettings, Schema.optionalKey)

export const NewCampaign = Schema.Struct(Wire.toWire({ name, ...referenceFields, ...newSettings })).annotate({
  identifier: "NewCampaign"
})

export const CampaignChange = Schema.Struct(
  Wire.toWire({ name: Schema.optionalKey(name), ...referenceFields, ...changedSettings })
).annotate({ identifier: "CampaignChange" })

export const NewContacts = Schema.Struct({
  contacts: Schema.Array(
    Schema.Struct({
      phone: Fields.text(bounds.contactPhone.minimum, bounds.contactPhone.maximum),
      name: Fields.optional(Fields.text(bounds.contactName.minimum, bounds.contactName.maximum))
    })
  ).check(Schema.isMaxLength(bounds.contactsAdded.maximum))
}).annotate({ identifier: "NewContacts" })

/** Contacts that one request has called again by their ids. */
const maxRetried = 1000

/** Reasons for which contacts can be called again; a suppressed number is never called. */
const retriedErrors = [
  "busy",
  "no_answer",
  "machine",
  "invalid_number",
  "blocked_number",
  "provider_error",
  "outcome_unknown",
  "canceled"
] as const

export const campaignPages = { limit: 100, standard: 50, offset: 100_000 }
export const contactPages = { limit: 500, standard: 100, offset: 1_000_000 }

/** The filters and the page of a list of campaigns. */
export const campaignsQuery = {
  ...Fields.page(campaignPages),
  status: Schema.optionalKey(Fields.names(CampaignStatus.literals)),
  q: Schema.optionalKey(Fields.search)
}

const contactFilters = {
  status: Schema.optionalKey(ContactStatus),
  last_error: Schema.optionalKey(LastError),
  outcome: Schema.optionalKey(Fields.text(1, 64)),
  q: Schema.optionalKey(Fields.search)
}

/** The filters and the page of a contact list. */
export const contactsQuery = { ...Fields.page(contactPages), ...contactFilters }

const everyName = <Name extends string>(names: ReadonlyArray<Name>) =>
  Schema.Struct(Object.fromEntries(names.map((name) => [name, Schema.Int])) as Record<Name, typeof Schema.Int>)

const Counts = Schema.Struct({
  total: Schema.Int,
  by_status: everyName(ContactStatus.literals),
  by_last_error: everyName(LastError.literals),
  held: Schema.Int,
  due: Schema.Int,
  next_attempt_at: Schema.NullOr(Instant.Iso),
  answered: Schema.Int,
  calls: Schema.Int
}).annotate({ identifier: "CampaignCounts" })

/** Exactly one of both. */
export const RetryOrder = Schema.Struct({
  contact_ids: Schema.optionalKey(
    Schema.Array(Ids.schema<"CampaignContact">()).check(Schema.isMinLength(1), Schema.isMaxLength(maxRetried))
  ),
  last_error: Schema.optionalKey(
    Schema.Array(LastError.pick(retriedErrors)).check(Schema.isMinLength(1), Schema.isMaxLength(retriedErrors.length))
  )
})
  .check(
    Schema.makeFilter(
      (order) =>
        (order.contact_ids === undefined) !== (order.last_error === undefined) ||
        "Expected either contact_ids or last_error"
    )
  )
  .annotate({ identifier: "RetryOrder" })

export const NewDuplicate = Schema.Struct({
  name: Fields.optional(name),
  contacts: Fields.optional(Schema.Literals(["none", "failed", "all"]))
}).annotate({ identifier: "CampaignDuplicate" })

const ContactsRetried = Schema.Struct({ retried: Schema.Int, skipped: Schema.Int })

const ContactsAdded = Schema.Struct({ inserted: Schema.Int, skipped_invalid: Schema.Int, total_now: Schema.Int })

export const Live = Schema.Struct({
  campaign_id: Ids.schema<"Campaign">(),
  status: CampaignStatus,
  dial_mode: DialMode,
  pace_seconds: Schema.Int,
  parallel_lines: Schema.Int,
  active_calls: Schema.Array(
    Schema.Struct({
      call_id: Ids.schema<"Call">(),
      contact_id: Schema.NullOr(Ids.schema<"CampaignContact">()),
      phone: Schema.String,
      name: Schema.NullOr(Schema.String),
      status: OpenCallStatus,
      burst_id: Schema.NullOr(Ids.schema<"Burst">()),
      is_winner: Schema.Boolean,
      started_at: Instant.Iso
    })
  ),
  awaiting_approval: Schema.Array(
    Schema.Struct({
      contact_id: Ids.schema<"CampaignContact">(),
      phone: Schema.String,
      name: Schema.NullOr(Schema.String),
      attempts: Schema.Int,
      created_at: Instant.Iso,
      held_by: Schema.NullOr(DoerBody),
      held_until: Schema.NullOr(Instant.Iso)
    })
  ),
  awaiting_approval_total: Schema.Int,
  waiting_for: Schema.NullOr(
    Schema.Struct({
      reason: HoldReason,
      until: Schema.NullOr(Instant.Iso)
    })
  ),
  abandon_rate: Schema.Finite
}).annotate({ identifier: "CampaignLive" })

const everyText = (names: ReadonlyArray<string>, text: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [`CampaignCounts.${name}`, text(name)]))

const one = { campaign_id: Ids.schema<"Campaign">() }
const oneContact = { ...one, contact_id: Ids.schema<"CampaignContact">() }

export const campaignTexts = {
  "query.status": "Returns only items with this status; of campaigns also several, with commas between them",
  "query.last_error": "Returns only items whose last attempt failed for this reason",
  "query.outcome": "Returns only items of whose latest call exactly this was noted",
  "query.q":
    "Returns only items whose name has this text as a part, in small or capital letters; three digits or more are also looked for in the phone number",
  total: "Number of contacts on the list",
  by_status: "Number of contacts of each status",
  by_last_error: "Number of contacts whose last attempt failed, by the reason",
  ...everyText(ContactStatus.literals, (status) => `Number of contacts whose status is \`${status}\``),
  ...everyText(LastError.literals, (reason) => `Number of contacts whose last attempt failed with \`${reason}\``),
  held: "Number of contacts that somebody is looking at at the preview desk",
  held_by: "Preview mode: who is looking at the contact; null when nobody is",
  held_until: "Preview mode: when others may be shown the contact; null when nobody is looking at it",
  subject: "Id of the person or the key",
  outcome: "What was noted of the latest call; null when nothing was",
  "CallOutcome.outcome": "How the call has ended, in the words of who noted it",
  "CallOutcome.name": "Name of the person or the key; null where none is known",
  "CallOutcome.note": "More about it; null without",
  by: "Who noted it",
  at: "Time at which it was noted",
  due: "Number of contacts that wait and whose next attempt is not later than now",
  "CampaignCounts.next_attempt_at": "Time of the earliest next attempt of a contact; null when none waits for one",
  answered: "Number of calls that were answered, by people or machines",
  calls: "Number of calls of the campaign",
  name: "Name in lists; 1 to 255 characters",
  "CampaignContact.name": "Name of the person",
  "CampaignLive.name": "Name of the person",
  "NewContacts.name": "Name of the person",
  bot_id: "Agent that speaks in the calls",
  from_number_id: "Number that the calls come from; null for the account's first",
  voicemail_template_id: "Message to leave on answering machines; null to hang up",
  scheduled_at: "Time at which a scheduled campaign starts by itself",
  ...Wire.toWire(Entity.pluck(settings, "text")),
  status: "Status of the campaign",
  "CampaignContact.status": "Status of the contact",
  total_contacts: "Number of contacts on the list",
  completed_contacts: "Number of contacts whose status is `done`",
  failed_contacts: "Number of contacts whose status is `failed`",
  contacts: "People to call; at most 1000",
  phone: "Phone number as it was given; 1 to 64 characters",
  "CampaignDuplicate.contacts":
    "Contacts that the new campaign begins with: `none`, those that have `failed`, or `all`",
  "RetryOrder.contact_ids": "Contacts to call again; 1 to 1000, and no `last_error` beside them",
  "RetryOrder.last_error": "Reasons for which the last attempt failed; 1 to 8, and no `contact_ids` beside them",
  retried: "Number of contacts that wait again",
  skipped: "Number of contacts that were left as they are: suppressed, not failed, or not on the list",
  inserted: "Number of contacts that were added",
  skipped_invalid: "Number of phone numbers that cannot be dialed",
  total_now: "Number of contacts on the list now",
  attempts: "Number of attempts that count",
  next_attempt_at: "Time of the next attempt; null when none is due",
  last_error: "Reason why the last attempt failed; null when it did not",
  call_id: "Id of the latest call",
  approved_by: "Who approved the contact: `key:` and the id of a key, or `user:` and a person; null before",
  approved_at: "Time of the approval; null before",
  campaign_id: "Id of the campaign",
  active_calls: "Calls that are under way",
  contact_id: "Id of the contact on this campaign",
  burst_id: "Parallel mode: id that the calls of one parallel dial share",
  is_winner: "Parallel mode: true for the first call of a parallel dial that was answered",
  started_at: "Time at which the call was placed",
  awaiting_approval: "Preview mode: the first 50 contacts that wait, in dialing order",
  awaiting_approval_total: "Number of all contacts that wait",
  waiting_for: "Why nothing is dialed now; null when nothing is in the way",
  reason: "What the campaign waits for",
  until: "Time at which it ends, when that is known",
  abandon_rate:
    "Parallel mode: share of the calls answered by people in the last 30 days that were hung up, from 0 to 1"
}

export const campaignsGroup = HttpApiGroup.make("campaigns")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewCampaign,
      success: CampaignBody.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict, Unprocessable]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a campaign",
          description: "Creates a campaign in the status `draft`, which calls nobody."
        })
      ),
    HttpApiEndpoint.get("list", "/", {
      query: campaignsQuery,
      success: Schema.Array(CampaignBody)
    })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List campaigns",
          description: "Returns the account's campaigns, newest first: all of them, or those that the filters leave."
        })
      ),
    HttpApiEndpoint.get("get", "/:campaign_id", { params: one, success: CampaignBody, error: NotFound })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get a campaign",
          description: "Returns one campaign with its settings and totals."
        })
      ),
    HttpApiEndpoint.patch("change", "/:campaign_id", {
      params: one,
      payload: CampaignChange,
      success: CampaignBody,
      error: [NotFound, Unprocessable]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a campaign",
          description:
            "Changes the fields that you send and keeps the others; new settings apply from the next call on."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:campaign_id", {
      params: one,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a campaign",
          description: "Deletes a campaign and its contact list; calls that are under way go on."
        })
      ),
    HttpApiEndpoint.post("move", "/:campaign_id/status", {
      params: one,
      payload: Schema.Struct({ status: CampaignStatus }),
      success: CampaignBody,
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change the status of a campaign",
          description:
            "Moves a campaign to another status; a campaign that is `running` places real calls and spends credits."
        })
      ),
    HttpApiEndpoint.post("addContacts", "/:campaign_id/contacts", {
      params: one,
      payload: NewContacts,
      success: ContactsAdded,
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add contacts to a campaign",
          description: "Adds people to the end of the contact list and counts the numbers that cannot be dialed."
        })
      ),
    HttpApiEndpoint.get("listContacts", "/:campaign_id/contacts", {
      params: one,
      query: contactsQuery,
      success: Schema.Array(ContactBody),
      error: NotFound
    })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List the contacts of a campaign",
          description:
            "Returns the contacts with the results of their calls, in the order in which they were added: all of them, or those that the filters leave."
        })
      ),
    HttpApiEndpoint.get("exportContacts", "/:campaign_id/contacts.csv", {
      params: one,
      query: contactFilters,
      success: CsvText,
      error: NotFound
    })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Export the contacts of a campaign",
          description:
            "Returns all contacts that the filters leave, with the results of their latest calls, as a CSV file."
        })
      ),
    HttpApiEndpoint.delete("removeContact", "/:campaign_id/contacts/:contact_id", {
      params: oneContact,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Remove a contact from a campaign",
          description: "Removes a contact that is not being called; its calls stay."
        })
      ),
    HttpApiEndpoint.post("retryContacts", "/:campaign_id/contacts/retry", {
      params: one,
      payload: RetryOrder,
      success: ContactsRetried,
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Retry failed contacts",
          description:
            "Has failed contacts called again as if they were new: those that you name, or all that failed for these reasons."
        })
      ),
    HttpApiEndpoint.post("duplicate", "/:campaign_id/duplicate", {
      params: one,
      payload: Fields.optionalBody(NewDuplicate),
      success: CampaignBody.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Duplicate a campaign",
          description:
            "Creates a draft with the settings of a campaign and, where you ask for it, its contacts as new ones."
        })
      ),
    HttpApiEndpoint.get("counts", "/:campaign_id/counts", { params: one, success: Counts, error: NotFound })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Count the contacts of a campaign",
          description: "Returns how many contacts there are of each status and last error, and how many calls."
        })
      ),
    HttpApiEndpoint.get("live", "/:campaign_id/live", { params: one, success: Live, error: NotFound })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get the live view of a campaign",
          description:
            "Returns the calls under way, the contacts that wait for approval, and the reason why nothing is dialed now."
        })
      ),
    HttpApiEndpoint.post("approve", "/:campaign_id/contacts/:contact_id/approve", {
      params: oneContact,
      success: ContactBody,
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Approve a contact",
          description:
            "Approves one contact of a campaign in preview mode, so that the campaign calls it while it runs."
        })
      )
  )
  .prefix("/api/v1/voice-campaigns")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsFeature, "voiceCampaigns")
  .annotate(OpenApi.Description, "Campaigns, their contacts, and what they are doing now")
  .annotate(BodyExamples, {
    create: {
      name: "Autumn offer",
      timezone: "Europe/Berlin",
      quiet_hours_start: 9,
      quiet_hours_end: 18,
      dial_mode: "power",
      pace_seconds: 30,
      max_attempts: 3,
      bot_id: "01936f00-0000-7000-8000-000000000001"
    },
    change: { name: "Autumn offer, second week", max_calls_per_day: 200 },
    move: { status: "running" },
    retryContacts: { last_error: ["busy", "no_answer"] },
    duplicate: { name: "Autumn offer, second round", contacts: "failed" },
    addContacts: { contacts: [{ phone: "+4930901820", name: "Asha Rao" }, { phone: "+12125550123" }] }
  })
  .annotate(FieldTexts, campaignTexts)
