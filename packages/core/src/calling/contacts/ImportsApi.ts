/** The contract of `/api/v1/voice-campaigns/{campaign_id}/contacts/import`, which stands among the routes of campaigns. */
import * as Multipart from "effect/http/Multipart"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { FieldTexts, FormFields } from "../../platform/http/describe/FieldTexts.ts"
import { NeedsFeature, NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"

export const ImportReport = Schema.Struct({
  dry_run: Schema.Boolean,
  total_rows: Schema.Int,
  created: Schema.Int,
  updated: Schema.Int,
  failed: Schema.Int,
  errors: Schema.Array(Schema.Struct({ row: Schema.Int, field: Schema.NullOr(Schema.String), message: Schema.String })),
  error_counts: Schema.Array(
    Schema.Struct({ field: Schema.String, message: Schema.String, rows: Schema.Int, row: Schema.Int }).annotate({
      identifier: "ImportErrorCount"
    })
  ),
  columns: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
  attached: Schema.Int,
  skipped_invalid: Schema.Int,
  skipped_duplicate: Schema.Int,
  total_now: Schema.Int
}).annotate({ identifier: "ImportReport" })

/** The file's form is read part by part, so that no upload is held in memory by the framework. */
const ImportForm = Schema.Struct({
  file: Multipart.SingleFileSchema,
  column_map: Schema.optionalKey(Schema.String),
  dry_run: Schema.optionalKey(Schema.String),
  opted_in: Schema.optionalKey(Schema.String)
}).pipe(HttpApiSchema.asMultipartStream())

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
  .annotate(FormFields, {
    dry_run: { type: "boolean", default: true },
    opted_in: { type: "boolean", default: false }
  })
  .annotate(FieldTexts, {
    file: "CSV file in UTF-8 with a header row; at most 25 MiB",
    column_map: "JSON object from headers to fields; default: headers that name fields",
    dry_run: "True to report without a change; default true",
    opted_in: "True when everybody on the list has agreed to be messaged; default false",
    total_rows: "Number of rows in the file",
    created: "Number of contacts that are new in the address book",
    updated: "Number of contacts of the address book that were updated",
    failed: "Number of rejected rows",
    errors: "The first 100 faults",
    row: "Row as a spreadsheet counts it: the header is row 1",
    error_counts: "Each kind of fault with the number of its rows; the first 100 kinds",
    columns: "Object from each header of the file to the field that it was read as; null where the column is ignored",
    rows: "Number of rows with this fault",
    "ImportErrorCount.row": "The first of these rows",
    "ImportErrorCount.field": "Field that is at fault",
    field: "Field that is at fault; null when it is the whole row",
    message: "What is wrong, in a sentence",
    attached: "Number of contacts that were added to the campaign",
    skipped_duplicate: "Number of rows whose contact is on the list already",
    skipped_invalid: "Number of phone numbers that cannot be dialed",
    total_now: "Number of contacts on the list now"
  })
