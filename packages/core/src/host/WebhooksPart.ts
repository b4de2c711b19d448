/** Webhooks of platform events, for a host that uses promises. */
import * as Effect from "effect/Effect"
import { Ids, Instant, type Paged } from "../kernel/index.ts"
import {
  type Delivery,
  type DeliveryEntry,
  type NewSubscription,
  type Subscription,
  type SubscriptionChange,
  type TestResult,
  Webhooks,
  type WithSecret
} from "../webhooks/index.ts"
import { uuid } from "./OutsideId.ts"
import { account, type CallOptions, type PageOptions, page, type Run } from "./Part.ts"

/** A subscription without what signs its deliveries. */
export type WebhookRecord = Omit<Subscription, "secret" | "previousSecret" | "surface">

/** A subscription and its secret. */
export interface ToldSecret {
  readonly webhook: WebhookRecord
  readonly secret: string
}

export interface WebhooksPart {
  /** Tells the secret, this once. */
  readonly create: (accountId: string, webhook: NewSubscription, options?: CallOptions) => Promise<ToldSecret>
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<WebhookRecord>
  readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<WebhookRecord>>
  readonly change: (
    accountId: string,
    id: string,
    change: SubscriptionChange,
    options?: CallOptions
  ) => Promise<WebhookRecord>
  readonly remove: (accountId: string, id: string, options?: CallOptions) => Promise<void>
  /** A new secret, told this once; the old one signs beside it for so many seconds, a day by default. */
  readonly rotateSecret: (accountId: string, id: string, overlapSeconds?: number) => Promise<ToldSecret>
  readonly test: (accountId: string, id: string, options?: CallOptions) => Promise<TestResult>
  readonly deliveries: (accountId: string, id: string, options?: PageOptions) => Promise<Paged<DeliveryEntry>>
  readonly delivery: (accountId: string, id: string, deliveryId: string, options?: CallOptions) => Promise<Delivery>
  /** Sends a payload again; answers the id of the new delivery. */
  readonly replay: (accountId: string, id: string, deliveryId: string, options?: CallOptions) => Promise<string>
  /** Replays what has failed since an instant; answers how many deliveries were queued. */
  readonly recover: (accountId: string, id: string, since: Date, options?: CallOptions) => Promise<number>
}

/** How the audit log names whoever has the product object at hand. */
const operator = "operator"

const shown = ({
  previousSecret: _previous,
  secret: _secret,
  surface: _surface,
  ...record
}: Subscription): WebhookRecord => record

const told = ({ secret, subscription }: WithSecret): ToldSecret => ({ webhook: shown(subscription), secret })

export const webhooksPart = (run: Run): WebhooksPart => ({
  create: (accountId, webhook, o) =>
    run(
      Effect.map(
        Webhooks.use((w) => w.create(account(accountId), webhook)),
        told
      ),
      o
    ),
  get: (accountId, id, o) =>
    run(
      Effect.map(
        Webhooks.use((w) => w.get(account(accountId), "platform", Ids.as(uuid(id)))),
        shown
      ),
      o
    ),
  list: async (accountId, o) => {
    const found = await run(
      Webhooks.use((w) => w.list(account(accountId), "platform", page(o))),
      o
    )
    return { ...found, items: found.items.map(shown) }
  },
  change: (accountId, id, change, o) =>
    run(
      Effect.map(
        Webhooks.use((w) => w.change(account(accountId), "platform", Ids.as(uuid(id)), change)),
        shown
      ),
      o
    ),
  remove: (accountId, id, o) =>
    run(
      Webhooks.use((w) => w.remove(account(accountId), "platform", Ids.as(uuid(id)), operator)),
      o
    ),
  rotateSecret: (accountId, id, overlapSeconds = 86_400) =>
    run(
      Effect.map(
        Webhooks.use((w) =>
          w.rotateSecret(account(accountId), Ids.as(uuid(id)), overlapSeconds * Instant.second, operator)
        ),
        told
      )
    ),
  test: (accountId, id, o) =>
    run(
      Webhooks.use((w) => w.test(account(accountId), Ids.as(uuid(id)))),
      o
    ),
  deliveries: (accountId, id, o) =>
    run(
      Webhooks.use((w) => w.deliveries(account(accountId), Ids.as(uuid(id)), page(o))),
      o
    ),
  delivery: (accountId, id, deliveryId, o) =>
    run(
      Webhooks.use((w) => w.delivery(account(accountId), Ids.as(uuid(id)), Ids.as(uuid(deliveryId)))),
      o
    ),
  replay: (accountId, id, deliveryId, o) =>
    run(
      Webhooks.use((w) => w.replay(account(accountId), Ids.as(uuid(id)), Ids.as(uuid(deliveryId)), operator)),
      o
    ),
  recover: (accountId, id, since, o) =>
    run(
      Webhooks.use((w) => w.recover(account(accountId), Ids.as(uuid(id)), Instant.make(since.getTime()), operator)),
      o
    )
})
