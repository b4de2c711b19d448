/** The contract of `/api/v1/voice-campaigns/{campaign_id}/contacts/import`, which stands among the routes of campaigns. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { FieldTexts, FormFields } from "../../platform/http/describe/FieldTexts.ts"
import { ImportForm, ImportReport, importFields, importTexts } from "../../platform/http/ImportForm.ts"
import { NeedsFeature, NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"

export const importsGroup = HttpApiGroup.make("imports")
  .add(
    HttpApiEndpoint.post("importCsv", "/:campaign_id/contacts/import", {
      params: { campaign_id: Ids.schema<"Campaign">() },
      payload: ImportForm,
      success: ImportReport,
      error: [NotFound, Conflict, Unprocessable]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "campaigns.importContacts",
          summary: "Import contacts from a CSV file",
          description:
            "Adds the rows of a CSV file, all of them or none, and reports every rejected row; a dry run, the default, changes nothing."
        })
      )
  )
  .prefix("/api/v1/voice-campaigns")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsFeature, "voiceCampaigns")
  .annotate(OpenApi.Title, "campaigns")
  .annotate(FormFields, importFields)
  .annotate(FieldTexts, importTexts)
