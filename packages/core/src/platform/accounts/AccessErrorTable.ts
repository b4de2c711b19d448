/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../room/index.ts"

export const accessErrors = {
  AccountNotFound: { status: 404, code: "account_not_found" },
  CrossOrigin: { status: 403, code: "cross_origin" },
  FeatureDisabled: { status: 404, code: "feature_disabled" },
  KeyNotFound: { status: 404, code: "key_not_found" }
} as const satisfies ErrorTable
