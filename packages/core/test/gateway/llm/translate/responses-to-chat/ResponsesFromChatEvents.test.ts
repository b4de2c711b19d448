/** Streams of the chat API as the Responses API shows them. */
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { accumulateResponse } from "openai/lib/responses/ResponseAccumulator"
import type { Response, ResponseStreamEvent } from "openai/resources/responses/responses"
import { describe, expect, it } from "vitest"
import { responsesToChat } from "../../../../../src/gateway/llm/translate/responses-to-chat/ResponsesToChat.ts"
import type { Json, LlmEvent } from "../../../../../src/gateway/llm/translate/Translation.ts"
import { answerContext, answered, chatAnswer, chunk, lastResponse, streamed, typesOf } from "./ResponsesSamples.ts"

const ofType = (events: ReadonlyArray<LlmEvent>, type: string): ReadonlyArray<Json> =>
  events.filter(({ event }) => event === type).map(({ data }) => data)

const call = (index: number, fields: Json): Json => ({ tool_calls: [{ index, ...fields }] })

const named = (index: number, id: string, name: string, written = ""): Json =>
  call(index, { id, type: "function", function: { name, arguments: written } })

const more = (index: number, written: string): Json => call(index, { function: { arguments: written } })

const usageChunk = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } }

describe("a translated stream", () => {
  it("shows a message part by part, and the whole response last", () => {
    const chunks = [
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "He" }),
      chunk({ content: "y" }, "stop"),
      usageChunk
    ]
    const events = streamed(chunks)
    expect(typesOf(events)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed"
    ])
    const place = { item_id: "msg_1", output_index: 0, content_index: 0 }
    const part = { type: "output_text", text: "Hey", annotations: [], logprobs: [] }
    const item = { id: "msg_1", type: "message", role: "assistant", status: "in_progress", content: [] }
    const done = { ...item, status: "completed", content: [part] }
    expect(events.slice(2, 9).map(({ data }) => data)).toEqual([
      { type: "response.output_item.added", sequence_number: 2, output_index: 0, item },
      { type: "response.content_part.added", sequence_number: 3, ...place, part: { ...part, text: "" } },
      { type: "response.output_text.delta", sequence_number: 4, ...place, delta: "He", logprobs: [] },
      { type: "response.output_text.delta", sequence_number: 5, ...place, delta: "y", logprobs: [] },
      { type: "response.output_text.done", sequence_number: 6, ...place, text: "Hey", logprobs: [] },
      { type: "response.content_part.done", sequence_number: 7, ...place, part },
      { type: "response.output_item.done", sequence_number: 8, output_index: 0, item: done }
    ])
    expect(events[0]!.data.response).toMatchObject({ id: "resp_1", status: "in_progress", output: [], usage: null })
    expect(lastResponse(events)).toMatchObject({ status: "completed", output: [done], usage: { total_tokens: 5 } })
  })

  it("begins with the first chunk, and shows each delta with its own chunk", () => {
    const translator = responsesToChat.events(answerContext())
    const push = (data: Json) => typesOf(Result.getOrThrow(translator.push({ event: null, data })))
    expect(push(chunk({ role: "assistant", content: "" }))).toEqual(["response.created", "response.in_progress"])
    expect(push(chunk({ content: "a" }))).toContain("response.output_text.delta")
    expect(push(chunk({ content: "b" }))).toEqual(["response.output_text.delta"])
    expect(push({ choices: [], usage: null })).toEqual([])
  })

  it("shows reasoning, a refusal and a call with events of their own", () => {
    const events = streamed([
      chunk({ reasoning_content: "Hm" }),
      chunk({ refusal: "No" }),
      chunk(named(0, "call_a", "look")),
      chunk(more(0, '{"x":1}')),
      chunk({}, "tool_calls")
    ])
    expect(typesOf(events).slice(2)).toEqual([
      "response.output_item.added",
      "response.reasoning_text.delta",
      "response.reasoning_text.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.refusal.delta",
      "response.refusal.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.completed"
    ])
    expect(ofType(events, "response.reasoning_text.done")).toMatchObject([
      { item_id: "rs_1", output_index: 0, content_index: 0, text: "Hm" }
    ])
    expect(ofType(events, "response.refusal.done")).toMatchObject([
      { item_id: "msg_1", output_index: 1, refusal: "No" }
    ])
    expect(ofType(events, "response.function_call_arguments.done")).toMatchObject([
      { item_id: "fc_1", output_index: 2, arguments: '{"x":1}' }
    ])
  })

  it("shows calls whose pieces come mixed one at a time, as soon as the earlier one is whole", () => {
    const translator = responsesToChat.events(answerContext())
    const push = (delta: Json) =>
      Result.getOrThrow(translator.push({ event: null, data: chunk(delta) })).map(({ data, event }) =>
        event === "response.function_call_arguments.delta" ? data.delta : event
      )
    push(named(0, "call_a", "look", '{"x":'))
    expect(push(named(1, "call_b", "wait", '{"y":'))).toEqual([])
    expect(push(more(0, "1"))).toEqual(["1"])
    expect(push(more(1, "2"))).toEqual([])
    expect(push(more(0, "}"))).toEqual([
      "}",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.output_item.added",
      '{"y":',
      "2"
    ])
    expect(push(more(0, " "))).toEqual([])
    expect(push(more(1, "}"))).toEqual(["}"])
    expect(Result.isFailure(translator.push({ event: null, data: chunk(more(0, "more")) }))).toBe(true)
  })

  it("shows the input of a custom tool's call in one piece, once its arguments are whole", () => {
    const tools = [{ type: "custom", name: "patch" }]
    const chunks = [
      chunk(named(0, "call_a", "patch", '{"input":"*** ')),
      chunk(more(0, 'Begin"}')),
      chunk({}, "tool_calls")
    ]
    const events = streamed(chunks, { tools })
    const item = { id: "ctc_1", type: "custom_tool_call", call_id: "call_a", name: "patch" }
    const place = { item_id: "ctc_1", output_index: 0 }
    expect(events.slice(2, -1).map(({ data: { sequence_number: _, ...data } }) => data)).toEqual([
      { type: "response.output_item.added", output_index: 0, item: { ...item, input: "", status: "in_progress" } },
      { type: "response.custom_tool_call_input.delta", ...place, delta: "*** Begin" },
      { type: "response.custom_tool_call_input.done", ...place, input: "*** Begin" },
      { type: "response.output_item.done", output_index: 0, item: { ...item, input: "*** Begin", status: "completed" } }
    ])
    expect(lastResponse(events).output).toMatchObject([{ ...item, input: "*** Begin" }])
  })

  it("keeps a text that comes amid a call until the call is whole", () => {
    const events = streamed([
      chunk({ content: "First. ", ...named(0, "call_a", "look", '{"x":') }),
      chunk({ content: "Then." }),
      chunk(more(0, "1}")),
      chunk({ content: " End." }, "tool_calls")
    ])
    expect(lastResponse(events).output).toMatchObject([
      { content: [{ text: "First. " }] },
      { arguments: '{"x":1}' },
      { content: [{ text: "Then. End." }] }
    ])
  })

  it("distinguishes calls by their ids where a server gives all of them one index or none", () => {
    const whole = (id: string, name: string, index?: number) => ({
      tool_calls: [{ index, id, type: "function", function: { name, arguments: "{}" } }]
    })
    for (const index of [0, undefined]) {
      const events = streamed([
        chunk(whole("a", "look", index)),
        chunk(whole("b", "wait", index)),
        chunk({}, "tool_calls")
      ])
      expect(lastResponse(events).output).toMatchObject([
        { call_id: "a", name: "look" },
        { call_id: "b", name: "wait" }
      ])
    }
  })

  it("ends incomplete with its last item where the answer was cut", () => {
    const events = streamed([chunk({ reasoning: "Hm" }), chunk({ content: "Hel" }, "length")])
    expect(events.at(-1)!.event).toBe("response.incomplete")
    expect(lastResponse(events)).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ status: "completed" }, { status: "incomplete" }]
    })
  })

  it("has the probabilities of each delta where they were asked for", () => {
    const token = { token: "Hi", logprob: -0.1 }
    const choices = [{ delta: { content: "Hi" }, finish_reason: "stop", logprobs: { content: [token] } }]
    const events = streamed([{ choices }, { choices }], { include: ["message.output_text.logprobs"] })
    expect(ofType(events, "response.output_text.delta")).toMatchObject([{ logprobs: [token] }, { logprobs: [token] }])
    expect(ofType(events, "response.output_text.done")).toMatchObject([{ logprobs: [token, token] }])
  })

  it("is not readable where it ends without a finish_reason, reports an error or is no chat", () => {
    const cut = responsesToChat.events(answerContext())
    Result.getOrThrow(cut.push({ event: null, data: chunk({ content: "Hi" }, "") }))
    expect(Result.isFailure(cut.end())).toBe(true)
    for (const data of [{ error: { message: "overloaded" } }, {}, { type: "ping" }]) {
      expect(Result.isFailure(responsesToChat.events(answerContext()).push({ event: null, data }))).toBe(true)
    }
    const nameless = responsesToChat.events(answerContext())
    Result.getOrThrow(nameless.push({ event: null, data: chunk(more(0, "{}"), "tool_calls") }))
    expect(Result.isFailure(nameless.end())).toBe(true)
  })

  it("breaks off with a failed response and an error, whose numbers go on", () => {
    const translator = responsesToChat.events(answerContext())
    Result.getOrThrow(translator.push({ event: null, data: chunk({ reasoning: "Hm" }) }))
    const events = Result.getOrThrow(translator.push({ event: null, data: chunk({ content: "Hi" }) }))
    const last = Number(events.at(-1)!.data.sequence_number)
    const [failed, error] = translator.failed({ code: "upstream_error", message: "It broke." })
    expect(failed).toMatchObject({
      event: "response.failed",
      data: {
        sequence_number: last + 1,
        response: {
          id: "resp_1",
          status: "failed",
          error: { code: "upstream_error", message: "It broke." },
          output: [{ type: "reasoning" }]
        }
      }
    })
    expect(error).toEqual({
      event: "error",
      data: { type: "error", sequence_number: last + 2, code: "upstream_error", message: "It broke.", param: null }
    })
  })
})

/** A text in pieces. */
const cut = (text: string, lengths: ReadonlyArray<number>): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let rest = text
  for (const length of lengths) {
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return [...pieces, rest]
}

const lengths = fc.array(fc.nat(6), { maxLength: 6 })
const object = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
const calls = fc.array(fc.record({ name: fc.constantFrom("look", "wait"), written: object, lengths }), { maxLength: 4 })
const finish = fc.constantFrom("stop", "length", "content_filter", "tool_calls")
const said = fc.record({ reasoning: fc.string(), content: fc.string(), refusal: fc.string(), lengths })

const sample = fc.record({ said, calls, finish, order: fc.array(fc.nat(3), { maxLength: 30 }) })

type Sample = typeof sample extends fc.Arbitrary<infer A> ? A : never

/** The pieces of the calls in any order that keeps those of one call in order. */
const mixed = ({ calls, order }: Sample): ReadonlyArray<Json> => {
  const queues = calls.map(({ lengths, name, written }, index) => [
    named(index, `call_${index}`, name),
    ...cut(JSON.stringify(written), lengths).map((piece) => more(index, piece))
  ])
  // Servers announce the calls in the order of their index.
  const announced = queues.map((queue) => queue.shift()!)
  const picked = order.flatMap((at): ReadonlyArray<Json> => queues[at]?.splice(0, 1) ?? [])
  return [...announced, ...picked, ...queues.flat()]
}

const chunksOf = (one: Sample): ReadonlyArray<Json> => {
  const { content, lengths, reasoning, refusal } = one.said
  const deltas: ReadonlyArray<Json> = [
    { role: "assistant", content: "" },
    ...cut(reasoning, lengths).map((reasoning_content) => ({ reasoning_content })),
    ...cut(content, lengths).map((content) => ({ content })),
    ...cut(refusal, lengths).map((refusal) => ({ refusal })),
    ...mixed(one)
  ]
  return [...deltas.map((delta) => chunk(delta)), chunk({}, one.finish), usageChunk]
}

const wholeOf = ({ calls, finish, said: { content, reasoning, refusal } }: Sample): Json =>
  chatAnswer(
    {
      content,
      refusal,
      reasoning_content: reasoning,
      tool_calls: calls.map(({ name, written }, index) => ({
        id: `call_${index}`,
        type: "function",
        function: { name, arguments: JSON.stringify(written) }
      }))
    },
    finish,
    usageChunk.usage
  )

describe("any translated stream", () => {
  const holds = (check: (events: ReadonlyArray<LlmEvent>, one: Sample) => void) =>
    fc.assert(fc.property(sample, (one) => check(streamed(chunksOf(one)), one)))

  it("ends with the response that the whole answer would have been, however it is cut and mixed", () => {
    holds((events, one) => {
      expect(lastResponse(events)).toEqual(answered(wholeOf(one)))
    })
  })

  it("is numbered from 0 without gaps, each event named after its type", () => {
    holds((events) => {
      expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_, at) => at))
      expect(events.map(({ data }) => data.type)).toEqual(typesOf(events))
    })
  })

  it("finishes every item that it added before it adds another", () => {
    holds((events) => {
      const ends = events.filter(({ event }) => event?.startsWith("response.output_item."))
      const expected = (lastResponse(events).output as ReadonlyArray<Json>).flatMap(({ id }, at) => [
        ["response.output_item.added", at, id],
        ["response.output_item.done", at, id]
      ])
      expect(ends.map(({ data, event }) => [event, data.output_index, (data.item as Json).id])).toEqual(expected)
    })
  })

  it("has deltas that make up the text of their done event", () => {
    holds((events) => {
      const text = new Map<string, string>()
      for (const { data, event } of events) {
        const [name, end] = [event?.replace(/\.(delta|done)$/, ""), event?.endsWith(".done")]
        const place = `${name} ${data.item_id} ${data.content_index}`
        if (event?.endsWith(".delta")) text.set(place, `${text.get(place) ?? ""}${data.delta}`)
        const whole = data.text ?? data.refusal ?? data.arguments
        if (end && whole !== undefined) expect(text.get(place)).toBe(whole)
      }
    })
  })

  it("is put together by OpenAI's own client", () => {
    holds((events) => {
      let response: Response | undefined
      // The client's types are those of the events that its server sends.
      for (const { data } of events.slice(0, -1)) {
        response = accumulateResponse(data as unknown as ResponseStreamEvent, response)
      }
      expect(response?.output).toEqual(lastResponse(events).output)
    })
  })
})
