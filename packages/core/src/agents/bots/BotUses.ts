/** Whether a campaign still needs an agent: asked before the agent is removed. Campaigns implement it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../AgentsIds.ts"

export interface BotUses {
  /** True when a campaign that has not ended names the agent. */
  readonly campaign: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<boolean, StorageError, Read>
}

/** Without campaigns nothing needs an agent. */
export const BotUses = Context.Reference<BotUses>("@trunkline/core/agents/bots/BotUses", {
  defaultValue: () => ({ campaign: () => Effect.succeed(false) })
})
