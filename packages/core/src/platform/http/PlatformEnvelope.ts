/** The envelope of `/api/v1/*`: `{ detail }`. Source: docs/reference/errors.md. */
import * as Context from "effect/Context"
import type { ErrorBody, ErrorEnvelope, ErrorResponse } from "./ErrorEnvelope.ts"
import {
  BadGateway,
  BadRequest,
  Conflict,
  Forbidden,
  NotFound,
  PaymentRequired,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  Unprocessable,
  UnprocessableReason,
  UnprocessableSentence
} from "./PlatformErrors.ts"

const sentence = "What is wrong, in a sentence"

const bodies: ReadonlyArray<ErrorBody> = [
  {
    name: "Error",
    classes: [
      BadRequest,
      Unauthorized,
      PaymentRequired,
      Forbidden,
      NotFound,
      Conflict,
      TooManyRequests,
      BadGateway,
      Unavailable,
      UnprocessableSentence
    ],
    fields: { detail: sentence }
  },
  {
    name: "FieldErrors",
    classes: [Unprocessable],
    fields: {
      detail: "Every invalid field",
      loc: "Where the field is: `body`, `query`, `path` or `header`, then its name",
      msg: sentence,
      type: "Kind of fault, for programs"
    }
  },
  {
    name: "ReasonedError",
    classes: [UnprocessableReason],
    fields: { detail: "What is wrong", reason: "Reason, for programs", error: sentence }
  }
]

/** What the statuses mean, those of the edges included. Other families of routes may mean the same. */
const platformResponses: ReadonlyArray<ErrorResponse> = [
  {
    status: 400,
    name: "BadRequest",
    description: "The path does not decode, or the request cannot be done; `detail` says why"
  },
  {
    status: 401,
    name: "Unauthorized",
    description: "The request has no valid API key or token",
    header: "WWW-Authenticate"
  },
  {
    status: 402,
    name: "PaymentRequired",
    description: "The credit balance is too low, or a payment method is missing"
  },
  {
    status: 403,
    name: "Forbidden",
    description: "The account is not active or has moved, or the caller lacks a scope or role"
  },
  { status: 404, name: "NotFound", description: "The resource does not exist, or belongs to another account" },
  { status: 405, name: "MethodNotAllowed", description: "The path does not have this method", header: "Allow" },
  { status: 409, name: "Conflict", description: "The present state does not allow the request" },
  { status: 413, name: "BodyTooLarge", description: "The body is larger than allowed" },
  { status: 415, name: "UnsupportedMediaType", description: "The content type of the body is not supported" },
  {
    status: 422,
    name: "Unprocessable",
    description: "Fields are invalid; `detail` lists every one",
    bodies: ["FieldErrors"]
  },
  {
    status: 422,
    name: "UnprocessableWithReason",
    description: "Fields are invalid, or `detail` has a code for the reason",
    bodies: ["FieldErrors", "ReasonedError"]
  },
  {
    status: 422,
    name: "UnprocessableOrRefused",
    description: "Fields are invalid, or the request cannot be done; `detail` says why",
    bodies: ["FieldErrors", "Error"]
  },
  {
    status: 429,
    name: "TooManyRequests",
    description: "Too many requests from this address, or too many messages for the chat platform",
    header: "Retry-After"
  },
  {
    status: 500,
    name: "InternalError",
    description: "The service failed; its log has the cause under the request id"
  },
  { status: 502, name: "BadGateway", description: "The chat platform failed or cannot be reached" },
  {
    status: 503,
    name: "Unavailable",
    description: "The service is shutting down, cannot reach its storage, has no chat platform, or moves the account"
  }
]

const platformEnvelope: ErrorEnvelope = {
  prefix: "",
  bodies,
  responses: platformResponses,
  headers: [],
  isPlatform: true
}

/** The envelope of a group's errors. */
export const Envelope = Context.Reference<ErrorEnvelope>("@trunkline/core/platform/http/Envelope", {
  defaultValue: () => platformEnvelope
})

/** The platform's responses, with those that mean something else. All have the first body of their own envelope. */
export const responsesWith = (others: ReadonlyArray<ErrorResponse>): ReadonlyArray<ErrorResponse> => [
  ...platformResponses
    .filter(({ bodies, status }) => bodies === undefined && others.every((other) => other.status !== status))
    .map(({ bodies: _, ...response }) => response),
  ...others
]
