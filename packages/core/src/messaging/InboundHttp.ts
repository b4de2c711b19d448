/** Handlers of the endpoint that the platform delivers to. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Redacted from "effect/Redacted"
import type { Api } from "../http/Api.ts"
import { answer, BadRequest, Forbidden, Unauthorized } from "../http/PlatformErrors.ts"
import { rawRequest } from "../http/RawRequest.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import { Inbound } from "./Inbound.ts"
import { decodeInbound, type InboundChange } from "./InboundEnvelope.ts"
import { sameSecret, verifyInbound } from "./InboundSignature.ts"
import { MessagingSettings } from "./MessagingSettings.ts"

const unsigned = new Unauthorized({
  detail: "The delivery is not signed with this installation's app secret (X-Hub-Signature-256). Nothing was stored."
})

const mode = "subscribe"

export const layer = (api: Api) =>
  RouteHandlers.group(
    api,
    "inbound",
    Effect.fnUntraced(function* (handlers) {
      const inbound = yield* Inbound
      const { appSecret, verifyToken } = yield* MessagingSettings
      return handlers
        .handle(
          "verify",
          Effect.fnUntraced(function* ({ query }) {
            const challenge = query["hub.challenge"]
            const token = query["hub.verify_token"]
            if (query["hub.mode"] !== mode || challenge === undefined || token === undefined) {
              return yield* new BadRequest({
                detail: "hub.mode=subscribe, hub.verify_token and hub.challenge are needed"
              })
            }
            if (verifyToken === null || !sameSecret(Redacted.value(verifyToken), token)) {
              return yield* new Forbidden({ detail: "The verify token is not this installation's" })
            }
            return challenge
          })
        )
        .handleRaw(
          "take",
          Effect.fnUntraced(function* ({ request }) {
            const { body, headers } = yield* rawRequest(request)
            const secret = appSecret === null ? "" : Redacted.value(appSecret)
            if (!verifyInbound(secret, headers["x-hub-signature-256"], body)) return yield* unsigned
            const changes = changesOf(body)
            if (changes === null) return yield* new BadRequest({ detail: "The delivery is not JSON" })
            yield* answer(inbound.take(changes))
            return HttpServerResponse.empty({ status: 200 })
          })
        )
    })
  )

const changesOf = (body: Uint8Array): ReadonlyArray<InboundChange> | null => {
  try {
    return decodeInbound(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    return null
  }
}
