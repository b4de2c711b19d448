/** What the storage of a world has: customers, reply jobs, messages and conversations. */

import { isDeepStrictEqual } from "node:util"
import { type Conversation, type Ids, Instant, type Message, type Read, read } from "@trunkline/core/effect"
import {
  type ConnectedNumber,
  ConnectedNumberStore,
  ConversationStore,
  type Customer,
  CustomerStore,
  MessageStore,
  QuotaStore,
  type ReplyJob,
  ReplyQueueStore
} from "@trunkline/core/storage"
import type { Stores } from "@trunkline/core/testing"
import { everyConversation, Months } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { sampleCustomer } from "./InboundBodies.ts"

export abstract class StoredReplies {
  abstract readonly tenant: Ids.AccountId
  abstract readonly phoneId: Ids.PhoneId
  abstract look<A, E, R extends Stores>(program: Effect.Effect<A, E, R>): Effect.Effect<A>

  protected read<A, E>(program: Effect.Effect<A, E, Stores | Read>): Effect.Effect<A> {
    return this.look(read(program))
  }

  /** The number's row. */
  get number(): Effect.Effect<ConnectedNumber> {
    return Effect.map(this.read(ConnectedNumberStore.use((numbers) => numbers.byId(this.phoneId))), (found) => found!)
  }

  /** By phone, or by user ref. */
  findCustomer(name: string): Effect.Effect<Customer | null> {
    return this.read(
      CustomerStore.use((store) =>
        Effect.flatMap(store.byPhone(this.phoneId, name), ([byPhone]) =>
          byPhone === undefined ? store.byRef(this.phoneId, name) : Effect.succeed(byPhone)
        )
      )
    )
  }

  customer(name: string = sampleCustomer.phone): Effect.Effect<Customer> {
    return Effect.map(this.findCustomer(name), (found) => {
      if (found === null) throw new Error(`${name} has never written`)
      return found
    })
  }

  findJob(id: Ids.CustomerId): Effect.Effect<ReplyJob | null> {
    return this.read(ReplyQueueStore.use((queue) => queue.find(id)))
  }

  /** The customer's reply job. */
  job(name: string = sampleCustomer.phone): Effect.Effect<ReplyJob> {
    return Effect.map(
      Effect.flatMap(this.customer(name), ({ id }) => this.findJob(id)),
      (found) => {
        if (found === null) throw new Error(`${name} has no reply job`)
        return found
      }
    )
  }

  /** All messages of a customer, over all conversations. */
  messages(name: string = sampleCustomer.phone): Effect.Effect<ReadonlyArray<Message>> {
    return Effect.flatMap(this.customer(name), ({ id }) =>
      this.read(MessageStore.use((store) => store.history(id, 100_000)))
    )
  }

  /** Of everybody, over all conversations; a customer's in the order in which they were added. */
  readonly everything: Effect.Effect<ReadonlyArray<Message>> = Effect.suspend(() =>
    this.read(
      Effect.gen({ self: this }, function* (this: StoredReplies) {
        const messages = yield* MessageStore
        for (;;) {
          const customers = yield* this.#customers
          const found = (yield* Effect.forEach(customers, (id) => messages.history(id, 100_000))).flat()
          // Two customers who turn out to be one between the statements have their messages twice, or some of them not at all.
          if ((yield* this.#customers).join() === customers.join()) return found
        }
      })
    )
  )

  get #customers() {
    const page = { limit: 500, offset: 0 }
    const all = ConversationStore.use((store) => store.list(this.tenant, everyConversation, page))
    return Effect.map(all, (found) => [...new Set(found.map(({ customerId }) => customerId))].toSorted())
  }

  /** Of the plan, in the present month. */
  readonly countedConversations: Effect.Effect<number> = Effect.suspend(() =>
    this.read(
      Effect.gen({ self: this }, function* (this: StoredReplies) {
        const period = { tenantId: this.tenant, service: "conversation", month: Months.of(yield* Instant.now) } as const
        return (yield* QuotaStore.use((quotas) => quotas.counts(period))).used
      })
    )
  )

  /** All conversations and all of their messages, as they were at one moment. */
  readonly inbox = Effect.suspend(() =>
    Effect.gen({ self: this }, function* (this: StoredReplies) {
      for (;;) {
        const conversations = yield* this.conversations
        const rows = yield* this.everything
        if (isDeepStrictEqual(yield* this.conversations, conversations)) return { conversations, rows }
      }
    })
  )

  /** Of the account, the one with the latest message last. */
  readonly conversations: Effect.Effect<ReadonlyArray<Conversation>> = Effect.suspend(() => {
    const page = { limit: 500, offset: 0 }
    const all = this.read(ConversationStore.use((store) => store.list(this.tenant, everyConversation, page)))
    return Effect.map(all, (found) => found.toReversed())
  })
}
