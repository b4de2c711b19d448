/** A model's text as it is spoken. Verifies: CONV-7. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fitForSpeech, SentenceCutter } from "../../src/conversation/index.ts"

const cut = (pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  const cutter = new SentenceCutter()
  return [...pieces.flatMap((piece) => cutter.push(piece)), ...cutter.end()]
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

describe("sentences", () => {
  // Verifies: V-104.
  it("are given as soon as their end is certain", () => {
    const cutter = new SentenceCutter()
    expect(cutter.push("It is noon")).toEqual([])
    expect(cutter.push(".")).toEqual(["It is noon."])
    expect(cutter.push(" It costs 3.")).toEqual([])
    expect(cutter.push("50 euros. Dr.")).toEqual(["It costs 3.50 euros."])
    expect(cutter.push(" Smith knows!")).toEqual(["Dr. Smith knows!"])
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
