/** Port: an account's keys, as its people look for them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ApiKeys } from "../accounts/index.ts"
import type { Instant, Page } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError } from "../storage/index.ts"

/** A key and its last use. */
export interface UsedKey extends ApiKeys.ApiKey {
  /** Null before the first use. */
  readonly lastUsedAt: Instant.Instant | null
}

/** What is asked of the list; null for everything. */
export interface KeyFilter {
  readonly state: ApiKeys.KeyState | null
  /** A part of the name, or of the characters that are shown of the key; case does not count. */
  readonly search: string | null
}

/** A filter at an instant, at which some of the keys have expired. */
export interface KeyQuery extends KeyFilter {
  readonly tenantId: Ids.AccountId
  readonly at: Instant.Instant
}

export class KeyListStore extends Context.Service<
  KeyListStore,
  {
    readonly find: (id: Ids.KeyId) => Effect.Effect<UsedKey | null, StorageError, Read>
    /** Newest first. */
    readonly list: (query: KeyQuery, page: Page) => Effect.Effect<ReadonlyArray<UsedKey>, StorageError, Read>
    readonly count: (query: KeyQuery) => Effect.Effect<number, StorageError, Read>
  }
>()("@trunkline/core/platform/keys/KeyListStore") {}
