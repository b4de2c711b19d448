/** Tables of `calling/calls`: numbers to call from, calls, and when a carrier takes the next one. */
import * as Core from "@trunkline/core/storage"
import { columnsOf, nullable, text } from "../Columns.ts"
import { moment, rowsBy, rowsById, table } from "../Table.ts"

export const callTables = {
  phoneNumbers: table(columnsOf(Core.callerNumberEntity), rowsById()),
  voicemailTemplates: table(columnsOf(Core.voicemailTemplateEntity), rowsById()),
  calls: table(columnsOf(Core.callEntity), rowsById({ amount: "credits" })),
  carrierSlots: table(
    { carrier: text(), nextStartAt: moment, storedAt: nullable(moment) },
    rowsBy("carrier", { account: null })
  )
}
