/** What the platform delivers, stored as a whole before it is acknowledged. Source: docs/messaging.md#inbound. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { Bots } from "../bots/index.ts"
import { type NewEvent, Outbox } from "../events/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../storage/index.ts"
import { ChatPlatform } from "./ChatPlatform.ts"
import { type ConnectedNumber, ConnectedNumberStore } from "./ConnectedNumber.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { Customers } from "./Customers.ts"
import type { InboundChange, InboundMessage, InboundStatus } from "./InboundEnvelope.ts"
import { dueOf } from "./Lane.ts"
import { LaneWake } from "./LaneWake.ts"
import type { Message } from "./Message.ts"
import { messageEvent, statusEvents } from "./MessagingEvents.ts"
import { MessagingSettings } from "./MessagingSettings.ts"
import { Outgoing } from "./Outgoing.ts"
import { isAnswerable } from "./ReplyConditions.ts"
import { windowAfter } from "./ReplyWindow.ts"
import { statusAfter } from "./StatusMoves.ts"

/** The last message of a customer's that was stored, to be marked read. */
interface Seen {
  readonly number: ConnectedNumber
  readonly msgid: string
}

export class Inbound extends Context.Service<
  Inbound,
  {
    /**
     * Stores everything that a delivery holds, in one transaction: once it has returned, nothing of it is lost, and the sender
     * may be told so. What was stored before is passed over. Numbers that nobody has connected are ignored.
     */
    readonly take: (parts: ReadonlyArray<InboundChange>) => Effect.Effect<void, StorageError>
    /** Forgets reports whose message never came, and sends whose process is gone; tells how many there were. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/messaging/Inbound") {
  static readonly layer = Layer.effect(
    Inbound,
    Effect.gen(function* () {
      const bots = yield* Bots
      const customers = yield* Customers
      const numbers = yield* ConnectedNumberStore
      const outbox = yield* Outbox
      const outgoing = yield* Outgoing
      const platform = yield* ChatPlatform
      const { reply } = yield* MessagingSettings
      const storage = yield* Storage
      const store = yield* ConversationStore
      const { wake } = yield* LaneWake
      const scope = yield* Effect.scope

      /** Whether an answer may come of it at all: what is off now is not answered when it is on again. */
      const mayAnswer = Effect.fnUntraced(function* (number: ConnectedNumber, isOn: boolean) {
        if (number.botId === null || !number.aiAutoreplyEnabled || !isOn) return false
        return (yield* bots.find(number.tenantId, number.botId)) !== null
      })

      const message = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        given: InboundMessage
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        if ((yield* store.messageByMsgid(number.id, given.id)) !== null) return []
        const person = given.isEcho
          ? { phone: given.to, userRef: given.toRef, name: null }
          : { phone: given.from, userRef: given.userRef, name: given.name }
        if (person.phone === null && person.userRef === null) {
          yield* Effect.logWarning(`a message to number ${number.id} names nobody that it is from`)
          return []
        }
        const { conversation, customer: met, events } = yield* customers.meet(number, person)
        const customer = yield* customers.renamed(met, { phone: given.newPhone, userRef: given.newUserRef })
        const at = yield* Instant.now
        const stored: Message = {
          id: yield* Ids.fresh<"Message">(),
          tenantId: number.tenantId,
          phoneId: number.id,
          customerId: customer.id,
          conversationId: conversation.id,
          msgid: given.id,
          direction: given.isEcho ? "outbound" : "inbound",
          role: given.isEcho ? "agent" : "user",
          type: given.type,
          text: given.text,
          body: given.content,
          status: given.isEcho ? "sent" : "received",
          fault: null,
          turnId: null,
          part: null,
          createdAt: at
        }
        if (!(yield* store.addMessage(stored))) return []
        const told = [...events, messageEvent(stored, number, customer)]
        if (given.isEcho) {
          // A person has answered what was waiting.
          const waiting = yield* store.inboundAfter(customer.id, customer.handledUpTo, mostWaiting)
          const handledUpTo = waiting.at(-1)?.id ?? customer.handledUpTo
          yield* store.saveCustomer({ ...customer, handledUpTo, waitingSince: null, dueAt: null })
          return told
        }
        const windowExpiresAt = windowAfter(customer.windowExpiresAt, Instant.earlier(given.at ?? at, at))
        const seen = { ...customer, windowExpiresAt }
        const isWaiting = customer.waitingSince !== null
        if (!isWaiting && !isAnswerable(stored, true)) {
          yield* store.saveCustomer({ ...seen, handledUpTo: stored.id })
        } else if (yield* mayAnswer(number, conversation.aiAutoreplyEnabled)) {
          const waitingSince = customer.waitingSince ?? at
          yield* store.saveCustomer({ ...seen, waitingSince, dueAt: dueOf({ waitingSince, lastMessageAt: at }, reply) })
        } else {
          yield* store.saveCustomer({ ...seen, handledUpTo: stored.id, waitingSince: null, dueAt: null })
        }
        return told
      })

      const status = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        given: InboundStatus
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        const found = yield* ofReport(number, given)
        if (found === null) {
          const status = statusAfter("queued", given.status)
          if (status === null) return []
          const early = { phoneId: number.id, msgid: given.msgid, status, fault: given.error, at: yield* Instant.now }
          yield* store.addEarly({ ...early, id: yield* Ids.fresh() })
          return []
        }
        const next = statusAfter(found.status, given.status)
        if (next === null && found.msgid !== null) return []
        const moved = { ...found, msgid: found.msgid ?? given.msgid, status: next ?? found.status }
        const now: Message = { ...moved, fault: moved.status === "failed" ? (given.error ?? found.fault) : null }
        yield* store.saveMessage(found.id, now)
        return next === null ? [] : statusEvents(now, number)
      })

      /** By the platform's id, or by our own that we had given it. */
      const ofReport = Effect.fnUntraced(function* (number: ConnectedNumber, given: InboundStatus) {
        const known = yield* store.messageByMsgid(number.id, given.msgid)
        if (known !== null || given.callbackData === null || !Ids.isUuid(given.callbackData)) return known
        const ours = yield* store.messageById(Ids.as<"Message">(given.callbackData))
        return ours?.phoneId === number.id && ours.msgid === null ? ours : null
      })

      const stored = Effect.fnUntraced(function* (parts: ReadonlyArray<InboundChange>) {
        const events: Array<NewEvent> = []
        const seen = new Map<string, Seen>()
        // Whoever writes down what such a report is about takes this lock first: one of us finds what the other has left.
        const reported = new Set(parts.flatMap(({ statuses }) => statuses.map(({ msgid }) => msgid)))
        for (const msgid of [...reported].toSorted()) yield* lock("report", msgid)
        for (const { messages, phoneNumberId, statuses } of parts) {
          const number = yield* numbers.connected(phoneNumberId)
          if (number === null) {
            yield* Effect.logWarning("messages for a number that is not connected were passed over")
            continue
          }
          for (const one of messages) {
            events.push(...(yield* message(number, one)))
            if (!one.isEcho && number.botId !== null) {
              seen.set(`${number.id} ${one.userRef ?? one.from}`, { number, msgid: one.id })
            }
          }
          for (const one of statuses) events.push(...(yield* status(number, one)))
        }
        return { events: yield* outbox.append(events), seen: [...seen.values()] }
      })

      /** Reading one message marks those before it. Nobody waits for it, and nothing is lost when it fails. */
      const markRead = Effect.fnUntraced(function* ({ msgid, number }: Seen) {
        const to = yield* outgoing.platformNumber(number)
        yield* Effect.retry(platform.markRead(to, msgid, false), {
          schedule: Schedule.exponential("1 second"),
          times: 2
        })
      })

      const take = Effect.fn("Inbound.take")(function* (parts: ReadonlyArray<InboundChange>) {
        const { events, seen } = yield* storage.transact(stored(parts))
        yield* outbox.announce(events)
        yield* wake
        yield* Effect.forEach(seen, (one) => Effect.forkIn(Effect.ignore(markRead(one)), scope), { discard: true })
      }, Effect.uninterruptible)

      const sweep = storage.transact(
        Effect.gen(function* () {
          const at = yield* Instant.now
          const lost = yield* store.loseSends(Instant.plus(at, -lostAfterMs), sweptTogether)
          return lost + (yield* store.sweepEarly(Instant.plus(at, -keptEarlyMs), sweptTogether))
        })
      )

      return Inbound.of({ take, sweep })
    })
  )
}

/** Longer than the platform goes on delivering. */
const keptEarlyMs = 8 * Instant.day

/** Longer than any request to the platform takes. */
const lostAfterMs = 5 * Instant.minute

const sweptTogether = 1000

/** Messages of a customer that a person's answer is taken to be for. */
const mostWaiting = 1000
