/** Port: what processes on one database let each other know of changes. Source: docs/reference/stream.md#processes. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Topic } from "./Topic.ts"

/** A process has readers of an account. */
export interface ChangeWatch {
  readonly tenantId: Ids.AccountId
  readonly processId: Ids.ProcessId
  readonly until: Instant.Instant
}

/** What has changed of accounts, for one process that watches them. */
export interface ChangeNote {
  readonly id: Ids.Id<"ChangeNote">
  /** The process that is to read it. */
  readonly processId: Ids.ProcessId
  /** By account; null where anything may have changed. */
  readonly changes: Readonly<Record<Ids.AccountId, ReadonlyArray<Topic> | null>>
  readonly at: Instant.Instant
}

export class ChangeStore extends Context.Service<
  ChangeStore,
  {
    /** Writes until when a process watches accounts, in place of what it wrote before. */
    readonly watch: (watches: ReadonlyArray<ChangeWatch>) => Effect.Effect<void, StorageError, Tx>
    /** Which processes watch these accounts at an instant, but for one of them. */
    readonly watching: (
      tenantIds: ReadonlyArray<Ids.AccountId>,
      at: Instant.Instant,
      except: Ids.ProcessId
    ) => Effect.Effect<ReadonlyArray<Pick<ChangeWatch, "tenantId" | "processId">>, StorageError, Read>
    readonly send: (notes: ReadonlyArray<ChangeNote>) => Effect.Effect<void, StorageError, Tx>
    /** Up to `limit` notes for a process, in no order. A note is there until it is removed, however late it was committed. */
    readonly notes: (
      processId: Ids.ProcessId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Pick<ChangeNote, "id" | "changes">>, StorageError, Read>
    readonly remove: (ids: ReadonlyArray<ChangeNote["id"]>) => Effect.Effect<void, StorageError, Tx>
    /** Removes up to `limit` notes that were sent before an instant; returns how many. */
    readonly sweepNotes: (before: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
    /** Removes up to `limit` watches that were over before an instant; returns how many. */
    readonly sweepWatches: (before: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/platform/changes/ChangeStore") {}
