/** Tables of `calling/contacts`: the address book and its imports. */
import * as Core from "@trunkline/core/storage"
import { bool, columnsOf, int, json, nullable, text } from "../Columns.ts"
import { moment, notCopied, rowsById, table } from "../Table.ts"

export const contactTables = {
  crmContacts: table(columnsOf(Core.crmContactEntity), rowsById()),
  /** People of imports that are under way, see ImportStoreSql. */
  importRows: table(
    {
      importId: text(),
      matchKey: text<Core.PhoneNumber.MatchKey>(),
      rowNo: int(),
      occurrences: int(),
      fields: json<Core.ImportPerson["fields"]>(),
      custom: json<Readonly<Record<string, string>>>(),
      optedIn: bool(),
      phone: text(),
      name: nullable(text()),
      crmId: text<Core.Ids.CrmContactId>(),
      contactId: text<Core.Ids.ContactId>(),
      attach: bool(),
      createdAt: moment
    },
    notCopied("people of an import that is under way: they end with it")
  )
}
