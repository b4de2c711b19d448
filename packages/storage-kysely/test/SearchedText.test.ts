/** What a search takes for one character. */
import { describe, expect, it } from "vitest"
import { folded, SearchedText } from "../src/SearchedText.ts"

const regexOf = (text: string) => new RegExp(new SearchedText(text).regex, "u")

describe("a search", () => {
  it("counts no case, of any script", () => {
    const same: ReadonlyArray<readonly [string, string]> = [
      ["MÜLLER", "müller"],
      ["Иванов", "иВАНОВ"],
      ["ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
      ["STRASSE", "straße"],
      ["STRAẞE", "strasse"],
      ["İSTANBUL", "istanbul"],
      ["ısparta", "ISPARTA"],
      ["ԵՐԵՎԱՆ", "երեվան"],
      ["ᲗᲑᲘᲚᲘᲡᲘ", "თბილისი"],
      ["𐐀𐐁", "𐐨𐐩"],
      ["K", "k"]
    ]
    for (const [a, b] of same) expect(folded(a), a).toBe(folded(b))
  })

  it("keeps apart what differs in more than case", () => {
    expect(folded("Muller")).not.toBe(folded("Müller"))
    expect(folded("й")).not.toBe(folded("и"))
    expect(folded("日本")).toBe("日本")
  })

  it("finds the final form of a Greek character within a word", () => {
    expect(regexOf("ΟΔΟΣ").test("οδοσα")).toBe(true)
    expect(regexOf("οδος").test("ΟΔΟΣΑ")).toBe(true)
  })

  it("takes signs of patterns for themselves", () => {
    const signs = "*?[]^$.|+(){}\\-"
    expect(regexOf(signs).test(`a${signs}b`)).toBe(true)
    expect(new SearchedText("a*?[b]").glob).toBe("*[aA][*][?][[][bB]]*")
  })

  it("looks for no blanks around its text", () => {
    expect(new SearchedText("  Ada ")).toEqual(new SearchedText("ada"))
  })
})
