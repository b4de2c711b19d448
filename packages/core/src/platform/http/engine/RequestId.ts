/** The id of a request: the host's own, or a new one. */
import * as Context from "effect/Context"

/** The id of the current request. The edge provides it. */
export const CurrentRequestId = Context.Reference<string>("@trunkline/core/platform/http/CurrentRequestId", {
  defaultValue: () => ""
})

/** The annotation of a request's log lines. */
export const requestIdAnnotation = "requestId"

const pattern = /^[\w.:-]{1,128}$/

/** The host's request id if it can be echoed, else undefined. Source: docs/reference/http-conventions.md#request-id. */
export const requestIdOf = (headers: Readonly<Record<string, string | undefined>>): string | undefined => {
  const given = headers["x-request-id"]
  return given !== undefined && pattern.test(given) ? given : undefined
}
