/** Pieces of a chat's answer: of a whole message, or of the delta of one chunk. Pure. */
import { isObject } from "../../../platform/kernel/index.ts"
import { isText, listOf, objectOf } from "../responses/ResponsesJson.ts"
import type { Json } from "../translate/Translation.ts"
import type { CallHead } from "./StreamedCalls.ts"

interface ReasoningPiece {
  readonly kind: "reasoning"
  readonly text: string
}

/** A piece of what the assistant says. `logprobs` are those of its tokens, where they were asked for. */
export interface SpokenPiece {
  readonly kind: "text" | "refusal"
  readonly text: string
  readonly logprobs: ReadonlyArray<Json>
}

/** A piece of a tool call: `id` and `name` are empty where the piece does not repeat them. */
export interface CallPiece {
  readonly kind: "call"
  /** Null where the server sends none. */
  readonly index: number | null
  readonly id: string
  readonly name: string
  readonly text: string
}

/** What a piece says of its call. */
export const headOfCall = ({ id, index, name }: CallPiece): CallHead => ({
  index,
  id: id === "" ? null : id,
  name: name === "" ? null : name
})

export type ChatPiece = ReasoningPiece | SpokenPiece | CallPiece

/** The pieces of a whole message: each of its calls is one, whatever its index and its id. */
export const piecesOfWhole = (message: Json, logprobs: unknown): ReadonlyArray<ChatPiece> =>
  piecesOf(message, logprobs).map((piece, nth) => (piece.kind === "call" ? { ...piece, index: nth } : piece))

/** The pieces of a message or of a delta, in the order in which the items of a response stand. */
export const piecesOf = (message: Json, logprobs: unknown): ReadonlyArray<ChatPiece> => {
  const text = textOf(message.content)
  const reasoning = textOf(message.reasoning_content) || textOf(message.reasoning)
  const refusal = textOf(message.refusal)
  return [
    ...(reasoning === "" ? [] : [{ kind: "reasoning", text: reasoning } as const]),
    ...(text === "" ? [] : [{ kind: "text", text, logprobs: listOf(logprobs).filter(isObject) } as const]),
    ...(refusal === "" ? [] : [{ kind: "refusal", text: refusal, logprobs: [] } as const]),
    ...listOf(message.tool_calls).map(callPiece)
  ]
}

/** A text, or the texts of parts. */
const textOf = (content: unknown): string =>
  isText(content)
    ? content
    : listOf(content)
        .map(objectOf)
        .map(({ text, type }) => (type === "text" && isText(text) ? text : ""))
        .join("")

const callPiece = (call: unknown): CallPiece => {
  const { function: called, id, index } = objectOf(call)
  const { arguments: written, name } = objectOf(called)
  return {
    kind: "call",
    index: Number.isInteger(index) ? Number(index) : null,
    id: isText(id) ? id : "",
    name: isText(name) ? name : "",
    // Some servers write the arguments as an object.
    text: isText(written) ? written : isObject(written) ? JSON.stringify(written) : ""
  }
}
