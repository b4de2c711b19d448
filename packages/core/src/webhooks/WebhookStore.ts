/** Port: subscriptions and the delivery log, which is the queue. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant, Page } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Delivery, Ended } from "./Delivery.ts"
import type { Candidate } from "./Lanes.ts"
import type { Subscription, Surface } from "./Subscription.ts"
import type { SubscriptionFilter } from "./SubscriptionFilter.ts"

/** A delivery that was claimed, with what its subscription is at this instant. */
export interface ClaimedDelivery
  extends Pick<Delivery, "id" | "tenantId" | "webhookId" | "surface" | "event" | "payload" | "attempts" | "createdAt">,
    Pick<
      Subscription,
      "url" | "secret" | "previousSecret" | "previousUntil" | "retrySchedule" | "failingSince" | "pauseAfterDays"
    > {}

/** What is listed: everything but the payload. */
export type DeliveryEntry = Omit<Delivery, "payload" | "surface">

/** What a log may be limited to: what is still tried, and what is not any more. */
export type LogStatus = "pending" | "failed"

export interface DeliveryEnd extends Ended {
  readonly id: Ids.DeliveryId
  readonly claim: string
}

export interface HealthNote extends Pick<Subscription, "failingSince"> {
  readonly was: Subscription["failingSince"]
  readonly pauses: boolean
}

export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    readonly add: (subscription: Subscription) => Effect.Effect<void, StorageError, Tx>
    /** Writes back a subscription that was read under its lock. */
    readonly save: (subscription: Subscription) => Effect.Effect<void, StorageError, Tx>
    readonly find: (
      tenantId: Ids.AccountId,
      surface: Surface,
      id: Ids.WebhookId
    ) => Effect.Effect<Subscription | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      surface: Surface,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Subscription>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, surface: Surface) => Effect.Effect<number, StorageError, Read>
    /** Removes a subscription; its log is out of sight at once, and `sweep` removes it. */
    readonly remove: (id: Ids.WebhookId) => Effect.Effect<void, StorageError, Tx>
    /**
     * Stored secrets of all accounts, where the present or the previous one begins with `prefix`, in the order of their ids
     * after one of them: from the first on after null.
     */
    readonly secrets: (
      after: Ids.WebhookId | null,
      limit: number,
      prefix: string
    ) => Effect.Effect<ReadonlyArray<Pick<Subscription, "id" | "secret" | "previousSecret">>, StorageError, Read>
    /** Writes a sealed secret in the place of another, present or previous; false where that is not there any more. */
    readonly replaceSecret: (id: Ids.WebhookId, was: string, is: string) => Effect.Effect<boolean, StorageError, Tx>
    /**
     * The active subscriptions of an account, oldest first. They stay there until the end of the transaction: none is removed
     * between this look and the rows that it leads to.
     */
    readonly activeFilters: (
      tenantId: Ids.AccountId,
      surface: Surface
    ) => Effect.Effect<ReadonlyArray<SubscriptionFilter>, StorageError, Tx>
    readonly addDeliveries: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void, StorageError, Tx>
    readonly findDelivery: (
      webhookId: Ids.WebhookId,
      id: Ids.DeliveryId
    ) => Effect.Effect<Delivery | null, StorageError, Read>
    /** The log of one subscription, or its rows of one status, newest first. */
    readonly log: (
      webhookId: Ids.WebhookId,
      status: LogStatus | null,
      page: Page
    ) => Effect.Effect<ReadonlyArray<DeliveryEntry>, StorageError, Read>
    readonly countLog: (webhookId: Ids.WebhookId, status: LogStatus | null) => Effect.Effect<number, StorageError, Read>
    /** The log of all of an account's email subscriptions, newest first. */
    readonly logOfEmail: (
      tenantId: Ids.AccountId,
      page: Page
    ) => Effect.Effect<ReadonlyArray<DeliveryEntry>, StorageError, Read>
    readonly countLogOfEmail: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    /** Failed deliveries of one subscription made since an instant, oldest first, after a place in the log. */
    readonly failedSince: (
      webhookId: Ids.WebhookId,
      since: Instant.Instant,
      after: Ids.DeliveryId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Delivery>, StorageError, Read>
    /**
     * What is due at `at`, of active subscriptions that are not among `full`: up to `perLane` of each, and of these the
     * soonest `limit` first attempts to endpoints that are not `doubtful`, and the soonest `limit` others, so that neither
     * keeps the other out of sight. Costs what is pending, not what is in the log.
     */
    readonly due: (look: {
      readonly at: Instant.Instant
      readonly perLane: number
      readonly limit: number
      readonly full: ReadonlyArray<Ids.WebhookId>
      readonly doubtful: ReadonlyArray<Ids.WebhookId>
    }) => Effect.Effect<ReadonlyArray<Candidate>, StorageError, Read>
    /**
     * Takes those of `ids` that are still due: counts the attempt that is about to be made, and puts `nextAt` to `until`,
     * where the claim ends. Two callers never get the same row; one that another holds at the moment is left out.
     */
    readonly claim: (claim: {
      readonly ids: ReadonlyArray<Ids.DeliveryId>
      readonly claim: string
      readonly at: Instant.Instant
      readonly until: Instant.Instant
    }) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError, Tx>
    /** Writes how attempts ended, except of rows that are somebody else's by now. Tells of which it was written. */
    readonly end: (ends: ReadonlyArray<DeliveryEnd>) => Effect.Effect<ReadonlySet<Ids.DeliveryId>, StorageError, Tx>
    /**
     * Marks since when an endpoint fails, or that it does no more, unless somebody has marked it since `was` was read; `pauses`
     * turns it off, and nothing here turns it on: that is its owner's.
     */
    readonly note: (id: Ids.WebhookId, health: HealthNote) => Effect.Effect<void, StorageError, Tx>
    /** When something of an active subscription must be looked at next, or null. */
    readonly nextDue: (full: ReadonlyArray<Ids.WebhookId>) => Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Removes up to `limit` rows whose subscription is gone; tells how many. */
    readonly sweep: (limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/webhooks/WebhookStore") {}
