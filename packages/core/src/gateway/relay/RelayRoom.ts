/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../../platform/kernel/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import { Relays } from "./Relays.ts"

const workers = Effect.gen(function* () {
  const { cancel, idle } = yield* Relays
  return [
    { name: "relayed answers", drain: { stage: "first", idle, timeoutMs: 10 * Instant.second, cancel } }
  ] satisfies ReadonlyArray<Worker<never>>
})

export const Room = room({
  name: "gateway/relay",
  layer: Layer.provideMerge(Relays.ofRoutes, Relays.layer),
  workers
})
