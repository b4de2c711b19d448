/** The agents, numbers and templates that campaigns still need until they have ended, for other rooms. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BotUses } from "../../agents/bots/index.ts"
import { NumberUses } from "../calls/index.ts"
import { CampaignStore } from "./CampaignStore.ts"

export const layer = Layer.mergeAll(
  Layer.effect(
    BotUses,
    Effect.map(CampaignStore, ({ uses }) => ({ campaign: (tenantId, id) => uses(tenantId, { _tag: "Bot", id }) }))
  ),
  Layer.effect(
    NumberUses,
    Effect.map(CampaignStore, ({ uses }) => ({
      number: (tenantId, id) => uses(tenantId, { _tag: "Number", id }),
      template: (tenantId, id) => uses(tenantId, { _tag: "Template", id })
    }))
  )
)
