/** How often a worker looks for work: docs/reference/storage.md#signals. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { loop } from "../../src/host/Workers.ts"
import { makeSignal } from "../../src/platform/kernel/index.ts"
import type { DueWorker } from "../../src/platform/room/index.ts"
import { RemoteSignals, type StorageError } from "../../src/platform/storage/index.ts"

const looksOf = (isListening: boolean, more: Partial<DueWorker<StorageError>>) =>
  Effect.gen(function* () {
    let looks = 0
    const nextDue = Effect.sync(() => {
      looks += 1
      return null
    })
    const worker = { name: "test", nextDue, tick: Effect.succeed("idle" as const), ...more }
    const signals: RemoteSignals = {
      send: () => Effect.void,
      listen: () => Effect.void,
      isListening: () => isListening
    }
    yield* Effect.forkChild(Effect.provideService(loop(worker), RemoteSignals, signals))
    // One look at the start.
    yield* TestClock.adjust(19_999)
    return looks
  })

describe("a worker for which nothing is due", () => {
  it.effect("looks every four seconds where signals of other processes wake it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* looksOf(true, { signal: yield* makeSignal }), 5)
    })
  )

  it.effect("looks every second where no signals arrive, or none are meant for it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* looksOf(false, { signal: yield* makeSignal }), 20)
      assert.strictEqual(yield* looksOf(true, {}), 20)
    })
  )

  it.effect("looks at its own interval where it has one", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* looksOf(false, { pollMs: 5000 }), 4)
    })
  )
})
