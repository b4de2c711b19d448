/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import { OpenSockets } from "./OpenSockets.ts"

/** Conversations may end what they are saying. */
const drainMs = 8 * Instant.second

const workers = Effect.map(
  OpenSockets,
  ({ closeAll, drained, resume }): ReadonlyArray<Worker<never>> => [
    {
      name: "open sockets",
      begin: resume,
      drain: { stage: "first", idle: drained, timeoutMs: drainMs, cancel: closeAll, cancelMs: Instant.second }
    }
  ]
)

export const Room = room({ name: "sockets", ports: OpenSockets.layer, workers })
