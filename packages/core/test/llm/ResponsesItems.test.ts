/** The items of a response's input: docs of the Responses API. */
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  afterConversation,
  inputItems,
  inputItemsPage,
  referencedIds,
  sentItems,
  withoutReferences
} from "../../src/llm/ResponsesItems.ts"
import type { Json } from "../../src/llm/Translation.ts"
import { countingIds } from "./ResponsesSamples.ts"

const itemsOf = (input: unknown) => inputItems(input, countingIds())

describe("the items of an input", () => {
  it("are a message of the user where the input is a text", () => {
    expect(itemsOf("Hello")).toEqual([
      { id: "msg_1", type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] }
    ])
  })

  it("have an id each, of their own or a fresh one", () => {
    const content = [{ type: "input_text", text: "Hi" }]
    expect(
      itemsOf([
        { role: "user", content },
        { id: null, type: "message", role: "assistant", content: "Hey" },
        { type: "function_call", id: "fc_own", call_id: "a", name: "look", arguments: "{}" },
        { type: "function_call_output", call_id: "a", output: "x" },
        { type: "reasoning", summary: [] },
        { type: "computer_call" }
      ])
    ).toEqual([
      { id: "msg_1", type: "message", role: "user", content },
      {
        id: "msg_2",
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Hey", annotations: [] }]
      },
      { id: "fc_own", type: "function_call", call_id: "a", name: "look", arguments: "{}" },
      { id: "fco_1", type: "function_call_output", call_id: "a", output: "x" },
      { id: "rs_1", type: "reasoning", summary: [] },
      { id: "item_1", type: "computer_call" }
    ])
  })

  it("have the kept items in place of references, and name the first that is not kept", () => {
    const items = itemsOf([{ type: "item_reference", id: "msg_9" }, { role: "user", content: "Hi" }, { id: "fc_9" }])
    expect(referencedIds(items)).toEqual(["msg_9", "fc_9"])
    const kept = new Map<string, Json>([["msg_9", { id: "msg_9", type: "message" }]])
    expect(withoutReferences(items, kept)).toEqual(Result.fail({ unknownId: "fc_9" }))
    kept.set("fc_9", { id: "fc_9", type: "function_call" })
    const resolved = Result.getOrThrow(withoutReferences(items, kept))
    expect(resolved.map(({ id, type }) => [id, type])).toEqual([
      ["msg_9", "message"],
      ["msg_1", "message"],
      ["fc_9", "function_call"]
    ])
  })

  it("stand after the input and the output of the conversation before", () => {
    const item = (id: string) => ({ id, type: "message" })
    const before = { input: [item("a"), item("b")], output: [item("c")] }
    expect(afterConversation(before, [item("d")]).map(({ id }) => id)).toEqual(["a", "b", "c", "d"])
  })

  it("are sent without reasoning that is not encrypted", () => {
    const items = [
      { id: "rs_1", type: "reasoning" },
      { id: "rs_2", type: "reasoning", encrypted_content: null },
      { id: "rs_3", type: "reasoning", encrypted_content: "x" },
      { id: "msg_1", type: "message" }
    ]
    expect(sentItems(items).map(({ id }) => id)).toEqual(["rs_3", "msg_1"])
  })
})

describe("a page of items", () => {
  const items = ["a", "b", "c"].map((id) => ({ id, type: "message" }))

  it("has the last items first, unless it is asked for in the order of the input", () => {
    const page = { object: "list", data: [items[2], items[1]], first_id: "c", last_id: "b", has_more: true }
    expect(inputItemsPage(items, { limit: 2, order: "desc", after: null })).toEqual(page)
    expect(inputItemsPage(items, { limit: 2, order: "asc", after: "b" })).toEqual({
      object: "list",
      data: [items[2]],
      first_id: "c",
      last_id: "c",
      has_more: false
    })
    expect(inputItemsPage([], { limit: 2, order: "asc", after: null })).toMatchObject({ first_id: null, last_id: null })
    expect(inputItemsPage(items, { limit: 2, order: "asc", after: "z" })).toBeNull()
  })

  it("leads through all items, each once, in either order", () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 12 })
    fc.assert(
      fc.property(
        ids,
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom("asc" as const, "desc" as const),
        (all, limit, order) => {
          const input = all.map((id) => ({ id }))
          const seen: Array<unknown> = []
          let after: string | null = null
          for (let more = true; more; ) {
            const page: Json = inputItemsPage(input, { limit, order, after })!
            seen.push(...(page.data as ReadonlyArray<Json>).map(({ id }) => id))
            after = page.last_id as string | null
            more = page.has_more === true
          }
          expect(seen).toEqual(order === "asc" ? all : all.toReversed())
        }
      )
    )
  })

  it("comes to an end where a caller sent one item twice", () => {
    const twice = [items[0]!, items[1]!, items[0]!]
    expect(inputItemsPage(twice, { limit: 1, order: "asc", after: "a" })).toMatchObject({ data: [], has_more: false })
  })
})
