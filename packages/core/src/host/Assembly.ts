/** Puts the rooms together: from a storage and a carrier to everything that a host uses. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AccessStore, Accounts, Authentication, KeyExpiry, Tokens, Vault } from "../access/index.ts"
import {
  Bonuses,
  type BonusStore,
  type BudgetStore,
  type CreditStore,
  Credits,
  KeyLimits,
  type LimitStore,
  Metering,
  Money,
  type QuotaStore,
  type ReservationStore,
  Spending,
  UsageLog,
  type UsageLogStore
} from "../billing/index.ts"
import * as BotsHttp from "../bots/BotsHttp.ts"
import { Agent, type BotStore, Bots, Knowledge, type KnowledgeStore } from "../bots/index.ts"
import * as CampaignsHttp from "../campaigns/CampaignsHttp.ts"
import {
  CampaignCalls,
  type CampaignContactStore,
  CampaignContacts,
  type CampaignStore,
  Campaigns,
  CampaignUses,
  Dialer,
  DialerSignal,
  DialSituation,
  LiveView
} from "../campaigns/index.ts"
import * as CompatibleHttp from "../compat/CompatibleHttp.ts"
import { CompatibleSend } from "../compat/index.ts"
import * as ContactsHttp from "../contacts/ContactsHttp.ts"
import { type ContactStore, Contacts, type ImportStore, Imports } from "../contacts/index.ts"
import { EventFieldNames, Outbox, type OutboxStore, Publishing } from "../events/index.ts"
import { addressLimit } from "../http/AddressLimit.ts"
import * as CompatibleAuth from "../http/CompatibleAuth.ts"
import * as InferenceAuth from "../http/InferenceAuth.ts"
import * as InferenceFaults from "../http/InferenceFaults.ts"
import { type Brand, CompiledRoutes, edge, makeApi } from "../http/index.ts"
import * as PlatformAuth from "../http/PlatformAuth.ts"
import * as SchemaFaults from "../http/SchemaFaults.ts"
import { Idempotency, type IdempotencyStore } from "../idempotency/index.ts"
import { ChatModel, InferenceRoutes, MeteredRun, ModelCatalogue, Speech, Upstreams } from "../inference/index.ts"
import * as ModelsHttp from "../inference/ModelsHttp.ts"
import * as SpeechHttp from "../inference/SpeechHttp.ts"
import * as UsageHttp from "../inference/UsageHttp.ts"
import { Instant } from "../kernel/index.ts"
import * as InboundHttp from "../messaging/InboundHttp.ts"
import {
  type ConnectedNumberStore,
  ConnectedNumbers,
  type ConversationStore,
  Conversations,
  type CustomerStore,
  Customers,
  Inbound,
  type MessageStore,
  NativeSend,
  Outgoing,
  PlatformFiles,
  ReplyQueueSignal,
  type ReplyQueueStore,
  ReplyWorker,
  type UnmatchedStatusStore
} from "../messaging/index.ts"
import * as MessagingHttp from "../messaging/MessagingHttp.ts"
import type { Storage, StorageError } from "../storage/index.ts"
import { Suppression, type SuppressionStore } from "../suppression/index.ts"
import * as SuppressionHttp from "../suppression/SuppressionHttp.ts"
import {
  CallAdmission,
  CallPlacer,
  CallReports,
  type CallStore,
  type CallSupervisionStore,
  CallSupervisor,
  Calls,
  CallTransitions,
  CampaignLegs,
  CancelSuppressedCalls,
  type Carrier,
  type CarrierBook,
  type NumberStore,
  Numbers,
  type StartSlotStore,
  TelephonySettings
} from "../telephony/index.ts"
import * as TelephonyHttp from "../telephony/TelephonyHttp.ts"
import { VoiceSessions, type VoiceStore } from "../voice/index.ts"
import * as VoiceHttp from "../voice/VoiceHttp.ts"
import * as EmailWebhooksHttp from "../webhooks/EmailWebhooksHttp.ts"
import {
  Deliverer,
  DeliverySignal,
  EmailReports,
  type EmailSuppressionStore,
  type Outbound,
  Sender,
  WebhookFanOut,
  type WebhookStore,
  Webhooks
} from "../webhooks/index.ts"
import * as PortalHttp from "../webhooks/PortalHttp.ts"
import * as WebhooksHttp from "../webhooks/WebhooksHttp.ts"
import { chatChannels, messagingSettings } from "./MessagingOptions.ts"
import type { MetricsStore } from "./MetricsStore.ts"
import { noCarrier } from "./NoCarrier.ts"
import { noOutbound } from "./NoOutbound.ts"
import type { TrunklineOptions } from "./Options.ts"
import { watchedStorage } from "./Outage.ts"
import { ProductMetrics } from "./ProductMetrics.ts"
import { encryptPlainSecrets } from "./Reencryption.ts"
import { catalogueSettings, speechLayers } from "./SpeechOptions.ts"
import { portalSettings, webhookSettings } from "./WebhookOptions.ts"
import { Workers } from "./Workers.ts"

/** Everything that a storage package provides. */
export type Stores =
  | Storage
  | AccessStore
  | BonusStore
  | BotStore
  | BudgetStore
  | CallStore
  | CallSupervisionStore
  | CampaignContactStore
  | CampaignStore
  | CarrierBook
  | ConnectedNumberStore
  | ContactStore
  | ConversationStore
  | CreditStore
  | CustomerStore
  | EmailSuppressionStore
  | IdempotencyStore
  | ImportStore
  | KnowledgeStore
  | LimitStore
  | MessageStore
  | MetricsStore
  | NumberStore
  | OutboxStore
  | QuotaStore
  | ReplyQueueStore
  | StartSlotStore
  | ReservationStore
  | SuppressionStore
  | UnmatchedStatusStore
  | UsageLogStore
  | VoiceStore
  | WebhookStore

export type StorageLayer = Layer.Layer<Stores, StorageError>
export type CarrierLayer = Layer.Layer<Carrier, unknown, Stores>
export type OutboundLayer = Layer.Layer<Outbound>

/** All services of the product. */
export type Services = Layer.Success<ReturnType<typeof services>>

const tokenSettings = (options: TrunklineOptions): Tokens.TokenSettings => {
  const { claims, jwks, jwksUrl, secret } = options.auth?.jwt ?? {}
  return {
    secret: secret === undefined ? null : typeof secret === "string" ? new TextEncoder().encode(secret) : secret,
    keySet:
      jwks !== undefined ? { _tag: "Keys", keys: jwks } : jwksUrl !== undefined ? { _tag: "Url", url: jwksUrl } : null,
    claims: { subject: claims?.subject ?? "sub", account: claims?.account ?? "tenant_id", role: claims?.role ?? "role" }
  }
}

const telephonySettings = ({ answer, onAnswer, pricing }: TrunklineOptions): TelephonySettings => ({
  creditsPerMinute: Money.fromConfigured(pricing?.callCreditsPerMinute ?? 1),
  answer: onAnswer === undefined ? (answer ?? { kind: "say" }) : { kind: "host", onAnswer }
})

/** The rooms' services. Each line stands on those before it. */
export const services = (options: TrunklineOptions, brand: Brand) => {
  const storage = options.storage.layer as StorageLayer
  const carrier = (options.telephony?.layer as CarrierLayer | undefined) ?? noCarrier
  return Layer.empty.pipe(
    Layer.provideMerge(
      Layer.merge(
        Layer.provideMerge(
          ProductMetrics.layer,
          Workers.layer({
            dialer: options.telephony !== undefined && (options.workers?.dialer ?? true),
            deliveries: options.workers?.deliveries ?? true,
            replies: options.workers?.replies ?? true
          })
        ),
        encryptPlainSecrets
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Deliverer.layer,
        Webhooks.layer,
        EmailReports.layer,
        KeyExpiry.layer,
        VoiceSessions.layer,
        Inbound.layer,
        Layer.provideMerge(
          Layer.mergeAll(NativeSend.layer, CompatibleSend.layer, PlatformFiles.layer),
          ConnectedNumbers.layer
        ),
        Conversations.layer,
        ReplyWorker.layer
      )
    ),
    Layer.provideMerge(Publishing.layer),
    Layer.provideMerge(Sender.layer),
    Layer.provideMerge(
      Layer.mergeAll(Dialer.layer, LiveView.layer, CampaignContacts.layer, Imports.layer, Speech.layer)
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Campaigns.layer,
        Calls.layer,
        CallSupervisor.layer,
        DialSituation.layer,
        Outgoing.layer,
        Agent.layer
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        CallPlacer.layer,
        Customers.layer,
        Layer.provideMerge(Layer.mergeAll(ChatModel.layer, InferenceRoutes.layer), MeteredRun.layer)
      )
    ),
    Layer.provideMerge(CallReports.layer),
    Layer.provideMerge(CallAdmission.layer),
    Layer.provideMerge(Suppression.layer),
    Layer.provideMerge(CancelSuppressedCalls.layer),
    Layer.provideMerge(CallTransitions.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        CampaignCalls.layer,
        Numbers.layer,
        Contacts.layer,
        Layer.provideMerge(Knowledge.layer, Layer.provide(Bots.layer, ConnectedNumbers.watching)),
        Metering.layer
      )
    ),
    Layer.provideMerge(Layer.mergeAll(CampaignUses.layer, CampaignLegs.layer, DialerSignal.layer, Outbox.layer)),
    Layer.provideMerge(WebhookFanOut.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        Accounts.layer(brand.keyPrefix),
        Authentication.layer({
          keyPrefix: brand.keyPrefix,
          channel: brand.channel,
          authenticate: options.auth?.authenticate ?? null
        })
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.provideMerge(Bonuses.layer, Credits.layer),
        Idempotency.layer,
        KeyLimits.layer,
        Spending.layer,
        UsageLog.layer
      )
    ),
    Layer.provideMerge(carrier),
    Layer.provideMerge(Layer.provideMerge(watchedStorage, storage)),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(Tokens.TokenSettings, tokenSettings(options)),
        Layer.succeed(TelephonySettings, telephonySettings(options)),
        webhookSettings(options, brand),
        Layer.succeed(EventFieldNames, brand),
        DeliverySignal.layer,
        ReplyQueueSignal.layer,
        messagingSettings(options),
        chatChannels(options),
        ModelCatalogue.layer(catalogueSettings(options)),
        speechLayers(options),
        Vault.layer(options.encryptionKey, options.previousEncryptionKeys ?? []),
        (options.outbound?.layer as OutboundLayer | undefined) ?? noOutbound
      )
    )
  )
}

/** How long the slot of a request stays acquired when its process dies: a slow upload, beside the slowest model. */
const slowUploadMs = 5 * Instant.minute

/** The product as one HTTP effect that has an answer for every request. */
export const http = Effect.fnUntraced(function* (options: TrunklineOptions, brand: Brand) {
  const api = makeApi(brand)
  const { maxMs } = yield* Upstreams
  const handlers = Layer.mergeAll(
    CampaignsHttp.layer(api),
    SuppressionHttp.layer(api),
    TelephonyHttp.layer(api, brand.headerPrefix),
    ContactsHttp.layer(api),
    BotsHttp.layer(api, brand.channel),
    InboundHttp.layer(api),
    MessagingHttp.layer(api),
    CompatibleHttp.layer(api, brand),
    ModelsHttp.layer(api),
    SpeechHttp.layer(api, brand.headerPrefix),
    UsageHttp.layer(api),
    VoiceHttp.layer(api),
    WebhooksHttp.layer(api),
    EmailWebhooksHttp.layer(api),
    PortalHttp.layer(api, portalSettings(options, brand))
  )
  const middleware = Layer.mergeAll(
    PlatformAuth.layer,
    SchemaFaults.layer,
    InferenceAuth.layer({ headerPrefix: brand.headerPrefix, slotLeaseMs: slowUploadMs + maxMs }),
    InferenceFaults.layer,
    CompatibleAuth.layer(brand.channel)
  )
  const routes = yield* CompiledRoutes.make(api, Layer.provideMerge(handlers, middleware))
  const perMinute = options.limits?.perIpPerMinute === undefined ? 200 : options.limits.perIpPerMinute
  const limit = perMinute === null ? null : addressLimit(perMinute)
  return {
    api,
    routes,
    app: edge(routes, {
      limit,
      jsonBodyBytes: options.limits?.jsonBodyBytes ?? 10 * 1024 * 1024,
      channel: brand.channel
    })
  }
})
