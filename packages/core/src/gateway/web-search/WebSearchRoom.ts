/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { searchGroup } from "./WebSearchApi.ts"
import * as WebSearchHttp from "./WebSearchHttp.ts"

export const Room = room({
  name: "gateway/web-search",
  api: () => [searchGroup],
  handlers: WebSearchHttp.layer
})
