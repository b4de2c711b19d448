/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import { AgentSocket } from "./AgentSocket.ts"

const workers = Effect.map(
  AgentSocket,
  ({ settled }) =>
    [
      { name: "ends of voice sessions", drain: { stage: "last", idle: settled, timeoutMs: 5 * Instant.second } }
    ] satisfies ReadonlyArray<Worker<never>>
)

export const Room = room({
  name: "voice/socket",
  layer: AgentSocket.layer,
  workers,
  sockets: Effect.map(AgentSocket, ({ route }) => [route])
})
