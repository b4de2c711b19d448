/** An unknown route's answer, in the envelope of its path's family. */
export const envelopeOf = (path: string): object =>
  path.startsWith("/v1/")
    ? { error: { message: "Not Found", type: "invalid_request_error", code: "not_found" } }
    : { detail: "Not Found" }
