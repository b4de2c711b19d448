/** Port: subscriptions. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../WebhooksIds.ts"
import type { HealthChange, Subscription, SubscriptionKey } from "./Subscription.ts"
import type { SubscriptionFilter } from "./SubscriptionFilter.ts"

type SubscriptionOwner = Pick<SubscriptionKey, "tenantId" | "surface">

type WebhookRef = Pick<SubscriptionKey, "tenantId" | "id">

export class SubscriptionStore extends Context.Service<
  SubscriptionStore,
  {
    readonly add: (subscription: Subscription) => Effect.Effect<void, StorageError, Tx>
    /** Writes back a subscription that was read under its lock. */
    readonly save: (subscription: Subscription) => Effect.Effect<void, StorageError, Tx>
    readonly find: (key: SubscriptionKey) => Effect.Effect<Subscription | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      owner: SubscriptionOwner,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Subscription>, StorageError, Read>
    readonly count: (owner: SubscriptionOwner) => Effect.Effect<number, StorageError, Read>
    /** Removes a subscription. Its log is out of sight at once; `DeliveryStore.sweep` removes it. */
    readonly remove: (webhook: WebhookRef) => Effect.Effect<void, StorageError, Tx>
    /**
     * The filters of an account's active subscriptions, oldest first. Until the end of the transaction none of these
     * subscriptions is removed: rows that refer to them can be added.
     */
    readonly activeFilters: (
      owner: SubscriptionOwner
    ) => Effect.Effect<ReadonlyArray<SubscriptionFilter>, StorageError, Tx>
    /** Writes since when an endpoint fails. Changes nothing where `previous` does not hold any more. */
    readonly changeHealth: (webhook: WebhookRef, change: HealthChange) => Effect.Effect<void, StorageError, Tx>
    /**
     * Encrypted secrets of all accounts, in the order of their ids after `after` (null: from the first on), where the present
     * or the previous one begins with `prefix`.
     */
    readonly secrets: (page: {
      readonly after: Ids.WebhookId | null
      readonly limit: number
      readonly prefix: string
    }) => Effect.Effect<ReadonlyArray<Pick<Subscription, "id" | "secret" | "previousSecret">>, StorageError, Read>
    /** Replaces an encrypted secret, present or previous; false where `from` is not stored any more. */
    readonly replaceSecret: (
      id: Ids.WebhookId,
      secret: { readonly from: string; readonly to: string }
    ) => Effect.Effect<boolean, StorageError, Tx>
  }
>()("@trunkline/core/webhooks/subscriptions/SubscriptionStore") {}
