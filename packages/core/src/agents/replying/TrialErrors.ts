/** Why an agent that is tried has no answer, in sentences for the person who tries it. Source: docs/reference/bots.md#test. */
import * as Schema from "effect/Schema"
import type { SpendingRefusal } from "../../platform/accounts/index.ts"
import type { ErrorTable } from "../../platform/room/index.ts"
import type { AgentFailed } from "./Agent.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const trialErrors = {
  AgentModelMissing: { status: 409, code: "agent_model_missing" },
  AgentSilent: { status: 502, code: "agent_silent" },
  AgentThrottled: { status: 429, code: "agent_throttled" },
  AgentUnpaid: { status: 402, code: "agent_unpaid" }
} as const satisfies ErrorTable

/** Its model cannot answer until the model, the plan or the routes change. */
export class AgentModelMissing extends Schema.TaggedError<AgentModelMissing>()("AgentModelMissing", {
  reason: Schema.Literals(["model_unknown", "model_not_allowed", "maintenance", "no_upstream"]),
  model: Schema.String
}) {
  override get message() {
    return missing[this.reason](this.model)
  }
}

const missing: Readonly<Record<AgentModelMissing["reason"], (model: string) => string>> = {
  model_unknown: (model) => `There is no language model ${model}. Choose another one.`,
  model_not_allowed: (model) =>
    `The account's plan does not include the model ${model}. Choose another one, or another plan.`,
  maintenance: (model) => `The model ${model} is out of service at the moment. Choose another one, or try again later.`,
  no_upstream: (model) =>
    `No provider is configured to run the model ${model}. Choose another one, or ask the operator of the server.`
}

/** Its model was asked, and there is no answer. */
export class AgentSilent extends Schema.TaggedError<AgentSilent>()("AgentSilent", {
  reason: Schema.Literals(["timeout", "upstream", "silent"])
}) {
  override get message() {
    return silences[this.reason]
  }
}

const silences: Readonly<Record<AgentSilent["reason"], string>> = {
  timeout: "The model took too long. Try again, or choose another model.",
  upstream: "The provider of the model returned no answer. Try again in a moment, or choose another model.",
  silent: "The model said nothing. Change the prompt, or choose another model."
}

/** Not now: the model's provider limits the rate, or the account has used up what it may use this month. */
export class AgentThrottled extends Schema.TaggedError<AgentThrottled>()("AgentThrottled", {
  reason: Schema.Literals(["throttled", "quota"]),
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return this.reason === "quota"
      ? "The plan's requests or the account's budget of this month are used up. Wait for the next month, or raise them."
      : "The provider of the model limits the rate. Try again in a moment."
  }
}

/** Nobody pays for the answer. */
export class AgentUnpaid extends Schema.TaggedError<AgentUnpaid>()("AgentUnpaid", {
  reason: Schema.Literals(["credits", "payment_method_required", "account_inactive", "account_terminated"])
}) {
  override get message() {
    if (this.reason === "credits") return "The credit balance does not cover this answer. Add credits and try again."
    return this.reason === "payment_method_required"
      ? "The account has no verified payment method. Add one and try again."
      : "This account is not active"
  }
}

export type TrialRefused = AgentModelMissing | AgentSilent | AgentThrottled | AgentUnpaid

/** Until a rate is lower again, where nobody says. */
const throttledSeconds = 5

export const unspendable = (reason: SpendingRefusal): AgentUnpaid => new AgentUnpaid({ reason })

export const refusedBy = (
  { reason, retryAfterSeconds }: Pick<AgentFailed, "reason" | "retryAfterSeconds">,
  model: string
): TrialRefused => {
  switch (reason) {
    case "credits":
      return new AgentUnpaid({ reason })
    case "throttled":
    case "quota":
      return new AgentThrottled({ reason, retryAfterSeconds: retryAfterSeconds ?? throttledSeconds })
    case "timeout":
    case "upstream":
    case "silent":
      return new AgentSilent({ reason })
    case "model_unknown":
    case "model_not_allowed":
    case "maintenance":
    case "no_upstream":
      return new AgentModelMissing({ reason, model })
  }
}
