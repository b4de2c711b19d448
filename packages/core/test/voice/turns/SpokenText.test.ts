/** A model's text as it is spoken. Verifies: CONV-7. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fitForSpeech, SentenceCutter } from "../../../src/voice/turns/index.ts"
import { sentenceCases } from "./SentenceCases.ts"

const cut = (pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  const cutter = new SentenceCutter()
  return [...pieces.flatMap((piece) => cutter.push(piece)), ...cutter.end()].map(({ spoken }) => spoken)
}

// Verifies: V-105.
describe("a text that is spoken", () => {
  it.each([
    ["**Bold** and _soft_ words", "Bold and soft words"],
    ["# A heading\nText", "A heading Text"],
    ["- one\n- two", "one two"],
    ["See [our page](https://example.com/a?b=c) now", "See our page now"],
    ["Write to https://www.example.com/help today", "Write to example.com today"],
    ["Great 🎉👍🏽!", "Great!"],
    ["Run `npm test`.", "Run npm test."],
    ["```js\nlet a = 1\n```", ""],
    ["***", ""],
    ["नमस्ते, आप कैसे हैं?", "नमस्ते, आप कैसे हैं?"]
  ])("of %j is %j", (text, spoken) => {
    expect(fitForSpeech(text)).toBe(spoken)
  })
})

// Verifies: V-105, V-225.
describe("signs that are no Markdown", () => {
  it.each([
    "Your total is 2*3*4, which is 24.",
    "Your total is 2 * 3 * 4, which is 24.",
    "Write to first_last@example.com please.",
    "It is true that 5 < 10 and 10 > 5.",
    "Dial *86# now.",
    "Dial *86# or *87#, and then *5*.",
    "Dial **21*030901820# to forward calls.",
    "Press * then #.",
    'Press "*" or "#", and then "*" again.',
    "Press (*) twice.",
    "Your code is B2_C3.",
    "I write C# code in snake_case_names.",
    "It costs 5* more, and not *6.",
    "The hotel has **** stars.",
    "About ~5 minutes, at 50% | 60%.",
    "The path is C:\\temp.",
    "Wählen Sie die *31# und dann 2*3.",
    "Schreiben Sie an max_muster@example.de.",
    "Das ist C++, F# und 5 > 3.",
    "कृपया *121# डायल करें।",
    "कीमत 2*3 है, और 5 < 10 है।",
    "क्\u200dष और र्\u200dय"
  ])("are spoken as they stand: %s", (text) => {
    expect(fitForSpeech(text)).toBe(text)
  })

  it.each([
    ["*So*, (*now*) and *then*.", "So, (now) and then."],
    ['He said "*so*" and **"Stop!"** twice.', 'He said "so" and "Stop!" twice.'],
    ["***Both*** and ~~gone~~ and __bold__.", "Both and gone and bold."],
    ["**42** of _them_", "42 of them"],
    ["Use `a_b*c*` here", "Use a_b*c* here"],
    ["A \\*star\\* and \\#", "A *star* and #"],
    ["Das ist **wichtig**: _jetzt_!", "Das ist wichtig: jetzt!"],
    ["यह **ज़रूरी** है, _अभी_।", "यह ज़रूरी है, अभी।"],
    ["* Eins\n* Zwei\n> Drei\n## Vier", "Eins Zwei Drei Vier"],
    ["Prices\n======\nTea is 3.", "Prices Tea is 3."],
    ["| Name | Price |\n|---|---|\n| Tea | 3 |", "Name, Price Tea, 3"],
    ["A<br>b <b>c</b> <x@example.com>", "A b c x@example.com"]
  ])("differ from those that are: %j is %j", (text, spoken) => {
    expect(fitForSpeech(text)).toBe(spoken)
  })

  it("are distinguished across the sentences of a reply, also where a sentence begins in a line", () => {
    expect(cut(["**Important. Read this.** Then dial *86#. ", "* is the star.\n* An item."])).toEqual([
      "Important.",
      "Read this.",
      "Then dial *86#.",
      "* is the star.",
      "An item."
    ])
  })
})

describe("sentences", () => {
  const all = Object.entries(sentenceCases).flatMap(([language, texts]) =>
    texts.map((text) => [language, text] as const)
  )
  const sentencesOf = (text: string) => text.split("|").map((sentence) => sentence.trim())

  // Verifies: V-226.
  it.each(all)("are found in %s: %s", (_, text) => {
    const whole = text.replaceAll("|", "")
    expect(cut([whole])).toEqual(sentencesOf(text))
    // As models write: a word with the blank before it and the signs behind it.
    expect(cut(whole.match(/\s*\S+/gu) ?? [])).toEqual(sentencesOf(text))
  })

  // Verifies: V-226.
  it("are given with their last sign, and only after an abbreviation, a number or an address with the next word", () => {
    const given = (text: string) => new SentenceCutter().push(text).length
    expect(["It is open.", "Das geht.", "यह खुला है।", "Is it?"].map(given)).toEqual([1, 1, 1, 1])
    expect(["It opens at 9 a.m.", "It costs 3.", "See example.com.", "Das geht usw."].map(given)).toEqual([0, 0, 0, 0])
    expect(["It opens at 9 a.m. Come", "It costs 3. Buy", "Das geht usw. Gut"].map(given)).toEqual([1, 1, 1])
  })

  // Verifies: V-104.
  it("are given as soon as their end is certain", () => {
    const cutter = new SentenceCutter()
    const push = (text: string) => cutter.push(text).map(({ spoken }) => spoken)
    expect(push("It is noon")).toEqual([])
    expect(push(".")).toEqual(["It is noon."])
    expect(push(" It costs 3.")).toEqual([])
    expect(push("50 euros. Dr.")).toEqual(["It costs 3.50 euros."])
    expect(push(" Smith knows!")).toEqual(["Dr. Smith knows!"])
    expect(cutter.end()).toEqual([])
  })

  // Verifies: V-104.
  it("of a reply begin after a clause that is long enough, the first one alone", () => {
    const long = "When you have reached the end of the long street, turn left, and go on until you see it, please."
    expect(cut([long, " And now, when you are there, at the very end of it all, wait."])).toEqual([
      "When you have reached the end of the long street,",
      "turn left, and go on until you see it, please.",
      "And now, when you are there, at the very end of it all, wait."
    ])
  })

  it("are the same however the text is cut into pieces, once it is whole", () => {
    const text = fc.array(fc.constantFrom("Yes.", " It is", " 3.5", " kilos.", "\n", " Why?", " *so*", " word"), {
      maxLength: 20
    })
    fc.assert(
      fc.property(text, (pieces) => {
        const words = (sentences: ReadonlyArray<string>) => sentences.join(" ").replace(/\s+/g, " ")
        expect(words(cut(pieces.join("").split("")))).toBe(words(cut(pieces)))
      })
    )
  })
})
