/** What became of a message on its way out, as its row and its events show it. Source: docs/reference/messaging.md#sending. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../../platform/events/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type { ChannelFailed } from "../channels/ChannelFailed.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import type { Customer } from "../customers/Customer.ts"
import { CustomerStore } from "../customers/CustomerStore.ts"
import { messageEvent, statusEvents } from "../customers/MessagingEvents.ts"
import { CampaignMessages } from "../messages/CampaignMessages.ts"
import type { Message, MessageError } from "../messages/Message.ts"
import { afterChanges } from "../messages/MessageChanges.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import { PaymentMessages } from "../messages/PaymentMessages.ts"
import { statusAfter } from "../messages/StatusOrder.ts"
import { UnmatchedStatusStore } from "../messages/UnmatchedStatusStore.ts"
import { atNetwork, OptOutList } from "../opt-outs/index.ts"

/** The fault of a message with an unknown outcome. */
const unknownFate: MessageError = {
  code: null,
  message: "Whether the platform took this message is not known. It is not sent again, so that it cannot arrive twice."
}

const brokenTurn = "Not sent, since a part in front of it could not be sent."

/** Why a message has failed, as it may be shown. */
export const faultOf = (failed: ChannelFailed): MessageError =>
  failed._tag === "ChannelRefused"
    ? { code: failed.code, message: failed.sentence }
    : { code: null, message: "The platform could not be reached." }

const isOptOut = (failed: ChannelFailed): boolean => failed._tag === "ChannelRefused" && failed.class === "opted_out"

/** Every verb needs the customer's lock, and returns the events to be appended. */
export class SendOutcomes extends Context.Service<
  SendOutcomes,
  {
    /**
     * Records that the channel has accepted a message, with the statuses that the channel reported before its id was known. Needs
     * the lock of the report too.
     */
    readonly recordAccepted: (
      number: ConnectedNumber,
      customer: Customer,
      message: Message,
      msgid: string
    ) => Effect.Effect<{ readonly message: Message; readonly events: ReadonlyArray<NewEvent> }, StorageError, Tx | Read>
    /** The same for a message as it was sent: one statement, unless the channel has reported a status of it already. */
    readonly recordSent: (
      number: ConnectedNumber,
      customer: Customer,
      sending: Message,
      msgid: string
    ) => Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx | Read>
    /**
     * Records that the channel has not accepted a message; null is a failure that no channel has reported. Of a reply the parts
     * behind it fail too. A refusal that `requeues` puts the message back into the queue.
     */
    readonly recordFailure: (
      number: ConnectedNumber,
      message: Message,
      failed: ChannelFailed | null,
      requeues: (failed: ChannelFailed) => boolean
    ) => Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx | Read>
    /** Fails queued messages for one reason. */
    readonly failQueued: (
      number: Pick<ConnectedNumber, "tenantId" | "botId">,
      messages: ReadonlyArray<Message>,
      why: string
    ) => Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx>
    /** The network has refused a message, because its recipient has opted out of marketing messages there. */
    readonly recordOptOut: (
      number: ConnectedNumber,
      message: Message
    ) => Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx | Read>
    /** Records that it is unknown whether the channel has accepted a message. */
    readonly markUnknown: (message: Message) => Effect.Effect<void, StorageError, Tx | Read>
  }
>()("@trunkline/core/messaging/sending/SendOutcomes") {
  static readonly layer = Layer.effect(
    SendOutcomes,
    Effect.gen(function* () {
      const campaigns = yield* CampaignMessages
      const payments = yield* PaymentMessages
      const messages = yield* MessageStore
      const customers = yield* CustomerStore
      const optOuts = yield* OptOutList
      const unmatched = yield* UnmatchedStatusStore

      const recordAccepted = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        customer: Customer,
        present: Message,
        msgid: string
      ) {
        const early = yield* unmatched.claim(number.id, msgid)
        const other = yield* messages.byMsgid(number.id, msgid)
        // A platform that delivers our own message to us may be faster than its answer: the id is taken then.
        const own = other === null || other.id === present.id ? msgid : null
        const events: Array<NewEvent> = []
        const changes = early.map(({ change }) => change)
        let message: Message = { ...afterChanges(present, changes), msgid: own }
        if (changes.some((change) => change !== null)) yield* messages.change(present, message)
        // The answer and a report both make this event, whichever comes first.
        if (present.msgid === null) events.push(messageEvent(message, msgid, number, customer))
        for (const { fault, status } of [{ status: "sent" as const, fault: null }, ...early]) {
          const next = statusAfter(message.status, status)
          if (next === null) continue
          message = { ...message, status: next, fault: next === "failed" ? fault : null }
          events.push(...statusEvents({ ...message, msgid }, number))
        }
        yield* messages.save(present, message)
        yield* campaigns.follow({ ...message, msgid })
        yield* payments.accepted({ ...message, msgid })
        return { message, events }
      })

      const recordSent = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        customer: Customer,
        sending: Message,
        msgid: string
      ) {
        if (!(yield* messages.markSent(sending, msgid))) {
          const present = (yield* messages.byId(sending.id)) ?? sending
          return (yield* recordAccepted(number, customer, present, msgid)).events
        }
        const now: Message = { ...sending, msgid, status: "sent" }
        yield* campaigns.follow(now)
        yield* payments.accepted(now)
        return [messageEvent(now, msgid, number, customer), ...statusEvents(now, number)]
      })

      const failQueued = Effect.fnUntraced(function* (
        number: Pick<ConnectedNumber, "tenantId" | "botId">,
        queued: ReadonlyArray<Message>,
        why: string
      ) {
        const events: Array<NewEvent> = []
        for (const message of queued) {
          const now: Message = { ...message, status: "failed", fault: { code: null, message: why } }
          yield* messages.save(message, now)
          events.push(...statusEvents(now, number))
        }
        return events
      })

      const recordFailure = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        present: Message,
        failed: ChannelFailed | null,
        requeues: (failed: ChannelFailed) => boolean
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        const isUnknown = failed === null || !failed.isCertain
        // A status that was reported meanwhile is right; where the row is unknown, only a certain failure changes it.
        if (present.status !== "sending" && (isUnknown || present.status !== "unknown")) return []
        if (isUnknown) {
          yield* markUnknown(present)
          return []
        }
        if (present.status === "sending" && requeues(failed)) {
          yield* messages.save(present, { msgid: null, status: "queued", fault: null })
          return []
        }
        const now: Message = { ...present, status: "failed", fault: faultOf(failed) }
        yield* messages.save(present, now)
        yield* payments.refused(now)
        const { customerId, turnId } = present
        const open = turnId === null ? [] : yield* messages.openParts(customerId)
        const rest = open.filter((one) => one.turnId === turnId && one.status === "queued")
        const optedOut = isOptOut(failed) ? yield* recordOptOut(number, present) : []
        return [...statusEvents(now, number), ...(yield* failQueued(number, rest, brokenTurn)), ...optedOut]
      })

      const recordOptOut = Effect.fnUntraced(function* (
        { phoneNumberId, tenantId }: ConnectedNumber,
        { customerId }: Message
      ) {
        const customer = yield* customers.byId(customerId)
        const person = { phone: customer?.phone ?? null, userId: customer?.userRef ?? null }
        return yield* optOuts.add(tenantId, { ...atNetwork, person, phoneNumberId })
      })

      const markUnknown = Effect.fnUntraced(function* (message: Message) {
        const now: Message = { ...message, status: "unknown", fault: unknownFate }
        yield* messages.save(message, now)
        yield* campaigns.follow(now)
      })

      return SendOutcomes.of({ recordAccepted, recordSent, recordFailure, failQueued, recordOptOut, markUnknown })
    })
  )
}
