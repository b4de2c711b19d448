/** The notice that an account in its grace period gets with whatever costs credits. Source: docs/reference/credits.md#rule. */
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Account, paymentNotice } from "../accounts/index.ts"

/** Puts the notice on the answer, if that is a success and there is a notice. */
export const withNotice = (
  account: Account,
  headerPrefix: string
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> => {
  const notice = paymentNotice(account)
  if (notice === null) return Effect.void
  const name = `${headerPrefix}Notice`.toLowerCase()
  return HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(response.status >= 400 ? response : HttpServerResponse.setHeader(response, name, notice))
  )
}
