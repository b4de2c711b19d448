/** Handlers of the endpoints that channels deliver to. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { answering, BadRequest, Forbidden, Unauthorized } from "../http/PlatformErrors.ts"
import { rawRequest } from "../http/RawRequest.ts"
import { contract } from "../http/RoomContract.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import type { Brand } from "../kernel/index.ts"
import { storageErrors } from "../storage/index.ts"
import type { ChannelCallbackRefused, ChannelReply } from "./ChatChannel.ts"
import { ChatChannels } from "./ChatChannels.ts"
import { Inbound } from "./Inbound.ts"
import { inboundGroup } from "./InboundApi.ts"
import { PlatformMissing } from "./MessagingErrors.ts"
import { messagingErrors } from "./MessagingErrorTable.ts"

const answer = answering({ ...messagingErrors, ...storageErrors })

const refusals = { signature: Unauthorized, forbidden: Forbidden, malformed: BadRequest } as const

const refusalOf = ({ detail, reason }: ChannelCallbackRefused) => new refusals[reason]({ detail })

export const layer = (brand: Pick<Brand, "channel">) =>
  RouteHandlers.group(
    contract.add(inboundGroup(brand)),
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
