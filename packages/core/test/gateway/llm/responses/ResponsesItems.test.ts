/** The items of a response's input: docs of the Responses API. */
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  bytesOf,
  type ItemsPage,
  identified,
  inputItemsPage,
  itemsOf,
  type KeptItem,
  outputItems,
  referencedIds,
  sentItems,
  withoutReferences
} from "../../../../src/gateway/llm/responses/ResponsesItems.ts"
import { countingIds } from "../translate/responses-to-chat/ResponsesSamples.ts"

const keptOf = (input: unknown) => {
  const freshId = countingIds()
  return itemsOf(input).map((item) => identified(item, freshId))
}

/** As an account sees them. */
const shown = (kept: ReadonlyArray<KeptItem>) => inputItemsPage(kept, { limit: 100, order: "asc", after: null })!.data

describe("the items of an input", () => {
  it("are a message of the user where the input is a text", () => {
    expect(shown(keptOf("Hello"))).toEqual([
      { id: "msg_1", type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] }
    ])
  })

  it("have an id each, of their own or a fresh one", () => {
    const content = [{ type: "input_text", text: "Hi" }]
    expect(
      shown(
        keptOf([
          { role: "user", content },
          { id: null, type: "message", role: "assistant", content: "Hey" },
          { type: "function_call", id: "fc_own", call_id: "a", name: "look", arguments: "{}" },
          { type: "function_call_output", call_id: "a", output: "x" },
          { type: "reasoning", summary: [] },
          { type: "computer_call", id: "" }
        ])
      )
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

  it("are sent again without an id that only we know", () => {
    const [fresh, own] = keptOf([
      { role: "user", content: "Hi" },
      { role: "user", content: "Hi", id: "msg_own" }
    ])
    expect(fresh!.item).toEqual({ type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] })
    expect(own!.item.id).toBe("msg_own")
  })

  it("have the kept items in place of references, and name the first that is not kept", () => {
    const items = itemsOf([
      { type: "item_reference", id: "msg_9" },
      { role: "user", content: "Hi" },
      { id: "fc_9" },
      { id: "msg_9" }
    ])
    expect(referencedIds(items)).toEqual(["msg_9", "fc_9"])
    const known = new Map<string, KeptItem>([["msg_9", { id: "msg_9", item: { type: "message" } }]])
    expect(withoutReferences(items, known, countingIds())).toEqual(Result.fail({ unknownId: "fc_9" }))
    known.set("fc_9", { id: "fc_9", item: { id: "fc_9", type: "function_call" } })
    const resolved = Result.getOrThrow(withoutReferences(items, known, countingIds()))
    expect(resolved.map(({ kept }) => kept.id)).toEqual(["msg_9", "msg_1", "fc_9", "msg_9"])
    expect(resolved.map(({ sent }) => sent)).toEqual([
      { type: "message" },
      { role: "user", content: "Hi" },
      { id: "fc_9", type: "function_call" },
      { type: "message" }
    ])
  })

  it("that refer to nothing by name are not kept", () => {
    const items = itemsOf([{ type: "item_reference" }])
    expect(withoutReferences(items, new Map(), countingIds())).toEqual(Result.fail({ unknownId: "" }))
  })

  it("are counted in bytes each time that they are there", () => {
    const item = { type: "é" }
    expect(bytesOf([item, { ...item }, item])).toBe(3 * 13)
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

describe("the items of an output", () => {
  it("can be referred to where they have ids", () => {
    const item = { id: "msg_1", type: "message" }
    expect(outputItems([item, { type: "message" }, { id: 5 }, { id: "" }, "text"])).toEqual([{ id: "msg_1", item }])
    expect(outputItems(undefined)).toEqual([])
  })
})

describe("a page of items", () => {
  const kept = (id: string): KeptItem => ({ id, item: { type: "message" } })
  const items = ["a", "b", "c"].map(kept)
  const [, b, c] = ["a", "b", "c"].map((id) => ({ id, type: "message" }))

  it("has the last items first, unless it is asked for in the order of the input", () => {
    const page = { object: "list", data: [c, b], first_id: "c", last_id: "b", has_more: true }
    expect(inputItemsPage(items, { limit: 2, order: "desc", after: null })).toEqual(page)
    expect(inputItemsPage(items, { limit: 2, order: "asc", after: "b" })).toEqual({
      object: "list",
      data: [c],
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
          const input = all.map(kept)
          const seen: Array<unknown> = []
          let after: string | null = null
          for (let more = true; more; ) {
            const page: ItemsPage = inputItemsPage(input, { limit, order, after })!
            seen.push(...page.data.map(({ id }) => id))
            after = page.last_id
            more = page.has_more
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
