/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../room/index.ts"

export const movingErrors = {
  AccountMoved: { status: 403, code: "account_moved" },
  AccountMoving: { status: 503, code: "account_moving" },
  AccountMoveRefused: { status: 409, code: "account_move_refused" },
  AccountMoveTimedOut: { status: 409, code: "account_move_timed_out" }
} as const satisfies ErrorTable
