/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Upstreams } from "../../gateway/upstreams/index.ts"
import { SpeechDetectors } from "../../platform/audio/index.ts"
import { type ReadMetrics, type RoomMetrics, room, sample, type Worker } from "../../platform/room/index.ts"
import { VoiceCounters } from "./VoiceCounters.ts"

/** Without a language model no agent listens. */
const workers = Effect.gen(function* () {
  const { warm = Effect.void } = yield* SpeechDetectors
  const { serving } = yield* Upstreams
  const begin = serving("generate").length === 0 ? Effect.void : Effect.asVoid(Effect.forkScoped(warm))
  return [{ name: "speech detector", begin }] satisfies ReadonlyArray<Worker<never>>
})

const metrics = {
  declared: {
    trunkline_voice_sessions_active: {
      type: "gauge",
      labels: [],
      of: "process",
      help: "Voice sessions that this process carries"
    },
    trunkline_voice_sessions_total: {
      type: "counter",
      labels: ["end_reason"],
      of: "process",
      help: "Voice sessions that this process has ended"
    },
    trunkline_voice_stage_seconds_sum: {
      type: "counter",
      labels: ["stage"],
      of: "process",
      help: "Time of replies to turns, by stage; own is what no model and no silence has used"
    },
    trunkline_voice_stage_seconds_count: {
      type: "counter",
      labels: ["stage"],
      of: "process",
      help: "Replies to turns that had the stage"
    },
    trunkline_voice_interruptions_total: {
      type: "counter",
      labels: [],
      of: "process",
      help: "Times at which a caller has stopped an agent"
    }
  },
  reader: Effect.map(
    VoiceCounters,
    (counters): ReadMetrics =>
      () => {
        const { active, endedBy, interruptions, stages } = counters.read()
        return {
          trunkline_voice_sessions_active: [sample(active)],
          trunkline_voice_sessions_total: [...endedBy].map(([end_reason, n]) => sample(n, { end_reason })),
          trunkline_voice_stage_seconds_sum: [...stages].map(([stage, { seconds }]) => sample(seconds, { stage })),
          trunkline_voice_stage_seconds_count: [...stages].map(([stage, { count }]) => sample(count, { stage })),
          trunkline_voice_interruptions_total: [sample(interruptions)]
        }
      }
  )
} satisfies RoomMetrics

export const Room = room({
  name: "voice/live",
  layer: VoiceCounters.layer,
  workers,
  metrics
})
