/** What a client says on an agent's socket. Verifies: ASOC-1. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ClientMessage, readClientMessage } from "../../../src/voice/socket/index.ts"

const read = (message: object) => readClientMessage(JSON.stringify(message))

const messages: ReadonlyArray<readonly [object, ClientMessage]> = [
  [
    { type: "Settings", agent: {} },
    { _tag: "Settings", settings: { type: "Settings", agent: {} } }
  ],
  [
    { type: "UpdatePrompt", prompt: "x" },
    { _tag: "UpdatePrompt", prompt: "x" }
  ],
  [
    { type: "UpdateThink", think: { a: 1 } },
    { _tag: "UpdateThink", think: { a: 1 } }
  ],
  [
    { type: "UpdateListen", listen: {} },
    { _tag: "UpdateListen", listen: {} }
  ],
  [
    { type: "UpdateSpeak", speak: [] },
    { _tag: "UpdateSpeak", speak: [] }
  ],
  [
    { type: "InjectUserMessage", content: "Hi" },
    { _tag: "InjectUserMessage", content: "Hi" }
  ],
  [
    { type: "InjectAgentMessage", message: "Hi" },
    { _tag: "InjectAgentMessage", message: "Hi", behavior: "default" }
  ],
  [
    { type: "InjectAgentMessage", message: "Hi", behavior: "queue" },
    { _tag: "InjectAgentMessage", message: "Hi", behavior: "queue" }
  ],
  [
    { type: "InjectAgentMessage", message: "Hi", behavior: "interrupt" },
    { _tag: "InjectAgentMessage", message: "Hi", behavior: "interrupt" }
  ],
  [
    { type: "FunctionCallResponse", id: "1", name: "f", content: "sunny" },
    { _tag: "FunctionCallResponse", id: "1", content: "sunny" }
  ],
  [
    { type: "FunctionCallResponse", id: "1", content: { sky: "blue" } },
    { _tag: "FunctionCallResponse", id: "1", content: '{"sky":"blue"}' }
  ],
  [
    { type: "FunctionCallResponse", id: "1" },
    { _tag: "FunctionCallResponse", id: "1", content: "" }
  ],
  [{ type: "ForceEndTurn" }, { _tag: "ForceEndTurn" }],
  [{ type: "KeepAlive" }, { _tag: "KeepAlive" }]
]

describe("a client's message", () => {
  // Verifies: V-56.
  it.each(messages)("is read: %j", (message, expected) => {
    expect(read(message)).toEqual(expected)
  })

  it.each([
    [{ type: "InjectUserMessage" }, "needs content"],
    [{ type: "InjectUserMessage", content: " " }, "needs content"],
    [{ type: "InjectAgentMessage", content: "Hi" }, "needs message"],
    [{ type: "InjectAgentMessage", message: "Hi", behavior: "now" }, "default, queue, interrupt"],
    [{ type: "InjectAgentMessage", message: "a".repeat(65_537) }, "at most 65,536 characters"],
    [{ type: "FunctionCallResponse", content: "x" }, "needs id"]
  ])("says what it lacks: %j", (message, lack) => {
    expect(read(message)).toMatchObject({
      _tag: "Unparsable",
      description: expect.stringContaining(lack),
      isObject: true
    })
  })

  // Verifies: V-46.
  it.each([
    "",
    "{",
    "null",
    "7",
    '"Settings"',
    "[]",
    "undefined",
    `{"type":"KeepAlive","a":${"[".repeat(300)}${"]".repeat(300)}}`
  ])("is no JSON object: %j", (text) => {
    expect(readClientMessage(text)).toEqual({
      _tag: "Unparsable",
      description: "A text message must be a JSON object, and nested at most 200 levels deep",
      isObject: false
    })
  })

  it.each([[{ type: "Hello" }], [{ type: 7 }], [{}], [{ type: "toString" }], [{ type: "__proto__" }]])(
    "may be unknown: %j",
    (message) => {
      expect(read(message)).toMatchObject({ _tag: "Unknown" })
    }
  )

  // Verifies: V-46.
  it("of an unknown type is not repeated at length", () => {
    const { description } = read({ type: "x".repeat(100_000) }) as { readonly description: string }
    expect(description.length).toBeLessThan(120)
  })

  it("cut at any byte never throws, and is what it was only as a whole", () => {
    const text = fc.constantFrom(...messages.map(([message]) => JSON.stringify(message)))
    fc.assert(
      fc.property(text, fc.nat(), (whole, at) => {
        const part = new TextDecoder().decode(new TextEncoder().encode(whole).subarray(0, at % (whole.length + 1)))
        const { _tag } = readClientMessage(part)
        return part === whole ? _tag !== "Unparsable" : _tag === "Unparsable"
      })
    )
  })

  it("of any text never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.anything().map((any) => JSON.stringify(any) ?? "")
        ),
        (text) => {
          expect(readClientMessage(text)).toHaveProperty("_tag")
        }
      )
    )
  })
})
