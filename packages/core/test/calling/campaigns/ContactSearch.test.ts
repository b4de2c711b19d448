/** What is looked for in names, and what in numbers. */
import { describe, expect, it } from "vitest"
import { contactSearch } from "../../../src/calling/campaigns/ContactSearch.ts"

describe("a search among contacts", () => {
  it("looks for three digits or more in numbers as well, however they are written", () => {
    expect(contactSearch("555")).toEqual({ text: "555", digits: "555" })
    expect(contactSearch("+1 (415) 555-01")).toEqual({ text: "+1 (415) 555-01", digits: "141555501" })
  })

  it("looks for a text with letters, and for fewer digits, in names alone", () => {
    expect(contactSearch("Room 1015").digits).toBeNull()
    expect(contactSearch("55").digits).toBeNull()
    expect(contactSearch("Ada").digits).toBeNull()
  })
})
