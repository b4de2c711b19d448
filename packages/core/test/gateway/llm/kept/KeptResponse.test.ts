/** What a request refers to, and what continues a kept response: docs/reference/language-models.md#kept-responses. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { conversationOf, isResponseId } from "../../../../src/gateway/llm/kept/KeptResponse.ts"
import { nothingReferred, referencesOf, resolvedBody } from "../../../../src/gateway/llm/kept/ResponseReferences.ts"
import { countingIds } from "../translate/responses-to-chat/ResponsesSamples.ts"

const message = (text: string) => ({ role: "user", content: text })
const resolved = (body: object, referred = nothingReferred) =>
  resolvedBody({ model: "m", ...body }, referred, countingIds())
const known = new Map([["msg_kept", { id: "msg_kept", item: { ...message("kept"), type: "message" } }]])

describe("the id of a response", () => {
  it("has the form of our own", () => {
    expect(isResponseId(`resp_${"0123456789abcdef".repeat(2)}`)).toBe(true)
    for (const id of ["", "resp_", "resp_1", `resp_${"A".repeat(32)}`, `resp_${"0".repeat(33)}`, "msg_1"]) {
      expect(isResponseId(id), id).toBe(false)
    }
  })
})

describe("a request", () => {
  it("refers to a response, to items, or to nothing", () => {
    expect(referencesOf({ input: "hi" })).toBeNull()
    expect(referencesOf({ input: [message("hi")] })).toBeNull()
    expect(referencesOf({ input: "hi", previous_response_id: "resp_1" })).toEqual({ previousId: "resp_1", itemIds: [] })
    expect(referencesOf({ input: [{ type: "item_reference", id: "msg_1" }] })).toEqual({
      previousId: null,
      itemIds: ["msg_1"]
    })
  })

  it("that refers to nothing is sent as it came", () => {
    const input = [message("hi"), { type: "custom", x: null }]
    for (const body of [{ input: "hi" }, { input, store: true }]) {
      expect(Result.getOrThrow(resolved(body)).body).toEqual({ model: "m", ...body })
    }
  })

  it("has at most 2,048 items with the conversation before it", () => {
    const before = Array.from({ length: 2047 }, () => message("before"))
    const input = [message("one"), message("two")]
    expect(Result.isSuccess(resolved({ input: input.slice(1) }, { ...nothingReferred, before }))).toBe(true)
    expect(resolved({ input }, { ...nothingReferred, before })).toMatchObject({ failure: "too_many" })
  })

  it("stands after the conversation before it, with kept items in place of its references", () => {
    const before = [message("before")]
    const { body, kept } = Result.getOrThrow(
      resolved({ input: [{ id: "msg_kept" }, message("hi")] }, { before, known })
    )
    expect(body.input).toEqual([message("before"), { ...message("kept"), type: "message" }, message("hi")])
    expect(kept.before).toBe(before)
    expect(kept.input.map(({ id }) => id)).toEqual(["msg_kept", "msg_1"])
    expect(Result.getOrThrow(resolved({ input: "hi" }, { before, known: new Map() })).body.input).toEqual([
      message("before"),
      message("hi")
    ])
  })

  it("is sent without reasoning that no upstream takes back, which is kept all the same", () => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [] }
    const { body, kept } = Result.getOrThrow(resolved({ input: [reasoning, message("hi")] }))
    expect(body.input).toEqual([message("hi")])
    expect(kept.input.map(({ id }) => id)).toEqual(["rs_1", "msg_1"])
  })

  it("that grows too large by what it refers to is refused", () => {
    const large = new Map([["msg_1", { id: "msg_1", item: message("x".repeat(1_000_000)) }]])
    const input = (times: number) => Array.from({ length: times }, () => ({ id: "msg_1" }))
    expect(Result.isSuccess(resolved({ input: input(33) }, { before: [], known: large }))).toBe(true)
    expect(resolved({ input: input(34) }, { before: [], known: large })).toEqual(Result.fail("too_large"))
  })
})

describe("a conversation", () => {
  it("is what stood before, the input and the output, without reasoning that has neither of its texts", () => {
    const sealed = { type: "reasoning", encrypted_content: "x" }
    const plain = { type: "reasoning", id: "rs_2", content: [{ type: "reasoning_text", text: "Hm." }] }
    expect(
      conversationOf({
        before: [message("a")],
        input: [{ id: "msg_1", item: message("b") }],
        response: { output: [{ type: "reasoning", id: "rs_1" }, sealed, plain, message("c"), null] }
      })
    ).toEqual([message("a"), message("b"), sealed, plain, message("c")])
  })

  it("of a response without output ends with its input", () => {
    expect(conversationOf({ before: [], input: [{ id: "msg_1", item: message("b") }], response: {} })).toEqual([
      message("b")
    ])
  })
})
