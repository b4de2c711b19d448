/** What the platform asks about a flow, and which answers are passed on: docs/reference/flows.md#data. */
import { describe, expect, it } from "vitest"
import { exchangeOf, maxAnswerBytes, passedAnswer } from "../../../src/messaging/flows/FlowExchange.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

describe("what the platform asks", () => {
  it.each([
    [{ action: "ping", version: "3.0" }, "Ping"],
    [{ action: "ping", data: { error: "X" } }, "Ping"],
    [{ action: "data_exchange", data: { error: "INVALID_SCREEN" } }, "Notice"],
    [{ action: "INIT", data: { error: "X", error_message: "…" } }, "Notice"],
    [{ action: "data_exchange", data: { error: null } }, "Question"],
    [{ action: "data_exchange", data: "error" }, "Question"],
    [{ action: "BACK" }, "Question"],
    [{}, "Question"]
  ] as const)("%j is a %s", (asked, tag) => {
    expect(exchangeOf(asked)._tag).toBe(tag)
  })

  it("has null for what a question leaves out, and a token that is a text alone", () => {
    const nothing = { flowToken: null, version: null, action: null, screen: null, data: null }
    expect(exchangeOf({ flow_token: 7 })).toEqual({ _tag: "Question", question: nothing })
    const asked = { version: "3.0", action: "data_exchange", screen: "WELCOME", data: { a: [1] } }
    expect(exchangeOf({ ...asked, flow_token: "t", more: 1 })).toEqual({
      _tag: "Question",
      question: { ...asked, flowToken: "t" }
    })
  })
})

describe("an answer of the account's endpoint", () => {
  it.each([
    [200, '{"screen":"A"}', { screen: "A" }],
    [200, "{}", {}],
    [427, '{"error_msg":"Booked."}', { error_msg: "Booked." }]
  ] as const)("%s with %s is passed on", (status, text, answer) => {
    expect(passedAnswer(status, bytes(text))).toEqual({ status, answer })
  })

  it.each([
    [200, "[]"],
    [200, "null"],
    [200, '"text"'],
    [200, ""],
    [200, "<html>"],
    [200, `{"a":"${"a".repeat(maxAnswerBytes)}"}`],
    [200, `${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`],
    [201, "{}"],
    [204, ""],
    [302, "{}"],
    [427, "{}"],
    [427, '{"error_msg":7}'],
    [404, '{"error_msg":"a"}'],
    [500, "{}"]
  ] as const)("%s with %.20s is not, and the log says nothing of it", (status, text) => {
    const said = passedAnswer(status, bytes(text))
    expect(said).toMatch(/^it answered /)
    if (text.length > 4) expect(said).not.toContain(text.slice(0, 40))
  })

  it("keeps all digits of its numbers", () => {
    const said = passedAnswer(200, bytes('{"id":9007199254740993}'))
    expect(JSON.stringify(said)).toBe('{"status":200,"answer":{"id":9007199254740993}}')
  })
})
