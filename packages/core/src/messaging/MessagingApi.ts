/** The contracts of connected numbers, conversations, sending, files and templates, in the words of a brand. */
import * as Multipart from "effect/http/Multipart"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Fields from "../http/Fields.ts"
import { FieldTexts } from "../http/FieldTexts.ts"
import { NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import {
  BadGateway,
  Conflict,
  NotFound,
  RequestErrors,
  TooManyRequests,
  Unprocessable,
  UnprocessableSentence
} from "../http/PlatformErrors.ts"
import { IsCollection } from "../http/RouteTable.ts"
import type { Brand } from "../kernel/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { contentTypes, digitsOf, maxText } from "./MessageContent.ts"

/** An id of the platform's, as it stands in paths of its own. */
export const PlatformId = Fields.text(1, 128).check(
  Schema.makeFilter((id: string) => /^[A-Za-z0-9][\w.:=-]*$/.test(id) || "Expected an id of the platform's", {
    toJsonSchema: () => ({})
  })
)

/** What a header can carry: a token that was cut short by a program ends with an ellipsis, and one from a page has spaces. */
const AccessToken = Fields.text(1, 4096).check(
  Schema.makeFilter(
    (token: string) =>
      /^[\x21-\x7e]*$/.test(token) ||
      "There is a character that no access token has, such as a space or an ellipsis: give the whole token, and nothing else",
    { toJsonSchema: () => ({}) }
  )
)

export const messagingPages = { limit: 500, standard: 100, offset: 1_000_000 }
const pages = Fields.page(messagingPages)

/** Failures of the platform, as every route tells them that asks it. */
const ofPlatform = [NotFound, UnprocessableSentence, TooManyRequests, BadGateway] as const

/** An object in the platform's words: it goes on as it came. */
const Wire = Schema.Record(Schema.String, Schema.Unknown)

/** Source: docs/messaging.md#numbers. */
const NumberRecord = Schema.Struct({
  id: Ids.schema<"Phone">(),
  channel: Schema.String,
  phone_number_id: Schema.String,
  business_account_id: Schema.String,
  display_phone_number: Schema.NullOr(Schema.String),
  bot_id: Schema.NullOr(Ids.schema<"Bot">()),
  ai_autoreply_enabled: Schema.Boolean,
  created_at: Instant.Iso,
  updated_at: Instant.Iso
}).annotate({ identifier: "ConnectedNumber" })

export const NumberConnection = Schema.Struct({
  phone_number_id: PlatformId,
  business_account_id: PlatformId,
  access_token: AccessToken,
  display_phone_number: Fields.optional(Fields.text(1, 64))
}).annotate({ identifier: "NumberConnection" })

export const ChannelKind = Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9-]{0,31}$/))

/** What connects a number of a channel that identifies it by itself. */
export const ChannelConnectionRequest = Schema.Struct({
  access_token: Fields.optional(AccessToken),
  settings: Fields.optional(Wire)
}).annotate({ identifier: "ChannelConnectionRequest" })

/** Source: docs/messaging.md#channel-traits. */
const ChannelRecord = Schema.Struct({
  channel: Schema.String,
  is_standard: Schema.Boolean,
  reply_window_seconds: Schema.NullOr(Schema.Int),
  max_text_length: Schema.Int,
  contents: Schema.Array(Schema.String),
  max_file_bytes: Schema.Int,
  typing: Schema.Boolean,
  read_marks: Schema.Boolean,
  statuses: Schema.Boolean,
  echoes: Schema.Boolean,
  templates: Schema.Boolean
}).annotate({ identifier: "Channel" })

export const ConnectedNumberChange = Schema.Struct({
  ai_autoreply_enabled: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ConnectedNumberChange" })

const onePhone = { phone_id: Ids.schema<"Phone">() }

const numbersGroup = ({ channel }: Brand) =>
  HttpApiGroup.make("connectedNumbers")
    .add(
      HttpApiEndpoint.post("connect", "/", {
        payload: NumberConnection,
        success: [NumberRecord.pipe(HttpApiSchema.status(201)), NumberRecord],
        error: [Conflict, UnprocessableSentence, TooManyRequests, BadGateway]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          OpenApi.annotations({
            summary: "Connect a number",
            description:
              "Connects a business number and subscribes to its messages; a number that is connected already gets the new access token."
          })
        ),
      HttpApiEndpoint.get("list", "/", { query: pages, success: Schema.Array(NumberRecord) })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          OpenApi.annotations({
            summary: "List connected numbers",
            description: "Returns the account's connected numbers, newest first."
          })
        ),
      HttpApiEndpoint.get("get", "/:phone_id", { params: onePhone, success: NumberRecord, error: NotFound })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          OpenApi.annotations({ summary: "Get a connected number", description: "Returns one connected number." })
        ),
      HttpApiEndpoint.patch("change", "/:phone_id", {
        params: onePhone,
        payload: ConnectedNumberChange,
        success: NumberRecord,
        error: NotFound
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          OpenApi.annotations({
            summary: "Change a connected number",
            description: "Switches the agent's answers on a number on or off."
          })
        ),
      HttpApiEndpoint.delete("disconnect", "/:phone_id", { params: onePhone, error: NotFound })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          OpenApi.annotations({
            summary: "Disconnect a number",
            description: "Disconnects a number; its conversations stay."
          })
        ),
      HttpApiEndpoint.post("linkBot", "/:phone_id/link-bot", {
        params: onePhone,
        payload: Schema.Struct({ bot_id: Schema.NullOr(Ids.schema<"Bot">()) }).annotate({ identifier: "LinkedBot" }),
        success: NumberRecord,
        error: NotFound
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          OpenApi.annotations({
            summary: "Link an agent to a number",
            description: "Sets the agent that answers on a number; null unlinks the agent."
          })
        )
    )
    .prefix(`/api/v1/${channel}/phone_numbers`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Business numbers on the chat platform")
    .annotate(FieldTexts, {
      channel: "Kind of the number's channel",
      phone_number_id: "The chat platform's id of the number",
      business_account_id: "The chat platform's id of the business account",
      access_token: "Token for the chat platform; it is encrypted and never returned",
      display_phone_number: "Phone number as people read it",
      bot_id: "Agent that answers on the number; null for none",
      ai_autoreply_enabled: "Whether the agent answers; default true"
    })

const channelTexts = {
  channel: "Kind of the channel",
  is_standard: "True for the channel that numbers are connected to unless another one is named",
  reply_window_seconds: "Time after a customer's message in which free-form messages may be sent; null for no limit",
  max_text_length: "Characters of one text message",
  contents: "Types of messages that can be sent",
  max_file_bytes: "Bytes of the largest file that can be uploaded; 0 for none",
  typing: "True where customers see that an answer is being written",
  read_marks: "True where customers see which messages were read",
  statuses: "True where the channel reports what becomes of a message",
  echoes: "True where messages that other programs send from the number are received",
  templates: "True where the channel has templates",
  access_token: "Credentials of the number; they are encrypted and never returned",
  settings: "Settings of the connection, as the channel needs them",
  phone_number_id: "The channel's id of the number",
  business_account_id: "The channel's id of the business account",
  display_phone_number: "Name of the number as people read it",
  bot_id: "Agent that answers on the number; null for none",
  ai_autoreply_enabled: "Whether the agent answers; default true"
}

const channelsGroup = ({ channel }: Brand) =>
  HttpApiGroup.make("channels")
    .add(
      HttpApiEndpoint.get("list", "/", { success: Schema.Array(ChannelRecord) })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          OpenApi.annotations({
            summary: "List channels",
            description: "Returns the chat channels of the installation and what each of them can do."
          })
        ),
      HttpApiEndpoint.post("connect", "/:channel/connections", {
        params: { channel: ChannelKind },
        payload: ChannelConnectionRequest,
        success: [NumberRecord.pipe(HttpApiSchema.status(201)), NumberRecord],
        error: [NotFound, Conflict, UnprocessableSentence, TooManyRequests, BadGateway]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          OpenApi.annotations({
            summary: "Connect a number of a channel",
            description: "Connects a number of a channel that finds out by itself whose credentials it gets."
          })
        )
    )
    .prefix(`/api/v1/${channel}/channels`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Chat channels of the installation")
    .annotate(FieldTexts, channelTexts)

const ConversationStatus = Schema.Literals(["open", "ended"])

/** The filters and the page of a list of conversations. */
export const conversationsQuery = {
  ...pages,
  phone_id: Schema.optionalKey(Ids.schema<"Phone">()),
  status: Schema.optionalKey(ConversationStatus)
}

/** Source: docs/messaging.md#conversations. */
const conversationRecord = ({ userIdField }: Brand) =>
  Schema.Struct({
    id: Ids.schema<"Conversation">(),
    phone_id: Ids.schema<"Phone">(),
    phone_number_id: Schema.String,
    user_id: Schema.NullOr(Schema.String),
    phone: Schema.NullOr(Schema.String),
    name: Schema.NullOr(Schema.String),
    bot_id: Schema.NullOr(Ids.schema<"Bot">()),
    ai_autoreply_enabled: Schema.Boolean,
    status: ConversationStatus,
    window_expires_at: Schema.NullOr(Instant.Iso),
    last_message_at: Instant.Iso,
    created_at: Instant.Iso
  })
    .pipe(Schema.encodeKeys({ user_id: userIdField }))
    .annotate({ identifier: "Conversation" })

/** Source: docs/messaging.md#message. */
const messageRecord = ({ messageIdField }: Brand) =>
  Schema.Struct({
    id: Ids.schema<"Message">(),
    msgid: Schema.NullOr(Schema.String),
    conversation_id: Ids.schema<"Conversation">(),
    direction: Schema.Literals(["inbound", "outbound"]),
    role: Schema.Literals(["user", "assistant", "agent"]),
    type: Schema.String,
    text: Schema.NullOr(Schema.String),
    content: Wire,
    context: Schema.NullOr(Schema.Struct({ message_id: Schema.String })),
    status: Schema.Literals(["received", "queued", "sent", "delivered", "read", "failed"]),
    error: Schema.NullOr(Schema.Struct({ code: Schema.NullOr(Schema.Int), message: Schema.String })),
    created_at: Instant.Iso
  })
    .pipe(Schema.encodeKeys({ msgid: messageIdField }))
    .annotate({ identifier: "Message" })

const conversationsGroup = (brand: Brand) => {
  const one = { conversation_id: Ids.schema<"Conversation">() }
  const record = conversationRecord(brand)
  return HttpApiGroup.make("conversations")
    .add(
      HttpApiEndpoint.get("list", "/", {
        query: conversationsQuery,
        success: Schema.Array(record)
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          OpenApi.annotations({
            summary: "List conversations",
            description: "Returns conversations, the one with the latest message first."
          })
        ),
      HttpApiEndpoint.get("get", "/:conversation_id", { params: one, success: record, error: NotFound })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          OpenApi.annotations({ summary: "Get a conversation", description: "Returns one conversation." })
        ),
      HttpApiEndpoint.get("listMessages", "/:conversation_id/messages", {
        params: one,
        query: pages,
        success: Schema.Array(messageRecord(brand)),
        error: NotFound
      })
        .annotate(NeedsScope, "channel:read")
        .annotate(IsCollection, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "List the messages of a conversation",
            description: "Returns the messages of a conversation, newest first."
          })
        ),
      HttpApiEndpoint.patch("change", "/:conversation_id", {
        params: one,
        payload: Schema.Struct({ ai_autoreply_enabled: Schema.optionalKey(Schema.Boolean) }).annotate({
          identifier: "ConversationChange"
        }),
        success: record,
        error: [NotFound, Conflict]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          OpenApi.annotations({
            summary: "Take over a conversation",
            description: "Switches the agent's answers in one conversation off, so that a person answers, or on again."
          })
        )
    )
    .prefix(`/api/v1/${brand.channel}/conversations`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Conversations with customers, and who answers in them")
    .annotate(FieldTexts, {
      "query.phone_id": "Returns only items of this connected number",
      "query.status": "Returns only items with this status",
      phone_id: "Id of the connected number",
      phone_number_id: "The chat platform's id of the number",
      [brand.userIdField]: "The chat platform's id of the customer",
      phone: "Phone number of the customer",
      name: "Name of the customer",
      bot_id: "Agent that answers",
      ai_autoreply_enabled: "Whether the agent answers",
      status: "`open` or `ended`",
      "Message.status": "How far the message has come",
      window_expires_at: "Time until which free-form messages may be sent; null when the customer has not written",
      last_message_at: "Time of the latest message",
      [brand.messageIdField]: "The chat platform's id of the message",
      conversation_id: "Id of the conversation",
      direction: "`inbound` from the customer, `outbound` to the customer",
      role: "Who wrote it: the customer (`user`), the AI agent (`assistant`) or a person (`agent`)",
      type: "Type of the message",
      text: "Text of the message; null where it has none",
      content: "The message in the chat platform's form",
      context: "Message that this one answers; null where there is none",
      message_id: "The chat platform's id of that message",
      error: "Why it could not be sent; null when it could",
      code: "The chat platform's code",
      message: "What is wrong, in a sentence"
    })
}

export const Recipient = Fields.text(1, 64).check(
  Schema.makeFilter(
    (to: string) => digitsOf(to) !== undefined || "Expected an international phone number of 6 to 15 digits",
    { toJsonSchema: () => ({}) }
  )
)

const optionalWire = Fields.optional(Wire)

/** What stands under each type's name; which of them is needed, the type says. */
export const contents = {
  ...(Object.fromEntries(contentTypes.map((type) => [type, optionalWire])) as Record<
    (typeof contentTypes)[number],
    typeof optionalWire
  >),
  text: Fields.optional(Schema.Union([Fields.text(1, maxText), Wire])),
  contacts: Fields.optional(Schema.Array(Wire))
}

/** Identifies a customer who has no phone number. */
export const UserId = Fields.text(1, 512)

/** The platform's id of a message. */
export const MessageId = Fields.text(1, 512)

/** The platform's id of a file. */
export const MediaId = Fields.text(1, 128)

const messagesGroup = ({ channel, messageIdField, messageIdsField, userIdField }: Brand) =>
  HttpApiGroup.make("chatMessages")
    .add(
      HttpApiEndpoint.post("send", "/", {
        payload: Schema.Struct({
          phone_number_id: PlatformId,
          to: Fields.optional(Recipient),
          user_id: Fields.optional(UserId),
          type: Fields.optional(Schema.Literals(contentTypes)),
          ...contents,
          context: Fields.optional(Schema.Struct({ message_id: MessageId }))
        })
          .pipe(Schema.encodeKeys({ user_id: userIdField }))
          .annotate({ identifier: "NewMessage" }),
        success: Schema.Struct({
          msgid: Schema.String,
          msgids: Schema.Array(Schema.String),
          contacts: Schema.Array(
            Schema.Struct({ input: Schema.String, user_id: Schema.String }).pipe(
              Schema.encodeKeys({ user_id: userIdField })
            )
          )
        })
          .pipe(Schema.encodeKeys({ msgid: messageIdField, msgids: messageIdsField }))
          .annotate({ identifier: "SentMessage" }),
        error: [...ofPlatform, Unprocessable]
      })
        .annotate(NeedsScope, "channel:send")
        .annotate(IsCollection, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "Send a message",
            description:
              "Sends a message from a connected number to a customer; a text that is too long is split into several messages."
          })
        )
    )
    .prefix(`/api/v1/${channel}/messages`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Messages to customers")
    .annotate(FieldTexts, {
      phone_number_id: "The chat platform's id of the number to send from",
      to: "Phone number of the customer, with the country code",
      [userIdField]: "The chat platform's id of the customer, instead of `to`",
      [`SentMessage.${userIdField}`]: "The chat platform's id of the customer",
      type: "Type of the message; default `text`",
      text: "Text, or the chat platform's object for a text",
      template: "The chat platform's object for a template",
      image: "The chat platform's object for an image",
      audio: "The chat platform's object for audio",
      video: "The chat platform's object for a video",
      document: "The chat platform's object for a document",
      sticker: "The chat platform's object for a sticker",
      interactive: "The chat platform's object for buttons, lists and the like",
      location: "The chat platform's object for a location",
      contacts: "The chat platform's objects for contact cards",
      "SentMessage.contacts": "Whom the message was sent to",
      reaction: "The chat platform's object for a reaction",
      context: "Message to answer",
      message_id: "The chat platform's id of that message",
      [messageIdField]: "The chat platform's id of the message, the first where the text was split",
      [messageIdsField]: "The chat platform's ids of all messages that were sent",
      input: "Recipient as it was given"
    })

const ofNumber = { phone_number_id: PlatformId }

// The form's schema is for readers of the contract: the form itself is read part by part by http/Form.ts.
const MediaForm = Schema.Struct({ phone_number_id: Schema.String, file: Multipart.SingleFileSchema }).pipe(
  HttpApiSchema.asMultipartStream({ maxParts: 16, maxFieldSize: "64 KiB", maxFileSize: "128 MiB" })
)

const mediaGroup = ({ channel }: Brand) =>
  HttpApiGroup.make("chatMedia")
    .add(
      HttpApiEndpoint.post("upload", "/", {
        payload: MediaForm,
        success: Schema.Struct({ id: Schema.String }).annotate({ identifier: "UploadedMedia" }),
        error: [...ofPlatform, Unprocessable]
      })
        .annotate(NeedsScope, "channel:send")
        .annotateMerge(
          OpenApi.annotations({
            summary: "Upload a file",
            description: "Uploads a file to the chat platform and returns the id that messages name it by."
          })
        ),
      HttpApiEndpoint.get("get", "/:media_id", {
        params: { media_id: MediaId },
        query: ofNumber,
        success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "*/*" })),
        error: ofPlatform
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          OpenApi.annotations({ summary: "Download a file", description: "Returns a file that a message names." })
        )
    )
    .prefix(`/api/v1/${channel}/media`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Files of messages")
    .annotate(FieldTexts, {
      "query.phone_number_id": "The chat platform's id of the connected number",
      phone_number_id: "The chat platform's id of the number",
      file: "The file",
      "UploadedMedia.id": "The chat platform's id of the file"
    })

const given = Schema.optionalKey(Fields.text(1, 1024))

/** Filters and page of a list of templates, in the platform's names. */
export const templatesQuery = {
  fields: given,
  name: given,
  language: given,
  status: given,
  category: given,
  limit: Schema.optionalKey(Fields.integer(1, 1000)),
  after: given,
  before: given
}

const templateTexts = {
  "query.phone_number_id": "The chat platform's id of the connected number",
  "query.fields": "Fields to return, in the chat platform's words",
  "query.name": "Returns only items with this name",
  "query.language": "Returns only items in this language",
  "query.status": "Returns only items with this status",
  "query.category": "Returns only items of this category",
  "query.after": "Returns what follows this cursor of the chat platform",
  "query.before": "Returns what precedes this cursor of the chat platform"
}

const templatesGroup = ({ channel }: Brand) =>
  HttpApiGroup.make("chatTemplates")
    .add(
      HttpApiEndpoint.get("read", "/", {
        query: { ...ofNumber, ...templatesQuery },
        success: Wire.annotate({ identifier: "PlatformTemplates" }),
        error: ofPlatform
      })
        .annotate(NeedsScope, "channel:read")
        .annotate(IsCollection, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "List templates",
            description: "Returns the templates of a number's business account, as the chat platform has them."
          })
        ),
      HttpApiEndpoint.post("create", "/", {
        query: ofNumber,
        payload: Wire.annotate({ identifier: "NewPlatformTemplate" }),
        success: Wire.annotate({ identifier: "PlatformTemplate" }),
        error: [...ofPlatform, Unprocessable]
      })
        .annotate(NeedsScope, "channel:write")
        .annotateMerge(
          OpenApi.annotations({
            summary: "Create a template",
            description: "Creates a template and submits it to the chat platform for approval."
          })
        )
    )
    .prefix(`/api/v1/${channel}/templates`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Templates, which may be sent at any time once the chat platform has approved them")
    .annotate(FieldTexts, templateTexts)

/** The groups of the channel, but for what comes in and the compatible send. */
export const messagingGroups = (brand: Brand) =>
  [
    channelsGroup(brand),
    numbersGroup(brand),
    conversationsGroup(brand),
    messagesGroup(brand),
    mediaGroup(brand),
    templatesGroup(brand)
  ] as const
