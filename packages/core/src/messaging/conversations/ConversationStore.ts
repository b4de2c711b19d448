/** Port: conversations and the lists that callers see. Lock ("customer", id) before a customer's conversation is changed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Doer } from "../../platform/accounts/index.ts"
import type { Page } from "../../platform/kernel/index.ts"
import type { PersonSearch, PhoneNumber } from "../../platform/numbers/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { Message } from "../messages/Message.ts"
import type { Conversation, ConversationView } from "./Conversation.ts"

/** Which conversations of an account are listed. Null asks for nothing. */
export interface ConversationFilter {
  readonly phoneId: Ids.PhoneId | null
  readonly status: Conversation["status"] | null
  /** True for those with messages that are not read. */
  readonly isUnread: boolean | null
  /** What `needsPerson` says. */
  readonly needsPerson: boolean | null
  readonly assignedTo: AssignedTo | null
  /** Conversations with the person who has this number. */
  readonly customer: PhoneNumber.MatchKey | null
  /** A part of the customer's name, phone or id. */
  readonly search: PersonSearch | null
}

export type AssignedTo = { readonly _tag: "Nobody" } | { readonly _tag: "Subject"; readonly subject: string }

export const everyConversation: ConversationFilter = {
  phoneId: null,
  status: null,
  isUnread: null,
  needsPerson: null,
  assignedTo: null,
  customer: null,
  search: null
}

export class ConversationStore extends Context.Service<
  ConversationStore,
  {
    readonly add: (conversation: Conversation) => Effect.Effect<void, StorageError, Tx>
    readonly byId: (id: Ids.ConversationId) => Effect.Effect<Conversation | null, StorageError, Read>
    /** Writes all but who it is assigned to, which changes without the lock when that person is removed. */
    readonly save: (conversation: Conversation) => Effect.Effect<void, StorageError, Tx>
    /** Writes who it is assigned to; null for nobody. */
    readonly assign: (
      conversation: Pick<Conversation, "id" | "tenantId">,
      to: Doer | null
    ) => Effect.Effect<void, StorageError, Tx>
    /**
     * Nothing is assigned to a subject any more, also what transactions assign that have begun and copy it from a conversation.
     * Returns which were.
     */
    readonly unassign: (
      tenantId: Ids.AccountId,
      subject: string
    ) => Effect.Effect<ReadonlyArray<Ids.ConversationId>, StorageError, Tx>
    /**
     * The messages of `from` become those of `into`, another conversation of the same customer. Returns the newest one of `into` then,
     * and how many of the customer's stand after the last message to the customer.
     */
    readonly absorb: (conversations: {
      readonly customerId: Ids.CustomerId
      readonly from: Ids.ConversationId
      readonly into: Ids.ConversationId
    }) => Effect.Effect<
      { readonly lastMessageId: Ids.MessageId | null; readonly unanswered: number },
      StorageError,
      Tx | Read
    >
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
    /** Of one conversation, newest first: those before a message of it, or all. */
    readonly messages: (
      id: Ids.ConversationId,
      before: Ids.MessageId | null,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Message>, StorageError, Read>
    readonly countMessages: (id: Ids.ConversationId) => Effect.Effect<number, StorageError, Read>
  }
>()("@trunkline/core/messaging/conversations/ConversationStore") {}
