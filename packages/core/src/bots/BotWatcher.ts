/** Whoever keeps agents by their ids, told in the transaction in which one is removed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Ids } from "../kernel/index.ts"
import type { StorageError, Tx } from "../storage/index.ts"

export interface BotWatcher {
  /** Lets go of an agent that is being removed. The agent is held; a failure keeps it. */
  readonly removed: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<void, StorageError, Tx>
}

/** Nobody, unless somebody says otherwise. */
export const BotWatcher = Context.Reference<BotWatcher>("@trunkline/core/bots/BotWatcher", {
  defaultValue: () => ({ removed: () => Effect.void })
})
