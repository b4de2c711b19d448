/** Rows are gathered in parts, and what is wrong with them is counted. Verifies: CSVF-1. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { FileFields } from "../../../src/calling/csv/ImportMapping.ts"
import { RowGathering } from "../../../src/calling/csv/RowGathering.ts"
import { PhoneNumber } from "../../../src/platform/numbers/index.ts"

const fields = new FileFields<"phone" | "agreed">(["phone", "agreed"], { keyed: [], words: [] })

/** A row is wrong where its cell is; what is gathered of a number is how many rows had it. */
const gathering = (partSize: number, columnMap: string | null = null) =>
  new RowGathering<"phone" | "agreed", { readonly matchKey: PhoneNumber.MatchKey }, { readonly rows: number }>({
    fields,
    columnMap,
    read: (_, { cells, row }) =>
      cells[0] === "bad"
        ? Result.fail([
            { row, field: "phone", message: "No" },
            { row, field: "agreed", message: `No ${cells[1]}` }
          ])
        : Result.succeed({ matchKey: PhoneNumber.as(cells[0]!) }),
    first: () => ({ rows: 1 }),
    and: ({ rows }) => ({ rows: rows + 1 }),
    partSize
  })

const records = (from: number, ...phones: ReadonlyArray<string>) =>
  phones.map((phone, i) => ({ row: from + i, cells: [phone, phone] }))

describe("rows of a file", () => {
  it("are gathered until there are enough numbers for a part, of each number once", () => {
    const rows = gathering(3)
    expect(rows.add([{ row: 1, cells: ["phone"] }, ...records(2, "a", "b", "a")])).toEqual(Result.succeed([]))
    expect(rows.add(records(5, "c", "a"))).toEqual(Result.succeed([{ rows: 3 }, { rows: 1 }, { rows: 1 }]))
    expect(rows.add(records(7, "a"))).toEqual(Result.succeed([]))
    expect([rows.rest(), rows.rest()]).toEqual([[{ rows: 1 }], []])
    expect(rows).toMatchObject({ totalRows: 6, failed: 0, errors: [], errorCounts: [] })
  })

  it("that are wrong are gathered in no part, and counted by what is wrong", () => {
    const rows = gathering(1000)
    rows.add([{ row: 1, cells: ["phone"] }, ...records(2, "a", "bad", "b", ...Array.from({ length: 70 }, () => "bad"))])
    expect(rows.rest()).toEqual([{ rows: 1 }, { rows: 1 }])
    expect(rows).toMatchObject({ totalRows: 73, failed: 71 })
    expect(rows.errors).toHaveLength(100)
    expect(rows.errors[2]).toEqual({ row: 5, field: "phone", message: "No" })
    expect(rows.errorCounts).toEqual([
      { field: "phone", message: "No", row: 3, rows: 71 },
      { field: "agreed", message: "No bad", row: 3, rows: 71 }
    ])
  })

  it("have the fields of the header, or those alone that the map names", () => {
    const of = (header: ReadonlyArray<string>, map: string | null) => {
      const rows = gathering(10, map)
      Result.getOrThrow(rows.add([{ row: 1, cells: header }]))
      return rows.has("agreed")
    }
    expect(of(["phone", "agreed"], null)).toBe(true)
    expect(of(["phone", "agreed"], '{"phone":"phone"}')).toBe(false)
    expect(of(["phone", "consent"], '{"phone":"phone","consent":"agreed"}')).toBe(true)
    expect(gathering(10).has("agreed")).toBe(false)
  })

  it("are refused with the header where its columns cannot be mapped", () => {
    const refused = gathering(10).add([{ row: 1, cells: ["name"] }])
    expect(Result.isFailure(refused) && refused.failure).toMatchObject({ _tag: "MappingRefused" })
  })
})
