/** The import of a file into the do-not-call list, all of it or nothing. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { Accounts, type Actor } from "../../platform/accounts/index.ts"
import { PublishedTransactions } from "../../platform/changes/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import type { CsvRefused, MappingRefused } from "../../platform/overview/index.ts"
import {
  AccountLimits,
  AccountTotals,
  checkRoom,
  type LimitReached,
  lock,
  type StorageError
} from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import { type FileReading, ImportPlaces, RowGathering, stageFile } from "../csv/index.ts"
import { lockAdditions, SuppressedCalls, Suppression } from "./Suppression.ts"
import { type EntryReport, type EntryRow, entryFields, type Field, rowOf } from "./SuppressionFile.ts"
import { type EntryImport, type StagedEntry, SuppressionImportStore } from "./SuppressionImportStore.ts"

/** Source: docs/reference/suppression.md#import. */
export interface EntryUpload {
  readonly file: Stream.Stream<Uint8Array>
  /** A JSON object, header to field, or null: headers then speak for themselves. */
  readonly columnMap: string | null
  readonly dryRun: boolean
  /** Of rows that have none. */
  readonly reason: string | null
  /** Who imports. */
  readonly actor: Actor
}

export class SuppressionImports extends Context.Service<
  SuppressionImports,
  {
    /**
     * Adds every number of a file that is not on the list. Once this answers, no new call to any of them is committed, and their calls
     * that nobody has answered are cancelled. A dry run does all of this but the writing, so that it answers with the same numbers.
     */
    readonly importCsv: (
      tenantId: Ids.AccountId,
      upload: EntryUpload
    ) => Effect.Effect<EntryReport, CsvRefused | LimitReached | MappingRefused | StorageError>
  }
>()("@trunkline/core/calling/suppression/SuppressionImports") {
  static readonly layer = Layer.effect(
    SuppressionImports,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const calls = yield* SuppressedCalls
      const { suppressionEntries: max } = yield* AccountLimits
      const places = yield* ImportPlaces
      const publishing = yield* PublishedTransactions
      const store = yield* SuppressionImportStore
      const suppression = yield* Suppression
      const totals = yield* AccountTotals

      /** What the import would do, where the list has room for it. */
      const compared = Effect.fnUntraced(function* (run: EntryImport, { failed, totalRows }: FileReading) {
        const { added, rows } = yield* store.compare(run)
        if (rows !== totalRows - failed) {
          return yield* Effect.die(new Error(`an import staged ${totalRows - failed} rows and found ${rows}`))
        }
        const present = yield* totals.read(run.tenantId, "suppression_entries")
        if (max !== null && added > 0) yield* checkRoom("suppressionEntries", max, { present, adding: added })
        return { added, totalNow: present }
      })

      const commit = Effect.fnUntraced(function* (run: EntryImport, reading: FileReading, actor: Actor) {
        const { at, tenantId } = run
        yield* lockAdditions(tenantId)
        yield* compared(run, reading)
        const added = yield* store.apply(run)
        // Not before: dialing waits for this lock, and need not wait while the rows are written. Who had claimed a number until now has
        // committed its call, which is found here; who claims one from now on finds the entries.
        yield* lock("suppression", tenantId)
        const marked = added === 0 ? [] : yield* calls.mark(tenantId, (to) => suppression.listed(tenantId, to), at)
        yield* accounts.record(tenantId, actor, "suppression.import", null)
        return { added, marked, totalNow: yield* totals.read(tenantId, "suppression_entries") }
      })

      const importCsv = tracedFn("SuppressionImports.importCsv")(function* (
        tenantId: Ids.AccountId,
        { actor, columnMap, dryRun, file, reason }: EntryUpload
      ) {
        const run: EntryImport = { id: yield* Ids.fresh<"Import">(), tenantId, at: yield* Instant.now }
        const { commit: commitIn, gather } = yield* places.open(run)
        const gathering = newGathering(columnMap, reason, yield* Ids.source)
        yield* stageFile(file, gathering, (entries) => gather(store.stage(run, entries)))
        const { added, marked, totalNow } = dryRun
          ? { ...(yield* gather(compared(run, gathering))), marked: [] }
          : yield* publishing(commitIn)(commit(run, gathering, actor))
        yield* calls.cancel(marked)
        const { errors, failed, totalRows } = gathering
        return { dryRun, totalRows, added, skipped: totalRows - added, skippedInvalid: failed, errors, totalNow }
      }, Effect.scoped)

      return SuppressionImports.of({ importCsv })
    })
  )
}

/** Numbers that are staged in one transaction, at most. */
const entriesInPart = 2000

const newGathering = (columnMap: string | null, reason: string | null, nextId: () => string) =>
  new RowGathering<Field, EntryRow, StagedEntry>({
    fields: entryFields,
    columnMap,
    read: rowOf,
    first: (row) => ({ ...row, reason: row.reason ?? reason, id: Ids.as(nextId()), rows: 1 }),
    and: (entry) => ({ ...entry, rows: entry.rows + 1 }),
    partSize: entriesInPart
  })
