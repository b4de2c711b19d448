/** How requests of an account that moves or has moved are refused, and how a move fails. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const movingErrors = {
  AccountMoved: { status: 403, code: "account_moved" },
  AccountMoving: { status: 503, code: "account_moving" },
  AccountMoveRefused: { status: 409, code: "account_move_refused" },
  AccountMoveTimedOut: { status: 409, code: "account_move_timed_out" }
} as const satisfies ErrorTable

/** Seconds after which a refused request may be sent again. */
const retryAfterSeconds = 5

export class AccountMoving extends Schema.TaggedError<AccountMoving>()("AccountMoving", {
  retryAfterSeconds: Schema.Int
}) {
  static readonly now = () => new AccountMoving({ retryAfterSeconds })

  override get message() {
    return "This account is being moved to another installation. Nothing was done; try again shortly."
  }
}

export class AccountMoved extends Schema.TaggedError<AccountMoved>()("AccountMoved", {}) {
  override get message() {
    return "This account has moved to another installation. Send its requests there."
  }
}

/** A move that cannot begin, or cannot go on; the sentence says what to do. */
export class AccountMoveRefused extends Schema.TaggedError<AccountMoveRefused>()("AccountMoveRefused", {
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** Work under way has not ended in time: the account works on here. */
export class AccountMoveTimedOut extends Schema.TaggedError<AccountMoveTimedOut>()("AccountMoveTimedOut", {
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}
