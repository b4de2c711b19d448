/** What the log has of an outage: docs/reference/operations.md#outage. Verifies: HOST-7. */

import type { LogEntry } from "@trunkline/core"
import { Instant, Storage } from "@trunkline/core/effect"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import { logger } from "../../src/host/HostLog.ts"
import { StorageWatch, watchedStorage } from "../../src/host/index.ts"
import { Workers } from "../../src/host/Workers.ts"
import { StorageError } from "../../src/platform/storage/index.ts"
import { scenario } from "../calling/calls/Scenarios.ts"

const begins = Date.UTC(2026, 10, 21, 6, 30)

/** Log lines as a host gets them. */
const collecting = () => {
  const lines: Array<LogEntry> = []
  return { lines, layer: Logger.layer([logger((line) => void lines.push(line))]) }
}

const texts = (lines: ReadonlyArray<LogEntry>) => lines.map(({ level, message }) => `${level} ${message}`)

describe("an outage of the storage", () => {
  // Verifies: D-265.
  scenario("of 20 s with every worker running and requests being made is two lines", function* (stage) {
    const { layer, lines } = collecting()
    yield* stage.run(
      Effect.provide(
        Workers.use(({ start }) => start),
        layer
      )
    )
    yield* stage.elapse(5_000, 500)
    stage.isDown = true
    for (let nth = 0; nth < 20; nth += 1) {
      yield* Effect.provide(Effect.flip(stage.dial("+14155550101")), layer)
      yield* stage.elapse(1_000, 500)
    }
    stage.isDown = false
    yield* stage.elapse(10_000, 500)
    expect(texts(lines)).toEqual([
      "error storage unavailable since 2026-11-21T06:30:05.000Z: the stage says so",
      expect.stringMatching(
        /^warn storage available again: unavailable from 2026-11-21T06:30:05.000Z for \d+ s, \d{2,4} operations failed$/
      )
    ])
    yield* stage.run(Workers.use(({ stop }) => stop))
  })
})

describe("the watch of a storage", () => {
  /** A storage that fails on command, under a clock. */
  const play = (
    test: (world: {
      readonly fails: (reason: StorageError["reason"] | null) => void
      readonly lines: ReadonlyArray<LogEntry>
      readonly storage: Storage["Service"]
      readonly watch: StorageWatch["Service"]
    }) => Effect.Effect<void, unknown>
  ) => {
    let fault: StorageError | null = null
    const answer = <A, E, R>(program: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E | StorageError, R> => (fault === null ? program : Effect.fail(fault)))
    // The programs of these tests ask nothing of a transaction.
    const run = answer as unknown as Storage["Service"]["transact"]
    const storage = {
      read: run as Storage["Service"]["read"],
      transact: run,
      transactWith: () => run,
      durable: answer(Effect.void),
      ready: answer(Effect.void)
    }
    const { layer, lines } = collecting()
    const fails = (reason: StorageError["reason"] | null) => {
      fault = reason === null ? null : new StorageError({ reason, detail: "says the test" })
    }
    return Effect.runPromise(
      Effect.gen(function* () {
        yield* TestClock.setTime(begins)
        yield* test({ fails, lines, storage: yield* Storage, watch: yield* StorageWatch })
      }).pipe(
        Effect.provide(Layer.provide(watchedStorage, Layer.succeed(Storage, storage))),
        Effect.provide(Layer.mergeAll(TestClock.layer(), layer))
      )
    )
  }

  // Verifies: D-265.
  it("logs an outage at once, each minute, and when it is over", () =>
    play(({ fails, lines, storage, watch }) =>
      Effect.gen(function* () {
        expect(watch.state()).toEqual({ unavailableSince: null, failures: 0 })
        fails("unavailable")
        for (let second = 0; second < 125; second += 1) {
          yield* Effect.flip(storage.read(Effect.void))
          yield* Effect.flip(storage.ready)
          yield* TestClock.adjust(1_000)
        }
        expect(watch.state()).toEqual({ unavailableSince: begins, failures: 250 })
        fails(null)
        yield* storage.read(Effect.void)
        yield* TestClock.adjust(4_000)
        yield* storage.read(Effect.void)
        yield* storage.read(Effect.void)
        expect(watch.state()).toEqual({ unavailableSince: null, failures: 250 })
        expect(texts(lines)).toEqual([
          "error storage unavailable since 2026-11-21T06:30:00.000Z: says the test",
          "error storage unavailable since 2026-11-21T06:30:00.000Z: 121 operations failed so far",
          "error storage unavailable since 2026-11-21T06:30:00.000Z: 241 operations failed so far",
          "warn storage available again: unavailable from 2026-11-21T06:30:00.000Z for 124 s, 250 operations failed"
        ])
      })
    ))

  it("counts connections that break now and then as one outage", () =>
    play(({ fails, lines, storage }) =>
      Effect.gen(function* () {
        for (let second = 0; second < 30; second += 1) {
          fails(second % 3 === 0 ? "unavailable" : null)
          yield* Effect.exit(storage.transact(Effect.void))
          yield* TestClock.adjust(1_000)
        }
        yield* TestClock.adjust(5_000)
        yield* storage.transact(Effect.void)
        expect(lines).toHaveLength(2)
      })
    ))

  it("notices the success of a sweep that was built before the outage began", () =>
    play(({ fails, storage, watch }) =>
      Effect.gen(function* () {
        const sweep = storage.transact(Effect.void)
        fails("unavailable")
        yield* Effect.flip(sweep)
        fails(null)
        yield* TestClock.adjust(10_000)
        expect(watch.state().unavailableSince).toBe(begins)
        yield* sweep
        expect(watch.state().unavailableSince).toBeNull()
      })
    ))

  it("does not end the outage of a full disk because it can be read", () =>
    play(({ fails, storage, watch }) =>
      Effect.gen(function* () {
        fails("full")
        yield* Effect.flip(storage.transact(Effect.void))
        fails(null)
        yield* TestClock.adjust(10_000)
        yield* storage.read(Effect.void)
        expect(watch.state().unavailableSince).toBe(begins)
        yield* storage.transact(Effect.void)
        expect(watch.state().unavailableSince).toBeNull()
      })
    ))

  it("says nothing of what is no outage", () =>
    play(({ fails, lines, storage, watch }) =>
      Effect.gen(function* () {
        for (const reason of ["contended", "timeout", "corrupt", "defect"] as const) {
          fails(reason)
          yield* Effect.flip(storage.transact(Effect.void))
        }
        fails(null)
        yield* Effect.flip(storage.transact(Effect.fail("a refusal")))
        expect([lines, watch.state()]).toEqual([[], { unavailableSince: null, failures: 0 }])
      })
    ))
})

describe("a line of the log", () => {
  const written = async (log: Effect.Effect<void>) => {
    const { layer, lines } = collecting()
    await Effect.runPromise(Effect.provide(log, layer))
    return lines.map(({ at: _, ...line }) => line)
  }

  // Verifies: D-265.
  it("has the error and its stack in fields of their own", async () => {
    const error = new TypeError("x is no function")
    expect(await written(Effect.logError("dialing for a campaign", "id-1", Cause.die(error)))).toEqual([
      {
        level: "error",
        message: "dialing for a campaign id-1: x is no function",
        error: "TypeError: x is no function",
        stack: expect.stringMatching(/^TypeError: x is no function\n\s+at /)
      }
    ])
    expect(await written(Effect.logWarning("an upstream failed", new Error("no answer")))).toEqual([
      {
        level: "warn",
        message: "an upstream failed no answer",
        error: "Error: no answer",
        stack: expect.stringContaining("Error: no answer\n")
      }
    ])
    expect(await written(Effect.logInfo("started"))).toEqual([{ level: "info", message: "started" }])
  })

  it("is not written for what the lines about the outage cover", async () => {
    const away = new StorageError({ reason: "unavailable", detail: "no connection" })
    expect(await written(Effect.logError("the dialer failed", Cause.fail(away)))).toEqual([])
    expect(await written(Effect.logError(away))).toEqual([])
    expect(await written(Effect.logError("the dialer failed", Cause.die(away)))).toHaveLength(1)
    const slow = new StorageError({ reason: "timeout", detail: "too slow" })
    expect(await written(Effect.logError("the dialer failed", Cause.fail(slow)))).toMatchObject([
      { error: "StorageError: storage timeout: too slow" }
    ])
  })
})

describe("workers whose start fails", () => {
  scenario("can be started again", function* (stage) {
    stage.isDown = true
    const start = Workers.use((workers) => workers.start)
    const state = Workers.use((workers) => Effect.sync(() => workers.state().running))
    expect(yield* stage.fails(start)).toMatchObject({ reason: "unavailable" })
    expect(yield* stage.run(state)).toBe(false)
    stage.isDown = false
    yield* stage.run(start)
    expect(yield* stage.run(state)).toBe(true)
    const id = yield* stage.running({}, ["+14155550101"])
    yield* stage.elapse(3_000, 500)
    expect(stage.dialed).toEqual(["+14155550101"])
    expect((yield* stage.campaign(id)).status).toBe("running")
    yield* stage.run(Workers.use(({ stop }) => stop))
    yield* TestClock.adjust(Instant.second)
  })
})
