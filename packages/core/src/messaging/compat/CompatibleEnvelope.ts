/** The envelope of the compatible send, as the OpenAPI document describes it. Source: docs/reference/errors.md#compatible-send. */
import type { ErrorEnvelope } from "../../platform/http/ErrorEnvelope.ts"
import { responsesWith } from "../../platform/http/PlatformEnvelope.ts"
import {
  CompatibleBadGateway,
  CompatibleBadRequest,
  CompatibleForbidden,
  CompatibleNotFound,
  CompatibleTooMany,
  CompatibleUnauthorized,
  CompatibleUnavailable
} from "./CompatibleAnswers.ts"

export const compatibleEnvelope: ErrorEnvelope = {
  prefix: "Compatible",
  bodies: [
    {
      name: "CompatibleError",
      classes: [
        CompatibleBadRequest,
        CompatibleUnauthorized,
        CompatibleForbidden,
        CompatibleNotFound,
        CompatibleTooMany,
        CompatibleBadGateway,
        CompatibleUnavailable
      ],
      fields: {
        error: "What is wrong",
        message: "What is wrong, in a sentence",
        type: "Kind of error",
        code: "The chat platform's code of the error",
        error_subcode: "The chat platform's further code",
        error_data: "More about the error",
        details: "What to do, in a sentence",
        messaging_product: "Product of the message",
        fbtrace_id: "Id of the request, for the operator"
      }
    }
  ],
  responses: responsesWith([
    {
      status: 400,
      name: "BadRequest",
      description: "The body or the number is invalid, or the 24-hour window is closed"
    },
    { status: 404, name: "NotFound", description: "The chat platform does not know an id in the message" },
    {
      status: 409,
      name: "Conflict",
      description: "The Idempotency-Key is another request's, or its first request runs"
    },
    // The chat platform does not always say how long to wait.
    {
      status: 429,
      name: "TooManyRequests",
      description: "Too many requests from this address, or too many for the chat platform"
    },
    { status: 502, name: "BadGateway", description: "The chat platform failed" },
    { status: 503, name: "Unavailable", description: "The chat platform or the storage cannot be reached" }
  ]),
  headers: [],
  isPlatform: true
}
