/** Which column is which field, and every reason why a header and a map are refused. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { mappingOf, nameOf } from "../../src/contacts/ImportMapping.ts"

const mapped = (header: ReadonlyArray<string>, map: object | string | null = null) => {
  const mapping = mappingOf(header, map === null || typeof map === "string" ? map : JSON.stringify(map))
  if (Result.isFailure(mapping)) throw mapping.failure
  return Object.fromEntries(mapping.success.columns.map(({ at, target }) => [nameOf(target), at]))
}

const faults = (header: ReadonlyArray<string>, map: object | string | null = null) => {
  const mapping = mappingOf(header, map === null || typeof map === "string" ? map : JSON.stringify(map))
  return Result.isFailure(mapping) ? mapping.failure.faults.map(({ field, message }) => `${field}: ${message}`) : []
}

describe("a header without a map", () => {
  // Verifies: D-101, D-105.
  it("maps every field by its name, in any case and with blanks around it", () => {
    const header = ["Phone", " NAME ", "first_name", "Last_Name", "eMail", "company", "tags", "notes", "OPTED_IN"]
    expect(mapped(header)).toEqual({
      phone: 0,
      name: 1,
      first_name: 2,
      last_name: 3,
      email: 4,
      company: 5,
      tags: 6,
      notes: 7,
      opted_in: 8
    })
  })

  // Verifies: D-101.
  it("maps custom columns, whose keys keep their case", () => {
    expect(mapped(["phone", "custom.Plan", "CUSTOM.plan", "custom.a.b"])).toEqual({
      phone: 0,
      "custom.Plan": 1,
      "custom.plan": 2,
      "custom.a.b": 3
    })
  })

  it("ignores every other column", () => {
    expect(mapped(["id", "phone", "", "mobile", "first name", "customer"])).toEqual({ phone: 1 })
  })

  it.each([
    [["name", "email"], "file: No column is the phone number"],
    [["phone", "Phone "], 'file: Two columns are phone: "phone" and "Phone"'],
    [["phone", "custom.x", "custom.x"], "file: Two columns are custom.x"],
    [["phone", "custom."], 'file: The column "custom." needs a key of 1 to 64 characters'],
    [["phone", `custom.${"k".repeat(65)}`], "needs a key of 1 to 64 characters"],
    [Array.from({ length: 16_385 }, () => "phone"), "file: The file has 16385 columns, more than 16384"]
  ])("%.60j is refused", (header, expected) => {
    expect(faults(header)).toEqual([expect.stringContaining(expected)])
  })

  it("counts a key's characters, not their units", () => {
    expect(mapped(["phone", `custom.${"👋".repeat(64)}`])).toHaveProperty([`custom.${"👋".repeat(64)}`], 1)
  })
})

describe("a header with a map", () => {
  it("has the map's entries alone", () => {
    expect(mapped(["Mobile", "email", "Plan"], { Mobile: "phone", Plan: "custom.plan" })).toEqual({
      phone: 0,
      "custom.plan": 2
    })
  })

  it("is compared without the blanks around it", () => {
    expect(mapped([" Mobile "], { "Mobile  ": "phone" })).toEqual({ phone: 0 })
  })

  it("shows whether the file has consent", () => {
    const of = (header: ReadonlyArray<string>, map: string | null) =>
      Result.getOrThrow(mappingOf(header, map)).hasConsent
    expect(of(["phone", "opted_in"], null)).toBe(true)
    expect(of(["phone", "opted_in"], '{"phone":"phone"}')).toBe(false)
    expect(of(["phone", "agreed"], '{"phone":"phone","agreed":"opted_in"}')).toBe(true)
  })

  // Verifies: D-97, D-98, D-99.
  it.each(["", "phone", "[]", "null", '"phone"', "7", '{"a":1}', '{"a":null}', '{"a":["phone"]}', '{"a":"phone"'])(
    "is refused when the map is %j",
    (map) => {
      expect(faults(["phone"], map)).toEqual([
        "columnMap: Expected a JSON object: each column to the name of its field"
      ])
    }
  )

  it.each([
    [{ phone: "phone", Mobil: "name" }, 'columnMap: The file has no column "Mobil"'],
    [
      { phone: "phone", name: "nom" },
      'columnMap: "name" is mapped to "nom", which is no field: fields are phone, name'
    ],
    [{ phone: "Phone" }, '"phone" is mapped to "Phone", which is no field'],
    [{ phone: "phone", name: "custom." }, '"name" is mapped to "custom.", which is no field'],
    [{ phone: "phone", name: "phone" }, 'columnMap: Two columns are phone: "phone" and "name"'],
    [{ name: "name" }, "columnMap: No column is the phone number"],
    [{}, "columnMap: No column is the phone number"]
  ])("is refused when the map is %j", (map, expected) => {
    expect(faults(["phone", "name"], map)).toContainEqual(expect.stringContaining(expected))
  })

  it("is refused when the mapped header stands twice in the file", () => {
    expect(faults(["Mobile", "Mobile"], { Mobile: "phone" })).toEqual([
      'columnMap: Two columns are phone: "Mobile" and "Mobile"'
    ])
  })

  it("is refused with every fault at once, and none twice", () => {
    expect(faults(["a", "b", "c"], { a: "name", b: "name", c: "colour", d: "phone" })).toEqual([
      'columnMap: "c" is mapped to "colour", which is no field: fields are phone, name, first_name, last_name, email, company, tags, notes, opted_in and custom.<key> with a key of 1 to 64 characters',
      'columnMap: The file has no column "d"',
      'columnMap: Two columns are name: "a" and "b"'
    ])
  })
})
