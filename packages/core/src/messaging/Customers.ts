/** The customer and the conversation that a message belongs to, as parts of a transaction. Source: docs/messaging.md#customers. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../events/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../storage/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import type { Conversation } from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { type Customer, mergeCustomers } from "./Customer.ts"
import {
  type Candidate,
  candidatesOf,
  hasLostPhone,
  type IdentityUpdate,
  isRenamed,
  type MergePlan,
  type PersonIds,
  planMerge,
  withUpdate
} from "./CustomerIdentity.ts"
import { CustomerStore } from "./CustomerStore.ts"
import { MessageStore } from "./MessageStore.ts"
import { conversationEvent } from "./MessagingEvents.ts"
import { mergeReplyJobs, newReplyJob } from "./ReplyJob.ts"
import { ReplyQueueStore } from "./ReplyQueueStore.ts"

/** A customer with the open conversation, and what was started or ended to get there. */
export interface ConversationContext {
  readonly customer: Customer
  readonly conversation: Conversation
  readonly events: ReadonlyArray<NewEvent>
}

/** After this time without a message the next one starts another conversation. */
export const conversationTimeoutMs = Instant.day

export class Customers extends Context.Service<
  Customers,
  {
    /** The customer, if the number has ever had to do with that person. */
    readonly find: (number: ConnectedNumber, person: PersonIds) => Effect.Effect<Customer | null, StorageError, Read>
    /** Nobody else resolves or changes these people before the end of the transaction. Before its first write, and all at once. */
    readonly lockIdentities: (updates: ReadonlyArray<IdentityUpdate>) => Effect.Effect<void, StorageError, Tx | Read>
    /**
     * The customer at a message now, in either direction: added where there is none, renamed where more is known, merged where
     * several turn out to be one person, with a new conversation after a day without messages. Lock the identities before. The
     * caller saves the customer's activity and appends the events.
     */
    readonly resolve: (update: IdentityUpdate) => Effect.Effect<ConversationContext, StorageError, Tx | Read>
  }
>()("@trunkline/core/messaging/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const conversations = yield* ConversationStore
      const customers = yield* CustomerStore
      const messages = yield* MessageStore
      const queue = yield* ReplyQueueStore

      const matches = Effect.fnUntraced(function* (phoneId: Ids.PhoneId, { phone, userRef }: PersonIds) {
        const byRef = userRef === null ? null : yield* customers.byRef(phoneId, userRef)
        const byPhone = phone === null ? null : yield* customers.byPhone(phoneId, phone)
        return { byRef, byPhone }
      })

      const find = Effect.fnUntraced(function* (number: ConnectedNumber, person: PersonIds) {
        const { byPhone, byRef } = yield* matches(number.id, person)
        return byRef ?? byPhone
      })

      const lockIdentities = Effect.fnUntraced(function* (updates: ReadonlyArray<IdentityUpdate>) {
        const identities = updates.flatMap(({ next, number, person }) =>
          [person, next].map((ids) => ({ phoneId: number.id, ids }))
        )
        const names = identities.flatMap(({ ids, phoneId }) =>
          [ids.phone, ids.userRef].flatMap((id) => (id === null ? [] : [`${phoneId} ${id}`]))
        )
        for (const name of ascending(names)) yield* lock("customer-of", name)
        const known: Array<string> = []
        for (const { ids, phoneId } of identities) {
          const { byPhone, byRef } = yield* matches(phoneId, ids)
          for (const customer of [byPhone, byRef]) if (customer !== null) known.push(customer.id)
        }
        for (const id of ascending(known)) yield* lock("customer", id)
      })

      const candidates = Effect.fnUntraced(function* (update: IdentityUpdate) {
        const { next, number, person } = update
        const before = yield* matches(number.id, person)
        const after = yield* matches(number.id, next)
        if (!hasLostPhone(before.byPhone, update)) return candidatesOf(before, after)
        yield* customers.saveIdentity({ ...before.byPhone, phone: null })
        return candidatesOf({ ...before, byPhone: null }, after)
      })

      const mergeJobs = Effect.fnUntraced(function* ({ from, into }: MergePlan) {
        if (from.job === null && into.job === null) return null
        const ours = into.job ?? newReplyJob(into.customer.id)
        const theirs = from.job ?? newReplyJob(from.customer.id)
        const job = mergeReplyJobs(ours, theirs, yield* messages.lastHandledByBoth([ours, theirs]))
        yield* queue.remove(from.customer.id)
        yield* queue.save(job)
        return job
      })

      const merge = Effect.fnUntraced(function* (
        plan: MergePlan
      ): Effect.fn.Return<Candidate, StorageError, Tx | Read> {
        const [from, into] = [plan.from.customer, plan.into.customer]
        const job = yield* mergeJobs(plan)
        yield* customers.absorb({ from: from.id, into: into.id })
        const theirs = (yield* conversations.byId(from.conversationId))!
        yield* conversations.save({ ...theirs, status: "ended" })
        const ours = (yield* conversations.byId(into.conversationId))!
        // What an operator has taken over stays so.
        if (!theirs.aiAutoreplyEnabled) yield* conversations.save({ ...ours, aiAutoreplyEnabled: false })
        const customer = mergeCustomers(into, from)
        yield* customers.saveIdentity(customer)
        yield* customers.saveActivity(customer)
        return { customer, job }
      })

      /** Merges each of `others` that can be merged now; `apart` are those that cannot. */
      const mergeAll = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        first: Customer,
        others: ReadonlyArray<Customer>,
        at: Instant.Instant
      ) {
        const apart: Array<Customer> = []
        const events: Array<NewEvent> = []
        if (others.length === 0) return { customer: first, apart, events }
        let one: Candidate = { customer: first, job: yield* queue.find(first.id) }
        for (const customer of others) {
          const plan = planMerge(one, { customer, job: yield* queue.find(customer.id) }, at)
          if (plan === null) {
            apart.push(customer)
          } else {
            one = yield* merge(plan)
            events.push(
              conversationEvent("conversation.ended", number, one.customer, plan.from.customer.conversationId)
            )
          }
        }
        return { customer: one.customer, apart, events }
      })

      /** The customer whom the update is about, under their new ids; null where there is none. */
      const known = Effect.fnUntraced(function* (update: IdentityUpdate, at: Instant.Instant) {
        const [first, ...others] = yield* candidates(update)
        if (first === undefined) return { customer: null, events: [] }
        const { apart, customer, events } = yield* mergeAll(update.number, first, others, at)
        const renamed = withUpdate(customer, update, apart)
        if (isRenamed(customer, renamed)) yield* customers.saveIdentity(renamed)
        return { customer: renamed, events }
      })

      const startConversation = Effect.fnUntraced(function* (
        of: Pick<Conversation, "customerId" | "aiAutoreplyEnabled">,
        number: ConnectedNumber,
        at: Instant.Instant
      ) {
        const conversation: Conversation = {
          id: yield* Ids.fresh<"Conversation">(),
          tenantId: number.tenantId,
          phoneId: number.id,
          customerId: of.customerId,
          aiAutoreplyEnabled: of.aiAutoreplyEnabled,
          status: "open",
          isCounted: false,
          lastMessageAt: at,
          createdAt: at
        }
        yield* conversations.add(conversation)
        return conversation
      })

      const addCustomer = Effect.fnUntraced(function* (
        { next, number, person }: IdentityUpdate,
        at: Instant.Instant
      ): Effect.fn.Return<ConversationContext, StorageError, Tx> {
        const id = yield* Ids.fresh<"Customer">()
        const conversation = yield* startConversation({ customerId: id, aiAutoreplyEnabled: true }, number, at)
        const customer: Customer = {
          id,
          tenantId: number.tenantId,
          phoneId: number.id,
          phone: next.phone ?? person.phone,
          userRef: next.userRef ?? person.userRef,
          name: person.name,
          conversationId: conversation.id,
          windowExpiresAt: null,
          lastMessageAt: at,
          createdAt: at
        }
        yield* customers.add(customer)
        const events = [conversationEvent("conversation.started", number, customer, conversation.id)]
        return { customer, conversation, events }
      })

      /** The open conversation continues, or a new one starts. */
      const continued = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        customer: Customer,
        at: Instant.Instant
      ): Effect.fn.Return<ConversationContext, StorageError, Tx | Read> {
        const open = (yield* conversations.byId(customer.conversationId))!
        if (at - customer.lastMessageAt < conversationTimeoutMs) {
          const lastMessageAt = Instant.later(customer.lastMessageAt, at)
          const conversation = { ...open, lastMessageAt }
          yield* conversations.save(conversation)
          return { customer: { ...customer, lastMessageAt }, conversation, events: [] }
        }
        yield* conversations.save({ ...open, status: "ended" })
        // What an operator has taken over stays so.
        const conversation = yield* startConversation(open, number, at)
        const events = [
          conversationEvent("conversation.ended", number, customer, open.id),
          conversationEvent("conversation.started", number, customer, conversation.id)
        ]
        return { customer: { ...customer, conversationId: conversation.id, lastMessageAt: at }, conversation, events }
      })

      const resolve = Effect.fnUntraced(function* (update: IdentityUpdate) {
        const at = yield* Instant.now
        const { customer, events } = yield* known(update, at)
        const context =
          customer === null ? yield* addCustomer(update, at) : yield* continued(update.number, customer, at)
        return { ...context, events: [...events, ...context.events] }
      })

      return Customers.of({ find, lockIdentities, resolve })
    })
  )
}

const ascending = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)].toSorted()
