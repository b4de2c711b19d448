/** The table of `calling/suppression`: the do-not-call list. */
import * as Core from "@trunkline/core/storage"
import { columnsOf } from "../Columns.ts"
import { rowsById, table } from "../Table.ts"

export const suppressionTables = {
  suppressionEntries: table(columnsOf(Core.suppressionEntity), rowsById())
}
