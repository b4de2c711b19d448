/**
 * Port: messages of all customers. They are in the order in which they were added, whatever their ids: clocks of two processes
 * differ, and a message must not slip in before one that was answered. Lock ("customer", id) before one of a customer's is added.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { Message } from "./Message.ts"

/** A message, and where it stands. */
export type MessagePlace = Pick<Message, "id" | "tenantId" | "conversationId">

export class MessageStore extends Context.Service<
  MessageStore,
  {
    /** False, and nothing added, where the number has a message of this `msgid`. */
    readonly add: (message: Message) => Effect.Effect<boolean, StorageError, Tx>
    readonly byId: (id: Ids.MessageId) => Effect.Effect<Message | null, StorageError, Read>
    readonly byMsgid: (phoneId: Ids.PhoneId, msgid: string) => Effect.Effect<Message | null, StorageError, Read>
    /** Which of these a number has. */
    readonly knownMsgids: (
      phoneId: Ids.PhoneId,
      msgids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, StorageError, Read>
    /** Writes the outcome of a message. */
    readonly save: (
      message: MessagePlace,
      outcome: Pick<Message, "msgid" | "status" | "fault">
    ) => Effect.Effect<void, StorageError, Tx>
    /** Writes what the writer of a message has made of it. */
    readonly change: (
      message: MessagePlace,
      now: Pick<Message, "text" | "body" | "original" | "editedAt" | "deletedAt">
    ) => Effect.Effect<void, StorageError, Tx>
    /**
     * A message that is `sending` is `sent` now, under the platform's id of it. False, and nothing changed, where it is not
     * `sending`, where it or another message of the number has an id, or where unmatched statuses wait for this id.
     */
    readonly markSent: (message: MessagePlace, msgid: string) => Effect.Effect<boolean, StorageError, Tx>
    /**
     * A send that began before an instant, and is neither a part of a turn nor a campaign's, becomes `unknown`: its process is gone.
     * Returns which.
     */
    readonly expireStaleSends: (
      before: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<MessagePlace>, StorageError, Tx>
    /** The last messages of a customer over all conversations, oldest first. */
    readonly history: (
      customerId: Ids.CustomerId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Message>, StorageError, Read>
    /** Inbound messages after another one, oldest first; all of them after null. */
    readonly inboundAfter: (
      customerId: Ids.CustomerId,
      after: Ids.MessageId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Message>, StorageError, Read>
    /** Parts of turns that are queued or sending, in the order in which they are to be sent: they are added in it. */
    readonly openParts: (customerId: Ids.CustomerId) => Effect.Effect<ReadonlyArray<Message>, StorageError, Read>
    /** How many turns the assistant has had since an instant. */
    readonly turnsSince: (
      customerId: Ids.CustomerId,
      since: Instant.Instant
    ) => Effect.Effect<number, StorageError, Read>
  }
>()("@trunkline/core/messaging/messages/MessageStore") {}
