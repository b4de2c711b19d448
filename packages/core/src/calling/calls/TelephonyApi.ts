/** The contracts of calls, caller numbers, voicemail templates and the carriers' callbacks. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CsvText } from "../../platform/http/CsvFile.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { IsCallback, MaxBodyBytes } from "../../platform/http/index.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import {
  Conflict,
  NotFound,
  PaymentRequired,
  RequestErrors,
  TooManyRequests,
  Unauthorized,
  Unprocessable
} from "../../platform/http/PlatformErrors.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { CallRecord } from "./Call.ts"
import { CallRecording } from "./CallConversations.ts"
import { AnsweredBy, CallStatus, EndReason } from "./CallStatus.ts"
import { NotedOutcomeBody } from "./NotedOutcome.ts"
import { CallerNumberRecord, VoicemailTemplateRecord } from "./NumberStore.ts"
import { TranscriptBody, transcriptOffset, transcriptTexts } from "./TranscriptApi.ts"

export const CallBody = Schema.Struct({
  ...CallRecord.schema.fields,
  outcome: Schema.NullOr(NotedOutcomeBody)
}).annotate({ identifier: "Call" })

const NumberBody = CallerNumberRecord.schema.annotate({ identifier: "PhoneNumber" })

const TemplateBody = VoicemailTemplateRecord.schema.annotate({ identifier: "VoicemailTemplate" })

const HttpUrl = Fields.text(1, 2048).check(
  Schema.makeFilter(
    (value: string) => (/^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value)) || "Expected an http or https URL"
  )
)

export const telephonyPages = { limit: 500, standard: 100, offset: 1_000_000 }
const lists = Fields.page(telephonyPages)
const one = { call_id: Ids.schema<"Call">() }

export const NewCall = Schema.Struct({
  to: Fields.text(1, 64),
  from_number_id: Fields.optional(Ids.schema<"Number">()),
  bot_id: Fields.optional(Ids.schema<"Bot">())
}).annotate({ identifier: "NewCall" })

export const callFilters = {
  campaign_id: Schema.optionalKey(Ids.schema<"Campaign">()),
  contact_id: Schema.optionalKey(Ids.schema<"CampaignContact">()),
  status: Schema.optionalKey(CallStatus),
  phone: Schema.optionalKey(Fields.text(1, 64)),
  bot_id: Schema.optionalKey(Ids.schema<"Bot">()),
  from_number_id: Schema.optionalKey(Ids.schema<"Number">()),
  end_reason: Schema.optionalKey(EndReason),
  answered_by: Schema.optionalKey(AnsweredBy),
  outcome: Schema.optionalKey(Fields.text(1, 64)),
  since: Schema.optionalKey(Instant.AnyIso),
  until: Schema.optionalKey(Instant.AnyIso)
}

/** The filters and the page of a list of calls, as promises take them. */
export const callsQuery = {
  ...lists,
  ...callFilters,
  since: Schema.optionalKey(Instant.Given),
  until: Schema.optionalKey(Instant.Given)
}

export const callTexts = {
  ...transcriptTexts,
  "query.campaign_id": "Returns only items of this campaign",
  "query.contact_id": "Returns only items of this contact of a campaign",
  "query.status": "Returns only items with this status",
  "query.phone": "Returns only items to the number that ends with these digits",
  "query.bot_id": "Returns only items of this agent",
  "query.from_number_id": "Returns only items from this caller number",
  "query.end_reason": "Returns only items that ended for this reason",
  "query.answered_by": "Returns only items that were answered so",
  "query.outcome": "Returns only items of which exactly this was noted",
  "query.since": "Returns only items that were created at this time or later",
  "query.until": "Returns only items that were created before this time",
  "NewCallOutcome.outcome": "How the call has ended; 1 to 64 characters",
  "NewCallOutcome.note": "More about it; up to 2000 characters",
  do_not_call: "True to put the number on the do-not-call list",
  recording: "Whether the newest conversation with an agent has a recording",
  analysis: "What a model has found out about that conversation; null without one",
  to: "Phone number to call; 1 to 64 characters",
  from: "Phone number that the call comes from",
  from_number_id: "Number that the call comes from; null for the account's first",
  bot_id: "Agent that speaks in the call",
  campaign_id: "Campaign that placed the call; null for a single call",
  contact_id: "Contact of the campaign",
  attempt: "Which attempt to reach the contact this is, from 1",
  status: "Status of the call",
  answered_by: "Who answered; null without detection and before its result",
  burst_id: "Parallel mode: id that the calls of one parallel dial share",
  is_winner: "Parallel mode: true for the first call of a parallel dial that was answered",
  abandoned: "True when a person answered after the winner and was hung up",
  provider: "Carrier of the call",
  provider_call_id: "The carrier's id of the call",
  started_at: "Time at which the call was placed",
  answered_at: "Time at which the call was answered",
  ended_at: "Time at which the call ended",
  duration_seconds: "Seconds from the answer to the end",
  end_reason: "Why the call ended; null while it has not",
  voice_session_id: "Voice session of the call's agent; null without one",
  credits: "Price of the call",
  outcome: "What a person has noted of the call; null when nothing was",
  "CallOutcome.outcome": "How the call has ended, in the words of who noted it",
  note: "More about it; null without",
  by: "Who noted it",
  subject: "Id of the person or the key",
  at: "Time at which it was noted"
}

/** Everything by which calls are found. */
export const NewOutcome = Schema.Struct({
  outcome: Fields.name(64),
  note: Fields.optional(Fields.text(0, 2000)),
  do_not_call: Fields.optional(Schema.Boolean)
}).annotate({ identifier: "NewCallOutcome" })

const WholeCallBody = Schema.Struct({
  ...CallBody.fields,
  recording: CallRecording,
  analysis: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
}).annotate({ identifier: "CallDetails" })

export const callsGroup = HttpApiGroup.make("calls")
  .add(
    HttpApiEndpoint.post("create", "/calls", {
      payload: NewCall,
      success: CallBody.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict, PaymentRequired, TooManyRequests, Unprocessable]
    })
      .annotate(NeedsScope, "calls:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Place a call",
          description: "Calls a number at once and spends credits, after the same checks as the calls of a campaign."
        })
      ),
    HttpApiEndpoint.get("list", "/calls", {
      query: { ...lists, ...callFilters },
      success: Schema.Array(CallBody)
    })
      .annotate(NeedsScope, "calls:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List calls",
          description:
            "Returns calls, those of campaigns included, newest first: all of them, or those that the filters leave."
        })
      ),
    HttpApiEndpoint.get("exportCalls", "/calls.csv", { query: callFilters, success: CsvText })
      .annotate(NeedsScope, "calls:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Export calls",
          description: "Returns all calls that the filters leave as a CSV file, newest first."
        })
      ),
    HttpApiEndpoint.put("note", "/calls/:call_id/outcome", {
      params: one,
      payload: NewOutcome,
      success: CallBody,
      error: NotFound
    })
      .annotate(NeedsScope, "calls:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Note the outcome of a call",
          description:
            "Notes how a call has ended, in place of what was noted before, and puts its number on the do-not-call list where you ask for it."
        })
      ),
    HttpApiEndpoint.get("recording", "/calls/:call_id/recording", {
      params: one,
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "audio/wav" })),
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "calls:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get the recording of a call",
          description:
            "Returns a WAV file of the newest conversation with an agent: the caller on the left, the agent on the right."
        })
      ),
    HttpApiEndpoint.get("get", "/calls/:call_id", { params: one, success: WholeCallBody, error: NotFound })
      .annotate(NeedsScope, "calls:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get a call",
          description: "Returns one call with its status, times and price."
        })
      ),
    HttpApiEndpoint.get("transcript", "/calls/:call_id/transcript", {
      params: one,
      query: transcriptOffset,
      success: Schema.Array(TranscriptBody),
      error: NotFound
    })
      .annotate(NeedsScope, "calls:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get the transcript of a call",
          description: "Returns what caller and agent said, in its order, also while the call goes on."
        })
      ),
    HttpApiEndpoint.post("hangUp", "/calls/:call_id/hangup", { params: one, success: CallBody, error: NotFound })
      .annotate(NeedsScope, "calls:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Hang up a call",
          description: "Ends a call; one that has ended already stays as it is."
        })
      )
  )
  .prefix("/api/v1/telephony")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Single calls, and those that campaigns have placed")
  .annotate(BodyExamples, {
    note: { outcome: "Call back", note: "After five", do_not_call: false },
    create: { to: "+4930901820", bot_id: "01936f00-0000-7000-8000-000000000001" }
  })
  .annotate(FieldTexts, callTexts)

export const numbersGroup = HttpApiGroup.make("numbers")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({ phone: Fields.text(1, 64), label: Fields.optional(Fields.text(0, 255)) }).annotate({
        identifier: "NewPhoneNumber"
      }),
      success: NumberBody.pipe(HttpApiSchema.status(201)),
      error: [Conflict, Unprocessable]
    })
      .annotate(NeedsScope, "calls:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a caller number",
          description: "Adds a number that calls may come from; the carrier must accept it as yours."
        })
      ),
    HttpApiEndpoint.get("list", "/", { query: lists, success: Schema.Array(NumberBody) })
      .annotate(NeedsScope, "calls:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List caller numbers",
          description: "Returns the account's caller numbers, newest first."
        })
      ),
    HttpApiEndpoint.patch("label", "/:number_id", {
      params: { number_id: Ids.schema<"Number">() },
      payload: Schema.Struct({ label: Fields.optional(Fields.text(0, 255)) }).annotate({
        identifier: "PhoneNumberChange"
      }),
      success: NumberBody,
      error: NotFound
    })
      .annotate(NeedsScope, "calls:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a caller number",
          description: "Changes the label of a caller number; null clears it."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:number_id", {
      params: { number_id: Ids.schema<"Number">() },
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "calls:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Remove a caller number",
          description: "Removes a caller number that no unfinished campaign uses."
        })
      )
  )
  .prefix("/api/v1/telephony/numbers")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Numbers that calls come from")
  .annotate(BodyExamples, { create: { phone: "+4930901821", label: "Sales" }, label: { label: "Support" } })
  .annotate(FieldTexts, {
    phone: "Phone number as it was given; 1 to 64 characters",
    label: "Name of the number in lists; up to 255 characters"
  })

const template = { template_id: Ids.schema<"VoicemailTemplate">() }

export const templatesGroup = HttpApiGroup.make("voicemailTemplates")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({
        name: Fields.name(255),
        text: Fields.optional(Fields.text(1, 3000)),
        audio_url: Fields.optional(HttpUrl)
      }).annotate({ identifier: "NewVoicemailTemplate" }),
      success: TemplateBody.pipe(HttpApiSchema.status(201)),
      error: [Conflict, Unprocessable]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a voicemail template",
          description: "Creates a message for answering machines: a text that is spoken, or an audio file."
        })
      ),
    HttpApiEndpoint.get("list", "/", { query: lists, success: Schema.Array(TemplateBody) })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List voicemail templates",
          description: "Returns the account's voicemail templates, newest first."
        })
      ),
    HttpApiEndpoint.get("get", "/:template_id", {
      params: template,
      success: TemplateBody,
      error: NotFound
    })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Get a voicemail template", description: "Returns one voicemail template." })
      ),
    HttpApiEndpoint.patch("change", "/:template_id", {
      params: template,
      payload: Schema.Struct({
        name: Schema.optionalKey(Fields.name(255)),
        text: Fields.optional(Fields.text(1, 3000)),
        audio_url: Fields.optional(HttpUrl)
      }).annotate({ identifier: "VoicemailTemplateChange" }),
      success: TemplateBody,
      error: [NotFound, Unprocessable]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a voicemail template",
          description: "Changes the fields that you send and keeps the others."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:template_id", {
      params: template,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a voicemail template",
          description: "Deletes a voicemail template that no unfinished campaign uses."
        })
      )
  )
  .prefix("/api/v1/voicemail-templates")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Messages for answering machines")
  .annotate(BodyExamples, {
    create: { name: "Please call back", text: "Good day. Please call us back at your convenience." },
    change: { text: "Good day. We will try again tomorrow." }
  })
  .annotate(FieldTexts, {
    name: "Name in lists; 1 to 255 characters",
    text: "Text to speak; up to 3000 characters; null when there is a file",
    audio_url: "URL of the audio file to play; null when there is a text"
  })

/** Carriers prove themselves by signature, so this group has no other authentication. Its body is read raw. */
const instructions = {
  description: "The report was accepted; a body, if any, has the carrier's instructions for the call",
  content: { "*/*": { schema: { type: "string" } } }
}

/** A carrier's form has some dozens of fields. */
const maxCallbackBytes = 64 * 1024

export const callbacksGroup = HttpApiGroup.make("callbacks")
  .add(
    HttpApiEndpoint.post("take", "/api/v1/telephony/providers/:provider/callback", {
      params: { provider: Schema.String },
      success: HttpApiSchema.Empty(200),
      error: [NotFound, Unauthorized, Unprocessable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Report of a carrier",
        description: "Receives a signed report of a carrier about a call.",
        transform: (operation) => ({
          ...operation,
          requestBody: { required: true, content: { "*/*": { schema: { type: "string", format: "binary" } } } },
          responses: { ...operation.responses, 200: instructions }
        })
      })
    )
  )
  .add(
    HttpApiEndpoint.post("resume", "/api/v1/telephony/providers/:provider/resume", {
      params: { provider: Schema.String },
      success: HttpApiSchema.Empty(200),
      error: [NotFound, Unauthorized, Unprocessable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Question of a carrier",
        description: "Answers a signed question of a carrier about a call whose media has ended.",
        transform: (operation) => ({
          ...operation,
          requestBody: { required: true, content: { "*/*": { schema: { type: "string", format: "binary" } } } },
          responses: { ...operation.responses, 200: instructions }
        })
      })
    )
  )
  .middleware(RequestErrors)
  .annotateEndpoints(IsCallback, true)
  .annotateEndpoints(MaxBodyBytes, maxCallbackBytes)
  .annotate(OpenApi.Description, "Reports of carriers about calls")
