/** The contract of the do-not-call list. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsFeature, NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { SuppressionRecord } from "./SuppressionEntry.ts"

const Entry = SuppressionRecord.schema.annotate({ identifier: "DoNotCallEntry" })

export const NewEntries = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({ phone: Fields.text(1, 64), reason: Fields.optional(Fields.text(0, 500)) })
  ).check(Schema.isMaxLength(1000))
}).annotate({ identifier: "NewDoNotCallEntries" })

export const entryPages = { limit: 500, standard: 100, offset: 1_000_000 }

export const suppressionGroup = HttpApiGroup.make("suppression")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: Fields.page(entryPages),
      success: Schema.Array(Entry)
    })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List the do-not-call list",
          description: "Returns the numbers that the account does not call, newest first."
        })
      ),
    HttpApiEndpoint.post("add", "/", {
      payload: NewEntries,
      success: Schema.Struct({ added: Schema.Int, skipped: Schema.Int, skipped_invalid: Schema.Int }),
      error: Conflict
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add numbers to the do-not-call list",
          description:
            "Adds numbers; once this is answered, no new call to them is placed, and calls that have not been answered are cancelled."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:entry_id", {
      params: { entry_id: Ids.schema<"SuppressionEntry">() },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Remove a number from the do-not-call list",
          description: "Removes one entry; the number stays blocked while another entry matches it."
        })
      )
  )
  .prefix("/api/v1/voice-campaigns/dnc")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsFeature, "voiceCampaigns")
  .annotate(OpenApi.Description, "The account's do-not-call list")
  .annotate(BodyExamples, { add: { entries: [{ phone: "+4930901820", reason: "Asked us not to call" }] } })
  .annotate(FieldTexts, {
    phone: "Phone number as it was given; 1 to 64 characters",
    reason: "Why the number is on the list; up to 500 characters",
    entries: "Numbers to add; at most 1000",
    added: "Number of entries that were added",
    skipped: "Number of entries that were not added: they are on the list already, or cannot be dialed",
    skipped_invalid: "Number of phone numbers that cannot be dialed"
  })
