/** Where a request comes from, as sign-ins count it. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { clientAddress, clientOf } from "../http/index.ts"
import type { Visit } from "./SignIn.ts"

export const visitOf = (request: HttpServerRequest.HttpServerRequest): Visit => {
  const address = clientAddress(request)
  return { client: clientOf(address), address, userAgent: request.headers["user-agent"] }
}
