/** Port: whom the networks have blocked on connected numbers, as far as this product had them blocked. Source: docs/reference/messaging.md#number-management. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"

/** A person is the match key of their telephone number, or the network's id of them. */
export class BlockedStore extends Context.Service<
  BlockedStore,
  {
    /** Adds people, each of whom may be there already. */
    readonly add: (
      phoneId: Ids.PhoneId,
      tenantId: Ids.AccountId,
      people: ReadonlyArray<string>
    ) => Effect.Effect<void, StorageError, Tx>
    readonly remove: (phoneId: Ids.PhoneId, people: ReadonlyArray<string>) => Effect.Effect<void, StorageError, Tx>
    /** Which of these people are blocked on the number. */
    readonly among: (
      phoneId: Ids.PhoneId,
      people: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StorageError, Read>
  }
>()("@trunkline/core/messaging/channels/BlockedStore") {}
