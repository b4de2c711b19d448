/** The contract of the do-not-call list. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import * as Fields from "../http/Fields.ts"
import { NeedsFeature, NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import { NotFound, RequestErrors } from "../http/PlatformErrors.ts"
import { Ids, Instant } from "../kernel/index.ts"

const Entry = Schema.Struct({
  id: Ids.schema<"SuppressionEntry">(),
  phone: Schema.String,
  reason: Schema.NullOr(Schema.String),
  created_at: Instant.Iso
}).annotate({ identifier: "DoNotCallEntry" })

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
    }).annotate(NeedsScope, "campaigns:read"),
    HttpApiEndpoint.post("add", "/", {
      payload: NewEntries,
      success: Schema.Struct({ added: Schema.Int, skipped: Schema.Int, skipped_invalid: Schema.Int })
    }).annotate(NeedsScope, "campaigns:write"),
    HttpApiEndpoint.delete("remove", "/:entry_id", {
      params: { entry_id: Ids.schema<"SuppressionEntry">() },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(NeedsScope, "campaigns:write")
  )
  .prefix("/api/v1/voice-campaigns/dnc")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsFeature, "voiceCampaigns")
