/** Wakes this process's dialer. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeSignal, type Signal } from "../kernel/index.ts"

export class DialerSignal extends Context.Service<DialerSignal, Signal>()("@trunkline/core/campaigns/DialerSignal") {
  static readonly layer = Layer.effect(DialerSignal, makeSignal)
}
