/** Wakes the dialer. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeSharedSignal, type SharedSignal } from "../../platform/storage/index.ts"

export class DialerSignal extends Context.Service<DialerSignal, SharedSignal>()(
  "@trunkline/core/calling/campaigns/DialerSignal"
) {
  static readonly layer = Layer.effect(DialerSignal, makeSharedSignal("dialer"))
}
