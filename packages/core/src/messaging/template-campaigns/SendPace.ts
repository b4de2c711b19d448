/** How fast a number may send, and at which instants its next messages may go. Pure; integers alone. Source: docs/reference/template-campaigns.md#pace. */
import { Instant } from "../../platform/kernel/index.ts"
import type { SenderPace } from "./TemplateCampaignStore.ts"
import type { TemplateContact } from "./TemplateContact.ts"

/** Messages that the network takes of a number each second where it has not said how many. */
const standardPerSecond = 80

/** The share of the throughput that campaigns use, in percent: the rest is left for agents and people. */
export const standardPercent = 80

/** The time in which a rate that was halved grows back to the whole. */
const growthMs = 5 * Instant.minute

/** A `Retry-After` of less or more is no time to wait. */
const minRetryAfterMs = Instant.second
const maxRetryAfterMs = Instant.day

const maxThrottleMs = Instant.minute

/** After failures of this number of different contacts in a row for which the network itself is the reason, the number waits. */
const troubleLimit = 5
const troubleMs = 30 * Instant.second

/** The pace of a number that no campaign has used yet. */
export const newPace = (phoneId: SenderPace["phoneId"], tenantId: SenderPace["tenantId"]): SenderPace => ({
  phoneId,
  tenantId,
  nextSlot: 0,
  heldUntil: null,
  throttles: 0,
  slowedAt: null,
  slowedTo: 100,
  troubled: []
})

/** This share of a number, rounded down, which grows back while time passes. */
const grownBack = (whole: number, { slowedAt, slowedTo }: SenderPace, at: Instant.Instant): number => {
  if (slowedAt === null) return whole
  const elapsed = Math.min(Math.max(at - slowedAt, 0), growthMs)
  return Math.floor((whole * (slowedTo * growthMs + (100 - slowedTo) * elapsed)) / (100 * growthMs))
}

/** The messages a second that all campaigns of a number may send together: a whole number of at least 1. */
export const numberRate = (
  pace: SenderPace,
  throughput: { readonly perSecond: number } | null,
  percent: number,
  at: Instant.Instant
): number => {
  const whole = Math.floor(((throughput?.perSecond ?? standardPerSecond) * percent) / 100)
  return Math.max(1, grownBack(whole, pace, at))
}

const laterOf = (a: Instant.Instant | null, b: Instant.Instant): Instant.Instant =>
  a === null ? b : Instant.later(a, b)

const retryAfterMs = (seconds: number): number =>
  Math.min(Math.max(seconds * Instant.second, minRetryAfterMs), maxRetryAfterMs)

/**
 * The pace after the network has said that the number sends too much: it waits, then goes on at half of its present rate. Messages
 * overlap: what the network says of those that were under way when the wait began is the same refusal, which is not counted again.
 */
export const paceAfterThrottle = (
  pace: SenderPace,
  retryAfterSeconds: number | null,
  at: Instant.Instant
): SenderPace => {
  const isSameRefusal = pace.slowedAt !== null && pace.slowedAt > at
  if (isSameRefusal && retryAfterSeconds === null) return pace
  const waitMs =
    retryAfterSeconds === null
      ? Math.min(Instant.second * 2 ** pace.throttles, maxThrottleMs)
      : retryAfterMs(retryAfterSeconds)
  const until = Instant.plus(at, waitMs)
  const waiting = { ...pace, heldUntil: laterOf(pace.heldUntil, until), troubled: [] }
  if (isSameRefusal) return { ...waiting, slowedAt: laterOf(pace.slowedAt, until) }
  return {
    ...waiting,
    throttles: pace.throttles + 1,
    slowedAt: until,
    slowedTo: Math.max(1, Math.floor(grownBack(100, pace, at) / 2))
  }
}

/** True where the network has neither slowed the number down nor been out of order lately. */
export const isWhole = ({ throttles, troubled }: SenderPace): boolean => throttles === 0 && troubled.length === 0

/** The pace after an answer by which the network neither slows the number down nor is out of order; the same object where nothing changes. */
export const paceAfterAccepted = (pace: SenderPace): SenderPace =>
  isWhole(pace) ? pace : { ...pace, throttles: 0, troubled: [] }

/** The pace after the message to a contact has failed for a reason that is the network's own. */
export const paceAfterTrouble = (
  pace: SenderPace,
  contactId: TemplateContact["id"],
  at: Instant.Instant
): SenderPace => {
  if (pace.troubled.includes(contactId)) return pace
  return pace.troubled.length + 1 < troubleLimit
    ? { ...pace, troubled: [...pace.troubled, contactId] }
    : { ...pace, troubled: [], heldUntil: laterOf(pace.heldUntil, Instant.plus(at, troubleMs)) }
}

const microseconds = 1000

/**
 * The time between two messages: 2 % more than the rate asks for. One more message than a second may have takes 1.02 s, so that the
 * first of them may be 15 ms late, and with it 5 ms of rounding and clocks, without a second that has too many.
 */
const spacingOf = (rate: number): number => Math.ceil(1_020_000 / rate)

export interface SlotRequest {
  readonly at: Instant.Instant
  readonly pace: SenderPace
  /** The first instant, in microseconds, at which the campaign's own rate lets a further message go. */
  readonly campaignNextSlot: number
  /** Messages a second of the number. */
  readonly rate: number
  /** Messages a second of the campaign; null where it has no rate of its own. */
  readonly campaignRate: number | null
  /** How far ahead of their time messages are prepared. */
  readonly leadMs: number
  readonly max: number
}

/** Instants at which messages may go, in microseconds of UTC. Time that has passed without a message is not made up for. */
export interface Slots {
  readonly slots: ReadonlyArray<number>
  readonly paceNext: number
  readonly campaignNext: number
}

export const slots = ({ at, campaignNextSlot, campaignRate, leadMs, max, pace, rate }: SlotRequest): Slots => {
  const end = (at + leadMs) * microseconds
  const spacing = spacingOf(rate)
  const campaignSpacing = campaignRate === null ? 0 : spacingOf(campaignRate)
  const found: Array<number> = []
  let paceNext = pace.nextSlot
  let campaignNext = campaignNextSlot
  const begin = laterOf(pace.heldUntil, at) * microseconds
  while (found.length < max) {
    const slot = Math.max(begin, paceNext, campaignNext)
    if (slot >= end) break
    found.push(slot)
    paceNext = slot + spacing
    campaignNext = slot + campaignSpacing
  }
  return { slots: found, paceNext, campaignNext }
}
