/** A customer's conversation as the customer sees it. Source: docs/reference/messaging.md#channels. */
import * as Effect from "effect/Effect"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import type { TranscriptMessage } from "../channels/ChatChannel.ts"
import { CustomerStore } from "../customers/CustomerStore.ts"
import type * as Ids from "../MessagingIds.ts"
import type { MessageStatus } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"

/** What a customer has written, and what was sent to them. */
const visible: ReadonlySet<MessageStatus> = new Set(["received", "sent", "delivered", "read"])

export interface Transcripts {
  /** The last messages with a customer, over all conversations; the oldest is the first one. None with a stranger. */
  readonly read: (customer: {
    readonly phoneId: Ids.PhoneId
    /** The channel's own id of the customer. */
    readonly userId: string
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<TranscriptMessage>, StorageError>
}

export const makeTranscripts = Effect.gen(function* () {
  const customers = yield* CustomerStore
  const messages = yield* MessageStore
  const storage = yield* Storage
  return {
    read: ({ limit, phoneId, userId }) =>
      storage.read(
        Effect.gen(function* () {
          const customer = yield* customers.byRef(phoneId, userId)
          if (customer === null) return []
          const history = yield* messages.history(customer.id, limit)
          return history
            .filter(({ deletedAt, status }) => deletedAt === null && visible.has(status))
            .map(({ createdAt, id, role, text, type }) => ({ id, role, type, text, at: createdAt }))
        })
      )
  } satisfies Transcripts
})
