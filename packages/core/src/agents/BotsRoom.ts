/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { room } from "../platform/room/index.ts"
import { botErrors } from "./bots/BotErrors.ts"
import { BotSecrets } from "./bots/BotSecrets.ts"
import { Bots } from "./bots/Bots.ts"
import { botsGroup } from "./bots/BotsApi.ts"
import * as BotsHttp from "./bots/BotsHttp.ts"
import { Knowledge } from "./bots/Knowledge.ts"

export const Room = room({
  name: "agents",
  parts: Layer.provideMerge(Bots.layer, BotSecrets.layer),
  layer: Knowledge.layer,
  api: () => [botsGroup],
  handlers: BotsHttp.layer,
  errors: botErrors,
  reencrypt: Effect.map(BotSecrets, ({ reencrypt }) => [reencrypt])
})
