/** The id that a request carries, if the host gave it one. */

import * as Context from "effect/Context"

/** The id of the request that is being answered; the edge knows it. */
export const CurrentRequestId = Context.Reference<string>("@trunkline/core/http/CurrentRequestId", {
  defaultValue: () => ""
})

/** What log lines of a request are annotated with. */
export const requestIdAnnotation = "requestId"

const pattern = /^[\w.:-]{1,128}$/

/** The host's own request id, when it is one that can be echoed; undefined otherwise. Source: docs/http-conventions.md#request-id. */
export const requestIdOf = (headers: Readonly<Record<string, string | undefined>>): string | undefined => {
  const given = headers["x-request-id"]
  return given !== undefined && pattern.test(given) ? given : undefined
}
