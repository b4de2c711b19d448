/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../../platform/room/index.ts"

export const contactErrors = {
  CrmContactNotFound: { status: 404, code: "crm_contact_not_found" },
  CsvRefused: { status: 422, code: "csv_refused" },
  MappingRefused: { status: 422, code: "mapping_refused" }
} as const satisfies ErrorTable
