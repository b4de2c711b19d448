/** The table of `platform/moving`. */
import type * as Core from "@trunkline/core/storage"
import { int, nullable, text } from "../Columns.ts"
import { moment, notCopied, table, tenantId } from "../Table.ts"

export const moveTables = {
  /** Accounts that move to another installation, or have moved: see MoveStoreSql. */
  accountMoves: table(
    {
      tenantId,
      moveId: text(),
      phase: text<Core.AccountMove["phase"]>(),
      other: text(),
      place: int(),
      cursor: nullable(text()),
      updatedAt: moment
    },
    notCopied("the state of moves at one database")
  )
}
