/** Passes over large values: each has a turn of the event loop of its own. Verifies: KERN-8. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { jsonPieces, largeBytes, ownTurn } from "../../../src/platform/kernel/index.ts"
import { turnsWhile } from "./CountedTurns.ts"

describe("a pass over a value", () => {
  it("runs at once where the value is small", () => {
    expect(Effect.runSync(ownTurn(largeBytes - 1, () => Effect.succeed("read")))).toBe("read")
  })

  it("over a large one begins in a turn in which no other such pass begins", async () => {
    const begun: Array<number> = []
    await turnsWhile(async (turn) => {
      const pass = () => Effect.sync(() => void begun.push(turn()))
      const three = Effect.andThen(ownTurn(largeBytes, pass), ownTurn(largeBytes, pass))
      await Promise.all(
        Array.from({ length: 8 }, () => Effect.runPromise(Effect.andThen(three, ownTurn(largeBytes, pass))))
      )
    })
    expect(begun).toHaveLength(24)
    expect(new Set(begun).size).toBe(24)
  })
})

describe("JSON in pieces", () => {
  const long = 'a\u{1f600}\ud800"\n'.repeat(200_000)
  const deep = JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`) as unknown

  it.each<readonly [what: string, value: unknown]>([
    ["a text", "a"],
    ["an empty object and an empty list", { a: {}, b: [] }],
    ["a field that is undefined", { a: undefined, b: [undefined, null] }],
    ["a long text", { messages: [{ content: long }, long] }],
    ["many fields", Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`f${at}`, at]))],
    ["deep lists", Array.from({ length: 500 }, () => deep)]
  ])("is what JSON.stringify writes: %s", (_, value) => {
    const pieces = [...jsonPieces(value)]
    expect(JSON.parse(pieces.join(""))).toEqual(JSON.parse(JSON.stringify(value)))
    expect(pieces.join("") === JSON.stringify(value)).toBe(true)
    // A character is written as six at most.
    for (const piece of pieces) expect(piece.length).toBeLessThan(7 * 256 * 1024)
  })

  it("writes digits as they were read", () => {
    const exact = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON("12345678901234567890")
    expect([...jsonPieces({ a: [exact] })].join("")).toBe('{"a":[12345678901234567890]}')
  })

  it("has the names of all objects in their order where that is asked for", () => {
    expect([...jsonPieces({ b: 1, a: [{ d: 1, c: 2 }] }, true)].join("")).toBe('{"a":[{"c":2,"d":1}],"b":1}')
  })
})
