/** The handler of the route of embeddings. */
import * as Effect from "effect/Effect"
import { contract } from "../http/RoomContract.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import { answerJson } from "../inference/index.ts"
import type { Brand } from "../kernel/index.ts"
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
