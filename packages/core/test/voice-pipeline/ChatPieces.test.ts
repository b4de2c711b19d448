/** The calls in a streamed chat, whatever ids a model gives them. Verifies: PIPE-3. */
import { expect, it } from "vitest"
import { ChatPieces } from "../../src/voice-pipeline/ChatPieces.ts"

const callsOf = (...ids: ReadonlyArray<string | undefined>) => {
  const pieces = new ChatPieces()
  const calls = ids.map((id, index) => ({ index, id, function: { name: "book", arguments: "{}" } }))
  pieces.push({ event: null, data: { choices: [{ delta: { tool_calls: calls } }] } } as never)
  return pieces.toolCalls.map(({ id }) => id)
}

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
])("calls with the ids %j have ids that differ", (given, expected) => {
  expect(callsOf(...given)).toEqual(expected)
})
