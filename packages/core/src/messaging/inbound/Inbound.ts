/** Stores what channels deliver before it is acknowledged. Source: docs/reference/messaging.md#inbound. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type NewEvent, Outbox } from "../../platform/events/index.ts"
import { Ids, Instant, tracedFn } from "../../platform/kernel/index.ts"
import { type AccountMoved, AccountMoves, type AccountMoving } from "../../platform/moving/index.ts"
import { PersonConsent } from "../../platform/overview/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import type { AccountNews } from "../channels/AccountNews.ts"
import { AccountReports } from "../channels/AccountReports.ts"
import { type ConnectedNumber, ConnectedNumberStore } from "../channels/ConnectedNumber.ts"
import { afterInbound, afterOutbound } from "../conversations/Awaits.ts"
import { ConversationStore } from "../conversations/ConversationStore.ts"
import { type IdentityUpdate, unchanged } from "../customers/CustomerIdentity.ts"
import { CustomerStore } from "../customers/CustomerStore.ts"
import { Customers } from "../customers/Customers.ts"
import { conversationBegun, messageEvent } from "../customers/MessagingEvents.ts"
import { MessagingSettings } from "../MessagingSettings.ts"
import { CampaignMessages } from "../messages/CampaignMessages.ts"
import { completedFlow } from "../messages/CompletedFlow.ts"
import { contentJson, storedContent } from "../messages/ContentTranslation.ts"
import { sentFlowId } from "../messages/FlowToken.ts"
import type { InboundBatch, InboundMessage, InboundPreference } from "../messages/InboundBatch.ts"
import { asWritten, type Message } from "../messages/Message.ts"
import { storable } from "../messages/MessageChanges.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import { PaymentMessages } from "../messages/PaymentMessages.ts"
import { SentFlowStore } from "../messages/SentFlowStore.ts"
import { UnmatchedStatusStore } from "../messages/UnmatchedStatusStore.ts"
import { atNetwork, OptOutList, statedPreference } from "../opt-outs/index.ts"
import { type ReplyPolicy, replyPolicies } from "../replies/ReplyPolicy.ts"
import { ReplyQueueSignal } from "../reply-queue/ReplyQueueSignal.ts"
import { recipientOf } from "../sending/Outgoing.ts"
import { readMarks, type Seen } from "../sending/ReadMarks.ts"
import { inboundChanges, isChange } from "./InboundChanges.ts"
import { inboundStatuses } from "./InboundStatuses.ts"
import { type Parties, waitingMessages } from "./WaitingMessages.ts"

/** A batch with the number that it is for. */
type NumberBatch = InboundBatch & { readonly number: ConnectedNumber }

/** What one callback has brought. */
export interface InboundDelivery {
  /** The kind of the channel. */
  readonly channel: string
  readonly batches: ReadonlyArray<InboundBatch>
  /** What it says of business accounts. Left out: nothing. */
  readonly accounts?: ReadonlyArray<AccountNews>
}

export class Inbound extends Context.Service<
  Inbound,
  {
    /**
     * Stores a whole delivery in one transaction before it returns. Skips messages that are already stored, and those of numbers that are
     * not connected. Fails for a number whose account moves to another installation, or has moved.
     */
    readonly receive: (delivery: InboundDelivery) => Effect.Effect<void, AccountMoving | AccountMoved | StorageError>
    /** Removes reports whose message never came, and marks sends whose process has ended as unknown; returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/messaging/inbound/Inbound") {
  static readonly layer = Layer.effect(
    Inbound,
    Effect.gen(function* () {
      const accounts = yield* AccountReports
      const campaigns = yield* CampaignMessages
      const conversations = yield* ConversationStore
      const customers = yield* Customers
      const customerStore = yield* CustomerStore
      const messageStore = yield* MessageStore
      const moves = yield* AccountMoves
      const numbers = yield* ConnectedNumberStore
      const optOuts = yield* OptOutList
      const consent = yield* PersonConsent
      const outbox = yield* Outbox
      const payments = yield* PaymentMessages
      const changes = yield* inboundChanges
      const markRead = yield* readMarks
      const policyOf = yield* replyPolicies
      const { personWrote, received } = yield* waitingMessages
      const { checksBusinessAccount } = yield* MessagingSettings
      const status = yield* inboundStatuses
      const sentFlows = yield* SentFlowStore
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
        given: InboundMessage,
        kept: ReadonlySet<string>
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        const update = identityOf(number, given)
        if (update === null) {
          yield* Effect.logWarning(`a message to number ${number.id} names nobody that it is from`)
          return []
        }
        const { conversation, customer, events: resolved } = yield* customers.resolve(update)
        const parties = { number, customer, conversation }
        const events = isPrivate(given) && !given.isEcho ? [...resolved, ...(yield* startedBy(parties))] : resolved
        const row = rowOf(parties, given, { id: yield* Ids.fresh<"Message">(), at: yield* Instant.now })
        const stored = yield* changes.withKept({ ...row, flowId: yield* flowOf(row) }, given.id, kept)
        if (!(yield* messageStore.add(stored))) return events
        if (isPrivate(given) && !given.isEcho) {
          yield* conversations.save(afterInbound(conversation, stored, yield* received(policy, parties, stored)))
        } else {
          yield* customerStore.saveActivity(customer)
          // Nobody of a group waits for an answer of the business.
          yield* conversations.save(
            given.isEcho ? afterOutbound(conversation, stored) : afterInbound(conversation, stored, "agent")
          )
          if (isPrivate(given) && isAnswer(given)) yield* personWrote(customer.id, stored)
        }
        if (!isPrivate(given) || given.isEcho) return [...events, messageEvent(stored, given.id, number, customer)]
        const answered = isSaid(stored) ? yield* campaigns.replied(stored) : null
        const preferred = yield* preferredBy(customer, stored)
        return [...events, messageEvent({ ...stored, ...answered }, given.id, number, customer), ...preferred]
      })

      /** The flow that a message completes, where we have made its token. */
      const flowOf = Effect.fnUntraced(function* (row: Message) {
        const token = completedFlow(row)?.token ?? null
        const sent = token === null ? null : yield* sentFlows.byToken(row.tenantId, token)
        return sent === null ? null : sentFlowId(sent)
      })

      /** A conversation that has nothing but what campaigns wrote begins when its customer writes. */
      const startedBy = Effect.fnUntraced(function* ({ conversation, customer, number }: Parties) {
        const { id, lastMessageId } = conversation
        const last = lastMessageId === null ? null : yield* messageStore.byId(lastMessageId)
        if (last === null || last.campaignId === null) return []
        const before = yield* messageStore.history(customer.id, lookedBack)
        const isOfCampaigns = before.every((one) => one.conversationId !== id || one.campaignId !== null)
        return isOfCampaigns ? [conversationBegun(number, customer, id)] : []
      })

      /** Who writes a word, or taps a button, that says so gets no more messages of campaigns, or gets them again. */
      const preferredBy = Effect.fnUntraced(function* (
        { phone, tenantId, userRef: userId }: Parties["customer"],
        message: Message
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        const stated = statedPreference(message)
        if (stated === null) return []
        const person = { phone, userId }
        const { preference, source, word: detail } = stated
        return preference === "stop"
          ? yield* optOuts.add(tenantId, { person, phoneNumberId: null, scope: "all", source, detail })
          : yield* optOuts.resume(tenantId, person, { sources: ["keyword", "button"] })
      })

      /** What somebody has said at the channel's network. */
      const preference = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        { phone, userRef, value }: InboundPreference
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        const { phoneNumberId, tenantId } = number
        const customer = yield* customers.find(number, { phone, userRef })
        const person = { phone: phone ?? customer?.phone ?? null, userId: userRef ?? customer?.userRef ?? null }
        if (value === "signup" && person.phone !== null) yield* consent.given(tenantId, person.phone)
        return value === "stop"
          ? yield* optOuts.add(tenantId, { ...atNetwork, person, phoneNumberId })
          : yield* optOuts.resume(tenantId, person, { sources: ["platform"], phoneNumberId })
      })

      /** Who is locked, and what, before the first write. */
      const lockParts = Effect.fnUntraced(function* (parts: ReadonlyArray<NumberBatch>) {
        // The transaction that records such a message as accepted takes this lock first, too. So the second of the two finds the rows of
        // the first.
        const reported = parts.flatMap(({ messages, statuses }) => [
          ...statuses.map(({ msgid }) => msgid),
          ...messages.filter(({ isEcho }) => isEcho).map(({ id }) => id),
          ...messages.filter(isChange).map(({ change }) => change.msgid)
        ])
        for (const msgid of [...new Set(reported)].toSorted()) yield* lock("report", msgid)
        const updates = parts.flatMap(({ messages, number }) => messages.map((one) => identityOf(number, one)))
        const owners = yield* Effect.forEach(parts, ({ messages, number }) => changes.owners(number, messages))
        yield* customers.lockIdentities(
          updates.filter((one) => one !== null),
          owners.flat()
        )
        for (const { number, payments: reports = [] } of parts) yield* payments.lock(number, reports)
      })

      const storedPart = Effect.fnUntraced(function* (part: NumberBatch) {
        const { number, statuses } = part
        // Reports of sent messages, which are most of what comes while a campaign sends, do not need it.
        const policy = yield* Effect.cached(policyOf(number))
        const events: Array<NewEvent> = []
        const given = yield* unstored(part)
        const kept = new Set(
          yield* unmatched.among(
            number.id,
            given.map(({ id }) => id)
          )
        )
        for (const one of given) {
          if (isChange(one)) yield* changes.apply(number, one)
          else events.push(...(yield* message(number, yield* policy, one, kept)))
        }
        for (const one of part.preferences ?? []) events.push(...(yield* preference(number, one)))
        for (const one of part.payments ?? []) yield* payments.reported(number, one)
        const learnt: Array<IdentityUpdate> = []
        for (const one of statuses) {
          const report = yield* status(number, one)
          events.push(...report.events)
          if (report.learnt !== null) learnt.push(report.learnt)
        }
        return { events, learnt }
      })

      const stored = Effect.fnUntraced(function* (delivery: InboundDelivery) {
        const parts = yield* numbersOf(delivery)
        yield* lockParts(parts)
        const done = yield* Effect.forEach(parts, storedPart)
        const reported = yield* Effect.forEach(delivery.accounts ?? [], (news) =>
          accounts.apply(delivery.channel, news, moves.checkWithin)
        )
        const events = yield* outbox.append([...done.flatMap((part) => part.events), ...reported.flat()])
        return { events, learnt: done.flatMap(({ learnt }) => learnt), seen: seenIn(parts) }
      })

      /** In a transaction of its own, which locks others; before the delivery is acknowledged. */
      const learn = Effect.fnUntraced(function* (update: IdentityUpdate) {
        yield* customers.lockIdentities([update])
        return yield* outbox.append(yield* customers.learn(update))
      }, storage.transact)

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
        const { events, learnt, seen } = yield* storage.transact(stored(delivery))
        yield* outbox.publish(events)
        for (const update of learnt) yield* outbox.publish(yield* learn(update))
        yield* wake
        yield* markRead(seen)
      }, Effect.uninterruptible)

      const sweep = storage.transact(
        Effect.gen(function* () {
          const at = yield* Instant.now
          const stale = yield* messageStore.expireStaleSends(Instant.plus(at, -staleSendMs), sweepBatchSize)
          return stale.length + (yield* unmatched.sweep(Instant.plus(at, -keepUnmatchedMs), sweepBatchSize))
        })
      )

      return Inbound.of({ receive, sweep })
    })
  )
}

/** Between two, not in a group. */
const isPrivate = ({ group }: InboundMessage): boolean => group === undefined || group === null

/** What nobody says anything by. */
const emptyTypes: ReadonlySet<string> = new Set(["reaction", "edit", "revoke", "system", "unsupported", "unknown"])

const isAnswer = ({ content, isEcho }: InboundMessage): boolean => isEcho && !emptyTypes.has(contentJson(content).type)

/** True of a message by which a customer says something. */
const isSaid = ({ type }: Message): boolean => !emptyTypes.has(type)

/** The sender of a message, or the recipient of an echo; a group by itself. Null where it names none. */
const identityOf = (number: ConnectedNumber, given: InboundMessage): IdentityUpdate | null => {
  if (!isPrivate(given)) {
    return { number, person: { phone: null, userRef: given.group ?? null, name: null }, next: unchanged, forms: [] }
  }
  const person = given.isEcho
    ? { phone: given.to, userRef: given.toRef, name: null }
    : { phone: given.from, userRef: given.userRef, name: given.name }
  if (person.phone === null && person.userRef === null) return null
  const forms = given.otherPhone === undefined || given.otherPhone === null ? [] : [given.otherPhone]
  return { number, person, next: { phone: given.newPhone, userRef: given.newUserRef }, forms }
}

/** The last message of each customer that is to be marked read. */
const seenIn = (parts: ReadonlyArray<NumberBatch>): ReadonlyMap<string, Seen> => {
  const seen = new Map<string, Seen>()
  for (const { messages, number } of parts) {
    for (const one of messages) {
      if (one.isEcho || number.botId === null || isChange(one) || !isPrivate(one)) continue
      const from = recipientOf({ phone: one.from, userRef: one.userRef })
      seen.set(`${number.id} ${one.userRef ?? one.from}`, { number, msgid: one.id, from })
    }
  }
  return seen
}

/** The row of a delivered message. An echo was sent from the number by another program. */
const rowOf = (
  { conversation, customer, number }: Parties,
  given: InboundMessage,
  { at, id }: { readonly id: Message["id"]; readonly at: Instant.Instant }
): Message => {
  const { type, ...said } = storedContent(given.content)
  const { content, text } = storable(said)
  return {
    ...asWritten,
    id,
    tenantId: number.tenantId,
    phoneId: number.id,
    customerId: customer.id,
    conversationId: conversation.id,
    msgid: given.id,
    direction: given.isEcho ? "outbound" : "inbound",
    role: given.isEcho ? "agent" : "user",
    type,
    text,
    body: content,
    context: given.contextId,
    callbackData: null,
    status: given.isEcho ? "sent" : "received",
    fault: null,
    turnId: null,
    part: null,
    writtenAt: given.at === null ? null : Instant.earlier(given.at, at),
    createdAt: at
  }
}

/** More messages than campaigns write to anybody in the day after which a conversation ends. */
const lookedBack = 20

/** Longer than the platform repeats a delivery. */
const keepUnmatchedMs = 8 * Instant.day

/** Longer than any request to the platform takes. */
const staleSendMs = 5 * Instant.minute

const sweepBatchSize = 1000
