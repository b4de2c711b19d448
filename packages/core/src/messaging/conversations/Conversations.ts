/** Conversations as callers see them: who answers in them, who they are assigned to, and what of them is read. Source: docs/reference/messaging.md#conversations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  Accounts,
  type Actor,
  actorOf,
  type Caller,
  type Doer,
  doerOf,
  operator
} from "../../platform/accounts/index.ts"
import type { Page, Paged } from "../../platform/kernel/index.ts"
import { tracedFn } from "../../platform/kernel/index.ts"
import { Assignees } from "../../platform/people/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import {
  AssigneeUnknown,
  ConversationAssigned,
  ConversationEnded,
  ConversationNotFound,
  MessageNotFound
} from "../channels/MessagingErrors.ts"
import type * as Ids from "../MessagingIds.ts"
import type { Message } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import { type Assignee, holderAgainst } from "./Assignment.ts"
import type { ConversationView } from "./Conversation.ts"
import { type ConversationFilter, ConversationStore } from "./ConversationStore.ts"

/** What is left out stays. */
export interface ConversationChange {
  /** False: a human operator answers. */
  readonly aiAutoreplyEnabled?: boolean
  readonly assignedTo?: Assignee
  /** True to take it from somebody else. Default: false. */
  readonly isForced?: boolean
}

export type Changer = Caller | "operator"

export class Conversations extends Context.Service<
  Conversations,
  {
    /** The one with the latest message first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: ConversationFilter,
      page: Page
    ) => Effect.Effect<Paged<ConversationView>, StorageError>
    readonly get: (
      tenantId: Ids.AccountId,
      id: Ids.ConversationId
    ) => Effect.Effect<ConversationView, ConversationNotFound | StorageError>
    /** Newest first: those before a message, or all. */
    readonly messages: (
      tenantId: Ids.AccountId,
      id: Ids.ConversationId,
      before: Ids.MessageId | null,
      page: Page
    ) => Effect.Effect<Paged<Message>, ConversationNotFound | MessageNotFound | StorageError>
    /**
     * A human operator takes the conversation over, or returns it to the agent; it is assigned to somebody from now on, or to nobody.
     * All of it is done, or nothing. Once this has returned, no reply is committed without having read it. The agent cannot be switched
     * in a conversation that has ended: the customer has another one. Of two who take one conversation one succeeds.
     */
    readonly change: (
      tenantId: Ids.AccountId,
      id: Ids.ConversationId,
      change: ConversationChange,
      by: Changer
    ) => Effect.Effect<
      ConversationView,
      AssigneeUnknown | ConversationAssigned | ConversationEnded | ConversationNotFound | StorageError
    >
    /** All messages that have come are read. */
    readonly markRead: (
      tenantId: Ids.AccountId,
      id: Ids.ConversationId
    ) => Effect.Effect<void, ConversationNotFound | StorageError>
  }
>()("@trunkline/core/messaging/conversations/Conversations") {
  static readonly layer = Layer.effect(
    Conversations,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const assignees = yield* Assignees
      const messages = yield* MessageStore
      const storage = yield* Storage
      const store = yield* ConversationStore

      const viewed = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.ConversationId) {
        return (yield* store.view(tenantId, id)) ?? (yield* new ConversationNotFound({ id }))
      })

      /** A conversation whose customer is locked. Merged customers move their conversations. */
      const locked = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.ConversationId) {
        let { customerId } = yield* viewed(tenantId, id)
        for (;;) {
          yield* lock("customer", customerId)
          const now = yield* viewed(tenantId, id)
          if (now.customerId === customerId) return now
          customerId = now.customerId
        }
      })

      /** A member is looked up also where they assign to themselves: they may have been removed since they were identified. */
      const assignee = Effect.fnUntraced(function* (
        { assignedName, assignedTo, tenantId }: ConversationView,
        to: Assignee,
        by: Changer
      ): Effect.fn.Return<Doer | null, AssigneeUnknown | StorageError, Tx | Read> {
        if (to._tag === "Nobody") return null
        const { doer } = namesOf(by)
        const isMember = by !== "operator" && by._tag === "User" && by.signIn._tag === "Session"
        if (to._tag === "Caller" && !isMember) return doer
        const found = yield* assignees.find(tenantId, to._tag === "Caller" ? doer.subject : to.subject)
        if (found === null) return yield* new AssigneeUnknown()
        const { subject } = found
        const known = subject === doer.subject ? doer.name : subject === assignedTo ? assignedName : null
        return { subject, name: found.name ?? known }
      })

      const assign = Effect.fnUntraced(function* (
        now: ConversationView,
        { assignedTo, isForced = false }: ConversationChange,
        by: Changer
      ) {
        if (assignedTo === undefined) return false
        const to = yield* assignee(now, assignedTo, by)
        const holder = holderAgainst(now, { to, isForced, by: namesOf(by).doer.subject })
        if (holder !== null) return yield* new ConversationAssigned({ to: holder.name ?? holder.subject })
        if ((to?.subject ?? null) === now.assignedTo && (to?.name ?? null) === now.assignedName) return false
        yield* store.assign(now, to)
        return true
      })

      const change = tracedFn("Conversations.change")(function* (
        tenantId: Ids.AccountId,
        id: Ids.ConversationId,
        given: ConversationChange,
        by: Changer
      ) {
        const now = yield* locked(tenantId, id)
        const { aiAutoreplyEnabled = now.aiAutoreplyEnabled } = given
        if (given.aiAutoreplyEnabled !== undefined && now.status === "ended")
          return yield* new ConversationEnded({ id })
        const isAssigned = yield* assign(now, given, by)
        const isSwitched = aiAutoreplyEnabled !== now.aiAutoreplyEnabled
        if (isSwitched) yield* store.save({ ...now, aiAutoreplyEnabled })
        if (!isAssigned && !isSwitched) return now
        yield* accounts.record(tenantId, namesOf(by).actor, "conversation.change", id)
        return yield* viewed(tenantId, id)
      }, storage.transact)

      const markRead = tracedFn("Conversations.markRead")(function* (tenantId: Ids.AccountId, id: Ids.ConversationId) {
        const now = yield* locked(tenantId, id)
        if (now.unreadCount > 0) yield* store.save({ ...now, unreadCount: 0 })
      }, storage.transact)

      const listed = Effect.fnUntraced(function* (tenantId: Ids.AccountId, filter: ConversationFilter, page: Page) {
        const items = yield* store.list(tenantId, filter, page)
        // The last page says by itself how many there are.
        const isLast = items.length < page.limit && (items.length > 0 || page.offset === 0)
        return { items, total: isLast ? page.offset + items.length : yield* store.count(tenantId, filter) }
      }, storage.read)

      const said = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        id: Ids.ConversationId,
        before: Ids.MessageId | null,
        page: Page
      ) {
        yield* viewed(tenantId, id)
        if (before !== null && (yield* messages.byId(before))?.conversationId !== id) {
          return yield* new MessageNotFound({ id: before })
        }
        return yield* Effect.all({ items: store.messages(id, before, page), total: store.countMessages(id) })
      }, storage.read)

      return Conversations.of({
        change,
        markRead,
        get: (tenantId, id) => storage.read(viewed(tenantId, id)),
        list: listed,
        messages: said
      })
    })
  )
}

/** Who changes a conversation, for the audit log and for its record. */
const namesOf = (by: Changer): { readonly actor: Actor; readonly doer: Doer } =>
  by === "operator"
    ? { actor: operator, doer: { subject: operator.id, name: operator.name } }
    : { actor: actorOf(by), doer: doerOf(by) }
