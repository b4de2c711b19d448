/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Upstreams } from "../../gateway/upstreams/index.ts"
import { SpeechDetectors } from "../../platform/audio/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import { LiveRuns } from "./LiveRuns.ts"
import { VoiceCounters } from "./VoiceCounters.ts"

/** Without a language model no agent listens. */
const workers = Effect.gen(function* () {
  const { warm = Effect.void } = yield* SpeechDetectors
  const { serving } = yield* Upstreams
  const begin = serving("generate").length === 0 ? Effect.void : Effect.asVoid(Effect.forkScoped(warm))
  return [{ name: "speech detector", begin }] satisfies ReadonlyArray<Worker<never>>
})

export const Room = room({
  name: "voice/live",
  layer: LiveRuns.layer.pipe(Layer.provideMerge(VoiceCounters.layer)),
  workers
})
