/** Long texts become messages: docs/reference/messaging.md#splitting. */
import { atMost } from "@trunkline/testing/slow-machine"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { splitText } from "../../../src/messaging/messages/Splitter.ts"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Where each part stands in the text; fails where one does not follow the part before it, white space aside. */
const placesOf = (text: string, parts: ReadonlyArray<string>): ReadonlyArray<readonly [from: number, to: number]> => {
  let place = 0
  const found = parts.map((part) => {
    while (!text.startsWith(part, place)) {
      expect(text.slice(place, place + 1), `left out at ${place}`).toMatch(/\s/)
      place += 1
    }
    const from = place
    place += part.length
    return [from, place] as const
  })
  expect(text.slice(place).trim()).toBe("")
  return found
}

const expectParts = (parts: ReadonlyArray<string>, limit: number) => {
  for (const part of parts) {
    expect(part.length).toBeGreaterThanOrEqual(1)
    expect([...part].length).toBeLessThanOrEqual(limit)
    expect(part.isWellFormed()).toBe(true)
    expect(part.trim()).not.toBe("")
  }
}

/** Inside of a grapheme that a part has room for. */
const isTorn = (text: string, place: number, limit: number): boolean => {
  const { index, segment } = graphemes.segment(text).containing(place) ?? { index: place, segment: "" }
  return index !== place && [...segment].length <= limit
}

const nasty = [
  ..."ab. ,!?-()*_~/",
  ...["  ", "\n", "\n\n", "\r\n", "\r", "\t", "\u00a0", "\u3000", "\u2028", "\ufeff", "\v"],
  ...[
    "👨‍👩‍👧‍👦",
    "👩🏽‍🚀",
    "❤️‍🔥",
    "🏽",
    "\u200d",
    "\ufe0f",
    "1️⃣",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"
  ],
  ...[
    "🇮🇳",
    "🇩",
    "🇪",
    "각",
    "\u1100",
    "\u1161",
    "\u11a8",
    "e\u0301",
    "\u0301",
    "\u0300\u0323",
    "क्ष",
    "नि",
    "ก็",
    "\u0e33"
  ],
  ...[
    "\u0600",
    "\u{110bd}",
    "\u200c",
    "\u200b",
    "\ud83d",
    "\ude00",
    "\0",
    "吾輩は猫である。",
    "名前はまだ無い",
    "「",
    "」、",
    "ー"
  ],
  ...[
    "https://example.com/a?b=c",
    "`let x = 1`",
    "*bold text*",
    "Mr. X",
    "don't",
    "3.14",
    "word ",
    "longer words here. "
  ]
]
const texts = fc.array(fc.constantFrom(...nasty), { maxLength: 120 }).map((all) => all.join(""))
const limits = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 12, max: 80 }))

describe("any text", () => {
  // Verifies: M-29.
  it("comes back from its parts, but for white space where it was broken, and no grapheme is cut that has room", () => {
    fc.assert(
      fc.property(texts, limits, (given, limit) => {
        const parts = splitText(given, limit)
        expectParts(parts, limit)
        const text = given.toWellFormed()
        for (const [from, to] of placesOf(text, parts))
          expect([isTorn(text, from, limit), isTorn(text, to, limit)]).toEqual([false, false])
      }),
      { numRuns: 2000 }
    )
  })

  it("of any units at all comes back too", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
    fc.assert(
      fc.property(units, limits, (codes, limit) => {
        const text = String.fromCharCode(...codes)
        const parts = splitText(text, limit)
        expectParts(parts, limit)
        placesOf(text.toWellFormed(), parts)
      })
    )
  })

  it("is split in one way, and its parts are split no further", () => {
    fc.assert(
      fc.property(texts, limits, (text, limit) => {
        const parts = splitText(text, limit)
        expect(splitText(text, limit)).toEqual(parts)
        for (const part of parts) expect(splitText(part, limit)).toEqual([part])
      })
    )
  })

  it("that fits stays as it is", () => {
    const whole = ` ${"a".repeat(4094)}\n`
    expect(splitText(whole)).toEqual([whole])
    expect(splitText("  two\n\n\nlines ")).toEqual(["  two\n\n\nlines "])
  })

  it("has no part where nothing can be seen", () => {
    expect(splitText("")).toEqual([])
    expect(splitText(" \n\u3000\t ".repeat(2000))).toEqual([])
    expect(splitText(`${" \n".repeat(5000)}.${"\n ".repeat(5000)}`)).toEqual(["."])
  })

  it("of as many code points as a part may have is one part, whatever they are in UTF-16", () => {
    expect(splitText("😀".repeat(4096))).toEqual(["😀".repeat(4096)])
    expect(splitText("😀".repeat(4097)).map((part) => [...part].length)).toEqual([4096, 1])
  })

  it("over the limit by one character has two parts, and white space around it does not count", () => {
    const [first, second] = ["a".repeat(2500), "b".repeat(1595)]
    expect(splitText(`${first} ${second}`)).toEqual([`${first} ${second}`])
    expect(splitText(`${first} ${second}b`)).toEqual([first, `${second}b`])
    expect(splitText(`\n ${first} ${second}  `)).toEqual([`${first} ${second}`])
    expect(splitText(`One two three\n\nfour${" ".repeat(20)}`, 20)).toEqual(["One two three\n\nfour"])
  })

  it("with halves of characters has U+FFFD in their place", () => {
    expect(splitText("a\ud83d")).toEqual(["a\ufffd"])
    expect(splitText("\ude00\ud83d\ud83d\ude00x", 2)).toEqual(["\ufffd\ufffd", "😀x"])
  })

  it("is not split into less than a character", () => {
    for (const limit of [0, -1, 2.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => splitText("text", limit)).toThrow(RangeError)
    expect(splitText("😀😀", 1)).toEqual(["😀", "😀"])
  })
})

describe("a text is broken", () => {
  const cases: ReadonlyArray<readonly [where: string, limit: number, parts: ReadonlyArray<string>, between: string]> = [
    ["at a paragraph before a line", 20, ["One two three", "four\nfive six seven"], "\n\n"],
    ["at a line before a sentence", 20, ["One two three", "Four. Five six."], "\n"],
    ["at a sentence before a word", 20, ["One two three.", "Four five six."], " "],
    ["at a word before anything else", 20, ["One two three four", "five"], " "],
    ["at the latest of several paragraphs", 20, ["One\n\ntwo\n\nthree", "four five six"], "\n\n"],
    ["at a sentence of Japanese", 20, ["吾輩は猫である。名前はまだ無い。", "どこで生れたかとんと見当がつかぬ。"], ""],
    ["at a word of Japanese", 12, ["今日はとても良い天気", "ですから散歩に出かけます"], ""],
    ["at a grapheme where there is nothing else", 16, ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"], ""],
    ["at a sentence, not at a title", 30, ["Please do ask for Mr. Smith of", "the house, who knows."], " "],
    ["at a sentence, not at the number of an item", 30, ["This is how it all goes: 1. Go", "and look for it."], " "],
    ["at a word, not before a closing bracket", 7, ["言葉「言葉", "言葉」言葉。"], ""],
    ["at a word, not after an opening bracket", 3, ["言葉", "「言葉", "」"], ""],
    ["at a paragraph of Windows before a line", 24, ["One two three", "four\r\nfive six"], "\r\n\r\n"]
  ]

  it.each(cases)("%s", (_, limit, parts, between) => {
    expect([...parts.join(between)].length).toBeGreaterThan(limit)
    expect(splitText(parts.join(between), limit)).toEqual(parts)
  })

  it("in the back half of a part where it can be, though a better place is in front", () => {
    expect(splitText("One.\n\nTwo three four five", 20)).toEqual(["One.\n\nTwo three four", "five"])
    expect(splitText("One two three\n\nFour five", 20)).toEqual(["One two three", "Four five"])
  })

  it("in the front half rather than in the middle of a word", () => {
    expect(splitText(`See ${"x".repeat(19)} there`, 20)).toEqual(["See", "x".repeat(19), "there"])
  })

  it("with the indentation of the next line kept", () => {
    expect(splitText("- one two three\n  - four five", 20)).toEqual(["- one two three", "  - four five"])
    expect(splitText(`- one two three\n${" ".repeat(40)}- four`, 20)).toEqual(["- one two three", "- four"])
    // Where it leaves no room for the grapheme after it, it goes.
    expect(splitText("aaaa\n  👨‍👩‍👧‍👦 bbbb", 8)).toEqual(["aaaa", "👨‍👩‍👧‍👦", "bbbb"])
  })

  it("never before an accent that stands on a space", () => {
    const text = "aaaa \u0301bbb \u0301ccc"
    expect(splitText(text, 5)).toEqual(["aaaa", " \u0301bbb", " \u0301ccc"])
  })

  it("in characters where one grapheme is more than a part", () => {
    const giant = `e${"\u0301".repeat(30)}`
    const parts = splitText(`word ${giant} word`, 10)
    expect(parts[0]).toBe("word")
    expect(parts.join("")).toBe(`word${giant} word`)
    expect(splitText("👨‍👩‍👧‍👦", 2)).toEqual(["👨‍", "👩‍", "👧‍", "👦"])
    // A sign that takes what follows it into its grapheme, be it a space.
    expect(splitText("\u{110bd} 😀", 1)).toEqual(["\u{110bd}", "😀"])
  })
})

describe("kept whole where another break is there", () => {
  const whole = [
    "https://example.com/a-path/with.dots?and=values",
    "www.example.com/some-thing",
    "some-one@my-mail.example.com",
    "[a link](https://example.com/x)",
    "`const x = 1`",
    "``a b c``",
    "*some bold words*",
    "**some bold words**",
    "~some old words~",
    "_some leaning words_"
  ]

  it.each(whole)("%s", (run) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "word", "words.", "\n", run), { maxLength: 60 }), (all) => {
        const text = all.join(" ")
        const parts = splitText(text, 60)
        const count = (of: string) => of.split(run).length - 1
        expect(parts.map(count).reduce((a, b) => a + b, 0)).toBe(count(text))
      }),
      { numRuns: 50 }
    )
  })

  it.each(whole)("%s, though the back half of a part has nothing else", (run) => {
    expect(splitText(`See ${run} now`, run.length + 2)).toEqual(["See", run, "now"])
  })

  it("is cut where it does not fit, at words first", () => {
    expect(splitText(`*${"some bold words ".repeat(4).trim()}*`, 30)).toEqual([
      "*some bold words some bold",
      "words some bold words some",
      "bold words*"
    ])
    const url = `https://example.com/${"path/".repeat(10)}`
    const parts = splitText(`Look: ${url}`, 30)
    expect(parts[0]).toBe("Look:")
    expect(parts.slice(1).join("")).toBe(url)
    for (const part of parts.slice(1, -1)) expect(part).toMatch(/\/$/)
  })

  it("is not what only looks like a mark", () => {
    expect(splitText("2 * 3 is six and 4 * 5", 16)).toEqual(["2 * 3 is six and", "4 * 5"])
    expect(splitText("a snake_case and then_ here", 16)).toEqual(["a snake_case and", "then_ here"])
    expect(splitText("a snake_case and some_thing", 16)).toEqual(["a snake_case and", "some_thing"])
    expect(splitText("a _case and some_thing", 11)).toEqual(["a _case and", "some_thing"])
    expect(splitText("a ~ 3 words and ~ 4 more", 15)).toEqual(["a ~ 3 words and", "~ 4 more"])
  })
})

describe("code fences", () => {
  const line = fc.constantFrom(
    "let a = 1",
    "  indented()",
    "}",
    "    deep  # x",
    "日本語",
    "*not bold",
    "https://example.com"
  )
  const code = fc.record({
    language: fc.constantFrom("", "js", "c++"),
    lines: fc
      .array(fc.oneof({ weight: 5, arbitrary: line }, { weight: 1, arbitrary: fc.constant("") }), { maxLength: 40 })
      .map((lines) => ["start", ...lines, "stop"])
  })
  const prose = fc
    .array(fc.constantFrom("Some words.", "More of them", "*bold*", "\n", "- item", "👩🏽‍🚀"), {
      minLength: 1,
      maxLength: 20
    })
    .map((words) => `P ${words.join(" ")}`)

  /** In turns outside and inside; fails where a fence is left open. */
  const blocksOf = (part: string): ReadonlyArray<string> => {
    const blocks = part.split(/```(?:(?:js|c\+\+)?\n)?/)
    expect(blocks.length % 2, `open in: ${part}`).toBe(1)
    return blocks
  }

  it("are closed and opened again, with their language, their lines whole, and none of them empty", () => {
    const block = fc.oneof(
      prose,
      code.map(({ language, lines }) => `\`\`\`${language}\n${lines.join("\n")}\n\`\`\``)
    )
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), fc.integer({ min: 64, max: 200 }), (all, limit) => {
        const text = all.join("\n\n")
        const parts = splitText(text, limit)
        expectParts(parts, limit)
        const inside: Array<string> = []
        const outside: Array<string> = []
        for (const part of parts)
          for (const [place, one] of blocksOf(part).entries()) {
            if (place % 2 === 1) expect(one.trim()).not.toBe("")
            ;(place % 2 === 1 ? inside : outside).push(one)
          }
        const seen = (of: ReadonlyArray<string>) =>
          of.flatMap((one) => one.split("\n")).filter((one) => one.trim() !== "")
        const isCode = (one: string) => one.startsWith("```")
        const wanted = (of: boolean) =>
          seen(all.filter((one) => isCode(one) === of).map((one) => one.replaceAll(/```.*/g, "")))
        expect(seen(inside)).toEqual(wanted(true))
        expect(outside.join("").replaceAll(/\s/g, "")).toBe(wanted(false).join("").replaceAll(/\s/g, ""))
      }),
      { numRuns: 500 }
    )
  })

  it("are broken at blank lines, then at lines, and around them before that", () => {
    const body = "a = 1\nb = 2\n\nc = 3\nd = 4"
    expect(splitText(`\`\`\`py\n${body}\n\`\`\``, 32)).toEqual(["```py\na = 1\nb = 2\n```", "```py\nc = 3\nd = 4\n```"])
    expect(splitText("```py\na = 1\nb = 2\nc = 3\nd = 4\n```", 32)).toEqual([
      "```py\na = 1\nb = 2\nc = 3\n```",
      "```py\nd = 4\n```"
    ])
    expect(splitText(`Some words that lead to it:\n\n\`\`\`py\n${body}\n\`\`\``, 50)).toEqual([
      "Some words that lead to it:",
      `\`\`\`py\n${body}\n\`\`\``
    ])
  })

  it("of one line are closed in their line, at a word", () => {
    expect(splitText(`\`\`\`${"one two three ".repeat(5).trim()}\`\`\``, 44)).toEqual([
      "```one two three one two three one two```",
      "```three one two three one two three```"
    ])
  })

  it("have a language only where they begin a line", () => {
    const code = "one\ntwo three four\nfive six seven"
    expect(splitText(`\`\`\`${code}\`\`\``, 30)).toEqual(["```one\ntwo three four\n```", "```one\nfive six seven```"])
    expect(splitText(`- \`\`\`${code}\`\`\``, 30)).toEqual(["- ```one\ntwo three four\n```", "```\nfive six seven```"])
  })

  it("have their language again though all of the code is one line", () => {
    expect(splitText("```js\none two three four five six```", 30)).toEqual([
      "```js\none two three four\n```",
      "```js\nfive six```"
    ])
  })

  it("of one word are cut within it, and closed", () => {
    expect(splitText(`\`\`\`${"y".repeat(70)}\`\`\``, 40)).toEqual([
      `\`\`\`${"y".repeat(34)}\`\`\``,
      `\`\`\`${"y".repeat(34)}\`\`\``,
      "```yy```"
    ])
    const longerAtTheEnd = `\`\`\`${"y".repeat(33)}\`\`\`\`\``
    expect(splitText(longerAtTheEnd, 40)).toEqual([`\`\`\`${"y".repeat(32)}\`\`\``, "```y`````"])
  })

  it("are never cut within their marks", () => {
    const words = `\`\`\`${"y z ".repeat(20).trim()}\`\`\``
    expect(splitText("x".repeat(36) + words, 40)[0]).toBe("x".repeat(36))
    // Backticks that a grapheme has taken in are none.
    const taken = `${"x".repeat(17)}\u0600\`\`\`${"y".repeat(40)}\`\`\``
    for (const [from, to] of placesOf(taken, splitText(taken, 20)))
      expect([isTorn(taken, from, 20), isTorn(taken, to, 20)]).toEqual([false, false])
  })

  it("are not left empty by more white space than a part holds", () => {
    const lines = "\n".repeat(5000)
    expect(splitText(`\`\`\`\n${lines}code\n\`\`\``)).toEqual(["```", "code\n```"])
    expect(splitText(`\`\`\`\ncode${lines}\`\`\``)).toEqual(["```\ncode", "```"])
  })

  it("of four backticks hold fences of three", () => {
    const parts = splitText(`\`\`\`\`md\n${"text\n```js\ncode\n```\n".repeat(8)}\`\`\`\``, 60)
    for (const part of parts) expect(part).toMatch(/^````md\n[\s\S]*\n````$/)
  })

  it("that are never closed are text", () => {
    const text = `\`\`\`js\n${"let a = 1\n".repeat(10)}`
    expect(splitText(text, 60).join("\n")).toBe(text.trim())
  })

  it("whose marks would take more than half of a part are text", () => {
    const text = `\`\`\`${"x".repeat(30)}\n${"let a = 1\n".repeat(10)}\`\`\``
    expect(splitText(text, 60).join("\n")).toBe(text)
    expect(splitText("```a b c d e f```", 10).join(" ")).toBe("```a b c d e f```")
  })
})

describe("100 kB", () => {
  const long = (text: string): string => text.repeat(Math.ceil(100_000 / text.length))
  const given: Readonly<Record<string, string>> = {
    "of prose": long("The quick brown fox jumps over the lazy dog. "),
    "of one word": long("a"),
    "of Japanese": long("吾輩は猫である。名前はまだ無い。"),
    "of families": long("👨‍👩‍👧‍👦"),
    "of flags": long("🇮🇳"),
    "of one grapheme": `a${long("\u0301")}`,
    "of lines": long("a\n"),
    "of fences": long("```js\nlet a = 1\n```\n"),
    "of one fence": `\`\`\`\n${long("let a = 1\n")}\`\`\``,
    "of fences that nothing closes": Array.from({ length: 440 }, (_, n) => "`".repeat(443 - n)).join(" "),
    "of stars": long("*a"),
    "of brackets": long("[]("),
    "of addresses": long("a@"),
    "of URLs": long("https://"),
    "of white space between": `a${long(" \n")}b`
  }

  it.each(Object.entries(given))("%s are split at once", (_, text) => {
    const start = performance.now()
    const parts = splitText(text)
    expect(performance.now() - start).toBeLessThan(atMost(1000))
    expectParts(parts, 4096)
  })
})
