/** Reads the pieces of a streamed chat: text, thoughts and calls of functions. Pure but for its own state. */
import { distinctId, type LlmEvent, type ToolCall } from "../inference/index.ts"
import { isObject } from "../kernel/index.ts"
import { type Separated, ThoughtTags } from "./ThoughtTags.ts"

interface Call {
  id: string
  name: string
  arguments: string
}

export class ChatPieces {
  readonly #tags = new ThoughtTags()
  readonly #calls = new Map<unknown, Call>()
  #hasPieces = false

  /** Whether anything of an answer has come. */
  get hasPieces(): boolean {
    return this.#hasPieces
  }

  /** Calls that have a name; one without an id, or with another's, gets one. */
  get toolCalls(): ReadonlyArray<ToolCall> {
    const ids = new Set<string>()
    return [...this.#calls.values()]
      .filter(({ name }) => name !== "")
      .map((call, nth) => ({ ...call, id: distinctId(call.id === "" ? `call_${nth}` : call.id, ids) }))
  }

  /** What an event adds to text and thoughts. */
  push({ data }: LlmEvent): ReadonlyArray<Separated> {
    const choice: unknown = Array.isArray(data.choices) ? data.choices[0] : null
    const delta = isObject(choice) && isObject(choice.delta) ? choice.delta : {}
    const thought = textOf(delta.reasoning_content) || textOf(delta.reasoning)
    const content = textOf(delta.content) || textOf(delta.refusal)
    const calls: ReadonlyArray<unknown> = Array.isArray(delta.tool_calls) ? delta.tool_calls : []
    for (const [nth, call] of calls.entries()) if (isObject(call)) this.#addCall(call, nth)
    this.#hasPieces ||= thought !== "" || content !== "" || calls.length > 0
    return [...(thought === "" ? [] : [{ kind: "thought", text: thought } as const]), ...this.#tags.push(content)]
  }

  end(): ReadonlyArray<Separated> {
    return this.#tags.end()
  }

  #addCall(piece: { readonly [name: string]: unknown }, nth: number): void {
    const key = piece.index ?? (textOf(piece.id) || nth)
    const call = this.#calls.get(key) ?? { id: "", name: "", arguments: "" }
    const called = isObject(piece.function) ? piece.function : {}
    call.id ||= textOf(piece.id)
    call.name ||= textOf(called.name)
    call.arguments += textOf(called.arguments)
    this.#calls.set(key, call)
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
