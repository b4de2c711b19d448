/** The contract of the preview desk. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts, textsFor } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsFeature, NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors } from "../../platform/http/PlatformErrors.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { CallBody, callTexts } from "../calls/TelephonyApi.ts"
import { campaignTexts } from "../campaigns/CampaignsApi.ts"
import { ContactBody } from "../campaigns/ContactViews.ts"
import { ContactBody as CrmBody, crmTexts } from "../contacts/ContactsApi.ts"

const ShownBody = Schema.Struct({
  contact: ContactBody,
  suppressed: Schema.Boolean,
  crm: Schema.NullOr(CrmBody),
  calls: Schema.Array(CallBody),
  conversation_id: Schema.NullOr(Ids.schema<"Conversation">()),
  held_until: Instant.Iso
}).annotate({ identifier: "PreviewContact" })

/** As long as the reason of an entry of the do-not-call list. */
export const Skip = Schema.Struct({
  do_not_call: Fields.optional(Schema.Boolean),
  reason: Fields.optional(Fields.text(0, 500))
}).annotate({ identifier: "PreviewSkip" })

const campaign = { campaign_id: Ids.schema<"Campaign">() }
const contact = { ...campaign, contact_id: Ids.schema<"CampaignContact">() }

export const previewGroup = HttpApiGroup.make("preview")
  .add(
    HttpApiEndpoint.post("next", "/:campaign_id/contacts/next", {
      params: campaign,
      success: [ShownBody, HttpApiSchema.NoContent],
      error: [NotFound, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Take the next contact",
        description:
          "Holds the next contact that waits for an approval, so that nobody else is shown it, and returns it; the same one until it is done with."
      })
    ),
    HttpApiEndpoint.post("hold", "/:campaign_id/contacts/:contact_id/hold", {
      params: contact,
      success: ShownBody,
      error: [NotFound, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Take a contact",
        description: "Holds this contact in place of the one that you hold, and returns it."
      })
    ),
    HttpApiEndpoint.delete("release", "/:campaign_id/contacts/:contact_id/hold", {
      params: contact,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Release a contact",
        description: "Ends your hold on this contact, where you have one."
      })
    ),
    HttpApiEndpoint.post("skip", "/:campaign_id/contacts/:contact_id/skip", {
      params: contact,
      payload: Fields.optionalBody(Skip),
      success: ContactBody,
      error: [NotFound, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Skip a contact",
        description: "Ends the hold and puts this contact behind all others, or its number on the do-not-call list."
      })
    )
  )
  .prefix("/api/v1/voice-campaigns")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsFeature, "voiceCampaigns")
  .annotateEndpoints(NeedsScope, "campaigns:write")
  .annotate(OpenApi.Description, "Contacts of campaigns in preview mode, one after the other")
  .annotate(BodyExamples, { skip: { do_not_call: true, reason: "Asked not to be called" } })
  .annotate(FieldTexts, {
    ...textsFor("CampaignContact", campaignTexts),
    ...textsFor("CallOutcome", campaignTexts),
    ...textsFor("Call", callTexts),
    ...textsFor("Contact", crmTexts),
    contact: "The contact as its campaign has it",
    suppressed: "True when its number is on the do-not-call list",
    crm: "The contact of the address book with this number; null without one",
    calls: "The newest 5 calls to this number",
    conversation_id: "The newest chat with this number; null without one",
    held_until: "When others may be shown the contact",
    do_not_call: "True to put the number on the do-not-call list and to fail the contact",
    reason: "Why the number is put on the list; up to 500 characters"
  })
