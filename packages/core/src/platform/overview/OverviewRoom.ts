/** This room, as the host has it. */
import { room } from "../room/index.ts"
import { overviewGroup } from "./OverviewApi.ts"
import * as OverviewHttp from "./OverviewHttp.ts"

export const Room = room({
  name: "platform/overview",
  api: () => [overviewGroup] as const,
  handlers: OverviewHttp.layer
})
