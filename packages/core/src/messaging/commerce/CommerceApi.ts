/** The contract of catalogs, which the channel's network keeps. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { IsCollection } from "../../platform/http/index.ts"
import { ActsOutside } from "../../platform/http/KeyedWrites.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { JsonObject } from "../messages/JsonObject.ts"
import { ofNumber, ofPlatform, PlatformDigits, passedPage } from "../routes/MessagingApi.ts"

const onePhone = { phone_id: Ids.schema<"Phone">() }

const Settings = Schema.Struct({
  catalog_id: Schema.NullOr(Schema.String),
  is_cart_enabled: Schema.NullOr(Schema.Boolean),
  is_catalog_visible: Schema.NullOr(Schema.Boolean)
}).annotate({ identifier: "CommerceSettings" })

const Change = Schema.Struct({
  is_cart_enabled: Schema.optionalKey(Schema.Boolean),
  is_catalog_visible: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "CommerceChange" })

const failures = [...ofPlatform, Unprocessable] as const

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const groupOf = ({ channel }: Brand) =>
  HttpApiGroup.make("chatCommerce")
    .add(
      HttpApiEndpoint.get("settings", "/phone_numbers/:phone_id/commerce", {
        params: onePhone,
        success: Settings,
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described("Get the commerce settings of a number", "Returns what customers see of a number's catalog.")
        ),
      HttpApiEndpoint.patch("change", "/phone_numbers/:phone_id/commerce", {
        params: onePhone,
        payload: Change,
        success: Settings,
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described(
            "Change the commerce settings of a number",
            "Changes the fields that are there, leaves the others, and returns all of them."
          )
        ),
      HttpApiEndpoint.get("catalogs", "/catalogs", {
        query: { ...ofNumber, ...passedPage },
        success: JsonObject.annotate({ identifier: "PlatformCatalogs" }),
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotate(IsCollection, true)
        .annotateMerge(
          described(
            "List catalogs",
            "Returns the catalogs of a number's business account, as the chat platform has them."
          )
        ),
      HttpApiEndpoint.get("products", "/catalogs/:catalog_id/products", {
        params: { catalog_id: PlatformDigits },
        query: { ...ofNumber, ...passedPage, filter: Schema.optionalKey(Fields.text(1, 4096)) },
        success: JsonObject.annotate({ identifier: "PlatformProducts" }),
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotate(IsCollection, true)
        .annotateMerge(described("List products", "Returns the products of a catalog, as the chat platform has them."))
    )
    .prefix(`/api/v1/${channel}`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Catalogs and their products, which the chat platform keeps")
    .annotate(BodyExamples, { change: { is_cart_enabled: true } })
    .annotate(FieldTexts, {
      "query.phone_number_id": "The chat platform's id of the connected number",
      "query.fields": "Fields to return, in the chat platform's words",
      "query.filter": "Filter of products, in the chat platform's words",
      "query.after": "Returns what follows this cursor of the chat platform",
      "query.before": "Returns what precedes this cursor of the chat platform",
      catalog_id: "The chat platform's id of the catalog that customers see; null where it names none",
      is_cart_enabled: "Whether customers can put products into a cart",
      is_catalog_visible: "Whether customers see the catalog"
    })

/** By its name: the type of the whole contract would be too long for the compiler, if it had this one written out in it. */
export interface CommerceGroup extends ReturnType<typeof groupOf> {}

export const commerceGroup = (brand: Brand): CommerceGroup => groupOf(brand)
