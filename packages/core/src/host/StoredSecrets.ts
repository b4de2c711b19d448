/** Encrypts the stored secrets of all rooms with the present key. Source: docs/reference/operations.md#keys. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BotSecrets } from "../agents/bots/index.ts"
import { ConnectedNumbers } from "../messaging/channels/index.ts"
import { tracedFn } from "../platform/kernel/index.ts"
import { SecretRotation } from "../webhooks/subscriptions/index.ts"

/** All that the present key has not encrypted, or those alone that an earlier version stored in plain. */
export const reencryptSecrets = tracedFn("reencryptSecrets")(function* (which: "all" | "plain") {
  const [webhooks, numbers, bots] = [
    yield* SecretRotation.use(({ reencrypt }) => reencrypt(which)),
    yield* ConnectedNumbers.use(({ reencrypt }) => reencrypt(which)),
    yield* BotSecrets.use(({ reencrypt }) => reencrypt(which))
  ]
  return {
    reencrypted: webhooks.reencrypted + numbers.reencrypted + bots.reencrypted,
    unreadable: webhooks.unreadable + numbers.unreadable + bots.unreadable
  }
})

/** An earlier version could run without a key and stored secrets in plain: a start leaves none of them. */
export const encryptPlainSecrets = Layer.effectDiscard(
  Effect.gen(function* () {
    const { reencrypted } = yield* reencryptSecrets("plain")
    if (reencrypted > 0) {
      yield* Effect.logWarning(
        `${reencrypted} secrets that an earlier version stored in plain are encrypted now. Copies of the database still hold them: rotate these webhooks' secrets and replace these numbers' tokens.`
      )
    }
  })
)
