/** How many more sessions an account may have, for the admission of its calls. Source: docs/reference/voice.md#concurrency. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type SessionOwner, SessionPlaces } from "../../calling/calls/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import { LiveSessionStore } from "./LiveSessionStore.ts"
import { VoiceLimits } from "./SessionSettings.ts"

export const layer = Layer.effect(
  SessionPlaces,
  Effect.gen(function* () {
    const limits = yield* VoiceLimits
    const live = yield* LiveSessionStore
    return {
      left: ({ id, plan }: SessionOwner, at: Instant.Instant) => {
        const max = limits[plan]
        return max === null ? Effect.succeed(null) : Effect.map(live.countActive(id, at), (active) => max - active)
      }
    }
  })
)
