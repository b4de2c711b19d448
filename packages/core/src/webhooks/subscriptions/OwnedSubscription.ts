/** Reads a subscription for its account; another account's is not found. */
import * as Effect from "effect/Effect"
import { lock } from "../../platform/storage/index.ts"
import { WebhookNotFound } from "../WebhookErrors.ts"
import type { SubscriptionKey } from "./Subscription.ts"
import type { SubscriptionStore } from "./SubscriptionStore.ts"

export const findOwned = Effect.fnUntraced(function* (store: SubscriptionStore["Service"], key: SubscriptionKey) {
  return (yield* store.find(key)) ?? (yield* new WebhookNotFound({ id: key.id }))
})

/** For a change: no other transaction changes the subscription until this one ends. */
export const findLocked = Effect.fnUntraced(function* (store: SubscriptionStore["Service"], key: SubscriptionKey) {
  yield* lock("webhook", key.id)
  return yield* findOwned(store, key)
})
