/** A stream, however it is split, is the answer that is not streamed. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { chatToMessages } from "../../../../src/gateway/llm/translate/chat-to-messages/ChatToMessages.ts"
import { messagesToChat } from "../../../../src/gateway/llm/translate/messages-to-chat/MessagesToChat.ts"
import type { Json, LlmEvent } from "../../../../src/gateway/llm/translate/Translation.ts"
import { answerContext, answerOf, chunk, dataOf, named, streamed } from "./Translated.ts"

const text = fc.string({ maxLength: 20 })
const object: fc.Arbitrary<Json> = fc
  .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)))
const inputs = fc.array(object, { maxLength: 4 })

/** A text in pieces, of which some may be empty. */
const split = (whole: string, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const at = [...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort((a, b) => a - b)
  return at.map((end, nth) => whole.slice(at[nth - 1] ?? 0, end))
}
const cuts = fc.array(fc.nat(), { maxLength: 4 })

/** Lists merged into one: each keeps its order. `turns` says whose turn it is. */
const merged = <A>(lists: ReadonlyArray<ReadonlyArray<A>>, turns: ReadonlyArray<number>): ReadonlyArray<A> => {
  const left = lists.map((list) => [...list]).filter((list) => list.length > 0)
  const out: Array<A> = []
  for (let nth = 0; left.length > 0; nth++) {
    const at = (turns[nth % turns.length] ?? 0) % left.length
    out.push(left[at]!.shift()!)
    if (left[at]!.length === 0) left.splice(at, 1)
  }
  return out
}
const turns = fc.array(fc.nat(7), { minLength: 1, maxLength: 20 })

/** Neighbours put together, `sizes` at a time. */
const grouped = <A>(list: ReadonlyArray<A>, sizes: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<A>> => {
  const out: Array<ReadonlyArray<A>> = []
  for (let at = 0, nth = 0; at < list.length; nth++) {
    const size = 1 + ((sizes[nth % sizes.length] ?? 0) % 3)
    out.push(list.slice(at, at + size))
    at += size
  }
  return out
}

describe("chunks of the chat API", () => {
  interface Block {
    readonly type: string
    readonly id?: string
    readonly name?: string
    readonly text: string
  }

  /** The blocks of a stream, read as a client does; one at a time, the index from 0 without gaps. */
  const blocksOf = (events: ReadonlyArray<Json>): ReadonlyArray<Block> => {
    const blocks: Array<{ type: string; id?: string; name?: string; text: string }> = []
    let open: number | null = null
    for (const event of events) {
      if (event.type === "content_block_start") {
        expect([open, event.index]).toEqual([null, blocks.length])
        const { id, name, type } = event.content_block as { id?: string; name?: string; type: string }
        open =
          blocks.push({
            type,
            text: "",
            ...(id === undefined ? {} : { id }),
            ...(name === undefined ? {} : { name })
          }) - 1
      }
      if (event.type === "content_block_delta") {
        expect(event.index).toBe(open)
        const { partial_json, text, thinking } = event.delta as Record<string, string>
        const piece = partial_json ?? text ?? thinking ?? ""
        expect(piece).not.toBe("")
        blocks.at(-1)!.text += piece
      }
      if (event.type === "content_block_stop") {
        expect(event.index).toBe(open)
        open = null
      }
    }
    expect(open).toBeNull()
    for (const { text, type } of blocks) if (type !== "tool_use") expect(text).not.toBe("")
    return blocks
  }

  /** What the blocks hold, whatever their number and order. */
  const held = (blocks: ReadonlyArray<Block>) => ({
    text: blocks.map(({ text, type }) => (type === "text" ? text : "")).join(""),
    thinking: blocks.map(({ text, type }) => (type === "thinking" ? text : "")).join(""),
    tools: blocks
      .filter(({ type }) => type === "tool_use")
      .map(({ id, name, text }) => ({ id, name, input: JSON.parse(text === "" ? "{}" : text) }))
      .sort((a, b) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1))
  })

  const wholeBlock = (block: Json): Block => {
    const { id, input, name, text, thinking, type } = block as Record<string, string>
    return {
      type: type ?? "",
      text: text ?? thinking ?? JSON.stringify(input),
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name })
    }
  }

  const answer = fc.record({
    content: text,
    reasoning: text,
    inputs,
    spaced: fc.boolean(),
    finish: fc.constantFrom("stop", "tool_calls", "length", "content_filter"),
    usage: fc.option(fc.record({ prompt_tokens: fc.nat(99), completion_tokens: fc.nat(99) })),
    cuts,
    sizes: fc.array(fc.nat(2), { minLength: 1 })
  })
  type Given = typeof answer extends fc.Arbitrary<infer A> ? A : never

  const writtenOf = ({ inputs, spaced }: Given) =>
    inputs.map((input, nth) =>
      // A tool without arguments may have an empty text.
      Object.keys(input).length === 0 && nth % 2 === 0 ? "" : JSON.stringify(input, null, spaced ? 1 : 0)
    )

  const wholeOf = (given: Given): Json => ({
    choices: [
      {
        index: 0,
        message: {
          content: given.content,
          reasoning_content: given.reasoning,
          tool_calls: writtenOf(given).map((written, nth) => ({
            id: `call_${nth}`,
            function: { name: `tool_${nth}`, arguments: written }
          }))
        },
        finish_reason: given.finish
      }
    ],
    usage: given.usage
  })

  /** The deltas of each part. Those of one part keep their order. */
  const partsOf = (given: Given): ReadonlyArray<ReadonlyArray<Json>> => [
    split(given.reasoning, given.cuts).map((reasoning_content) => ({ reasoning_content })),
    split(given.content, given.cuts).map((content) => ({ content })),
    ...writtenOf(given).map((written, index) =>
      split(written, given.cuts).map((piece, nth) => ({
        tool_calls: [
          nth === 0
            ? { index, id: `call_${index}`, type: "function", function: { name: `tool_${index}`, arguments: piece } }
            : { index, function: { arguments: piece } }
        ]
      }))
    )
  ]

  /** Neighbouring deltas as one, where they have no field in common but calls. */
  const together = (deltas: ReadonlyArray<Json>): Json => ({
    reasoning_content: deltas.map(({ reasoning_content }) => reasoning_content ?? "").join(""),
    content: deltas.map(({ content }) => content ?? "").join(""),
    tool_calls: deltas.flatMap(({ tool_calls }) => (tool_calls as ReadonlyArray<Json> | undefined) ?? [])
  })

  const eventsOf = (deltas: ReadonlyArray<Json>, { finish, usage }: Given): ReadonlyArray<LlmEvent> => [
    chunk({ choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] }),
    ...deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
    ...(usage === null ? [] : [chunk({ choices: [], usage })])
  ]

  const request = { thinking: { type: "enabled" } }
  const run = (events: ReadonlyArray<LlmEvent>) =>
    dataOf(streamed(messagesToChat.events(answerContext(request)), events))

  it("in any order and mixture hold what the whole answer holds, in blocks one at a time", () => {
    fc.assert(
      fc.property(answer, turns, (given, order) => {
        const deltas = grouped(merged(partsOf(given), order), given.sizes).map(together)
        const events = run(eventsOf(deltas, given))
        const whole = answerOf(messagesToChat, wholeOf(given), request) as Json
        expect(held(blocksOf(events))).toEqual(held((whole.content as ReadonlyArray<Json>).map(wholeBlock)))
        const [end, stop] = events.slice(-2)
        expect(end).toMatchObject({ type: "message_delta", delta: { stop_reason: whole.stop_reason } })
        if (given.usage !== null) expect(end).toMatchObject({ usage: whole.usage })
        expect(stop).toEqual({ type: "message_stop" })
      }),
      { numRuns: 500 }
    )
  })

  it("in the order of the answer are its very blocks", () => {
    fc.assert(
      fc.property(answer, (given) => {
        const events = run(eventsOf(partsOf(given).flat(), given))
        const whole = answerOf(messagesToChat, wholeOf(given), request) as Json
        const read = blocksOf(events).map(({ text, type, ...block }) => ({
          ...block,
          type,
          text: type === "tool_use" ? JSON.stringify(JSON.parse(text === "" ? "{}" : text)) : text
        }))
        expect(read).toEqual((whole.content as ReadonlyArray<Json>).map(wholeBlock))
      })
    )
  })
})

describe("events of the messages API", () => {
  const block = fc.oneof(
    text.map((text) => ({ type: "text", text })),
    text.map((thinking) => ({ type: "thinking", thinking, signature: "c2ln" })),
    fc.record({ type: fc.constant("tool_use"), name: fc.constantFrom("look_up", "stop"), input: object })
  )
  const answer = fc
    .record({
      content: fc.array(block, { maxLength: 6 }),
      stop_reason: fc.constantFrom("end_turn", "tool_use", "max_tokens", "refusal"),
      usage: fc.record({ input_tokens: fc.nat(99), cache_read_input_tokens: fc.nat(99), output_tokens: fc.nat(99) })
    })
    .map(({ content, ...fields }) => ({
      ...fields,
      content: content.map((one, nth): Json => (one.type === "tool_use" ? { ...one, id: `toolu_${nth}` } : one))
    }))

  const eventsOf = (block: Json, index: number, cuts: ReadonlyArray<number>): ReadonlyArray<LlmEvent> => {
    const start = (content_block: Json) => named({ type: "content_block_start", index, content_block })
    const delta = (delta: Json) => named({ type: "content_block_delta", index, delta })
    const stop = named({ type: "content_block_stop", index })
    switch (block.type) {
      case "text":
        return [
          start({ type: "text", text: "" }),
          ...split(block.text as string, cuts).map((text) => delta({ type: "text_delta", text })),
          stop
        ]
      case "thinking":
        return [
          start({ type: "thinking", thinking: "", signature: "" }),
          ...split(block.thinking as string, cuts).map((thinking) => delta({ type: "thinking_delta", thinking })),
          delta({ type: "signature_delta", signature: block.signature }),
          stop
        ]
      default: {
        const written = Object.keys(block.input as Json).length === 0 ? "" : JSON.stringify(block.input)
        return [
          start({ ...block, input: {} }),
          ...split(written, cuts).map((partial_json) => delta({ type: "input_json_delta", partial_json })),
          stop
        ]
      }
    }
  }

  interface Call {
    readonly id: string
    readonly function: { readonly name: string; arguments: string }
  }

  /** The message that a client puts together from the chunks. */
  const messageOf = (chunks: ReadonlyArray<Json>) => {
    const calls: Array<Call> = []
    let [content, reasoning] = ["", ""]
    for (const { delta } of chunks.flatMap(({ choices }) => choices as ReadonlyArray<{ readonly delta: Json }>)) {
      content += (delta.content as string | undefined) ?? ""
      reasoning += (delta.reasoning_content as string | undefined) ?? ""
      for (const call of (delta.tool_calls as ReadonlyArray<Call & { readonly index: number }> | undefined) ?? []) {
        const { index, ...first } = structuredClone(call)
        if (calls[index] === undefined) calls[index] = first
        else calls[index].function.arguments += call.function.arguments
      }
    }
    return {
      role: "assistant",
      content: content === "" && calls.length > 0 ? null : content,
      refusal: null,
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls })
    }
  }

  it("however they are split are chunks that make the whole answer, with its usage", () => {
    const request = { stream_options: { include_usage: true } }
    fc.assert(
      fc.property(answer, cuts, ({ content, stop_reason, usage }, cuts) => {
        const { output_tokens, ...input } = usage
        const chunks = dataOf(
          streamed(chatToMessages.events(answerContext(request)), [
            named({ type: "message_start", message: { usage: { ...input, output_tokens: 1 } } }),
            named({ type: "ping" }),
            ...content.flatMap((block, index) => eventsOf(block, index, cuts)),
            named({ type: "message_delta", delta: { stop_reason }, usage: { output_tokens } }),
            named({ type: "message_stop" })
          ])
        )
        const whole = answerOf(chatToMessages, { content, stop_reason, usage }) as Json
        const [choice] = whole.choices as ReadonlyArray<Json>
        const finish = chunks.at(-2)?.choices as ReadonlyArray<Json>
        expect(messageOf(chunks)).toEqual(choice?.message)
        expect(finish[0]).toMatchObject({ delta: {}, finish_reason: choice?.finish_reason })
        expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage })
        expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(["id-1"]))
      })
    )
  })
})
