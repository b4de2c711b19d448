/** Tables of `gateway/llm`: responses that are kept for later requests. */
import type * as Core from "@trunkline/core/storage"
import { bool, int, json, text } from "../Columns.ts"
import { due, moment, rowsBy, table, tenantId } from "../Table.ts"

export const keptResponseTables = {
  keptResponses: table(
    {
      id: text(),
      tenantId,
      response: json<Core.KeptResponse["response"]>(),
      before: json<Core.KeptResponse["before"]>(),
      expiresAt: moment
    },
    rowsBy("id", due("expiresAt"))
  ),
  /** Items of the inputs and outputs of kept responses: see ResponseStoreSql. */
  keptItems: table(
    {
      responseId: text(),
      place: int(),
      tenantId,
      itemKey: text(),
      itemId: text(),
      item: json<Core.KeptItem["item"]>(),
      isInput: bool(),
      expiresAt: moment
    },
    rowsBy("responseId place")
  )
}
