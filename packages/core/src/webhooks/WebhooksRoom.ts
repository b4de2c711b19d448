/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { Deliverer } from "./Deliverer.ts"
import { Deliveries, EmailDeliveries } from "./Deliveries.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { EmailReports } from "./EmailReports.ts"
import { emailSuppressionsGroup, emailWebhooksGroup } from "./EmailWebhooksApi.ts"
import * as EmailWebhooksHttp from "./EmailWebhooksHttp.ts"
import { portalGroup } from "./PortalApi.ts"
import * as PortalHttp from "./PortalHttp.ts"
import { SecretRotation } from "./SecretRotation.ts"
import { Sender } from "./Sender.ts"
import { EmailSubscriptions, Subscriptions } from "./Subscriptions.ts"
import { TestSend } from "./TestSend.ts"
import { webhookErrors } from "./WebhookErrorTable.ts"
import * as WebhookFanOut from "./WebhookFanOut.ts"
import { webhooksGroup } from "./WebhooksApi.ts"
import * as WebhooksHttp from "./WebhooksHttp.ts"

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

export const Room = room({
  name: "webhooks",
  ports: Layer.provideMerge(WebhookFanOut.layer, DeliverySignal.layer),
  layer: Layer.mergeAll(
    Deliverer.layer,
    Subscriptions.layer,
    EmailSubscriptions.layer,
    Deliveries.layer,
    EmailDeliveries.layer,
    SecretRotation.layer,
    TestSend.layer,
    EmailReports.layer
  ).pipe(Layer.provideMerge(Sender.layer)),
  api: () => [webhooksGroup, emailWebhooksGroup, emailSuppressionsGroup],
  unpublishedApi: () => [portalGroup],
  handlers: () => Layer.mergeAll(WebhooksHttp.layer(), EmailWebhooksHttp.layer(), PortalHttp.layer()),
  workers,
  errors: webhookErrors
})
