/** Wakes this process's reply worker when there may be a job for it. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeSignal, type Signal } from "../kernel/index.ts"

export class ReplyQueueSignal extends Context.Service<ReplyQueueSignal, Signal>()(
  "@trunkline/core/messaging/ReplyQueueSignal"
) {
  static readonly layer = Layer.effect(ReplyQueueSignal, makeSignal)
}
