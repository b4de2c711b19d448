/** The events with which a stream ends that breaks. Pure. Source: docs/reference/language-models.md#streams. */

import type { StorageError } from "../../platform/storage/index.ts"
import { type InferenceRefused, refuse, typeOf } from "../errors/InferenceErrors.ts"
import type { StreamPosition } from "./LlmOutlet.ts"
import { failedEvents } from "./responses/ResponsesObject.ts"
import type { LlmApi, LlmEvent } from "./translate/Translation.ts"

/** `failed`: null for a fault of ours. */
export const errorEvents = (
  api: LlmApi,
  failed: InferenceRefused | StorageError | null,
  requestId: string,
  { nextSequenceNumber, response }: StreamPosition
): ReadonlyArray<LlmEvent> => {
  const refused = failed?._tag === "InferenceRefused" ? failed : refuse("internal_error")
  const { code, detail, param, status } = refused
  const error = { message: detail, type: typeOf(code, status), code, param, request_id: requestId }
  switch (api) {
    case "chat_completions":
      return [{ event: null, data: { error } }]
    case "messages":
      return [{ event: "error", data: { type: "error", error, request_id: requestId } }]
    case "responses":
      return failedEvents(response, { code, message: detail, param }, nextSequenceNumber)
  }
}
