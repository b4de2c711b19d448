/** The envelope of `/v1/*`, as the OpenAPI document describes it. Source: docs/reference/errors.md#inference. */
import type { ErrorEnvelope } from "../../platform/http/ErrorEnvelope.ts"
import { responsesWith } from "../../platform/http/PlatformEnvelope.ts"

const errorFields = {
  error: "What is wrong",
  message: "What is wrong, in a sentence",
  type: "Kind of error",
  code: "Code of the error, for programs",
  param: "Field that is invalid; null when it is none",
  request_id: "Id of the request, for the operator"
}

export const inferenceEnvelope: ErrorEnvelope = {
  prefix: "Inference",
  bodies: [{ name: "InferenceError", fields: errorFields }],
  responses: responsesWith([
    {
      status: 400,
      name: "BadRequest",
      description: "The request is invalid, or the model does not support it"
    },
    {
      status: 401,
      name: "Unauthorized",
      description: "The API key is missing, unknown, revoked or expired",
      header: "WWW-Authenticate"
    },
    {
      status: 402,
      name: "PaymentRequired",
      description: "The credit balance or the key's budget is too low, or a payment method is missing"
    },
    {
      status: 403,
      name: "Forbidden",
      description: "The account, the key or the plan does not allow the request"
    },
    {
      status: 409,
      name: "Conflict",
      description: "The Idempotency-Key belongs to another request, or its first request still runs"
    },
    {
      status: 422,
      name: "Unprocessable",
      description: "Fields are invalid; the message names every one"
    },
    {
      status: 429,
      name: "TooManyRequests",
      description: "Too many requests in a minute, or the month's quota is used up",
      header: "Retry-After"
    },
    { status: 502, name: "BadGateway", description: "The model failed or cannot be reached" }
  ]),
  // Responses to a key that has a limit have them.
  headers: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
  isPlatform: false
}

/** The same on the messages API. Source: docs/reference/language-models.md. */
export const messagesEnvelope: ErrorEnvelope = {
  ...inferenceEnvelope,
  prefix: "Messages",
  bodies: [{ name: "MessagesError", fields: errorFields }]
}
