/** The secrets in the configuration of an agent: read by who calls for the agent, encrypted again by the operator. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { reencryptAll, Vault } from "../../platform/accounts/index.ts"
import type { Reencrypted } from "../../platform/room/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../AgentsIds.ts"
import { BotSecretStore } from "./BotSecretStore.ts"

export class BotSecrets extends Context.Service<
  BotSecrets,
  {
    /** The agent's secrets; null for none, and where none of our keys decrypts them. Whose agent it is the caller has asked. */
    readonly of: (id: Ids.BotId) => Effect.Effect<string | null, StorageError>
    /** Encrypts secrets of all accounts with the present key: all, or those alone that are stored in plain. Source: docs/reference/operations.md#keys. */
    readonly reencrypt: (which: "all" | "plain") => Effect.Effect<Reencrypted, StorageError>
  }
>()("@trunkline/core/agents/bots/BotSecrets") {
  static readonly layer = Layer.effect(
    BotSecrets,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* BotSecretStore
      const vault = yield* Vault

      const of = Effect.fnUntraced(function* (id: Ids.BotId) {
        const stored = yield* storage.read(store.find(id))
        if (stored === null) return null
        return yield* Effect.catch(vault.decrypt(stored), ({ message }) =>
          Effect.as(Effect.logWarning(`the secrets of the agent ${id}: ${message}`), null)
        )
      })

      const reencrypt = (which: "all" | "plain") =>
        reencryptAll(
          vault,
          {
            page: (after: Ids.BotId | null, limit, prefix) =>
              Effect.map(storage.read(store.page(after, limit, prefix)), (rows) =>
                rows.map(({ id, secret }) => ({ id, encrypted: [secret] }))
              ),
            replace: (id, from, to) => storage.transact(store.replace(id, from, to))
          },
          which
        )

      return BotSecrets.of({ of, reencrypt })
    })
  )
}
