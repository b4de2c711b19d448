/** The notice that an account in its grace period gets with every answer that costs credits. Source: docs/reference/credits.md#rule. */
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Account, paymentNotice } from "../accounts/index.ts"

/** The header of the notice, of an answer that is a success; none where there is no notice. */
export const noticeHeaders = (account: Account, headerPrefix: string): Readonly<Record<string, string>> => {
  const notice = paymentNotice(account)
  return notice === null ? {} : { [`${headerPrefix}Notice`.toLowerCase()]: notice }
}

/** Puts the notice on the answer, if that is a success and there is a notice. */
export const withNotice = (
  account: Account,
  headerPrefix: string
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> => {
  const headers = noticeHeaders(account, headerPrefix)
  if (Object.keys(headers).length === 0) return Effect.void
  return HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(response.status >= 400 ? response : HttpServerResponse.setHeaders(response, headers))
  )
}
