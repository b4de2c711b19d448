/** One message on its way out: what is written before it goes and after it has gone. Source: docs/messaging.md#sending. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Vault } from "../access/index.ts"
import { type NewEvent, Outbox } from "../events/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../storage/index.ts"
import {
  type Accepted,
  ChatPlatform,
  type PlatformFailed,
  type PlatformNumber,
  PlatformUnreachable,
  type WireObject
} from "./ChatPlatform.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import { ConversationStore, type Customer } from "./ConversationStore.ts"
import { Customers, type Person } from "./Customers.ts"
import type { Message, MessageError } from "./Message.ts"
import { messageEvent, statusEvents } from "./MessagingEvents.ts"
import { isInDoubt, sentenceOf } from "./PlatformCodes.ts"
import { statusAfter } from "./StatusMoves.ts"

/** What is sent to a person: the platform's words, without the product and whoever it goes to. */
export interface Letter {
  readonly type: string
  readonly text: string | null
  /** The object that the type names. */
  readonly body: WireObject
}

/** Makes of one request to the platform as many as it takes: more than one only where the one before was surely not taken. */
export type Attempts = (once: Effect.Effect<Accepted, PlatformFailed>) => Effect.Effect<Accepted, PlatformFailed>

export const justOnce: Attempts = (once) => once

/** The fault of a message whose fate nobody knows. */
const unknownFate: MessageError = {
  code: null,
  message: "Whether the platform took this message is not known. It is not sent again, so that it cannot arrive twice."
}

export class Outgoing extends Context.Service<
  Outgoing,
  {
    /**
     * Sends one message of a person's or program's, once, and writes it into the conversation whatever comes of it. `wire` is
     * what goes out besides our own reference. Not to be interrupted once it has begun. Where it was sent and cannot be written
     * down, nobody knows what became of it.
     */
    readonly send: (
      number: ConnectedNumber,
      person: Person,
      letter: Letter,
      wire: WireObject,
      attempts?: Attempts
    ) => Effect.Effect<{ readonly message: Message; readonly accepted: Accepted }, PlatformFailed | StorageError>
    /** How the platform knows a number. */
    readonly platformNumber: (number: ConnectedNumber) => Effect.Effect<PlatformNumber>
    /**
     * Posts a message that stands in its row as `sending`, and writes down what came of it. Tells the platform's failure, which
     * is written too: with `keeps`, a refusal that will pass leaves the row `queued`.
     */
    readonly post: (
      number: ConnectedNumber,
      customer: Customer,
      message: Message,
      wire: WireObject,
      keeps: (failed: PlatformFailed) => boolean,
      attempts?: Attempts
    ) => Effect.Effect<Exit.Exit<Accepted, PlatformFailed>, StorageError>
    /** What is written when it turns out that nobody knows what became of a message. */
    readonly lose: (message: Message) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/messaging/Outgoing") {
  static readonly layer = Layer.effect(
    Outgoing,
    Effect.gen(function* () {
      const customers = yield* Customers
      const outbox = yield* Outbox
      const platform = yield* ChatPlatform
      const storage = yield* Storage
      const store = yield* ConversationStore
      const vault = yield* Vault

      const platformNumber = Effect.fnUntraced(function* (number: ConnectedNumber) {
        const { businessAccountId, phoneNumberId, token } = number
        // A token that cannot be opened is an installation with another key: only the operator can mend it.
        const opened = yield* Effect.orDie(vault.open(token))
        return { phoneNumberId, businessAccountId, token: Redacted.make(opened) }
      })

      /** The row and everything that is told of a message that the platform has taken. */
      const taken = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        customer: Customer,
        message: Message,
        msgid: string
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        const early = yield* store.takeEarly(number.id, msgid)
        // A report may have come before this line: it knew the message by our own reference.
        const present = (yield* store.messageById(message.id)) ?? message
        let now: Message = {
          ...present,
          msgid,
          status: statusAfter(present.status, "sent") ?? present.status,
          fault: null
        }
        const told: Array<NewEvent> = [messageEvent(now, number, customer)]
        if (now.status !== present.status) told.push(...statusEvents(now, number))
        for (const { fault, status } of early) {
          const next = statusAfter(now.status, status)
          if (next === null) continue
          now = { ...now, status: next, fault: next === "failed" ? fault : null }
          told.push(...statusEvents(now, number))
        }
        yield* store.saveMessage(message.id, now)
        return told
      })

      const refusedAs = (failed: PlatformFailed): Pick<Message, "status" | "fault"> =>
        isUnknown(failed)
          ? { status: "unknown", fault: unknownFate }
          : {
              status: "failed",
              fault:
                failed._tag === "PlatformRefused"
                  ? { code: failed.code, message: sentenceOf(failed) }
                  : { code: null, message: "The platform could not be reached." }
            }

      const post = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        customer: Customer,
        message: Message,
        wire: WireObject,
        keeps: (failed: PlatformFailed) => boolean,
        attempts: Attempts = justOnce
      ) {
        const to = yield* platformNumber(number)
        const exit = yield* Effect.exit(attempts(platform.send(to, { ...wire, biz_opaque_callback_data: message.id })))
        const events = yield* storage.transact(
          Effect.gen(function* () {
            // Whoever is just keeping a report for want of this message finds it after us.
            if (Exit.isSuccess(exit)) yield* lock("report", exit.value.id)
            yield* lock("customer", customer.id)
            if (Exit.isSuccess(exit))
              return yield* outbox.append(yield* taken(number, customer, message, exit.value.id))
            const failed = failureOf(exit)
            if (failed !== null && keeps(failed)) {
              yield* store.saveMessage(message.id, { msgid: null, status: "queued", fault: null })
              return []
            }
            const change = failed === null ? { status: "unknown" as const, fault: unknownFate } : refusedAs(failed)
            const present = (yield* store.messageById(message.id)) ?? message
            // A report was faster, and knows better.
            if (present.status !== "sending") return []
            const now: Message = { ...present, ...change }
            yield* store.saveMessage(message.id, now)
            return yield* outbox.append(statusEvents(now, number))
          })
        )
        yield* outbox.announce(events)
        return exit
      }, Effect.uninterruptible)

      const send = Effect.fn("Outgoing.send")(function* (
        number: ConnectedNumber,
        person: Person,
        letter: Letter,
        wire: WireObject,
        attempts: Attempts = justOnce
      ) {
        const begun = yield* storage.transact(
          Effect.gen(function* () {
            const { conversation, customer, events } = yield* customers.meet(number, person)
            yield* store.saveCustomer(customer)
            const message: Message = {
              id: yield* Ids.fresh<"Message">(),
              tenantId: number.tenantId,
              phoneId: number.id,
              customerId: customer.id,
              conversationId: conversation.id,
              msgid: null,
              direction: "outbound",
              role: "agent",
              ...letter,
              status: "sending",
              fault: null,
              turnId: null,
              part: null,
              createdAt: yield* Instant.now
            }
            yield* store.addMessage(message)
            return { customer, message, events: yield* outbox.append(events) }
          })
        )
        yield* outbox.announce(begun.events)
        const posted = post(number, begun.customer, begun.message, wire, () => false, attempts)
        const exit = yield* Effect.mapError(posted, ({ message }) => notWritten(message))
        return { message: begun.message, accepted: yield* exit }
      }, Effect.uninterruptible)

      const lose = (message: Message) =>
        store.saveMessage(message.id, { msgid: message.msgid, status: "unknown", fault: unknownFate })

      return Outgoing.of({ send, platformNumber, post, lose })
    })
  )
}

/** What was asked for may have happened: nobody may be told that nothing did. */
const notWritten = (why: string): PlatformUnreachable =>
  new PlatformUnreachable({ isCertain: false, detail: `what became of a message could not be written down: ${why}` })

/** Whether the message may have been taken all the same. */
const isUnknown = (failed: PlatformFailed): boolean =>
  failed._tag === "PlatformUnreachable" ? !failed.isCertain : isInDoubt(failed)

const failureOf = (exit: Exit.Exit<Accepted, PlatformFailed>): PlatformFailed | null => {
  if (Exit.isSuccess(exit)) return null
  const found = Cause.findErrorOption(exit.cause)
  return found._tag === "None" ? null : found.value
}
