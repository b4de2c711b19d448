/** Counts what has changed of a campaign, and ends or pauses it where that says so, in the transaction of its turn. Source: docs/reference/template-campaigns.md#counts. */
import * as Effect from "effect/Effect"
import type { NewEvent } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../../platform/storage/index.ts"
import { type ConnectedNumber, ConnectedNumberStore } from "../channels/index.ts"
import { type KnownTemplate, KnownTemplateStore } from "../templates/index.ts"
import {
  afterChangesOf,
  begunAnew,
  completedAt,
  isDone,
  isToBeginAnew,
  mayFailTooOften,
  pausedFor
} from "./CampaignCounting.ts"
import { failsTooOften, failureWindow } from "./FailureRate.ts"
import type { PauseReason } from "./SendResult.ts"
import { standingPause } from "./StandingPause.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"
import { templateCampaignEvent, templateCampaignFailed } from "./TemplateCampaignEvents.ts"
import {
  ContactChangeStore,
  type DueTemplateCampaign,
  TemplateCampaignStore,
  TemplateContactStore
} from "./TemplateCampaignStore.ts"

/** Changes that one transaction counts at most. */
const countedAtATime = 1000

/** A campaign under its lock, with all that its messages depend on. */
export interface Situated {
  readonly campaign: TemplateCampaign
  readonly number: ConnectedNumber | null
  readonly template: KnownTemplate | null
  /** What has happened to it so far; not appended yet. */
  readonly events: ReadonlyArray<NewEvent>
  /** True where there may be more changes to be counted. */
  readonly hasMore: boolean
}

/** Makes what loads a campaign under its locks, with its changes counted. */
export const campaignStates = Effect.gen(function* () {
  const contacts = yield* TemplateContactStore
  const waiting = yield* ContactChangeStore
  const known = yield* KnownTemplateStore
  const numbers = yield* ConnectedNumberStore
  const store = yield* TemplateCampaignStore

  const templateOf = (number: ConnectedNumber | null, { templateLanguage, templateName }: TemplateCampaign) => {
    if (number === null) return Effect.succeed(null)
    const { businessAccountId, channel, tenantId } = number
    return known.named({ tenantId, channel, businessAccountId }, templateName, templateLanguage)
  }

  const failsTooOftenNow = Effect.fnUntraced(function* ({ failuresSince, id, maxFailurePercent }: TemplateCampaign) {
    if (maxFailurePercent >= 100 || failuresSince === null) return false
    return failsTooOften(yield* contacts.lastOutcomes(id, failuresSince, failureWindow), maxFailurePercent)
  })

  /** Null where the campaign is gone. The caller saves it. */
  const load = Effect.fnUntraced(function* ({
    id,
    phoneId
  }: Pick<DueTemplateCampaign, "id" | "phoneId">): Effect.fn.Return<Situated | null, StorageError, Tx | Read> {
    yield* lock("template-sender", phoneId)
    yield* lock("template-campaign", id)
    const present = yield* store.findInAnyAccount(id)
    if (present === null) return null
    const at = yield* Instant.now
    const changes = yield* waiting.take(id, countedAtATime)
    const { campaign: counted, pause } = afterChangesOf(present, changes)
    const number = yield* numbers.byId(phoneId)
    const isAnew = isToBeginAnew(counted)
    const campaign = isAnew ? begunAnew(counted, at) : counted
    const started = isAnew ? [templateCampaignEvent("campaign.started", campaign, number)] : []
    const template = yield* templateOf(number, campaign)
    const hasMore = changes.length === countedAtATime
    if (campaign.status !== "running") return { campaign, number, template, events: [], hasMore }
    const tooOften = mayFailTooOften(changes) && (yield* failsTooOftenNow(campaign)) ? "failure_rate" : null
    const reason: PauseReason | null = pause ?? tooOften ?? standingPause(campaign, { number, template }, at)
    const isQueuedAnew = changes.some(({ to }) => to === "queued")
    const woken =
      isQueuedAnew || (campaign.nextTurnAt === null && campaign.counts.queued > 0)
        ? { ...campaign, nextTurnAt: at }
        : campaign
    const next = reason === null ? progressed(woken, number, at) : halted(woken, reason, number, at)
    return { campaign: next.campaign, events: [...started, ...next.events], number, template, hasMore }
  })

  /** What a campaign's messages depend on, as it is now. */
  const standingOf = Effect.fnUntraced(function* (campaign: TemplateCampaign) {
    const number = yield* numbers.byId(campaign.phoneId)
    return { number, template: yield* templateOf(number, campaign) }
  })

  return { load, standingOf }
})

/** A campaign that is completed where it has nothing left to do, and its event. */
export const progressed = (campaign: TemplateCampaign, number: ConnectedNumber | null, at: Instant.Instant) => {
  if (!isDone(campaign)) return { campaign, events: [] }
  const completed = completedAt(campaign, at)
  return { campaign: completed, events: [templateCampaignEvent("campaign.completed", completed, number)] }
}

/** A running campaign that the service has paused, and its event. */
const halted = (
  campaign: TemplateCampaign,
  reason: PauseReason,
  number: ConnectedNumber | null,
  at: Instant.Instant
) => {
  const paused = pausedFor(campaign, reason, at)
  return { campaign: paused, events: [templateCampaignFailed(paused, reason, number)] }
}
