/** Who writes, or is written to, and in which conversation: as parts of a transaction. Source: docs/messaging.md#customers. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../events/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, type Read, type StorageError, Tx } from "../storage/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import { type Conversation, ConversationStore, type Customer } from "./ConversationStore.ts"
import { conversationEvent } from "./MessagingEvents.ts"

/** What a person can be found by. */
export interface Names {
  /** Digits. */
  readonly phone: string | null
  /** The platform's own id of the person. */
  readonly userRef: string | null
}

/** What is known of a person; phone or user ref, or both. */
export interface Person extends Names {
  readonly name: string | null
}

/** A person to be met on a number, and what the platform calls them from now on. */
export interface Meeting {
  readonly number: ConnectedNumber
  readonly person: Person
  readonly becomes: Names
}

/** Who goes on under the names that they have. */
export const unchanged: Names = { phone: null, userRef: null }

/** A customer with the open conversation, and what was begun or ended to get there. */
export interface Present {
  readonly customer: Customer
  readonly conversation: Conversation
  readonly events: ReadonlyArray<NewEvent>
}

/** After so long without a message the next one begins another conversation. */
export const silenceMs = Instant.day

export class Customers extends Context.Service<
  Customers,
  {
    /** The customer, if the number has ever had to do with that person. */
    readonly find: (number: ConnectedNumber, person: Person) => Effect.Effect<Customer | null, StorageError, Read>
    /** Nobody else meets or changes these people before the end of the transaction. Before its first write, and all at once. */
    readonly hold: (meetings: ReadonlyArray<Meeting>) => Effect.Effect<void, StorageError, Tx | Read>
    /**
     * The customer at a message now, in either direction: made where there is none, its names completed where more is known,
     * customers that turn out to be one person made one, its conversation begun anew after a day's silence. To be held before.
     * The caller saves the lane and writes the events.
     */
    readonly meet: (meeting: Meeting) => Effect.Effect<Present, StorageError, Tx | Read>
  }
>()("@trunkline/core/messaging/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const store = yield* ConversationStore

      const byNames = Effect.fnUntraced(function* (phoneId: Ids.PhoneId, { phone, userRef }: Names) {
        const byRef = userRef === null ? null : yield* store.customerByRef(phoneId, userRef)
        const byPhone = phone === null ? null : yield* store.customerByPhone(phoneId, phone)
        return { byRef, byPhone }
      })

      const find = Effect.fnUntraced(function* (number: ConnectedNumber, person: Person) {
        const { byPhone, byRef } = yield* byNames(number.id, person)
        return byRef ?? byPhone
      })

      const hold = Effect.fnUntraced(function* (meetings: ReadonlyArray<Meeting>) {
        const { isAlone } = yield* Tx
        if (isAlone) return
        const named = meetings.flatMap(({ becomes, number, person }) =>
          [person, becomes].map((one) => ({ number, one }))
        )
        const names = named.flatMap(({ number, one }) =>
          [one.phone, one.userRef].flatMap((name) => (name === null ? [] : [`${number.id} ${name}`]))
        )
        for (const name of ascending(names)) yield* lock("customer-of", name)
        const known: Array<string> = []
        for (const { number, one } of named) {
          const { byPhone, byRef } = yield* byNames(number.id, one)
          for (const customer of [byPhone, byRef]) if (customer !== null) known.push(customer.id)
        }
        for (const id of ascending(known)) yield* lock("customer", id)
      })

      /** All who have one of these names, whoever is most surely meant first. */
      const owners = Effect.fnUntraced(function* ({ becomes, number, person }: Meeting) {
        const before = yield* byNames(number.id, person)
        const after = yield* byNames(number.id, becomes)
        let { byPhone } = before
        // A ref is a person, a phone is how one is reached. One that comes with another ref has a new owner.
        if (byPhone !== null && !isNamed(becomes) && differ(byPhone.userRef, person.userRef)) {
          yield* store.saveNames({ ...byPhone, phone: null })
          byPhone = null
        }
        const all = [before.byRef, byPhone, after.byRef, after.byPhone].filter((one) => one !== null)
        return all.filter(({ id }, nth) => all.findIndex((one) => one.id === id) === nth)
      })

      /** Two customers are one person: one of them goes on, with all that was said to and by either. */
      const joined = Effect.fnUntraced(function* (
        into: Customer,
        from: Customer
      ): Effect.fn.Return<Customer, StorageError, Tx | Read> {
        const handledUpTo = yield* store.mergeCustomers(from.id, into.id)
        const theirs = (yield* store.conversation(from.conversationId))!
        yield* store.saveConversation({ ...theirs, status: "ended" })
        const ours = (yield* store.conversation(into.conversationId))!
        // What a person has taken over stays so.
        if (!theirs.aiAutoreplyEnabled) yield* store.saveConversation({ ...ours, aiAutoreplyEnabled: false })
        const one: Customer = {
          ...into,
          phone: into.phone ?? from.phone,
          userRef: into.userRef ?? from.userRef,
          name: into.name ?? from.name,
          windowExpiresAt: either(Instant.later, into.windowExpiresAt, from.windowExpiresAt),
          lastMessageAt: Instant.later(into.lastMessageAt, from.lastMessageAt),
          waitingSince: either(Instant.earlier, into.waitingSince, from.waitingSince),
          dueAt: either(Instant.earlier, into.dueAt, from.dueAt),
          failures: Math.max(into.failures, from.failures),
          handledUpTo
        }
        yield* store.saveNames(one)
        yield* store.saveLane(one)
        return one
      })

      /** Whoever is known under one of these names, as one customer under the last of them; null where nobody is. */
      const known = Effect.fnUntraced(function* (meeting: Meeting, at: Instant.Instant) {
        const { becomes, number, person } = meeting
        const events: Array<NewEvent> = []
        let one: Customer | null = null
        const others: Array<Customer> = []
        for (const owner of yield* owners(meeting)) {
          if (one === null) {
            one = owner
          } else if (isWorkedIn(one, at) && isWorkedIn(owner, at)) {
            // Two answers are on their way, and neither worker knows of the other: there will be another message.
            others.push(owner)
          } else {
            const [into, from]: [Customer, Customer] = goesOn(one, owner, at) ? [one, owner] : [owner, one]
            one = yield* joined(into, from)
            events.push(conversationEvent("conversation.ended", number, one, from.conversationId))
          }
        }
        const free = (key: keyof Names, name: string | null) =>
          others.some((other) => other[key] === name) ? null : name
        if (one === null) return { customer: null, events }
        const named: Customer = {
          ...one,
          phone: free("phone", becomes.phone ?? person.phone) ?? one.phone,
          userRef: free("userRef", becomes.userRef ?? person.userRef) ?? one.userRef,
          name: person.name ?? one.name
        }
        const isNews = named.phone !== one.phone || named.userRef !== one.userRef || named.name !== one.name
        if (isNews) yield* store.saveNames(named)
        return { customer: named, events }
      })

      const begin = Effect.fnUntraced(function* ({ becomes, number, person }: Meeting, at: Instant.Instant) {
        const customerId = yield* Ids.fresh<"Customer">()
        const conversation = yield* begun(number, customerId, true, at)
        const customer: Customer = {
          id: customerId,
          tenantId: number.tenantId,
          phoneId: number.id,
          phone: becomes.phone ?? person.phone,
          userRef: becomes.userRef ?? person.userRef,
          name: person.name,
          conversationId: conversation.id,
          windowExpiresAt: null,
          lastMessageAt: at,
          createdAt: at,
          dueAt: null,
          claim: null,
          claimedUntil: null,
          handledUpTo: null,
          waitingSince: null,
          failures: 0
        }
        yield* store.addCustomer(customer)
        return {
          customer,
          conversation,
          events: [conversationEvent("conversation.started", number, customer, conversation.id)]
        }
      })

      const begun = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        customerId: Ids.CustomerId,
        aiAutoreplyEnabled: boolean,
        at: Instant.Instant
      ) {
        const conversation: Conversation = {
          id: yield* Ids.fresh<"Conversation">(),
          tenantId: number.tenantId,
          phoneId: number.id,
          customerId,
          aiAutoreplyEnabled,
          status: "open",
          lastMessageAt: at,
          createdAt: at
        }
        yield* store.addConversation(conversation)
        return conversation
      })

      const goOn = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        customer: Customer,
        at: Instant.Instant
      ): Effect.fn.Return<Present, StorageError, Tx | Read> {
        const open = (yield* store.conversation(customer.conversationId))!
        if (at - customer.lastMessageAt < silenceMs) {
          const lastMessageAt = Instant.later(customer.lastMessageAt, at)
          const conversation = { ...open, lastMessageAt }
          yield* store.saveConversation(conversation)
          return { customer: { ...customer, lastMessageAt }, conversation, events: [] }
        }
        yield* store.saveConversation({ ...open, status: "ended" })
        // What a person has taken over stays so.
        const conversation = yield* begun(number, customer.id, open.aiAutoreplyEnabled, at)
        const present = { ...customer, conversationId: conversation.id, lastMessageAt: at }
        const events = [
          conversationEvent("conversation.ended", number, customer, open.id),
          conversationEvent("conversation.started", number, customer, conversation.id)
        ]
        return { customer: present, conversation, events }
      })

      const meet = Effect.fnUntraced(function* (meeting: Meeting) {
        const at = yield* Instant.now
        const { customer, events } = yield* known(meeting, at)
        const present = customer === null ? yield* begin(meeting, at) : yield* goOn(meeting.number, customer, at)
        return { ...present, events: [...events, ...present.events] }
      })

      return Customers.of({ find, hold, meet })
    })
  )
}

const ascending = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)].toSorted()

const isNamed = ({ phone, userRef }: Names): boolean => phone !== null || userRef !== null

const differ = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b

const isWorkedIn = ({ claimedUntil }: Customer, at: Instant.Instant): boolean =>
  claimedUntil !== null && claimedUntil > at

/** Which of two: one that is worked in, because its worker finds it again; else the elder. */
const goesOn = (one: Customer, other: Customer, at: Instant.Instant): boolean =>
  isWorkedIn(one, at) || (!isWorkedIn(other, at) && one.createdAt <= other.createdAt)

const either = (
  choose: (a: Instant.Instant, b: Instant.Instant) => Instant.Instant,
  a: Instant.Instant | null,
  b: Instant.Instant | null
): Instant.Instant | null => (a === null || b === null ? (a ?? b) : choose(a, b))
