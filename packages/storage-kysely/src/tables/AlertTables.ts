/** The table of `voice/alerts`. */
import * as Core from "@trunkline/core/storage"
import { columnsOf } from "../Columns.ts"
import { due, rowsById, table } from "../Table.ts"

export const alertTables = {
  voiceAlerts: table(columnsOf(Core.alertEntity), rowsById(due("dueAt")))
}
