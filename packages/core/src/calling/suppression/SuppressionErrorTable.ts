/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../../platform/room/index.ts"

export const suppressionErrors = {
  EntryNotFound: { status: 404, code: "entry_not_found" }
} as const satisfies ErrorTable
