/** Port: the audit log. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { AuditAction } from "./AuditAction.ts"

export interface AuditRecord {
  readonly id: string
  readonly tenantId: Ids.AccountId
  /** `key:<id>`, `user:<subject>`, `operator`. */
  readonly actor: string
  /** The actor's name at the time; null where none is known. */
  readonly actorName: string | null
  readonly action: string
  readonly targetId: string | null
  /** The name at the time of what was changed; null where none is known. */
  readonly targetName: string | null
  readonly at: Instant.Instant
}

/** What is asked of the log; null for everything. `from` is included, `to` is not. */
export interface AuditFilter {
  readonly actor: string | null
  readonly action: AuditAction | null
  readonly targetId: string | null
  readonly from: Instant.Instant | null
  readonly to: Instant.Instant | null
}

export class AuditStore extends Context.Service<
  AuditStore,
  {
    readonly add: (entry: AuditRecord) => Effect.Effect<void, StorageError, Tx>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: AuditFilter,
      page: Page
    ) => Effect.Effect<ReadonlyArray<AuditRecord>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, filter: AuditFilter) => Effect.Effect<number, StorageError, Read>
  }
>()("@trunkline/core/platform/accounts/AuditStore") {}
