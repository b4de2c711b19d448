/** Puts the rooms together: from a storage and a carrier to everything that a host uses. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerCallMedia, TelephonySettings } from "../calling/calls/index.ts"
import { BatchSettings } from "../gateway/batches/index.ts"
import { ModelCatalogue } from "../gateway/catalogue/index.ts"
import { FileSettings } from "../gateway/files/index.ts"
import { Vault } from "../platform/accounts/index.ts"
import { Money } from "../platform/billing/index.ts"
import { EventFieldNames } from "../platform/events/index.ts"
import { addressLimit } from "../platform/http/AddressLimit.ts"
import { CompiledRoutes, edge, edgeAnswers, keyedWrites } from "../platform/http/index.ts"
import { notingStorage } from "../platform/idempotency/index.ts"
import type { Brand } from "../platform/kernel/index.ts"
import { SocketLimit, socketRoutes, standardSockets, type UpgradeEdge } from "../platform/sockets/index.ts"
import { AccountLimits, accountLimitsOf, RetentionSettings } from "../platform/storage/index.ts"
import { contractsOf } from "./Api.ts"
import { llmSettings } from "./LlmOptions.ts"
import { chatChannels, messagingSettings } from "./MessagingOptions.ts"
import { refuseMigrated } from "./MigratedStorage.ts"
import { noCarrier } from "./NoCarrier.ts"
import { noOutbound } from "./NoOutbound.ts"
import type { TrunklineOptions } from "./Options.ts"
import { watchedStorage } from "./Outage.ts"
import { ProductMetrics } from "./ProductMetrics.ts"
import { type CarrierLayer, layerOf } from "./Providers.ts"
import { serveReference } from "./ReferencePages.ts"
import { edgeFamilies, httpLayers, type Rooms, roomLayers, roomSockets } from "./Rooms.ts"
import { searchProviders } from "./SearchSettings.ts"
import { signInSettings } from "./SignInOptions.ts"
import { catalogueSettings, speechLayers } from "./SpeechOptions.ts"
import { encryptPlainSecrets } from "./StoredSecrets.ts"
import { voiceSettings } from "./VoiceOptions.ts"
import { outboundSettings, portalPage, webhookSettings } from "./WebhookOptions.ts"
import { Workers } from "./Workers.ts"

/** All services of the product. */
export type Services = Layer.Success<ReturnType<typeof services>>

const telephonySettings = ({ answer, onAnswer, pricing }: TrunklineOptions): TelephonySettings => ({
  creditsPerMinute: Money.fromConfigured(pricing?.callCreditsPerMinute ?? 1),
  answer: onAnswer === undefined ? (answer ?? { kind: "standard" }) : { kind: "host", onAnswer }
})

const batchSettings = ({ limits = {} }: TrunklineOptions) =>
  Layer.merge(
    Layer.succeed(FileSettings, { maxBytes: limits.fileBytes ?? 104_857_600 }),
    Layer.succeed(BatchSettings, {
      maxRequests: limits.batchRequests ?? 50_000,
      concurrency: limits.batchConcurrency ?? 4,
      windowSeconds: limits.batchWindowSeconds ?? 86_400
    })
  )

const retentionSettings = ({ retention = {} }: TrunklineOptions): RetentionSettings => ({
  usage: retention.usageDays ?? null,
  deliveries: retention.deliveriesDays ?? null,
  events: retention.eventsDays ?? null,
  calls: retention.callsDays ?? null,
  messages: retention.messagesDays ?? null
})

/** What the options say, as the rooms know it. */
const settings = (options: TrunklineOptions, brand: Brand) =>
  Layer.mergeAll(
    Layer.succeed(TelephonySettings, telephonySettings(options)),
    Layer.succeed(EventFieldNames, brand),
    Layer.succeed(SocketLimit, options.limits?.sockets === undefined ? standardSockets : options.limits.sockets),
    Layer.succeed(AccountLimits, accountLimitsOf(options.limits ?? {})),
    Layer.succeed(RetentionSettings, retentionSettings(options)),
    batchSettings(options),
    outboundSettings(options, brand),
    webhookSettings(options),
    portalPage(options, brand),
    messagingSettings(options),
    chatChannels(options),
    voiceSettings(options).pipe(
      Layer.provideMerge(speechLayers(options)),
      Layer.provideMerge(ModelCatalogue.layer(catalogueSettings(options)))
    ),
    searchProviders(options),
    llmSettings(options),
    Vault.layer(options.encryptionKey, options.previousEncryptionKeys ?? []),
    signInSettings(options, brand).pipe(
      Layer.provideMerge(options.outbound === undefined ? noOutbound : layerOf(options.outbound))
    )
  )

/** The rooms' services over what the host has passed. */
export const services = (options: TrunklineOptions, brand: Brand, rooms: Rooms) => {
  const storage = layerOf(options.storage)
  const carrier: CarrierLayer = options.telephony === undefined ? noCarrier : layerOf(options.telephony)
  const workers = Workers.layer(rooms, { ...options.workers })
  return Layer.merge(ProductMetrics.layer(rooms), encryptPlainSecrets(rooms)).pipe(
    Layer.provideMerge(refuseMigrated),
    Layer.provideMerge(workers),
    Layer.provideMerge(roomLayers(rooms)),
    Layer.provideMerge(carrier),
    Layer.provideMerge(layerCallMedia),
    Layer.provideMerge(notingStorage.pipe(Layer.provideMerge(watchedStorage), Layer.provideMerge(storage))),
    Layer.provideMerge(settings(options, brand))
  )
}

/** The product as one HTTP effect that has an answer for every request, and the routes of its WebSockets. */
export const http = Effect.fnUntraced(function* (options: TrunklineOptions, brand: Brand, rooms: Rooms) {
  const { open, whole: api } = contractsOf(rooms, brand)
  const families = edgeFamilies(rooms, brand)
  const handlers = Layer.provideMerge(httpLayers(rooms, "handlers", brand), httpLayers(rooms, "middleware", brand))
  const routes = yield* CompiledRoutes.make(api, handlers, { families, keyed: yield* keyedWrites(families) })
  if (options.reference !== undefined) serveReference(routes, options.reference, open, brand)
  const perMinute = options.limits?.perIpPerMinute === undefined ? 200 : options.limits.perIpPerMinute
  const limit = perMinute === null ? null : addressLimit(perMinute)
  const jsonBodyBytes = options.limits?.jsonBodyBytes ?? 10 * 1024 * 1024
  const sockets = socketRoutes(yield* roomSockets(rooms))
  const isSocket = (path: string) => sockets.find(path) !== null
  const { headerPrefix } = brand
  const app = edge(routes, { limit, jsonBodyBytes, families, headerPrefix, isSocket })
  return {
    api,
    open,
    routes,
    app,
    sockets,
    upgradeEdge: { answers: edgeAnswers({ families, headerPrefix }), limit } satisfies UpgradeEdge
  }
})
