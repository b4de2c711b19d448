/** What both APIs have survives both translations; what one of them lacks is refused. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { chatToMessages } from "../../../../src/gateway/llm/translate/chat-to-messages/ChatToMessages.ts"
import { messagesToChat } from "../../../../src/gateway/llm/translate/messages-to-chat/MessagesToChat.ts"
import type { Json, Translation } from "../../../../src/gateway/llm/translate/Translation.ts"
import { answerOf, requestOf } from "./Translated.ts"

/** Not blank, as the messages API wants it, which refuses blanks at the end of a conversation as well. */
const text = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `${text}.`)
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/)
/** As it is written: a zero without its sign. */
const object: fc.Arbitrary<Json> = fc
  .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)))
const schema = object.map((properties) => ({ type: "object", properties }))
const optional = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })
/** With ids that no other call of the process has. */
let lastCall = 0
const calls = fc
  .array(fc.record({ name: id, input: object }), { maxLength: 3 })
  .map((made) => made.map((call) => ({ id: `call_${++lastCall}`, ...call })))
/** Neither the neutral 1, which is left out beside another one. */
const share = fc.double({ min: 0, max: 0.9, noNaN: true })
const address = fc.webUrl({ validSchemes: ["http", "https"] })
const base64 = fc.base64String({ maxLength: 12 })
const effort = fc.constantFrom("low", "medium", "high", "xhigh", "max")
const sometimes = fc.constantFrom(true, undefined)

/** Without fields that are undefined. */
const written = (value: Json): Json => JSON.parse(JSON.stringify(value))

const chatCall = ({ id, input, name }: { readonly id: string; readonly name: string; readonly input: Json }) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input) }
})

const chatUser = fc
  .oneof(
    text,
    fc
      .tuple(
        text.map((text) => ({ type: "text", text })),
        fc.oneof(
          address.map((url) => ({ type: "image_url", image_url: { url } })),
          base64.map((data) => ({ type: "image_url", image_url: { url: `data:image/webp;base64,${data}` } })),
          fc.record({ filename: text, data: base64 }).map(({ data, filename }) => ({
            type: "file",
            file: { filename, file_data: `data:application/pdf;base64,${data}` }
          }))
        )
      )
      .map((parts) => parts)
  )
  .map((content) => ({ role: "user", content }))

/** An assistant's message with the results of its calls, and what the user says to it. */
const chatTurn = fc.tuple(fc.option(text), calls, text, chatUser).map(([content, made, result, user]) => [
  {
    role: "assistant",
    content: made.length === 0 ? (content ?? "Left.") : content,
    ...(made.length === 0 ? {} : { tool_calls: made.map(chatCall) })
  },
  ...made.map(({ id }) => ({ role: "tool", tool_call_id: id, content: result })),
  user
])

const chatChoice = fc.oneof(
  fc.constantFrom("auto", "none", "required"),
  id.map((name) => ({ type: "function", function: { name } }))
)

const chatRequest: fc.Arbitrary<Json> = fc
  .record({
    model: fc.constant("at-the-upstream"),
    system: fc.option(text),
    turns: fc.array(fc.oneof(chatTurn, fc.tuple(chatUser)), { minLength: 1, maxLength: 4 }),
    max_tokens: fc.nat(1_000),
    temperature: optional(share),
    top_p: optional(share),
    stop: optional(fc.array(text, { minLength: 1, maxLength: 3 })),
    tools: optional(
      fc.array(
        fc
          .record({ name: id, description: optional(text), parameters: schema, strict: sometimes })
          .map((tool) => ({ type: "function", function: tool })),
        { minLength: 1, maxLength: 2 }
      )
    ),
    tool_choice: optional(chatChoice),
    reasoning_effort: optional(effort),
    response_format: optional(
      object.map((schema) => ({ type: "json_schema", json_schema: { name: "output", strict: true, schema } }))
    ),
    user: optional(text),
    stream: optional(fc.boolean())
  })
  .map(({ system, turns, ...fields }) =>
    written({
      ...fields,
      messages: [...(system === null ? [] : [{ role: "system", content: system }]), ...turns.flat()],
      ...(fields.stream === true ? { stream_options: { include_usage: true } } : {})
    })
  )

const messagesUser = fc.oneof(
  text,
  fc.tuple(
    text.map((text) => ({ type: "text", text })),
    fc.oneof(
      address.map((url) => ({ type: "image", source: { type: "url", url } })),
      base64.map((data) => ({ type: "image", source: { type: "base64", media_type: "image/webp", data } })),
      fc.record({ title: text, data: base64 }).map(({ data, title }) => ({
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data },
        title
      }))
    )
  )
)

const asBlocks = (content: string | ReadonlyArray<Json>): ReadonlyArray<Json> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content

/** An assistant's message, and the user's after it with the results of its calls. */
const messagesTurn = fc.tuple(fc.option(text), calls, text, messagesUser).map(([said, made, content, user]) => {
  const results = made.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content }))
  return [
    {
      role: "assistant",
      content: [
        ...asBlocks(made.length === 0 ? (said ?? "Left.") : (said ?? [])),
        ...made.map((call) => ({ type: "tool_use", ...call }))
      ]
    },
    { role: "user", content: results.length === 0 ? user : [...results, ...asBlocks(user)] }
  ]
})

const messagesRequest: fc.Arbitrary<Json> = fc
  .record({
    model: fc.constant("at-the-upstream"),
    max_tokens: fc.integer({ min: 1, max: 1_000 }),
    system: optional(text),
    first: messagesUser,
    turns: fc.array(messagesTurn, { maxLength: 3 }),
    stop_sequences: optional(fc.array(text, { minLength: 1, maxLength: 3 })),
    tools: optional(
      fc.array(fc.record({ name: id, description: optional(text), input_schema: schema, strict: sometimes }), {
        minLength: 1,
        maxLength: 2
      })
    ),
    tool_choice: optional(fc.constantFrom<Json>({ type: "any" }, { type: "none" }, { type: "tool", name: "f" })),
    output_config: optional(
      fc.oneof<Array<fc.Arbitrary<Json>>>(
        fc.record({ effort }),
        object.map((schema) => ({ format: { type: "json_schema", schema } }))
      )
    ),
    metadata: optional(text.map((user_id) => ({ user_id }))),
    stream: optional(fc.boolean())
  })
  .map(({ first, turns, ...fields }) =>
    written({ ...fields, messages: [{ role: "user", content: first }, ...turns.flat()] })
  )

/** With its long integers as numbers. */
const asSent = (json: Json): unknown => JSON.parse(JSON.stringify(json))

const directions = [
  { name: "chat", there: chatToMessages, back: messagesToChat, requests: chatRequest },
  { name: "messages", there: messagesToChat, back: chatToMessages, requests: messagesRequest }
] as const

describe.each(directions)("a request of the $name API", ({ back, requests, there }) => {
  it("is the same after both translations", () => {
    fc.assert(
      fc.property(requests, (request) => {
        expect(asSent(requestOf(back, requestOf(there, request)))).toEqual(request)
      })
    )
  })

  it("with one call at a time is the same after both translations", () => {
    const chat = {
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } }],
      parallel_tool_calls: false
    }
    const one = { ...chat, tool_choice: "required", max_tokens: 5, messages: [{ role: "user", content: "a" }] }
    const given = there === chatToMessages ? one : requestOf(chatToMessages, one)
    expect(requestOf(back, requestOf(there, given))).toEqual({ model: "at-the-upstream", ...given })
  })

  /** Every object of a request whose fields have a meaning, with the path of a new field there. */
  const places = (request: Json): ReadonlyArray<readonly [path: string, place: Record<string, unknown>]> => {
    const found: Array<readonly [string, Record<string, unknown>]> = []
    const visit = (value: unknown, path: string, name: string): void => {
      // What is the caller's own: inputs and schemas. Of metadata only the user is read.
      if (["input", "input_schema", "parameters", "schema", "metadata", "stream_options"].includes(name)) return
      if (Array.isArray(value)) value.forEach((one, nth) => void visit(one, `${path}[${nth}]`, ""))
      else if (typeof value === "object" && value !== null) {
        found.push([path, value as Record<string, unknown>])
        const dot = path === "" ? "" : "."
        for (const [key, one] of Object.entries(value)) visit(one, `${path}${dot}${key}`, key)
      }
    }
    visit(request, "", "")
    return found
  }

  it("with a field that the other API lacks is refused, wherever it stands, and never loses it", () => {
    fc.assert(
      fc.property(
        requests,
        fc.nat(),
        fc.jsonValue(),
        fc.stringMatching(/^x_[a-z]{1,8}$/),
        (request, nth, value, name) => {
          const given = structuredClone(request)
          const all = places(given)
          const [path, place] = all[nth % all.length] ?? ["", {}]
          const before = requestOf(there, given)
          place[name] = value
          const expected = value === null ? before : { refused: path === "" ? name : `${path}.${name}` }
          expect(requestOf(there, given)).toEqual(expected)
        }
      ),
      { numRuns: 500 }
    )
  })

  it("is never changed itself", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const before = structuredClone(request)
        requestOf(there, request)
        expect(request).toEqual(before)
      })
    )
  })

  it("is translated or refused, whatever it holds", () => {
    const names = ["messages", "tools", "tool_choice", "stop", "system", "response_format", "output_config", "metadata"]
    const any = fc.dictionary(fc.constantFrom(...names, "role", "content", "type", "stream"), fc.jsonValue())
    const role = fc.constantFrom("user", "assistant", "system", "tool")
    const message = fc.record({ role, content: fc.oneof(fc.jsonValue(), fc.array(any)), tool_calls: fc.jsonValue() })
    fc.assert(
      fc.property(any, fc.array(message), (fields, messages) => {
        expect(typeof requestOf(there, { ...fields, messages })).toBe("object")
      })
    )
  })
})

describe("an answer", () => {
  const figure = fc.nat(1_000)
  const chatAnswer: fc.Arbitrary<Json> = fc
    .record({
      content: fc.option(text),
      reasoning_content: optional(text),
      made: calls,
      finish: fc.constantFrom("stop", "length", "content_filter"),
      figures: fc.tuple(figure, figure, figure, figure)
    })
    .map(
      ({ content, figures: [input, cached_tokens, cache_write_tokens, output], finish, made, reasoning_content }) => {
        const prompt = input + cached_tokens + cache_write_tokens
        return written({
          id: "id-1",
          object: "chat.completion",
          created: 1_790_000_000,
          model: "asked-for",
          choices: [
            {
              index: 0,
              message: {
                role: "assistant",
                content: content ?? (made.length === 0 ? "" : null),
                refusal: null,
                reasoning_content,
                ...(made.length === 0 ? {} : { tool_calls: made.map(chatCall) })
              },
              logprobs: null,
              finish_reason: made.length > 0 && finish !== "length" ? "tool_calls" : finish
            }
          ],
          usage: {
            prompt_tokens: prompt,
            completion_tokens: output,
            total_tokens: prompt + output,
            prompt_tokens_details: { cached_tokens, cache_write_tokens }
          }
        })
      }
    )
  const thinks = { thinking: { type: "adaptive" } }
  const translated = (translation: Translation, answer: Json) => answerOf(translation, answer, thinks) as Json

  it("is the same after both translations, whichever API it began in", () => {
    fc.assert(
      fc.property(chatAnswer, (answer) => {
        const there = translated(messagesToChat, answer)
        const back = translated(chatToMessages, there)
        expect(asSent(back)).toEqual(answer)
        expect(asSent(translated(messagesToChat, back))).toEqual(asSent(there))
      })
    )
  })

  it("is translated or cannot be read, whatever it holds", () => {
    const block = fc.dictionary(fc.constantFrom("type", "text", "thinking", "input", "name", "id"), fc.jsonValue())
    const typed = fc.record({ type: fc.constantFrom("text", "thinking", "tool_use"), rest: block })
    const message = fc.dictionary(fc.constantFrom("content", "refusal", "tool_calls", "reasoning"), fc.jsonValue())
    const any = fc.record({
      content: fc.oneof(fc.jsonValue(), fc.array(typed.map(({ rest, type }) => ({ type, ...rest })))),
      choices: fc.oneof(fc.jsonValue(), fc.array(fc.record({ message, finish_reason: fc.jsonValue() }))),
      usage: fc.jsonValue()
    })
    fc.assert(
      fc.property(any, (answer) => {
        for (const { there } of directions) expect(answerOf(there, answer, thinks)).toBeDefined()
      })
    )
  })
})
