/** Tells telephony which numbers and templates campaigns that have not ended still need. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { NumberUses } from "../telephony/index.ts"
import { CampaignStore } from "./CampaignStore.ts"

export const layer = Layer.effect(
  NumberUses,
  Effect.map(CampaignStore, ({ uses }) => ({
    number: (tenantId, id) => uses(tenantId, { _tag: "Number", id }),
    template: (tenantId, id) => uses(tenantId, { _tag: "Template", id })
  }))
)
