/**
 * Blocks of an answer in the stream of the messages API: one at a time, the index from 0 without gaps, no text block empty. Pieces
 * of a later block wait until the earlier one is complete.
 */
import { parseObject } from "../JsonFields.ts"
import type { NewCallIds } from "../translate/NewCallIds.ts"
import type { Json, LlmEvent } from "../translate/Translation.ts"

interface TextBlock {
  readonly kind: "text" | "thinking"
  waiting: string
  index: number | null
}

export interface ToolBlock {
  readonly kind: "tool"
  id: string | null
  name: string | null
  /** All arguments that have come. */
  written: string
  /** The part of them that has not been sent. */
  waiting: string
  index: number | null
  closed: boolean
}

type Block = TextBlock | ToolBlock

export interface BlockQueue {
  /** The first is the one that is open. */
  readonly blocks: Array<Block>
  nextIndex: number
  readonly callIds: NewCallIds
}

export const emptyQueue = (callIds: NewCallIds): BlockQueue => ({ blocks: [], nextIndex: 0, callIds })

export const messagesEvent = (type: string, fields: Json = {}): LlmEvent => ({ event: type, data: { type, ...fields } })

/** Appends to the last block where it is of that kind, else to a new one. */
export const addText = (queue: BlockQueue, kind: TextBlock["kind"], text: string): void => {
  if (text === "") return
  const last = queue.blocks.at(-1)
  if (last?.kind === kind) last.waiting += text
  else queue.blocks.push({ kind, waiting: text, index: null })
}

export const addTool = (queue: BlockQueue): ToolBlock => {
  const tool: ToolBlock = { kind: "tool", id: null, name: null, written: "", waiting: "", index: null, closed: false }
  queue.blocks.push(tool)
  return tool
}

/** The events that can be sent now; `atEnd`: all of them. */
export const drain = (queue: BlockQueue, atEnd: boolean): ReadonlyArray<LlmEvent> => {
  const events: Array<LlmEvent> = []
  for (let block = queue.blocks[0]; block !== undefined; block = queue.blocks[0]) {
    events.push(...pieces(queue, block))
    if (!atEnd && (queue.blocks.length === 1 || !isComplete(block))) break
    events.push(messagesEvent("content_block_stop", { index: block.index }))
    if (block.kind === "tool") block.closed = true
    queue.blocks.shift()
  }
  return events
}

/** A text is complete when another block begins, a tool when its arguments are. Without a brace at their end they are not read. */
const isComplete = (block: Block): boolean =>
  block.kind !== "tool" ||
  (block.index !== null && block.written.trimEnd().endsWith("}") && parseObject(block.written) !== null)

/** The start of a block, should it not have been sent, and what waits. A tool starts once its name is known. */
const pieces = (queue: BlockQueue, block: Block): ReadonlyArray<LlmEvent> => {
  const events: Array<LlmEvent> = []
  if (block.index === null) {
    if (block.kind === "tool" && block.name === null) return []
    block.index = queue.nextIndex++
    events.push(messagesEvent("content_block_start", { index: block.index, content_block: startOf(queue, block) }))
  }
  // Arguments that begin with blanks wait: blanks alone are no JSON.
  const isBlank = block.kind === "tool" && block.written.trim() === ""
  if (block.waiting !== "" && !isBlank) {
    events.push(messagesEvent("content_block_delta", { index: block.index, delta: deltaOf(block) }))
    block.waiting = ""
  }
  return events
}

const startOf = (queue: BlockQueue, block: Block): Json => {
  switch (block.kind) {
    case "text":
      return { type: "text", text: "" }
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" }
    case "tool":
      return { type: "tool_use", id: queue.callIds.of(block.id), name: block.name, input: {} }
  }
}

const deltaOf = ({ kind, waiting }: Block): Json => {
  switch (kind) {
    case "text":
      return { type: "text_delta", text: waiting }
    case "thinking":
      return { type: "thinking_delta", thinking: waiting }
    case "tool":
      return { type: "input_json_delta", partial_json: waiting }
  }
}
