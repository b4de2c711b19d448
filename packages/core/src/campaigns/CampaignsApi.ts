/** The contract of `/api/v1/voice-campaigns`, the do-not-call list apart. */

import * as Multipart from "effect/http/Multipart"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import * as Fields from "../http/Fields.ts"
import { NeedsFeature, NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors, Unprocessable } from "../http/PlatformErrors.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { isZone } from "./CallingWindow.ts"
import { bounds, CampaignStatus, DialMode } from "./Campaign.ts"
import { ContactStatus, LastError } from "./ContactLife.ts"

const between = ({ maximum, minimum }: { readonly minimum: number; readonly maximum: number }) =>
  Fields.integer(minimum, maximum)

const Zone = Schema.String.check(
  Schema.makeFilter((name: string) => isZone(name) || "Expected the IANA name of a time zone, such as Asia/Kolkata", {
    toJsonSchema: () => ({})
  })
)

/** Source: docs/campaigns.md#campaign. */
export const CampaignRecord = Schema.Struct({
  id: Ids.schema<"Campaign">(),
  tenant_id: Ids.schema<"Account">(),
  name: Schema.String,
  status: CampaignStatus,
  total_contacts: Schema.Int,
  completed_contacts: Schema.Int,
  failed_contacts: Schema.Int,
  timezone: Schema.String,
  quiet_hours_start: Schema.Int,
  quiet_hours_end: Schema.Int,
  max_attempts: Schema.Int,
  dial_mode: DialMode,
  pace_seconds: Schema.Int,
  parallel_lines: Schema.Int,
  amd_enabled: Schema.Boolean,
  bot_id: Schema.NullOr(Ids.schema<"Bot">()),
  from_number_id: Schema.NullOr(Ids.schema<"Number">()),
  scheduled_at: Schema.NullOr(Instant.Iso),
  voicemail_template_id: Schema.NullOr(Ids.schema<"VoicemailTemplate">()),
  created_at: Instant.Iso,
  updated_at: Instant.Iso
}).annotate({ identifier: "Campaign" })

const rails = {
  timezone: Zone,
  quiet_hours_start: between(bounds.quietHoursStart),
  quiet_hours_end: between(bounds.quietHoursEnd),
  max_attempts: between(bounds.maxAttempts),
  dial_mode: DialMode,
  pace_seconds: between(bounds.paceSeconds),
  parallel_lines: between(bounds.parallelLines),
  amd_enabled: Schema.Boolean
}

const references = {
  bot_id: Fields.optional(Ids.schema<"Bot">()),
  from_number_id: Fields.optional(Ids.schema<"Number">()),
  voicemail_template_id: Fields.optional(Ids.schema<"VoicemailTemplate">()),
  scheduled_at: Fields.optional(Instant.AnyIso)
}

export const NewCampaign = Schema.Struct({
  name: Fields.name(bounds.name.maximum),
  ...references,
  timezone: Fields.optional(rails.timezone),
  quiet_hours_start: Fields.optional(rails.quiet_hours_start),
  quiet_hours_end: Fields.optional(rails.quiet_hours_end),
  max_attempts: Fields.optional(rails.max_attempts),
  dial_mode: Fields.optional(rails.dial_mode),
  pace_seconds: Fields.optional(rails.pace_seconds),
  parallel_lines: Fields.optional(rails.parallel_lines),
  amd_enabled: Fields.optional(rails.amd_enabled)
}).annotate({ identifier: "NewCampaign" })

export const CampaignChange = Schema.Struct({
  name: Schema.optionalKey(Fields.name(bounds.name.maximum)),
  ...references,
  timezone: Schema.optionalKey(rails.timezone),
  quiet_hours_start: Schema.optionalKey(rails.quiet_hours_start),
  quiet_hours_end: Schema.optionalKey(rails.quiet_hours_end),
  max_attempts: Schema.optionalKey(rails.max_attempts),
  dial_mode: Schema.optionalKey(rails.dial_mode),
  pace_seconds: Schema.optionalKey(rails.pace_seconds),
  parallel_lines: Schema.optionalKey(rails.parallel_lines),
  amd_enabled: Schema.optionalKey(rails.amd_enabled)
}).annotate({ identifier: "CampaignChange" })

export const ContactRow = Schema.Struct({
  id: Ids.schema<"CampaignContact">(),
  phone: Schema.String,
  name: Schema.NullOr(Schema.String),
  status: ContactStatus,
  attempts: Schema.Int,
  next_attempt_at: Schema.NullOr(Instant.Iso),
  last_error: Schema.NullOr(LastError),
  call_id: Schema.NullOr(Ids.schema<"Call">()),
  created_at: Instant.Iso
}).annotate({ identifier: "CampaignContact" })

export const NewContacts = Schema.Struct({
  contacts: Schema.Array(
    Schema.Struct({
      phone: Fields.text(bounds.contactPhone.minimum, bounds.contactPhone.maximum),
      name: Fields.optional(Fields.text(bounds.contactName.minimum, bounds.contactName.maximum))
    })
  ).check(Schema.isMaxLength(bounds.contactsAdded.maximum))
}).annotate({ identifier: "NewContacts" })

export const campaignPages = { limit: 100, standard: 50, offset: 100_000 }
export const contactPages = { limit: 500, standard: 100, offset: 1_000_000 }

const ContactsAdded = Schema.Struct({ inserted: Schema.Int, skipped_invalid: Schema.Int, total_now: Schema.Int })

export const ImportReport = Schema.Struct({
  dry_run: Schema.Boolean,
  total_rows: Schema.Int,
  created: Schema.Int,
  updated: Schema.Int,
  failed: Schema.Int,
  errors: Schema.Array(Schema.Struct({ row: Schema.Int, field: Schema.NullOr(Schema.String), message: Schema.String })),
  attached: Schema.Int,
  skipped_invalid: Schema.Int,
  skipped_duplicate: Schema.Int,
  total_now: Schema.Int
}).annotate({ identifier: "ImportReport" })

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
      status: Schema.Literals(["queued", "dialing", "ringing", "in_progress"]),
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
      created_at: Instant.Iso
    })
  ),
  awaiting_approval_total: Schema.Int,
  waiting_for: Schema.NullOr(
    Schema.Struct({
      reason: Schema.Literals([
        "not_running",
        "account",
        "credits",
        "provider",
        "window",
        "approval",
        "lines",
        "pace",
        "nothing_due"
      ]),
      until: Schema.NullOr(Instant.Iso)
    })
  ),
  abandon_rate: Schema.Finite
}).annotate({ identifier: "CampaignLive" })

const one = { campaign_id: Ids.schema<"Campaign">() }

/** The file's form is read part by part, so that no upload is held in memory by the framework. */
const ImportForm = Schema.Struct({
  file: Multipart.SingleFileSchema,
  column_map: Schema.optionalKey(Schema.String),
  dry_run: Schema.optionalKey(Schema.String),
  opted_in: Schema.optionalKey(Schema.String)
}).pipe(HttpApiSchema.asMultipartStream({ maxParts: 16, maxFieldSize: "1 MiB", maxFileSize: "64 MiB" }))

export const campaignsGroup = HttpApiGroup.make("campaigns")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewCampaign,
      success: CampaignRecord.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Unprocessable]
    }).annotate(NeedsScope, "campaigns:write"),
    HttpApiEndpoint.get("list", "/", {
      query: Fields.page(campaignPages),
      success: Schema.Array(CampaignRecord)
    }).annotate(NeedsScope, "campaigns:read"),
    HttpApiEndpoint.get("get", "/:campaign_id", { params: one, success: CampaignRecord, error: NotFound }).annotate(
      NeedsScope,
      "campaigns:read"
    ),
    HttpApiEndpoint.patch("change", "/:campaign_id", {
      params: one,
      payload: CampaignChange,
      success: CampaignRecord,
      error: [NotFound, Unprocessable]
    }).annotate(NeedsScope, "campaigns:write"),
    HttpApiEndpoint.delete("remove", "/:campaign_id", {
      params: one,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(NeedsScope, "campaigns:write"),
    HttpApiEndpoint.post("move", "/:campaign_id/status", {
      params: one,
      payload: Schema.Struct({ status: CampaignStatus }),
      success: CampaignRecord,
      error: [NotFound, Conflict]
    }).annotate(NeedsScope, "campaigns:write"),
    HttpApiEndpoint.post("addContacts", "/:campaign_id/contacts", {
      params: one,
      payload: NewContacts,
      success: ContactsAdded,
      error: [NotFound, Conflict]
    }).annotate(NeedsScope, "campaigns:write"),
    HttpApiEndpoint.get("listContacts", "/:campaign_id/contacts", {
      params: one,
      query: Fields.page(contactPages),
      success: Schema.Array(ContactRow),
      error: NotFound
    }).annotate(NeedsScope, "campaigns:read"),
    HttpApiEndpoint.post("importContacts", "/:campaign_id/contacts/import", {
      params: one,
      payload: ImportForm,
      success: ImportReport,
      error: [NotFound, Conflict, Unprocessable]
    }).annotate(NeedsScope, "campaigns:write"),
    HttpApiEndpoint.get("live", "/:campaign_id/live", { params: one, success: Live, error: NotFound }).annotate(
      NeedsScope,
      "campaigns:read"
    ),
    HttpApiEndpoint.post("approve", "/:campaign_id/contacts/:contact_id/approve", {
      params: { ...one, contact_id: Ids.schema<"CampaignContact">() },
      success: ContactRow,
      error: [NotFound, Conflict]
    }).annotate(NeedsScope, "campaigns:write")
  )
  .prefix("/api/v1/voice-campaigns")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsFeature, "voiceCampaigns")
