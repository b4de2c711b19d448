/** Work that is done when a request ends, however it ends. */
import * as Effect from "effect/Effect"
import { CurrentLogAnnotations } from "effect/References"
import * as Scope from "effect/Scope"

/**
 * Runs an effect when the request ends; what it logs names the request. `Effect.addFinalizer` would run it with a copy of all
 * services, which costs as much as two statements.
 */
export const atRequestEnd = (end: Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const annotations = yield* CurrentLogAnnotations
    yield* Scope.addFinalizer(yield* Effect.scope, Effect.provideService(end, CurrentLogAnnotations, annotations))
  })
