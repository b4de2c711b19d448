/** Wakes the reply worker when there may be a job for it. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeSharedSignal, type SharedSignal } from "../../platform/storage/index.ts"

export class ReplyQueueSignal extends Context.Service<ReplyQueueSignal, SharedSignal>()(
  "@trunkline/core/messaging/reply-queue/ReplyQueueSignal"
) {
  static readonly layer = Layer.effect(ReplyQueueSignal, makeSharedSignal("replies"))
}
