/** The event loop while speech is transcribed on the same machine. Verifies: EMBE-5. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { type EmbeddedProvider, embedded } from "../../src/embedded/index.ts"
import { skipped, transcriber, whyNot } from "./Readings.ts"
import { fixture, pcm16, wav } from "./Sounds.ts"

const reason = await whyNot()
const engine: EmbeddedProvider = embedded()
afterAll(() => engine.close())

describe.skipIf(reason !== null)(`the event loop${skipped(reason)}`, () => {
  it("never stands still for 50 ms while a large file is taken in, the thread starts and speech is heard", async () => {
    const hear = (file: Uint8Array) => Effect.runPromise(transcriber(engine)(file))
    // The largest file that is taken: silence, so that what is measured is the handing over.
    const large = wav(pcm16(new Float32Array(12_000_000)), { rate: 48_000 })
    const loop = monitorEventLoopDelay({ resolution: 5 })
    loop.enable()
    const [, { text }] = await Promise.all([hear(large), hear(fixture("speech.flac"))])
    loop.disable()
    expect(text).toContain("amiable")
    expect(loop.max / 1e6).toBeLessThan(50)
  })
})
