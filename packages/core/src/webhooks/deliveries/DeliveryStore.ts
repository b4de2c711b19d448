/** Port: the delivery log, which is the queue of deliveries. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type { Subscription } from "../subscriptions/Subscription.ts"
import type * as Ids from "../WebhooksIds.ts"
import type { AttemptResult, Delivery } from "./Delivery.ts"
import type { Candidate } from "./FairScheduler.ts"

/** A delivery that was claimed, with its subscription as it is now. */
export interface ClaimedDelivery
  extends Pick<Delivery, "id" | "tenantId" | "webhookId" | "surface" | "event" | "payload" | "attempts" | "createdAt">,
    /** Of the attempt before. */
    Pick<Delivery, "statusCode" | "error" | "lastAttemptAt">,
    Pick<
      Subscription,
      "url" | "secret" | "previousSecret" | "previousUntil" | "retrySchedule" | "failingSince" | "pauseAfterDays"
    > {}

/** A row of a list: everything but the payload. */
export type DeliveryEntry = Omit<Delivery, "payload" | "surface">

export const logStatuses = ["pending", "failed", "delivered"] as const

/** Deliveries that are still tried, those that have failed, or those that the endpoint has accepted. */
export type LogStatus = (typeof logStatuses)[number]

/** The log of one subscription, or its rows of one status or event; or the log of all email subscriptions of an account. */
export type LogFilter =
  | {
      readonly tenantId: Ids.AccountId
      readonly webhookId: Ids.WebhookId
      readonly status: LogStatus | null
      readonly event: string | null
    }
  | { readonly tenantId: Ids.AccountId; readonly surface: "email" }

export interface DeliveryEnd extends AttemptResult {
  readonly id: Ids.DeliveryId
  readonly claim: string
}

export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    readonly add: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void, StorageError, Tx>
    readonly find: (
      key: Pick<Delivery, "tenantId" | "webhookId" | "id">
    ) => Effect.Effect<Delivery | null, StorageError, Read>
    /** Newest first. */
    readonly list: (log: LogFilter, page: Page) => Effect.Effect<ReadonlyArray<DeliveryEntry>, StorageError, Read>
    readonly count: (log: LogFilter) => Effect.Effect<number, StorageError, Read>
    /** Failed deliveries of a subscription that were created at `since` or later, oldest first, after a row of the log. */
    readonly failedSince: (page: {
      readonly tenantId: Ids.AccountId
      readonly webhookId: Ids.WebhookId
      readonly since: Instant.Instant
      readonly after: Ids.DeliveryId | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Delivery>, StorageError, Read>
    /**
     * Deliveries that are due at `at`, of active subscriptions that are not among `full`: up to `perEndpoint` of each, and of these the
     * soonest `limit` first attempts to endpoints that are not `suspect`, and the soonest `limit` others, so that neither hides the
     * other. The cost grows with the pending deliveries, not with the log.
     */
    readonly due: (query: {
      readonly at: Instant.Instant
      readonly perEndpoint: number
      readonly limit: number
      readonly full: ReadonlyArray<Ids.WebhookId>
      readonly suspect: ReadonlyArray<Ids.WebhookId>
    }) => Effect.Effect<ReadonlyArray<Candidate>, StorageError, Read>
    /**
     * Claims those of `ids` that are still due: counts the attempt that is about to be made, and sets `nextAt` to `until`,
     * when the claim expires. Two callers never get the same row; a row that another caller is claiming is skipped.
     */
    readonly claim: (claim: {
      readonly ids: ReadonlyArray<Ids.DeliveryId>
      readonly claim: string
      readonly at: Instant.Instant
      readonly until: Instant.Instant
    }) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError, Tx>
    /** Writes how claims ended, where the claim is still the present one. Returns the rows that it wrote. */
    readonly end: (
      ends: ReadonlyArray<DeliveryEnd>
    ) => Effect.Effect<ReadonlyMap<Ids.DeliveryId, Ids.AccountId>, StorageError, Tx>
    /** When the next delivery of an active subscription that is not `full` is due, or its claim expires; null for none. */
    readonly nextDue: (full: ReadonlyArray<Ids.WebhookId>) => Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Removes up to `limit` rows of removed subscriptions; returns how many. */
    readonly sweep: (limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/webhooks/deliveries/DeliveryStore") {}
