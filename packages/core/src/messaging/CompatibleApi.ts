/** The contract of the compatible send: the platform's own body and answer, in the words of a brand. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import type { Brand } from "../http/Brand.ts"
import { CompatibleBadGateway, CompatibleNotFound, CompatibleTooMany } from "../http/CompatibleAnswers.ts"
import { CompatibleAuth, CompatibleRequestErrors } from "../http/CompatibleAuth.ts"
import { NeedsScope } from "../http/PlatformAuth.ts"
import { IsCollection } from "../http/RouteTable.ts"
import { compatibleTypes, type Product } from "./CompatibleBody.ts"
import { longestText } from "./Splitter.ts"

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
 * A body is taken as it came, so that what we do not know goes on to the platform: this says what is known of it, and
 * CompatibleBody.ts judges it.
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
            recipient: { type: "string", description: "The platform's own id of the customer" },
            type: { type: "string", enum: compatibleTypes, default: "text" },
            ...Object.fromEntries(compatibleTypes.map((type) => [type, { type: "object" }])),
            text: {
              type: "object",
              properties: { body: { type: "string", maxLength: longestText } },
              required: ["body"]
            },
            contacts: { type: "array", items: { type: "object" } },
            status: { const: "read", description: "Marks the message with `message_id` read instead of sending one" },
            message_id: { type: "string" },
            typing_indicator: { type: "object" }
          },
          required: ["messaging_product"]
        })
      })
    )
    .annotate({ identifier: "CompatibleBody" })

/** Source: docs/messaging.md#compatible-answer. */
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

/** What the platform itself calls its own id of a person. */
export const platformsUserId = "user_id"

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
      HttpApiEndpoint.post("send", "/:phone_number_id/messages", { params: number, ...contract }),
      HttpApiEndpoint.post("sendVersioned", "/:version/:phone_number_id/messages", {
        params: { version: Schema.String.check(Schema.isPattern(/^v\d+\.\d+$/)), ...number },
        ...contract
      })
    )
    .prefix(`/api/v1/${brand.channel}`)
    .middleware(CompatibleRequestErrors)
    .middleware(CompatibleAuth)
    .annotateEndpoints(NeedsScope, "channel:send")
    .annotateEndpoints(IsCollection, true)
}
