/** Port: conversations and the lists that callers see. Lock ("customer", id) before a customer's conversation is changed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { Message } from "../messages/Message.ts"
import type { Conversation, ConversationView } from "./Conversation.ts"

/** Null for all. */
export interface ConversationFilter {
  readonly phoneId: Ids.PhoneId | null
  readonly status: Conversation["status"] | null
}

export class ConversationStore extends Context.Service<
  ConversationStore,
  {
    readonly add: (conversation: Conversation) => Effect.Effect<void, StorageError, Tx>
    readonly byId: (id: Ids.ConversationId) => Effect.Effect<Conversation | null, StorageError, Read>
    readonly save: (conversation: Conversation) => Effect.Effect<void, StorageError, Tx>
    /** The messages of `from` become those of `into`, another conversation of the same customer. */
    readonly absorb: (conversations: {
      readonly customerId: Ids.CustomerId
      readonly from: Ids.ConversationId
      readonly into: Ids.ConversationId
    }) => Effect.Effect<void, StorageError, Tx>
    readonly view: (
      tenantId: Ids.AccountId,
      id: Ids.ConversationId
    ) => Effect.Effect<ConversationView | null, StorageError, Read>
    /** The one with the latest message of all with customers who have this number, by all its digits. */
    readonly newestOfNumber: (
      tenantId: Ids.AccountId,
      phone: string
    ) => Effect.Effect<Ids.ConversationId | null, StorageError, Read>
    /** The one with the latest message first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: ConversationFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<ConversationView>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, filter: ConversationFilter) => Effect.Effect<number, StorageError, Read>
    /** Of one conversation, newest first. */
    readonly messages: (id: Ids.ConversationId, page: Page) => Effect.Effect<ReadonlyArray<Message>, StorageError, Read>
    readonly countMessages: (id: Ids.ConversationId) => Effect.Effect<number, StorageError, Read>
  }
>()("@trunkline/core/messaging/conversations/ConversationStore") {}
