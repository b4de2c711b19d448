/** Port: the chats with a person who is known by a telephone number. Messaging implements it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError } from "../storage/index.ts"

export interface PersonConversations {
  /** The id of the one with the newest message; null where there is none. `digits` are those of the whole number. */
  readonly newest: (
    tenantId: Ids.AccountId,
    digits: string
  ) => Effect.Effect<Ids.Id<"Conversation"> | null, StorageError, Read>
}

/** Without messaging there are no chats. */
export const PersonConversations = Context.Reference<PersonConversations>(
  "@trunkline/core/platform/overview/PersonConversations",
  { defaultValue: () => ({ newest: () => Effect.succeed(null) }) }
)
