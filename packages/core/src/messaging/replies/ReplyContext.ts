/** What a reply is decided on and generated from, as the storage has it now. Source: docs/reference/messaging.md#replies. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import { type ConnectedNumber, ConnectedNumberStore } from "../channels/ConnectedNumber.ts"
import type { Conversation } from "../conversations/Conversation.ts"
import { ConversationStore } from "../conversations/ConversationStore.ts"
import type { Customer } from "../customers/Customer.ts"
import type { Message } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import { isWaiting, type ReplyJob } from "../reply-queue/ReplyJob.ts"
import { replyPolicies, type Verdict } from "./ReplyPolicy.ts"

export interface ReplyContext extends Verdict {
  readonly number: ConnectedNumber
  readonly customer: Customer
  readonly conversation: Conversation
  /** The message group that waits for a reply. */
  readonly pending: ReadonlyArray<Message>
}

/** Messages of one group; what comes beyond gets a reply of its own. */
export const maxPending = 1000

/** A claimed job with its customer. */
export interface ClaimedJob {
  readonly customer: Customer
  readonly job: ReplyJob
}

/** Makes what loads the context of a job; null where its number is disconnected. `pending`: null for all messages that wait now. */
export const replyContexts = Effect.gen(function* () {
  const conversations = yield* ConversationStore
  const messages = yield* MessageStore
  const numbers = yield* ConnectedNumberStore
  const policyOf = yield* replyPolicies

  return Effect.fnUntraced(function* (
    { customer, job }: ClaimedJob,
    pending: ReadonlyArray<Message> | null
  ): Effect.fn.Return<ReplyContext | null, StorageError, Read> {
    const number = yield* numbers.byId(customer.phoneId)
    if (number === null) return null
    const conversation = (yield* conversations.byId(customer.conversationId))!
    const present = pending ?? (yield* messages.inboundAfter(customer.id, job.handledUpTo, maxPending))
    const messageGroup = present.filter((message) => isWaiting(message, job))
    const at = yield* Instant.now
    const turnsLastHour = yield* messages.turnsSince(customer.id, Instant.plus(at, -Instant.hour))
    const policy = yield* policyOf(number)
    const verdict = policy.evaluate({ conversation, customer, messageGroup, turnsLastHour, at })
    return { ...verdict, number, customer, conversation, pending: messageGroup }
  })
})
