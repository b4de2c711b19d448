/** This room, as the host has it. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ReplyParts } from "../agents/replying/index.ts"
import type { Brand } from "../platform/brand/index.ts"
import { after, change, nothing, storeTopics } from "../platform/changes/index.ts"
import { Instant } from "../platform/kernel/index.ts"
import { PersonConversations } from "../platform/overview/index.ts"
import { AssignedWork } from "../platform/people/index.ts"
import {
  queueLag,
  type ReadMetrics,
  type RoomMetrics,
  room,
  type SetupStep,
  sample,
  setupState,
  type Worker
} from "../platform/room/index.ts"
import type { Read, StorageError } from "../platform/storage/index.ts"
import { ConnectedNumberStore } from "./channels/ConnectedNumber.ts"
import { ConnectedNumbers } from "./channels/ConnectedNumbers.ts"
import { messagingErrors } from "./channels/MessagingErrors.ts"
import { ConversationStore } from "./conversations/ConversationStore.ts"
import { Conversations } from "./conversations/Conversations.ts"
import { conversationEvents } from "./customers/ConversationEventEntries.ts"
import { CustomerStore } from "./customers/CustomerStore.ts"
import { Customers } from "./customers/Customers.ts"
import { Inbound } from "./inbound/Inbound.ts"
import { inboundGroup } from "./inbound/InboundApi.ts"
import * as InboundHttp from "./inbound/InboundHttp.ts"
import type * as Ids from "./MessagingIds.ts"
import type { Message } from "./messages/Message.ts"
import { MessageStore } from "./messages/MessageStore.ts"
import { SentFlowStore } from "./messages/SentFlowStore.ts"
import { splitText } from "./messages/Splitter.ts"
import { UnmatchedStatusStore } from "./messages/UnmatchedStatusStore.ts"
import { ReplyWorker } from "./replies/ReplyWorker.ts"
import { ReplyQueueSignal } from "./reply-queue/ReplyQueueSignal.ts"
import { ReplyQueueStore } from "./reply-queue/ReplyQueueStore.ts"
import { pauseAfter } from "./reply-queue/ReplySchedule.ts"
import { MessagingHttp, messagingGroups } from "./routes/index.ts"
import { FileRoom } from "./sending/FileRoom.ts"
import { NativeSend } from "./sending/NativeSend.ts"
import { Outgoing } from "./sending/Outgoing.ts"
import { PlatformFiles } from "./sending/PlatformFiles.ts"
import { SendOutcomes } from "./sending/SendOutcomes.ts"

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

const metrics = {
  declared: {
    trunkline_replies_waiting: {
      type: "gauge",
      labels: [],
      of: "installation",
      help: "Chat customers with messages to be answered or answers to be sent, 100000 at most"
    },
    trunkline_replies_running: {
      type: "gauge",
      labels: [],
      of: "process",
      help: "Chat customers whose messages are being answered"
    }
  },
  reader: Effect.map(
    ReplyWorker,
    ({ running }): ReadMetrics =>
      (counted) => ({
        ...(counted.underWay === null ? {} : { trunkline_replies_waiting: [sample(counted.underWay.replies)] }),
        ...queueLag("replies", counted),
        trunkline_replies_running: [sample(running())]
      })
  )
} satisfies RoomMetrics

const ofConversation = (tenantId: Ids.AccountId, id: Ids.ConversationId) =>
  change(tenantId, "conversations", `conversation:${id}`)

const ofMessage = ({ conversationId, tenantId }: Pick<Message, "conversationId" | "tenantId">) =>
  ofConversation(tenantId, conversationId)

/** A conversation shows its customer. */
const ofCustomer = ofMessage

const changes = [
  storeTopics(ConnectedNumberStore, {
    add: ({ tenantId }) => change(tenantId, "numbers"),
    // Whether a conversation needs a person depends on its number's switch and agent.
    change: after((number) => (number === null ? null : change(number.tenantId, "numbers", "conversations"))),
    replaceToken: nothing,
    unlinkBot: (tenantId) => change(tenantId, "numbers", "conversations")
  }),
  storeTopics(ConversationStore, {
    add: ({ id, tenantId }) => ofConversation(tenantId, id),
    save: ({ id, tenantId }) => ofConversation(tenantId, id),
    assign: ({ id, tenantId }) => ofConversation(tenantId, id),
    unassign: after((ids, tenantId) => ids.map((id) => ofConversation(tenantId, id))),
    // Both conversations are saved with it.
    absorb: nothing
  }),
  storeTopics(CustomerStore, {
    add: ofCustomer,
    saveIdentity: ofCustomer,
    saveActivity: ofCustomer,
    joinForms: nothing,
    // Their conversations are saved with it.
    absorb: nothing
  }),
  storeTopics(MessageStore, {
    add: after((isAdded, message) => (isAdded ? ofMessage(message) : null)),
    save: ofMessage,
    change: ofMessage,
    markSent: after((isSent, message) => (isSent ? ofMessage(message) : null)),
    expireStaleSends: after((messages) => messages.map(ofMessage))
  }),
  storeTopics(UnmatchedStatusStore, { add: nothing, claim: nothing, sweep: nothing }),
  storeTopics(ReplyQueueStore, {
    save: nothing,
    joinHandled: nothing,
    remove: nothing,
    claimDue: nothing,
    renew: nothing,
    release: nothing
  })
]

const conversationsOfPeople = Layer.effect(
  PersonConversations,
  Effect.map(ConversationStore, ({ newestOfNumber }) => ({ newest: newestOfNumber }))
)

const assignedWork = Layer.effect(
  AssignedWork,
  Effect.map(ConversationStore, ({ unassign }) => ({ unassign: (...of) => Effect.asVoid(unassign(...of)) }))
)

const setup = Effect.map(ConnectedNumberStore, ({ count }) => [
  {
    id: "chat_number",
    isOptional: true,
    look: (tenantId) => Effect.map(count(tenantId), (n) => setupState(n > 0))
  } satisfies SetupStep<StorageError, Read>
])

export const Room = room({
  name: "messaging",
  stores: [
    ConnectedNumberStore,
    ConversationStore,
    CustomerStore,
    MessageStore,
    SentFlowStore,
    UnmatchedStatusStore,
    ReplyQueueStore
  ],
  changes,
  ports: Layer.mergeAll(
    ConnectedNumbers.watching,
    ReplyQueueSignal.layer,
    conversationsOfPeople,
    assignedWork,
    Layer.succeed(ReplyParts, (text) => splitText(text))
  ),
  layer: Layer.mergeAll(
    Inbound.layer,
    NativeSend.layer,
    PlatformFiles.layer,
    Conversations.layer,
    ReplyWorker.layer
  ).pipe(
    Layer.provideMerge(Layer.merge(Outgoing.layer, ConnectedNumbers.layer)),
    Layer.provideMerge(Layer.mergeAll(Customers.layer, SendOutcomes.layer, FileRoom.layer))
  ),
  api: (brand: Brand) => messagingGroups(brand),
  unpublishedApi: (brand: Brand) => [inboundGroup(brand)] as const,
  handlers: (brand: Brand) => Layer.merge(InboundHttp.layer(brand), MessagingHttp.layer(brand)),
  setup,
  workers,
  events: conversationEvents,
  errors: messagingErrors,
  metrics,
  reencrypt: Effect.map(ConnectedNumbers, ({ reencrypt }) => [reencrypt])
})
