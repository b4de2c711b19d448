/** Tables of `platform/changes`. */
import type * as Core from "@trunkline/core/storage"
import { json, text } from "../Columns.ts"
import { moment, notCopied, table, tenantId } from "../Table.ts"

export const changeTables = {
  changeWatches: table(
    { tenantId, processId: text<Core.Ids.ProcessId>(), until: moment },
    notCopied("A process works with one database.")
  ),
  changeNotes: table(
    {
      id: text<Core.ChangeNote["id"]>(),
      processId: text<Core.Ids.ProcessId>(),
      changes: json<Core.ChangeNote["changes"]>(),
      at: moment
    },
    notCopied("They are for a process that works with this database, and are read within a second.")
  )
}
