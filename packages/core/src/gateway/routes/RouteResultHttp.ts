/** The result of an inference route as an HTTP response. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type StoredResponse, storedBody, type WrittenResponse } from "../../platform/idempotency/index.ts"
import type { RouteResult } from "../run/RunOnce.ts"

const eventStream = "text/event-stream"

/** Neither a cache, nor a host's compression, nor a proxy holds events back. */
const unheld = { "cache-control": "no-cache, no-transform", "x-accel-buffering": "no" } as const

/** `headerPrefix` is the brand's, of headers that belong to the response. */
export const encodeResult = (
  { isReplayed, response }: RouteResult<WrittenResponse>,
  headerPrefix: string
): HttpServerResponse.HttpServerResponse => {
  const body = storedBody(response)
  const options = {
    status: response.status,
    contentType: response.contentType,
    headers: {
      ...encodeHeaders(response, headerPrefix),
      ...(isReplayed ? { "idempotent-replayed": "true" } : {})
    }
  }
  return typeof body === "string"
    ? HttpServerResponse.text(body, options)
    : HttpServerResponse.uint8Array(body, options)
}

/** Headers of a response that is sent whole or as it comes. */
export const encodeHeaders = (
  { contentType, headers }: Pick<StoredResponse, "contentType" | "headers">,
  headerPrefix: string
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`${headerPrefix}${name}`.toLowerCase(), value])
  ),
  ...(contentType === eventStream ? unheld : {})
})
