/** The contract of the do-not-call list. */

import * as Multipart from "effect/http/Multipart"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CsvText } from "../../platform/http/CsvFile.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts, FormFields } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsFeature, NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { SuppressionRecord } from "./SuppressionEntry.ts"
import { maxReasonLength } from "./SuppressionFile.ts"

const Entry = SuppressionRecord.schema.annotate({ identifier: "DoNotCallEntry" })

export const NewEntries = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({ phone: Fields.text(1, 64), reason: Fields.optional(Fields.text(0, maxReasonLength)) })
  ).check(Schema.isMaxLength(1000))
}).annotate({ identifier: "NewDoNotCallEntries" })

export const entryPages = { limit: 500, standard: 100, offset: 1_000_000 }

const entryFilters = {
  phone: Schema.optionalKey(Fields.text(1, 64)),
  q: Schema.optionalKey(Fields.search)
}

/** The file's form is read part by part, so that no upload is held in memory by the framework. */
const ImportForm = Schema.Struct({
  file: Multipart.SingleFileSchema,
  column_map: Schema.optionalKey(Schema.String),
  dry_run: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String)
}).pipe(HttpApiSchema.asMultipartStream())

const EntryReport = Schema.Struct({
  dry_run: Schema.Boolean,
  total_rows: Schema.Int,
  added: Schema.Int,
  skipped: Schema.Int,
  skipped_invalid: Schema.Int,
  errors: Schema.Array(Schema.Struct({ row: Schema.Int, field: Schema.String, message: Schema.String })),
  total_now: Schema.Int
}).annotate({ identifier: "DoNotCallImportReport" })

export const suppressionGroup = HttpApiGroup.make("suppression")
  .add(
    HttpApiEndpoint.get("exportEntries", "/dnc.csv", { query: entryFilters, success: CsvText })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Download the do-not-call list",
          description:
            "Returns the numbers that the account does not call as a CSV file, newest first, which can be imported again."
        })
      ),
    HttpApiEndpoint.post("importCsv", "/dnc/import", {
      payload: ImportForm,
      success: EntryReport,
      error: [Conflict, Unprocessable]
    })
      .annotate(NeedsScope, "campaigns:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Import numbers into the do-not-call list",
          description:
            "Adds the rows of a CSV file, all of them or none, after which no new call to them is placed; a dry run, the default, changes nothing."
        })
      ),
    HttpApiEndpoint.get("list", "/dnc", {
      query: { ...Fields.page(entryPages), ...entryFilters },
      success: Schema.Array(Entry)
    })
      .annotate(NeedsScope, "campaigns:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List the do-not-call list",
          description: "Returns the numbers that the account does not call, newest first."
        })
      ),
    HttpApiEndpoint.post("add", "/dnc", {
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
    HttpApiEndpoint.delete("remove", "/dnc/:entry_id", {
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
  .prefix("/api/v1/voice-campaigns")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsFeature, "voiceCampaigns")
  .annotate(OpenApi.Description, "The account's do-not-call list")
  .annotate(FormFields, { dry_run: { type: "boolean", default: true } })
  .annotate(BodyExamples, { add: { entries: [{ phone: "+4930901820", reason: "Asked us not to call" }] } })
  .annotate(FieldTexts, {
    "query.phone": "Returns only entries that suppress this number, however it is written",
    "query.q": "Returns only entries whose reason has this text in it, in any case",
    file: "CSV file in UTF-8 with a header row; at most 25 MiB",
    column_map: "JSON object from headers to fields; default: headers that name fields",
    dry_run: "True to report without a change; default true",
    total_rows: "Number of rows in the file",
    errors: "The first 100 faults",
    row: "Row as a spreadsheet counts it: the header is row 1",
    field: "Field that is at fault",
    message: "What is wrong, in a sentence",
    total_now: "Number of entries on the list now",
    phone: "Phone number as it was given; 1 to 64 characters",
    reason: "Why the number is on the list; up to 500 characters",
    entries: "Numbers to add; at most 1000",
    added: "Number of entries that were added",
    skipped: "Number of entries that were not added: they are on the list already, or cannot be dialed",
    skipped_invalid: "Number of phone numbers that cannot be dialed"
  })
