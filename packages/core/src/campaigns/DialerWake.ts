/** Tells this process's dialer that there may be something to do. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeSignal, type Signal } from "../kernel/index.ts"

export class DialerWake extends Context.Service<DialerWake, Signal>()("@trunkline/core/campaigns/DialerWake") {
  static readonly layer = Layer.effect(DialerWake, makeSignal)
}
