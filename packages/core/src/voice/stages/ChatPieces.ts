/** Reads the pieces of a streamed chat: text, thoughts and calls of functions. Pure but for its own state. */

import { type ChatPiece, headOfCall, piecesOf, type StreamedCall, StreamedCalls } from "../../gateway/llm/index.ts"
import { distinctId, type LlmEvent, type ToolCall } from "../../gateway/upstreams/index.ts"
import { isObject } from "../../platform/kernel/index.ts"
import { type Separated, ThoughtTags } from "./ThoughtTags.ts"

interface Call extends StreamedCall {
  arguments: string
}

export class ChatPieces {
  readonly #tags = new ThoughtTags()
  readonly #calls = new StreamedCalls<Call>(() => ({ id: null, name: null, arguments: "" }))
  #hasPieces = false

  /** Whether anything of an answer has come. */
  get hasPieces(): boolean {
    return this.#hasPieces
  }

  /** Calls that have a name; one without an id, or with another's, gets one, and one without arguments an empty object. */
  get toolCalls(): ReadonlyArray<ToolCall> {
    const ids = new Set<string>()
    return this.#calls.all
      .flatMap(({ arguments: written, id, name }) => (name === null ? [] : [{ id, name, written }]))
      .map(({ id, name, written }, nth) => ({
        name,
        id: distinctId(id ?? `call_${nth}`, ids),
        arguments: written.trim() === "" ? "{}" : written
      }))
  }

  /** What an event adds to text and thoughts. */
  push({ data }: LlmEvent): ReadonlyArray<Separated> {
    const choices: ReadonlyArray<unknown> = Array.isArray(data.choices) ? data.choices : []
    const choice = choices.find((one) => isObject(one) && (one.index ?? 0) === 0)
    const delta = isObject(choice) && isObject(choice.delta) ? choice.delta : {}
    const pieces = piecesOf(delta, null)
    this.#hasPieces ||= pieces.length > 0
    return pieces.flatMap((piece) => this.#take(piece))
  }

  end(): ReadonlyArray<Separated> {
    return this.#tags.end()
  }

  #take(piece: ChatPiece): ReadonlyArray<Separated> {
    switch (piece.kind) {
      case "reasoning":
        return [{ kind: "thought", text: piece.text }]
      case "text":
      case "refusal":
        return this.#tags.push(piece.text)
      case "call": {
        this.#calls.of(headOfCall(piece)).arguments += piece.text
        return []
      }
    }
  }
}
