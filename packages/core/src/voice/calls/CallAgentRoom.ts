/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import { CallAgents } from "./CallAgents.ts"
import * as CallPorts from "./CallPorts.ts"

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
  layer: CallAgents.layer,
  workers
})
