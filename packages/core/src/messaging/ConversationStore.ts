/**
 * Port: customers, conversations and messages. A customer is one person on one number, found by phone, by the platform's own id
 * of people, or by both; it is also the lane in which replies are made, one at a time.
 *
 * Messages are in the order in which they were added, whatever their ids: clocks of two processes differ, and a message must
 * not slip in before one that was answered. Whoever adds one holds its customer's lock.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant, Page } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Message, MessageError, MessageStatus } from "./Message.ts"

export interface Customer {
  readonly id: Ids.CustomerId
  readonly tenantId: Ids.AccountId
  readonly phoneId: Ids.PhoneId
  /** Digits; null where the platform does not tell. */
  readonly phone: string | null
  /** The platform's own id of the person; null where it has none. */
  readonly userRef: string | null
  readonly name: string | null
  /** The open conversation. */
  readonly conversationId: Ids.ConversationId
  /** Free text may be sent until then; null while the customer has never written. */
  readonly windowExpiresAt: Instant.Instant | null
  readonly lastMessageAt: Instant.Instant
  readonly createdAt: Instant.Instant
  // The lane.
  /** When the lane is to be looked at; null while there is nothing to do. */
  readonly dueAt: Instant.Instant | null
  /** Who works in it, until when; null while nobody does. Moved by claims alone: `claimDue`, `keepClaim`, `endClaim`. */
  readonly claim: string | null
  readonly claimedUntil: Instant.Instant | null
  /** The last inbound message that was looked at: it was answered, or there was nothing to answer. */
  readonly handledUpTo: Ids.MessageId | null
  /** When the first message came that was not looked at yet. */
  readonly waitingSince: Instant.Instant | null
  /** Of the turn that is being made: how often it failed. */
  readonly failures: number
}

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

/** What a customer is called by. */
export type CustomerNames = Pick<Customer, "id" | "phone" | "userRef" | "name">

/** What changes of a customer at every message. A claim may be made meanwhile, and must not be written over. */
export type CustomerLane = Pick<
  Customer,
  "id" | "conversationId" | "windowExpiresAt" | "lastMessageAt" | "dueAt" | "handledUpTo" | "waitingSince" | "failures"
>

/** A report for a message that is not known yet; `at` is when it came. */
export interface EarlyStatus {
  readonly id: string
  readonly phoneId: Ids.PhoneId
  readonly msgid: string
  readonly status: MessageStatus
  readonly fault: MessageError | null
  readonly at: Instant.Instant
}

export class ConversationStore extends Context.Service<
  ConversationStore,
  {
    // Customers. Lock ("customer-of", phoneId) before a customer is looked for and made; lock ("customer", id) before one is changed.
    readonly addCustomer: (customer: Customer) => Effect.Effect<void, StorageError, Tx>
    readonly customerById: (id: Ids.CustomerId) => Effect.Effect<Customer | null, StorageError, Read>
    readonly customerByPhone: (
      phoneId: Ids.PhoneId,
      phone: string
    ) => Effect.Effect<Customer | null, StorageError, Read>
    readonly customerByRef: (
      phoneId: Ids.PhoneId,
      userRef: string
    ) => Effect.Effect<Customer | null, StorageError, Read>
    readonly saveNames: (names: CustomerNames) => Effect.Effect<void, StorageError, Tx>
    /** Writes all of it but the names and the claim. */
    readonly saveLane: (lane: CustomerLane) => Effect.Effect<void, StorageError, Tx>
    /**
     * Two customers were one person: conversations and messages of the first become the second's, and the first is gone, so
     * that the second may be saved with its phone and user ref. Lock both before they are looked at. Tells up to which message
     * the second is handled now: whatever either had not looked at comes after it.
     */
    readonly mergeCustomers: (
      from: Ids.CustomerId,
      into: Ids.CustomerId
    ) => Effect.Effect<Ids.MessageId | null, StorageError, Tx>
    /**
     * Lanes that are due and that nobody works in, oldest first, claimed for `claim` until `until` in one statement; two
     * processes never get the same one. A lane whose claim ran out is due again, from that instant on. `claim` is a new one
     * each time. Takes no locks and waits for nobody: nothing else belongs into its transaction.
     */
    readonly claimDue: (wanted: {
      readonly at: Instant.Instant
      readonly until: Instant.Instant
      readonly claim: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Customer>, StorageError, Tx>
    /**
     * Holds a lane for longer; false where it is not the claim's any more. Once true, nobody can claim the lane before the end of
     * this transaction: whoever writes in a lane keeps or ends its claim first.
     */
    readonly keepClaim: (
      id: Ids.CustomerId,
      claim: string,
      until: Instant.Instant
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** Gives a lane back, due or not; false where it is not the claim's any more. */
    readonly endClaim: (id: Ids.CustomerId, claim: string) => Effect.Effect<boolean, StorageError, Tx>
    /** When the next lane is due that nobody works in, or a claim runs out. */
    readonly nextDue: () => Effect.Effect<Instant.Instant | null, StorageError, Read>

    // Conversations.
    readonly addConversation: (conversation: Conversation) => Effect.Effect<void, StorageError, Tx>
    readonly conversation: (id: Ids.ConversationId) => Effect.Effect<Conversation | null, StorageError, Read>
    readonly saveConversation: (conversation: Conversation) => Effect.Effect<void, StorageError, Tx>
    readonly view: (
      tenantId: Ids.AccountId,
      id: Ids.ConversationId
    ) => Effect.Effect<ConversationView | null, StorageError, Read>
    /** The one with the latest message first. `phoneId`, `status`: null for all. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: { readonly phoneId: Ids.PhoneId | null; readonly status: Conversation["status"] | null },
      page: Page
    ) => Effect.Effect<ReadonlyArray<ConversationView>, StorageError, Read>
    readonly count: (
      tenantId: Ids.AccountId,
      filter: { readonly phoneId: Ids.PhoneId | null; readonly status: Conversation["status"] | null }
    ) => Effect.Effect<number, StorageError, Read>

    // Messages.
    /** False, and nothing added, where the number has a message of this `msgid`. */
    readonly addMessage: (message: Message) => Effect.Effect<boolean, StorageError, Tx>
    readonly messageById: (id: Ids.MessageId) => Effect.Effect<Message | null, StorageError, Read>
    readonly messageByMsgid: (phoneId: Ids.PhoneId, msgid: string) => Effect.Effect<Message | null, StorageError, Read>
    /** Which of these a number has. */
    readonly knownMsgids: (
      phoneId: Ids.PhoneId,
      msgids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, StorageError, Read>
    /** Changes what a message comes to. */
    readonly saveMessage: (
      id: Ids.MessageId,
      change: Pick<Message, "msgid" | "status" | "fault">
    ) => Effect.Effect<void, StorageError, Tx>
    /**
     * What is sending is sent now, under the platform's id of it. False, and nothing changed, where it is not sending, where it
     * or another message of the number has an id, or where there are early reports of this one.
     */
    readonly sendingWasTaken: (id: Ids.MessageId, msgid: string) => Effect.Effect<boolean, StorageError, Tx>
    /** Of a conversation, newest first. */
    readonly messages: (
      conversationId: Ids.ConversationId,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Message>, StorageError, Read>
    readonly countMessages: (conversationId: Ids.ConversationId) => Effect.Effect<number, StorageError, Read>
    /** The last ones of a customer over all conversations, oldest first: the history that a model gets. */
    readonly history: (
      customerId: Ids.CustomerId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Message>, StorageError, Read>
    /** Inbound ones after another one, oldest first; all of them after null. */
    readonly inboundAfter: (
      customerId: Ids.CustomerId,
      after: Ids.MessageId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Message>, StorageError, Read>
    /** Parts of turns that are queued or sending, in the order in which they are to be sent: they are added in it. */
    readonly openParts: (customerId: Ids.CustomerId) => Effect.Effect<ReadonlyArray<Message>, StorageError, Read>
    /** The assistant's turns since an instant: how many, for the guard against loops. */
    readonly turnsSince: (
      customerId: Ids.CustomerId,
      since: Instant.Instant
    ) => Effect.Effect<number, StorageError, Read>

    /**
     * What is no part of a turn and was sending before an instant becomes unknown: whoever sent it is gone. At most so many;
     * tells how many.
     */
    readonly loseSends: (before: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>

    // Reports that came before their message. Lock ("report", msgid) before a report is kept because its message is not known, and
    // before a message gets the msgid that a report may name: or the two miss each other. Look again under the lock.
    readonly addEarly: (status: EarlyStatus) => Effect.Effect<void, StorageError, Tx>
    /** Removes and tells them, in the order in which they came. */
    readonly takeEarly: (
      phoneId: Ids.PhoneId,
      msgid: string
    ) => Effect.Effect<ReadonlyArray<EarlyStatus>, StorageError, Tx>
    /** Removes those that came before an instant, at most so many; tells how many. */
    readonly sweepEarly: (before: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/messaging/ConversationStore") {}
