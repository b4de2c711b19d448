/** What the pages offer for a column of a file, against what the server takes. */
import { describe, expect, it } from "vitest"
import { importFields, numberFields } from "../../../../dashboard/pages/parts/CsvTable.ts"
import { contactFields } from "../../../src/calling/contacts/ContactImport.ts"
import { entryFields } from "../../../src/calling/suppression/SuppressionFile.ts"

describe("the fields that a column of a file may be", () => {
  it("are the same on the page of an import and on the server", () => {
    expect(contactFields.list).toMatch(new RegExp(`^${importFields.join(", ")} and custom\\.<key>`))
  })

  it("are the same on the page of the do-not-call list and on the server", () => {
    expect(entryFields.list).toBe(numberFields.join(", "))
  })
})
