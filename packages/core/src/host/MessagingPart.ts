/** The chat channel, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Fields from "../http/Fields.ts"
import { Ids, type Paged, Wire } from "../kernel/index.ts"
import { inboundPathOf } from "../messaging/InboundApi.ts"
import {
  type ChannelFile,
  ConnectedNumbers,
  type ContentType,
  type Conversation,
  Conversations,
  type ConversationView,
  contentTypes,
  digitsOf,
  type JsonObject,
  LetterRefused,
  type Message,
  type MessageError,
  maxBytesOf,
  type NativeMessage,
  NativeSend,
  type NativeSent,
  PlatformFiles,
  type ShownNumber,
  type ShownStatus
} from "../messaging/index.ts"
import * as MessagingApi from "../messaging/MessagingApi.ts"
import * as MessagingHttp from "../messaging/MessagingHttp.ts"
import * as Arguments from "./Arguments.ts"
import { type CallOptions, type Method, ofAccount, type PageOptions, shownPage } from "./Part.ts"

/** Source: docs/messaging.md#numbers. */
export interface NumberConnection {
  /** The platform's id of the number. */
  readonly phoneNumberId: string
  readonly businessAccountId: string
  readonly accessToken: string
  readonly displayPhoneNumber?: string | null
}

/** What connects a number of a channel that identifies it by itself. Source: docs/messaging.md#channels. */
export interface ChannelConnectionRequest {
  readonly accessToken?: string | null
  /** As the channel needs them. */
  readonly settings?: JsonObject | null
}

/** Filters and page of a list of templates, in the platform's names. Source: docs/messaging.md#templates. */
export interface TemplatesQuery {
  readonly fields?: string
  readonly name?: string
  readonly language?: string
  readonly status?: string
  readonly category?: string
  readonly limit?: number
  readonly after?: string
  readonly before?: string
}

const connection = Arguments.given<NumberConnection>()(
  Schema.Struct(Wire.fromWire(MessagingApi.NumberConnection.fields))
)
const connectionRequest = Arguments.given<ChannelConnectionRequest>()(
  Schema.Struct(Wire.fromWire(MessagingApi.ChannelConnectionRequest.fields))
)
const numberChange = Schema.Struct(Wire.fromWire(MessagingApi.ConnectedNumberChange.fields))
const templatesQuery = Arguments.given<TemplatesQuery>()(Schema.Struct(Wire.fromWire(MessagingApi.templatesQuery)))

/** A connected number, without its token. Source: docs/messaging.md#numbers. */
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

/** Source: docs/messaging.md#conversations. */
export interface ConversationRecord
  extends Pick<
    ConversationView,
    | "id"
    | "phoneId"
    | "phoneNumberId"
    | "phone"
    | "name"
    | "botId"
    | "aiAutoreplyEnabled"
    | "status"
    | "windowExpiresAt"
    | "lastMessageAt"
    | "createdAt"
  > {
  readonly userId: string | null
}

/** A message as it is shown. Source: docs/messaging.md#message. */
export interface MessageRecord
  extends Pick<Message, "id" | "msgid" | "conversationId" | "direction" | "role" | "type" | "text" | "createdAt"> {
  /** The object that the type names. */
  readonly content: JsonObject
  readonly status: ShownStatus
  readonly error: MessageError | null
  /** The platform's id of the message that it answers. */
  readonly answers: string | null
}

export interface OutgoingMessage {
  /** The platform's id of a connected number. */
  readonly phoneNumberId: string
  /** An international number, however it is punctuated. */
  readonly to?: string | null
  /** Instead of it: the customer as conversations and events say. */
  readonly userId?: string | null
  /** Default `text`. */
  readonly type?: ContentType | null
  /** What stands under the type's name, in the platform's words; a text may be given by itself. */
  readonly content: unknown
  /** The platform's id of the message that it answers. */
  readonly answers?: string | null
}

/** Source: docs/messaging.md#numbers and what follows. */
export interface MessagingPart {
  readonly numbers: {
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
    readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<ConnectedNumberRecord>
    /** Newest first. */
    readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<ConnectedNumberRecord>>
    readonly change: (
      accountId: string,
      id: string,
      change: { readonly aiAutoreplyEnabled?: boolean },
      options?: CallOptions
    ) => Promise<ConnectedNumberRecord>
    readonly disconnect: (accountId: string, id: string, options?: CallOptions) => Promise<void>
    /** Null for no agent. */
    readonly linkBot: (
      accountId: string,
      id: string,
      botId: string | null,
      options?: CallOptions
    ) => Promise<ConnectedNumberRecord>
  }
  readonly conversations: {
    readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<ConversationRecord>
    /** The one with the latest message first. */
    readonly list: (
      accountId: string,
      options?: PageOptions & { readonly phoneId?: string; readonly status?: Conversation["status"] }
    ) => Promise<Paged<ConversationRecord>>
    /** Newest first. */
    readonly messages: (accountId: string, id: string, options?: PageOptions) => Promise<Paged<MessageRecord>>
    /** A person takes it over, or gives it back. */
    readonly setAutoReply: (
      accountId: string,
      id: string,
      isEnabled: boolean,
      options?: CallOptions
    ) => Promise<ConversationRecord>
  }
  /** Sends a message; a long text goes out in parts. Rejects with `window_closed` (422) outside the window. */
  readonly send: (accountId: string, message: OutgoingMessage, options?: CallOptions) => Promise<NativeSent>
  readonly files: {
    /** Answers the platform's id of the file. */
    readonly upload: (
      accountId: string,
      phoneNumberId: string,
      file: { readonly contentType: string; readonly fileName: string; readonly bytes: Uint8Array },
      options?: CallOptions
    ) => Promise<string>
    readonly get: (
      accountId: string,
      phoneNumberId: string,
      mediaId: string,
      options?: CallOptions
    ) => Promise<ChannelFile>
  }
  /** In the platform's words, in both directions. */
  readonly templates: {
    readonly read: (
      accountId: string,
      phoneNumberId: string,
      query?: TemplatesQuery,
      options?: CallOptions
    ) => Promise<JsonObject>
    readonly create: (
      accountId: string,
      phoneNumberId: string,
      template: JsonObject,
      options?: CallOptions
    ) => Promise<JsonObject>
  }
}

const { accountId, argument, callOptions, json, jsonObject, listOptions, options, paged, record } = Arguments

const phoneId = argument("id", Ids.schema<"Phone">())
const conversationId = argument("id", Ids.schema<"Conversation">())
const phoneNumberId = argument("phoneNumberId", MessagingApi.PlatformId)
const pages = paged(MessagingApi.messagingPages)
const conversationsListed = listOptions(
  Schema.Struct({ ...Wire.fromWire(MessagingApi.conversationsQuery), ...Arguments.signal }),
  MessagingApi.messagingPages
)

const Outgoing = Schema.Struct({
  phoneNumberId: MessagingApi.PlatformId,
  to: Fields.optional(MessagingApi.Recipient),
  userId: Fields.optional(MessagingApi.UserId),
  type: Fields.optional(Schema.Literals(contentTypes)),
  content: json,
  answers: Fields.optional(MessagingApi.MessageId)
})
const outgoing = record("message", Outgoing)

/** What stands under each type's name on the route. */
const contents = new Map(
  contentTypes.map((type) => [type, argument("content", MessagingApi.contents[type] as Schema.Codec<unknown, unknown>)])
)

const message: Arguments.Argument<typeof Outgoing.Type, OutgoingMessage> = {
  read: (given) =>
    Result.flatMap(outgoing.read(given), (read) =>
      Result.map(contents.get(read.type ?? "text")!.read(read.content), () => read)
    )
}

/** What stands in a header of the platform's form. */
const headerText = Fields.text(1, 255).check(
  Schema.makeFilter((value: string) => !/\p{Cc}/u.test(value) || "Expected a text without control characters")
)

const upload = record(
  "file",
  Schema.Struct({
    contentType: headerText,
    fileName: headerText,
    bytes: Schema.declare((given): given is Uint8Array => given instanceof Uint8Array, { expected: "a Uint8Array" })
  }).check(
    Schema.makeFilter(({ bytes, contentType }) => {
      const most = maxBytesOf(contentType)
      if (bytes.byteLength === 0) return { path: ["bytes"], issue: "The file is empty" }
      return (
        bytes.byteLength <= most || { path: ["bytes"], issue: `A file of this type may have at most ${most} bytes` }
      )
    })
  )
)

const shownNumber = (number: ShownNumber): ConnectedNumberRecord => Wire.fromWire(MessagingHttp.numberRecord(number))

const shownConversation = (view: ConversationView): ConversationRecord =>
  Wire.fromWire(MessagingHttp.conversationRecord(view))

const shownMessage = (found: Message): MessageRecord => {
  const { context, ...rest } = MessagingHttp.messageRecord(found)
  return { ...Wire.fromWire(rest), answers: context?.message_id ?? null }
}

const recipientOf = (
  to: string | null | undefined,
  userId: string | null | undefined
): Effect.Effect<NativeMessage["to"], LetterRefused> => {
  const digits = to === undefined || to === null ? undefined : digitsOf(to)
  if (digits !== undefined) return Effect.succeed({ _tag: "Phone", digits })
  if (userId !== undefined && userId !== null) return Effect.succeed({ _tag: "User", userId })
  return Effect.fail(new LetterRefused({ faults: [{ field: "to", message: "Field required, or a userId instead" }] }))
}

/** The room names a content by its type. */
const underContent = (type: ContentType) => (error: LetterRefused) =>
  new LetterRefused({
    faults: error.faults.map((fault) => (fault.field === type ? { ...fault, field: "content" } : fault))
  })

const connectTo = (method: Method, channelWord: string): MessagingPart["numbers"]["connectTo"] =>
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

export const messagingPart = (method: Method, channelWord: string): MessagingPart => ({
  numbers: {
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
  },
  conversations: {
    get: method([accountId, conversationId, callOptions], (tenantId, id) =>
      Effect.map(
        Conversations.use((c) => c.get(tenantId, id)),
        shownConversation
      )
    ),
    list: method([accountId, conversationsListed], (tenantId, { phoneId, status, ...page }) =>
      Effect.map(
        Conversations.use((c) => c.list(tenantId, { phoneId: phoneId ?? null, status: status ?? null }, page)),
        shownPage(shownConversation)
      )
    ),
    messages: method([accountId, conversationId, pages], (tenantId, id, page) =>
      Effect.map(
        Conversations.use((c) => c.messages(tenantId, id, page)),
        shownPage(shownMessage)
      )
    ),
    setAutoReply: method(
      [accountId, conversationId, argument("isEnabled", Schema.Boolean), callOptions],
      (tenantId, id, isEnabled) =>
        Effect.map(
          Conversations.use((c) => c.setAutoReply(tenantId, id, isEnabled)),
          shownConversation
        )
    )
  },
  send: method([accountId, message, callOptions], (tenantId, given) =>
    Effect.gen(function* () {
      const { answers, content, phoneNumberId } = given
      const type = given.type ?? "text"
      const to = yield* recipientOf(given.to, given.userId)
      return yield* Effect.catchTag(
        NativeSend.use((n) => n.send(tenantId, { phoneNumberId, to, type, content, answers: answers ?? null })),
        "LetterRefused",
        (error) => Effect.fail(underContent(type)(error))
      )
    })
  ),
  files: {
    upload: method([accountId, phoneNumberId, upload, callOptions], (tenantId, number, file) =>
      PlatformFiles.use((f) => f.upload(tenantId, number, file))
    ),
    get: method(
      [accountId, phoneNumberId, argument("mediaId", MessagingApi.MediaId), callOptions],
      (tenantId, number, mediaId) => PlatformFiles.use((f) => f.file(tenantId, number, mediaId))
    )
  },
  templates: {
    read: method(
      [accountId, phoneNumberId, options(templatesQuery, "query"), callOptions],
      (tenantId, number, query) => {
        const asked = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
        return PlatformFiles.use((f) => f.templates(tenantId, number, asked))
      }
    ),
    create: method(
      [accountId, phoneNumberId, argument("template", jsonObject), callOptions],
      (tenantId, number, template) => PlatformFiles.use((f) => f.createTemplate(tenantId, number, template))
    )
  }
})
