/** Whether a campaign still needs an agent: asked before the agent is removed. Campaigns implement it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Ids } from "../../platform/kernel/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"

/** An agent, number or voicemail template that a campaign still needs cannot be removed. Source: docs/reference/bots.md#removing. */
export class StillInUse extends Schema.TaggedError<StillInUse>()("StillInUse", { what: Schema.String }) {
  override get message() {
    return `This ${this.what} is used by a campaign that has not ended. Change or end the campaign first.`
  }
}

export interface BotUses {
  /** True when a campaign that has not ended names the agent. */
  readonly campaign: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<boolean, StorageError, Read>
}

/** Without campaigns nothing needs an agent. */
export const BotUses = Context.Reference<BotUses>("@trunkline/core/agents/bots/BotUses", {
  defaultValue: () => ({ campaign: () => Effect.succeed(false) })
})
