/** Which column is which field, and every reason why a header and a map are refused. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { contactFields, fieldsOfList } from "../../../src/calling/contacts/ContactImport.ts"
import { mappingOf, nameOf } from "../../../src/calling/csv/ImportMapping.ts"

const mapped = (header: ReadonlyArray<string>, map: object | string | null = null) => {
  const mapping = mappingOf(contactFields, header, map === null || typeof map === "string" ? map : JSON.stringify(map))
  if (Result.isFailure(mapping)) throw mapping.failure
  return Object.fromEntries(mapping.success.columns.map(({ at, target }) => [nameOf(target), at]))
}

const faults = (header: ReadonlyArray<string>, map: object | string | null = null) => {
  const mapping = mappingOf(contactFields, header, map === null || typeof map === "string" ? map : JSON.stringify(map))
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

  it("maps variables where the list has them, whose keys keep their case, and up to 64 of them", () => {
    const named = (...header: ReadonlyArray<string>) => {
      const mapping = mappingOf(fieldsOfList.templateCampaign, header, null)
      return Result.isFailure(mapping)
        ? mapping.failure.message
        : mapping.success.columns.map(({ target }) => nameOf(target))
    }
    expect(named("phone", "variables.1", "Variables.header.Media", "custom.plan", "1")).toEqual([
      "phone",
      "variables.1",
      "variables.header.Media",
      "custom.plan"
    ])
    const many = Array.from({ length: 65 }, (_, n) => `variables.${n}`)
    expect(named("phone", ...many.slice(1))).toHaveLength(65)
    expect(named("phone", ...many)).toBe("65 columns are variables.<key>, more than 64")
    expect(named("phone", "variables.", `variables.${"k".repeat(65)}`)).toMatch(/^The column "variables\." needs a key/)
    expect(named("phone", "variables.a", "VARIABLES.a")).toBe(
      'Two columns are variables.a: "variables.a" and "VARIABLES.a"'
    )
    expect(fieldsOfList.templateCampaign.list).toMatch(
      /opted_in, custom\.<key> and variables\.<key> with a key of 1 to 64/
    )
    expect(mapped(["phone", "variables.1"])).toEqual({ phone: 0 })
    expect(faults(["phone", "x"], { phone: "phone", x: "variables.1" })).toEqual([
      expect.stringMatching(/^columnMap: "x" is mapped to "variables\.1", which is no field/)
    ])
  })

  // Verifies: D-105.
  it("maps every field however its header is written", () => {
    expect(mapped(["Tel.", "First Name", "last-name", "E-Mail", "Opted In", "Company:", "NOTES*"])).toEqual({
      phone: 0,
      first_name: 1,
      last_name: 2,
      email: 3,
      opted_in: 4,
      company: 5,
      notes: 6
    })
  })

  it.each([
    "phone",
    "Phone Number",
    "phone_number",
    "Mobile",
    "Mobile Phone",
    "MOBILE-PHONE",
    "Telephone",
    "Tel",
    "Cell"
  ])("reads %j as the phone", (header) => {
    expect(mapped(["id", header])).toEqual({ phone: 1 })
  })

  it("reads the numbered columns of an address book", () => {
    const header = ["First Name", "E-mail 1 - Label", "E-mail 1 - Value", "E-mail 2 - Value", "Phone 1 - Label"]
    const mapping = Result.getOrThrow(mappingOf(contactFields, [...header, "Phone 1 - Value", "Phone 2 - Value"], null))
    expect(mapping.phones).toEqual([5, 6])
    expect(Object.values(mapping.read)).toEqual(["first_name", null, "email", null, null, "phone", "phone"])
  })

  it("ignores every other column", () => {
    expect(mapped(["id", "phone", "", "phone type", "automobile", "customer", "first"])).toEqual({ phone: 1 })
  })

  // Verifies: D-298.
  it("shows every header with what it was read as", () => {
    const header = ["First Name", " Phone", "", "Shoe size", "custom.Plan", "x".repeat(300), "__proto__"]
    expect(Object.entries(Result.getOrThrow(mappingOf(contactFields, header, null)).read)).toEqual([
      ["First Name", "first_name"],
      ["Phone", "phone"],
      ["Shoe size", null],
      ["custom.Plan", "custom.Plan"],
      [`${"x".repeat(255)}…`, null],
      ["__proto__", null]
    ])
  })

  // Verifies: D-297.
  it("may have several columns with the phone", () => {
    expect(Result.getOrThrow(mappingOf(contactFields, ["Phone", "Mobile", "phone"], null)).phones).toEqual([0, 1, 2])
  })

  it("names what the first row has where no column is the phone", () => {
    expect(faults(["Report of 2026", "", "Total"])).toEqual([
      'file: No column is the phone number: call one "phone", or name it in column_map. The first row has "Report of 2026", "Total"'
    ])
    expect(faults(Array.from({ length: 30 }, (_, i) => `c${i}`))[0]).toMatch(/"c19" and 10 more$/)
  })

  it.each([
    [["name", "email"], "file: No column is the phone number"],
    [["phone", "name", "Name "], 'file: Two columns are name: "name" and "Name"'],
    [["phone", "First Name", "first_name"], 'file: Two columns are first_name: "First Name" and "first_name"'],
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
    [{ name: "name" }, "columnMap: No column is the phone number"],
    [{}, "columnMap: No column is the phone number"]
  ])("is refused when the map is %j", (map, expected) => {
    expect(faults(["phone", "name"], map)).toContainEqual(expect.stringContaining(expected))
  })

  it("may name several columns as the phone, also one whose header stands twice in the file", () => {
    const phones = (header: ReadonlyArray<string>, map: object) =>
      Result.getOrThrow(mappingOf(contactFields, header, JSON.stringify(map))).phones
    expect(phones(["Home", "x", "Mobile"], { Mobile: "phone", Home: "phone" })).toEqual([0, 2])
    expect(phones(["Mobile", "Mobile"], { Mobile: "phone" })).toEqual([0, 1])
    expect(faults(["Mobile", "A", "A"], { Mobile: "phone", A: "name" })).toEqual([
      'columnMap: Two columns are name: "A" and "A"'
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
