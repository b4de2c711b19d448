/** What a template campaign is doing now. Source: docs/reference/template-campaigns.md#live. */
import * as Effect from "effect/Effect"
import { Accounts } from "../../platform/accounts/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { Storage } from "../../platform/storage/index.ts"
import { type ConnectedNumber, ConnectedNumberStore, type MessagingLimit, type Quality } from "../channels/index.ts"
import type * as Ids from "../MessagingIds.ts"
import { KnownTemplateStore } from "../templates/index.ts"
import type { SendingHold } from "./CampaignHold.ts"
import { campaignSituations } from "./CampaignSituations.ts"
import { withChanges } from "./ContactChange.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"
import { TemplateCampaignNotFound } from "./TemplateCampaignErrors.ts"
import {
  ContactChangeStore,
  type FailureCount,
  TemplateCampaignStore,
  TemplateContactStore,
  TemplateListStore
} from "./TemplateCampaignStore.ts"
import type { TemplateContactStatus } from "./TemplateContact.ts"

/** What is known of a campaign's number. */
export interface CampaignNumber {
  readonly qualityRating: Quality | null
  readonly messagingLimit: MessagingLimit | null
  /** Different people outside of an open reply window in the last 24 hours, over all numbers of the business account here. */
  readonly used24h: number
}

/** What is known of a campaign's template. */
export interface CampaignTemplate {
  readonly status: string | null
  readonly quality: string | null
  readonly category: string | null
}

export interface LiveCampaign {
  readonly campaign: TemplateCampaign
  readonly byStatus: Readonly<Record<TemplateContactStatus, number>>
  /** Of the last ten seconds. */
  readonly messagesPerSecond: number
  /** When the last message goes out, at this rate; null where that cannot be said. */
  readonly eta: Instant.Instant | null
  readonly failures: ReadonlyArray<FailureCount>
  readonly template: CampaignTemplate
  readonly number: CampaignNumber
  /** Null while a message can go out now. */
  readonly waitingFor: SendingHold | null
}

/** Messages that are counted as "now". */
const nowMs = 10 * Instant.second

/** Makes what looks at a campaign while it runs. */
export const liveCampaigns = Effect.gen(function* () {
  const accounts = yield* Accounts
  const changes = yield* ContactChangeStore
  const contacts = yield* TemplateContactStore
  const lists = yield* TemplateListStore
  const known = yield* KnownTemplateStore
  const numbers = yield* ConnectedNumberStore
  const situations = yield* campaignSituations
  const storage = yield* Storage
  const store = yield* TemplateCampaignStore

  return tracedFn("TemplateCampaigns.live")(function* (tenantId: Ids.AccountId, id: Ids.TemplateCampaignId) {
    const present = yield* store.find(tenantId, id)
    if (present === null) return yield* new TemplateCampaignNotFound({ id })
    const campaign = withChanges(present, yield* changes.ofCampaigns([id]))
    const at = yield* Instant.now
    const number = yield* numbers.byId(campaign.phoneId)
    const account = yield* accounts.find(tenantId)
    const template =
      number === null ? null : yield* known.named(number, campaign.templateName, campaign.templateLanguage)
    const loaded = number === null ? null : yield* situations.loadShown(campaign, { number, account, at })
    const { replied: _, ...byStatus } = campaign.counts
    const rate = loaded === null ? null : rateOf(campaign, loaded.rate)
    const waitingFor = loaded?.hold ?? null
    return {
      campaign,
      byStatus,
      messagesPerSecond: (yield* contacts.sentSince(id, Instant.plus(at, -nowMs))) / (nowMs / Instant.second),
      eta: rate === null || waitingFor !== null ? null : etaOf(byStatus.queued, rate, at),
      failures: yield* lists.failures(id),
      template: {
        status: template?.status ?? null,
        quality: template?.quality ?? null,
        category: template?.category ?? null
      },
      number: yield* campaignNumber(number, (one) => situations.used(one, at, maxCounted)),
      waitingFor
    } satisfies LiveCampaign
  }, storage.read)
})

/** More people than any messaging limit counts. */
export const maxCounted = 1_000_000

/** What is known of a campaign's number; `used` counts people of the last 24 hours. */
export const campaignNumber = <E, R>(
  number: ConnectedNumber | null,
  used: (number: ConnectedNumber) => Effect.Effect<number, E, R>
): Effect.Effect<CampaignNumber, E, R> =>
  Effect.map(number === null ? Effect.succeed(0) : used(number), (used24h) => ({
    qualityRating: number?.platform?.qualityRating ?? null,
    messagingLimit: number?.platform?.messagingLimit ?? null,
    used24h
  }))

/** Messages a second of a campaign, by its own rate and its number's. */
export const rateOf = ({ maxPerSecond }: TemplateCampaign, rate: number): number =>
  maxPerSecond === null ? rate : Math.min(maxPerSecond, rate)

const etaOf = (queued: number, rate: number, at: Instant.Instant): Instant.Instant =>
  Instant.plus(at, Math.ceil(queued / rate) * Instant.second)
