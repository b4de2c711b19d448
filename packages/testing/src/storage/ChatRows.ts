/** Rows of the chat channel that the storage suites add and read. */

import { type Ids, type Message, read, transact } from "@trunkline/core/effect"
import {
  type ConnectedNumber,
  ConnectedNumberStore,
  ConversationStore,
  type Customer,
  CustomerStore,
  MessageStore,
  UnmatchedStatusStore
} from "@trunkline/core/storage"
import type { UnmatchedStatus } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"

export const tenantId = () => Rows.id<"Account">()
export const page = { limit: 100, offset: 0 }

export const idsOf = <Id extends string>(rows: ReadonlyArray<{ readonly id: Id }>): ReadonlyArray<Id> =>
  rows.map(({ id }) => id)

export const addNumbers = (...numbers: ReadonlyArray<ConnectedNumber>) =>
  transact(ConnectedNumberStore.use((store) => Effect.forEach(numbers, store.add)))

/** Customers with their open conversations. */
export const addCustomers = (customers: ReadonlyArray<Customer>) =>
  transact(
    Effect.gen(function* () {
      const [conversations, store] = [yield* ConversationStore, yield* CustomerStore]
      for (const customer of customers) {
        yield* store.add(customer)
        yield* conversations.add(Rows.conversation(customer))
      }
    })
  )

/** A customer of a number of a new account. */
export const someone = Effect.fnUntraced(function* (over: Partial<Customer> = {}) {
  const number = Rows.number(tenantId())
  const customer = Rows.customer(number, over)
  yield* addNumbers(number)
  yield* addCustomers([customer])
  return { number, customer }
})

export const addMessages = (messages: ReadonlyArray<Message>) =>
  transact(MessageStore.use((store) => Effect.forEach(messages, store.add)))

export const customerNow = (id: Ids.CustomerId) => read(CustomerStore.use((store) => store.byId(id)))

/** One part of a turn of the agent's. */
export const partOf = (customer: Customer, turnId: Ids.TurnId, part: number, over: Partial<Message> = {}) =>
  Rows.message(customer, {
    ...{ turnId, part, direction: "outbound", role: "assistant", status: "queued", msgid: null },
    ...over
  })

/** Another order than that of the ids: as if each had been made by a process whose clock is behind the last one's. */
export const idsReversed = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const ids = idsOf(messages).toReversed()
  return messages.map((message, i) => ({ ...message, id: ids[i]! }))
}

/** A status whose message is not known. */
export const unmatched = (
  phoneId: Ids.PhoneId,
  msgid: string,
  at: number,
  over: Partial<UnmatchedStatus> = {}
): UnmatchedStatus => ({
  id: Rows.id(),
  phoneId,
  msgid,
  status: "delivered",
  fault: null,
  change: null,
  at: Rows.at(at),
  ...over
})

export const addUnmatched = (statuses: ReadonlyArray<UnmatchedStatus>) =>
  transact(UnmatchedStatusStore.use((store) => Effect.forEach(statuses, store.add)))

export const claimUnmatched = (phoneId: Ids.PhoneId, msgid: string) =>
  transact(UnmatchedStatusStore.use((store) => store.claim(phoneId, msgid)))
