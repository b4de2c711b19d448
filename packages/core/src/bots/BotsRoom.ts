/** This room, as the host has it. */
import * as Layer from "effect/Layer"
import { room } from "../room/index.ts"
import { Agent } from "./Agent.ts"
import { botErrors } from "./BotErrorTable.ts"
import { BotSecrets } from "./BotSecrets.ts"
import { Bots } from "./Bots.ts"
import { botsGroup } from "./BotsApi.ts"
import * as BotsHttp from "./BotsHttp.ts"
import { Knowledge } from "./Knowledge.ts"

export const Room = room({
  name: "bots",
  parts: Layer.provideMerge(Bots.layer, BotSecrets.layer),
  layer: Layer.provideMerge(Agent.layer, Knowledge.layer),
  api: () => [botsGroup],
  handlers: BotsHttp.layer,
  errors: botErrors
})
