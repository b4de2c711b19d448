/** A new signing secret, and how the vault keeps it. */
import * as Effect from "effect/Effect"
import type { Vault } from "../../platform/accounts/index.ts"
import { makeSecret, mask, prefix } from "../signing/index.ts"
import type { Subscription, Surface } from "./Subscription.ts"

/** A subscription and its secret, which is returned this once. */
export interface CreatedSubscription {
  readonly subscription: Subscription
  readonly secret: string
}

export const newSecret = Effect.fnUntraced(function* (vault: Vault["Service"]) {
  const text = makeSecret(crypto.getRandomValues(new Uint8Array(32)))
  return { text, encrypted: yield* vault.encrypt(text) }
})

/** Characters of a secret that its owner may always see. Source: docs/reference/webhooks.md#surfaces. */
export const hintOf = (surface: Surface, secret: string): string =>
  surface === "platform" ? mask(secret) : prefix(secret)
