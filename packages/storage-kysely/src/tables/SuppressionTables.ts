/** Tables of `calling/suppression`: the do-not-call list and its imports. */
import * as Core from "@trunkline/core/storage"
import { columnsOf, int, nullable, text } from "../Columns.ts"
import { moment, notCopied, rowsById, table } from "../Table.ts"

export const suppressionTables = {
  suppressionEntries: table(columnsOf(Core.suppressionEntity), rowsById()),
  /** Numbers of imports that are under way, see SuppressionImportStoreSql. */
  importEntries: table(
    {
      importId: text(),
      matchKey: text<Core.PhoneNumber.MatchKey>(),
      occurrences: int(),
      phone: text(),
      reason: nullable(text()),
      entryId: text<Core.Ids.EntryId>(),
      createdAt: moment
    },
    notCopied("numbers of an import that is under way: they end with it")
  )
}
