/** Port: messages that send flows, by the tokens that were made for them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { Message } from "./Message.ts"

export class SentFlowStore extends Context.Service<
  SentFlowStore,
  {
    /** The account's message whose flow this token was made for. */
    readonly byToken: (tenantId: Ids.AccountId, flowToken: string) => Effect.Effect<Message | null, StorageError, Read>
  }
>()("@trunkline/core/messaging/messages/SentFlowStore") {}
