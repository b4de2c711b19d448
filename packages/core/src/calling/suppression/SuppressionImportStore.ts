/** Port: how the numbers of an import are staged, compared and written. In the transactions of its `ImportPlace`. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { ImportRun } from "../csv/index.ts"
import type { EntryRow } from "./SuppressionFile.ts"

/** One import, and whose list it is for. */
export interface EntryImport extends ImportRun {
  readonly tenantId: Ids.AccountId
}

/** A number with the id of the entry that the import may have to make. */
export interface StagedEntry extends EntryRow {
  readonly id: Ids.EntryId
  /** How many rows said it. */
  readonly rows: number
}

export class SuppressionImportStore extends Context.Service<
  SuppressionImportStore,
  {
    /** Adds numbers to the staged rows; within one call each has another key. Of a key that is there already the first row stays. */
    readonly stage: (
      run: EntryImport,
      entries: ReadonlyArray<StagedEntry>
    ) => Effect.Effect<void, StorageError, Tx | Read>
    /** How many rows of the file are staged, and how many entries `apply` would add. */
    readonly compare: (
      run: EntryImport
    ) => Effect.Effect<{ readonly rows: number; readonly added: number }, StorageError, Read>
    /** Adds the staged numbers whose keys are not on the list, and returns how many those were. Under the lock of additions. */
    readonly apply: (run: EntryImport) => Effect.Effect<number, StorageError, Tx | Read>
  }
>()("@trunkline/core/calling/suppression/SuppressionImportStore") {}
