/** A response of the HTTP edge as the refusal of a handshake. */
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { SocketRefused } from "../room/index.ts"

const decoder = new TextDecoder()

/** Responses to handshakes are short texts that stand in memory. */
export const refusedWith = (response: HttpServerResponse.HttpServerResponse, requestId: string): SocketRefused => {
  const { body } = response
  return {
    _tag: "Refused",
    status: response.status,
    headers: {
      ...response.headers,
      ...(body._tag === "Uint8Array" ? { "content-type": body.contentType } : {}),
      ...(response.status === 401 ? { "www-authenticate": "Bearer" } : {}),
      "x-request-id": requestId
    },
    body: body._tag === "Uint8Array" ? decoder.decode(body.body) : ""
  }
}
