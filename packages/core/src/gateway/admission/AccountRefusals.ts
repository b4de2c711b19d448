/** Accounts that move, or have moved, as routes of models refuse them. */
import type { AccountMoved, AccountMoving } from "../../platform/moving/index.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"

export const movingRefusal = (error: AccountMoving | AccountMoved): InferenceRefused =>
  error._tag === "AccountMoved"
    ? refuse("account_moved", { message: error.message })
    : refuse("account_moving", { message: error.message, retryAfterSeconds: error.retryAfterSeconds })
