/** What an answer or a report makes of a contact and of its campaign: the table of codes. Pure. Source: docs/reference/template-campaigns.md#codes. */
import { Instant } from "../../platform/kernel/index.ts"
import type { SendMeaning } from "../channels/index.ts"

export const contactReasons = [
  "opted_out",
  "do_not_call",
  "blocked",
  "own_number",
  "no_opt_in",
  "missing_variable",
  "platform",
  "pair_rate",
  "marketing_limit",
  "experiment",
  "undeliverable",
  "country",
  "invalid_content",
  "rejected",
  "outcome_unknown"
] as const
export type ContactReason = (typeof contactReasons)[number]

export const pauseReasons = [
  "classification",
  "spam_rate",
  "invalid_content",
  "template_missing",
  "template_rejected",
  "template_paused",
  "template_disabled",
  "template_deleted",
  "template_category",
  "flow_blocked",
  "marketing_not_permitted",
  "credentials",
  "payment",
  "account_restricted",
  "quality",
  "failure_rate",
  "number_disconnected",
  "start_refused"
] as const
export type PauseReason = (typeof pauseReasons)[number]

/** How often and when a message is sent again. */
export interface RetryRules {
  /** The waits before each further attempt while the network is out of order; the message fails after the last one. */
  readonly retryMs: ReadonlyArray<number>
  /** Whether a message that the network keeps from a customer for now is sent once more a day later. */
  readonly retryMarketingLimit: boolean
}

export const standardRetryMs: ReadonlyArray<number> = [30_000, 120_000, 600_000]

/** The waits of a customer to whom too many messages went within a short time. */
const pairWaitsMs: ReadonlyArray<number> = [Instant.minute, 4 * Instant.minute, 16 * Instant.minute]

/** What the sender has heard of a message that was not accepted; `unknown` where the network may or may not have it. */
export type Heard = SendMeaning | "unknown"

/** What an outcome changes of a contact. */
export interface ContactProgress {
  readonly status: "queued" | "failed" | "unknown"
  readonly reason: ContactReason | null
  readonly attempts: number
  readonly nextAttemptAt: Instant.Instant | null
  readonly pairWaits: number
  readonly hasWaitedForMarketing: boolean
}

/** What an outcome depends on. */
export type ContactAttempts = Pick<ContactProgress, "attempts" | "pairWaits" | "hasWaitedForMarketing">

/**
 * - `Queued` the contact is first in line again, and the request does not count
 * - `Retried` it waits by these waits, and fails with the reason after the last one
 * - `Failed` it fails with the reason
 */
type ContactResult =
  | { readonly _tag: "Queued" }
  | { readonly _tag: "Retried"; readonly waits: "platform" | "pair" | "marketing"; readonly reason: ContactReason }
  | { readonly _tag: "Failed"; readonly reason: ContactReason }

interface MeaningResult {
  readonly contact: ContactResult
  /** Why the campaign pauses; null where it goes on. */
  readonly pause: PauseReason | null
}

const queued: MeaningResult = { contact: { _tag: "Queued" }, pause: null }
const pauses = (pause: PauseReason): MeaningResult => ({ ...queued, pause })
const fails = (reason: ContactReason): MeaningResult => ({ contact: { _tag: "Failed", reason }, pause: null })
const retried = (waits: "platform" | "pair" | "marketing", reason: ContactReason): MeaningResult => ({
  contact: { _tag: "Retried", waits, reason },
  pause: null
})

/** The rule: what each meaning makes of the contact and of the campaign. */
const results: Readonly<Record<SendMeaning, MeaningResult>> = {
  throttled: queued,
  pair_rate: retried("pair", "pair_rate"),
  passing: retried("platform", "platform"),
  classification: pauses("classification"),
  spam_rate: pauses("spam_rate"),
  marketing_limit: retried("marketing", "marketing_limit"),
  experiment: fails("experiment"),
  opted_out: fails("opted_out"),
  undeliverable: fails("undeliverable"),
  country: fails("country"),
  invalid_content: fails("invalid_content"),
  template_missing: pauses("template_missing"),
  template_paused: pauses("template_paused"),
  template_disabled: pauses("template_disabled"),
  flow_blocked: pauses("flow_blocked"),
  marketing_not_permitted: pauses("marketing_not_permitted"),
  credentials: pauses("credentials"),
  payment: pauses("payment"),
  account_restricted: pauses("account_restricted"),
  rejected: fails("rejected")
}

/** Why a campaign pauses after one message of this meaning; null where it goes on. */
export const pauseOf = (meaning: SendMeaning): PauseReason | null => results[meaning].pause

/** A campaign pauses with `invalid_content` after this number of messages in a row that were refused for their content. */
export const invalidInRowLimit = 20

const keep = ({ attempts, hasWaitedForMarketing, pairWaits }: ContactAttempts): ContactAttempts => ({
  attempts,
  pairWaits,
  hasWaitedForMarketing
})

const failed = (before: ContactAttempts, reason: ContactReason): ContactProgress => ({
  ...keep(before),
  status: "failed",
  reason,
  nextAttemptAt: null
})

const queuedAt = (before: ContactAttempts, nextAttemptAt: Instant.Instant): ContactProgress => ({
  ...keep(before),
  status: "queued",
  reason: null,
  nextAttemptAt
})

/** Waits for a network that is out of order: every attempt that counts and left the contact queued, but for the other two kinds. */
const platformWaits = ({ attempts, hasWaitedForMarketing, pairWaits }: ContactAttempts): number =>
  attempts - pairWaits - (hasWaitedForMarketing ? 1 : 0)

/** A contact that is sent to again a day later; failed where the switch is off or it has waited before. */
const afterMarketingLimit = (
  contact: ContactAttempts,
  { retryMarketingLimit }: RetryRules,
  at: Instant.Instant
): ContactProgress =>
  retryMarketingLimit && !contact.hasWaitedForMarketing
    ? { ...queuedAt(contact, Instant.plus(at, Instant.day)), hasWaitedForMarketing: true }
    : failed(contact, "marketing_limit")

/** The contact after an answer that does not accept its message. */
export const contactAfterAnswer = (
  contact: ContactAttempts,
  heard: Heard,
  rules: RetryRules,
  at: Instant.Instant
): ContactProgress => {
  // Nobody knows whether the request was answered: it counts once a report settles it.
  if (heard === "unknown") return { ...keep(contact), status: "unknown", reason: null, nextAttemptAt: null }
  const result = results[heard].contact
  if (result._tag === "Queued") return queuedAt(contact, at)
  const counted = { ...contact, attempts: contact.attempts + 1 }
  if (result._tag === "Failed") return failed(counted, result.reason)
  if (result.waits === "marketing") return afterMarketingLimit(counted, rules, at)
  const isPair = result.waits === "pair"
  const wait = isPair ? pairWaitsMs[contact.pairWaits] : rules.retryMs[platformWaits(contact)]
  if (wait === undefined) return failed(counted, result.reason)
  const waiting = queuedAt(counted, Instant.plus(at, wait))
  return isPair ? { ...waiting, pairWaits: contact.pairWaits + 1 } : waiting
}

/**
 * The contact after a report that its message, which the network had accepted, has failed. The request was counted with its answer.
 * The message is not sent again, but for a marketing message that its customer may have a day later.
 */
export const contactAfterReport = (
  contact: ContactAttempts,
  meaning: SendMeaning,
  rules: RetryRules,
  at: Instant.Instant
): ContactProgress => {
  const result = results[meaning].contact
  if (result._tag === "Failed") return failed(contact, result.reason)
  return result._tag === "Retried" && result.waits === "marketing"
    ? afterMarketingLimit(contact, rules, at)
    : failed(contact, "platform")
}

/** The network's or the customer's own choice: no fault of the campaign. */
const choices: ReadonlyArray<ContactReason | null> = ["marketing_limit", "experiment", "opted_out"]

/** True of a contact that counts towards the share of failures at which its campaign pauses. */
export const countsAsFailure = ({
  reason,
  status
}: {
  readonly status: string
  readonly reason: ContactReason | null
}): boolean => status === "failed" && !choices.includes(reason)

/** Reasons for which failed contacts may be sent to anew by order: all but those where it would be wrong or in vain. */
export const retriableReasons = [
  "platform",
  "pair_rate",
  "marketing_limit",
  "experiment",
  "country",
  "invalid_content",
  "rejected"
] as const satisfies ReadonlyArray<ContactReason>
