/** Handlers of the endpoints that channels deliver to. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers, rawRequest, unproven } from "../../platform/http/index.ts"
import { answering, BadRequest, Forbidden, NotFound, Unauthorized } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { movingErrors } from "../../platform/moving/index.ts"
import { Storage, storageErrors } from "../../platform/storage/index.ts"
import type { ChannelCallback, ChannelReply } from "../channels/ChannelCallback.ts"
import type { ChannelCallbackRefused, ChatChannel } from "../channels/ChatChannel.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import { ConnectedNumbers } from "../channels/ConnectedNumbers.ts"
import { messagingErrors, PlatformMissing } from "../channels/MessagingErrors.ts"
import { Outgoing, type Sender } from "../sending/Outgoing.ts"
import { Inbound } from "./Inbound.ts"
import { inboundGroup } from "./InboundApi.ts"
import { makeTranscripts } from "./Transcripts.ts"

const answer = answering({ ...messagingErrors, ...movingErrors, ...storageErrors })

const refusals = { signature: Unauthorized, forbidden: Forbidden, malformed: BadRequest } as const

const refusalOf = ({ detail, reason }: ChannelCallbackRefused) => new refusals[reason]({ detail })

/** A callback whose body is not read yet. */
interface Received extends Pick<ChannelCallback, "resource"> {
  readonly request: HttpServerRequest.HttpServerRequest
}

/** Where a callback came in. */
interface Address {
  readonly kind: string
  readonly connection: string
  readonly resource?: string
}

export const layer = (brand: Pick<Brand, "channel">) =>
  RouteHandlers.group(
    contract.add(inboundGroup(brand)),
    "inbound",
    Effect.fnUntraced(function* (handlers) {
      const channels = yield* ChatChannels
      const inbound = yield* Inbound
      const numbers = yield* ConnectedNumbers
      const outgoing = yield* Outgoing
      const storage = yield* Storage
      const transcripts = yield* makeTranscripts

      /** Stores what a callback has brought, and makes its reply. */
      const handle = Effect.fnUntraced(function* (
        channel: ChatChannel["Service"],
        sender: Sender | null,
        { request, resource }: Received
      ) {
        const { callbacks = {} } = channel.traits
        const fault = unproven(request, callbacks)
        if (fault !== null) return yield* new Unauthorized({ detail: fault })
        const callback: ChannelCallback = { ...(yield* rawRequest(request, callbacks)), resource }
        const read = channel.read(callback, sender?.connection ?? null)
        const { accounts = [], batches, reply } = yield* Effect.mapError(read, refusalOf)
        if (batches.length + accounts.length > 0) {
          yield* answer(inbound.receive({ channel: channel.kind, batches, accounts }))
        }
        if (!("render" in reply)) return responseOf(reply)
        if (sender === null) return yield* Effect.die(`the channel "${channel.kind}" renders nobody's conversation`)
        const { limit, render, userId } = reply
        return responseOf(render(yield* answer(transcripts.read({ phoneId: sender.number.id, userId, limit }))))
      })

      const standard = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        if (channels.standard === null) return yield* answer(Effect.fail(new PlatformMissing()))
        return yield* handle(channels.standard, null, { request, resource: null })
      })

      const connection = Effect.fnUntraced(function* (
        request: HttpServerRequest.HttpServerRequest,
        { connection, kind, resource }: Address
      ) {
        const channel = channels.find(kind)
        const number = yield* answer(storage.read(numbers.connected(`${kind}:${connection}`)))
        if (channel === null || number?.channel !== kind) return yield* new NotFound({ detail: "Not Found" })
        return yield* handle(channel, yield* outgoing.senderOf(number), { request, resource: resource ?? null })
      })

      return handlers
        .handleRaw("verify", ({ request }) => standard(request))
        .handleRaw("take", ({ request }) => standard(request))
        .handleRaw("receive", ({ params, request }) => connection(request, params))
        .handleRaw("read", ({ params, request }) => connection(request, params))
        .handleRaw("write", ({ params, request }) => connection(request, params))
    })
  )

const responseOf = ({ body, headers, status }: ChannelReply): HttpServerResponse.HttpServerResponse =>
  body === ""
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.text(body, { status, headers, contentType: headers["content-type"] ?? "text/plain" })
