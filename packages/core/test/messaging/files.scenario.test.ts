/** Files on their way between callers and the platform: docs/messaging.md#media. */
import { sampleNumber } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect } from "vitest"
import { PlatformFiles } from "../../src/messaging/index.ts"
import { scenario } from "./ReplyScenarios.ts"

const megabyte = 1024 * 1024

describe("files of a process", () => {
  scenario(
    "are fetched sixteen at a time where they are small, and two at a time where they are large",
    function* (world) {
      const { platform } = world
      platform.delays("media", 100)
      const small = platform.addFile("image/png", new Uint8Array(10))
      const large = platform.addFile("application/pdf", new Uint8Array(17 * megabyte))
      for (const [id, most] of [
        [small, 16],
        [large, 2]
      ] as const) {
        platform.calls.length = 0
        const file = PlatformFiles.use((files) => files.file(world.tenant, sampleNumber.phoneNumberId, id))
        const all = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 20 }, () => world.run(file)),
            { concurrency: "unbounded" }
          )
        )
        for (let waited = 0; waited < 60; waited += 1) {
          yield* world.settle
          yield* world.jump(100)
        }
        const sizes = new Set((yield* Fiber.join(all)).map((found) => found?.size))
        expect([...sizes]).toEqual([platform.files.get(id)!.size])
        const fetched = platform.of("media").filter(({ body }) => most === 16 || body.maxBytes === 100 * megabyte)
        const begun = Map.groupBy(fetched, ({ at }) => at)
        expect(fetched).toHaveLength(20)
        expect(Math.max(...[...begun.values()].map((calls) => calls.length))).toBe(most)
      }
    }
  )
})
