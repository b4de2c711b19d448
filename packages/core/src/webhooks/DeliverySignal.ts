/** Tells this process's deliverer that there may be something to do. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeSignal, type Signal } from "../kernel/index.ts"

export class DeliverySignal extends Context.Service<DeliverySignal, Signal>()(
  "@trunkline/core/webhooks/DeliverySignal"
) {
  static readonly layer = Layer.effect(DeliverySignal, makeSignal)
}
