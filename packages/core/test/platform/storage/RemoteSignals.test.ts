/** Whom a signal wakes: the worker that waits here, or those of other processes. Verifies: STOR-6. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { makeSharedSignal, RemoteSignals } from "../../../src/platform/storage/index.ts"

/** Other processes, as this one knows them. */
const others = () => {
  const sent: Array<string> = []
  const listeners = new Map<string, Effect.Effect<void>>()
  const remote: RemoteSignals = {
    send: (name) => Effect.sync(() => void sent.push(name)),
    listen: (name, wake) => Effect.sync(() => void listeners.set(name, wake)),
    isListening: () => true
  }
  return { sent, listeners, remote }
}

const signalOf = (remote: RemoteSignals) => Effect.provideService(makeSharedSignal("dialer"), RemoteSignals, remote)

describe("a signal", () => {
  it.effect("wakes the worker that waits here, and nobody else", () =>
    Effect.gen(function* () {
      const { sent, remote } = others()
      const signal = yield* signalOf(remote)
      const worker = yield* Effect.forkChild(signal.wait(1000), { startImmediately: true })
      yield* signal.wake
      yield* Fiber.join(worker)
      assert.deepStrictEqual(sent, [])
    })
  )

  it.effect("wakes other processes too while no worker waits here", () =>
    Effect.gen(function* () {
      const { sent, remote } = others()
      const signal = yield* signalOf(remote)
      yield* signal.wake
      assert.deepStrictEqual(sent, ["dialer"])
      // A worker that comes later finds the signal.
      yield* signal.wait(1000)
      const worker = yield* Effect.forkChild(signal.wait(1000), { startImmediately: true })
      yield* TestClock.adjust(1000)
      yield* Fiber.join(worker)
      yield* signal.wake
      assert.deepStrictEqual(sent, ["dialer", "dialer"])
    })
  )

  it.effect("is shared by a worker that has as much as it can do", () =>
    Effect.gen(function* () {
      const { sent, remote } = others()
      const signal = yield* signalOf(remote)
      const worker = yield* Effect.forkChild(signal.wait(1000), { startImmediately: true })
      yield* signal.share
      assert.deepStrictEqual(sent, ["dialer"])
      assert.isUndefined(worker.pollUnsafe())
    })
  )

  it.effect("is woken by the signal of another process, which is not passed on", () =>
    Effect.gen(function* () {
      const { listeners, sent, remote } = others()
      const signal = yield* signalOf(remote)
      yield* listeners.get("dialer")!
      yield* signal.wait(1000)
      assert.deepStrictEqual(sent, [])
    })
  )
})
