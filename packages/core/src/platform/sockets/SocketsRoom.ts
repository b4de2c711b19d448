/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import { OpenSockets } from "./OpenSockets.ts"

/** A drain ends by itself before. */
const timeoutMs = 10 * Instant.second

const workers = Effect.map(
  OpenSockets,
  ({ drain, resume }): ReadonlyArray<Worker<never>> => [
    { name: "open sockets", begin: resume, drain: { stage: "first", idle: drain, timeoutMs } }
  ]
)

export const Room = room({ name: "platform/sockets", ports: OpenSockets.layer, workers })
