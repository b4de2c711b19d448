/** Handlers of the endpoints that channels deliver to. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Api } from "../http/Api.ts"
import { answer, BadRequest, Forbidden, Unauthorized } from "../http/PlatformErrors.ts"
import { rawRequest } from "../http/RawRequest.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import type { ChannelCallbackRefused, ChannelReply } from "./ChatChannel.ts"
import { ChatChannels } from "./ChatChannels.ts"
import { Inbound } from "./Inbound.ts"
import { PlatformMissing } from "./MessagingErrors.ts"

const refusals = { signature: Unauthorized, forbidden: Forbidden, malformed: BadRequest } as const

const refusalOf = ({ detail, reason }: ChannelCallbackRefused) => new refusals[reason]({ detail })

export const layer = (api: Api) =>
  RouteHandlers.group(
    api,
    "inbound",
    Effect.fnUntraced(function* (handlers) {
      const channels = yield* ChatChannels
      const inbound = yield* Inbound

      const receive = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const channel = channels.standard
        if (channel === null) return yield* answer(Effect.fail(new PlatformMissing()))
        const callback = yield* rawRequest(request)
        const { batches, reply } = yield* Effect.mapError(channel.read(callback, null), refusalOf)
        if (batches.length > 0) yield* answer(inbound.receive({ channel: channel.kind, batches }))
        return responseOf(reply)
      })

      return handlers
        .handleRaw("verify", ({ request }) => receive(request))
        .handleRaw("take", ({ request }) => receive(request))
    })
  )

const responseOf = ({ body, headers, status }: ChannelReply): HttpServerResponse.HttpServerResponse =>
  body === ""
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.text(body, { status, headers, contentType: headers["content-type"] ?? "text/plain" })
