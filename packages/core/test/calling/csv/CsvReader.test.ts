/** Bytes to records, and what is refused as no CSV. */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { describe, expect, vi } from "vitest"
import * as CsvReader from "../../../src/calling/csv/CsvReader.ts"
import { CsvRefused } from "../../../src/platform/overview/index.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Row number and cells of each record, or what the file is refused for. */
const read = (...chunks: ReadonlyArray<Uint8Array>) => readWithin(undefined, ...chunks)

const readWithin = (maxBytes: number | undefined, ...chunks: ReadonlyArray<Uint8Array>) =>
  CsvReader.read(Stream.fromIterable(chunks), maxBytes).pipe(
    Stream.runCollect,
    Effect.map((records) => records.flat().map(({ cells, row }) => [row, ...cells])),
    Effect.result,
    Effect.map((result) => (Result.isSuccess(result) ? result.success : [result.failure.reason, result.failure.row]))
  )

const reads = (name: string, text: string, expected: ReadonlyArray<ReadonlyArray<string | number>>) =>
  it.effect(name, () => Effect.map(read(bytes(text)), (found) => expect(found).toEqual(expected)))

const refuses = (name: string, file: Uint8Array | string, reason: string, row: number | null = null) =>
  it.effect(name, () =>
    Effect.map(read(typeof file === "string" ? bytes(file) : file), (found) => expect(found).toEqual([reason, row]))
  )

const header = [1, "phone", "name"]

describe("a CSV file", () => {
  reads("has lines that end in LF", "phone,name\n1,Ann\n2,Bob\n", [header, [2, "1", "Ann"], [3, "2", "Bob"]])
  // Verifies: D-107.
  reads("has lines that end in CRLF", "phone,name\r\n1,Ann\r\n2,Bob\r\n", [header, [2, "1", "Ann"], [3, "2", "Bob"]])
  reads("may mix both", "phone,name\r\n1,Ann\n2,Bob\r\n", [header, [2, "1", "Ann"], [3, "2", "Bob"]])
  reads("need not end its last line", "phone,name\n1,Ann", [header, [2, "1", "Ann"]])
  // Verifies: D-107.
  reads("may begin with a byte order mark", "\ufeffphone,name\n1,Ann\n", [header, [2, "1", "Ann"]])
  reads("may quote its header after a byte order mark", '\ufeff"phone","name"\n1,Ann\n', [header, [2, "1", "Ann"]])
  // Verifies: D-107.
  reads("may be separated by semicolons", "phone;name\n1;Ann, MD\n", [header, [2, "1", "Ann, MD"]])
  // Verifies: D-107.
  reads("may be separated by tabs", "phone\tname\n1\tAnn; MD\n", [header, [2, "1", "Ann; MD"]])
  reads("tells its separator outside quotes", '"phone, or mobile, or fax";name\n1;Ann\n', [
    [1, "phone, or mobile, or fax", "name"],
    [2, "1", "Ann"]
  ])
  reads("may have one column", "phone\n1\n2\n", [
    [1, "phone"],
    [2, "1"],
    [3, "2"]
  ])
  // Verifies: D-106.
  reads("may quote separators, line breaks and quotes", 'phone,name\n1,"Ann ""A"", MD\nof Pune"\n2,Bob\n', [
    header,
    [2, "1", 'Ann "A", MD\nof Pune'],
    [3, "2", "Bob"]
  ])
  reads("may have blanks around quotes", 'phone , name\n1 , "Ann" \n', [header, [2, "1", "Ann"]])
  reads("may have rows of any length", "phone,name\n1\n2,Bob,x,y\n", [header, [2, "1"], [3, "2", "Bob", "x", "y"]])
  it.effect("costs no error with a stack trace for a row of another length than its header", () =>
    Effect.gen(function* () {
      const traces = vi.spyOn(Error, "captureStackTrace")
      const records = yield* read(bytes(`phone,name\n${"1\n2,Bob,x,y\n".repeat(200)}`))
      const made = traces.mock.calls.length
      traces.mockRestore()
      expect(records.length).toBe(401)
      expect(made).toBeLessThan(50)
    })
  )
  // Verifies: D-96, D-109.
  reads("is counted as a spreadsheet counts: blank lines have numbers", "\n\nphone,name\n\n1,Ann\n  \n2,Bob\n\n\n", [
    [3, "phone", "name"],
    [5, "1", "Ann"],
    [7, "2", "Bob"]
  ])
  // Verifies: D-96.
  reads("is counted as a spreadsheet counts: a line break in a cell has none", 'phone,name\n1,"a\nb\n\nc"\n2,Bob\n', [
    header,
    [2, "1", "a\nb\n\nc"],
    [3, "2", "Bob"]
  ])
  // Verifies: D-109.
  reads(
    "has blank lines where spreadsheets have left rows of empty cells",
    'phone,name\n,\n1,Ann\n ,""\n2,Bob\n,,,\n',
    [header, [3, "1", "Ann"], [5, "2", "Bob"]]
  )
  reads("may have empty cells above its header", ",,\nphone,name,\n1,Ann,\n", [
    [2, "phone", "name", ""],
    [3, "1", "Ann", ""]
  ])
  // Verifies: D-300.
  reads("has lines that end in CR", "phone,name\r1,Ann\r\r2,Bob\r", [header, [2, "1", "Ann"], [4, "2", "Bob"]])
  reads("keeps a CR inside a line that ends otherwise", 'phone,name\n1,"Ann\rA"\n', [header, [2, "1", "Ann\rA"]])
  // Verifies: D-299.
  for (const [name, line] of [
    ["semicolons", "sep=;"],
    ["semicolons, quoted", '"sep=;"'],
    ["semicolons, in capitals", "SEP=;"]
  ])
    reads(`names its separator in a line that spreadsheets hide: ${name}`, `${line}\r\nphone;name\r\n1;Ann, Bob\r\n`, [
      header,
      [2, "1", "Ann, Bob"]
    ])
  reads("may name any sign as its separator", "\ufeffsep=|\nphone|name\n1|Ann; Bob\n", [header, [2, "1", "Ann; Bob"]])
  reads("may name a tab as its separator", "sep=\t\rphone\tname\r1\tAnn\r", [header, [2, "1", "Ann"]])
  reads("may have a header that begins like such a line", "sep=a,phone\n1,2\n", [
    [1, "sep=a", "phone"],
    [2, "1", "2"]
  ])
  reads(
    "has the separator that gives its rows as many cells as its header",
    'phone;"name, first";notes, more, words, here\n1;Ann;x\n',
    [
      [1, "phone", "name, first", "notes, more, words, here"],
      [2, "1", "Ann", "x"]
    ]
  )
  reads("may have rows that are shorter than its header", "phone;name;notes, more, or, less\n1;Ann\n2;Bob\n", [
    [1, "phone", "name", "notes, more, or, less"],
    [2, "1", "Ann"],
    [3, "2", "Bob"]
  ])

  refuses("is not empty", "", "no_header")
  // Verifies: C-181, D-108.
  refuses("is more than blank lines", "\n \n\r\n", "no_header")
  // Verifies: C-181, D-108.
  refuses("has rows", "phone,name\n", "no_rows")
  refuses("has rows that are not blank", "phone,name\n\n \n", "no_rows")
  // Verifies: D-108.
  refuses("closes its quotes", 'phone,name\n1,Ann\n\n2,"Bob\n3,Cem\n4,Dan\n', "quote", 4)
  refuses("closes the quotes of its header", '"phone,name\n1,Ann\n', "quote", 1)
  refuses("has no quote inside an unquoted cell", 'phone,name\n1,Ann\n2,5" Bob\n3,Cem\n', "quote", 3)
  refuses("has nothing between a closing quote and the separator", 'phone,name\n1,"Ann" MD\n', "quote", 2)
  // Verifies: C-119, D-108.
  refuses("is UTF-8, not Latin-1", new Uint8Array([...bytes("phone,name\n1,Jos"), 0xe9, 0x0a]), "encoding")
  refuses("is UTF-8, not UTF-16", new Uint8Array([0xff, 0xfe, 0x70, 0, 0x68, 0]), "utf16")
  refuses("is UTF-8, not UTF-16 with its larger byte first", new Uint8Array([0xfe, 0xff, 0, 0x70, 0, 0x68]), "utf16")
  refuses(
    "is UTF-8, not UTF-16 without a mark",
    new Uint8Array([..."phone\n1\n"].flatMap((c) => [c.charCodeAt(0), 0])),
    "utf16"
  )
  refuses("is no workbook", new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0, 0x06, 0, 0x88, 0xff]), "workbook")
  it("that is not UTF-8 is refused with what to do in each of the common spreadsheets", () => {
    for (const reason of ["encoding", "utf16", "workbook"] as const) {
      const { message } = new CsvRefused({ reason, row: null })
      for (const name of ["Excel", "LibreOffice", "Numbers", "Google Sheets"]) expect(message).toContain(name)
      expect(message).toContain("CSV UTF-8 (Comma delimited)")
    }
  })
  refuses("does not end in the middle of a character", bytes("phone,name\n1,José").subarray(0, -1), "encoding")

  // Verifies: C-182, D-111.
  it.effect("may have 25 MiB and not a byte more", () =>
    Effect.gen(function* () {
      expect(CsvReader.largestFile).toBe(25 * 1024 * 1024)
      // A smaller bound shows the same in less time.
      const full = bytes(`phone,name\n${`1,${"x".repeat(1021)}\n`.repeat(24)}`)
      expect(yield* readWithin(full.length, full)).toHaveLength(25)
      expect(yield* readWithin(full.length - 1, full)).toEqual(["too_large", null])
    })
  )

  it.effect("is not read on once it is known to be too large", () =>
    Effect.gen(function* () {
      let chunks = 0
      const endless = Stream.forever(Stream.sync(() => new Uint8Array(1024 + 0 * ++chunks)))
      const error = yield* Effect.flip(Stream.runDrain(CsvReader.read(endless, 25 * 1024)))
      expect(error.reason).toBe("too_large")
      expect(chunks).toBeLessThan(30)
    })
  )

  // Verifies: D-106.
  it.effect("says the same however it is cut into chunks", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
          fc.constantFrom("\n", "\r\n", "\r"),
          fc.constantFrom(",", ";", "\t"),
          fc.array(fc.nat(), { maxLength: 8 }),
          fc.boolean(),
          async (rows, lineBreak, separator, cuts, isLong) => {
            const header = ["phone", "name", "email", "notes"].join(separator)
            // Behind a sample of the file, by which its form is known, too.
            const others = isLong
              ? Array.from({ length: 400 }, () => ["1", "Ann 👋🏽 of Pune, who likes é", "", "x"])
              : []
            const all = [["1", "Ann"], ...others, ...rows.filter((cells) => cells.some((one) => one.trim() !== ""))]
            const text = [header, ...all.map((cells) => cells.map(quoted).join(separator))].join(lineBreak)
            const file = bytes(text)
            const places = cuts.map((cut) => cut % file.length).sort((a, b) => a - b)
            const chunks = [0, ...places].map((from, i) => file.subarray(from, [...places, file.length][i]))
            const expected = [[1, "phone", "name", "email", "notes"], ...all.map((cells, i) => [i + 2, ...cells])]
            expect(await Effect.runPromise(read(...chunks))).toEqual(expected)
          }
        ),
        { numRuns: 300 }
      )
    )
  )
})

/** Cells with everything that could be cut in two. */
const cell = fc.string({
  unit: fc.constantFrom("a", '"', ",", ";", "\t", "\n", "\r\n", "é", "९", "👋🏽", " "),
  maxLength: 8
})

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
