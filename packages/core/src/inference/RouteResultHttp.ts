/** The result of an inference route as an HTTP response. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { RouteResult } from "./InferenceRoutes.ts"

const eventStream = "text/event-stream"

/** `headerPrefix` is the brand's, of headers that belong to the response. */
export const encodeResult = (
  { isReplayed, response }: RouteResult,
  headerPrefix: string
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(response.body, {
    status: response.status,
    contentType: response.contentType,
    headers: {
      ...Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [`${headerPrefix}${name}`.toLowerCase(), value])
      ),
      ...(response.contentType === eventStream ? { "cache-control": "no-cache" } : {}),
      ...(isReplayed ? { "idempotent-replayed": "true" } : {})
    }
  })
