/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../../platform/kernel/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import { CallAgents } from "./CallAgents.ts"
import { CallMessages } from "./CallMessages.ts"
import * as CallPorts from "./CallPorts.ts"
import { CallSessions } from "./CallSessions.ts"
import { CallTools } from "./CallTools.ts"

const workers = Effect.map(
  CallAgents,
  ({ handBack }) =>
    [
      { name: "calls with agents", drain: { stage: "first", idle: handBack, timeoutMs: 9 * Instant.second } }
    ] satisfies ReadonlyArray<Worker<never>>
)

export const Room = room({
  name: "voice/calls",
  // Calls are answered, and their tools send messages.
  beside: ["calling", "messaging"],
  ports: CallPorts.layer,
  layer: CallAgents.layer.pipe(
    Layer.provideMerge(Layer.merge(CallSessions.layer, CallTools.layer)),
    Layer.provideMerge(CallMessages.layer)
  ),
  workers
})
