/** Why a template campaign sends nothing now, and until when: for the sender and the live view. Pure. Source: docs/reference/template-campaigns.md#waiting-for. */
import * as Schema from "effect/Schema"
import type { Instant } from "../../platform/kernel/index.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"

/** In the order in which they are reported: the first that holds. */
export const sendingHoldReasons = [
  "not_running",
  "account",
  "window",
  "daily_limit",
  "platform",
  "messaging_limit",
  "nothing_due",
  "rate"
] as const
export const SendingHoldReason = Schema.Literals(sendingHoldReasons)
export type SendingHoldReason = typeof SendingHoldReason.Type

export interface SendingHold {
  readonly reason: SendingHoldReason
  /** When it ends by itself, or null where it takes an event. */
  readonly until: Instant.Instant | null
}

/** What decides whether a campaign may send its next message. */
export interface CampaignSituation {
  readonly campaign: Pick<TemplateCampaign, "status" | "scheduledAt" | "maxPerDay">
  /** The account is active, and has a payment method where it needs one. */
  readonly accountOpen: boolean
  /** The local hour is one in which messages may go out. */
  readonly isOpen: boolean
  /** The first instant, this one included, at which messages may go out. */
  readonly opensAt: Instant.Instant
  /** Messages of the campaign that were sent today in its zone. */
  readonly sentToday: number
  /** The first instant of the next local day at which messages may go out. */
  readonly dayOpensAt: Instant.Instant
  /** The number sends nothing before then, because the network has slowed it down or is out of order; null where it has not. */
  readonly heldUntil: Instant.Instant | null
  /** The business account may write to nobody else for now, and nobody who is due may be written to all the same. */
  readonly isLimitReached: boolean
  /** When the first person leaves the count of the messaging limit; null where nobody is counted. */
  readonly limitFreeAt: Instant.Instant | null
  /** Queued contacts that may be written to now; at least one if there is any. */
  readonly due: number
  /** When the first of the other queued contacts becomes due; null where none is queued. */
  readonly nextRetryAt: Instant.Instant | null
  /** Other campaigns of the number use the whole rate. */
  readonly isRateTaken: boolean
}

type Rule = (situation: CampaignSituation, at: Instant.Instant) => { readonly until: Instant.Instant | null } | null

const anEvent = { until: null }

const rules: Readonly<Record<SendingHoldReason, Rule>> = {
  not_running: ({ campaign: { scheduledAt, status } }) =>
    status === "running" ? null : { until: status === "scheduled" ? scheduledAt : null },
  account: ({ accountOpen }) => (accountOpen ? null : anEvent),
  window: ({ isOpen, opensAt }) => (isOpen ? null : { until: opensAt }),
  daily_limit: ({ campaign: { maxPerDay }, dayOpensAt, sentToday }) =>
    maxPerDay !== null && sentToday >= maxPerDay ? { until: dayOpensAt } : null,
  platform: ({ heldUntil }, at) => (heldUntil !== null && heldUntil > at ? { until: heldUntil } : null),
  messaging_limit: ({ isLimitReached, limitFreeAt }) => (isLimitReached ? { until: limitFreeAt } : null),
  nothing_due: ({ due, nextRetryAt }) => (due === 0 ? { until: nextRetryAt } : null),
  rate: ({ isRateTaken }) => (isRateTaken ? anEvent : null)
}

/** Why a campaign sends nothing at this instant; null where its next message may go. */
export const sendingHold = (situation: CampaignSituation, at: Instant.Instant): SendingHold | null => {
  for (const reason of sendingHoldReasons) {
    const hold = rules[reason](situation, at)
    if (hold !== null) return { reason, until: hold.until }
  }
  return null
}
