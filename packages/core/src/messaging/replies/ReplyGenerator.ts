/** An agent's reply to a message group: its text, generated while the claim is renewed and the customer sees typing. Source: docs/reference/messaging.md#replies. */
import * as Effect from "effect/Effect"
import { type AgentFailed, makeAgent } from "../../agents/replying/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import * as Ids from "../MessagingIds.ts"
import { typingIntervalMs } from "../reply-queue/ReplySchedule.ts"
import { recipientOf, type Sender } from "../sending/Outgoing.ts"
import { conversationHistory } from "./ConversationHistory.ts"
import type { ReplyContext } from "./ReplyContext.ts"
import { makeReplyQueue, type ReplyClaim } from "./ReplyQueue.ts"

/** A reply that takes longer is cancelled and not retried: no customer waits for longer. */
const maxReplyMs = 3 * Instant.minute

export interface GeneratedReply {
  readonly turnId: Ids.TurnId
  readonly text: string
}

export interface ReplyGenerator {
  /** Null when the reply takes too long, when there is nothing left to answer, or when another worker has the job and replies. */
  readonly generate: (
    context: ReplyContext,
    sender: Sender,
    claim: ReplyClaim
  ) => Effect.Effect<GeneratedReply | null, AgentFailed | StorageError>
}

export const makeReplyGenerator = Effect.gen(function* () {
  const agent = yield* makeAgent
  const loadHistory = yield* conversationHistory
  const queue = yield* makeReplyQueue

  /** Nothing depends on it, so that it may fail or be late. */
  const showTyping = ({ channel, connection }: Sender, { customer, pending }: ReplyContext) => {
    const { msgid } = pending.at(-1)!
    if (msgid === null || !channel.traits.typing) return Effect.void
    const shown = channel.markRead(connection, { id: msgid, from: recipientOf(customer), typing: true })
    return Effect.ignore(Effect.timeoutOption(shown, typingIntervalMs / 2))
  }

  /** Ends when the reply takes too long, or when another worker has the job. */
  const heartbeat = Effect.fnUntraced(function* (context: ReplyContext, sender: Sender, claim: ReplyClaim) {
    for (let beats = 0; beats * typingIntervalMs < maxReplyMs; beats++) {
      const at = yield* Instant.now
      // The storage may be back before the lease is over.
      const isOurs = beats === 0 || (yield* Effect.orElseSucceed(queue.renew(claim), () => true))
      if (!isOurs) return
      yield* showTyping(sender, context)
      yield* Effect.sleep(Math.max(0, Instant.plus(at, typingIntervalMs) - (yield* Instant.now)))
    }
  })

  const answer = Effect.fnUntraced(function* (context: ReplyContext, sender: Sender) {
    const { monthlyBudget, plan } = context.account!
    const { conversationId, tenantId } = context.customer
    const history = yield* loadHistory(context, sender)
    if (history === null) return null
    const turnId = yield* Ids.fresh<"Turn">()
    const { text } = yield* agent.answer({
      bot: context.bot!,
      payer: { tenantId, plan, monthlyBudget },
      turnId,
      conversationId,
      history
    })
    return { turnId, text }
  })

  const generate = (context: ReplyContext, sender: Sender, claim: ReplyClaim) =>
    Effect.raceFirst(answer(context, sender), Effect.as(heartbeat(context, sender, claim), null))

  return { generate } satisfies ReplyGenerator
})
