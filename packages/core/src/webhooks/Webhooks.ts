/** Subscriptions of both surfaces and their logs: what the routes and the library do. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, type Resealed, resealAll, type SealedRows, Vault } from "../access/index.ts"
import { type BotNotFound, Bots } from "../bots/index.ts"
import { Ids, Instant, type Page, type Paged } from "../kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../storage/index.ts"
import { type Delivery, isSuccess } from "./Delivery.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { newDelivery } from "./NewDelivery.ts"
import * as Payload from "./Payload.ts"
import { Sender } from "./Sender.ts"
import { makeSecret, mask, prefix } from "./Signature.ts"
import type { Subscription, Surface } from "./Subscription.ts"
import {
  DeliveryNotFound,
  TooManyWebhooks,
  WebhookNotFound,
  WebhookPaused,
  WebhookUrlRefused
} from "./WebhookErrors.ts"
import { type DeliveryEntry, type LogStatus, WebhookStore } from "./WebhookStore.ts"

/** Source: docs/webhooks.md#limits. */
export const mostEmailWebhooks = 20

/** How many failed deliveries one recovery takes up. */
const mostRecovered = 10_000
const recoveredTogether = 200

export type NewSubscription = Pick<Subscription, "url" | "events"> &
  Partial<Pick<Subscription, "description" | "botId" | "retrySchedule" | "pauseAfterDays">>

export type SubscriptionChange = Partial<
  Pick<Subscription, "url" | "events" | "isActive" | "botId" | "retrySchedule" | "pauseAfterDays">
>

/** A subscription and its secret, which is told this once. */
export interface WithSecret {
  readonly subscription: Subscription
  readonly secret: string
}

export interface TestResult {
  readonly success: boolean
  readonly statusCode: number | null
  readonly latencyMs: number
  readonly error: string | null
}

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** Makes one for platform events. */
    readonly create: (
      tenantId: Ids.AccountId,
      given: NewSubscription
    ) => Effect.Effect<WithSecret, WebhookUrlRefused | BotNotFound | StorageError>
    /** Makes one for email events. */
    readonly createEmail: (
      tenantId: Ids.AccountId,
      given: Pick<NewSubscription, "url" | "events" | "description">
    ) => Effect.Effect<WithSecret, WebhookUrlRefused | TooManyWebhooks | StorageError>
    readonly get: (
      tenantId: Ids.AccountId,
      surface: Surface,
      id: Ids.WebhookId
    ) => Effect.Effect<Subscription, WebhookNotFound | StorageError>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      surface: Surface,
      page: Page
    ) => Effect.Effect<Paged<Subscription>, StorageError>
    readonly change: (
      tenantId: Ids.AccountId,
      surface: Surface,
      id: Ids.WebhookId,
      change: SubscriptionChange
    ) => Effect.Effect<Subscription, WebhookNotFound | WebhookUrlRefused | BotNotFound | StorageError>
    /** Removes a subscription and its log; what is under way to it is not recorded. */
    readonly remove: (
      tenantId: Ids.AccountId,
      surface: Surface,
      id: Ids.WebhookId,
      actor: string
    ) => Effect.Effect<void, WebhookNotFound | StorageError>
    /** Gives it a new secret; the old one signs beside it for `overlapMs`. */
    readonly rotateSecret: (
      tenantId: Ids.AccountId,
      id: Ids.WebhookId,
      overlapMs: number,
      actor: string
    ) => Effect.Effect<WithSecret, WebhookNotFound | StorageError>
    /** POSTs a test event at once, outside the log. */
    readonly test: (
      tenantId: Ids.AccountId,
      id: Ids.WebhookId
    ) => Effect.Effect<TestResult, WebhookNotFound | WebhookUrlRefused | StorageError>
    /** The log, or its rows of one status, newest first. */
    readonly deliveries: (
      tenantId: Ids.AccountId,
      id: Ids.WebhookId,
      page: Page,
      status?: LogStatus | null
    ) => Effect.Effect<Paged<DeliveryEntry>, WebhookNotFound | StorageError>
    readonly delivery: (
      tenantId: Ids.AccountId,
      id: Ids.WebhookId,
      deliveryId: Ids.DeliveryId
    ) => Effect.Effect<Delivery, WebhookNotFound | DeliveryNotFound | StorageError>
    /** The log of all email subscriptions, or of one, newest first. */
    readonly emailDeliveries: (
      tenantId: Ids.AccountId,
      id: Ids.WebhookId | null,
      page: Page
    ) => Effect.Effect<Paged<DeliveryEntry>, WebhookNotFound | StorageError>
    /** Sends a delivery's payload again, as a row of its own. */
    readonly replay: (
      tenantId: Ids.AccountId,
      id: Ids.WebhookId,
      deliveryId: Ids.DeliveryId,
      actor: string
    ) => Effect.Effect<Ids.DeliveryId, WebhookNotFound | DeliveryNotFound | WebhookPaused | StorageError>
    /** Replays everything that has failed since an instant, oldest first; tells how many rows were queued. */
    readonly recover: (
      tenantId: Ids.AccountId,
      id: Ids.WebhookId,
      since: Instant.Instant,
      actor: string
    ) => Effect.Effect<number, WebhookNotFound | WebhookPaused | StorageError>
    /** Encrypts secrets of all accounts with the present key, those stored in plain alone or all. Source: docs/operations.md#keys. */
    readonly reseal: (which: "all" | "plain") => Effect.Effect<Resealed, StorageError>
  }
>()("@trunkline/core/webhooks/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const bots = yield* Bots
      const sender = yield* Sender
      const storage = yield* Storage
      const store = yield* WebhookStore
      const vault = yield* Vault
      const { wake } = yield* DeliverySignal

      const owned = Effect.fnUntraced(function* (tenantId: Ids.AccountId, surface: Surface, id: Ids.WebhookId) {
        return (yield* store.find(tenantId, surface, id)) ?? (yield* new WebhookNotFound({ id }))
      })

      const locked = Effect.fnUntraced(function* (tenantId: Ids.AccountId, surface: Surface, id: Ids.WebhookId) {
        yield* lock("webhook", id)
        return yield* owned(tenantId, surface, id)
      })

      const logged = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        id: Ids.WebhookId,
        deliveryId: Ids.DeliveryId
      ) {
        const subscription = yield* owned(tenantId, "platform", id)
        const delivery = yield* store.findDelivery(id, deliveryId)
        return delivery === null ? yield* new DeliveryNotFound({ id: deliveryId }) : { delivery, subscription }
      })

      const check = (surface: Surface, url: string) =>
        Effect.mapError(sender.check(surface, url), ({ message }) => new WebhookUrlRefused({ detail: message }))

      const newSecret = Effect.gen(function* () {
        const text = makeSecret(crypto.getRandomValues(new Uint8Array(32)))
        return { text, sealed: yield* vault.seal(text) }
      })

      const hintOf = (surface: Surface, secret: string) => (surface === "platform" ? mask(secret) : prefix(secret))

      /** Adds a subscription, if `admit` lets it in: it is asked in the same transaction. */
      const add = Effect.fnUntraced(function* <E>(
        tenantId: Ids.AccountId,
        surface: Surface,
        given: NewSubscription,
        admit: Effect.Effect<unknown, E, Tx | Read>
      ) {
        yield* check(surface, given.url)
        const { sealed, text } = yield* newSecret
        const subscription = yield* storage.transact(
          Effect.gen(function* () {
            yield* admit
            const at = yield* Instant.now
            const added: Subscription = {
              id: yield* Ids.fresh<"Webhook">(),
              tenantId,
              surface,
              url: given.url,
              description: given.description ?? null,
              events: [...new Set(given.events)],
              secret: sealed,
              secretHint: hintOf(surface, text),
              previousSecret: null,
              previousUntil: null,
              isActive: true,
              botId: given.botId ?? null,
              retrySchedule: given.retrySchedule ?? "standard",
              pauseAfterDays: given.pauseAfterDays ?? null,
              failingSince: null,
              createdAt: at,
              updatedAt: at
            }
            yield* store.add(added)
            return added
          })
        )
        return { subscription, secret: text }
      })

      const create = Effect.fn("Webhooks.create")(function* (tenantId: Ids.AccountId, given: NewSubscription) {
        const botId = given.botId ?? null
        return yield* add(tenantId, "platform", given, botId === null ? Effect.void : bots.owned(tenantId, botId))
      })

      const createEmail = Effect.fn("Webhooks.createEmail")(function* (
        tenantId: Ids.AccountId,
        given: NewSubscription
      ) {
        const isRoom = Effect.gen(function* () {
          yield* lock("webhook", tenantId)
          if ((yield* store.count(tenantId, "email")) >= mostEmailWebhooks) {
            return yield* new TooManyWebhooks({ most: mostEmailWebhooks })
          }
        })
        return yield* add(tenantId, "email", given, isRoom)
      })

      const change = Effect.fn("Webhooks.change")(function* (
        tenantId: Ids.AccountId,
        surface: Surface,
        id: Ids.WebhookId,
        { events, ...given }: SubscriptionChange
      ) {
        yield* storage.read(owned(tenantId, surface, id))
        if (given.url !== undefined) yield* check(surface, given.url)
        const changed = yield* storage.transact(
          Effect.gen(function* () {
            const found = yield* locked(tenantId, surface, id)
            if (given.botId !== undefined && given.botId !== null) yield* bots.owned(tenantId, given.botId)
            const wakes = given.isActive === true && !found.isActive
            const next: Subscription = {
              ...found,
              ...given,
              events: events === undefined ? found.events : [...new Set(events)],
              // Whoever turns it on again starts anew.
              failingSince: wakes ? null : found.failingSince,
              updatedAt: yield* Instant.now
            }
            yield* store.save(next)
            return next
          })
        )
        yield* wake
        return changed
      })

      const remove = Effect.fn("Webhooks.remove")(function* (
        tenantId: Ids.AccountId,
        surface: Surface,
        id: Ids.WebhookId,
        actor: string
      ) {
        yield* locked(tenantId, surface, id)
        yield* store.remove(id)
        yield* accounts.record(tenantId, actor, "webhook.delete", id)
      }, storage.transact)

      const rotateSecret = Effect.fn("Webhooks.rotateSecret")(function* (
        tenantId: Ids.AccountId,
        id: Ids.WebhookId,
        overlapMs: number,
        actor: string
      ) {
        const { sealed, text } = yield* newSecret
        const subscription = yield* storage.transact(
          Effect.gen(function* () {
            const found = yield* locked(tenantId, "platform", id)
            const at = yield* Instant.now
            const next: Subscription = {
              ...found,
              secret: sealed,
              secretHint: hintOf(found.surface, text),
              previousSecret: overlapMs > 0 ? found.secret : null,
              previousUntil: overlapMs > 0 ? Instant.plus(at, overlapMs) : null,
              updatedAt: at
            }
            yield* store.save(next)
            yield* accounts.record(tenantId, actor, "webhook.rotate_secret", id)
            return next
          })
        )
        return { subscription, secret: text }
      })

      const test = Effect.fn("Webhooks.test")(function* (tenantId: Ids.AccountId, id: Ids.WebhookId) {
        const subscription = yield* storage.read(owned(tenantId, "platform", id))
        yield* check("platform", subscription.url)
        const at = yield* Instant.now
        const payload = Payload.ofEvent("test", { message: "This is a test of your webhook." }, at)
        const outcome = yield* sender.send({
          ...subscription,
          id: yield* Ids.fresh(),
          event: "test",
          payload,
          attempts: 1
        })
        const latencyMs = (yield* Instant.now) - at
        if (outcome._tag === "Answered") {
          const success = isSuccess(outcome.status)
          const error = success ? null : `The endpoint answered ${outcome.status}`
          return { success, statusCode: outcome.status, latencyMs, error }
        }
        return { success: false, statusCode: null, latencyMs, error: outcome.error }
      })

      const again = Effect.fnUntraced(function* ({ createdAt: _, ...row }: Delivery, at: Instant.Instant) {
        return newDelivery({ ...row, id: yield* Ids.fresh<"Delivery">() }, at)
      })

      const replay = Effect.fn("Webhooks.replay")(function* (
        tenantId: Ids.AccountId,
        id: Ids.WebhookId,
        deliveryId: Ids.DeliveryId,
        actor: string
      ) {
        const added = yield* storage.transact(
          Effect.gen(function* () {
            yield* lock("webhook", id)
            const { delivery, subscription } = yield* logged(tenantId, id, deliveryId)
            if (!subscription.isActive) return yield* new WebhookPaused()
            const row = yield* again(delivery, yield* Instant.now)
            yield* store.addDeliveries([row])
            yield* accounts.record(tenantId, actor, "webhook.delivery.replay", deliveryId)
            return row.id
          })
        )
        yield* wake
        return added
      })

      /** One part of a recovery: the next failed rows after a place, each queued as a row of its own. */
      const recoverPart = (
        tenantId: Ids.AccountId,
        id: Ids.WebhookId,
        since: Instant.Instant,
        until: Instant.Instant,
        after: Ids.DeliveryId | null
      ) =>
        storage.transact(
          Effect.gen(function* () {
            const { isActive } = yield* locked(tenantId, "platform", id)
            if (!isActive) return yield* new WebhookPaused()
            // Rows that this very recovery has queued and that failed already are not queued again.
            const failed = (yield* store.failedSince(id, since, after, recoveredTogether)).filter(
              ({ createdAt }) => createdAt <= until
            )
            const at = yield* Instant.now
            yield* store.addDeliveries(yield* Effect.forEach(failed, (delivery) => again(delivery, at)))
            return { queued: failed.length, last: failed.at(-1)?.id ?? null }
          })
        )

      const recover = Effect.fn("Webhooks.recover")(function* (
        tenantId: Ids.AccountId,
        id: Ids.WebhookId,
        since: Instant.Instant,
        actor: string
      ) {
        const until = yield* Instant.now
        let [queued, after]: [number, Ids.DeliveryId | null] = [0, null]
        while (queued < mostRecovered) {
          const part: { readonly queued: number; readonly last: Ids.DeliveryId | null } = yield* recoverPart(
            tenantId,
            id,
            since,
            until,
            after
          )
          queued += part.queued
          after = part.last
          if (part.queued < recoveredTogether) break
        }
        yield* storage.transact(accounts.record(tenantId, actor, "webhook.recover", id))
        yield* wake
        return queued
      })

      const paged = <A>(
        items: Effect.Effect<ReadonlyArray<A>, StorageError, Read>,
        total: Effect.Effect<number, StorageError, Read>
      ) => Effect.all({ items, total })

      const secretRows: SealedRows<Ids.WebhookId> = {
        page: (after, limit, prefix) =>
          Effect.map(storage.read(store.secrets(after, limit, prefix)), (found) =>
            found.map(({ id, previousSecret, secret }) => ({
              id,
              sealed: previousSecret === null ? [secret] : [secret, previousSecret]
            }))
          ),
        // Whoever rotates it meanwhile writes back what was read.
        replace: (id, was, is) =>
          storage.transact(Effect.andThen(lock("webhook", id), store.replaceSecret(id, was, is)))
      }

      return Webhooks.of({
        create,
        createEmail,
        get: (tenantId, surface, id) => storage.read(owned(tenantId, surface, id)),
        list: (tenantId, surface, page) =>
          storage.read(paged(store.list(tenantId, surface, page), store.count(tenantId, surface))),
        change,
        remove,
        rotateSecret,
        test,
        deliveries: (tenantId, id, page, status = null) =>
          storage.read(
            Effect.andThen(
              owned(tenantId, "platform", id),
              paged(store.log(id, status, page), store.countLog(id, status))
            )
          ),
        delivery: (tenantId, id, deliveryId) =>
          storage.read(Effect.map(logged(tenantId, id, deliveryId), ({ delivery }) => delivery)),
        emailDeliveries: (tenantId, id, page) =>
          storage.read(
            id === null
              ? paged(store.logOfEmail(tenantId, page), store.countLogOfEmail(tenantId))
              : Effect.andThen(owned(tenantId, "email", id), paged(store.log(id, null, page), store.countLog(id, null)))
          ),
        replay,
        recover,
        reseal: (which) => resealAll(vault, secretRows, which)
      })
    })
  )
}
