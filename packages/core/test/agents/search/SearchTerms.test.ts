/** What a text is found by. Verifies: BOTS-4, FIND-1. */
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { indexText, maxPassageLength, passagesOf } from "../../../src/agents/search/IndexedText.ts"
import { maxTerms, termsOf, termsOfQuestion, wordsOf } from "../../../src/agents/search/SearchTerms.ts"
import { fold } from "../../../src/agents/search/TextFolding.ts"

const anyText = fc.oneof(
  unicodeText({ maxLength: 80 }),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          "AB-1234",
          "l'eau",
          "don't",
          "Straße",
          "naïve",
          "３７",
          "१२३",
          "E-17",
          "a.b.c.d.e.f",
          "wi\u00adfi",
          "x_y",
          "C++",
          "½"
        ],
        ...[
          "返品",
          "パスワード",
          "は",
          "비밀번호",
          "รหัสผ่าน",
          "रिफ़ंड",
          "سلام",
          "שלום",
          "İ",
          "ΟΔΟΣ",
          "👩‍👩‍👧",
          "\ud800",
          "\0"
        ]
      ),
      { maxLength: 8 }
    )
    .chain((parts) => fc.constantFrom(parts.join(" "), parts.join("")))
)

describe("a question", () => {
  it.each([
    ["How do I reset my password?", ["reset", "password"]],
    ["what's the plan?", ["plan"]],
    ["Wie kann ich die Rücksendung verfolgen?", ["rucksend", "verfolg"]],
    ["¿Cuánto tarda un envío?", ["tard", "envi"]],
    ["Où est l'abonnement d'Anna ?", ["abon", "anna"]],
    ["मेरा रिफ़ंड कब मिलेगा?", ["रिफंड", "मिलेग"]],
    ["返品はできますか？", ["返品"]],
    ["パスワードを忘れました", ["パス", "スワ", "ワー", "ード", "忘れ"]],
    ["DOES THE KETTLE BOIL", ["kettl", "boil"]],
    ["ｋｅｔｔｌｅ", ["kettl"]],
    ["", []],
    ["?! — … 😀", []]
  ])("%s", (question, terms) => {
    expect(termsOfQuestion(question)).toEqual(terms)
  })

  it("of words alone that every question has is looked for by them", () => {
    expect(termsOfQuestion("to be or not to be")).toEqual(["to", "be", "or", "not"])
    expect(termsOfQuestion("それは何ですか").length).toBeGreaterThan(0)
    expect(termsOfQuestion("the kettle")).toEqual(["kettl"])
  })

  it("has at most 32 terms, of which codes and long words are kept", () => {
    const letters = "abcdefghij"
    const words = Array.from({ length: 40 }, (_, i) => `word${letters[i % 10]}${letters[Math.floor(i / 10)]}uk`)
    const terms = termsOfQuestion(`${words.join(" ")} extraordinarily E-10 again`)
    expect(terms).toHaveLength(maxTerms)
    expect(terms).toContain("e10")
    expect(terms.some((term) => term.startsWith("extraordin"))).toBe(true)
    expect(termsOfQuestion("a kettle, a Kettle and KETTLES")).toEqual(["kettl"])
  })

  it("never becomes anything but letters and digits, whatever is typed", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const term of [...termsOfQuestion(text), ...termsOf(text)]) {
          expect(term).toMatch(/^[\p{L}\p{N}\p{M}]+$/u)
          expect([...term].length).toBeLessThanOrEqual(40)
          expect(term).toBe(term.toWellFormed())
        }
        expect(termsOfQuestion(text).length).toBeLessThanOrEqual(maxTerms)
      }),
      { numRuns: 400 }
    )
  })

  it("that is a text finds that text: its terms are among those of the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const known = new Set(termsOf(text))
        expect(termsOfQuestion(text).filter((term) => !known.has(term))).toEqual([])
      }),
      { numRuns: 400 }
    )
  })
})

describe("a code", () => {
  it.each([
    ["AB-1234", ["ab1234", "ab", "1234"]],
    ["ab1234", ["ab1234", "ab", "1234"]],
    ["ERR_CONN_RESET", ["errconnreset", "err", "con", "reset"]],
    ["E-17", ["e17", "17"]],
    ["0x80070070", ["0x80070070", "80070070"]],
    ["2.3.1", ["231"]],
    ["wi-fi", ["wifi", "wi", "fi"]],
    ["example.org/a/b/c", ["exampl", "org"]]
  ])("%s is found whole and by its pieces", (code, terms) => {
    expect(termsOf(code)).toEqual(terms)
    expect(termsOfQuestion(code)).toEqual(terms)
  })

  it("is found however it is written", () => {
    const known = new Set(termsOf("Article AB-1234, Wi-Fi"))
    for (const written of ["ab1234", "AB 1234", "AB_1234", "ab‑1234", "ＡＢ－１２３４", "wifi", "Wi Fi"])
      expect(termsOfQuestion(written).some((term) => known.has(term))).toBe(true)
  })
})

describe("folding", () => {
  it.each([
    ["Rückgabe", "ruckgabe"],
    ["Straße", "strasse"],
    ["Œuvre", "oeuvre"],
    ["İstanbul ılık", "istanbul ilik"],
    ["ΟΔΟΣ", "οδοσ"],
    ["१२३ ٤٥٦", "123 456"],
    ["ﬁlter", "filter"],
    ["हूँ ज़रूर", "हूं जरूर"],
    ["がぎぐ", "がぎぐ"],
    ["한국", "한국"]
  ])("%s is %s", (text, folded) => {
    expect(fold(text)).toBe(folded)
    expect(fold(text.normalize("NFD"))).toBe(folded)
    expect(fold(folded)).toBe(folded)
  })
})

describe("words of an entry", () => {
  it("have their positions in the text", () => {
    const text = "The «AB-1234» boils: l'eau, 返品です."
    for (const { end, start, terms } of wordsOf(text)) {
      expect(text.slice(start, end)).toMatch(/^[\p{L}\p{N}].*[\p{L}\p{N}\p{M}]$/u)
      expect(terms.length).toBeGreaterThan(0)
    }
    expect(wordsOf(text).map(({ end, start }) => text.slice(start, end))).toEqual([
      "The",
      "AB-1234",
      "boils",
      "l'eau",
      "返品です"
    ])
  })
})

describe("passages", () => {
  const paragraph = "A sentence of some words stands here. Another one follows it, a little longer.\n\n"

  it("are the whole content, one after the other, none too long, none of them half a character", () => {
    const content = fc.oneof(
      unicodeText({ maxLength: 5000 }),
      fc.string({ unit: "grapheme", maxLength: 5000 }),
      fc.constantFrom(
        "x".repeat(5000),
        "😀".repeat(3000),
        paragraph.repeat(60),
        " ".repeat(3000),
        "返品。".repeat(1500)
      )
    )
    fc.assert(
      fc.property(content, (given) => {
        const text = given.toWellFormed()
        const found = passagesOf(text)
        expect(found.map(({ end, start }) => text.slice(start, end)).join("")).toBe(text)
        for (const { end, start } of found) {
          expect(end - start).toBeLessThanOrEqual(maxPassageLength)
          expect(text.slice(start, end).isWellFormed()).toBe(true)
        }
        expect(found.slice(0, -1).every(({ end, start }) => end - start >= maxPassageLength / 2 - 1)).toBe(true)
      }),
      { numRuns: 100 }
    )
  })

  it("end between paragraphs, else between sentences, else between words", () => {
    const endings = (text: string) => passagesOf(text).map(({ end, start }) => text.slice(start, end).slice(-3))
    expect(new Set(endings(paragraph.repeat(60)).slice(0, -1))).toEqual(new Set([".\n\n"]))
    expect(new Set(endings("Some words. ".repeat(300)).slice(0, -1))).toEqual(new Set(["s. "]))
    expect(new Set(endings("words ".repeat(600)).slice(0, -1))).toEqual(new Set(["ds "]))
    expect(new Set(endings("返品です。".repeat(600)).slice(0, -1))).toEqual(new Set(["です。"]))
  })

  it("are indexed each by its own words, and all by the title", () => {
    const { passages, titleTerms } = indexText("Kettle AB-1", `${"filler ".repeat(300)}vinegar`)
    expect(titleTerms).toEqual(["kettl", "ab1", "ab"])
    expect(passages).toHaveLength(2)
    expect(passages.map(({ terms }) => terms.includes("vinegar"))).toEqual([false, true])
  })
})
