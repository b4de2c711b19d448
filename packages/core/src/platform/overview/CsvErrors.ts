/** What can be wrong with a file of rows, and with the form that it came in. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const csvErrors = {
  CsvRefused: { status: 422, code: "csv_refused" },
  ImportsMissing: { status: 503, code: "imports_missing" },
  MappingRefused: { status: 422, code: "mapping_refused" }
} as const satisfies ErrorTable

/**
 * - `too_large` more than 25 MiB
 * - `encoding`  not UTF-8
 * - `utf16`     UTF-16, as some programs save text
 * - `workbook`  the file of a spreadsheet itself
 * - `quote`     a quote that is never closed, or that stands where none may stand; `row` says where
 * - `no_header` nothing but blank lines
 * - `no_rows`   nothing after the header
 */
export class CsvRefused extends Schema.TaggedError<CsvRefused>()("CsvRefused", {
  reason: Schema.Literals(["too_large", "encoding", "utf16", "workbook", "quote", "no_header", "no_rows"]),
  row: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return sentences[this.reason](this.row)
  }

  /** Whose fault it is, in the words of the form. */
  get faults() {
    return [{ field: "file", message: this.message }]
  }
}

const howToSave =
  'save it as CSV in UTF-8. Excel: Save As, "CSV UTF-8 (Comma delimited)". LibreOffice: Save As, "Text CSV" with "Edit filter settings", character set "Unicode (UTF-8)". Numbers: Export To CSV, text encoding "Unicode (UTF-8)". Google Sheets: Download, "Comma Separated Values"'

const sentences: Record<CsvRefused["reason"], (row: number | null) => string> = {
  too_large: () => "The file may have at most 25 MiB (26,214,400 bytes)",
  encoding: () => `The file is not UTF-8: ${howToSave}`,
  utf16: () => `The file is UTF-16, such as the "Unicode Text" of a spreadsheet: ${howToSave}`,
  workbook: () => `The file is a workbook of a spreadsheet and not a CSV file: ${howToSave}`,
  quote: (row) =>
    `Row ${row} has a quote that is never closed or stands inside an unquoted cell: quote the whole cell and double the quotes in it`,
  no_header: () => "The file is empty: its first row must be the header",
  no_rows: () => "The file has a header and no rows"
}

/** A header and a map that do not go together; every fault at once, by the form's part. */
export class MappingRefused extends Schema.TaggedError<MappingRefused>()("MappingRefused", {
  faults: Schema.Array(Schema.Struct({ field: Schema.Literals(["file", "columnMap"]), message: Schema.String }))
}) {
  override get message() {
    return this.faults.map(({ message }) => message).join("; ")
  }
}

/** People are imported into the address book, which the area calling has. */
export class ImportsMissing extends Schema.TaggedError<ImportsMissing>()("ImportsMissing", {}) {
  override get message() {
    return "Files of people cannot be imported here: the operator of this service must start it with the area calling."
  }
}
