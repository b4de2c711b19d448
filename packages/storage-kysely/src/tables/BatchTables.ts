/** Tables of `gateway/batches`. */
import * as Core from "@trunkline/core/storage"
import { columnsOf, int, nullable, text } from "../Columns.ts"
import { due, moment, rowsBy, rowsById, table, tenantId } from "../Table.ts"

export const batchTables = {
  batches: table(columnsOf(Core.batchEntity), rowsById(due("sweepAt"))),
  batchLines: table(
    {
      batchId: text<Core.Ids.BatchId>(),
      n: int(),
      customId: text(),
      fromByte: int(),
      byteLength: int(),
      outcome: nullable(text<Core.LineOutcome>()),
      result: nullable(text())
    },
    rowsBy("batchId n")
  ),
  /** Accounts with batches that have not ended. A claimed account is due when its claim runs out. */
  batchQueue: table(
    { tenantId, dueAt: moment, claim: nullable(text()) },
    rowsBy("tenantId", { accountKey: ["tenantId"], ...due("dueAt", "dueAt") })
  )
}
