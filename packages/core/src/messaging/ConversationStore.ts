/** Port: conversations and the lists that callers see. Lock ("customer", id) before a customer's conversation is changed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant, Page } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Message } from "./Message.ts"

export interface Conversation {
  readonly id: Ids.ConversationId
  readonly tenantId: Ids.AccountId
  readonly phoneId: Ids.PhoneId
  readonly customerId: Ids.CustomerId
  readonly aiAutoreplyEnabled: boolean
  readonly status: "open" | "ended"
  readonly lastMessageAt: Instant.Instant
  readonly createdAt: Instant.Instant
}

/** A conversation as it is shown: its customer's and its number's fields beside its own. */
export interface ConversationView extends Conversation {
  readonly phoneNumberId: string
  readonly botId: Ids.BotId | null
  readonly phone: string | null
  readonly userRef: string | null
  readonly name: string | null
  readonly windowExpiresAt: Instant.Instant | null
}

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
    readonly view: (
      tenantId: Ids.AccountId,
      id: Ids.ConversationId
    ) => Effect.Effect<ConversationView | null, StorageError, Read>
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
>()("@trunkline/core/messaging/ConversationStore") {}
