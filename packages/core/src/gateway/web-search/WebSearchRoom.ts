/** This room, as the host has it. */
import * as Layer from "effect/Layer"
import { room } from "../../platform/room/index.ts"
import { SearchRun } from "./SearchRun.ts"
import { WebSearch } from "./WebSearch.ts"
import { searchGroup } from "./WebSearchApi.ts"
import * as WebSearchHttp from "./WebSearchHttp.ts"

export const Room = room({
  name: "gateway/web-search",
  layer: Layer.provideMerge(WebSearch.layer, SearchRun.layer),
  api: () => [searchGroup],
  handlers: WebSearchHttp.layer
})
