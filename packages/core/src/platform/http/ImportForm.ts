/** The form of an import of people and its report, as the contracts of the routes have them. Source: docs/reference/contacts.md#form. */
import * as Multipart from "effect/http/Multipart"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"

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
export const ImportForm = Schema.Struct({
  file: Multipart.SingleFileSchema,
  column_map: Schema.optionalKey(Schema.String),
  dry_run: Schema.optionalKey(Schema.String),
  opted_in: Schema.optionalKey(Schema.String)
}).pipe(HttpApiSchema.asMultipartStream())

/** The fields of the form beside its file and its map. */
export const importFields = {
  dry_run: { type: "boolean", default: true },
  opted_in: { type: "boolean", default: false }
} as const

/** The sentences of the API's description. */
export const importTexts = {
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
} as const
