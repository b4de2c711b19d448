/** The event loop while texts are embedded on the same machine. Verifies: EMBE-11. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { type EmbeddedProvider, embedded } from "../../src/embedded/index.ts"
import { skipped } from "./Readings.ts"
import { embedder, sentences, whyNoSentences } from "./Sentences.ts"

const reason = await whyNoSentences()
const engine: EmbeddedProvider = embedded()
afterAll(() => engine.close())

describe.skipIf(reason !== null)(`the event loop${skipped(reason)}`, () => {
  it("never stands still for 50 ms while the thread starts and 128 texts are embedded", async () => {
    const loop = monitorEventLoopDelay({ resolution: 5 })
    loop.enable()
    const { vectors } = await Effect.runPromise(embedder(engine)(...sentences(128)))
    loop.disable()
    expect(vectors).toHaveLength(128)
    expect(loop.max / 1e6).toBeLessThan(50)
  })
})
