/** Scenarios of the chat channel on SQLite in memory, under the test clock: a model and a platform that the test plays. */
import { layer } from "@trunkline/storage-sqlite"
import { makeReplyWorld, type ReplyWorld, type ReplyWorldOptions } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { it } from "vitest"

/** When every scenario begins. */
export const start = Date.UTC(2026, 10, 21, 9)

export const names = (events: ReadonlyArray<{ readonly event: string }>): ReadonlyArray<string> =>
  events.map(({ event }) => event)

/** A world on a storage of its own. */
export const newWorld = (options: ReplyWorldOptions = {}) => makeReplyWorld(layer({ path: ":memory:" }), options)

type Play = (world: ReplyWorld) => Generator<Effect.Effect<unknown, unknown, Scope.Scope>, void, never>

export const scenario = (title: string, play: Play, options: ReplyWorldOptions = {}) =>
  it(title, () =>
    Effect.runPromise(
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const world = yield* newWorld(options)
        yield* Effect.gen(() => play(world))
      }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))
    )
  )
