/** What the public APIs of language models refuse of a conversation, by their published rules and their refusals. */

import type { Json } from "../../../src/gateway/llm/translate/Translation.ts"
import { isObject } from "../../../src/platform/kernel/index.ts"

type Faults = ReadonlyArray<string>

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const objects = (value: unknown): ReadonlyArray<Json> => list(value).filter(isObject)
const isText = (value: unknown): value is string => typeof value === "string"
const isJsonObject = (text: unknown): boolean => {
  try {
    return isText(text) && isObject(JSON.parse(text))
  } catch {
    return false
  }
}

const fault = (isFault: boolean, text: string): Faults => (isFault ? [text] : [])

// The chat API.

const chatContentFaults = (role: unknown, content: unknown): Faults => {
  if (isText(content)) return []
  const parts = objects(content)
  const types = role === "user" ? ["text", "image_url", "file"] : ["text"]
  return [
    ...fault(parts.length === 0, `content of ${role} is neither a text nor parts`),
    ...parts.flatMap((part) => fault(!types.includes(String(part.type)), `${role} has a part ${part.type}`)),
    ...parts.flatMap((part) => fault(part.type === "text" && !isText(part.text), "a part of text without a text"))
  ]
}

const assistantFaults = ({ content, tool_calls }: Json): Faults => {
  const calls = objects(tool_calls)
  return [
    ...fault(tool_calls !== undefined && calls.length === 0, "tool_calls is too short"),
    ...(content === null || content === undefined
      ? fault(calls.length === 0, "content null without tool_calls")
      : chatContentFaults("assistant", content)),
    ...fault(content === "", "an empty content"),
    ...calls.flatMap(({ function: called, id, type }) => [
      ...fault(!isText(id) || type !== "function" || !isObject(called), "a tool call without id, type or function"),
      ...fault(isObject(called) && !isJsonObject(called.arguments), "arguments that are no JSON object"),
      ...fault(isObject(called) && !(isText(called.name) && called.name !== ""), "a tool call without a name")
    ])
  ]
}

/** Whether results follow the message with their calls, one for each, before anybody else says anything. */
const chatOrderFaults = (messages: ReadonlyArray<Json>): Faults => {
  const faults: Array<string> = []
  let open: Array<unknown> = []
  for (const { role, tool_call_id: id, tool_calls } of messages) {
    if (role === "tool") {
      if (!open.includes(id)) faults.push("a tool message that follows no message with its call")
      open = open.toSpliced(open.indexOf(id), open.includes(id) ? 1 : 0)
      continue
    }
    if (open.length > 0) faults.push("a message between a call and its result")
    open = role === "assistant" ? objects(tool_calls).map((call) => call.id) : []
  }
  return open.length > 0 ? [...faults, "a call without a result"] : faults
}

/** What the chat API refuses of a request. */
export const chatFaults = ({ messages, tools }: Json): Faults => {
  const all = objects(messages)
  return [
    ...fault(all.length === 0, "no messages"),
    ...all.flatMap((message) =>
      message.role === "assistant" ? assistantFaults(message) : chatContentFaults(message.role, message.content)
    ),
    ...chatOrderFaults(all),
    ...fault(tools !== undefined && list(tools).length === 0, "tools is too short")
  ]
}

// The messages API.

interface Turn {
  readonly role: unknown
  readonly blocks: ReadonlyArray<Json>
}

const blocksOf = (content: unknown): ReadonlyArray<Json> =>
  isText(content) ? [{ type: "text", text: content }] : objects(content)

/** Messages of one role in a row are one turn there. */
const turnsOf = (messages: ReadonlyArray<Json>): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  for (const { content, role } of messages) {
    const last = turns.at(-1)
    if (last !== undefined && last.role === role)
      turns[turns.length - 1] = { role, blocks: [...last.blocks, ...blocksOf(content)] }
    else turns.push({ role, blocks: blocksOf(content) })
  }
  return turns
}

const textFaults = (blocks: ReadonlyArray<Json>): Faults => [
  ...fault(blocks.length === 0, "empty content"),
  ...fault(
    blocks.some(({ text, type }) => type === "text" && text === ""),
    "text content blocks must be non-empty"
  ),
  ...fault(
    blocks.some(({ type }) => type === "text") &&
      blocks.every(({ text, type }) => type !== "text" || String(text).trim() === ""),
    "text content blocks must contain non-whitespace text"
  )
]

const blockFaults = (
  role: unknown,
  { content, id, input, name, signature, source, tool_use_id, type }: Json
): Faults => {
  const isId = (one: unknown) => isText(one) && /^[a-zA-Z0-9_-]+$/.test(one)
  switch (type) {
    case "text":
      return []
    case "image":
      return fault(role !== "user" || !isObject(source), "a picture without a source, or of the assistant")
    case "thinking":
      return fault(role !== "assistant" || !isText(signature) || signature === "", "thinking without its signature")
    case "redacted_thinking":
      return fault(role !== "assistant", "hidden thinking of the user")
    case "tool_use":
      return fault(role !== "assistant" || !isId(id) || !isText(name) || !isObject(input), "tool_use of another form")
    case "tool_result":
      return [
        ...fault(role !== "user" || !isId(tool_use_id), "tool_result of another form"),
        ...(content === undefined ? [] : textFaults(blocksOf(content)))
      ]
    default:
      return [`a block of type ${type}`]
  }
}

/** Whether the results of a turn's calls are the first blocks of the next turn. */
const resultFaults = (turns: ReadonlyArray<Turn>): Faults =>
  turns.flatMap(({ blocks }, nth) => {
    const ids = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id)
    const next = turns[nth + 1]?.blocks ?? []
    const results = next.filter(({ type }) => type === "tool_result").map(({ tool_use_id }) => tool_use_id)
    const first = next.findIndex(({ type }) => type !== "tool_result")
    return [
      ...fault(
        ids.some((id) => !results.includes(id)),
        "tool_use ids without tool_result blocks immediately after"
      ),
      ...fault(
        results.some((id) => !ids.includes(id)),
        "tool_result without a tool_use in the message before"
      ),
      ...fault(new Set(results).size < results.length, "several results of one call"),
      ...fault(first !== -1 && next.slice(first).some(({ type }) => type === "tool_result"), "results come first"),
      ...fault(ids.length > 0 && blocks.at(-1)?.type !== "tool_use", "blocks after tool_use")
    ]
  })

/** What the messages API refuses of a request. */
export const messagesFaults = ({ max_tokens, messages, system, tools }: Json): Faults => {
  const all = objects(messages)
  const turns = turnsOf(all)
  const ids = turns.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id))
  const last = turns.at(-1)
  const end = last?.blocks.at(-1)?.text
  return [
    ...fault(typeof max_tokens !== "number", "no max_tokens"),
    ...(system === undefined ? [] : textFaults(blocksOf(system))),
    ...fault(all.length === 0, "no messages"),
    ...all.flatMap(({ content, role }) => [
      ...fault(role !== "user" && role !== "assistant", `the role ${role}`),
      ...textFaults(blocksOf(content)),
      ...blocksOf(content).flatMap((block) => blockFaults(role, block))
    ]),
    ...fault(new Set(ids).size < ids.length, "tool_use ids must be unique"),
    ...resultFaults(turns),
    ...fault(last?.role === "assistant" && isText(end) && end !== end.trimEnd(), "trailing whitespace at the end"),
    ...objects(tools).flatMap(({ input_schema: schema }) =>
      fault(!isObject(schema) || schema.type !== "object", "input_schema without its type")
    )
  ]
}

// The Responses API.

/** What the Responses API refuses of a request. */
export const responsesFaults = ({ input }: Json): Faults => {
  const items = objects(input)
  const called = (ended: number) =>
    items.slice(0, ended).flatMap(({ call_id, type }) => (/_call$/.test(String(type)) ? [call_id] : []))
  const results = items.flatMap(({ call_id, type }) => (/_call_output$/.test(String(type)) ? [call_id] : []))
  return items.flatMap((item, nth) => {
    const { call_id, encrypted_content, type } = item
    return [
      ...fault(type === "reasoning" && !isText(encrypted_content), "reasoning that is not encrypted"),
      ...fault(/_call_output$/.test(String(type)) && !called(nth).includes(call_id), "an output without its call"),
      ...fault(/_call$/.test(String(type)) && !results.includes(call_id), "a call without its output")
    ]
  })
}
