/** Reads what decides whether a campaign may send now: for its turn, and for the live view. Source: docs/reference/template-campaigns.md#waiting-for. */
import * as Effect from "effect/Effect"
import { type Account, isActive } from "../../platform/accounts/index.ts"
import { closesAt, Instant, isWithinHours, localDay, nextOpening, windowOf } from "../../platform/kernel/index.ts"
import type { ConnectedNumber } from "../channels/index.ts"
import { type CampaignSituation, type SendingHold, sendingHold } from "./CampaignHold.ts"
import { CampaignRules } from "./CampaignRules.ts"
import { newPace, numberRate } from "./SendPace.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"
import { type SenderPace, SenderPaceStore, TemplateContactStore } from "./TemplateCampaignStore.ts"

/** The messaging limit of a number's business account, where it has one. */
export interface LoadedLimit {
  readonly perDay: number
  /** Different people outside of an open window in the last 24 hours; `perDay` at most. */
  readonly used: number
  /** When the next place becomes free, where none is; null otherwise. */
  readonly freeAt: Instant.Instant | null
}

/** What a campaign's next message depends on. */
export interface LoadedSituation {
  /** Why nothing may go out to anybody; null where something may. */
  readonly hold: SendingHold | null
  /** When a campaign that is held is decided again. */
  readonly recheckAt: Instant.Instant | null
  readonly pace: SenderPace
  /** Messages a second of the number. */
  readonly rate: number
  readonly limit: LoadedLimit | null
  /** Messages that are left of the campaign's day; null where it has no limit. */
  readonly dayLeft: number | null
  readonly dayStart: Instant.Instant
  /** Before then a message must go out that is decided now: the hours end, or a day that has a limit. Null where neither does. */
  readonly openUntil: Instant.Instant | null
}

const dayMs = Instant.day

/** An account may be opened again at any time, by another process too. */
const accountRecheckMs = 5 * Instant.second

export interface SituationOf {
  readonly number: ConnectedNumber
  readonly account: Account | null
  readonly at: Instant.Instant
}

/** Makes what loads the situation of a campaign, in the caller's look. */
export const campaignSituations = Effect.gen(function* () {
  const contacts = yield* TemplateContactStore
  const paces = yield* SenderPaceStore
  const rules = yield* CampaignRules

  const since = (at: Instant.Instant) => Instant.plus(at, -dayMs)

  /** Different people in the last 24 hours; `max` at most. */
  const used = (number: ConnectedNumber, at: Instant.Instant, max: number) =>
    paces.recipientsSince(number, since(at), max)

  const limitOf = Effect.fnUntraced(function* (number: ConnectedNumber, at: Instant.Instant) {
    const perDay = number.platform?.messagingLimit?.perDay ?? null
    if (perDay === null) return null
    const people = yield* used(number, at, perDay)
    const oldest = people < perDay ? null : yield* paces.oldestRecipient(number, since(at))
    return { perDay, used: people, freeAt: oldest === null ? null : Instant.plus(oldest, dayMs) } satisfies LoadedLimit
  })

  /** What holds everybody who is next. */
  const load = Effect.fnUntraced(function* (campaign: TemplateCampaign, { account, at, number }: SituationOf) {
    const hours = windowOf(campaign)
    const { end, start } = localDay(campaign.timezone, at)
    const sentToday = campaign.dayStart === start ? campaign.dayMessages : 0
    const dayLeft = campaign.maxPerDay === null ? null : Math.max(0, campaign.maxPerDay - sentToday)
    const pace = (yield* paces.find(number.id)) ?? newPace(number.id, number.tenantId)
    const limit = yield* limitOf(number, at)
    const situation: CampaignSituation = {
      campaign,
      accountOpen: account !== null && isActive(account) && account.paymentMethod !== "missing",
      isOpen: isWithinHours(hours, at),
      opensAt: nextOpening(hours, at),
      sentToday,
      dayOpensAt: nextOpening(hours, end),
      heldUntil: pace.heldUntil,
      // People with an open window still get a message: the turn looks for them.
      isLimitReached: false,
      limitFreeAt: limit?.freeAt ?? null,
      due: 1,
      nextRetryAt: null,
      isRateTaken: false
    }
    const hold = sendingHold(situation, at)
    return {
      hold,
      recheckAt: recheckAt(hold, at),
      situation,
      pace,
      rate: numberRate(pace, number.platform?.throughput ?? null, rules.throughputPercent, at),
      limit,
      dayLeft,
      dayStart: start,
      openUntil: earliest(closesAt(hours, at), campaign.maxPerDay === null ? null : end)
    }
  })

  /** The same as people see it: with what holds the next contacts. */
  const loadShown = Effect.fnUntraced(function* (campaign: TemplateCampaign, of: SituationOf) {
    const { at } = of
    const loaded = yield* load(campaign, of)
    const due = yield* contacts.due(campaign.id, at, 1)
    const { limit, pace, situation } = loaded
    const hold = sendingHold(
      {
        ...situation,
        isLimitReached: limit !== null && limit.used >= limit.perDay,
        due: due.length,
        nextRetryAt: due.length === 0 ? yield* contacts.nextRetryAt(campaign.id) : null,
        // Turns prepare messages a moment ahead of their time.
        isRateTaken: pace.nextSlot / 1000 > at + Instant.second
      },
      at
    )
    return { ...loaded, hold }
  })

  const countedAmong = (number: ConnectedNumber, people: ReadonlyArray<string>, at: Instant.Instant) =>
    people.length === 0 ? Effect.succeed([]) : paces.countedAmong(number, people, since(at))

  return { countedAmong, load, loadShown, used }
})

const earliest = (one: Instant.Instant | null, other: Instant.Instant | null): Instant.Instant | null =>
  one === null ? other : other === null ? one : Instant.earlier(one, other)

const recheckAt = (hold: SendingHold | null, at: Instant.Instant): Instant.Instant | null => {
  if (hold === null) return null
  if (hold.reason === "account") return Instant.plus(at, accountRecheckMs)
  return hold.until
}
