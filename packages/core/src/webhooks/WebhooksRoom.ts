/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { after, change, nothing, storeTopics } from "../platform/changes/index.ts"
import { Instant } from "../platform/kernel/index.ts"
import {
  queueLag,
  type ReadMetrics,
  type RoomMetrics,
  room,
  type SetupStep,
  sample,
  setupState,
  type Worker
} from "../platform/room/index.ts"
import type { Read, StorageError } from "../platform/storage/index.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { Deliverer } from "./deliveries/Deliverer.ts"
import { Deliveries } from "./deliveries/Deliveries.ts"
import { DeliveryStore } from "./deliveries/DeliveryStore.ts"
import { TestSend } from "./deliveries/TestSend.ts"
import * as WebhookFanOut from "./deliveries/WebhookFanOut.ts"
import { WebhookSender } from "./deliveries/WebhookSender.ts"
import { emailEvents } from "./email/EmailEventEntries.ts"
import { EmailReports } from "./email/EmailReports.ts"
import { EmailSuppressionStore } from "./email/EmailSuppressionStore.ts"
import { emailSuppressionsGroup, emailWebhooksGroup } from "./email/EmailWebhooksApi.ts"
import * as EmailWebhooksHttp from "./email/EmailWebhooksHttp.ts"
import { portalGroup } from "./portal/PortalApi.ts"
import * as PortalHttp from "./portal/PortalHttp.ts"
import { WebhooksHttp, webhooksApi } from "./routes/index.ts"
import { SecretRotation } from "./subscriptions/SecretRotation.ts"
import { SubscriptionStore } from "./subscriptions/SubscriptionStore.ts"
import { Subscriptions } from "./subscriptions/Subscriptions.ts"
import { webhookErrors } from "./WebhookErrors.ts"
import type * as Ids from "./WebhooksIds.ts"

const workers = Effect.gen(function* () {
  const deliverer = yield* Deliverer
  return [
    {
      name: "webhook deliveries",
      switch: "deliveries",
      // Ends of deliveries are written until the last attempt is over.
      begin: Effect.asVoid(Effect.forkScoped(deliverer.settle)),
      signal: yield* DeliverySignal,
      nextDue: deliverer.nextDue,
      tick: Effect.map(deliverer.tick, (begun) => (begun > 0 ? "more" : "idle")),
      drain: {
        stage: "last",
        idle: deliverer.idle,
        timeoutMs: 10 * Instant.second,
        cancel: deliverer.cancel,
        cancelMs: 2 * Instant.second
      }
    },
    {
      name: "removal of old deliveries",
      switch: "deliveries",
      everyMs: 10 * Instant.second,
      tick: deliverer.sweep
    }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const metrics = {
  declared: {
    trunkline_deliveries_waiting: {
      type: "gauge",
      labels: [],
      of: "installation",
      help: "Webhook deliveries whose next attempt is to come or under way, 100000 at most"
    },
    trunkline_deliveries_total: {
      type: "counter",
      labels: ["status"],
      of: "process",
      help: "Webhook deliveries that this process has ended"
    },
    trunkline_delivery_attempts_running: {
      type: "gauge",
      labels: [],
      of: "process",
      help: "Attempts of webhook deliveries that are under way"
    }
  },
  reader: Effect.map(
    Deliverer,
    ({ ended, running }): ReadMetrics =>
      (counted) => ({
        ...(counted.underWay === null ? {} : { trunkline_deliveries_waiting: [sample(counted.underWay.deliveries)] }),
        ...queueLag("deliveries", counted),
        trunkline_deliveries_total: Object.entries(ended()).map(([status, n]) => sample(n, { status })),
        trunkline_delivery_attempts_running: [sample(running())]
      })
  )
} satisfies RoomMetrics

const ofWebhook = ({ tenantId }: { readonly tenantId: Ids.AccountId }) => change(tenantId, "webhooks")

const changes = [
  storeTopics(SubscriptionStore, {
    add: ofWebhook,
    save: ofWebhook,
    remove: ofWebhook,
    activeFilters: nothing,
    changeHealth: ofWebhook,
    replaceSecret: nothing
  }),
  storeTopics(DeliveryStore, {
    add: (deliveries) => deliveries.map(ofWebhook),
    claim: after((claimed) => claimed.map(ofWebhook)),
    end: after((ended) => [...ended.values()].map((tenantId) => change(tenantId, "webhooks"))),
    sweep: nothing
  }),
  // No topic names emails.
  storeTopics(EmailSuppressionStore, { add: nothing, remove: nothing })
]

const setup = Effect.map(SubscriptionStore, ({ list }) => [
  {
    id: "webhook",
    isOptional: true,
    look: (tenantId) =>
      Effect.map(list({ tenantId, surface: "platform" }, { limit: 500, offset: 0 }), (found) =>
        setupState(found.some(({ isActive }) => isActive))
      )
  } satisfies SetupStep<StorageError, Read>
])

export const Room = room({
  name: "webhooks",
  stores: [SubscriptionStore, DeliveryStore, EmailSuppressionStore],
  changes,
  ports: Layer.provideMerge(WebhookFanOut.layer, DeliverySignal.layer),
  layer: Layer.mergeAll(
    Deliverer.layer,
    Subscriptions.layer,
    Deliveries.layer,
    SecretRotation.layer,
    TestSend.layer,
    EmailReports.layer
  ).pipe(Layer.provideMerge(WebhookSender.layer)),
  api: (_, platformEvents) => [webhooksApi(platformEvents).group, emailWebhooksGroup, emailSuppressionsGroup],
  unpublishedApi: () => [portalGroup],
  handlers: (_, platformEvents) =>
    Layer.mergeAll(WebhooksHttp.layer(platformEvents), EmailWebhooksHttp.layer(), PortalHttp.layer()),
  setup,
  workers,
  events: emailEvents,
  errors: webhookErrors,
  metrics,
  reencrypt: Effect.map(SecretRotation, ({ reencrypt }) => [reencrypt])
})
