/** The contracts of connected numbers and of the channels that numbers are connected to. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import {
  BadGateway,
  Conflict,
  NotFound,
  RequestErrors,
  TooManyRequests,
  UnprocessableSentence
} from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { ConnectedNumberRecord } from "../channels/ConnectedNumber.ts"
import { platformFields } from "../channels/NumberFactsRecord.ts"
import {
  ChannelConnectionRequest,
  ChannelKind,
  ConnectedNumberChange,
  NumberConnection,
  pages
} from "./MessagingApi.ts"

/** What the fields of a number mean. */
export const numberTexts = {
  channel: "Kind of the channel",
  bot_id: "Agent that answers on the number; null for none",
  ai_autoreply_enabled: "Whether the agent answers; default true",
  platform: "What the chat platform says of the number; null until it has said something",
  status: "Status of the number, in the chat platform's words",
  quality_rating: "How customers take the messages of the number",
  messaging_limit: "How many people outside of an open reply window the number may write to in 24 hours",
  tier: "The limit in the chat platform's words",
  per_day: "The limit as a number; null for no limit",
  throughput: "How many messages a second the number sends at most",
  level: "The throughput in the chat platform's words",
  per_second: "The throughput as a number",
  verified_name: "Name that customers see",
  name_status: "Whether that name is approved, in the chat platform's words",
  code_verification_status: "Whether the number is verified, in the chat platform's words",
  is_pin_enabled: "Whether a PIN is set",
  restriction: "What the chat platform does not let the number do for now; null for nothing",
  type: "The restriction in the chat platform's words",
  until: "When the restriction ends; null where it has no end",
  checked_at: "When the chat platform was last asked about the number; null where it never was"
} as const

/** A number with what is known of it. */
export const NumberBody = Schema.Struct({
  ...ConnectedNumberRecord.schema.fields,
  platform: Schema.NullOr(Schema.Struct(platformFields).annotate({ identifier: "NumberPlatform" }))
}).annotate({ identifier: "ConnectedNumber" })

/** Source: docs/reference/messaging.md#channel-traits. */
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
  proves_numbers: Schema.Boolean,
  templates: Schema.Boolean
}).annotate({ identifier: "Channel" })

const onePhone = { phone_id: Ids.schema<"Phone">() }

const numberRoutes = HttpApiGroup.make("connectedNumbers")
  .add(
    HttpApiEndpoint.post("connect", "/", {
      payload: NumberConnection,
      success: [NumberBody.pipe(HttpApiSchema.status(201)), NumberBody],
      error: [Conflict, UnprocessableSentence, TooManyRequests, BadGateway]
    })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Connect a number",
          description:
            "Connects a business number once the chat platform has said that it is the business account's, and subscribes to its messages; a number that is connected already gets the new access token."
        })
      ),
    HttpApiEndpoint.get("list", "/", { query: pages, success: Schema.Array(NumberBody) })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List connected numbers",
          description: "Returns the account's connected numbers, newest first."
        })
      ),
    HttpApiEndpoint.get("get", "/:phone_id", { params: onePhone, success: NumberBody, error: NotFound })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Get a connected number", description: "Returns one connected number." })
      ),
    HttpApiEndpoint.patch("change", "/:phone_id", {
      params: onePhone,
      payload: ConnectedNumberChange,
      success: NumberBody,
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
      success: NumberBody,
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
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Business numbers on the chat platform")
  .annotate(BodyExamples, {
    connect: { phone_number_id: "106540352242922", business_account_id: "102290129340398", access_token: "EAAG…" },
    change: { ai_autoreply_enabled: true },
    linkBot: { bot_id: "01936f00-0000-7000-8000-000000000001" }
  })
  .annotate(FieldTexts, {
    phone_number_id: "The chat platform's id of the number",
    business_account_id: "The chat platform's id of the business account",
    access_token: "Token for the chat platform; it is encrypted and never returned",
    display_phone_number: "Phone number as people read it",
    ...numberTexts
  })

export const connectedNumbersGroup = ({ channel }: Brand) => numberRoutes.prefix(`/api/v1/${channel}/phone_numbers`)

const channelRoutes = HttpApiGroup.make("channels")
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
      success: [NumberBody.pipe(HttpApiSchema.status(201)), NumberBody],
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
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Chat channels of the installation")
  .annotate(BodyExamples, {
    connect: { settings: { id: "shop", origins: ["https://shop.example.com"], title: "Shop" } }
  })
  .annotate(FieldTexts, {
    is_standard: "True for the channel that numbers are connected to unless another one is named",
    reply_window_seconds: "Time after a customer's message in which free-form messages may be sent; null for no limit",
    max_text_length: "Characters of one text message",
    contents: "Types of messages that can be sent",
    max_file_bytes: "Bytes of the largest file that can be uploaded; 0 for none",
    typing: "True where customers see that an answer is being written",
    read_marks: "True where customers see which messages were read",
    statuses: "True where the channel reports what becomes of a message",
    echoes: "True where messages that other programs send from the number are received",
    proves_numbers:
      "True where the channel's network says whose a number is; elsewhere an id is its first account's for good",
    templates: "True where the channel has templates",
    access_token: "Credentials of the number; they are encrypted and never returned",
    settings: "Settings of the connection, as the channel needs them",
    ...numberTexts
  })

export const channelsGroup = ({ channel }: Brand) => channelRoutes.prefix(`/api/v1/${channel}/channels`)
