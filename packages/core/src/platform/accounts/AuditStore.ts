/** Port: the audit log. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant, Page } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

export interface AuditEntry {
  readonly id: string
  readonly tenantId: Ids.AccountId
  /** `key:<id>`, `user:<subject>`, `operator`. */
  readonly actor: string
  /** The actor's name at the time; null where none is known. */
  readonly actorName: string | null
  readonly action: string
  readonly targetId: string | null
  readonly at: Instant.Instant
}

/** An entry with the name of what it is about, where it is known: of a key its name, or how it begins. */
export interface AuditRecord extends AuditEntry {
  readonly targetName: string | null
}

export class AuditStore extends Context.Service<
  AuditStore,
  {
    readonly add: (entry: AuditEntry) => Effect.Effect<void, StorageError, Tx>
    /** Newest first. */
    readonly list: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<ReadonlyArray<AuditEntry>, StorageError, Read>
  }
>()("@trunkline/core/platform/accounts/AuditStore") {}
