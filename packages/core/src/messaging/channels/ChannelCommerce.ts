/** Port: what a number sells, as the channel's network keeps it. Source: docs/reference/catalog.md. */
import type * as Effect from "effect/Effect"
import type { JsonObject } from "../messages/JsonObject.ts"
import type { ChannelConnection } from "./ChannelConnection.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"

/** What customers see of a number's catalog. A field that the network does not name is null. */
export interface CommerceSettings {
  /** The network's id of the catalog that is shown. */
  readonly catalogId: string | null
  readonly isCartEnabled: boolean | null
  readonly isCatalogVisible: boolean | null
}

/** What is set anew; what is left out stays. */
export interface CommerceChange {
  readonly isCartEnabled?: boolean
  readonly isCatalogVisible?: boolean
}

type Query = Readonly<Record<string, string>>

export interface ChannelCommerce {
  readonly settings: (connection: ChannelConnection) => Effect.Effect<CommerceSettings, ChannelFailed>
  readonly change: (connection: ChannelConnection, change: CommerceChange) => Effect.Effect<void, ChannelFailed>
  /** The catalogs of the business account, in the network's words. */
  readonly catalogs: (connection: ChannelConnection, query: Query) => Effect.Effect<JsonObject, ChannelFailed>
  /** The products of a catalog, in the network's words. */
  readonly products: (
    connection: ChannelConnection,
    catalogId: string,
    query: Query
  ) => Effect.Effect<JsonObject, ChannelFailed>
}
