/** The contract of sending a message, in the words of a brand. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { IsCollection } from "../../platform/http/index.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { contentTypes } from "../messages/PublicContent.ts"
import { contents, MessageId, ofPlatform, PlatformId, Recipient, UserId } from "./MessagingApi.ts"

const newMessage = ({ userIdField }: Brand) =>
  Schema.Struct({
    phone_number_id: PlatformId,
    to: Fields.optional(Recipient),
    user_id: Fields.optional(UserId),
    type: Fields.optional(Schema.Literals(contentTypes)),
    ...contents,
    context: Fields.optional(Schema.Struct({ message_id: MessageId }))
  })
    .pipe(Schema.encodeKeys({ user_id: userIdField }))
    .annotate({ identifier: "NewMessage" })

const makeSentMessage = ({ messageIdField, messageIdsField, userIdField }: Brand) =>
  Schema.Struct({
    msgid: Schema.String,
    msgids: Schema.Array(Schema.String),
    contacts: Schema.Array(
      Schema.Struct({ input: Schema.String, user_id: Schema.String }).pipe(Schema.encodeKeys({ user_id: userIdField }))
    )
  })
    .pipe(Schema.encodeKeys({ msgid: messageIdField, msgids: messageIdsField }))
    .annotate({ identifier: "SentMessage" })

const madeSentMessages = new WeakMap<Brand, ReturnType<typeof makeSentMessage>>()

/** What is answered once a message was sent: one schema for a brand, however many routes have it. */
export const sentMessage = (brand: Brand) => {
  const known = madeSentMessages.get(brand) ?? makeSentMessage(brand)
  madeSentMessages.set(brand, known)
  return known
}

/** What the fields of that answer mean. */
export const sentMessageTexts = ({ messageIdField, messageIdsField, userIdField }: Brand) => ({
  [`SentMessage.${userIdField}`]: "The chat platform's id of the customer",
  [`SentMessage.${messageIdField}`]: "The chat platform's id of the message, the first where the text was split",
  [`SentMessage.${messageIdsField}`]: "The chat platform's ids of all messages that were sent",
  "SentMessage.contacts": "Whom the message was sent to",
  "SentMessage.input": "Recipient as it was given"
})

const textsOf = (brand: Brand) => ({
  ...sentMessageTexts(brand),
  phone_number_id: "The chat platform's id of the number to send from",
  to: "Phone number of the customer, with the country code",
  [brand.userIdField]: "The chat platform's id of the customer, instead of `to`",
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
  reaction: "The chat platform's object for a reaction",
  context: "Message to answer",
  message_id: "The chat platform's id of that message"
})

export const messagesGroup = (brand: Brand) =>
  HttpApiGroup.make("chatMessages")
    .add(
      HttpApiEndpoint.post("send", "/", {
        payload: newMessage(brand),
        success: sentMessage(brand),
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
    .prefix(`/api/v1/${brand.channel}/messages`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Messages to customers")
    .annotate(BodyExamples, {
      send: {
        phone_number_id: "106540352242922",
        to: "+4930901820",
        type: "text",
        text: { body: "Your order is on its way." }
      }
    })
    .annotate(FieldTexts, textsOf(brand))
