/** Port: when keys were used last. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

export interface KeyUse {
  readonly keyId: Ids.KeyId
  readonly tenantId: Ids.AccountId
  readonly usedAt: Instant.Instant
}

export class KeyUseStore extends Context.Service<
  KeyUseStore,
  {
    /** Writes these uses in place of what is stored of their keys. */
    readonly note: (uses: ReadonlyArray<KeyUse>) => Effect.Effect<void, StorageError, Tx>
    /** Whether a key of the account has ever been used. */
    readonly hasAny: (tenantId: Ids.AccountId) => Effect.Effect<boolean, StorageError, Read>
  }
>()("@trunkline/core/platform/accounts/KeyUseStore") {}
