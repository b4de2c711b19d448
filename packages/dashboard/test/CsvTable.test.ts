/** What the page of the import reads in a CSV file by itself. */
import { describe, expect, it } from "vitest"
import { csvTable, guessFields, rejectedRows } from "../pages/parts/CsvTable.ts"

describe("the table of a CSV file", () => {
  it("is divided by the sign that gives rows as many cells as the header", () => {
    expect(csvTable("Telefon;Name\n+49 30 1;Weber, Jonas\n")).toEqual({
      headers: ["Telefon", "Name"],
      rows: [[2, ["+49 30 1", "Weber, Jonas"]]]
    })
    expect(csvTable("sep=|\r\na|b\r\n1|2\r\n").headers).toEqual(["a", "b"])
  })

  it("has cells with quotes, signs and lines in them, and the numbers that a spreadsheet shows", () => {
    const text = '\uFEFFname,notes\r\n"Rao, ""Asha""","one\r\ntwo"\r\n\r\nWei,\r\n'
    expect(csvTable(text)).toEqual({
      headers: ["name", "notes"],
      rows: [
        [2, ['Rao, "Asha"', "one\r\ntwo"]],
        [4, ["Wei", ""]]
      ]
    })
  })
})

describe("fields", () => {
  it("are guessed from headers in several languages, and each but the phone once", () => {
    const headers = ["Mobile", "Telefon 2", "Vorname", "Nachname", "E-Mail", "Firma", "Name", "Full name", "Color"]
    expect(guessFields(headers)).toEqual({
      Mobile: "phone",
      "Telefon 2": "phone",
      Vorname: "first_name",
      Nachname: "last_name",
      "E-Mail": "email",
      Firma: "company",
      Name: "name",
      "Full name": "",
      Color: ""
    })
  })

  it("are those that a person has chosen before", () => {
    expect(guessFields(["Color"], { Color: "custom.color" })).toEqual({ Color: "custom.color" })
  })
})

describe("rejected rows", () => {
  it("have their reason, and run nothing in a spreadsheet", () => {
    const table = csvTable("phone,name\n+49 30 1,=1+1\nx,Weber\n")
    const errors = [
      { row: 2, message: "The name is wrong" },
      { row: 3, message: "No number" },
      { row: 3, message: "No name, either" }
    ]
    expect(rejectedRows(table, errors, "reason")).toBe(
      'phone,name,reason\r\n+49 30 1,\'=1+1,The name is wrong\r\nx,Weber,"No number; No name, either"\r\n'
    )
  })
})
