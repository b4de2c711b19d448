/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../../platform/room/index.ts"

export const callErrors = {
  AccountInactive: { status: 403, code: "account_inactive" },
  CallNotFound: { status: 404, code: "call_not_found" },
  ConversationsUsedUp: { status: 429, code: "quota_exceeded" },
  MonthlyBudgetExceeded: { status: 429, code: "monthly_budget_exceeded" },
  NoCallerNumber: { status: 409, code: "no_caller_number" },
  NumberNotFound: { status: 404, code: "number_not_found" },
  NumberSuppressed: { status: 409, code: "number_suppressed" },
  OutOfCredits: { status: 402, code: "out_of_credits" },
  PaymentMethodRequired: { status: 402, code: "payment_method_required" },
  TelephonyMissing: { status: 503, code: "telephony_missing" },
  TemplateNeedsOneSource: { status: 422, code: "template_needs_one_source" },
  TemplateNotFound: { status: 404, code: "template_not_found" },
  TooManyConversations: { status: 429, code: "too_many_concurrent_requests" },
  UnusableNumber: { status: 422, code: "unusable_number" }
} as const satisfies ErrorTable
