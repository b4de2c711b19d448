/** What makes two requests in JSON the same, however they were written. */
import * as Effect from "effect/Effect"
import { jsonPieces, ownTurn, sha256Stream } from "../kernel/index.ts"

const utf8 = new TextEncoder()

/** Of what was read from few bytes, at once. */
export const smallFingerprintOf = (asked: ReadonlyArray<unknown>): string => {
  const digest = sha256Stream()
  for (const piece of jsonPieces(asked, true)) digest.update(utf8.encode(piece))
  return digest.end()
}

/** Of all that is asked for. What was read from many bytes is written piece by piece, between which the event loop runs. */
export const fingerprintOf = Effect.fnUntraced(function* (asked: ReadonlyArray<unknown>, bytes: number) {
  const pieces = jsonPieces(asked, true)
  const digest = sha256Stream()
  for (;;) {
    const piece = yield* ownTurn(bytes, () => Effect.sync(() => pieces.next()))
    if (piece.done === true) return digest.end()
    digest.update(utf8.encode(piece.value))
  }
})
