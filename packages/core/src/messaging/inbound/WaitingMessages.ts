/** Messages of customers as they join the group that waits for a reply, or are answered by a person. Source: docs/reference/messaging.md#replies. */
import * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { windowAfter } from "../conversations/ReplyWindow.ts"
import { CustomerStore } from "../customers/CustomerStore.ts"
import type { ConversationContext } from "../customers/Customers.ts"
import type * as Ids from "../MessagingIds.ts"
import { MessagingSettings } from "../MessagingSettings.ts"
import type { Message } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import { leavesWaiting } from "../replies/NoReplyReason.ts"
import { logNoReply, type ReplyPolicy } from "../replies/ReplyPolicy.ts"
import { isWaiting, jobAfterPerson, newReplyJob } from "../reply-queue/ReplyJob.ts"
import { ReplyQueueStore } from "../reply-queue/ReplyQueueStore.ts"
import { jobAfterMessage } from "../reply-queue/ReplySchedule.ts"

/** Between whom a message is. */
export interface Parties extends Pick<ConversationContext, "conversation" | "customer"> {
  readonly number: ConnectedNumber
}

/** Waiting messages of a customer that a person answers at once. */
const maxWaiting = 1000

/** Makes what writes the reply queue for messages that were added, as parts of a transaction. */
export const waitingMessages = Effect.gen(function* () {
  const channels = yield* ChatChannels
  const customers = yield* CustomerStore
  const messages = yield* MessageStore
  const queue = yield* ReplyQueueStore
  const { reply } = yield* MessagingSettings

  /** The message joins the group that waits for a reply, or gets none. Returns whose answer the conversation waits for then. */
  const enqueue = Effect.fnUntraced(function* (
    policy: ReplyPolicy,
    { conversation, customer, number }: Parties,
    message: Message
  ): Effect.fn.Return<"agent" | "person", StorageError, Tx | Read> {
    const job = (yield* queue.find(customer.id)) ?? newReplyJob(customer.id)
    // What nobody has to answer leaves open what was before it.
    const asBefore = conversation.awaits === "person" ? "person" : "agent"
    if (!isWaiting(message, job)) {
      yield* queue.save(job.waitingSince === null ? { ...job, handledUpTo: message.id } : job)
      return asBefore
    }
    const messageGroup = [message]
    const at = message.createdAt
    const { skipReason } = policy.evaluate({ conversation, customer, messageGroup, turnsLastHour: 0, at })
    yield* logNoReply(number, skipReason)
    const isPart = skipReason === null || (skipReason === "nothing_to_answer" && job.waitingSince !== null)
    const failsToSend = job.failures > 0 && (yield* messages.openParts(customer.id)).length > 0
    yield* queue.save(jobAfterMessage(job, message, { isPart, failsToSend, debounce: reply }))
    if (isPart || skipReason === "opted_out") return "agent"
    return leavesWaiting(skipReason, messageGroup) ? "person" : asBefore
  })

  /** A customer's message opens the window, and may get a reply. Returns whose answer the conversation waits for then. */
  const received = Effect.fnUntraced(function* (policy: ReplyPolicy, parties: Parties, message: Message) {
    const { customer, number } = parties
    const { replyWindowMs } = channels.of(number).traits
    const writtenAt = message.writtenAt ?? message.createdAt
    const windowExpiresAt =
      replyWindowMs === null ? null : windowAfter(customer.windowExpiresAt, writtenAt, replyWindowMs)
    const present = { ...customer, windowExpiresAt }
    yield* customers.saveActivity(present)
    return yield* enqueue(policy, { ...parties, customer: present }, message)
  })

  /** A person has written to the customer, and answered by it what the customer had written until then. */
  const personWrote = Effect.fnUntraced(function* (
    customerId: Ids.CustomerId,
    { createdAt, writtenAt }: Pick<Message, "createdAt" | "writtenAt">
  ) {
    const job = (yield* queue.find(customerId)) ?? newReplyJob(customerId)
    const waiting = yield* messages.inboundAfter(customerId, job.handledUpTo, maxWaiting)
    yield* queue.save(jobAfterPerson(job, waiting, writtenAt ?? createdAt))
  })

  return { personWrote, received }
})
