/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { Deliverer } from "./Deliverer.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { EmailReports } from "./EmailReports.ts"
import { emailSuppressionsGroup, emailWebhooksGroup } from "./EmailWebhooksApi.ts"
import * as EmailWebhooksHttp from "./EmailWebhooksHttp.ts"
import { portalGroup } from "./PortalApi.ts"
import * as PortalHttp from "./PortalHttp.ts"
import { Sender } from "./Sender.ts"
import { webhookErrors } from "./WebhookErrorTable.ts"
import * as WebhookFanOut from "./WebhookFanOut.ts"
import { Webhooks } from "./Webhooks.ts"
import { webhooksGroup } from "./WebhooksApi.ts"
import * as WebhooksHttp from "./WebhooksHttp.ts"

const workers = Effect.gen(function* () {
  const deliverer = yield* Deliverer
  return [
    {
      name: "webhook deliveries",
      switch: "deliveries",
      // The results of deliveries are written until the last one is over.
      begin: Effect.asVoid(Effect.forkScoped(deliverer.writing)),
      signal: yield* DeliverySignal,
      nextDue: deliverer.nextDue,
      tick: Effect.map(deliverer.tick, (begun) => (begun > 0 ? "more" : "idle")),
      drain: {
        stage: "last",
        idle: deliverer.idle,
        timeoutMs: 10 * Instant.second,
        cancel: deliverer.giveUp,
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
  layer: Layer.provideMerge(Layer.mergeAll(Deliverer.layer, Webhooks.layer, EmailReports.layer), Sender.layer),
  api: () => [webhooksGroup, emailWebhooksGroup, emailSuppressionsGroup],
  unpublishedApi: () => [portalGroup],
  handlers: () => Layer.mergeAll(WebhooksHttp.layer(), EmailWebhooksHttp.layer(), PortalHttp.layer()),
  workers,
  errors: webhookErrors
})
