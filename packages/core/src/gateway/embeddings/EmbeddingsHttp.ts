/** The handler of the route of embeddings. */
import * as Effect from "effect/Effect"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { jsonHandler } from "../routes/JsonRequestHttp.ts"
import { embeddingRoute } from "./Embeddings.ts"
import { embeddingsGroup } from "./EmbeddingsApi.ts"

const api = contract.add(embeddingsGroup)

export const layer = (brand: Pick<Brand, "headerPrefix">) =>
  RouteHandlers.group(api, "embeddings", (handlers) =>
    Effect.map(jsonHandler(embeddingRoute, brand), (embed) => handlers.handleAll({ embed }))
  )
