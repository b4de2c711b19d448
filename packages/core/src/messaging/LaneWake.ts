/** Tells this process's reply worker that there may be something to do. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeSignal, type Signal } from "../kernel/index.ts"

export class LaneWake extends Context.Service<LaneWake, Signal>()("@trunkline/core/messaging/LaneWake") {
  static readonly layer = Layer.effect(LaneWake, makeSignal)
}
