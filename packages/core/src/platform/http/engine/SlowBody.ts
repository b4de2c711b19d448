/** A body that does not come: the defect of a request whose client has stopped sending. Source: docs/reference/http-conventions.md#slow-bodies. */
import * as Effect from "effect/Effect"
import * as HttpServerRespondable from "effect/http/HttpServerRespondable"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** The edge answers it with 408, in the envelope of the path's family. */
export class SlowBody extends Error {
  override readonly name = "SlowBody"

  constructor() {
    super("the request's body does not come")
  }

  [HttpServerRespondable.symbol]() {
    return Effect.succeed(HttpServerResponse.empty({ status: 408 }))
  }
}
