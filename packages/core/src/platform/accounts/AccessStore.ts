/** Port: accounts and keys. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Account } from "./Account.ts"
import type { ApiKey } from "./ApiKey.ts"

export interface KeyAndAccount {
  readonly key: ApiKey
  readonly account: Account
}

/** A key and its account, as they were at one version of the account: it is another one after each change of the account or its keys. */
export interface VersionedKey extends KeyAndAccount {
  readonly version: number
}

export class AccessStore extends Context.Service<
  AccessStore,
  {
    readonly addAccount: (account: Account) => Effect.Effect<void, StorageError, Tx>
    readonly findAccount: (id: Ids.AccountId) => Effect.Effect<Account | null, StorageError, Read>
    readonly listAccounts: (page: Page) => Effect.Effect<ReadonlyArray<Account>, StorageError, Read>
    readonly saveAccount: (account: Account) => Effect.Effect<void, StorageError, Tx>
    readonly addKey: (key: ApiKey) => Effect.Effect<void, StorageError, Tx>
    /** Keys of an account that are not revoked. */
    readonly countKeys: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    readonly findKey: (id: Ids.KeyId) => Effect.Effect<ApiKey | null, StorageError, Read>
    /** Those of these keys that exist, in no order. */
    readonly keys: (ids: ReadonlyArray<Ids.KeyId>) => Effect.Effect<ReadonlyArray<ApiKey>, StorageError, Read>
    /**
     * The key with this digest, or with it before its last rotation, and its account: indexed reads. The version may be older than
     * the account, and is never newer.
     */
    readonly keyByHash: (hash: string) => Effect.Effect<VersionedKey | null, StorageError, Read>
    /** Claims up to `limit` keys that have expired by `at`, soonest first. Each key is claimed once, by one caller. */
    readonly claimExpired: (
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ApiKey>, StorageError, Tx>
    /** Writes a key that is not revoked, its revocation apart: false, and nothing is changed, where it is. `expires` writes its expiry, which is published then. */
    readonly saveKey: (key: ApiKey, changes: { readonly expires: boolean }) => Effect.Effect<boolean, StorageError, Tx>
    readonly revokeKey: (
      key: Pick<ApiKey, "id" | "tenantId">,
      at: Instant.Instant
    ) => Effect.Effect<boolean, StorageError, Tx>
  }
>()("@trunkline/core/platform/accounts/AccessStore") {}
