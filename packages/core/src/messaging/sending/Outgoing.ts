/** Sends one message: its row is written before the request, its outcome after it. Source: docs/reference/messaging.md#sending. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { type Doer, Vault } from "../../platform/accounts/index.ts"
import { Outbox } from "../../platform/events/index.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import type { ChannelConnection, Recipient } from "../channels/ChannelConnection.ts"
import { type ChannelFailed, ChannelUnreachable } from "../channels/ChannelFailed.ts"
import type { ChatChannel, Sent } from "../channels/ChatChannel.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { TemplateRecipients } from "../channels/TemplateRecipients.ts"
import { afterOutbound } from "../conversations/Awaits.ts"
import { ConversationStore } from "../conversations/ConversationStore.ts"
import { isOpen, isWindowLimited } from "../conversations/ReplyWindow.ts"
import type { Customer } from "../customers/Customer.ts"
import { learntOf, type Person, unchanged } from "../customers/CustomerIdentity.ts"
import { CustomerStore } from "../customers/CustomerStore.ts"
import { Customers } from "../customers/Customers.ts"
import { contentOf } from "../messages/ContentTranslation.ts"
import { asWritten, type Message } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import type { PublicMessage } from "../messages/PublicContent.ts"
import { SendOutcomes } from "./SendOutcomes.ts"

/** What is written in the transaction of a message's row, before the channel is asked: where it fails nothing is sent. */
export type ClaimWith<E> = (message: Message, customer: Customer) => Effect.Effect<void, E | StorageError, Tx | Read>

/** One message of the account's own to one person. */
export interface Dispatch<E = never> {
  readonly number: ConnectedNumber
  readonly person: Person
  readonly to: Recipient
  readonly message: PublicMessage
  /** Returned in every event about the message's status. */
  readonly callbackData: string | null
  /** The person who sends it; left out for a program. */
  readonly sentBy?: Doer | null
  /** The token that was made for the flow that it sends; left out: none was. */
  readonly flowToken?: string | null
  readonly claim?: ClaimWith<E> | undefined
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
interface SendOptions {
  /** True of a failure that will pass: the row becomes `queued` again. */
  readonly requeues: (failed: ChannelFailed) => boolean
  readonly retry?: RetryPolicy
  /** Default: the customer by phone, or by the channel's id where it has none. */
  readonly to?: Recipient
  /** Fields of the message in the channel's own words. */
  readonly options?: PublicMessage["options"]
}

export class Outgoing extends Context.Service<
  Outgoing,
  {
    /**
     * Sends one message of a person's or program's, once, and stores it in the conversation with its outcome. Cannot be
     * interrupted. Fails as uncertain where the outcome cannot be stored.
     */
    readonly send: <E = never>(
      dispatch: Dispatch<E>,
      retry?: RetryPolicy
    ) => Effect.Effect<{ readonly message: Message; readonly accepted: Sent }, ChannelFailed | E | StorageError>
    /** A number's channel, and the number as the channel knows it. */
    readonly senderOf: (number: ConnectedNumber) => Effect.Effect<Sender>
    /**
     * Sends a message whose row is `sending`, and records the outcome; where a part of a reply certainly fails, so do the parts
     * behind it. Returns the channel's failure, which is recorded too.
     */
    readonly post: (
      sender: Sender,
      customer: Customer,
      message: Message,
      options: SendOptions
    ) => Effect.Effect<Exit.Exit<Sent, ChannelFailed>, StorageError>
  }
>()("@trunkline/core/messaging/sending/Outgoing") {
  static readonly layer = Layer.effect(
    Outgoing,
    Effect.gen(function* () {
      const conversations = yield* ConversationStore
      const customers = yield* Customers
      const customerStore = yield* CustomerStore
      const messages = yield* MessageStore
      const outbox = yield* Outbox
      const outcomes = yield* SendOutcomes
      const channels = yield* ChatChannels
      const recipients = yield* TemplateRecipients
      const storage = yield* Storage
      const relaxed = storage.transactWith({ durability: "relaxed" })
      const vault = yield* Vault

      const senderOf = Effect.fnUntraced(function* (number: ConnectedNumber) {
        const { businessAccountId, phoneNumberId, token } = number
        // A token that cannot be opened is an installation with another key: only the operator can repair it.
        const credentials = Redacted.make(yield* Effect.orDie(vault.decrypt(token)))
        const connection = { id: phoneNumberId, accountId: businessAccountId, credentials }
        return { number, channel: channels.of(number), connection }
      })

      /** The channel has accepted a message, and may say by which other id it knows the customer: then the two are one. */
      const recordSent = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        customer: Customer,
        message: Message,
        { contact, id }: Sent
      ) {
        // A transaction that is storing a report without its message finds the message after this one.
        yield* lock("report", id)
        const learnt = contact === null ? null : learntOf(number, customer, contact)
        if (learnt === null) {
          yield* lock("customer", customer.id)
          return yield* outcomes.recordSent(number, customer, message, id)
        }
        yield* customers.lockIdentities([learnt], [customer.id])
        const events = yield* customers.learn(learnt)
        const present = (yield* messages.byId(message.id)) ?? message
        const now = (yield* customerStore.byId(present.customerId)) ?? customer
        return [...events, ...(yield* outcomes.recordSent(number, now, present, id))]
      })

      const post = Effect.fnUntraced(function* (
        { channel, connection, number }: Sender,
        customer: Customer,
        message: Message,
        { options = {}, requeues, retry = noRetry, to = recipientOf(customer) }: SendOptions
      ) {
        const outbound = { content: contentOf(message.type, message.body), answers: message.context, options }
        const exit = yield* Effect.exit(retry(channel.send(connection, to, outbound, message.id)))
        // The channel has stored the message: the caller need not wait for our disk. After a power cut a part of a reply is found
        // as `sending`, and is not sent again.
        const written = relaxed(
          Effect.gen(function* () {
            if (Exit.isSuccess(exit))
              return yield* outbox.append(yield* recordSent(number, customer, message, exit.value))
            yield* lock("customer", customer.id)
            const present = (yield* messages.byId(message.id)) ?? message
            return yield* outbox.append(yield* outcomes.recordFailure(number, present, failureOf(exit), requeues))
          })
        )
        // Only this process knows what the channel answered.
        const events = yield* Effect.retry(written, {
          schedule: Schedule.exponential("200 millis"),
          times: 5,
          while: (error) => error.isRetryable
        })
        yield* outbox.publish(events)
        return exit
      }, Effect.uninterruptible)

      const send = Effect.fnUntraced(function* <E = never>(
        { callbackData, claim, flowToken = null, message: outbound, number, person, sentBy, to }: Dispatch<E>,
        retry: RetryPolicy = noRetry
      ) {
        const sender = yield* senderOf(number)
        // Nothing sends this row again by itself: until its outcome is recorded it need not survive a power cut. A claim must.
        const begun = yield* (claim === undefined ? relaxed : storage.transact)(
          Effect.gen(function* () {
            const update = { number, person, next: unchanged, forms: [] }
            yield* customers.lockIdentities([update])
            const { conversation, customer, events } = yield* customers.resolve(update)
            yield* customerStore.saveActivity(customer)
            const at = yield* Instant.now
            if (!isWindowLimited(outbound.type) && !isOpen(customer.windowExpiresAt, at)) {
              yield* recipients.count(number, customer, at)
            }
            const message: Message = {
              ...asWritten,
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
              sentBy: sentBy?.subject ?? null,
              sentByName: sentBy?.name ?? null,
              flowToken,
              createdAt: at
            }
            yield* messages.add(message)
            yield* conversations.save(afterOutbound(conversation, message))
            if (claim !== undefined) yield* claim(message, customer)
            return { customer, message, events: yield* outbox.append(events) }
          })
        )
        yield* outbox.publish(begun.events)
        const { options } = outbound
        const posted = post(sender, begun.customer, begun.message, { requeues: () => false, retry, to, options })
        const exit = yield* Effect.mapError(posted, ({ message }) => notWritten(message))
        return { message: begun.message, accepted: yield* exit }
      }, Effect.uninterruptible)

      return Outgoing.of({ send, senderOf, post })
    })
  )
}

/** Whom a customer's messages go to. */
export const recipientOf = ({ phone, userRef }: Pick<Customer, "phone" | "userRef">): Recipient =>
  phone === null ? { _tag: "User", id: userRef ?? "" } : { _tag: "Phone", phone }

/** The message may have been accepted: the failure must not be certain. */
const notWritten = (reason: string): ChannelUnreachable =>
  new ChannelUnreachable({ isCertain: false, detail: `what became of a message could not be written down: ${reason}` })

const failureOf = (exit: Exit.Exit<Sent, ChannelFailed>): ChannelFailed | null => {
  if (Exit.isSuccess(exit)) return null
  const found = Cause.findErrorOption(exit.cause)
  return found._tag === "None" ? null : found.value
}
