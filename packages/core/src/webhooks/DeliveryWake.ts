/** Tells this process's deliverer that there may be something to do. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeWake, type Wake } from "../kernel/index.ts"

export class DeliveryWake extends Context.Service<DeliveryWake, Wake>()("@trunkline/core/webhooks/DeliveryWake") {
  static readonly layer = Layer.effect(DeliveryWake, makeWake)
}
