/** Errors that the edge makes below `/v1/*`, in the envelope of that family. Source: docs/reference/http-conventions.md#edges. */
import type { EdgeFamily } from "../../platform/room/index.ts"
import { refusal } from "./InferenceAnswers.ts"
import { type InferenceCode, refuse } from "./InferenceErrors.ts"
import { contractPath, isInference, isMessages, patternsOf } from "./InferencePath.ts"

const codes: Readonly<Record<number, InferenceCode>> = {
  400: "invalid_request",
  404: "not_found",
  405: "method_not_allowed",
  408: "invalid_request",
  413: "file_too_large",
  415: "invalid_request",
  426: "invalid_request",
  429: "rate_limit_exceeded",
  503: "service_unavailable"
}

const noHeaders = {}

export const inferenceEdge = (): EdgeFamily => ({
  owns: isInference,
  answer: ({ message, path, requestId, status }) =>
    refusal(refuse(codes[status] ?? "internal_error", { status, message }), { path, requestId }),
  // Clients of the messages API read the id of a request there.
  headers: ({ path, requestId }) => (isMessages(path) ? { "request-id": requestId } : noHeaders),
  // JSON bodies of inference hold images and long conversations.
  jsonBodyBytes: 32 * 1024 * 1024,
  contractPath,
  patterns: patternsOf
})
