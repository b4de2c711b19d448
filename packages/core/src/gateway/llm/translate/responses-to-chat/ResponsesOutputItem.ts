/**
 * One item of a response's output, as it grows: its events, and the item itself. The official client requires the events to be
 * in order, and a place for each text before its first delta.
 */
import { foreignJson, isObject } from "../../../../platform/kernel/index.ts"
import type { CallPiece, ChatPiece, SpokenPiece } from "../../chat/AnswerPieces.ts"
import type { NewCallIds } from "../NewCallIds.ts"
import type { Json } from "../Translation.ts"
import { customInput, type NamedTool } from "./NamedTools.ts"

export type ItemStatus = "in_progress" | "completed" | "incomplete"

/** `at` is the item's place in the output. */
interface Reasoning {
  readonly kind: "reasoning"
  readonly id: string
  readonly at: number
  text: string
}

interface Message {
  readonly kind: "message"
  readonly id: string
  readonly at: number
  readonly parts: Array<Part>
}

interface Part {
  readonly kind: "text" | "refusal"
  text: string
  readonly logprobs: Array<Json>
}

interface Call {
  readonly kind: "call"
  readonly id: string
  readonly at: number
  readonly callId: string
  /** The input of a custom one is known once its arguments are whole. */
  readonly tool: NamedTool
  text: string
}

export type OutputItem = Reasoning | Message | Call

/** What items are made with. */
export interface ItemMaking {
  readonly freshId: (prefix: string) => string
  readonly callIds: NewCallIds
  /** Tools of the request whose calls are no plain functions, by their names in the chat. */
  readonly tools: ReadonlyMap<string, NamedTool>
}

export const newItem = (piece: ChatPiece, at: number, { callIds, freshId, tools }: ItemMaking): OutputItem => {
  switch (piece.kind) {
    case "reasoning":
      return { kind: "reasoning", id: freshId("rs"), at, text: "" }
    case "call": {
      const { id: given, name } = piece
      const tool = tools.get(name) ?? { name, namespace: null, isCustom: false }
      const id = freshId(tool.isCustom ? "ctc" : "fc")
      return { kind: "call", id, at, callId: callIds.of(given), tool, text: "" }
    }
    default:
      return { kind: "message", id: freshId("msg"), at, parts: [] }
  }
}

export const itemJson = (item: OutputItem, status: ItemStatus): Json => {
  switch (item.kind) {
    case "reasoning":
      return { id: item.id, type: "reasoning", summary: [], content: [reasoningPart(item.text)], status }
    case "message":
      return { id: item.id, type: "message", role: "assistant", status, content: item.parts.map(partJson) }
    case "call": {
      const { callId, id, text } = item
      const { isCustom, name, namespace } = item.tool
      const named = { call_id: callId, name, ...(namespace === null ? {} : { namespace }) }
      return isCustom
        ? { id, type: "custom_tool_call", ...named, input: customInput(text), status }
        : { id, type: "function_call", ...named, arguments: text, status }
    }
  }
}

const reasoningPart = (text: string): Json => ({ type: "reasoning_text", text })

const partJson = ({ kind, logprobs, text }: Part): Json =>
  kind === "refusal"
    ? { type: "refusal", refusal: text }
    : { type: "output_text", text, annotations: [], logprobs: [...logprobs] }

/** Whether nothing more can come: the end of a call is not announced, but nothing follows a whole JSON object. */
export const isWhole = (item: OutputItem): boolean => item.kind !== "call" || isJsonObject(item.text)

const isJsonObject = (text: string): boolean => text.trimEnd().endsWith("}") && isObject(foreignJson(text))

export const addedEvent = (item: OutputItem): Json => ({
  type: "response.output_item.added",
  output_index: item.at,
  item: itemJson(item, "in_progress")
})

/** Adds a piece of the item's own kind. */
export const grow = (item: OutputItem, piece: ChatPiece): ReadonlyArray<Json> => {
  if (item.kind === "message") return piece.kind === "text" || piece.kind === "refusal" ? say(item, piece) : []
  if (piece.text === "") return []
  item.text += piece.text
  if (item.kind === "call" && item.tool.isCustom) return []
  const delta = { ...placeOf(item), delta: piece.text }
  return item.kind === "reasoning"
    ? [{ type: "response.reasoning_text.delta", ...delta, content_index: 0 }]
    : [{ type: "response.function_call_arguments.delta", ...delta }]
}

const placeOf = ({ at, id }: OutputItem): Json => ({ item_id: id, output_index: at })

const say = (item: Message, piece: SpokenPiece): ReadonlyArray<Json> => {
  const { kind, logprobs, text } = piece
  const before = item.parts.at(-1)
  const began = before?.kind === kind ? [] : [...partDone(item), ...partAdded(item, kind)]
  const part = item.parts.at(-1)!
  part.text += text
  part.logprobs.push(...logprobs)
  const place = { ...placeOf(item), content_index: item.parts.length - 1 }
  return [
    ...began,
    kind === "text"
      ? { type: "response.output_text.delta", ...place, delta: text, logprobs }
      : { type: "response.refusal.delta", ...place, delta: text }
  ]
}

const partAdded = (item: Message, kind: Part["kind"]): ReadonlyArray<Json> => {
  const part: Part = { kind, text: "", logprobs: [] }
  const content_index = item.parts.push(part) - 1
  return [{ type: "response.content_part.added", ...placeOf(item), content_index, part: partJson(part) }]
}

/** The end of the message's last part. */
const partDone = (item: Message): ReadonlyArray<Json> => {
  const part = item.parts.at(-1)
  if (part === undefined) return []
  const place = { ...placeOf(item), content_index: item.parts.length - 1 }
  const { logprobs, text } = part
  return [
    part.kind === "text"
      ? { type: "response.output_text.done", ...place, text, logprobs: [...logprobs] }
      : { type: "response.refusal.done", ...place, refusal: text },
    { type: "response.content_part.done", ...place, part: partJson(part) }
  ]
}

export const doneEvents = (item: OutputItem, status: ItemStatus): ReadonlyArray<Json> => {
  const own = ownDoneEvents(item)
  const done = { type: "response.output_item.done", output_index: item.at, item: itemJson(item, status) }
  return [...own, done]
}

const ownDoneEvents = (item: OutputItem): ReadonlyArray<Json> => {
  switch (item.kind) {
    case "reasoning":
      return [{ type: "response.reasoning_text.done", ...placeOf(item), content_index: 0, text: item.text }]
    case "message":
      return partDone(item)
    case "call": {
      if (item.tool.isCustom) return customDone(item)
      const empty = item.text.trim() === "" ? grow(item, emptyArguments) : []
      return [...empty, { type: "response.function_call_arguments.done", ...placeOf(item), arguments: item.text }]
    }
  }
}

/** The input in one piece: before its end it cannot be read from the arguments. */
const customDone = (item: Call): ReadonlyArray<Json> => {
  const input = customInput(item.text)
  return [
    { type: "response.custom_tool_call_input.delta", ...placeOf(item), delta: input },
    { type: "response.custom_tool_call_input.done", ...placeOf(item), input }
  ]
}

/** Clients read the arguments as JSON; a call without any has an empty object. */
const emptyArguments: CallPiece = { kind: "call", index: 0, id: "", name: "", text: "{}" }
