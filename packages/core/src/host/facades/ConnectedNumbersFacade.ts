/** Connected numbers, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { ConnectedNumbers, type ShownNumber } from "../../messaging/channels/index.ts"
import { inboundPathOf } from "../../messaging/inbound/InboundApi.ts"
import type { JsonObject } from "../../messaging/messages/index.ts"
import * as MessagingApi from "../../messaging/routes/MessagingApi.ts"
import * as MessagingHttp from "../../messaging/routes/MessagingHttp.ts"
import { Ids, type Paged, Wire } from "../../platform/kernel/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount, type PageOptions, shownPage } from "../Facade.ts"

/** Source: docs/reference/messaging.md#numbers. */
export interface NumberConnection {
  /** The platform's id of the number. */
  readonly phoneNumberId: string
  /** The business account that the number belongs to, by the platform's id. */
  readonly businessAccountId: string
  /** The token with which the platform is called for this number. It is stored encrypted and never shown. */
  readonly accessToken: string
  /** The number as people read it. */
  readonly displayPhoneNumber?: string | null
}

/** What connects a number of a channel that identifies it by itself. Source: docs/reference/messaging.md#channels. */
export interface ChannelConnectionRequest {
  /** The token of the channel, where it has one. It is stored encrypted and never shown. */
  readonly accessToken?: string | null
  /** As the channel needs them. */
  readonly settings?: JsonObject | null
}

/** A connected number, without its token. Source: docs/reference/messaging.md#numbers. */
export type ConnectedNumberRecord = Pick<
  ShownNumber,
  | "id"
  | "channel"
  | "phoneNumberId"
  | "businessAccountId"
  | "displayPhoneNumber"
  | "botId"
  | "aiAutoreplyEnabled"
  | "createdAt"
  | "updatedAt"
>

const connection = Arguments.given<NumberConnection>()(
  Schema.Struct(Wire.fromWire(MessagingApi.NumberConnection.fields))
)
const connectionRequest = Arguments.given<ChannelConnectionRequest>()(
  Schema.Struct(Wire.fromWire(MessagingApi.ChannelConnectionRequest.fields))
)
const numberChange = Schema.Struct(Wire.fromWire(MessagingApi.ConnectedNumberChange.fields))

/** Source: docs/reference/messaging.md#numbers. */
export interface ConnectedNumbersFacade {
  /** Asks the platform for the account's events, and connects the number; again, it replaces the token. */
  readonly connect: (
    accountId: string,
    number: NumberConnection,
    options?: CallOptions
  ) => Promise<ConnectedNumberRecord>
  /** The same for a channel that says by itself whose credentials these are, such as `telegram`. */
  readonly connectTo: (
    accountId: string,
    channel: string,
    request: ChannelConnectionRequest,
    options?: CallOptions
  ) => Promise<ConnectedNumberRecord>
  /** One connected number. Throws `connected_number_not_found` where the account has no such number. */
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<ConnectedNumberRecord>
  /** Newest first. */
  readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<ConnectedNumberRecord>>
  /** Changes the fields that are there and leaves the others, such as the agent that answers. */
  readonly change: (
    accountId: string,
    id: string,
    change: { readonly aiAutoreplyEnabled?: boolean },
    options?: CallOptions
  ) => Promise<ConnectedNumberRecord>
  /** Disconnects a number: nothing is answered or sent any more, and its conversations stay. */
  readonly disconnect: (accountId: string, id: string, options?: CallOptions) => Promise<void>
  /** Null for no agent. */
  readonly linkBot: (
    accountId: string,
    id: string,
    botId: string | null,
    options?: CallOptions
  ) => Promise<ConnectedNumberRecord>
}

const { accountId, argument, callOptions, paged, record } = Arguments

const phoneId = argument("id", Ids.schema<"Phone">())
const pages = paged(MessagingApi.messagingPages)

const shownNumber = (number: ShownNumber): ConnectedNumberRecord => Wire.fromWire(MessagingHttp.numberRecord(number))

const connectTo = (method: Method, channelWord: string): ConnectedNumbersFacade["connectTo"] =>
  method(
    [accountId, argument("channel", MessagingApi.ChannelKind), record("request", connectionRequest), callOptions],
    (tenantId, channel, { accessToken, settings }) =>
      ofAccount(
        tenantId,
        Effect.map(
          ConnectedNumbers.use((n) =>
            n.connectTo(tenantId, {
              channel,
              credentials: accessToken === undefined || accessToken === null ? null : Redacted.make(accessToken),
              settings: settings ?? {},
              inboundPath: inboundPathOf(channelWord, channel)
            })
          ),
          ({ number }) => shownNumber(number)
        )
      )
  )

export const connectedNumbersFacade = (method: Method, channelWord: string): ConnectedNumbersFacade => ({
  connect: method(
    [accountId, record("number", connection), callOptions],
    (tenantId, { accessToken, displayPhoneNumber, ...number }) =>
      ofAccount(
        tenantId,
        Effect.map(
          ConnectedNumbers.use((n) =>
            n.connect(tenantId, {
              ...number,
              displayPhoneNumber: displayPhoneNumber ?? null,
              token: Redacted.make(accessToken),
              inboundPath: inboundPathOf(channelWord)
            })
          ),
          ({ number }) => shownNumber(number)
        )
      )
  ),
  connectTo: connectTo(method, channelWord),
  get: method([accountId, phoneId, callOptions], (tenantId, id) =>
    Effect.map(
      ConnectedNumbers.use((n) => n.get(tenantId, id)),
      shownNumber
    )
  ),
  list: method([accountId, pages], (tenantId, page) =>
    Effect.map(
      ConnectedNumbers.use((n) => n.list(tenantId, page)),
      shownPage(shownNumber)
    )
  ),
  change: method([accountId, phoneId, record("change", numberChange), callOptions], (tenantId, id, change) =>
    Effect.map(
      ConnectedNumbers.use((n) => n.change(tenantId, id, change)),
      shownNumber
    )
  ),
  disconnect: method([accountId, phoneId, callOptions], (tenantId, id) =>
    ConnectedNumbers.use((n) => n.disconnect(tenantId, id))
  ),
  linkBot: method(
    [accountId, phoneId, argument("botId", Schema.NullOr(Ids.schema<"Bot">())), callOptions],
    (tenantId, id, botId) =>
      Effect.map(
        ConnectedNumbers.use((n) => n.linkBot(tenantId, id, botId)),
        shownNumber
      )
  )
})
