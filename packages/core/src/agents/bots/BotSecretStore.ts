/** Port: the secrets in the configurations of agents, encrypted. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../AgentsIds.ts"

/** The secrets of one agent, as one encrypted text. */
export interface BotSecret {
  readonly id: Ids.BotId
  readonly secret: string
}

export class BotSecretStore extends Context.Service<
  BotSecretStore,
  {
    readonly find: (id: Ids.BotId) => Effect.Effect<string | null, StorageError, Read>
    /** Writes the secrets of an agent that is locked, whether it has some or not. */
    readonly put: (secret: BotSecret) => Effect.Effect<void, StorageError, Tx>
    readonly remove: (id: Ids.BotId) => Effect.Effect<void, StorageError, Tx>
    /** Of all accounts, in the order of their ids after `after` (null: from the first on), where the text begins with `prefix`. */
    readonly page: (
      after: Ids.BotId | null,
      limit: number,
      prefix: string
    ) => Effect.Effect<ReadonlyArray<BotSecret>, StorageError, Read>
    /** Replaces an encrypted text; false where `from` is not stored any more. */
    readonly replace: (id: Ids.BotId, from: string, to: string) => Effect.Effect<boolean, StorageError, Tx>
  }
>()("@trunkline/core/agents/bots/BotSecretStore") {}
