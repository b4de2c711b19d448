/** Tables of `platform/storage`: totals of accounts, states of providers, and where queues begin. */
import type * as Core from "@trunkline/core/storage"
import { bool, int, json, text } from "../Columns.ts"
import { notCopied, rowsBy, table } from "../Table.ts"

export const storageTables = {
  /** Written by triggers alone: see AccountTotalTriggers.ts. */
  accountTotals: table(
    { tenantId: text<Core.Ids.AccountId>(), name: text(), n: int() },
    notCopied("counted by each database from its rows")
  ),
  /** Where the ids of what is pending in a table begin. */
  queueFloors: table(
    { name: text(), floor: text() },
    notCopied("where what is pending begins, found anew at each database")
  ),
  providerStates: table(
    {
      provider: text(),
      key: text(),
      state: json<Readonly<Record<string, unknown>>>(),
      isOpen: bool()
    },
    rowsBy("provider key", { account: null })
  )
}
