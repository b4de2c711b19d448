/** Signs of life of open sockets. Verifies: SOCK-3. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { OpenSockets } from "../../../src/platform/sockets/OpenSockets.ts"
import type { WebSocketLike } from "../../../src/platform/sockets/WebSocketLibrary.ts"

/** A client that answers pings only when a test says so. */
const client = () => {
  const listeners = new Map<string, (...values: ReadonlyArray<never>) => void>()
  const seen = { pings: 0, isCutOff: false }
  const emit = (event: string, ...values: ReadonlyArray<unknown>) => listeners.get(event)?.(...(values as [never]))
  const socket: WebSocketLike = {
    bufferedAmount: 0,
    send: () => undefined,
    ping: () => void seen.pings++,
    close: () => undefined,
    terminate: () => {
      seen.isCutOff = true
    },
    on: (event: string, listener: (...values: ReadonlyArray<never>) => void) => void listeners.set(event, listener)
  }
  return { seen, socket, answer: () => emit("pong"), leave: () => emit("close", 1000) }
}

const listener = { text: () => undefined, bytes: () => undefined, closed: () => undefined, goingAway: () => undefined }

const on = <A>(test: (sockets: OpenSockets["Service"]) => Effect.Effect<A>) =>
  Effect.provide(Effect.flatMap(OpenSockets, test), OpenSockets.layer)

describe("an open socket", () => {
  it.effect("is pinged every ten seconds, however many others were opened before it", () =>
    on((sockets) =>
      Effect.gen(function* () {
        for (let count = 0; count < 50; count++) {
          const other = client()
          sockets.add(other.socket, () => listener)
          yield* TestClock.adjust(100)
          other.leave()
        }
        const one = client()
        sockets.add(one.socket, () => listener)
        yield* TestClock.adjust(30_000)
        assert.deepStrictEqual(one.seen, { pings: 3, isCutOff: false })
      })
    )
  )

  it.effect("is cut off after three pings without an answer, and one answer counts for all before it", () =>
    on((sockets) =>
      Effect.gen(function* () {
        const [silent, lively] = [client(), client()]
        for (const { socket } of [silent, lively]) sockets.add(socket, () => listener)
        yield* TestClock.adjust(30_000)
        lively.answer()
        assert.isFalse(silent.seen.isCutOff)
        yield* TestClock.adjust(10_000)
        assert.isTrue(silent.seen.isCutOff)
        assert.isFalse(lively.seen.isCutOff)
      })
    )
  )

  it.effect("is pinged again where a while passed without any", () =>
    on((sockets) =>
      Effect.gen(function* () {
        const first = client()
        sockets.add(first.socket, () => listener)
        first.leave()
        yield* TestClock.adjust(60_000)
        const later = client()
        sockets.add(later.socket, () => listener)
        yield* TestClock.adjust(20_000)
        assert.isAtLeast(later.seen.pings, 1)
      })
    )
  )
})
