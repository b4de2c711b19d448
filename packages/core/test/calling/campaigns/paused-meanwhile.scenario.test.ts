/** A campaign that a person pauses between the dialer's look and its turn: docs/reference/campaigns.md#states. */
import { Dialer } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { ExpectedAnswers } from "../../../src/calling/calls/index.ts"
import { scenario } from "../calls/Scenarios.ts"

/** More than the dialer visits side by side: those at the end begin after the first has ended. */
const campaigns = 40

scenario("a campaign that is paused during a pass costs no other campaign its turn", function* (stage) {
  const phones = Array.from({ length: campaigns }, (_, nth) => `+141555501${String(nth).padStart(2, "0")}`)
  const ids = yield* Effect.forEach(phones, (phone) => stage.running({ paceSeconds: 5 }, [phone]))
  // The dialer asks who will answer before it decides: the first time, a person pauses the first campaign.
  let isPaused = false
  const pauseOnce = Effect.suspend(() => {
    if (isPaused) return Effect.void
    isPaused = true
    return stage.move(ids[0]!, "paused")
  })
  const asked = Layer.effect(
    ExpectedAnswers,
    Effect.map(ExpectedAnswers, ({ byAgent, meansOf }) =>
      ExpectedAnswers.of({ byAgent: (...given) => Effect.andThen(pauseOnce, byAgent(...given)), meansOf })
    )
  )
  const tick = Dialer.use((dialer) => dialer.tick)
  yield* stage.run(Effect.provide(tick, Layer.provide(Layer.fresh(Dialer.layer), asked)))
  yield* stage.deliver
  expect([...stage.dialed].sort()).toEqual(phones.slice(1))
})
