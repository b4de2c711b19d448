/** The contract of template campaigns, their contacts, and what a campaign would do and is doing. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Brand } from "../../platform/brand/index.ts"
import { CsvText } from "../../platform/http/CsvFile.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts, FormFields } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { ImportForm, ImportReport, importFields, importTexts } from "../../platform/http/ImportForm.ts"
import { ActsOutside } from "../../platform/http/KeyedWrites.ts"
import { AlsoNeedsScope, NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, Forbidden, NotFound, RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Entity, Ids, Instant, isLonger, Wire } from "../../platform/kernel/index.ts"
import { maxContentKib } from "../messages/JsonObject.ts"
import { sentMessage, sentMessageTexts } from "../routes/MessagesApi.ts"
import { ofPlatform, PlatformId, Recipient, UserId } from "../routes/MessagingApi.ts"
import { campaignSettings } from "./CampaignSettings.ts"
import { retriableReasons } from "./SendResult.ts"
import { TemplateCampaignStatus, TemplateParameterBody } from "./TemplateCampaign.ts"
import {
  TemplateCampaignBody,
  TemplateCampaignDryRunBody,
  TemplateCampaignLiveBody,
  TemplateContactShown
} from "./TemplateCampaignRecord.ts"
import { ContactReason, contactStatuses, TemplateContactStatus } from "./TemplateContact.ts"

const name = Fields.name(255)

const Template = Schema.Struct({ name: Fields.text(1, 512), language: Fields.text(2, 16) })

/** Choice: more places than the text of a template has room for. */
const maxParameters = 256

/** Its places, fields and texts are read by the rules of the template. */
const Parameters = Fields.json(
  Schema.Record(Schema.String, TemplateParameterBody).check(Schema.isMaxProperties(maxParameters)),
  maxContentKib
)

const givenSettings = Entity.pluck(campaignSettings, "given")

/** Null means absent: the default is used. */
export const newCampaignFields = {
  name,
  phoneNumberId: PlatformId,
  template: Template,
  parameters: Fields.optional(Parameters),
  scheduledAt: Fields.optional(Instant.AnyIso),
  ...Fields.allOptional(givenSettings)
}

export const campaignChangeFields = {
  name: Schema.optionalKey(name),
  template: Schema.optionalKey(Template),
  parameters: Schema.optionalKey(Parameters),
  scheduledAt: Fields.optional(Instant.AnyIso),
  ...Struct.map(givenSettings, Schema.optionalKey)
}

const NewTemplateCampaign = Schema.Struct(Wire.toWire(newCampaignFields)).annotate({
  identifier: "NewTemplateCampaign"
})

const TemplateCampaignChange = Schema.Struct(Wire.toWire(campaignChangeFields)).annotate({
  identifier: "TemplateCampaignChange"
})

const maxVariables = 64
const maxVariableLength = 64

/** What a contact has to fill a template with. */
export const Variables = Schema.Record(Schema.String, Fields.text(0, 1024)).check(
  Schema.isMaxProperties(maxVariables),
  Schema.makeFilter(
    (variables: object) =>
      Object.keys(variables).every((key) => key !== "" && !isLonger(key, maxVariableLength)) ||
      `Expected names of 1 to ${maxVariableLength} characters`,
    { toJsonSchema: () => ({ propertyNames: { minLength: 1, maxLength: maxVariableLength } }) }
  )
)

/** One person of those who are added. */
export const newContactFields = {
  phone: Fields.optional(Fields.text(1, 64)),
  userId: Fields.optional(UserId),
  name: Fields.optional(Fields.text(0, 255)),
  variables: Fields.optional(Variables),
  optedIn: Fields.optional(Schema.Boolean)
}

export const maxNewContacts = 1000

const NewContacts = Schema.Struct({
  contacts: Schema.Array(
    Schema.Struct(Wire.toWire(newContactFields)).check(
      Schema.makeFilter(
        ({ phone, user_id }) =>
          (phone ?? user_id ?? null) !== null || { path: ["phone"], issue: "Field required, or user_id instead" }
      )
    )
  ).check(Schema.isMaxLength(maxNewContacts))
}).annotate({ identifier: "NewTemplateContacts" })

const Tags = Schema.Array(Fields.text(1, 64)).check(Schema.isMaxLength(50))

export const segmentFields = {
  tags: Tags.check(Schema.isMinLength(1)),
  match: Fields.optional(Schema.Literals(["any", "all"])),
  excludeTags: Fields.optional(Tags),
  optedIn: Fields.optional(Schema.Boolean),
  dryRun: Fields.optional(Schema.Boolean)
}

const ContactSegment = Schema.Struct(Wire.toWire(segmentFields)).annotate({ identifier: "ContactSegment" })

export const RetryReasons = Schema.Array(Schema.Literals(retriableReasons)).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(retriableReasons.length)
)

const TemplateRetry = Schema.Struct({ reasons: Fields.optional(RetryReasons) }).annotate({
  identifier: "TemplateRetry"
})

export const trialFields = {
  to: Fields.optional(Recipient),
  userId: Fields.optional(UserId),
  variables: Fields.optional(Variables)
}

const TemplateTrial = Schema.Struct(Wire.toWire(trialFields))
  .check(
    Schema.makeFilter(
      ({ to, user_id }) =>
        (to ?? user_id ?? null) !== null || { path: ["to"], issue: "Field required, or user_id instead" }
    )
  )
  .annotate({ identifier: "TemplateTrial" })

export const templateCampaignPages = { limit: 100, standard: 50, offset: 100_000 }
export const templateContactPages = { limit: 500, standard: 100, offset: 1_000_000 }

/** The filters and the page of a list of campaigns. */
export const templateCampaignsQuery = {
  ...Fields.page(templateCampaignPages),
  status: Schema.optionalKey(TemplateCampaignStatus),
  phone_number_id: Schema.optionalKey(Fields.text(1, 128))
}

const contactFilters = {
  status: Schema.optionalKey(TemplateContactStatus),
  reason: Schema.optionalKey(ContactReason),
  replied: Schema.optionalKey(Schema.Boolean),
  phone: Schema.optionalKey(Fields.text(1, 64))
}

/** The filters and the page of a contact list. */
export const templateContactsQuery = { ...Fields.page(templateContactPages), ...contactFilters }

const ContactsAdded = Schema.Struct({
  added: Schema.Int,
  skipped_duplicate: Schema.Int,
  skipped_invalid: Schema.Int,
  total_now: Schema.Int
})

const SegmentAdded = Schema.Struct({
  matched: Schema.Int,
  added: Schema.Int,
  skipped_duplicate: Schema.Int,
  total_now: Schema.Int
})

const one = { campaign_id: Ids.schema<"TemplateCampaign">() }
const oneContact = { ...one, contact_id: Ids.schema<"TemplateContact">() }

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const everyText = (names: ReadonlyArray<string>, text: (name: string) => string) =>
  Object.fromEntries(names.map((field) => [`TemplateCampaignLive.${field}`, text(field)]))

const textsOf = (brand: Brand) => ({
  ...sentMessageTexts(brand),
  "query.status": "Returns only items with this status",
  "query.phone_number_id": "Returns only campaigns that send from this number, by the chat platform's id",
  "query.reason": "Returns only contacts that were skipped or have failed for this reason",
  "query.replied": "Returns only contacts that have replied, or only those that have not",
  "query.phone": "Returns only contacts whose number ends in these digits",
  name: "Name in lists; 1 to 255 characters",
  phone_number_id: "The chat platform's id of the connected number that sends the messages; it cannot be changed",
  template: "Template that is sent; it can be changed while the campaign is a draft",
  "TemplateCampaign.language": "Language of the template, as the chat platform writes it",
  "NewTemplateCampaign.language": "Language of the template, as the chat platform writes it",
  "TemplateCampaignChange.language": "Language of the template, as the chat platform writes it",
  language: "Language of the template",
  category: "Category of the template, in the chat platform's words; null until it is known",
  template_status: "Status of the template, in the chat platform's words; null until it is known",
  template_quality: "Rating of the template, in the chat platform's words; null until it is known",
  parameters:
    "What fills the template, by the place: `body.1`, `body.<name>`, `header.1`, `header.<name>`, `header.media` or `buttons.<index>`; each has a `value` for everybody, or a `field` and a `fallback`",
  value: "Text for everybody",
  field:
    "Field of each contact: `name`, `first_name`, `last_name`, `email`, `company`, `phone`, `custom.<key>` or `variables.<key>`",
  fallback: "Text for contacts whose field is empty; null to skip them",
  status: "Status of the campaign",
  pause_reason: "Why the service has paused the campaign; null where it has not",
  scheduled_at: "Time at which a scheduled campaign starts by itself",
  ...Wire.toWire(Entity.pluck(campaignSettings, "text")),
  total_contacts: "Number of contacts on the list",
  sent_contacts: "Number of contacts whose message the chat platform has accepted, and that have not failed since",
  delivered_contacts: "Number of contacts whose message was delivered",
  read_contacts: "Number of contacts who have read their message",
  failed_contacts: "Number of contacts whose message has failed",
  skipped_contacts: "Number of contacts to whom nothing was sent, for a reason that each of them has",
  replied_contacts: "Number of contacts who have replied",
  pricing: "Messages that the chat platform has named a price for, by category",
  billable: "Number of messages that the chat platform charges for",
  free: "Number of messages that the chat platform takes nothing for",
  started_at: "Time of the first start; null before",
  completed_at: "Time at which everybody on the list had an outcome; null before",
  contacts: "People to write to; at most 1000",
  phone: "Phone number as it was given; 1 to 64 characters",
  user_id: "The chat platform's id of the person",
  "NewTemplateContacts.name": "Name of the person; up to 255 characters",
  "TemplateContact.name": "Name of the person; null where none is known",
  "TemplateContact.phone": "Phone number as it was given; null where only the chat platform's id is known",
  "TemplateContact.user_id": "The chat platform's id of the person; null where none is known",
  variables: "What fills the template for this person: at most 64 texts of up to 1024 characters, by name",
  opted_in: "Whether the person has agreed to be messaged; default false",
  "ContactSegment.opted_in": "True for people alone who have agreed to be messaged; default false",
  "TemplateContact.status": "Status of the contact",
  "TemplateContact.reason": "Why the contact was skipped or has failed; null for all others",
  error: "What went wrong last; null where nothing did",
  "TemplateContact.code": "Code of the chat platform; null where it named none",
  "TemplateContact.message": "What went wrong, in a sentence",
  attempts: "Number of requests that the chat platform has answered and that count",
  next_attempt_at: "Time of the next attempt; null when none is due",
  held: "Whether the chat platform holds the message back for now",
  message_id: "Id of the message in its conversation; null before",
  [`TemplateContact.${brand.messageIdField}`]: "The chat platform's id of the message; null before",
  conversation_id: "Id of the conversation that the message is in; null before",
  sent_at: "Time at which the chat platform accepted the message; null before",
  delivered_at: "Time at which the message was delivered; null before",
  read_at: "Time at which the message was read; null before",
  failed_at: "Time at which the message failed; null where it has not",
  replied_at: "Time of the reply; null before",
  reply: "First message of the person within the campaign's hours for replies; null before",
  "TemplateContact.text": "Text of the reply; null where it has none",
  button: "Payload or title of the button that was tapped; null where none was",
  "TemplateContact.pricing": "What the chat platform says of the message's price; null before",
  "TemplateContact.category": "Category that the chat platform charges for; null where it names none",
  type: "Kind of price, in the chat platform's words; null where it names none",
  "TemplateContact.billable": "Whether the chat platform charges for the message; null where it does not say",
  added: "Number of contacts that were added; of a dry run, that would be",
  skipped_duplicate: "Number of people who are on the list already, or are named twice",
  skipped_invalid: "Number of people without a usable number or id",
  total_now: "Number of contacts on the list now",
  tags: "Tags of contacts in the address book; 1 to 50",
  match: "Whether one of the tags is enough, `any`, or all of them are needed, `all`; default `any`",
  exclude_tags: "Nobody who has one of these tags is added; at most 50",
  dry_run: "True to count without adding anybody; default false",
  matched: "Number of people whom the tags fit",
  reasons: "Reasons for which contacts have failed who are written to again; default `platform` alone",
  queued: "Number of contacts that are written to again",
  to: "Phone number, with the country code",
  campaign_id: "Id of the campaign",
  by_status: "Number of contacts of each status",
  ...everyText(contactStatuses, (status) => `Number of contacts whose status is \`${status}\``),
  messages_per_second: "Messages in a second, over the last ten seconds",
  eta: "Time at which the last message goes out at this rate; null where that cannot be said",
  failures: "Why contacts were skipped or have failed, the most frequent first; at most 20",
  "TemplateCampaignLive.code": "Code of the chat platform; null where it named none",
  count: "Number of these contacts",
  "TemplateCampaignLive.reason": "Why contacts were skipped or have failed, or what the campaign waits for",
  "TemplateCampaignLive.template": "What is known of the template",
  "TemplateCampaignLive.status": "Status of the campaign, or of the template in the chat platform's words",
  quality: "Rating of the template, in the chat platform's words; null where none is known",
  number: "What is known of the number",
  quality_rating: "Rating of the number; null where none is known",
  messaging_limit: "How many people the number may write to outside of open reply windows; null where it is not known",
  tier: "Limit in the chat platform's words",
  per_day: "Number of people in 24 hours; null for no limit",
  used_24h: "Number of people who count towards the limit now",
  waiting_for: "Why no message goes out now; null while one can",
  until: "Time at which it ends, when that is known",
  "TemplateCampaignDryRun.contacts": "Number of contacts who wait for a message",
  sendable: "Number of contacts to whom a message would be sent",
  "TemplateCampaignDryRun.skipped": "Number of contacts that would be skipped, by the reason",
  ...Object.fromEntries(
    ContactReason.literals.map((reason) => [
      `TemplateCampaignDryRun.${reason}`,
      `Number of contacts that would be skipped with \`${reason}\``
    ])
  ),
  errors: "What would refuse the start",
  warnings: "What does not refuse the start, and is worth a look",
  "TemplateCampaignDryRun.code": "Name for programs",
  "TemplateCampaignDryRun.message": "What it is, in a sentence",
  samples: "The first five messages",
  contact_id: "Id of the contact",
  "TemplateCampaignDryRun.to": "Digits of the number, or the chat platform's id of the person",
  "TemplateCampaignDryRun.template": "What is known of the template; of a sample, the template as it would be sent",
  "TemplateCampaignDryRun.text": "Words of the message",
  "TemplateCampaignDryRun.name": "Name of the template",
  "TemplateCampaignDryRun.status":
    "Status of the template, in the chat platform's words; null where there is no such template",
  estimate: "What the messages are likely to cost, by the operator's rates",
  messages: "Number of messages",
  currency: "Currency of the costs",
  cost: "Decimal text; null where no rate is for some of the messages",
  by_prefix: "Messages that are not free, by the rate that is for them",
  prefix: "First digits of the numbers; empty for all others",
  rate: "Decimal text: what one message costs",
  duration_seconds: "How long the messages take at the rate of the campaign, hours and limits left out"
})

const example = {
  name: "Autumn offer",
  phone_number_id: "106540352242922",
  template: { name: "autumn_offer", language: "en" },
  parameters: {
    "body.1": { field: "first_name", fallback: "there" },
    "header.media": { value: "https://example.com/autumn.jpg" }
  },
  max_per_day: 5000
}

const failures = [...ofPlatform, Conflict, Unprocessable] as const

const columnMapText =
  "JSON object from headers to fields; default: headers that name fields, of which `variables.<key>` is a variable of the contact"

/** The report of an import has names that campaigns and contacts have too. */
const reportTexts = Object.fromEntries(
  Object.entries(importTexts).map(([name, text]) => [name.includes(".") ? name : `ImportReport.${name}`, text])
)

/** Not part of the records, which are public: a type with a key of the brand's does not compile in projects that check the types of libraries. */
const templateContactBody = ({ messageIdField }: Brand) =>
  TemplateContactShown.pipe(Schema.encodeKeys({ msgid: messageIdField })).annotate({ identifier: "TemplateContact" })

export const templateCampaignsGroup = (brand: Brand) =>
  HttpApiGroup.make("templateCampaigns")
    .add(
      HttpApiEndpoint.post("create", "/", {
        payload: NewTemplateCampaign,
        success: TemplateCampaignBody.pipe(HttpApiSchema.status(201)),
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          described("Create a template campaign", "Creates a campaign in the status `draft`, which writes to nobody.")
        ),
      HttpApiEndpoint.get("list", "/", { query: templateCampaignsQuery, success: Schema.Array(TemplateCampaignBody) })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described(
            "List template campaigns",
            "Returns the account's template campaigns, newest first: all of them, or those that the filters leave."
          )
        ),
      HttpApiEndpoint.get("get", "/:campaign_id", { params: one, success: TemplateCampaignBody, error: NotFound })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described("Get a template campaign", "Returns one campaign with its settings, totals and prices.")
        ),
      HttpApiEndpoint.patch("change", "/:campaign_id", {
        params: one,
        payload: TemplateCampaignChange,
        success: TemplateCampaignBody,
        error: [NotFound, Conflict, Unprocessable]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          described(
            "Change a template campaign",
            "Changes the fields that you send and keeps the others; a running campaign follows from the next message on."
          )
        ),
      HttpApiEndpoint.delete("remove", "/:campaign_id", {
        params: one,
        success: HttpApiSchema.NoContent,
        error: [NotFound, Conflict]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          described(
            "Delete a template campaign",
            "Deletes a campaign that is not running, and its contact list; its messages stay in their conversations."
          )
        ),
      HttpApiEndpoint.post("move", "/:campaign_id/status", {
        params: one,
        payload: Schema.Struct({ status: TemplateCampaignStatus }),
        success: TemplateCampaignBody,
        error: [...failures, Forbidden]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          described(
            "Change the status of a template campaign",
            `Moves a campaign to another status; \`scheduled\` and \`running\`, which lead to real messages, need the scope \`${brand.channel}:send\` too.`
          )
        ),
      HttpApiEndpoint.post("addContacts", "/:campaign_id/contacts", {
        params: one,
        payload: NewContacts,
        success: ContactsAdded,
        error: [NotFound, Conflict]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          described(
            "Add contacts to a template campaign",
            "Adds people to the end of the contact list, each once, and counts those who cannot be written to."
          )
        ),
      HttpApiEndpoint.get("listContacts", "/:campaign_id/contacts", {
        params: one,
        query: templateContactsQuery,
        success: Schema.Array(templateContactBody(brand)),
        error: NotFound
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described(
            "List the contacts of a template campaign",
            "Returns the contacts with what became of their messages, in the order in which they were added: all of them, or those that the filters leave."
          )
        ),
      HttpApiEndpoint.post("importContacts", "/:campaign_id/contacts/import", {
        params: one,
        payload: ImportForm,
        success: ImportReport,
        error: [NotFound, Conflict, Unprocessable]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          described(
            "Import contacts of a template campaign from a CSV file",
            "Adds the rows of a CSV file to the address book and to the campaign, all of them or none, and reports every rejected row; a dry run, the default, changes nothing."
          )
        ),
      HttpApiEndpoint.get("exportContacts", "/:campaign_id/contacts.csv", {
        params: one,
        query: contactFilters,
        success: CsvText,
        error: NotFound
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described(
            "Export the contacts of a template campaign",
            "Returns all contacts that the filters leave, with what became of their messages, as a CSV file."
          )
        ),
      HttpApiEndpoint.delete("removeContact", "/:campaign_id/contacts/:contact_id", {
        params: oneContact,
        success: HttpApiSchema.NoContent,
        error: [NotFound, Conflict]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          described(
            "Remove a contact from a template campaign",
            "Removes a contact that is queued, to whom nothing has been sent."
          )
        ),
      HttpApiEndpoint.post("addSegment", "/:campaign_id/contacts/segment", {
        params: one,
        payload: ContactSegment,
        success: SegmentAdded,
        error: [NotFound, Conflict]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          described(
            "Add contacts of the address book",
            "Adds the people of the address book who have the tags now, each once; a dry run counts them alone."
          )
        ),
      HttpApiEndpoint.post("retry", "/:campaign_id/retry", {
        params: one,
        payload: Fields.optionalBody(TemplateRetry),
        success: Schema.Struct({ queued: Schema.Int }).pipe(HttpApiSchema.status(202)),
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(AlsoNeedsScope, "channel:send")
        .annotateMerge(
          described(
            "Retry failed contacts of a template campaign",
            "Has failed contacts written to again as if they were new; a campaign that is completed runs again for them."
          )
        ),
      HttpApiEndpoint.post("dryRun", "/:campaign_id/dry-run", {
        params: one,
        success: TemplateCampaignDryRunBody,
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described(
            "Try a template campaign without sending",
            "Returns what a start at once would do: to whom messages would go, who would be skipped, and what would refuse it; nothing is sent and nothing is changed."
          )
        ),
      HttpApiEndpoint.post("test", "/:campaign_id/test", {
        params: one,
        payload: TemplateTrial,
        success: sentMessage(brand),
        error: failures
      })
        .annotate(NeedsScope, "channel:send")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described(
            "Send a test message of a template campaign",
            "Sends one message with the campaign's template and parameters; it is on no list and in no count."
          )
        ),
      HttpApiEndpoint.get("live", "/:campaign_id/live", {
        params: one,
        success: TemplateCampaignLiveBody,
        error: NotFound
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described(
            "Get the live view of a template campaign",
            "Returns how many contacts have which status, how fast messages go out, and the reason why none goes out now."
          )
        )
    )
    .prefix(`/api/v1/${brand.channel}/campaigns`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Campaigns that send one approved template to many people, once each")
    .annotate(BodyExamples, {
      create: example,
      change: { name: "Autumn offer, second week", max_per_second: 20 },
      move: { status: "running" },
      addContacts: {
        contacts: [{ phone: "+4930901820", name: "Asha Rao", variables: { "1": "4711" }, opted_in: true }]
      },
      addSegment: { tags: ["customer"], exclude_tags: ["complaint"], opted_in: true, dry_run: true },
      retry: { reasons: ["platform"] },
      test: { to: "+4930901820", variables: { "1": "4711" } }
    })
    .annotate(FormFields, importFields)
    .annotate(FieldTexts, { ...importTexts, ...reportTexts, ...textsOf(brand), column_map: columnMapText })
