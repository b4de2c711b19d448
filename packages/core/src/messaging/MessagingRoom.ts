/** This room, as the host has it. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Brand, Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { ConnectedNumbers } from "./ConnectedNumbers.ts"
import { Conversations } from "./Conversations.ts"
import { Customers } from "./Customers.ts"
import { FileRoom } from "./FileRoom.ts"
import { Inbound } from "./Inbound.ts"
import { inboundGroup } from "./InboundApi.ts"
import * as InboundHttp from "./InboundHttp.ts"
import { messagingErrors } from "./MessagingErrorTable.ts"
import { messagingGroups } from "./MessagingGroups.ts"
import * as MessagingHttp from "./MessagingHttp.ts"
import { NativeSend } from "./NativeSend.ts"
import { Outgoing } from "./Outgoing.ts"
import { PlatformFiles } from "./PlatformFiles.ts"
import { ReplyQueueSignal } from "./ReplyQueueSignal.ts"
import { pauseAfter } from "./ReplySchedule.ts"
import { ReplyWorker } from "./ReplyWorker.ts"
import { SendOutcomes } from "./SendOutcomes.ts"
import { Transcripts } from "./Transcripts.ts"

const workers = Effect.gen(function* () {
  const inbound = yield* Inbound
  const replies = yield* ReplyWorker
  return [
    {
      name: "replies",
      switch: "replies",
      signal: yield* ReplyQueueSignal,
      nextDue: replies.nextDue,
      onlyWhenDue: true,
      tick: Effect.as(replies.tick, "more" as const),
      restAfter: pauseAfter,
      // A model may take long: a stop cancels its run, and the message is answered after the restart.
      drain: { stage: "first", idle: replies.idle, timeoutMs: 2 * Instant.second, cancel: replies.cancel }
    },
    {
      name: "removal of unmatched reports",
      switch: "replies",
      everyMs: Instant.minute,
      tick: inbound.sweep
    }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

export const Room = room({
  name: "messaging",
  ports: Layer.merge(ConnectedNumbers.watching, ReplyQueueSignal.layer),
  layer: Layer.mergeAll(
    Inbound.layer,
    NativeSend.layer,
    PlatformFiles.layer,
    Conversations.layer,
    ReplyWorker.layer,
    Transcripts.layer
  ).pipe(
    Layer.provideMerge(Layer.merge(Outgoing.layer, ConnectedNumbers.layer)),
    Layer.provideMerge(Layer.mergeAll(Customers.layer, SendOutcomes.layer, FileRoom.layer))
  ),
  api: (brand: Brand) => messagingGroups(brand),
  unpublishedApi: (brand: Brand) => [inboundGroup(brand)] as const,
  handlers: (brand: Brand) => Layer.merge(InboundHttp.layer(brand), MessagingHttp.layer(brand)),
  workers,
  events: ["conversation.started", "conversation.ended", "message.received", "message.sent", "message.status"],
  errors: messagingErrors
})
