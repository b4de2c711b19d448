/** Who writes, or is written to, and in which conversation: as parts of a transaction. Source: docs/messaging.md#customers. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../events/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../storage/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import { type Conversation, ConversationStore, type Customer } from "./ConversationStore.ts"
import { conversationEvent } from "./MessagingEvents.ts"

/** What is known of a person; phone or user ref, or both. */
export interface Person {
  /** Digits. */
  readonly phone: string | null
  /** The platform's own id of the person. */
  readonly userRef: string | null
  readonly name: string | null
}

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
    /**
     * The customer at a message now, in either direction: made where there is none, its identity completed where more is known,
     * its conversation begun anew after a day's silence. Nobody else changes it until the end of the transaction. The caller
     * saves the customer and writes the events.
     */
    readonly meet: (number: ConnectedNumber, person: Person) => Effect.Effect<Present, StorageError, Tx | Read>
    /**
     * A customer that is met, under what the platform calls it from now on; whoever was known under that name is the same person.
     * The caller saves the customer.
     */
    readonly renamed: (
      customer: Customer,
      to: Pick<Person, "phone" | "userRef">
    ) => Effect.Effect<Customer, StorageError, Tx | Read>
  }
>()("@trunkline/core/messaging/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const store = yield* ConversationStore

      const both = Effect.fnUntraced(function* (phoneId: Ids.PhoneId, { phone, userRef }: Person) {
        const byRef = userRef === null ? null : yield* store.customerByRef(phoneId, userRef)
        const byPhone = phone === null ? null : yield* store.customerByPhone(phoneId, phone)
        return { byRef, byPhone }
      })

      const find = Effect.fnUntraced(function* (number: ConnectedNumber, person: Person) {
        const { byPhone, byRef } = yield* both(number.id, person)
        return byRef ?? byPhone
      })

      /** Two customers that turn out to be one: the elder goes on, with all that was said to and by either. */
      const known = Effect.fnUntraced(function* (number: ConnectedNumber, person: Person) {
        const { byPhone, byRef } = yield* both(number.id, person)
        if (byPhone === null || byRef === null || byPhone.id === byRef.id) return byRef ?? byPhone
        const [elder, other] = byPhone.createdAt <= byRef.createdAt ? [byPhone, byRef] : [byRef, byPhone]
        const merged = yield* joined(elder, other)
        yield* store.saveCustomer(merged)
        return merged
      })

      /** The first goes on with all that was said to and by either; the caller saves it. */
      const joined = Effect.fnUntraced(function* (first: Customer, other: Customer) {
        for (const id of [first.id, other.id].toSorted()) yield* lock("customer", id)
        yield* store.mergeCustomers(other.id, first.id)
        return {
          ...first,
          phone: first.phone ?? other.phone,
          userRef: first.userRef ?? other.userRef,
          windowExpiresAt: latest(first.windowExpiresAt, other.windowExpiresAt),
          dueAt: latest(first.dueAt, other.dueAt),
          waitingSince: latest(first.waitingSince, other.waitingSince)
        }
      })

      const renamed = Effect.fnUntraced(function* (customer: Customer, to: Pick<Person, "phone" | "userRef">) {
        if (to.phone === null && to.userRef === null) return customer
        const { byPhone, byRef } = yield* both(customer.phoneId, { ...to, name: null })
        let present = customer
        for (const other of [byPhone, byRef]) {
          if (other !== null && other.id !== customer.id) present = yield* joined(present, other)
        }
        return { ...present, phone: to.phone ?? present.phone, userRef: to.userRef ?? present.userRef }
      })

      const begin = Effect.fnUntraced(function* (number: ConnectedNumber, person: Person, at: Instant.Instant) {
        const customerId = yield* Ids.fresh<"Customer">()
        const conversation = yield* begun(number, customerId, true, at)
        const customer: Customer = {
          ...person,
          id: customerId,
          tenantId: number.tenantId,
          phoneId: number.id,
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
        return { customer, conversation, events: [conversationEvent("started", number, customer, conversation.id)] }
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
          const conversation = { ...open, lastMessageAt: Instant.later(open.lastMessageAt, at) }
          yield* store.saveConversation(conversation)
          return { customer: { ...customer, lastMessageAt: conversation.lastMessageAt }, conversation, events: [] }
        }
        yield* store.saveConversation({ ...open, status: "ended" })
        // What a person has taken over stays so.
        const conversation = yield* begun(number, customer.id, open.aiAutoreplyEnabled, at)
        const present = { ...customer, conversationId: conversation.id, lastMessageAt: at }
        const events = [
          conversationEvent("ended", number, customer, open.id),
          conversationEvent("started", number, customer, conversation.id)
        ]
        return { customer: present, conversation, events }
      })

      const meet = Effect.fnUntraced(function* (number: ConnectedNumber, person: Person) {
        for (const name of [person.phone, person.userRef].filter((one) => one !== null).toSorted()) {
          yield* lock("customer-of", `${number.id} ${name}`)
        }
        const found = yield* known(number, person)
        // Told only now: whoever had to wait would else write an instant before that of its predecessor.
        const at = yield* Instant.now
        if (found === null) return yield* begin(number, person, at)
        yield* lock("customer", found.id)
        const customer = (yield* store.customerById(found.id))!
        return yield* goOn(number, completed(customer, person), at)
      })

      return Customers.of({ find, meet, renamed })
    })
  )
}

const completed = (customer: Customer, person: Person): Customer => ({
  ...customer,
  phone: person.phone ?? customer.phone,
  userRef: person.userRef ?? customer.userRef,
  name: person.name ?? customer.name
})

const latest = (a: Instant.Instant | null, b: Instant.Instant | null): Instant.Instant | null =>
  a === null || b === null ? (a ?? b) : Instant.later(a, b)
