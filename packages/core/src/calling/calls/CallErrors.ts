/** Errors of requests to telephony. */
import * as Schema from "effect/Schema"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import type { ErrorTable } from "../../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
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
  RecordingNotFound: { status: 404, code: "recording_not_found" },
  RecordingRuns: { status: 409, code: "recording_runs" },
  TelephonyMissing: { status: 503, code: "telephony_missing" },
  TemplateNeedsOneSource: { status: 422, code: "template_needs_one_source" },
  TemplateNotFound: { status: 404, code: "template_not_found" },
  TooManyConversations: { status: 429, code: "too_many_concurrent_requests" },
  UnusableNumber: { status: 422, code: "unusable_number" }
} as const satisfies ErrorTable

export class CallNotFound extends Schema.TaggedError<CallNotFound>()("CallNotFound", { id: Schema.String }) {
  override get message() {
    return "Call not found"
  }
}

export class NumberNotFound extends Schema.TaggedError<NumberNotFound>()("NumberNotFound", { id: Schema.String }) {
  override get message() {
    return "Phone number not found"
  }
}

export class RecordingNotFound extends Schema.TaggedError<RecordingNotFound>()("RecordingNotFound", {}) {
  override get message() {
    return "There is no recording of this call"
  }
}

export class RecordingRuns extends Schema.TaggedError<RecordingRuns>()("RecordingRuns", {}) {
  override get message() {
    return "The conversation has not ended: its recording is there once it has"
  }
}

export class TemplateNotFound extends Schema.TaggedError<TemplateNotFound>()("TemplateNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Voicemail template not found"
  }
}

export class UnusableNumber extends Schema.TaggedError<UnusableNumber>()("UnusableNumber", {
  field: Schema.String,
  written: Schema.String
}) {
  override get message() {
    return PhoneNumber.unusableSentence(this.written)
  }

  get faults() {
    return [{ field: this.field, message: this.message }]
  }
}

export class NumberSuppressed extends Schema.TaggedError<NumberSuppressed>()("NumberSuppressed", {}) {
  override get message() {
    return "This number is on the account's do-not-call list. It can be called only after every matching entry has been removed."
  }
}

export class OutOfCredits extends Schema.TaggedError<OutOfCredits>()("OutOfCredits", {}) {
  override get message() {
    return "The credit balance does not cover one minute of this call. Add credits and try again."
  }
}

export class PaymentMethodRequired extends Schema.TaggedError<PaymentMethodRequired>()("PaymentMethodRequired", {}) {
  override get message() {
    return "The account has no verified payment method. Add one and try again."
  }
}

export class MonthlyBudgetExceeded extends Schema.TaggedError<MonthlyBudgetExceeded>()("MonthlyBudgetExceeded", {
  /** Until the first of the next month, in UTC. */
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return "The account's budget of this month is used up. Raise it, or wait for the next month."
  }
}

/** Source: docs/reference/telephony.md#agents. */
export class ConversationsUsedUp extends Schema.TaggedError<ConversationsUsedUp>()("ConversationsUsedUp", {
  /** Until the first of the next month, in UTC. */
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return "The plan's conversations of this month are used up, and an agent is to answer this call. They begin anew on the 1st."
  }
}

/** Source: docs/reference/telephony.md#agents. */
export class TooManyConversations extends Schema.TaggedError<TooManyConversations>()("TooManyConversations", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return "An agent is to answer this call, and the account has as many voice sessions and calls with agents as its plan allows at a time. Wait for one to end."
  }
}

export class NoCallerNumber extends Schema.TaggedError<NoCallerNumber>()("NoCallerNumber", {}) {
  override get message() {
    return "There is no caller number to call from. Add a phone number to the account, or set a default one for the carrier."
  }
}

/** The installation has no telephone provider: only its operator can configure one. Source: docs/reference/telephony.md#none. */
export class TelephonyMissing extends Schema.TaggedError<TelephonyMissing>()("TelephonyMissing", {}) {
  override get message() {
    return "Telephony is not configured here, so no call can be placed: the operator of this service must configure a telephone provider, and start it again."
  }
}

export class AccountInactive extends Schema.TaggedError<AccountInactive>()("AccountInactive", {}) {
  override get message() {
    return "This account is not active"
  }
}

export class TemplateNeedsOneSource extends Schema.TaggedError<TemplateNeedsOneSource>()("TemplateNeedsOneSource", {}) {
  override get message() {
    return "A voicemail template has either text or audio_url, not both and not neither"
  }

  get faults() {
    return [{ field: "text", message: this.message }]
  }
}
