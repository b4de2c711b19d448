/** Wakes the deliverer. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeSharedSignal, type SharedSignal } from "../platform/storage/index.ts"

export class DeliverySignal extends Context.Service<DeliverySignal, SharedSignal>()(
  "@trunkline/core/webhooks/DeliverySignal"
) {
  static readonly layer = Layer.effect(DeliverySignal, makeSharedSignal("deliveries"))
}
