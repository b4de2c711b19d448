/** This room, as the host has it. */
import type { Brand } from "../brand/index.ts"
import { room } from "../room/index.ts"
import { meGroup } from "./MeApi.ts"
import * as MeHttp from "./MeHttp.ts"

export const Room = room({
  name: "platform/people",
  api: () => [meGroup] as const,
  handlers: ({ channel }: Brand) => MeHttp.layer(channel)
})
