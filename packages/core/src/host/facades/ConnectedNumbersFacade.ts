/** Connected numbers, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import {
  type BlockOutcome,
  ConnectedNumbers,
  type NumberProfile,
  type ProfileChange,
  type ShownNumber
} from "../../messaging/channels/index.ts"
import { inboundPathOf } from "../../messaging/inbound/InboundApi.ts"
import type { JsonObject } from "../../messaging/messages/index.ts"
import { type FoundNumber, NumberManagement } from "../../messaging/numbers/index.ts"
import * as NumberManagementApi from "../../messaging/numbers/NumberManagementApi.ts"
import { personOf } from "../../messaging/numbers/NumberManagementHttp.ts"
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

/** What makes a number ready for messages. Source: docs/reference/messaging.md#number-management. */
export interface NumberRegistration {
  /** Six digits. They are stored nowhere here. */
  readonly pin: string
  /** The country in which the platform keeps messages, as two capital letters. Left out or null: where it chooses. */
  readonly dataLocalizationRegion?: string | null
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
  | "platform"
  | "createdAt"
  | "updatedAt"
>

const connection = Arguments.given<NumberConnection>()(
  Schema.Struct(Wire.fromWire(MessagingApi.NumberConnection.fields))
)
const connectionRequest = Arguments.given<ChannelConnectionRequest>()(
  Schema.Struct(Wire.fromWire(MessagingApi.ChannelConnectionRequest.fields))
)
const search = Schema.Struct(Wire.fromWire(NumberManagementApi.DiscoverBody.fields))
const registration = Arguments.given<NumberRegistration>()(
  Schema.Struct(Wire.fromWire(NumberManagementApi.RegistrationBody.fields))
)
const profileChange = Schema.Struct(Wire.fromWire(NumberManagementApi.ProfileChangeBody.fields))
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
  /** The numbers that the platform names for a business account, connected here or not. Stores nothing. */
  readonly discover: (
    accountId: string,
    businessAccount: { readonly businessAccountId: string; readonly accessToken: string },
    options?: CallOptions
  ) => Promise<ReadonlyArray<FoundNumber>>
  /** Asks the platform about a number now, and answers with what it says under `platform`. */
  readonly refresh: (accountId: string, id: string, options?: CallOptions) => Promise<ConnectedNumberRecord>
  /** Registers the number at the platform, so that it can send and receive. */
  readonly register: (
    accountId: string,
    id: string,
    registration: NumberRegistration,
    options?: CallOptions
  ) => Promise<ConnectedNumberRecord>
  /** Ends the registration at the platform. The number stays connected here. */
  readonly deregister: (accountId: string, id: string, options?: CallOptions) => Promise<ConnectedNumberRecord>
  /** Sets the PIN, six digits, that the platform asks for at the next registration. It is stored nowhere here. */
  readonly setPin: (accountId: string, id: string, pin: string, options?: CallOptions) => Promise<void>
  /** What customers see of the business behind the number. */
  readonly profile: (accountId: string, id: string, options?: CallOptions) => Promise<NumberProfile>
  /** Changes the fields of the profile that are there and leaves the others. Answers with the whole. */
  readonly changeProfile: (
    accountId: string,
    id: string,
    change: ProfileChange,
    options?: CallOptions
  ) => Promise<NumberProfile>
  /** The people whom the number has blocked, in the platform's words. */
  readonly blocked: (
    accountId: string,
    id: string,
    query?: { readonly fields?: string; readonly limit?: number; readonly after?: string; readonly before?: string },
    options?: CallOptions
  ) => Promise<JsonObject>
  /** Blocks people: phones, or the platform's ids of them. It blocks only who has written in the last 24 hours. */
  readonly block: (
    accountId: string,
    id: string,
    users: ReadonlyArray<string>,
    options?: CallOptions
  ) => Promise<BlockOutcome>
  /** Lets people write again who were blocked. */
  readonly unblock: (
    accountId: string,
    id: string,
    users: ReadonlyArray<string>,
    options?: CallOptions
  ) => Promise<BlockOutcome>
}

const { accountId, argument, callOptions, options, paged, record } = Arguments

const phoneId = argument("id", Ids.schema<"Phone">())
const pages = paged(MessagingApi.messagingPages)

const shownNumber = (number: ShownNumber): ConnectedNumberRecord => ({
  ...Wire.fromWire(MessagingHttp.numberRecord(number)),
  platform: number.platform
})

const passedQuery = Schema.Struct(Wire.fromWire(MessagingApi.passedPage))
const pin = argument("pin", NumberManagementApi.PinBody.fields.pin)
const users = argument("users", NumberManagementApi.PeopleBody.fields.users)

/** What the platform keeps of connected numbers. */
const managed = (method: Method) => {
  const number = [accountId, phoneId] as const
  return {
    discover: method([accountId, record("businessAccount", search), callOptions], (tenantId, given) =>
      NumberManagement.use((n) =>
        n.discover(tenantId, {
          businessAccountId: given.businessAccountId,
          token: Redacted.make(given.accessToken)
        })
      )
    ),
    refresh: method([...number, callOptions], (tenantId, id) =>
      Effect.map(
        NumberManagement.use((n) => n.refresh(tenantId, id)),
        shownNumber
      )
    ),
    register: method(
      [...number, record("registration", registration), callOptions],
      (tenantId, id, { dataLocalizationRegion, pin }) =>
        Effect.map(
          NumberManagement.use((n) =>
            n.register(tenantId, id, { pin: Redacted.make(pin), region: dataLocalizationRegion ?? null })
          ),
          shownNumber
        )
    ),
    deregister: method([...number, callOptions], (tenantId, id) =>
      Effect.map(
        NumberManagement.use((n) => n.deregister(tenantId, id)),
        shownNumber
      )
    ),
    setPin: method([...number, pin, callOptions], (tenantId, id, given) =>
      NumberManagement.use((n) => n.setPin(tenantId, id, Redacted.make(given)))
    ),
    profile: method([...number, callOptions], (tenantId, id) => NumberManagement.use((n) => n.profile(tenantId, id))),
    changeProfile: method([...number, record("change", profileChange), callOptions], (tenantId, id, change) =>
      NumberManagement.use((n) => n.changeProfile(tenantId, id, change))
    ),
    blocked: method([...number, options(passedQuery, "query"), callOptions], (tenantId, id, query) =>
      NumberManagement.use((n) => n.blocked(tenantId, id, MessagingApi.asTexts(query)))
    ),
    block: method([...number, users, callOptions], (tenantId, id, people) =>
      NumberManagement.use((n) => n.block(tenantId, id, people.map(personOf)))
    ),
    unblock: method([...number, users, callOptions], (tenantId, id, people) =>
      NumberManagement.use((n) => n.unblock(tenantId, id, people.map(personOf)))
    )
  }
}

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
  ...managed(method),
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
