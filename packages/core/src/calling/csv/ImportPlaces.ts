/** Port: where the rows of one import are gathered and committed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"

/** One run of an import. */
export interface ImportRun {
  readonly id: Ids.Id<"Import">
  readonly at: Instant.Instant
}

export type Transact = <A, E, R>(
  program: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>>

/**
 * Where one import's rows are, and what runs its transactions. Both keep the promises of `Storage.transact`, and one
 * more: however many rows they touch, the event loop is not blocked. That is why imports have transactions of their own: on
 * SQLite those of the storage run on the event loop, where 100,000 rows would hold up everything for seconds.
 */
export interface ImportPlace {
  /** Runs what changes nothing but the staged rows. It may read everything, and holds up no other transaction. */
  readonly gather: Transact
  /** Runs what others are to see. */
  readonly commit: Transact
}

export class ImportPlaces extends Context.Service<
  ImportPlaces,
  {
    /**
     * Opens a place for the rows of one import. When the scope closes, they are gone; what a crashed process left behind
     * is removed by a later import. What stages, compares and writes them belongs into the transactions of this place.
     */
    readonly open: (run: ImportRun) => Effect.Effect<ImportPlace, StorageError, Scope.Scope>
  }
>()("@trunkline/core/calling/csv/ImportPlaces") {}
