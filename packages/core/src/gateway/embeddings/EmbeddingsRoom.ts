/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { embeddingsGroup } from "./EmbeddingsApi.ts"
import * as EmbeddingsHttp from "./EmbeddingsHttp.ts"

export const Room = room({
  name: "gateway/embeddings",
  api: () => [embeddingsGroup],
  handlers: EmbeddingsHttp.layer
})
