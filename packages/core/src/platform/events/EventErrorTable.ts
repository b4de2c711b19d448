/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../room/index.ts"

export const eventErrors = {
  EventRefused: { status: 422, code: "event_refused" }
} as const satisfies ErrorTable
