/** The events of an answer with `stream_format` `sse`. Pure. Source: docs/reference/speech-synthesis.md#events. */
import * as Base64 from "effect/encoding/Base64"
import type { StorageError } from "../../platform/storage/index.ts"
import { type InferenceRefused, refuse, typeOf } from "../errors/InferenceErrors.ts"

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

export const deltaEvent = (bytes: Uint8Array): string =>
  event({ type: "speech.audio.delta", audio: Base64.encode(bytes) })

export const doneEvent = (characters: number): string => event({ type: "speech.audio.done", usage: { characters } })

/** `failed`: null for a fault of ours. */
export const errorEvent = (failed: InferenceRefused | StorageError | null, requestId: string): string => {
  const { code, detail, param, status } = failed?._tag === "InferenceRefused" ? failed : refuse("internal_error")
  return event({ error: { message: detail, type: typeOf(code, status), code, param, request_id: requestId } })
}
