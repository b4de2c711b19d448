/** Wakes the sender of template campaigns. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeSharedSignal, type SharedSignal } from "../../platform/storage/index.ts"

export class CampaignSignal extends Context.Service<CampaignSignal, SharedSignal>()(
  "@trunkline/core/messaging/template-campaigns/CampaignSignal"
) {
  static readonly layer = Layer.effect(CampaignSignal, makeSharedSignal("template-campaigns"))
}
