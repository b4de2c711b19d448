/** The contract of the compatible send: the platform's own body and answer, in the words of a brand. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import { IsCollection } from "../../platform/http/index.ts"
import { NeedsScope } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { maxContentKib } from "../messages/JsonObject.ts"
import { contentTypes } from "../messages/PublicContent.ts"
import { maxTextLength } from "../messages/Splitter.ts"
import { CompatibleBadGateway, CompatibleNotFound, CompatibleTooMany } from "./CompatibleAnswers.ts"
import { CompatibleAuth, CompatibleRequestErrors } from "./CompatibleAuth.ts"
import { maxIdLength, type Product } from "./CompatibleBody.ts"
import { compatibleEnvelope } from "./CompatibleEnvelope.ts"

/** The product values that bodies may be sent under, the channel's own first. */
export const productsOf = ({
  channel,
  productAliases,
  userIdField
}: Brand): readonly [Product, ...ReadonlyArray<Product>] => [
  { word: channel, userIdField, isAlias: false },
  ...productAliases.map(({ product, userIdField }) => ({ word: product, userIdField, isAlias: true }))
]

/**
 * Any JSON object is accepted, so that fields that we do not know are sent on to the platform: this describes the known ones, and
 * CompatibleBody.ts checks them.
 */
const bodyOf = (products: ReadonlyArray<string>) =>
  Schema.Record(Schema.String, Schema.Unknown)
    .check(
      Schema.makeFilter(() => true, {
        toJsonSchema: () => ({
          properties: {
            messaging_product: { type: "string", enum: products },
            recipient_type: { type: "string", enum: ["individual", "group"], default: "individual" },
            to: { type: ["string", "integer"], description: "The customer's phone number" },
            recipient: { type: "string", maxLength: maxIdLength, description: "The platform's own id of the customer" },
            type: { type: "string", enum: contentTypes, default: "text" },
            ...Object.fromEntries(contentTypes.map((type) => [type, { type: ["object", "null"] }])),
            text: {
              type: ["object", "null"],
              properties: { body: { type: "string", maxLength: maxTextLength } },
              required: ["body"]
            },
            contacts: { type: ["array", "null"], items: { type: "object" } },
            status: { const: "read", description: "Marks the message with `message_id` read instead of sending one" },
            message_id: { type: "string", maxLength: maxIdLength },
            typing_indicator: { type: "object" }
          },
          required: ["messaging_product"],
          "x-max-bytes": maxContentKib * 1024
        })
      })
    )
    .annotate({ identifier: "CompatibleBody" })

/** Source: docs/reference/messaging.md#compatible-answer. */
const answerOf = (products: ReadonlyArray<Product>) =>
  Schema.Union([
    Schema.Struct({
      messaging_product: Schema.Literals(products.map(({ word }) => word)),
      contacts: Schema.Array(
        Schema.Struct({
          input: Schema.String,
          ...Object.fromEntries(
            [...products.map(({ userIdField }) => userIdField), ...(products.length > 1 ? [platformsUserId] : [])].map(
              (name) => [name, Schema.optionalKey(Schema.String)]
            )
          )
        })
      ),
      messages: Schema.Array(Schema.Struct({ id: Schema.String, message_status: Schema.optionalKey(Schema.String) }))
    }).annotate({ identifier: "CompatibleSent" }),
    Schema.Struct({ success: Schema.Literal(true) }).annotate({ identifier: "CompatibleMarked" })
  ])

/** The platform's own name of the field with its id of a person. */
export const platformsUserId = "user_id"

const textsOf = (products: ReadonlyArray<Product>) => ({
  messaging_product: "Product of the message",
  recipient_type: "Kind of recipient",
  type: "Type of the message",
  text: "Text message",
  body: "The text",
  template: "Template message",
  image: "Image",
  audio: "Audio",
  video: "Video",
  document: "Document",
  sticker: "Sticker",
  interactive: "Buttons, lists and the like",
  location: "Location",
  contacts: "Contact cards",
  "CompatibleSent.contacts": "Whom the message was sent to",
  reaction: "Reaction",
  message_id: "The chat platform's id of the message to mark as read",
  typing_indicator: "Shows the customer that an answer is being written",
  input: "Recipient as it was given",
  ...Object.fromEntries(
    [...products.map(({ userIdField }) => userIdField), platformsUserId].map((name) => [
      name,
      "The chat platform's id of the customer"
    ])
  ),
  messages: "The message that was sent",
  "CompatibleSent.id": "The chat platform's id of the message",
  message_status: "What the chat platform does with the message",
  success: "True when the message was marked as read"
})

const textExample = (product: string) => ({
  messaging_product: product,
  recipient_type: "individual",
  to: "4930901820",
  type: "text",
  text: { body: "Your order is on its way." }
})

export const compatibleGroup = (brand: Brand) => {
  const products = productsOf(brand)
  const contract = {
    payload: bodyOf(products.map(({ word }) => word)),
    success: answerOf(products),
    error: [CompatibleNotFound, CompatibleTooMany, CompatibleBadGateway]
  }
  const number = { phone_number_id: Schema.String }
  return HttpApiGroup.make("compatible")
    .add(
      HttpApiEndpoint.post("send", "/:phone_number_id/messages", { params: number, ...contract }).annotateMerge(
        OpenApi.annotations({
          summary: "Send a message in the chat platform's form",
          description: "Sends a message, or marks one as read, with the chat platform's own body."
        })
      ),
      HttpApiEndpoint.post("sendVersioned", "/:version/:phone_number_id/messages", {
        params: { version: Schema.String.check(Schema.isPattern(/^v\d+\.\d+$/)), ...number },
        ...contract
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Send a message with a version in the path",
          description:
            "Sends a message, or marks one as read, with the chat platform's own body; the version in the path changes nothing."
        })
      )
    )
    .prefix(`/api/v1/${brand.channel}`)
    .middleware(CompatibleRequestErrors)
    .middleware(CompatibleAuth)
    .annotate(Envelope, compatibleEnvelope)
    .annotateEndpoints(NeedsScope, "channel:send")
    .annotateEndpoints(IsCollection, true)
    .annotate(OpenApi.Description, "Messages in the chat platform's own form, for programs that were written for it")
    .annotate(BodyExamples, { send: textExample(brand.channel), sendVersioned: textExample(brand.channel) })
    .annotate(FieldTexts, textsOf(products))
}
