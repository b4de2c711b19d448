/** Writes a generated reply into the conversation with all of its parts, unless something has changed meanwhile. Source: docs/reference/messaging.md#replies. */
import * as Effect from "effect/Effect"
import { ConversationQuota } from "../../platform/billing/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import type { StorageError, Tx } from "../../platform/storage/index.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import { afterOutbound } from "../conversations/Awaits.ts"
import { ConversationStore } from "../conversations/ConversationStore.ts"
import type { Customer } from "../customers/Customer.ts"
import { CustomerStore } from "../customers/CustomerStore.ts"
import * as Ids from "../MessagingIds.ts"
import { MessagingSettings } from "../MessagingSettings.ts"
import { asWritten, type Message } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import { splitText } from "../messages/Splitter.ts"
import { ReplyQueueStore } from "../reply-queue/ReplyQueueStore.ts"
import { type ReplyContext, replyContexts } from "./ReplyContext.ts"
import type { GeneratedReply } from "./ReplyGenerator.ts"
import { planReply, type ReplyStep } from "./ReplyPlan.ts"
import { logNoReply, type Verdict } from "./ReplyPolicy.ts"
import { makeReplyQueue, type ReplyClaim } from "./ReplyQueue.ts"

export interface ReplyWriter {
  /** True once the parts are committed. Otherwise nothing is sent, and the job is released for what waits. */
  readonly commit: (
    context: ReplyContext,
    reply: GeneratedReply,
    claim: ReplyClaim
  ) => Effect.Effect<boolean, StorageError>
}

export const makeReplyWriter = Effect.gen(function* () {
  const channels = yield* ChatChannels
  const conversations = yield* ConversationStore
  const customers = yield* CustomerStore
  const loadContext = yield* replyContexts
  const messages = yield* MessageStore
  const queue = yield* makeReplyQueue
  const queueStore = yield* ReplyQueueStore
  const quota = yield* ConversationQuota
  const { reply: settings } = yield* MessagingSettings

  const addParts = Effect.fnUntraced(function* (
    customer: Customer,
    turnId: Ids.TurnId,
    texts: ReadonlyArray<string>,
    at: Instant.Instant
  ) {
    let last: { readonly id: Ids.MessageId } | null = null
    for (const [part, text] of texts.entries()) {
      last = { id: yield* Ids.fresh<"Message">() }
      yield* messages.add({ ...textOf(customer, text), ...last, turnId, part, createdAt: at })
    }
    return last
  })

  /** The step once the plan is asked: the first reply in a conversation needs room in it. */
  const counted = Effect.fnUntraced(function* (
    planned: ReplyStep,
    { account, conversation, number, skipReason }: ReplyContext,
    at: Instant.Instant
  ): Effect.fn.Return<{ readonly step: ReplyStep; readonly reason: Verdict["skipReason"] }, StorageError, Tx> {
    const isFirst = planned === "commit" && account !== null && !conversation.isCounted
    const hasRoom = !isFirst || (yield* quota.count({ tenantId: account.id, plan: account.plan, at }))
    const step = hasRoom ? planned : "discard"
    const reason = hasRoom ? skipReason : "quota_exceeded"
    if (step === "discard") yield* logNoReply(number, reason)
    return { step, reason }
  })

  const commit = Effect.fnUntraced(function* (
    context: ReplyContext,
    { text, turnId }: GeneratedReply,
    claim: ReplyClaim
  ) {
    const texts = splitText(text, channels.of(context.number).traits.maxTextLength)
    const written = queue.withClaim(claim, (claimed, at) =>
      Effect.gen(function* () {
        const { customer, job } = claimed
        const { pending } = context
        const { advanced, ...progress } = yield* queue.advance(claimed, pending)
        const now = yield* loadContext(claimed, pending)
        const { waitingSince } = job
        const { maxWaitMs } = settings
        const planned = planReply({ progress, generatedFor: context, now, waitingSince, maxWaitMs, at })
        const { reason, step } = now === null ? { step: planned, reason: null } : yield* counted(planned, now, at)
        if (step === "discard") {
          yield* queue.releaseUnanswered({ ...progress, advanced }, pending, reason)
          return false
        }
        if (step !== "commit" || now === null) {
          yield* queue.release(claimed)
          return false
        }
        const last = yield* addParts(customer, turnId, texts, at)
        yield* conversations.save({
          ...(last === null ? now.conversation : afterOutbound(now.conversation, last)),
          isCounted: true,
          lastMessageAt: at
        })
        yield* customers.saveActivity({ ...customer, lastMessageAt: at })
        // Should this process not live to send the parts, the job is due.
        yield* queueStore.save({ ...advanced.job, failures: 0, dueAt: at })
        return true
      })
    )
    return (yield* written) ?? false
  })

  return { commit } satisfies ReplyWriter
})

/** A text of the agent's that is not sent yet. */
const textOf = ({ conversationId, id, phoneId, tenantId }: Customer, text: string) =>
  ({
    ...asWritten,
    tenantId,
    phoneId,
    customerId: id,
    conversationId,
    msgid: null,
    direction: "outbound",
    role: "assistant",
    type: "text",
    text,
    body: { body: text },
    context: null,
    callbackData: null,
    status: "queued",
    fault: null
  }) satisfies Partial<Message>
