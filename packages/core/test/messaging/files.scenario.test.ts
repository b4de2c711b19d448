/** Files on their way between callers and the platform: docs/reference/messaging.md#media. */
import { sampleNumber } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect } from "vitest"
import { FileRoom, maxFileBytesOfAccount, PlatformFiles } from "../../src/messaging/sending/index.ts"
import { Ids } from "../../src/platform/kernel/index.ts"
import { scenario } from "./ReplyScenarios.ts"

const megabyte = 1024 * 1024

describe("files of a process", () => {
  scenario(
    "of one account are fetched six at a time where they are small, and one at a time where they are large",
    function* (world) {
      const { platform } = world
      platform.delays("media", 100)
      const small = platform.addFile("image/png", new Uint8Array(10))
      const large = platform.addFile("application/pdf", new Uint8Array(17 * megabyte))
      for (const [id, most] of [
        [small, 6],
        [large, 1]
      ] as const) {
        platform.calls.length = 0
        const file = PlatformFiles.use((files) => files.file(world.tenant, sampleNumber.phoneNumberId, id))
        const all = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 20 }, () => world.run(file)),
            { concurrency: "unbounded" }
          )
        )
        for (let waited = 0; waited < 120; waited += 1) {
          yield* world.settle
          yield* world.jump(100)
        }
        const sizes = new Set((yield* Fiber.join(all)).map((found) => found?.size))
        expect([...sizes]).toEqual([platform.files.get(id)!.size])
        const fetched = platform.of("media").filter(({ body }) => most === 6 || body.maxBytes === 100 * megabyte)
        const begun = Map.groupBy(fetched, ({ at }) => at)
        expect(fetched).toHaveLength(20)
        expect(Math.max(...[...begun.values()].map((calls) => calls.length))).toBe(most)
      }
    }
  )

  scenario("leave room for those of other accounts, whatever one of them does", function* (world) {
    yield* Effect.gen(function* () {
      const room = yield* FileRoom
      const [mine, theirs] = [world.tenant, Ids.as<"Account">("0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11")]
      const take = yield* room.taking(mine)
      expect(take(maxFileBytesOfAccount)).toBeUndefined()
      expect(take(1)).toMatchObject({ _tag: "FileRoomTaken", of: "account" })
      const waits = yield* Effect.forkChild(room.within(mine, megabyte, Effect.void))
      const given = yield* room.taking(theirs)
      expect(given(100 * megabyte)).toBeUndefined()
      yield* room.within(theirs, megabyte, Effect.void)
      expect(waits.pollUnsafe()).toBeUndefined()
      yield* Fiber.interrupt(waits)
    }).pipe(Effect.scoped, Effect.provide(FileRoom.layer))
  })

  scenario("give their room back when they have arrived, or are given up while they wait", function* (world) {
    yield* Effect.gen(function* () {
      const room = yield* FileRoom
      yield* Effect.scoped(Effect.map(room.taking(world.tenant), (take) => take(maxFileBytesOfAccount)))
      const work = yield* Effect.forkChild(room.within(world.tenant, maxFileBytesOfAccount, Effect.never))
      yield* Effect.yieldNow
      const waits = yield* Effect.forkChild(room.within(world.tenant, megabyte, Effect.void))
      yield* Fiber.interrupt(waits)
      yield* Fiber.interrupt(work)
      yield* room.within(world.tenant, maxFileBytesOfAccount, Effect.void)
    }).pipe(Effect.provide(FileRoom.layer))
  })
})
