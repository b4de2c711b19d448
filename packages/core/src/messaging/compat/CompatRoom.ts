/** This room, as the host has it. */
import type { Brand } from "../../platform/brand/index.ts"
import { room } from "../../platform/room/index.ts"
import { compatibleEdge } from "./CompatibleAnswers.ts"
import { compatibleGroup } from "./CompatibleApi.ts"
import * as CompatibleAuth from "./CompatibleAuth.ts"
import * as CompatibleHttp from "./CompatibleHttp.ts"

export const Room = room({
  name: "messaging/compat",
  api: (brand: Brand) => [compatibleGroup(brand)] as const,
  handlers: CompatibleHttp.layer,
  middleware: ({ channel }: Brand) => CompatibleAuth.layer(channel),
  edge: compatibleEdge
})
