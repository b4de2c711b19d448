/** Subscriptions of one surface. Platform and email are two services of one shape. Source: docs/reference/webhooks.md#surfaces. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type BotNotFound, Bots } from "../../agents/bots/index.ts"
import { Accounts, type Actor, Vault } from "../../platform/accounts/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import {
  type LimitReached,
  type Read,
  roomFor,
  Storage,
  type StorageError,
  type Tx
} from "../../platform/storage/index.ts"
import { DeliverySignal } from "../DeliverySignal.ts"
import type { WebhookNotFound, WebhookUrlRefused } from "../WebhookErrors.ts"
import * as Ids from "../WebhooksIds.ts"
import { makeUrlCheck } from "./EndpointUrl.ts"
import { findLocked, findOwned } from "./OwnedSubscription.ts"
import type { Subscription, Surface } from "./Subscription.ts"
import { SubscriptionStore } from "./SubscriptionStore.ts"
import { type CreatedSubscription, hintOf, newSecret } from "./WebhookSecret.ts"

export type NewSubscription = Pick<Subscription, "url" | "events"> &
  Partial<Pick<Subscription, "description" | "botId" | "retrySchedule" | "pauseAfterDays">>

export type SubscriptionChange = Partial<
  Pick<Subscription, "url" | "events" | "isActive" | "botId" | "retrySchedule" | "pauseAfterDays">
>

interface SubscriptionsShape<Refusal> {
  readonly create: (
    tenantId: Ids.AccountId,
    given: NewSubscription
  ) => Effect.Effect<CreatedSubscription, LimitReached | WebhookUrlRefused | Refusal | StorageError>
  readonly get: (
    tenantId: Ids.AccountId,
    id: Ids.WebhookId
  ) => Effect.Effect<Subscription, WebhookNotFound | StorageError>
  /** Newest first. */
  readonly list: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<Paged<Subscription>, StorageError>
  readonly change: (
    tenantId: Ids.AccountId,
    id: Ids.WebhookId,
    change: SubscriptionChange
  ) => Effect.Effect<Subscription, WebhookNotFound | WebhookUrlRefused | BotNotFound | StorageError>
  /** Removes a subscription and its log. The end of an attempt that is under way is not recorded. */
  readonly remove: (
    tenantId: Ids.AccountId,
    id: Ids.WebhookId,
    actor: Actor
  ) => Effect.Effect<void, WebhookNotFound | StorageError>
}

/** Refuses a new subscription; runs in the transaction that adds it. */
type Admission<Refusal> = (
  tenantId: Ids.AccountId,
  given: NewSubscription
) => Effect.Effect<unknown, Refusal | StorageError, Tx | Read>

const newSubscription = Effect.fnUntraced(function* (
  { tenantId, surface }: Pick<Subscription, "tenantId" | "surface">,
  given: NewSubscription,
  secret: { readonly text: string; readonly encrypted: string }
) {
  const at = yield* Instant.now
  return {
    id: yield* Ids.fresh<"Webhook">(),
    tenantId,
    surface,
    url: given.url,
    description: given.description ?? null,
    events: [...new Set(given.events)],
    secret: secret.encrypted,
    secretHint: hintOf(surface, secret.text),
    previousSecret: null,
    previousUntil: null,
    isActive: true,
    botId: given.botId ?? null,
    retrySchedule: given.retrySchedule ?? "standard",
    pauseAfterDays: given.pauseAfterDays ?? null,
    failingSince: null,
    createdAt: at,
    updatedAt: at
  } satisfies Subscription
})

const changed = (
  found: Subscription,
  { events, ...given }: SubscriptionChange,
  updatedAt: Instant.Instant
): Subscription => ({
  ...found,
  ...given,
  events: events === undefined ? found.events : [...new Set(events)],
  // Turning a subscription on again forgets that it failed before.
  failingSince: given.isActive === true && !found.isActive ? null : found.failingSince,
  updatedAt
})

const make = Effect.fnUntraced(function* <Refusal>(surface: Surface, admit: Admission<Refusal>) {
  const accounts = yield* Accounts
  const bots = yield* Bots
  const checkUrl = yield* makeUrlCheck
  const storage = yield* Storage
  const store = yield* SubscriptionStore
  const vault = yield* Vault
  const { wake } = yield* DeliverySignal
  const roomForOne = yield* roomFor(surface === "platform" ? "webhooks" : "emailWebhooks")

  const create = tracedFn("Subscriptions.create")(function* (tenantId: Ids.AccountId, given: NewSubscription) {
    yield* checkUrl(surface, given.url)
    const secret = yield* newSecret(vault)
    const subscription = yield* storage.transact(
      Effect.gen(function* () {
        yield* admit(tenantId, given)
        yield* roomForOne(tenantId, store.count({ tenantId, surface }))
        const added = yield* newSubscription({ tenantId, surface }, given, secret)
        yield* store.add(added)
        return added
      })
    )
    return { subscription, secret: secret.text }
  })

  const change = tracedFn("Subscriptions.change")(function* (
    tenantId: Ids.AccountId,
    id: Ids.WebhookId,
    given: SubscriptionChange
  ) {
    yield* storage.read(findOwned(store, { tenantId, surface, id }))
    if (given.url !== undefined) yield* checkUrl(surface, given.url)
    const subscription = yield* storage.transact(
      Effect.gen(function* () {
        const found = yield* findLocked(store, { tenantId, surface, id })
        if (given.botId !== undefined && given.botId !== null) yield* bots.owned(tenantId, given.botId)
        const next = changed(found, given, yield* Instant.now)
        yield* store.save(next)
        return next
      })
    )
    yield* wake
    return subscription
  })

  const remove = tracedFn("Subscriptions.remove")(function* (tenantId: Ids.AccountId, id: Ids.WebhookId, actor: Actor) {
    yield* findLocked(store, { tenantId, surface, id })
    yield* store.remove({ tenantId, id })
    yield* accounts.record(tenantId, actor, "webhook.delete", id)
  }, storage.transact)

  return {
    create,
    get: (tenantId, id) => storage.read(findOwned(store, { tenantId, surface, id })),
    list: (tenantId, page) =>
      storage.read(
        Effect.all({ items: store.list({ tenantId, surface }, page), total: store.count({ tenantId, surface }) })
      ),
    change,
    remove
  } satisfies SubscriptionsShape<Refusal>
})

/** Subscriptions of platform events. */
export class Subscriptions extends Context.Service<Subscriptions, SubscriptionsShape<BotNotFound>>()(
  "@trunkline/core/webhooks/subscriptions/Subscriptions"
) {
  static readonly layer = Layer.effect(
    Subscriptions,
    Effect.gen(function* () {
      const bots = yield* Bots
      return Subscriptions.of(
        yield* make("platform", (tenantId, { botId = null }) =>
          botId === null ? Effect.void : bots.owned(tenantId, botId)
        )
      )
    })
  )
}

/** Subscriptions of email events. */
export const makeEmailSubscriptions = make("email", () => Effect.void)
