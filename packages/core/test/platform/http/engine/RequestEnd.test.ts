/** What is done when a request ends. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import { CurrentLogAnnotations } from "effect/References"
import * as Scope from "effect/Scope"
import { atRequestEnd } from "../../../../src/platform/http/engine/RequestEnd.ts"

describe("what is done at the end of a request", () => {
  it.effect("names the request in its log, although the request's fiber is gone", () => {
    const logged: Array<unknown> = []
    const remembering = Logger.make<unknown, void>(({ fiber }) => {
      logged.push(fiber.getRef(CurrentLogAnnotations).requestId)
    })
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const request = Effect.annotateLogs(atRequestEnd(Effect.logError("late")), "requestId", "r1")
      yield* Effect.provideService(request, Scope.Scope, scope)
      assert.deepStrictEqual(logged, [])
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(logged, ["r1"])
    }).pipe(Effect.provide(Logger.layer([remembering])))
  })
})
