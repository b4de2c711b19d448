/** Which word a misspelt one meant. Verifies: FIND-3. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { editDistance, mayBeMisspelt, spellingRanges, spellingsOf } from "../../../src/agents/search/Spelling.ts"

describe("a word that may have been meant", () => {
  it.each([
    ["password", "password", 0],
    ["pasword", "password", 1],
    ["passwrod", "password", 1],
    ["passsword", "password", 1],
    ["possword", "password", 1],
    ["pasxwrod", "password", 2],
    ["", "abc", 3],
    ["abc", "", 3],
    ["ca", "abc", 3]
  ])("%s is at a distance from %s of %i", (a, b, distance) => {
    assert.strictEqual(editDistance(a, b, 9), distance)
    assert.strictEqual(editDistance(b, a, 9), distance)
    if (distance > 0) assert.strictEqual(editDistance(a, b, distance - 1), distance)
  })

  it("is near, the nearest first, or begins alike", () => {
    const words = ["password", "passport", "passage", "word", "pasture", "reset"]
    assert.deepStrictEqual([...spellingsOf("pasword", words).keys()], ["password"])
    assert.deepStrictEqual([...spellingsOf("rucksendekost", ["rucksend", "ruck"]).keys()], ["rucksend"])
    assert.deepStrictEqual(
      [...spellingsOf("kettl", ["kettles", "kettlebell", "metal"]).keys()],
      ["kettlebell", "kettles"]
    )
    assert.deepStrictEqual([...spellingsOf("kettel", ["kettl", "kett", "nettel"]).keys()], ["kettl", "nettel"])
    assert.deepStrictEqual(spellingsOf("kettle", []).size, 0)
  })

  it("stands where it is looked for", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-zäß]{5,12}$/),
        fc.nat(),
        fc.constantFrom("drop", "swap", "change"),
        (word, at, how) => {
          const i = 1 + (at % (word.length - 1))
          const head = word.slice(0, i)
          const typed =
            how === "drop"
              ? head + word.slice(i + 1)
              : how === "change"
                ? `${head}z${word.slice(i + 1)}`
                : head + word.slice(i + 1, i + 2) + word[i]! + word.slice(i + 2)
          if (!mayBeMisspelt(typed) || !spellingsOf(typed, [word]).has(word)) return
          assert.isTrue(
            spellingRanges(typed).some(
              ({ from, maxLength, minLength, until }) =>
                word >= from && word < until && word.length >= minLength && word.length <= maxLength
            )
          )
        }
      ),
      { numRuns: 500 }
    )
  })

  it("is looked for in place of words alone: codes, short words and pairs of characters are what they are", () => {
    for (const term of ["e1042", "lamp", "返品", "0x80070070", ""]) assert.isFalse(mayBeMisspelt(term))
    for (const term of ["pasword", "пароль", "रिफंडडड"]) assert.isTrue(mayBeMisspelt(term))
  })
})
