/** Port: the import of a CSV file into the address book and onto a list of people. Calling implements it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { LimitReached, Read, StorageError, Tx } from "../storage/index.ts"
import { type CsvRefused, ImportsMissing, type MappingRefused } from "./CsvErrors.ts"

/** The fault of one cell. `field` is a field's name, or `column 7` for a cell that no header stands over. */
export interface RowFault {
  readonly row: number
  readonly field: string
  readonly message: string
}

/** How often one thing is wrong; `row` is the first of the rows. */
export interface FaultCount extends RowFault {
  readonly rows: number
}

/** Each header of the file with the field that it was read as, or null where the column is ignored. */
export type ReadColumns = Readonly<Record<string, string | null>>

/** Source: docs/reference/contacts.md#report. */
export interface ImportReport {
  readonly dryRun: boolean
  readonly totalRows: number
  readonly created: number
  readonly updated: number
  readonly failed: number
  /** The first hundred. */
  readonly errors: ReadonlyArray<RowFault>
  /** Everything that is wrong, by its kind in the order of the file: the first hundred kinds. */
  readonly errorCounts: ReadonlyArray<FaultCount>
  /** What each column was read as. */
  readonly columns: ReadColumns
  readonly attached: number
  readonly skippedInvalid: number
  readonly skippedDuplicate: number
  /** Contacts on the campaign: afterwards, or in a dry run at present. */
  readonly totalNow: number
}

/** Source: docs/reference/contacts.md#form. */
export interface ListUpload {
  readonly file: Stream.Stream<Uint8Array>
  /** A JSON object, header to field, or null: headers then speak for themselves. */
  readonly columnMap: string | null
  readonly dryRun: boolean
  /** The sender states that contacts which the import makes have agreed to be messaged. */
  readonly optedIn: boolean
}

/** Whose contacts are on the list: those of a campaign of calls, or of one that sends a template, which have variables. */
export type ListKind = "campaign" | "templateCampaign"

/** A list that nobody else changes until the transaction ends. */
export interface LockedList {
  readonly total: number
  /** The place of the next contact. */
  readonly nextSeq: number
  /** Counts those who were put on it, who may be nobody. In the transaction that has put them on it. */
  readonly attached: (many: number, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx | Read>
}

/** The list that an import puts people on. It fails where it takes nobody. */
export interface ImportedList<E> {
  readonly kind: ListKind
  readonly id: string
  /** How many people are on it. Before the file is read. */
  readonly total: Effect.Effect<number, E | StorageError>
  /** Under the lock of the account's imports. */
  readonly locked: Effect.Effect<LockedList, E | StorageError, Tx | Read>
}

export interface ListImports {
  /**
   * Creates or updates a contact for every row, and adds to the list each person who is not on it: all of it, or nothing. A dry run
   * answers with the same numbers and writes nothing. Source: docs/reference/contacts.md#import.
   */
  readonly importCsv: <E>(
    tenantId: Ids.AccountId,
    list: ImportedList<E>,
    upload: ListUpload
  ) => Effect.Effect<ImportReport, E | CsvRefused | ImportsMissing | LimitReached | MappingRefused | StorageError>
}

/** Without calling there is no address book to import into. */
export const ListImports = Context.Reference<ListImports>("@trunkline/core/platform/overview/ListImports", {
  defaultValue: () => ({ importCsv: () => Effect.fail(new ImportsMissing()) })
})
