/** A request's exact bytes and target, for checks of a signature over them. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"

export interface RawRequest {
  readonly method: string
  /** Path and query below the mount point. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

export const rawRequest = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<RawRequest> =>
  Effect.map(
    Effect.orElseSucceed(request.arrayBuffer, () => new ArrayBuffer(0)),
    (body) => ({
      method: request.method,
      target: request.url,
      headers: request.headers,
      body: new Uint8Array(body)
    })
  )
