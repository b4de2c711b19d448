/** Called in the transaction in which an agent is removed, by rooms that keep agents' ids. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../AgentsIds.ts"

export interface BotWatcher {
  /** Unlinks an agent that is being removed. The agent is locked; a failure keeps it. */
  readonly removed: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<void, StorageError, Tx>
}

/** Does nothing by default. */
export const BotWatcher = Context.Reference<BotWatcher>("@trunkline/core/agents/bots/BotWatcher", {
  defaultValue: () => ({ removed: () => Effect.void })
})
