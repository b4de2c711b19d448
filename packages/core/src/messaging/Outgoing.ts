/** One message on its way out: what is written before it goes and after it has gone. Source: docs/messaging.md#sending. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { Vault } from "../access/index.ts"
import { type NewEvent, Outbox } from "../events/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../storage/index.ts"
import {
  type ChannelConnection,
  type ChannelFailed,
  ChannelUnreachable,
  type ChatChannel,
  type OutboundMessage,
  type Recipient,
  type Sent
} from "./ChatChannel.ts"
import { ChatChannels } from "./ChatChannels.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import type { Customer } from "./Customer.ts"
import { type Person, unchanged } from "./CustomerIdentity.ts"
import { CustomerStore } from "./CustomerStore.ts"
import { Customers } from "./Customers.ts"
import type { Message, MessageError } from "./Message.ts"
import type { ContentType } from "./MessageContent.ts"
import { MessageStore } from "./MessageStore.ts"
import { messageEvent, statusEvents } from "./MessagingEvents.ts"
import { statusAfter } from "./StatusOrder.ts"
import { UnmatchedStatusStore } from "./UnmatchedStatusStore.ts"

/** One message of the account's own to one person. */
export interface Dispatch {
  readonly number: ConnectedNumber
  readonly person: Person
  readonly to: Recipient
  readonly message: OutboundMessage
  /** Returned in every event about the message's status. */
  readonly callbackData: string | null
}

/** Repeats one request to the channel: only where the one before was surely not accepted. */
export type RetryPolicy = (once: Effect.Effect<Sent, ChannelFailed>) => Effect.Effect<Sent, ChannelFailed>

export const noRetry: RetryPolicy = (once) => once

/** A number, its channel, and how the channel knows it. */
export interface Sender {
  readonly number: ConnectedNumber
  readonly channel: ChatChannel["Service"]
  readonly connection: ChannelConnection
}

/** How a message that stands in its row is sent. */
export interface SendOptions {
  /** True of a refusal that will pass: the row stays `queued`. */
  readonly keeps: (failed: ChannelFailed) => boolean
  readonly retry?: RetryPolicy
  /** Default: the customer by phone, or by the channel's id where it has none. */
  readonly to?: Recipient
  /** Fields of the message in the channel's own words. */
  readonly options?: OutboundMessage["options"]
}

/** The fault of a message whose fate nobody knows. */
const unknownFate: MessageError = {
  code: null,
  message: "Whether the platform took this message is not known. It is not sent again, so that it cannot arrive twice."
}

export class Outgoing extends Context.Service<
  Outgoing,
  {
    /**
     * Sends one message of a person's or program's, once, and writes it into the conversation whatever comes of it. Not to be
     * interrupted once it has begun. Where it was sent and cannot be recorded, nobody knows what became of it.
     */
    readonly send: (
      dispatch: Dispatch,
      retry?: RetryPolicy
    ) => Effect.Effect<{ readonly message: Message; readonly accepted: Sent }, ChannelFailed | StorageError>
    /** A number's channel, and the number as the channel knows it. */
    readonly senderOf: (number: ConnectedNumber) => Effect.Effect<Sender>
    /**
     * Sends a message that stands in its row as `sending`, and records what came of it; a turn ends with a part that surely
     * fails. Returns the channel's failure, which is recorded too.
     */
    readonly post: (
      sender: Sender,
      customer: Customer,
      message: Message,
      options: SendOptions
    ) => Effect.Effect<Exit.Exit<Sent, ChannelFailed>, StorageError>
    /**
     * Writes down that the channel has accepted a message, with what it has reported of it before. Tells the row and what others
     * hear of it. The caller holds the report and the customer.
     */
    readonly taken: (
      number: ConnectedNumber,
      customer: Customer,
      message: Message,
      msgid: string
    ) => Effect.Effect<{ readonly message: Message; readonly events: ReadonlyArray<NewEvent> }, StorageError, Tx | Read>
    /** Fails what is queued, for one reason; tells what others hear of it. The caller holds the customer. */
    readonly failQueued: (
      number: Pick<ConnectedNumber, "tenantId" | "botId">,
      messages: ReadonlyArray<Message>,
      why: string
    ) => Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx>
    /** What is written when it turns out that nobody knows what became of a message. The caller holds the customer. */
    readonly markUnknown: (message: Message) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/messaging/Outgoing") {
  static readonly layer = Layer.effect(
    Outgoing,
    Effect.gen(function* () {
      const customers = yield* Customers
      const customerStore = yield* CustomerStore
      const messages = yield* MessageStore
      const outbox = yield* Outbox
      const channels = yield* ChatChannels
      const storage = yield* Storage
      const relaxed = storage.transactWith({ durability: "relaxed" })
      const unmatched = yield* UnmatchedStatusStore
      const vault = yield* Vault

      const senderOf = Effect.fnUntraced(function* (number: ConnectedNumber) {
        const { businessAccountId, phoneNumberId, token } = number
        // A token that cannot be opened is an installation with another key: only the operator can mend it.
        const credentials = Redacted.make(yield* Effect.orDie(vault.decrypt(token)))
        const connection = { id: phoneNumberId, accountId: businessAccountId, credentials }
        return { number, channel: channels.of(number), connection }
      })

      const taken = Effect.fnUntraced(function* (
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
        let message: Message = { ...present, msgid: own }
        // Both the answer and a report tell of it, whichever comes first.
        if (present.msgid === null) events.push(messageEvent(message, msgid, number, customer))
        for (const { fault, status } of [{ status: "sent" as const, fault: null }, ...early]) {
          const next = statusAfter(message.status, status)
          if (next === null) continue
          message = { ...message, status: next, fault: next === "failed" ? fault : null }
          events.push(...statusEvents({ ...message, msgid }, number))
        }
        yield* messages.save(present.id, message)
        return { message, events }
      })

      /** The same for a message that is being sent, as almost always, when nobody has told of it before. */
      const sent = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        customer: Customer,
        sending: Message,
        msgid: string
      ) {
        if (!(yield* messages.markSent(sending.id, msgid))) {
          const present = (yield* messages.byId(sending.id)) ?? sending
          return (yield* taken(number, customer, present, msgid)).events
        }
        const now: Message = { ...sending, msgid, status: "sent" }
        return [messageEvent(now, msgid, number, customer), ...statusEvents(now, number)]
      })

      const failQueued = Effect.fnUntraced(function* (
        number: Pick<ConnectedNumber, "tenantId" | "botId">,
        queued: ReadonlyArray<Message>,
        why: string
      ) {
        const told: Array<NewEvent> = []
        for (const message of queued) {
          const now: Message = { ...message, status: "failed", fault: { code: null, message: why } }
          yield* messages.save(message.id, now)
          told.push(...statusEvents(now, number))
        }
        return told
      })

      const refused = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        present: Message,
        failed: ChannelFailed | null,
        keeps: SendOptions["keeps"]
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        const isUnknown = failed === null || !failed.isCertain
        // A report was faster and knows better; of what was lost meanwhile only a sure word is news.
        if (present.status !== "sending" && (isUnknown || present.status !== "unknown")) return []
        if (isUnknown) {
          yield* markUnknown(present)
          return []
        }
        if (present.status === "sending" && keeps(failed)) {
          yield* messages.save(present.id, { msgid: null, status: "queued", fault: null })
          return []
        }
        const now: Message = { ...present, status: "failed", fault: faultOf(failed) }
        yield* messages.save(present.id, now)
        const { customerId, turnId } = present
        const open = turnId === null ? [] : yield* messages.openParts(customerId)
        const rest = open.filter((one) => one.turnId === turnId && one.status === "queued")
        return [...statusEvents(now, number), ...(yield* failQueued(number, rest, brokenTurn))]
      })

      const post = Effect.fnUntraced(function* (
        { channel, connection, number }: Sender,
        customer: Customer,
        message: Message,
        { keeps, options = {}, retry = noRetry, to = recipientOf(customer) }: SendOptions
      ) {
        const outbound = { ...contentOf(message), answers: message.context, options }
        const exit = yield* Effect.exit(retry(channel.send(connection, to, outbound, message.id)))
        // The channel has it on its disk: who is answered need not wait for ours. A part of a turn is found to be sending after a
        // power cut, and is not sent again.
        const written = relaxed(
          Effect.gen(function* () {
            // Whoever is just keeping a report for want of this message finds it after us.
            if (Exit.isSuccess(exit)) yield* lock("report", exit.value.id)
            yield* lock("customer", customer.id)
            if (Exit.isSuccess(exit)) return yield* outbox.append(yield* sent(number, customer, message, exit.value.id))
            const present = (yield* messages.byId(message.id)) ?? message
            return yield* outbox.append(yield* refused(number, present, failureOf(exit), keeps))
          })
        )
        // Nobody else knows: it is worth another try.
        const events = yield* Effect.retry(written, {
          schedule: Schedule.exponential("200 millis"),
          times: 5,
          while: (error) => error.isRetryable
        })
        yield* outbox.publish(events)
        return exit
      }, Effect.uninterruptible)

      const send = Effect.fnUntraced(function* (
        { callbackData, message: outbound, number, person, to }: Dispatch,
        retry: RetryPolicy = noRetry
      ) {
        const sender = yield* senderOf(number)
        // Nobody sends it again by itself, so that its row need not outlive a power cut before what came of it stands there too.
        const begun = yield* relaxed(
          Effect.gen(function* () {
            const update = { number, person, next: unchanged }
            yield* customers.lockIdentities([update])
            const { conversation, customer, events } = yield* customers.resolve(update)
            yield* customerStore.saveActivity(customer)
            const message: Message = {
              id: yield* Ids.fresh<"Message">(),
              tenantId: number.tenantId,
              phoneId: number.id,
              customerId: customer.id,
              conversationId: conversation.id,
              msgid: null,
              direction: "outbound",
              role: "agent",
              type: outbound.type,
              text: outbound.text,
              body: outbound.body,
              context: outbound.answers,
              callbackData,
              status: "sending",
              fault: null,
              turnId: null,
              part: null,
              createdAt: yield* Instant.now
            }
            yield* messages.add(message)
            return { customer, message, events: yield* outbox.append(events) }
          })
        )
        yield* outbox.publish(begun.events)
        const { options } = outbound
        const posted = post(sender, begun.customer, begun.message, { keeps: () => false, retry, to, options })
        const exit = yield* Effect.mapError(posted, ({ message }) => notWritten(message))
        return { message: begun.message, accepted: yield* exit }
      }, Effect.uninterruptible)

      const markUnknown = (message: Message) =>
        messages.save(message.id, { msgid: message.msgid, status: "unknown", fault: unknownFate })

      return Outgoing.of({ send, senderOf, post, taken, failQueued, markUnknown })
    })
  )
}

/** Whom a customer's messages go to. */
export const recipientOf = ({ phone, userRef }: Pick<Customer, "phone" | "userRef">): Recipient =>
  phone === null ? { _tag: "User", id: userRef ?? "" } : { _tag: "Phone", phone }

const contentOf = ({ body, text, type }: Message) => ({ type: type as ContentType, text, body }) // ours: a content type

/** What was asked for may have happened: nobody may be told that nothing did. */
const notWritten = (reason: string): ChannelUnreachable =>
  new ChannelUnreachable({ isCertain: false, detail: `what became of a message could not be written down: ${reason}` })

const faultOf = (failed: ChannelFailed): MessageError =>
  failed._tag === "ChannelRefused"
    ? { code: failed.code, message: failed.sentence }
    : { code: null, message: "The platform could not be reached." }

const brokenTurn = "Not sent, since a part in front of it could not be sent."

const failureOf = (exit: Exit.Exit<Sent, ChannelFailed>): ChannelFailed | null => {
  if (Exit.isSuccess(exit)) return null
  const found = Cause.findErrorOption(exit.cause)
  return found._tag === "None" ? null : found.value
}
