/** Files as spreadsheets, address books and other programs export them, and what their sender reads in the report. Verifies: CONT-3. */
import { createTrunkline, type Trunkline } from "@trunkline/core"
import { telephonyProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

let core: Trunkline
let account: string

beforeAll(async () => {
  core = await createTrunkline({
    storage: sqlite(":memory:"),
    telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
    encryptionKey: "a key for the secrets of this test",
    limits: { perIpPerMinute: null },
    log: () => undefined
  })
  account = (await core.admin.createAccount({ name: "A", voiceCampaigns: true })).id
})
afterAll(() => core.stop())

const load = async (file: string, columnMap?: Readonly<Record<string, string>>) => {
  const { id } = await core.campaigns.create(account as never, { name: "C" })
  const options = columnMap === undefined ? {} : { columnMap }
  const bytes = new TextEncoder().encode(file)
  const report = await core.campaigns.importCsv(account, id, bytes, { dryRun: false, ...options })
  const preview = await core.campaigns.importCsv(account, id, bytes, options)
  expect(preview.errors).toEqual(report.errors)
  const { items } = await core.campaigns.listContacts(account, id, { limit: 500 })
  return { report, list: items.map(({ name, phone }) => [phone, name]) }
}

/** A cell in quotes, as a program writes each that has a sign or a line break. */
const quoted = (text: string): string => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const lines = (rows: ReadonlyArray<ReadonlyArray<string>>, separator = ",", end = "\r\n"): string =>
  rows.map((row) => row.map(quoted).join(separator) + end).join("")

describe("an import of a file", () => {
  it("of a spreadsheet names its separator, and its emptied rows are no rows", async () => {
    const rows = [
      ["Phone", "First Name", "Shoe size"],
      ["+49 30 901810", "Ann; MD", "38"],
      ["2026-11-28", "Bob", "40"],
      ["+49 30 901812", "Cem", "41"],
      ...Array.from({ length: 995 }, () => ["", "", ""])
    ]
    const { list, report } = await load(`sep=;\r\n${lines(rows, ";")}`)
    expect(list).toEqual([
      ["+49 30 901810", "Ann; MD"],
      ["+49 30 901812", "Cem"]
    ])
    expect(report).toMatchObject({ totalRows: 3, failed: 1, attached: 2 })
    expect(report.columns).toEqual({ Phone: "phone", "First Name": "first_name", "Shoe size": null })
    expect(report.errors).toEqual([{ row: 3, field: "phone", message: expect.stringContaining("this is a date") }])
  })

  it("of an old program has lines that end in CR", async () => {
    const { list } = await load(
      lines(
        [
          ["Tel.", "Name"],
          ["030 901820", "Ann"],
          ["030 901821", "Bob"]
        ],
        "\t",
        "\r"
      )
    )
    expect(list).toEqual([
      ["030 901820", "Ann"],
      ["030 901821", "Bob"]
    ])
  })

  it("of an address book has the first number and the first address of each person", async () => {
    const { list, report } = await load(
      lines([
        [
          "First Name",
          "Last Name",
          "Notes",
          "E-mail 1 - Value",
          "Phone 1 - Label",
          "Phone 1 - Value",
          "Phone 2 - Value"
        ],
        [
          "Ann",
          "A",
          'Met at the fair.\nLikes "tea".',
          "ann@example.com ::: a@example.com",
          "Mobile",
          "+1 212 555 0131 ::: +1 212 555 0132",
          ""
        ],
        ["Bob", "B", "", "", "Home", "", "212 555 0133"],
        ["Cem", "", "", "cem@example.com", "", "", ""],
        ["Dan", "", "", "dan at home", "", "+1 212 555 0134", ""]
      ])
    )
    expect(list).toEqual([
      ["+1 212 555 0131", "Ann A"],
      ["212 555 0133", "Bob B"]
    ])
    expect(report.errors).toEqual([
      { row: 4, field: "phone", message: "Required" },
      { row: 5, field: "email", message: "Expected an e-mail address" }
    ])
    expect(report.columns).toMatchObject({ Notes: "notes", "Phone 1 - Label": null, "Phone 2 - Value": "phone" })
  })

  it("of a CRM has other headers and a footer, each of whose lines has its reason", async () => {
    const file = `${lines([
      ["Account Name", "Contact: Full Name", "Contact: Phone", "Last Activity"],
      ["Acme, Inc.", "Ann A", "(212) 555-0141 ext. 12", "11/28/2026"],
      ["Acme, Inc.", "Bob B", "1-800-FLOWERS", "11/28/2026"],
      ["Acme, Inc.", "Cem C", "9.19877E+11", "11/28/2026"]
    ])}\r\n"Total: 3 records"\r\n"Confidential, do not distribute"\r\n`
    await expect(load(file)).rejects.toThrow(/"Contact: Phone", "Last Activity"/)
    const { list, report } = await load(file, { "Contact: Phone": "phone", "Contact: Full Name": "name" })
    expect(list.map(([, name]) => name)).toEqual(["Ann A", "Bob B"])
    expect(report.columns).toEqual({
      ...{ "Account Name": null, "Contact: Full Name": "name" },
      ...{ "Contact: Phone": "phone", "Last Activity": null }
    })
    expect(report.errors.map(({ message, row }) => [row, message])).toEqual([
      [4, expect.stringContaining("format the column as text")],
      [6, "Required"],
      [7, "Required"]
    ])
  })

  it("whose numbers a spreadsheet has shortened has a reason for each row, and makes nobody", async () => {
    const numbers = Array.from({ length: 50 }, () => ["9.19877E+11", "Ann"])
    const { list, report } = await load(lines([["phone", "name"], ...numbers]))
    expect(list).toEqual([])
    expect(report).toMatchObject({ failed: 50, created: 0, skippedInvalid: 50, skippedDuplicate: 0 })
    expect(report.errorCounts).toEqual([
      { row: 2, field: "phone", message: expect.stringContaining("shortened"), rows: 50 }
    ])
  })

  it("with rows that are broken in eight ways rejects each of them, and reports every way with its rows", async () => {
    const broken = [
      ["4.4770E+11", "Ann", ""],
      ["2026-11-28", "Ann", ""],
      ["ann1234567@example.com", "Ann", ""],
      ["$1,234,567.00", "Ann", ""],
      ["1-800-555-HELPDESK", "Ann", ""],
      ["", "Ann", ""],
      ["+91 98765 43210", "Ann", "no address"],
      ["12", "Ann", ""]
    ]
    const total = 4000
    const rows = Array.from({ length: total }, (_, n) =>
      n % 33 === 0 ? broken[(n / 33) % 8]! : [`+91 ${9_000_000_000 + n}`, `P${n}`, ""]
    )
    const failed = Math.ceil(total / 33)
    const { report } = await load(lines([["phone", "name", "email"], ...rows]))
    expect(report).toMatchObject({ totalRows: total, failed, created: total - failed, attached: total - failed })
    expect(report).toMatchObject({ skippedInvalid: failed, skippedDuplicate: 0 })
    expect(report.errors).toHaveLength(100)
    expect(report.errorCounts).toHaveLength(8)
    expect(report.errorCounts.reduce((sum, { rows: count }) => sum + count, 0)).toBe(failed)
    expect(report.errorCounts.map(({ field, row }) => [row, field])).toEqual(
      broken.map((_, way) => [2 + 33 * way, way === 6 ? "email" : "phone"])
    )
  })

  it("in another encoding is refused with how to save it", async () => {
    const { id } = await core.campaigns.create(account as never, { name: "C" })
    const refused = (bytes: Iterable<number>) =>
      core.campaigns.importCsv(account, id, new Uint8Array([...bytes])).then(
        () => "",
        (error: Error) => error.message
      )
    const text = "phone,name\n+49 30 901820,Jörg\n"
    const units = [...text].map((char) => char.charCodeAt(0))
    expect(await refused(units)).toMatch(/not UTF-8: save it as CSV in UTF-8.*CSV UTF-8 \(Comma delimited\)/)
    expect(await refused([0xff, 0xfe, ...units.flatMap((unit) => [unit & 255, unit >> 8])])).toMatch(
      /is UTF-16.*CSV UTF-8/
    )
    expect(await refused([0x50, 0x4b, 3, 4, 0xff])).toMatch(/is a workbook.*CSV UTF-8/)
  })
})
