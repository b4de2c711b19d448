/** The handler of the route of embeddings. */
import * as Effect from "effect/Effect"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { answerJson } from "../routes/JsonRequestHttp.ts"
import { Embeddings } from "./Embeddings.ts"
import { embeddingsGroup } from "./EmbeddingsApi.ts"

const api = contract.add(embeddingsGroup)

export const layer = ({ headerPrefix }: Pick<Brand, "headerPrefix">) =>
  RouteHandlers.group(
    api,
    "embeddings",
    Effect.fnUntraced(function* (handlers) {
      const embeddings = yield* Embeddings
      return handlers.handleAll({ embed: ({ payload }) => answerJson(payload, headerPrefix, embeddings.run) })
    })
  )
