/** Conversations as callers see them, and whether the agent replies in them. Source: docs/reference/messaging.md#conversations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Page, Paged } from "../../platform/kernel/index.ts"
import { tracedFn } from "../../platform/kernel/index.ts"
import { lock, Storage, type StorageError } from "../../platform/storage/index.ts"
import { ConversationEnded, ConversationNotFound } from "../channels/MessagingErrors.ts"
import type * as Ids from "../MessagingIds.ts"
import type { Message } from "../messages/Message.ts"
import type { ConversationView } from "./Conversation.ts"
import { type ConversationFilter, ConversationStore } from "./ConversationStore.ts"

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
    /** Newest first. */
    readonly messages: (
      tenantId: Ids.AccountId,
      id: Ids.ConversationId,
      page: Page
    ) => Effect.Effect<Paged<Message>, ConversationNotFound | StorageError>
    /**
     * A human operator takes the conversation over, or returns it to the agent. Once this has returned, no reply is committed
     * without having read it. Fails for a conversation that has ended: the customer has another one.
     */
    readonly setAutoReply: (
      tenantId: Ids.AccountId,
      id: Ids.ConversationId,
      isEnabled: boolean
    ) => Effect.Effect<ConversationView, ConversationEnded | ConversationNotFound | StorageError>
  }
>()("@trunkline/core/messaging/conversations/Conversations") {
  static readonly layer = Layer.effect(
    Conversations,
    Effect.gen(function* () {
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

      const setAutoReply = tracedFn("Conversations.setAutoReply")(function* (
        tenantId: Ids.AccountId,
        id: Ids.ConversationId,
        isEnabled: boolean
      ) {
        const now = yield* locked(tenantId, id)
        if (now.status === "ended") return yield* new ConversationEnded({ id })
        yield* store.save({ ...now, aiAutoreplyEnabled: isEnabled })
        return { ...now, aiAutoreplyEnabled: isEnabled }
      }, storage.transact)

      return Conversations.of({
        setAutoReply,
        get: (tenantId, id) => storage.read(viewed(tenantId, id)),
        list: (tenantId, filter, page) =>
          storage.read(Effect.all({ items: store.list(tenantId, filter, page), total: store.count(tenantId, filter) })),
        messages: (tenantId, id, page) =>
          storage.read(
            Effect.andThen(
              viewed(tenantId, id),
              Effect.all({ items: store.messages(id, page), total: store.countMessages(id) })
            )
          )
      })
    })
  )
}
