/** What the platform delivers, stored as a whole before it is acknowledged. Source: docs/messaging.md#inbound. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type NewEvent, Outbox } from "../events/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../storage/index.ts"
import { type ConnectedNumber, ConnectedNumberStore } from "./ConnectedNumber.ts"
import { ConversationStore, type Customer } from "./ConversationStore.ts"
import { Customers, type Meeting } from "./Customers.ts"
import type { InboundChange, InboundMessage, InboundStatus } from "./InboundEnvelope.ts"
import { dueOf } from "./Lane.ts"
import { LaneWake } from "./LaneWake.ts"
import type { Message } from "./Message.ts"
import { messageEvent, statusEvents } from "./MessagingEvents.ts"
import { MessagingSettings } from "./MessagingSettings.ts"
import { Outgoing } from "./Outgoing.ts"
import { readMarks, type Seen } from "./ReadMarks.ts"
import { type Judge, type Judgement, replyJudges } from "./ReplyJudge.ts"
import { windowAfter } from "./ReplyWindow.ts"
import { statusAfter } from "./StatusMoves.ts"

/** A change with the number that it is for. */
type Part = InboundChange & { readonly number: ConnectedNumber }

export class Inbound extends Context.Service<
  Inbound,
  {
    /**
     * Stores everything that a delivery holds, in one transaction: once it has returned, nothing of it is lost, and the sender
     * may be told so. What was stored before is passed over. Numbers that nobody has connected are ignored.
     */
    readonly take: (changes: ReadonlyArray<InboundChange>) => Effect.Effect<void, StorageError>
    /** Forgets reports whose message never came, and sends whose process is gone; tells how many there were. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/messaging/Inbound") {
  static readonly layer = Layer.effect(
    Inbound,
    Effect.gen(function* () {
      const customers = yield* Customers
      const judgeOf = yield* replyJudges
      const numbers = yield* ConnectedNumberStore
      const outbox = yield* Outbox
      const outgoing = yield* Outgoing
      const markRead = yield* readMarks
      const { checksBusinessAccount, reply } = yield* MessagingSettings
      const storage = yield* Storage
      const store = yield* ConversationStore
      const { wake } = yield* LaneWake

      /** Of one change, what was not stored before, each once. */
      const newsOf = Effect.fnUntraced(function* ({ messages, number }: Part) {
        const given = new Map(messages.toReversed().map((one) => [one.id, one]))
        const known = yield* store.knownMsgids(number.id, [...given.keys()])
        for (const msgid of known) given.delete(msgid)
        return messages.filter((one) => given.get(one.id) === one)
      })

      const message = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        judge: Judge,
        given: InboundMessage
      ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
        const meeting = meetingOf(number, given)
        if (meeting === null) {
          yield* Effect.logWarning(`a message to number ${number.id} names nobody that it is from`)
          return []
        }
        const { conversation, customer, events } = yield* customers.meet(meeting)
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
          context: given.contextId,
          callbackData: null,
          status: given.isEcho ? "sent" : "received",
          fault: null,
          turnId: null,
          part: null,
          createdAt: yield* Instant.now
        }
        if (!(yield* store.addMessage(stored))) return events
        if (given.isEcho) {
          yield* store.saveLane({ ...customer, ...(yield* answered(customer)) })
        } else {
          const windowExpiresAt = windowAfter(
            customer.windowExpiresAt,
            Instant.earlier(given.at ?? stored.createdAt, stored.createdAt)
          )
          const present = { ...customer, windowExpiresAt }
          const occasion = { conversation, customer: present, burst: [stored], turnsLastHour: 0, at: stored.createdAt }
          const { silence } = judge(occasion)
          yield* store.saveLane({ ...present, ...waitingAfter(present, stored, silence) })
        }
        return [...events, messageEvent(stored, given.id, number, customer)]
      })

      /** A person has answered whatever was waiting. */
      const answered = Effect.fnUntraced(function* (customer: Customer) {
        const waiting = yield* store.inboundAfter(customer.id, customer.handledUpTo, mostWaiting)
        return { handledUpTo: waiting.at(-1)?.id ?? customer.handledUpTo, waitingSince: null }
      })

      /**
       * What waits once a message has come. Where nobody answers now, nobody answers later, and the burst ends there. A lane that
       * is due stays so, since parts of an answer may be waiting in it: whoever looks finds out.
       */
      const waitingAfter = (
        customer: Customer,
        { createdAt, id }: Message,
        silence: Judgement["silence"]
      ): Partial<Pick<Customer, "dueAt" | "handledUpTo" | "waitingSince">> => {
        const isPart = silence === null || (silence === "nothing_to_answer" && customer.waitingSince !== null)
        if (!isPart) return { handledUpTo: id, waitingSince: null }
        const waitingSince = customer.waitingSince ?? createdAt
        const dueAt = dueOf({ waitingSince, lastMessageAt: createdAt }, reply)
        // Whoever writes does not cut a wait short that the model or the platform has asked for.
        const backsOff = customer.failures > 0 && customer.dueAt !== null
        return { waitingSince, dueAt: backsOff ? Instant.later(customer.dueAt, dueAt) : dueAt }
      }

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
        const { events, message } = found
        const next = statusAfter(message.status, given.status)
        if (next === null) return events
        const now: Message = { ...message, status: next, fault: next === "failed" ? given.error : null }
        yield* store.saveMessage(message.id, now)
        return [...events, ...statusEvents(now, number)]
      })

      /** By the platform's id, or by our own that we had given it: then it is the first that is heard of the message. */
      const ofReport = Effect.fnUntraced(function* (number: ConnectedNumber, { callbackData, msgid }: InboundStatus) {
        const known = yield* store.messageByMsgid(number.id, msgid)
        if (known !== null) return { message: known, events: [] }
        if (callbackData === null || !Ids.isUuid(callbackData)) return null
        const id = Ids.as<"Message">(callbackData)
        const ours = yield* store.messageById(id)
        if (ours?.phoneId !== number.id || ours.direction !== "outbound" || ours.msgid !== null) return null
        // Whoever sends it writes under this lock.
        yield* lock("customer", ours.customerId)
        const [customer, present] = [yield* store.customerById(ours.customerId), yield* store.messageById(id)]
        return customer === null || present === null ? null : yield* outgoing.taken(number, customer, present, msgid)
      })

      const stored = Effect.fnUntraced(function* (changes: ReadonlyArray<InboundChange>) {
        const parts = yield* partsOf(changes)
        // Whoever writes down that such a message was taken takes this lock first: one of us finds what the other has left.
        const reported = parts.flatMap(({ messages, statuses }) => [
          ...statuses.map(({ msgid }) => msgid),
          ...messages.filter(({ isEcho }) => isEcho).map(({ id }) => id)
        ])
        for (const msgid of [...new Set(reported)].toSorted()) yield* lock("report", msgid)
        const meetings = parts.flatMap(({ messages, number }) => messages.map((one) => meetingOf(number, one)))
        yield* customers.hold(meetings.filter((one) => one !== null))
        const events: Array<NewEvent> = []
        const seen = new Map<string, Seen>()
        for (const part of parts) {
          const { messages, number, statuses } = part
          const judge = yield* judgeOf(number)
          for (const one of yield* newsOf(part)) events.push(...(yield* message(number, judge, one)))
          for (const one of messages) {
            if (!one.isEcho && number.botId !== null) {
              seen.set(`${number.id} ${one.userRef ?? one.from}`, { number, msgid: one.id })
            }
          }
          for (const one of statuses) events.push(...(yield* status(number, one)))
        }
        return { events: yield* outbox.append(events), seen }
      })

      const partsOf = Effect.fnUntraced(function* (changes: ReadonlyArray<InboundChange>) {
        const parts: Array<Part> = []
        for (const change of changes) {
          const number = yield* numbers.connected(change.phoneNumberId)
          if (number === null) {
            yield* Effect.logWarning("messages for a number that is not connected were passed over")
          } else if (checksBusinessAccount && change.businessAccountId !== number.businessAccountId) {
            yield* Effect.logWarning(`messages for number ${number.id} came from another business account: passed over`)
          } else {
            parts.push({ ...change, number })
          }
        }
        return parts
      })

      const take = Effect.fn("Inbound.take")(function* (changes: ReadonlyArray<InboundChange>) {
        const { events, seen } = yield* storage.transact(stored(changes))
        yield* outbox.publish(events)
        yield* wake
        yield* markRead(seen)
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

/** Who a message is from, or of an echo to; null where it names nobody. */
const meetingOf = (number: ConnectedNumber, given: InboundMessage): Meeting | null => {
  const person = given.isEcho
    ? { phone: given.to, userRef: given.toRef, name: null }
    : { phone: given.from, userRef: given.userRef, name: given.name }
  if (person.phone === null && person.userRef === null) return null
  return { number, person, becomes: { phone: given.newPhone, userRef: given.newUserRef } }
}

/** Longer than the platform goes on delivering. */
const keptEarlyMs = 8 * Instant.day

/** Longer than any request to the platform takes. */
const lostAfterMs = 5 * Instant.minute

const sweptTogether = 1000

/** Messages of a customer that a person's answer is taken to be for. */
const mostWaiting = 1000
