/** What the storage suites test, and what they may expect of it. */
import { layer, type Vitest } from "@effect/vitest"
import type { Stores } from "@trunkline/core/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

export type { Stores }

/** How storages may differ. Everything else is the same for all of them. */
export interface Traits {
  /** Transactions run side by side, and one may be held open while others go on. Otherwise each runs alone. */
  readonly sideBySide: boolean
}

/** Builds an empty storage. Each suite builds one for itself. */
export type StoresLayer = Layer.Layer<Stores, unknown>

/** Declares the tests of one topic for one storage. */
export type Suite = (name: string, stores: StoresLayer, traits: Traits) => void

interface Tests {
  readonly it: Vitest.MethodsNonLive<Stores>
  /** Declares a test that only makes sense where transactions run side by side; elsewhere it is skipped and says why. */
  readonly sideBySide: Vitest.Test<Stores | Scope.Scope>
  /** The opposite. */
  readonly alone: Vitest.Test<Stores | Scope.Scope>
}

export const suite =
  (topic: string, tests: (declare: Tests) => void): Suite =>
  (name, stores, traits) =>
    layer(stores, { timeout: "120 seconds" })(`${topic} on ${name}`, (it) => {
      const only =
        (holds: boolean, reason: string): Vitest.Test<Stores | Scope.Scope> =>
        (test, self, options) =>
          holds ? it.effect(test, self, options) : it.effect.skip(`${test} [skipped: ${reason}]`, self, options)
      tests({
        it,
        sideBySide: only(traits.sideBySide, "transactions run one after the other here"),
        alone: only(!traits.sideBySide, "transactions run side by side here")
      })
    })

/**
 * Something that a test holds back for a while. It is let go at the end of the test at the latest: a transaction cannot be
 * interrupted, and one that waits for a test that has failed would wait for ever.
 */
export const gate = Effect.acquireRelease(Deferred.make<void>(), (held) => Deferred.succeed(held, undefined))

/** Lets real time pass: databases do not wait for the clock of a test. */
export const pause = (milliseconds: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => resume(Effect.void), milliseconds)
    return Effect.sync(() => clearTimeout(timer))
  })
