/** Attempts under way, and how they end: docs/reference/webhooks.md#attempt. Verifies: HOOK-4. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { expect, it } from "vitest"
import { Instant } from "../../../src/platform/kernel/index.ts"
import { type Attempts, type EndedAttempt, makeAttempts } from "../../../src/webhooks/deliveries/Attempts.ts"
import type { Claim } from "../../../src/webhooks/deliveries/ClaimAhead.ts"
import type { Outcome } from "../../../src/webhooks/deliveries/Delivery.ts"
import { claimedRow } from "../ClaimedRow.ts"

const at = Instant.make(0)

const claimOf = (id: string): Claim => ({
  claim: "claim",
  at,
  since: at,
  row: claimedRow(id, "one", 1)
})

/** Attempts that end when the test says, and the groups in which they were handled. */
class World {
  readonly groups: Array<ReadonlyArray<readonly [id: string, ended: string]>> = []
  /** Attempts that were interrupted. */
  readonly interrupted: Array<string> = []
  readonly #answers = new Map<string, Deferred.Deferred<Outcome>>()
  attempts!: Attempts

  readonly #work = {
    timeoutMs: 10_000,
    attempt: ({ id }: { readonly id: string }) =>
      Effect.suspend(() => {
        const answer = Deferred.makeUnsafe<Outcome>()
        this.#answers.set(id, answer)
        return Effect.onInterrupt(Deferred.await(answer), () => Effect.sync(() => void this.interrupted.push(id)))
      }),
    ended: (ended: ReadonlyArray<EndedAttempt>) =>
      Effect.sync(() => void this.groups.push(ended.map(({ claim, exit }) => [claim.row.id, textOf(exit)])))
  }

  readonly open = Effect.map(makeAttempts(this.#work), (attempts) => {
    this.attempts = attempts
  })

  begin(...ids: ReadonlyArray<string>): void {
    for (const id of ids) this.attempts.begin(claimOf(id))
  }

  /** All of them in one turn of the event loop. */
  answer(...ids: ReadonlyArray<string>): Effect.Effect<void> {
    return Effect.sync(() => {
      for (const id of ids) Deferred.doneUnsafe(this.#answers.get(id)!, Exit.succeed({ _tag: "Answered", status: 200 }))
    })
  }
}

const textOf = (exit: Exit.Exit<Outcome>): string => {
  if (Exit.isFailure(exit)) return Exit.hasInterrupts(exit) ? "interrupted" : "failed"
  return exit.value._tag === "Answered" ? String(exit.value.status) : exit.value.error
}

/** Lets every fiber go on as far as it can. */
const turns = Effect.promise(async () => {
  for (let n = 0; n < 6; n++) await new Promise<void>((resolve) => setImmediate(resolve))
})

const scenario = (
  title: string,
  play: (world: World) => Generator<Effect.Effect<unknown, unknown, Scope.Scope>, void, never>
) =>
  it(title, () => {
    const world = new World()
    return Effect.runPromise(
      Effect.gen(function* () {
        yield* world.open
        yield* Effect.gen(() => play(world))
      }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
    )
  })

const late = "No answer within 10 seconds."

scenario("attempts that end in one turn of the event loop are handled together, in their order", function* (world) {
  world.begin("a", "b", "c", "d")
  yield* world.answer("c", "a", "b")
  yield* turns
  yield* world.answer("d")
  yield* turns
  expect(world.groups.map((group) => group.map(([id]) => id))).toEqual([["c", "a", "b"], ["d"]])
})

scenario("each attempt ends at its own deadline, and is interrupted then", function* (world) {
  world.begin("a", "b")
  yield* TestClock.adjust(4_000)
  world.begin("c")
  yield* world.answer("b")
  yield* TestClock.adjust(5_999)
  yield* turns
  expect(world.interrupted).toEqual([])
  yield* TestClock.adjust(1)
  yield* turns
  expect(world.interrupted).toEqual(["a"])
  yield* TestClock.adjust(3_999)
  yield* turns
  expect(world.interrupted).toEqual(["a"])
  yield* TestClock.adjust(1)
  yield* turns
  expect(world.groups).toEqual([[["b", "200"]], [["a", late]], [["c", late]]])
})

scenario("an attempt that begins long after the others have ended has a deadline too", function* (world) {
  world.begin("a")
  yield* world.answer("a")
  yield* TestClock.adjust(60_000)
  world.begin("b")
  yield* TestClock.adjust(10_000)
  yield* turns
  expect(world.groups).toEqual([[["a", "200"]], [["b", late]]])
})

scenario("a stop interrupts what is under way, which is no missed deadline", function* (world) {
  world.begin("a", "b")
  yield* world.attempts.cancel
  yield* turns
  expect(world.groups).toEqual([
    [
      ["a", "interrupted"],
      ["b", "interrupted"]
    ]
  ])
})

it("no timer of attempts outlives their scope", () => {
  const world = new World()
  let waiting = 0
  const program = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const counting: Clock.Clock = {
      ...clock,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      sleep: (duration) =>
        Effect.suspend(() => {
          waiting += 1
          return Effect.ensuring(
            clock.sleep(duration),
            Effect.sync(() => {
              waiting -= 1
            })
          )
        })
    }
    const scope = yield* Scope.make()
    yield* world.open.pipe(Effect.provideService(Scope.Scope, scope), Effect.provideService(Clock.Clock, counting))
    world.begin("a")
    yield* turns
    yield* world.answer("a")
    expect(waiting).toBe(1)
    yield* Scope.close(scope, Exit.void)
    yield* turns
    expect(waiting).toBe(0)
  })
  return Effect.runPromise(Effect.provide(program, TestClock.layer()))
})
