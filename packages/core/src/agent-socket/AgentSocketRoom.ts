/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { room } from "../room/index.ts"
import { AgentHandshake } from "./AgentHandshake.ts"
import { AgentSocket } from "./AgentSocket.ts"

export const Room = room({
  name: "agent-socket",
  layer: AgentSocket.layer.pipe(Layer.provideMerge(AgentHandshake.layer)),
  sockets: Effect.map(AgentSocket, ({ route }) => [route])
})
