/** Wakes this process's deliverer. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeSignal, type Signal } from "../kernel/index.ts"

export class DeliverySignal extends Context.Service<DeliverySignal, Signal>()(
  "@trunkline/core/webhooks/DeliverySignal"
) {
  static readonly layer = Layer.effect(DeliverySignal, makeSignal)
}
