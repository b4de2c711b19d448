/** What a row says, what rows say together, and what is reported. Verifies: CONT-3, CONT-5. */
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  and,
  contactFields,
  fieldsOfList,
  type ImportRow,
  personOf,
  reportOf,
  rowOf
} from "../../../src/calling/contacts/ContactImport.ts"
import { mappingOf } from "../../../src/calling/csv/ImportMapping.ts"

const header = [
  "phone",
  "name",
  "first_name",
  "last_name",
  "email",
  "company",
  "tags",
  "notes",
  "opted_in",
  "custom.plan"
]
const mapping = Result.getOrThrow(mappingOf(contactFields, header, null))

type Cells = Readonly<Record<string, string>>

const read = (cells: Cells) => {
  const row = { phone: "+91 98765 43210", ...cells } as Cells
  return rowOf(mapping, { row: 7, cells: header.map((name) => row[name] ?? "") })
}

const said = (cells: Cells): ImportRow => Result.getOrThrow(read(cells))
const faults = (cells: Cells) => {
  const row = read(cells)
  return Result.isFailure(row) ? row.failure.map(({ field, message }) => `${field}: ${message}`) : []
}

describe("a row of an address book", () => {
  it("has the first of several numbers and addresses in a cell", () => {
    const numbers = Array.from({ length: 9 }, (_, n) => `+1 212 555 010${n}`).join(" ::: ")
    const addresses = "asha@example.com ::: rao@example.com"
    expect(said({ phone: numbers, email: addresses })).toMatchObject({
      matchKey: "0010555212",
      fields: { phone: "+1 212 555 0100", email: "asha@example.com" }
    })
    expect(said({ phone: " ::: 555-0102", email: "a@example.com; b@example.com" })).toMatchObject({
      fields: { phone: "555-0102", email: "a@example.com" }
    })
    expect(faults({ phone: "home ::: 555-0102", email: "a ::: b@example.com" })).toHaveLength(2)
  })

  // Verifies: D-297.
  it("has the first of several phone columns that is filled, and no other", () => {
    const several = Result.getOrThrow(mappingOf(contactFields, ["Phone", "Name", "Mobile", "Tel"], null))
    const phoneOf = (...cells: ReadonlyArray<string>) =>
      Result.match(rowOf(several, { row: 2, cells }), {
        onSuccess: ({ fields }) => fields.phone,
        onFailure: (faults) => faults.map(({ field, message }) => `${field}: ${message}`)
      })
    expect(phoneOf("555-0101", "Ann", "555-0102", "555-0103")).toBe("555-0101")
    expect(phoneOf(" ", "Ann", "555-0102", "n/a")).toBe("555-0102")
    expect(phoneOf("", "Ann", "", "555-0103")).toBe("555-0103")
    expect(phoneOf("", "Ann")).toEqual(["phone: Required"])
    expect(phoneOf("n/a", "Ann", "555-0102")).toEqual([expect.stringMatching(/^phone: Expected a number/)])
  })
})

describe("a row of a list with variables", () => {
  const filled = Result.getOrThrow(
    mappingOf(fieldsOfList.templateCampaign, ["phone", "name", "opted_in", "variables.1", "variables.__proto__"], null)
  )
  const rowWith = (...cells: ReadonlyArray<string>) => rowOf(filled, { row: 2, cells })

  it("has those that are not empty, up to 1024 characters each", () => {
    const row = Result.getOrThrow(rowWith("555-0101", "Ann", "", " A ", "b"))
    expect(Object.entries(row.variables)).toEqual([
      ["1", "A"],
      ["__proto__", "b"]
    ])
    expect(Result.getOrThrow(rowWith("555-0101", "", "", "", "")).variables).toEqual({})
    expect(Result.isSuccess(rowWith("555-0101", "", "", "😀".repeat(1024), ""))).toBe(true)
    expect(rowWith("555-0101", "", "", "v".repeat(1025), "")).toMatchObject({
      failure: [{ row: 2, field: "variables.1", message: "Expected at most 1024 characters" }]
    })
  })

  it("is listed as the first row of its person has it, whatever later rows say", () => {
    const [first, later] = [rowWith("555-0101", "Ann", "", "A", ""), rowWith("555 0101", "Bea", "yes", "B", "C")]
    const person = and(personOf(Result.getOrThrow(first)), Result.getOrThrow(later))
    expect(person).toMatchObject({
      listed: { phone: "555-0101", name: "Ann", variables: { 1: "A" }, optedIn: false },
      optedIn: true
    })
    expect(Object.keys(person.listed.variables)).toEqual(["1"])
  })
})

describe("a row", () => {
  // Verifies: D-101, D-224.
  it("has the fields of its cells", () => {
    const cells = {
      name: "Asha Rao",
      first_name: "Asha",
      last_name: "Rao",
      email: "asha@example.com",
      company: "Acme, Pune",
      tags: "lead; spring ,vip",
      notes: "Met\nat the fair",
      opted_in: "yes",
      "custom.plan": "gold"
    }
    expect(said(cells)).toEqual({
      row: 7,
      matchKey: "0123456789",
      fields: {
        phone: "+91 98765 43210",
        name: "Asha Rao",
        firstName: "Asha",
        lastName: "Rao",
        email: "asha@example.com",
        company: "Acme, Pune",
        tags: ["lead", "spring", "vip"],
        notes: "Met\nat the fair"
      },
      custom: { plan: "gold" },
      variables: {},
      optedIn: true
    })
  })

  // Verifies: D-101.
  it("says nothing with an empty cell, a blank one or a list of no tags", () => {
    expect(said({ name: "", email: "  ", tags: " ; ,", notes: "\t", "custom.plan": " " })).toEqual({
      row: 7,
      matchKey: "0123456789",
      fields: { phone: "+91 98765 43210" },
      custom: {},
      variables: {},
      optedIn: false
    })
  })

  it("drops the blanks around a value, and keeps a number as it was given", () => {
    expect(said({ phone: "  (987) 654-3210 ", name: " Asha " }).fields).toEqual({
      phone: "(987) 654-3210",
      name: "Asha"
    })
  })

  it.each([
    ["true", true],
    ["TRUE", true],
    ["1", true],
    ["Yes", true],
    ["false", false],
    ["0", false],
    ["NO", false],
    ["", false]
    // Verifies: D-110.
  ])("reads the consent %j", (word, optedIn) => {
    expect(said({ opted_in: word }).optedIn).toBe(optedIn)
  })

  it.each(["asha@example.com", "a.b+c@x.co", "आशा@उदाहरण.भारत", "o'hara@sub.example.org"])(
    "accepts the address %s",
    (email) => expect(said({ email }).fields.email).toBe(email)
  )

  it.each([
    [{ phone: "" }, "phone: Required"],
    [{ phone: "123456" }, "phone: Expected a number that can be dialed, of 7 to 15 digits"],
    [{ phone: "none" }, "phone: Expected a number that can be dialed, of 7 to 15 digits"],
    [{ phone: `98765 43210${" ".repeat(53)}1` }, "phone: Expected at most 64 characters"],
    [{ name: "n".repeat(256) }, "name: Expected at most 255 characters"],
    [{ first_name: "n".repeat(256) }, "first_name: Expected at most 255 characters"],
    [{ last_name: "n".repeat(256) }, "last_name: Expected at most 255 characters"],
    [{ company: "n".repeat(256) }, "company: Expected at most 255 characters"],
    [{ notes: "n".repeat(5001) }, "notes: Expected at most 5000 characters"],
    [{ email: `${"n".repeat(243)}@example.com` }, "email: Expected at most 254 characters"],
    [{ tags: `ok;${"n".repeat(65)}` }, "tags: Expected at most 64 characters in each tag"],
    [{ "custom.plan": "n".repeat(1001) }, "custom.plan: Expected at most 1000 characters"],
    [{ opted_in: "maybe" }, "opted_in: Expected yes or no, true or false, 1 or 0"],
    [{ notes: "a\0b" }, "notes: Expected text without NUL characters"],
    ...["asha", "asha@", "@example.com", "asha@example", "a b@example.com", "a@b@example.com", "a@example..com"].map(
      (email) => [{ email }, "email: Expected an e-mail address"] as const
    )
    // Verifies: D-110.
  ] as ReadonlyArray<readonly [Cells, string]>)("is rejected for %.60j", (cells, fault) => {
    expect(faults(cells)).toEqual([fault])
  })

  it.each([
    ["name", 255],
    ["company", 255],
    ["notes", 5000],
    ["custom.plan", 1000]
  ])("may have as many characters in %s as are allowed, whatever their units", (field, most) => {
    expect(faults({ [field]: "👋".repeat(most) })).toEqual([])
    expect(faults({ [field]: "👋".repeat(most + 1) })).toHaveLength(1)
  })

  it("is refused with all its faults, under its number", () => {
    const row = read({ phone: "12", email: "x", opted_in: "?" })
    expect(Result.isFailure(row) && row.failure.map((fault) => [fault.row, fault.field])).toEqual([
      [7, "phone"],
      [7, "email"],
      [7, "opted_in"]
    ])
  })

  it("may be shorter than the header, and longer where it is empty", () => {
    const narrow = Result.getOrThrow(mappingOf(contactFields, ["phone", "name"], null))
    const of = (...cells: ReadonlyArray<string>) => rowOf(narrow, { row: 2, cells })
    expect(Result.isSuccess(of("9876543210"))).toBe(true)
    expect(Result.isSuccess(of("9876543210", "Asha", "", " "))).toBe(true)
    expect(of("9876543210", "Asha", "", "more")).toEqual(
      Result.fail([{ row: 2, field: "column 4", message: "The header has fewer columns" }])
    )
  })

  it("keeps a custom key that objects have a meaning for", () => {
    const odd = Result.getOrThrow(mappingOf(contactFields, ["phone", "custom.__proto__", "custom.constructor"], null))
    const row = Result.getOrThrow(rowOf(odd, { row: 2, cells: ["9876543210", "a", "b"] }))
    expect(JSON.stringify(row.custom)).toBe('{"__proto__":"a","constructor":"b"}')
    expect(JSON.stringify(and(personOf(row), row).custom)).toBe('{"__proto__":"a","constructor":"b"}')
  })
})

describe("rows about one person", () => {
  const first = said({ name: "Asha", email: "a@example.com", tags: "a", "custom.plan": "gold" })
  const second = { ...said({ phone: "98765-43210", name: "Asha Rao", opted_in: "yes", tags: "b;c" }), row: 9 }

  it("say together what the later one says, and what only the earlier one says", () => {
    expect(and(personOf(first), second)).toEqual({
      row: 7,
      rows: 2,
      matchKey: "0123456789",
      fields: { phone: "98765-43210", name: "Asha Rao", email: "a@example.com", tags: ["b", "c"] },
      custom: { plan: "gold" },
      variables: {},
      optedIn: true,
      listed: { phone: "+91 98765 43210", name: "Asha", variables: {}, optedIn: false }
    })
  })

  // Verifies: D-104.
  it("never withdraw consent", () => {
    expect(and(personOf(second), first).optedIn).toBe(true)
  })

  it.each([
    [{ name: "Asha Rao", first_name: "A", last_name: "R" }, "Asha Rao"],
    [{ first_name: "Asha", last_name: "Rao" }, "Asha Rao"],
    [{ first_name: "Asha" }, "Asha"],
    [{ last_name: "Rao" }, "Rao"],
    [{}, null],
    [{ first_name: "a".repeat(255), last_name: "b" }, "a".repeat(255)]
  ])("have on a campaign the first one's name: %.50j", (cells, name) => {
    expect(personOf(said(cells)).listed.name).toBe(name)
  })
})

const nothing = { errors: [], errorCounts: [], columns: {} }

describe("the report", () => {
  // Verifies: D-93, D-94.
  it("adds up, whatever happened", () => {
    const numbers = fc
      .tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(1000))
      .map(([failed, accepted, a, b]) => ({
        failed,
        totalRows: failed + accepted,
        created: a % (accepted + 1),
        attached: b % (accepted + 1)
      }))
    fc.assert(
      fc.property(numbers, fc.boolean(), ({ attached, created, failed, totalRows }, dryRun) => {
        const report = reportOf(dryRun, { ...nothing, totalRows, failed }, { created, attached }, 5)
        expect(report.created + report.updated + report.failed).toBe(totalRows)
        expect(report.attached + report.skippedInvalid + report.skippedDuplicate).toBe(totalRows)
        expect(report).toMatchObject({ dryRun, created, attached, skippedInvalid: failed, totalNow: 5 })
        expect(Math.min(report.updated, report.skippedDuplicate)).toBeGreaterThanOrEqual(0)
      })
    )
  })
})
