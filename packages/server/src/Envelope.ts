/** Errors that are answered before a route is reached, in the envelope of the path's family. Source: docs/reference/http-conventions.md#edges. */
import {
  type Brand,
  compatibleBody,
  compatibleFault,
  compatiblePaths,
  edgeCodes,
  errorHeader,
  isInference
} from "@trunkline/core/provider"

const codes: Readonly<Record<number, readonly [type: string, code: string]>> = {
  400: ["invalid_request_error", "invalid_request"],
  404: ["invalid_request_error", "not_found"],
  405: ["invalid_request_error", "method_not_allowed"],
  408: ["invalid_request_error", "invalid_request"],
  417: ["invalid_request_error", "invalid_request"],
  431: ["invalid_request_error", "invalid_request"],
  500: ["api_error", "internal_error"]
}

const sentences: Readonly<Record<number, string>> = {
  400: "The request could not be read.",
  404: "Not Found",
  405: "This method is not allowed here; the Allow header names those that are.",
  408: "The request took too long to arrive.",
  417: "Only Expect: 100-continue is understood here.",
  431: "The request's headers are too large.",
  500: "Something went wrong on our side. It has been logged under this answer's X-Request-Id."
}

export interface Refusal {
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** The brand's word for messaging finds the paths whose errors have the chat platform's form. */
export const envelopes = ({ channel, headerPrefix }: Brand) => {
  const isCompatible = compatiblePaths(channel)
  return (path: string, status: number, requestId: string): Refusal => {
    const message = sentences[status] ?? sentences[500]!
    const [type, code] = codes[status] ?? codes[500]!
    if (isInference(path)) return { headers: {}, body: { error: { message, type, code, param: null } } }
    const body = isCompatible(path)
      ? compatibleBody(compatibleFault({ status, message, details: message, product: channel }), requestId)
      : { detail: message }
    return { headers: { [errorHeader(headerPrefix)]: edgeCodes[status] ?? code }, body }
  }
}
