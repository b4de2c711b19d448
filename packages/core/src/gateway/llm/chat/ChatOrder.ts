/**
 * Messages of the chat API in the order that it requires: results right after the assistant's message with their calls. The other
 * APIs let notes and other messages stand between them. Pure.
 */
import type { Json } from "../translate/Translation.ts"

/** A part of an assistant's turn. */
export interface AssistantPart {
  readonly role: "assistant"
  readonly text: string
  /** What the model thought before it. */
  readonly reasoning: string
  readonly calls: ReadonlyArray<Json>
}

export interface ToolResult {
  readonly role: "tool"
  readonly callId: string
  readonly text: string
  /** Parts of pictures, which the chat API takes from a user alone. */
  readonly pictures: ReadonlyArray<Json>
}

interface OtherMessage {
  readonly role: "user" | "system"
  readonly content: string | ReadonlyArray<Json>
}

export type ChatEntry = AssistantPart | ToolResult | OtherMessage

/** The pictures of a result, each after the id of its call. */
export const namedPictures = <P extends Json>(callId: string, pictures: ReadonlyArray<P>) =>
  pictures.flatMap((picture) => [{ type: "text", text: `A picture in the result of the call ${callId}:` }, picture])

/** `joinsTurns`: whether an assistant's messages in a row are one turn, as in the messages API. */
export const inChatOrder = (entries: ReadonlyArray<ChatEntry>, joinsTurns: boolean): ReadonlyArray<Json> => {
  const order = new Order(entries, joinsTurns)
  for (const entry of entries) order.add(entry)
  return order.end()
}

class Turn {
  text = ""
  reasoning = ""
  readonly calls: Array<Json> = []
}

class Order {
  readonly #joinsTurns: boolean
  readonly #messages: Array<Json | Turn> = []
  /** Results that are still to come, by the id of their call. */
  readonly #coming = new Map<unknown, number>()
  /** Calls of the last turn whose results are still to come. */
  readonly #open = new Map<unknown, number>()
  /** The assistant's last turn, while nobody else has said anything. */
  #turn: Turn | null = null
  /** Messages that came before the last of these results. */
  #held: Array<Json> = []
  #pictures: Array<Json> = []

  constructor(entries: ReadonlyArray<ChatEntry>, joinsTurns: boolean) {
    this.#joinsTurns = joinsTurns
    for (const entry of entries) if (entry.role === "tool") count(this.#coming, entry.callId, 1)
  }

  add(entry: ChatEntry): void {
    if (entry.role === "assistant") this.#addPart(entry)
    else if (entry.role === "tool") this.#addResult(entry)
    else if (this.#open.size > 0) this.#held.push({ ...entry })
    else this.#push({ ...entry })
  }

  end(): ReadonlyArray<Json> {
    this.#close()
    return this.#messages.flatMap((message) => (message instanceof Turn ? assistantMessages(message) : [message]))
  }

  #push(message: Json): void {
    this.#messages.push(message)
    this.#turn = null
  }

  #addPart({ calls, reasoning, text }: AssistantPart): void {
    const isOfTurn = this.#open.size > 0 || calls.length > 0 || this.#joinsTurns
    if (this.#turn === null || !isOfTurn) {
      this.#turn = new Turn()
      this.#messages.push(this.#turn)
    }
    this.#turn.text += text
    this.#turn.reasoning += reasoning
    for (const call of calls) {
      this.#turn.calls.push(call)
      // A call without a result holds nothing up.
      const { id } = call
      if ((this.#coming.get(id) ?? 0) > (this.#open.get(id) ?? 0)) count(this.#open, id, 1)
    }
  }

  #addResult({ callId, pictures, text }: ToolResult): void {
    this.#messages.push({ role: "tool", tool_call_id: callId, content: text })
    for (const picture of pictures) this.#pictures.push(picture)
    count(this.#coming, callId, -1)
    count(this.#open, callId, -1)
    if (this.#open.size === 0) this.#close()
  }

  /** Everything that has waited for results. */
  #close(): void {
    this.#turn = null
    if (this.#pictures.length > 0) this.#push({ role: "user", content: this.#pictures })
    for (const message of this.#held) this.#push(message)
    this.#pictures = []
    this.#held = []
    this.#open.clear()
  }
}

/** Adds to a count that is never below zero. */
const count = (counts: Map<unknown, number>, key: unknown, by: number): void => {
  const sum = (counts.get(key) ?? 0) + by
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}

/** No message where nothing was said or called: the chat API refuses it. */
const assistantMessages = ({ calls, reasoning, text }: Turn): ReadonlyArray<Json> => {
  if (text === "" && calls.length === 0) return []
  const message = {
    role: "assistant",
    // Null, and not an empty text, which some servers refuse.
    content: text === "" ? null : text,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls })
  }
  return [message]
}
