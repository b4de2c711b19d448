/** The customer and the conversation that a message belongs to, as parts of a transaction. Source: docs/reference/messaging.md#customers. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, type StorageError, type Tx, together } from "../../platform/storage/index.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { joinedActivity } from "../conversations/Awaits.ts"
import {
  type Conversation,
  conversationTimeoutMs,
  ended,
  joinConversations,
  nothingInIt
} from "../conversations/Conversation.ts"
import { ConversationStore } from "../conversations/ConversationStore.ts"
import * as Ids from "../MessagingIds.ts"
import { mergeReplyJobs, newReplyJob } from "../reply-queue/ReplyJob.ts"
import { ReplyQueueStore } from "../reply-queue/ReplyQueueStore.ts"
import { type Customer, mergeCustomers } from "./Customer.ts"
import {
  type Candidate,
  candidatesOf,
  formsOf,
  hasLostPhone,
  type IdentityUpdate,
  isRenamed,
  losesNewPhone,
  type MergePlan,
  type PersonIds,
  planMerge,
  withUpdate
} from "./CustomerIdentity.ts"
import { CustomerStore } from "./CustomerStore.ts"
import { conversationEvent } from "./MessagingEvents.ts"

/** A customer with the open conversation, and what was started or ended to get there. */
export interface ConversationContext {
  readonly customer: Customer
  readonly conversation: Conversation
  readonly events: ReadonlyArray<NewEvent>
}

export class Customers extends Context.Service<
  Customers,
  {
    /** The customer, if the number has ever had to do with that person. */
    readonly find: (number: ConnectedNumber, person: PersonIds) => Effect.Effect<Customer | null, StorageError, Read>
    /**
     * Nobody else resolves or changes these people, and `others`, before the end of the transaction. Before its first write, and all at
     * once.
     */
    readonly lockIdentities: (
      updates: ReadonlyArray<IdentityUpdate>,
      others?: ReadonlyArray<Ids.CustomerId>
    ) => Effect.Effect<void, StorageError, Tx | Read>
    /**
     * The customer at a message now, in either direction: added where there is none, renamed where more is known, merged where
     * several turn out to be one person, with a new conversation after a day without messages. Lock the identities before. The
     * caller saves the conversation with the message in it and the customer's activity, and appends the events.
     */
    readonly resolve: (update: IdentityUpdate) => Effect.Effect<ConversationContext, StorageError, Tx | Read>
    /** A customer has further ids, and is merged with who had them. Lock the identities before; append the events. */
    readonly learn: (update: IdentityUpdate) => Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx | Read>
  }
>()("@trunkline/core/messaging/customers/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const conversations = yield* ConversationStore
      const customers = yield* CustomerStore
      const queue = yield* ReplyQueueStore

      const matches = Effect.fnUntraced(function* (
        phoneId: Ids.PhoneId,
        { phone, userRef }: PersonIds,
        forms: ReadonlyArray<string> = []
      ) {
        const byRef = userRef === null ? null : yield* customers.byRef(phoneId, userRef)
        const byPhone: Array<Customer> = []
        for (const one of phone === null ? forms : [phone, ...forms])
          byPhone.push(...(yield* customers.byPhone(phoneId, one)))
        return { byRef, byPhone }
      })

      const find = Effect.fnUntraced(function* (number: ConnectedNumber, person: PersonIds) {
        const { byPhone, byRef } = yield* matches(number.id, person)
        return byRef ?? byPhone[0] ?? null
      })

      const lockIdentities = Effect.fnUntraced(function* (
        updates: ReadonlyArray<IdentityUpdate>,
        others: ReadonlyArray<Ids.CustomerId> = []
      ) {
        const identities = updates.flatMap(({ forms, next, number, person }) => [
          { phoneId: number.id, ids: person, forms },
          { phoneId: number.id, ids: next, forms: [] }
        ])
        const names = identities.flatMap(({ forms, ids, phoneId }) =>
          [ids.phone, ids.userRef, ...forms].flatMap((id) => (id === null ? [] : [`${phoneId} ${id}`]))
        )
        yield* lockAll("customer-of", names)
        const matching = yield* together(identities, ({ forms, ids, phoneId }) => matches(phoneId, ids, forms))
        const known = matching.flatMap(({ byPhone, byRef }) => [...byPhone, ...(byRef === null ? [] : [byRef])])
        yield* lockAll("customer", [...others, ...known.map(({ id }) => id)])
      })

      /** Who turns out not to have a phone any more loses it, and is no candidate. */
      const candidates = Effect.fnUntraced(function* (update: IdentityUpdate) {
        const { forms, next, number, person } = update
        const before = yield* matches(number.id, person, forms)
        const after = yield* matches(number.id, next)
        const lost = [
          ...before.byPhone.filter((owner) => hasLostPhone(owner, update)),
          ...after.byPhone.filter((owner) => losesNewPhone(owner, update))
        ]
        for (const owner of lost) yield* customers.saveIdentity({ ...owner, phone: null })
        const left = (found: ReadonlyArray<Customer>) => found.filter((one) => !lost.some(({ id }) => id === one.id))
        return candidatesOf({ ...before, byPhone: left(before.byPhone) }, { ...after, byPhone: left(after.byPhone) })
      })

      const mergeJobs = Effect.fnUntraced(function* ({ from, into }: MergePlan) {
        if (from.job === null && into.job === null) return null
        const ours = into.job ?? newReplyJob(into.customer.id)
        const theirs = from.job ?? newReplyJob(from.customer.id)
        const job = mergeReplyJobs(ours, theirs, yield* queue.joinHandled([ours, theirs]))
        yield* queue.remove(from.customer.id)
        yield* queue.save(job)
        return job
      })

      /** Nobody else has changed either since they were saved: who was removed before has neither. */
      const keepAssignment = Effect.fnUntraced(function* (open: Conversation, over: Conversation) {
        const [to, from] = [yield* conversations.byId(open.id), yield* conversations.byId(over.id)]
        if (to === null || to.assignedTo !== null || from === null || from.assignedTo === null) return
        yield* conversations.assign(to, { subject: from.assignedTo, name: from.assignedName })
      })

      /** `ended`: the open conversation that is none any more. */
      const merge = Effect.fnUntraced(function* (
        plan: MergePlan,
        at: Instant.Instant
      ): Effect.fn.Return<Candidate & { readonly ended: Ids.ConversationId }, StorageError, Tx | Read> {
        const [from, into] = [plan.from.customer, plan.into.customer]
        const job = yield* mergeJobs(plan)
        yield* customers.absorb({ from: from.id, into: into.id })
        const ours = (yield* conversations.byId(into.conversationId))!
        const theirs = (yield* conversations.byId(from.conversationId))!
        const { isJoined, open, over } = joinConversations(ours, theirs, at)
        const activity = isJoined
          ? joinedActivity(
              ours,
              theirs,
              yield* conversations.absorb({ customerId: into.id, from: over.id, into: open.id })
            )
          : {}
        yield* conversations.save(over)
        yield* conversations.save({ ...open, ...activity })
        yield* keepAssignment(open, over)
        const customer = { ...mergeCustomers(into, from), conversationId: open.id }
        yield* customers.saveIdentity(customer)
        yield* customers.saveActivity(customer)
        return { customer, job, ended: over.id }
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
            const { ended, ...merged } = yield* merge(plan, at)
            one = merged
            events.push(conversationEvent("conversation.ended", number, one.customer, ended))
          }
        }
        return { customer: one.customer, apart, events }
      })

      const joinForms = Effect.fnUntraced(function* (
        update: IdentityUpdate,
        { phone }: Customer,
        others: ReadonlyArray<Customer>
      ) {
        const forms = formsOf(phone, update, others)
        if (forms.length > 1) yield* customers.joinForms(update.number, forms)
      })

      /** The customer whom the update is about, under their new ids; null where there is none. */
      const known = Effect.fnUntraced(function* (update: IdentityUpdate, at: Instant.Instant) {
        const [first, ...others] = yield* candidates(update)
        if (first === undefined) return { customer: null, events: [] }
        const { apart, customer, events } = yield* mergeAll(update.number, first, others, at)
        const renamed = withUpdate(customer, update, apart)
        if (isRenamed(customer, renamed)) yield* customers.saveIdentity(renamed)
        yield* joinForms(update, renamed, [first, ...others, customer])
        return { customer: renamed, events }
      })

      const learn = Effect.fnUntraced(function* (update: IdentityUpdate) {
        return (yield* known(update, yield* Instant.now)).events
      })

      const startConversation = Effect.fnUntraced(function* (
        of: Pick<Conversation, "customerId" | "aiAutoreplyEnabled" | "assignedTo" | "assignedName">,
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
          ...nothingInIt,
          assignedTo: of.assignedTo,
          assignedName: of.assignedName,
          lastMessageAt: at,
          createdAt: at
        }
        yield* conversations.add(conversation)
        return conversation
      })

      const addCustomer = Effect.fnUntraced(function* (
        update: IdentityUpdate,
        at: Instant.Instant
      ): Effect.fn.Return<ConversationContext, StorageError, Tx | Read> {
        const { next, number, person } = update
        const id = yield* Ids.fresh<"Customer">()
        const conversation = yield* startConversation({ ...unclaimed, customerId: id }, number, at)
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
        yield* joinForms(update, customer, [])
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
          return { customer: { ...customer, lastMessageAt }, conversation: { ...open, lastMessageAt }, events: [] }
        }
        yield* conversations.save(ended(open))
        // What an operator has taken over stays so, and stays assigned: to nobody, where that person was removed until it was saved.
        const last = (yield* conversations.byId(open.id))!
        const conversation = yield* startConversation(last, number, at)
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

      return Customers.of({ find, learn, lockIdentities, resolve })
    })
  )
}

/** The first conversation of a customer. */
const unclaimed = { aiAutoreplyEnabled: true, assignedTo: null, assignedName: null } as const

const lockAll = (kind: "customer" | "customer-of", names: ReadonlyArray<string>) =>
  names.length === 0 ? Effect.void : lock(kind, ...new Set(names))
