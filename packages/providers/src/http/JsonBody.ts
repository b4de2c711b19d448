/** JSON as the body of a request, and in what others send. */
import { exactForeignJson, foreignJson, joinedBytes, jsonPieces, largeBytes, ownTurn } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type { RequestBody } from "./OpenRequest.ts"

const utf8 = new TextEncoder()

export const jsonBody = (value: unknown): RequestBody => {
  const bytes = utf8.encode(JSON.stringify(value))
  return { contentType: "application/json", size: bytes.length, chunks: [bytes], isLasting: true }
}

/** The same of JSON of about this many bytes: a large one is written in pieces, between which the event loop runs. */
export const jsonBodyOf = (value: unknown, about: number): Effect.Effect<RequestBody> =>
  about < largeBytes ? Effect.sync(() => jsonBody(value)) : inPieces(value)

const inPieces = Effect.fnUntraced(function* (value: unknown) {
  const pieces = jsonPieces(value)
  const chunks: Array<Uint8Array> = []
  for (;;) {
    const piece = yield* ownTurn(largeBytes, () => Effect.sync(() => pieces.next()))
    if (piece.done === true) break
    chunks.push(utf8.encode(piece.value))
  }
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  return { contentType: "application/json", size, chunks }
})

/** Elements of what a language model answers: a token with its 20 alternatives has some 160 of them. */
export const maxAnswerElements = 4_000_000

/** The value that a text or its bytes are, with all digits of its integers; `undefined` for a text that is no JSON, or too large. */
export const jsonIn = exactForeignJson

/**
 * The same with numbers alone, for values that are read and not passed on: vectors have more digits than anything else. How many they are
 * is bounded by the bytes of the answer.
 */
export const plainJsonIn = (chunks: ReadonlyArray<Uint8Array>): unknown =>
  foreignJson(joinedBytes(chunks), Number.POSITIVE_INFINITY)

/** Bytes as UTF-8. */
export const textIn = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
