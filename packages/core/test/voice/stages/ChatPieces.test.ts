/** A streamed chat as agents read it, whatever servers make of its form. Verifies: PIPE-3. */
import { describe, expect, it } from "vitest"
import { ChatPieces } from "../../../src/voice/stages/ChatPieces.ts"

const read = (...deltas: ReadonlyArray<object>) => {
  const pieces = new ChatPieces()
  const separated = deltas.flatMap((delta) =>
    pieces.push({ event: null, data: { choices: [{ index: 0, delta }] } } as never)
  )
  const of = (kind: string) =>
    [...separated, ...pieces.end()].flatMap((one) => (one.kind === kind ? [one.text] : [])).join("")
  return { text: of("text"), thoughts: of("thought"), calls: pieces.toolCalls }
}

const call = (index: unknown, id: unknown, name: unknown, written: unknown) => ({
  tool_calls: [{ index, id, function: { name, arguments: written } }]
})

// Verifies: V-227.
describe("calls in a streamed chat", () => {
  it.each([
    [
      ["a", "b"],
      ["a", "b"]
    ],
    [
      [undefined, ""],
      ["call_0", "call_1"]
    ],
    [
      ["a", "a", "a"],
      ["a", "a_2", "a_3"]
    ],
    [
      ["call_1", ""],
      ["call_1", "call_1_2"]
    ]
  ])("with the ids %j have ids that differ", (given, expected) => {
    const calls = given.map((id, index) => ({ index, id, function: { name: "book", arguments: "{}" } }))
    expect(read({ tool_calls: calls }).calls.map(({ id }) => id)).toEqual(expected)
  })

  it("that have one index and ids of their own are two, also where one goes on in a later piece", () => {
    const two = [
      { id: "a", name: "look", arguments: '{"x":1}' },
      { id: "b", name: "book", arguments: '{"y":2}' }
    ]
    expect(read(call(0, "a", "look", '{"x":1}'), call(0, "b", "book", '{"y":2}')).calls).toEqual(two)
    expect(
      read(
        call(0, "a", "look", '{"x"'),
        call(0, null, null, ":1}"),
        call(0, "b", "book", '{"y"'),
        call(0, undefined, "", ":2}")
      ).calls
    ).toEqual(two)
    expect(
      read({
        tool_calls: [...call(0, "a", "look", '{"x":1}').tool_calls, ...call(0, "b", "book", '{"y":2}').tool_calls]
      }).calls
    ).toEqual(two)
  })

  it("that have neither an index nor an id are as many as have a name", () => {
    const pieces = [
      call(null, null, "look", '{"x"'),
      call(undefined, null, null, ":1}"),
      call(undefined, undefined, "book", "{}")
    ]
    expect(read(...pieces).calls).toEqual([
      { id: "call_0", name: "look", arguments: '{"x":1}' },
      { id: "call_1", name: "book", arguments: "{}" }
    ])
  })

  it("that have an id of its own for each piece are one", () => {
    const pieces = [call(0, "a", "look", '{"x"'), call(0, "a2", null, ":"), call(0, "a3", null, "1}")]
    expect(read(...pieces).calls).toEqual([{ id: "a", name: "look", arguments: '{"x":1}' }])
  })

  it.each([
    ["an object", { city: "Oslo" }, '{"city":"Oslo"}'],
    ["a text", '{"city":"Oslo"}', '{"city":"Oslo"}'],
    ["nothing", undefined, "{}"],
    ["null", null, "{}"],
    ["an empty text", "", "{}"]
  ])("may have %s as arguments", (_, written, expected) => {
    expect(read(call(0, "a", "look", written)).calls).toEqual([{ id: "a", name: "look", arguments: expected }])
  })
})

// Verifies: V-227.
describe("the text of a streamed chat", () => {
  it("may come as parts, and as a refusal", () => {
    expect(read({ content: [{ type: "text", text: "Hi." }, { type: "image" }] }, { content: " So." }).text).toBe(
      "Hi. So."
    )
    expect(read({ content: null, refusal: "No." }).text).toBe("No.")
  })

  it("has thoughts apart, under either name", () => {
    expect(read({ reasoning: "Hm." }, { reasoning_content: " Yes." }, { content: "Hi." })).toMatchObject({
      text: "Hi.",
      thoughts: "Hm. Yes."
    })
  })
})
