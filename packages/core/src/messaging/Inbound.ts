/** Stores what channels deliver before it is acknowledged. Source: docs/messaging.md#inbound. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type NewEvent, Outbox } from "../events/index.ts"
import { afterPoints, Ids, Instant, jsonFault, tracedFn } from "../kernel/index.ts"
import { type AccountMoved, AccountMoves, type AccountMoving } from "../moving/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../storage/index.ts"
import { ChatChannels } from "./ChatChannels.ts"
import { type ConnectedNumber, ConnectedNumberStore } from "./ConnectedNumber.ts"
import type { IdentityUpdate } from "./CustomerIdentity.ts"
import { CustomerStore } from "./CustomerStore.ts"
import { type ConversationContext, Customers } from "./Customers.ts"
import type { InboundBatch, InboundMessage, InboundStatus } from "./InboundBatch.ts"
import { maxContentKib } from "./JsonObject.ts"
import { lostReplies } from "./LostReplies.ts"
import type { Message } from "./Message.ts"
import { maxText } from "./MessageContent.ts"
import { MessageStore } from "./MessageStore.ts"
import { messageEvent, statusEvents } from "./MessagingEvents.ts"
import { MessagingSettings } from "./MessagingSettings.ts"
import { recipientOf } from "./Outgoing.ts"
import { readMarks, type Seen } from "./ReadMarks.ts"
import { newReplyJob } from "./ReplyJob.ts"
import { logNoReply, type ReplyPolicy, replyPolicies } from "./ReplyPolicy.ts"
import { ReplyQueueSignal } from "./ReplyQueueSignal.ts"
import { ReplyQueueStore } from "./ReplyQueueStore.ts"
import { jobAfterMessage } from "./ReplySchedule.ts"
import { windowAfter } from "./ReplyWindow.ts"
import { SendOutcomes } from "./SendOutcomes.ts"
import { statusAfter } from "./StatusOrder.ts"
import { UnmatchedStatusStore } from "./UnmatchedStatusStore.ts"

/** Between whom a message is. */
interface Parties extends Pick<ConversationContext, "conversation" | "customer"> {
  readonly number: ConnectedNumber
}

/** A batch with the number that it is for. */
type NumberBatch = InboundBatch & { readonly number: ConnectedNumber }

/** What one callback has brought. */
export interface InboundDelivery {
  /** The kind of the channel. */
  readonly channel: string
  readonly batches: ReadonlyArray<InboundBatch>
}

export class Inbound extends Context.Service<
  Inbound,
  {
    /**
     * Stores a whole delivery in one transaction before it returns. Skips what is already stored, and messages of numbers that are
     * not connected. Fails for a number whose account moves to another installation, or has moved.
     */
    readonly receive: (delivery: InboundDelivery) => Effect.Effect<void, AccountMoving | AccountMoved | StorageError>
    /** Removes reports whose message never came, and marks sends whose process has ended as unknown; returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/messaging/Inbound") {
  static readonly layer = Layer.effect(
    Inbound,
    Effect.gen(function* () {
      const channels = yield* ChatChannels
      const customers = yield* Customers
      const customerStore = yield* CustomerStore
      const messageStore = yield* MessageStore
      const moves = yield* AccountMoves
      const numbers = yield* ConnectedNumberStore
      const outbox = yield* Outbox
      const outcomes = yield* SendOutcomes
      const answerLost = yield* lostReplies
      const markRead = yield* readMarks
      const policyOf = yield* replyPolicies
      const queue = yield* ReplyQueueStore
      const { checksBusinessAccount, reply } = yield* MessagingSettings
      const storage = yield* Storage
      const unmatched = yield* UnmatchedStatusStore
      const { wake } = yield* ReplyQueueSignal

      /** The messages of a batch that are not stored yet, each once. */
      const unstored = Effect.fnUntraced(function* ({ messages, number }: NumberBatch) {
        const given = new Map(messages.toReversed().map((one) => [one.id, one]))
        const known = yield* messageStore.knownMsgids(number.id, [...given.keys()])
        for (const msgid of known) given.delete(msgid)
        return messages.filter((one) => given.get(one.id) === one)
      })

      const message = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        policy: ReplyPolicy,
        given: InboundMessage
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        const update = identityOf(number, given)
        if (update === null) {
          yield* Effect.logWarning(`a message to number ${number.id} names nobody that it is from`)
          return []
        }
        const { conversation, customer, events } = yield* customers.resolve(update)
        const parties = { number, customer, conversation }
        const stored = rowOf(parties, given, { id: yield* Ids.fresh<"Message">(), at: yield* Instant.now })
        if (!(yield* messageStore.add(stored))) return events
        if (given.isEcho) {
          yield* customerStore.saveActivity(customer)
          yield* endGroup(customer.id)
        } else {
          const writtenAt = Instant.earlier(given.at ?? stored.createdAt, stored.createdAt)
          const { replyWindowMs } = channels.of(number).traits
          const windowExpiresAt =
            replyWindowMs === null ? null : windowAfter(customer.windowExpiresAt, writtenAt, replyWindowMs)
          const present = { ...customer, windowExpiresAt }
          yield* customerStore.saveActivity(present)
          yield* enqueue(policy, { conversation, customer: present, number }, stored)
        }
        return [...events, messageEvent(stored, given.id, number, customer)]
      })

      /** The message joins the group that waits for a reply, or gets none. */
      const enqueue = Effect.fnUntraced(function* (
        policy: ReplyPolicy,
        { conversation, customer, number }: Parties,
        message: Message
      ) {
        const job = (yield* queue.find(customer.id)) ?? newReplyJob(customer.id)
        const messageGroup = [message]
        const at = message.createdAt
        const { skipReason } = policy.evaluate({ conversation, customer, messageGroup, turnsLastHour: 0, at })
        yield* logNoReply(number, skipReason)
        const isPart = skipReason === null || (skipReason === "nothing_to_answer" && job.waitingSince !== null)
        const failsToSend = job.failures > 0 && (yield* messageStore.openParts(customer.id)).length > 0
        yield* queue.save(jobAfterMessage(job, message, { isPart, failsToSend, debounce: reply }))
      })

      /** A human operator has answered the messages that were waiting. */
      const endGroup = Effect.fnUntraced(function* (customerId: Ids.CustomerId) {
        const job = yield* queue.find(customerId)
        if (job === null) return
        const waiting = yield* messageStore.inboundAfter(customerId, job.handledUpTo, maxWaiting)
        yield* queue.save({ ...job, handledUpTo: waiting.at(-1)?.id ?? job.handledUpTo, waitingSince: null })
      })

      const status = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        given: InboundStatus
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        const found = yield* ofReport(number, given)
        if (found === null) {
          yield* answerLost(number, given)
          const { status } = given
          if (status === null) return []
          const report = { phoneId: number.id, msgid: given.msgid, status, fault: given.error, at: yield* Instant.now }
          yield* unmatched.add({ ...report, id: yield* Ids.fresh() })
          return []
        }
        const { events, message } = found
        const next = given.status === null ? null : statusAfter(message.status, given.status)
        if (next === null) return events
        const now: Message = { ...message, status: next, fault: next === "failed" ? given.error : null }
        yield* messageStore.save(message.id, now)
        return [...events, ...statusEvents(now, number)]
      })

      /** By the channel's id, or by our own id, which the channel returns: then the report is the first to name the channel's id. */
      const ofReport = Effect.fnUntraced(function* (number: ConnectedNumber, { msgid, ref }: InboundStatus) {
        const known = yield* messageStore.byMsgid(number.id, msgid)
        if (known !== null) return { message: known, events: [] }
        if (ref === null || !Ids.isUuid(ref)) return null
        const id = Ids.as<"Message">(ref)
        const ours = yield* messageStore.byId(id)
        if (ours?.phoneId !== number.id || ours.direction !== "outbound" || ours.msgid !== null) return null
        // The process that sends it writes under this lock.
        yield* lock("customer", ours.customerId)
        const [customer, present] = [yield* customerStore.byId(ours.customerId), yield* messageStore.byId(id)]
        return customer === null || present === null
          ? null
          : yield* outcomes.recordAccepted(number, customer, present, msgid)
      })

      const stored = Effect.fnUntraced(function* (delivery: InboundDelivery) {
        const parts = yield* numbersOf(delivery)
        // The transaction that records such a message as accepted takes this lock first: the later one of the two finds the other's rows.
        const reported = parts.flatMap(({ messages, statuses }) => [
          ...statuses.map(({ msgid }) => msgid),
          ...messages.filter(({ isEcho }) => isEcho).map(({ id }) => id)
        ])
        for (const msgid of [...new Set(reported)].toSorted()) yield* lock("report", msgid)
        const updates = parts.flatMap(({ messages, number }) => messages.map((one) => identityOf(number, one)))
        yield* customers.lockIdentities(updates.filter((one) => one !== null))
        const events: Array<NewEvent> = []
        const seen = new Map<string, Seen>()
        for (const part of parts) {
          const { messages, number, statuses } = part
          const policy = yield* policyOf(number)
          for (const one of yield* unstored(part)) events.push(...(yield* message(number, policy, one)))
          for (const one of messages) {
            if (!one.isEcho && number.botId !== null) {
              const from = recipientOf({ phone: one.from, userRef: one.userRef })
              seen.set(`${number.id} ${one.userRef ?? one.from}`, { number, msgid: one.id, from })
            }
          }
          for (const one of statuses) events.push(...(yield* status(number, one)))
        }
        return { events: yield* outbox.append(events), seen }
      })

      const numbersOf = Effect.fnUntraced(function* ({ batches, channel }: InboundDelivery) {
        const found: Array<NumberBatch> = []
        for (const batch of batches) {
          const number = yield* numbers.connected(batch.connectionId)
          if (number === null || number.channel !== channel) {
            yield* Effect.logWarning("messages for a number that is not connected are skipped")
          } else if (checksBusinessAccount && batch.accountId !== number.businessAccountId) {
            yield* Effect.logWarning(`messages for number ${number.id} came from another business account: skipped`)
          } else {
            // The channel delivers again what it is not acknowledged.
            yield* moves.checkWithin(number.tenantId)
            found.push({ ...batch, number })
          }
        }
        return found
      })

      const receive = tracedFn("Inbound.receive")(function* (delivery: InboundDelivery) {
        const { events, seen } = yield* storage.transact(stored(delivery))
        yield* outbox.publish(events)
        yield* wake
        yield* markRead(seen)
      }, Effect.uninterruptible)

      const sweep = storage.transact(
        Effect.gen(function* () {
          const at = yield* Instant.now
          const stale = yield* messageStore.expireStaleSends(Instant.plus(at, -staleSendMs), sweepBatchSize)
          return stale + (yield* unmatched.sweep(Instant.plus(at, -keepUnmatchedMs), sweepBatchSize))
        })
      )

      return Inbound.of({ receive, sweep })
    })
  )
}

/** The sender of a message, or the recipient of an echo; null where it names none. */
const identityOf = (number: ConnectedNumber, given: InboundMessage): IdentityUpdate | null => {
  const person = given.isEcho
    ? { phone: given.to, userRef: given.toRef, name: null }
    : { phone: given.from, userRef: given.userRef, name: given.name }
  if (person.phone === null && person.userRef === null) return null
  return { number, person, next: { phone: given.newPhone, userRef: given.newUserRef } }
}

/**
 * The row of a delivered message. Of a content that is larger than any platform sends, the text is stored. An echo was sent from the
 * number by another program.
 */
const rowOf = (
  { conversation, customer, number }: Parties,
  given: InboundMessage,
  { at, id }: { readonly id: Message["id"]; readonly at: Instant.Instant }
): Message => ({
  id,
  tenantId: number.tenantId,
  phoneId: number.id,
  customerId: customer.id,
  conversationId: conversation.id,
  msgid: given.id,
  direction: given.isEcho ? "outbound" : "inbound",
  role: given.isEcho ? "agent" : "user",
  type: given.type,
  text: given.text === null ? null : given.text.slice(0, afterPoints(given.text, 0, maxText)),
  body: jsonFault(given.content, maxContentKib) === null ? given.content : {},
  context: given.contextId,
  callbackData: null,
  status: given.isEcho ? "sent" : "received",
  fault: null,
  turnId: null,
  part: null,
  createdAt: at
})

/** Longer than the platform repeats a delivery. */
const keepUnmatchedMs = 8 * Instant.day

/** Longer than any request to the platform takes. */
const staleSendMs = 5 * Instant.minute

const sweepBatchSize = 1000

/** Waiting messages of a customer that the answer of a human operator ends. */
const maxWaiting = 1000
