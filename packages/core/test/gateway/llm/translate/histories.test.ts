/**
 * What our routes have answered comes back in requests: every API accepts what becomes of it, whichever upstream wrote it, and in
 * whatever order the caller's API lets clients send it. Verifies: LANG-1.
 */
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { translationTo } from "../../../../src/gateway/llm/translate/LlmTranslations.ts"
import type { Json, LlmApi } from "../../../../src/gateway/llm/translate/Translation.ts"
import { isObject } from "../../../../src/platform/kernel/index.ts"
import { chatFaults, messagesFaults, responsesFaults } from "../ApiRules.ts"

const objects = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isObject) : [])

const text = fc.constantFrom("", " ", "\n", "Left.", "Right. ")
/** Ids of servers that begin anew in each answer, have none, or use other signs. */
const id = fc.constantFrom("", "call_0", "call_1", "functions.look:0", "toolu_1")
const tool = fc.constantFrom("look", "patch")
const argument = fc.constantFrom("{}", "", '{"place":"harbour"}', '{"input":"a"}')

/** A message of a chat's server. */
const chatMessage: fc.Arbitrary<Json> = fc
  .record({
    content: fc.oneof(
      text,
      fc.constant(null),
      text.map((text) => [
        { type: "thinking", thinking: [] },
        { type: "text", text }
      ])
    ),
    reasoning: fc.constantFrom({}, { reasoning_content: "Hm." }, { reasoning: "Hm.", reasoning_details: [] }),
    refusal: fc.constantFrom(null, "No."),
    made: fc.array(fc.record({ id, name: tool, written: argument }), { maxLength: 3 })
  })
  .map(({ content, made, reasoning, refusal }) => ({
    ...{ role: "assistant", content, refusal, ...reasoning, annotations: [] },
    ...(made.length === 0
      ? {}
      : {
          tool_calls: made.map(({ id, name, written }, index) => ({
            ...{ id, type: "function", index },
            function: { name, arguments: written }
          }))
        })
  }))

/** The content of an answer of the messages API, whose ids are unique. */
let lastUse = 0
const messagesContent: fc.Arbitrary<ReadonlyArray<Json>> = fc.array(
  fc.oneof<Array<fc.Arbitrary<Json>>>(
    fc.constantFrom("Left.", "Right. ").map((text) => ({ type: "text", text })),
    fc.constant({ type: "thinking", thinking: "Hm.", signature: "c2ln" }),
    fc.constant({ type: "redacted_thinking", data: "eA==" })
  ),
  { maxLength: 3 }
)
const messagesAnswer = fc
  .tuple(messagesContent, fc.array(tool, { maxLength: 2 }))
  .map(([content, names]) => [
    ...content,
    ...names.map((name) => ({ type: "tool_use", id: `toolu_0${++lastUse}`, name, input: {} }))
  ])

interface Answered {
  readonly by: "chat_completions" | "messages"
  readonly answer: Json
}

const answered: fc.Arbitrary<Answered> = fc.oneof(
  chatMessage.map((message) => ({
    by: "chat_completions" as const,
    answer: { choices: [{ index: 0, message, finish_reason: "stop" }] }
  })),
  messagesAnswer.map((content) => ({ by: "messages" as const, answer: { content, stop_reason: "end_turn" } }))
)

/** What stands between the answers, and how a client orders what it sends. */
interface Step {
  readonly answered: Answered
  readonly order: ReadonlyArray<number>
  readonly note: "none" | "assistant" | "system"
  readonly result: string
}

const step: fc.Arbitrary<Step> = fc.record({
  answered,
  order: fc.array(fc.nat(9), { minLength: 9, maxLength: 9 }),
  note: fc.constantFrom("none", "assistant", "system"),
  result: fc.constantFrom("", "Done.")
})

let lastId = 0

/** The answer in the caller's API to a request with this history. */
const answerIn = (api: LlmApi, { answer, by }: Answered, request: Json): Json | null => {
  const context = {
    ...{ request: { thinking: { type: "enabled" }, tools: customTools, ...request }, model: "ours", id: "id" },
    ...{ createdAt: 1, inputEstimate: 1, freshId: (prefix: string) => `${prefix}_${++lastId}` }
  }
  return Result.getOrElse(translationTo(api, [by])!.translation.answer(answer, context), () => null)
}

const customTools = [{ type: "custom", name: "patch" }]

const requestTo = (api: LlmApi, upstream: LlmApi, request: Json): Json =>
  Result.match(
    translationTo(api, [upstream])!.translation.request(request, {
      ...{ model: "ours", upstreamModel: "theirs", maxOutputTokens: 100 }
    }),
    { onSuccess: (sent) => sent, onFailure: ({ message, param }) => ({ refused: `${param}: ${message}` }) }
  )

const shuffled = <A>(values: ReadonlyArray<A>, order: ReadonlyArray<number>): ReadonlyArray<A> =>
  values
    .map((value, nth) => [order[nth % order.length] ?? 0, value] as const)
    .sort(([one], [other]) => one - other)
    .map(([, value]) => value)

const user = { role: "user", content: "And now?" }

/** A client of the chat API sends messages back as they came, with the results in any order. */
const chatHistory = (steps: ReadonlyArray<Step>): Json => {
  const messages: Array<Json> = [user]
  for (const { answered, order, result } of steps) {
    const [choice] = objects(answerIn("chat_completions", answered, { messages })?.choices)
    if (choice === undefined || !isObject(choice.message)) continue
    const calls = objects(choice.message.tool_calls)
    const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: result }))
    messages.push(choice.message, ...shuffled(results, order), user)
  }
  return { messages }
}

/** A client of the messages API may send a turn in two messages, with something of the system after it. */
const messagesHistory = (steps: ReadonlyArray<Step>, isLoose: boolean): Json => {
  const messages: Array<Json> = [user]
  for (const { answered, note, order, result } of steps) {
    const content = objects(answerIn("messages", answered, { messages })?.content)
    const results = content.flatMap(({ id, type }) =>
      type === "tool_use" ? [{ type: "tool_result", tool_use_id: id, content: isLoose ? result : "Done." }] : []
    )
    const at = isLoose ? (order[0] ?? 0) % (content.length + 1) : content.length
    messages.push({ role: "assistant", content: content.slice(0, at) })
    if (at < content.length) messages.push({ role: "assistant", content: content.slice(at) })
    if (isLoose && note === "assistant") messages.push({ role: "assistant", content: "A note." })
    if (isLoose && note === "system") messages.push({ role: "system", content: "A note." })
    const said = [...results, { type: "text", text: "And now?" }]
    messages.push({ role: "user", content: isLoose ? shuffled(said, order) : said })
  }
  return { messages, max_tokens: 5 }
}

const resultTypes: ReadonlyMap<unknown, string> = new Map([
  ["function_call", "function_call_output"],
  ["custom_tool_call", "custom_tool_call_output"]
])

/** A client of the Responses API sends items back: a result anywhere after its call. */
const responsesHistory = (steps: ReadonlyArray<Step>): Json => {
  const input: Array<Json> = [user]
  for (const { answered, note, order, result } of steps) {
    const output = objects(answerIn("responses", answered, { input })?.output)
    const items: Array<Json> = [...output]
    if (note !== "none") items.splice((order[0] ?? 0) % (items.length + 1), 0, { role: note, content: "A note." })
    for (const [nth, { call_id, type }] of output.entries()) {
      const resultType = resultTypes.get(type)
      if (resultType === undefined) continue
      const from = items.findIndex((item) => item.call_id === call_id) + 1
      const at = from + ((order[nth + 1] ?? 0) % (items.length - from + 1))
      items.splice(at, 0, { type: resultType, call_id, output: result })
    }
    input.push(...items, user)
  }
  return { input, tools: customTools }
}

const steps = fc.array(step, { minLength: 1, maxLength: 4 })
const proven = { numRuns: 400 }

describe("a history of our answers", () => {
  it("of the chat API is accepted by the messages API", () => {
    fc.assert(
      fc.property(steps, (steps) => {
        expect(messagesFaults(requestTo("chat_completions", "messages", chatHistory(steps)))).toEqual([])
      }),
      proven
    )
  })

  it("of the messages API is accepted by the chat API, and by its own", () => {
    fc.assert(
      fc.property(steps, (steps) => {
        expect(chatFaults(requestTo("messages", "chat_completions", messagesHistory(steps, true)))).toEqual([])
        expect(messagesFaults(requestTo("messages", "messages", messagesHistory(steps, false)))).toEqual([])
      }),
      proven
    )
  })

  it("of the Responses API is accepted by every API", () => {
    fc.assert(
      fc.property(steps, (steps) => {
        const history = responsesHistory(steps)
        expect(chatFaults(requestTo("responses", "chat_completions", history))).toEqual([])
        expect(messagesFaults(requestTo("responses", "messages", history))).toEqual([])
        expect(responsesFaults(requestTo("responses", "responses", history))).toEqual([])
      }),
      proven
    )
  })
})
