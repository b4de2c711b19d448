/** Declares scenarios: tests of the product's behaviour whose names are sentences about it. */
import type { StorageLayer } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { it } from "vitest"
import { makeStage, type Stage, type StageOptions } from "./Stage.ts"

type Play = (stage: Stage) => Generator<Effect.Effect<unknown, unknown>, void, never>

/** A function that declares a scenario on a storage of its own. */
export const scenarios =
  (storage: () => StorageLayer) =>
  (title: string, play: Play, options: StageOptions = {}): void => {
    const declare = options.broken === undefined ? it : it.fails
    declare(title, () =>
      Effect.runPromise(
        Effect.gen(function* () {
          const stage = yield* makeStage(storage(), options)
          yield* Effect.gen(() => play(stage))
        }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))
      )
    )
  }
