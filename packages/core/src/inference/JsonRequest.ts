/** A request in JSON as every route of `/v1/*` with such a body looks at it. Pure. Source: docs/gateway.md#order. */
import * as Effect from "effect/Effect"
import { isWritableJson, jsonPieces, ownTurn, sha256Stream } from "../kernel/index.ts"
import type { Json } from "./GenerateWork.ts"
import { type InferenceRefused, refuse } from "./InferenceErrors.ts"
import type { Model } from "./Model.ts"

const utf8 = new TextEncoder()

export interface JsonRequest {
  /** Without fields that are null: null stands for an absent field. */
  readonly body: Json
  /** Of the body as it was received. */
  readonly bytes: number
}

export const withoutNullFields = (body: Json): Json =>
  Object.values(body).includes(null)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body

/** Refuses JSON that no upstream could be sent; null for every other. */
export const unwritableRefusal = (body: unknown): InferenceRefused | null =>
  isWritableJson(body)
    ? null
    : refuse("invalid_request", { message: "The body is nested too deeply, or has a number that is out of range." })

/** Of route and JSON, however it was written. A large body is read piece by piece, between which the event loop runs. */
export const jsonFingerprint = Effect.fnUntraced(function* (route: string, { body, bytes }: JsonRequest) {
  const pieces = jsonPieces([route, body], true)
  const digest = sha256Stream()
  for (;;) {
    const piece = yield* ownTurn(bytes, () => Effect.sync(() => pieces.next()))
    if (piece.done === true) return digest.end()
    digest.update(utf8.encode(piece.value))
  }
})

/** Refuses a body of more bytes than the model accepts; null where it accepts them. */
export const bytesRefusal = (
  { bytes }: Pick<JsonRequest, "bytes">,
  { limits }: Pick<Model, "limits">
): InferenceRefused | null =>
  limits.bytes === null || bytes <= limits.bytes
    ? null
    : refuse("file_too_large", {
        message: `The request has more than the ${limits.bytes} bytes that this model accepts.`
      })
