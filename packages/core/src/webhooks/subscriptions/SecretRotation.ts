/** Signing secrets after their creation: rotation by their owner, and encryption under a new key by the operator. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, type Actor, type EncryptedRows, reencryptAll, Vault } from "../../platform/accounts/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import type { Reencrypted } from "../../platform/room/index.ts"
import { lock, Storage, type StorageError } from "../../platform/storage/index.ts"
import type { WebhookNotFound } from "../WebhookErrors.ts"
import type * as Ids from "../WebhooksIds.ts"
import { findLocked } from "./OwnedSubscription.ts"
import type { Subscription } from "./Subscription.ts"
import { SubscriptionStore } from "./SubscriptionStore.ts"
import { type CreatedSubscription, hintOf, newSecret } from "./WebhookSecret.ts"

export interface Rotation {
  readonly tenantId: Ids.AccountId
  readonly webhookId: Ids.WebhookId
  /** How long the old secret signs as well. */
  readonly overlapMs: number
}

const rotated = (
  found: Subscription,
  secret: { readonly text: string; readonly encrypted: string },
  { at, overlapMs }: { readonly at: Instant.Instant; readonly overlapMs: number }
): Subscription => ({
  ...found,
  secret: secret.encrypted,
  secretHint: hintOf(found.surface, secret.text),
  previousSecret: overlapMs > 0 ? found.secret : null,
  previousUntil: overlapMs > 0 ? Instant.plus(at, overlapMs) : null,
  updatedAt: at
})

export class SecretRotation extends Context.Service<
  SecretRotation,
  {
    /** Replaces the secret of a platform subscription. */
    readonly rotate: (
      rotation: Rotation,
      actor: Actor
    ) => Effect.Effect<CreatedSubscription, WebhookNotFound | StorageError>
    /** Encrypts secrets of all accounts with the present key: all, or those alone that are stored in plain. Source: docs/reference/operations.md#keys. */
    readonly reencrypt: (which: "all" | "plain") => Effect.Effect<Reencrypted, StorageError>
  }
>()("@trunkline/core/webhooks/subscriptions/SecretRotation") {
  static readonly layer = Layer.effect(
    SecretRotation,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const storage = yield* Storage
      const store = yield* SubscriptionStore
      const vault = yield* Vault

      const rotate = tracedFn("SecretRotation.rotate")(function* (
        { overlapMs, tenantId, webhookId: id }: Rotation,
        actor: Actor
      ) {
        const secret = yield* newSecret(vault)
        const subscription = yield* storage.transact(
          Effect.gen(function* () {
            const found = yield* findLocked(store, { tenantId, surface: "platform", id })
            const next = rotated(found, secret, { at: yield* Instant.now, overlapMs })
            yield* store.save(next)
            yield* accounts.record(tenantId, actor, "webhook.rotate_secret", id)
            return next
          })
        )
        return { subscription, secret: secret.text }
      })

      const rows: EncryptedRows<Ids.WebhookId> = {
        page: (after, limit, prefix) =>
          Effect.map(storage.read(store.secrets({ after, limit, prefix })), (found) =>
            found.map(({ id, previousSecret, secret }) => ({
              id,
              encrypted: previousSecret === null ? [secret] : [secret, previousSecret]
            }))
          ),
        // A rotation that runs meanwhile writes back what it has read.
        replace: (id, from, to) =>
          storage.transact(Effect.andThen(lock("webhook", id), store.replaceSecret(id, { from, to })))
      }

      return SecretRotation.of({ rotate, reencrypt: (which) => reencryptAll(vault, rows, which) })
    })
  )
}
