/** Requests about catalogs of the Cloud API: one verb is one request. */
import type { ChannelConnection, CommerceChange, CommerceSettings, JsonObject } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type { CloudApiFailed, CloudApiRequests } from "./CloudApiRequests.ts"
import { idOf, listOf, objectOf } from "./PlatformValues.ts"

type Query = Readonly<Record<string, string>>
type Done<A> = Effect.Effect<A, CloudApiFailed>

export interface CommerceRequests {
  readonly commerce: (number: ChannelConnection) => Done<CommerceSettings>
  readonly changeCommerce: (number: ChannelConnection, change: CommerceChange) => Done<void>
  readonly catalogs: (number: ChannelConnection, query: Query) => Done<JsonObject>
  readonly products: (number: ChannelConnection, catalogId: string, query: Query) => Done<JsonObject>
}

/** What is read of a product where the caller names no fields. */
const productFields = "id,retailer_id,name,description,price,currency,availability,image_url,url"

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean"

/** The platform answers with a list of one. */
const settingsIn = (answer: JsonObject): CommerceSettings => {
  const { id, is_cart_enabled, is_catalog_visible } = objectOf(listOf(answer.data)[0])
  return {
    catalogId: idOf(id),
    isCartEnabled: isBoolean(is_cart_enabled) ? is_cart_enabled : null,
    isCatalogVisible: isBoolean(is_catalog_visible) ? is_catalog_visible : null
  }
}

/** The platform takes settings as a query. */
const queryOf = ({ isCartEnabled, isCatalogVisible }: CommerceChange): Query => ({
  ...(isCartEnabled === undefined ? {} : { is_cart_enabled: String(isCartEnabled) }),
  ...(isCatalogVisible === undefined ? {} : { is_catalog_visible: String(isCatalogVisible) })
})

export const makeCommerceRequests = ({ ask, askFor, passOn }: CloudApiRequests): CommerceRequests => {
  const settingsPath = ({ id }: ChannelConnection) => [id, "whatsapp_commerce_settings"] as const
  return {
    commerce: (number) => Effect.map(askFor(number, { method: "GET", path: settingsPath(number) }), settingsIn),
    changeCommerce: (number, change) =>
      Effect.asVoid(ask(number, { method: "POST", path: settingsPath(number), query: queryOf(change) })),
    catalogs: (number, { access_token: _, ...query }) =>
      passOn(number, { method: "GET", path: [number.accountId, "product_catalogs"], query }),
    products: (number, catalogId, { access_token: _, ...query }) =>
      passOn(number, { method: "GET", path: [catalogId, "products"], query: { fields: productFields, ...query } })
  }
}
