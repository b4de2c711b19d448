/** Sends a test event to an endpoint now, once, outside the log. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import { makeUrlCheck } from "../subscriptions/EndpointUrl.ts"
import { findOwned } from "../subscriptions/OwnedSubscription.ts"
import { SubscriptionStore } from "../subscriptions/SubscriptionStore.ts"
import type { WebhookNotFound, WebhookUrlRefused } from "../WebhookErrors.ts"
import * as Ids from "../WebhooksIds.ts"
import { isSuccess, type Outcome } from "./Delivery.ts"
import * as Payload from "./Payload.ts"
import { WebhookSender } from "./WebhookSender.ts"

export interface TestResult {
  readonly success: boolean
  readonly statusCode: number | null
  readonly latencyMs: number
  readonly error: string | null
}

const resultOf = (outcome: Outcome, latencyMs: number): TestResult => {
  if (outcome._tag !== "Answered") return { success: false, statusCode: null, latencyMs, error: outcome.error }
  const success = isSuccess(outcome.status)
  const error = success ? null : `The endpoint answered ${outcome.status}`
  return { success, statusCode: outcome.status, latencyMs, error }
}

export class TestSend extends Context.Service<
  TestSend,
  {
    readonly send: (
      tenantId: Ids.AccountId,
      id: Ids.WebhookId
    ) => Effect.Effect<TestResult, WebhookNotFound | WebhookUrlRefused | StorageError>
  }
>()("@trunkline/core/webhooks/deliveries/TestSend") {
  static readonly layer = Layer.effect(
    TestSend,
    Effect.gen(function* () {
      const checkUrl = yield* makeUrlCheck
      const sender = yield* WebhookSender
      const storage = yield* Storage
      const store = yield* SubscriptionStore

      const send = tracedFn("TestSend.send")(function* (tenantId: Ids.AccountId, id: Ids.WebhookId) {
        const subscription = yield* storage.read(findOwned(store, { tenantId, surface: "platform", id }))
        yield* checkUrl("platform", subscription.url)
        const at = yield* Instant.now
        const payload = Payload.ofEvent("test", { message: "This is a test of your webhook." }, at)
        const outcome = yield* sender.send({
          ...subscription,
          id: yield* Ids.fresh(),
          event: "test",
          payload,
          attempts: 1
        })
        return resultOf(outcome, (yield* Instant.now) - at)
      })

      return TestSend.of({ send })
    })
  )
}
