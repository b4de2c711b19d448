/** Port: applies what channels deliver about business accounts. Source: docs/reference/messaging.md#account-news. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { NewEvent } from "../../platform/events/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { AccountNews } from "./AccountNews.ts"

export class AccountReports extends Context.Service<
  AccountReports,
  {
    /**
     * Applies news of one business account to every connected number that it has here, in whatever account, as part of the caller's
     * transaction; returns the events of what has changed. `enter` runs once for each of those accounts, before the first write.
     */
    readonly apply: <E>(
      channel: string,
      news: AccountNews,
      enter: (tenantId: Ids.AccountId) => Effect.Effect<void, E, Tx | Read>
    ) => Effect.Effect<ReadonlyArray<NewEvent>, E | StorageError, Tx | Read>
  }
>()("@trunkline/core/messaging/channels/AccountReports") {}
