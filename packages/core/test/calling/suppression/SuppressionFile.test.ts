/** What a row of a file says about a number that is not to be called. Verifies: SUPP-1, SUPP-5. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { mappingOf } from "../../../src/calling/csv/ImportMapping.ts"
import { entryFields, rowOf } from "../../../src/calling/suppression/SuppressionFile.ts"

const mapping = Result.getOrThrow(mappingOf(entryFields, ["Telephone", "Reason", "created_at", "custom.plan"], null))
const read = (...cells: ReadonlyArray<string>) =>
  Result.match(rowOf(mapping, { row: 2, cells }), {
    onSuccess: (row) => row,
    onFailure: (faults) => faults.map(({ field, message }) => `${field}: ${message}`)
  })

describe("a row of the do-not-call list", () => {
  // Verifies: B-703.
  it("has a number and a reason, whatever other columns the file has", () => {
    expect(mapping.read).toEqual({ Telephone: "phone", Reason: "reason", created_at: null, "custom.plan": null })
    expect(read(" +1 (415) 555-0101 ", " asked ", "yesterday", "gold")).toEqual({
      phone: "+1 (415) 555-0101",
      matchKey: "1010555514",
      reason: "asked"
    })
    expect(read("4155550101")).toMatchObject({ reason: null })
  })

  // Verifies: B-706.
  it("reads a number as a file of the list has it, so that no spreadsheet takes it for a formula", () => {
    expect(read("'+1 (415) 555-0101")).toMatchObject({ matchKey: "1010555514" })
  })

  it("is refused with everything that is wrong with it", () => {
    expect(read("", "asked")).toEqual(["phone: Required"])
    expect(read("12", "x".repeat(501))).toEqual([
      "phone: Expected a number that can be dialed, of 7 to 15 digits",
      "reason: Expected at most 500 characters"
    ])
    expect(read("4155550101", "a\0b")).toEqual(["reason: Expected text without NUL characters"])
  })

  it("has no other fields that a map may name", () => {
    const refused = mappingOf(entryFields, ["a", "b"], '{"a":"phone","b":"name"}')
    expect(Result.isFailure(refused) && refused.failure.message).toBe(
      '"b" is mapped to "name", which is no field: fields are phone, reason'
    )
  })
})
