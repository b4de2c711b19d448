/** What became of messages: by our own records, and by what the channel's network counts. Source: docs/reference/analytics.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import {
  type AnalyticsPeriod,
  type ChannelAnalytics,
  type ChannelFailed,
  type ConnectedNumberNotFound,
  channelLacks,
  type NetworkInterval,
  type NetworkMessages,
  type NetworkPricing,
  type PlatformMissing,
  PlatformRefusal,
  type PlatformTrouble,
  type PricingDimension,
  type TemplateResults
} from "../channels/index.ts"
import type * as Ids from "../MessagingIds.ts"
import { digitsOf } from "../messages/index.ts"
import { numberRequests, type Sender } from "../sending/index.ts"
import { type TemplateCampaignNotFound, TemplateCampaigns } from "../template-campaigns/index.ts"
import type { InvalidPeriod } from "./AnalyticsErrors.ts"
import { checkedPeriod, type DeliveryPeriod, dividedPeriod, templatePeriod } from "./AnalyticsPeriods.ts"
import { type CountSlice, countSlices, placed } from "./CountSlices.ts"
import { DeliveryCountStore, type DeliveryFilter } from "./DeliveryCountStore.ts"
import { type DeliveryRow, deliveryRows } from "./DeliveryRows.ts"

export interface DeliveryQuery extends DeliveryPeriod, DeliveryFilter {}

/** Messages that are asked of the channel's network. */
export interface MessagesQuery extends AnalyticsPeriod {
  readonly interval: NetworkInterval
  /** Whether the number's own messages are counted, or those of all numbers of its business account. */
  readonly ofNumberAlone: boolean
}

export interface PricingQuery extends AnalyticsPeriod {
  readonly interval: NetworkInterval
  readonly dimensions: ReadonlyArray<PricingDimension>
}

export interface TemplateResultsQuery extends AnalyticsPeriod {
  readonly templateIds: ReadonlyArray<string>
}

type Failed = ConnectedNumberNotFound | InvalidPeriod | PlatformMissing | PlatformTrouble | StorageError

const unnamed = new PlatformRefusal({
  sent: 0,
  parts: 1,
  isCertain: true,
  sentence: "The chat platform does not say which number this is. Ask for all numbers of its business account instead."
})

export class Analytics extends Context.Service<
  Analytics,
  {
    /** Oldest first, from our own records: nobody is asked. Every interval of the period has a row. */
    readonly delivery: (
      tenantId: Ids.AccountId,
      query: DeliveryQuery
    ) => Effect.Effect<
      ReadonlyArray<DeliveryRow>,
      ConnectedNumberNotFound | InvalidPeriod | StorageError | TemplateCampaignNotFound
    >
    readonly messages: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      query: MessagesQuery
    ) => Effect.Effect<ReadonlyArray<NetworkMessages>, Failed>
    readonly pricing: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      query: PricingQuery
    ) => Effect.Effect<ReadonlyArray<NetworkPricing>, Failed>
    readonly templates: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      query: TemplateResultsQuery
    ) => Effect.Effect<ReadonlyArray<TemplateResults>, Failed>
    /** Has the network count what becomes of templates, for good. */
    readonly enableTemplates: (tenantId: Ids.AccountId, phoneNumberId: string) => Effect.Effect<void, Failed>
  }
>()("@trunkline/core/messaging/analytics/Analytics") {
  static readonly layer = Layer.effect(
    Analytics,
    Effect.gen(function* () {
      const campaigns = yield* TemplateCampaigns
      const storage = yield* Storage
      const store = yield* DeliveryCountStore
      const { ask, owned } = yield* numberRequests

      /** Slice by slice, with a turn for everybody else between two. A message is in one of them, whatever becomes of it meanwhile. */
      const countsOf = (tenantId: Ids.AccountId, filter: DeliveryFilter, slices: ReadonlyArray<CountSlice>) =>
        Effect.map(
          Effect.forEach(slices, (slice) =>
            Effect.andThen(
              Effect.yieldNow,
              Effect.map(storage.read(store.count(tenantId, filter, slice.bounds)), (counts) => placed(slice, counts))
            )
          ),
          (counts) => counts.flat()
        )

      const delivery = tracedFn("Analytics.delivery")(function* (tenantId: Ids.AccountId, query: DeliveryQuery) {
        const { campaignId, phoneNumberId } = query
        const at = yield* Instant.now
        const period = yield* Effect.fromResult(dividedPeriod(query, at))
        if (phoneNumberId !== null) yield* owned(tenantId, phoneNumberId)
        const campaign = campaignId === null ? null : yield* campaigns.get(tenantId, campaignId)
        const isOfOther = campaign !== null && phoneNumberId !== null && campaign.phoneNumberId !== phoneNumberId
        const counts = isOfOther ? [] : yield* countsOf(tenantId, query, countSlices(period, at))
        return deliveryRows(period.starts, counts)
      })

      type Request<A> = (
        analytics: ChannelAnalytics,
        sender: Sender
      ) => Effect.Effect<A, ChannelFailed | PlatformRefusal>

      const asking = <A>(tenantId: Ids.AccountId, phoneNumberId: string, request: Request<A>) =>
        ask(tenantId, phoneNumberId, (sender) =>
          sender.channel.network.analytics === null
            ? Effect.fail(channelLacks("analytics"))
            : request(sender.channel.network.analytics, sender)
        )

      /** The digits of a number. It may have been connected without its display name: then the network is asked. */
      const phoneOf = Effect.fnUntraced(function* ({ channel, connection, number }: Sender) {
        const known = digitsOf(number.displayPhoneNumber ?? "")
        if (known !== undefined) return known
        const { numbers } = channel.network
        const facts = numbers === null ? null : yield* numbers.read(connection)
        return digitsOf(facts?.displayPhoneNumber ?? "") ?? (yield* unnamed)
      })

      const messages = tracedFn("Analytics.messages")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        { interval, ofNumberAlone, ...period }: MessagesQuery
      ) {
        const checked = yield* Effect.fromResult(checkedPeriod(period))
        return yield* asking(tenantId, phoneNumberId, (analytics, sender) =>
          Effect.flatMap(ofNumberAlone ? phoneOf(sender) : Effect.succeed(null), (phone) =>
            analytics.messages(sender.connection, { ...checked, interval, phone })
          )
        )
      })

      const pricing = tracedFn("Analytics.pricing")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        query: PricingQuery
      ) {
        yield* Effect.fromResult(checkedPeriod(query))
        return yield* asking(tenantId, phoneNumberId, (analytics, { connection }) =>
          analytics.pricing(connection, query)
        )
      })

      const templates = tracedFn("Analytics.templates")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        query: TemplateResultsQuery
      ) {
        yield* Effect.fromResult(templatePeriod(query, yield* Instant.now))
        return yield* asking(tenantId, phoneNumberId, (analytics, { connection }) =>
          analytics.templates(connection, query)
        )
      })

      return Analytics.of({
        delivery,
        messages,
        pricing,
        templates,
        enableTemplates: (tenantId, phoneNumberId) =>
          asking(tenantId, phoneNumberId, (analytics, { connection }) => analytics.enableTemplates(connection))
      })
    })
  )
}
