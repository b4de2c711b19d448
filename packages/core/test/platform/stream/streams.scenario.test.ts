/** How many streams there may be, and how long they last: docs/reference/stream.md#bounds. Verifies: STRM-3, STRM-4. */
import { Instant } from "@trunkline/core/effect"
import { AccessStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { describe, expect } from "vitest"
import type { Caller, Principal } from "../../../src/platform/accounts/index.ts"
import { Storage } from "../../../src/platform/storage/index.ts"
import { ChangeStreams } from "../../../src/platform/stream/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

type Person = Extract<Caller, { readonly _tag: "User" }>

const principalOf = (stage: Stage, subject: string, signIn: Person["signIn"] = { _tag: "Host" }) =>
  Effect.map(
    Effect.orDie(
      stage.run(Storage.use((storage) => storage.read(AccessStore.use((store) => store.findAccount(stage.tenant)))))
    ),
    (account): Principal => ({
      tenantId: stage.tenant,
      account: account!,
      caller: { _tag: "User", role: "owner", subject, name: null, signIn }
    })
  )

/** A stream that somebody reads: what has come, whether it has ended, and how they leave. */
const open = Effect.fnUntraced(function* (stage: Stage, principal: Principal) {
  const scope = yield* Scope.make()
  const frames = yield* stage.run(
    ChangeStreams.use((streams) => Effect.provideService(streams.open(principal), Scope.Scope, scope))
  )
  const read = { text: "", hasEnded: false }
  const leave = Scope.close(scope, Exit.void)
  yield* Effect.forkDetach(
    Effect.andThen(
      Stream.runForEach(frames, (frame) =>
        Effect.sync(() => {
          read.text += new TextDecoder().decode(frame)
        })
      ),
      Effect.andThen(
        Effect.sync(() => {
          read.hasEnded = true
        }),
        leave
      )
    )
  )
  return { read, leave }
})

const refusal = (stage: Stage, principal: Principal) =>
  Effect.map(Effect.exit(open(stage, principal)), (exit) =>
    Exit.isFailure(exit) ? String(exit.cause).match(/TooManyStreams|StreamOfPeople/)?.[0] : null
  )

const count = (stage: Stage) => stage.run(Effect.map(ChangeStreams, (streams) => streams.count()))

describe("streams", () => {
  // Verifies: B-206.
  scenario("are ten of a person and two hundred of an account at most", function* (stage) {
    const all: Array<{ readonly leave: Effect.Effect<void> }> = []
    for (let person = 0; person < 20; person++) {
      const principal = yield* principalOf(stage, `person ${person}`)
      for (let nth = 0; nth < 10; nth++) all.push(yield* Effect.orDie(open(stage, principal)))
      expect(yield* refusal(stage, principal)).toBe("TooManyStreams")
    }
    expect(yield* count(stage)).toBe(200)
    const another = yield* principalOf(stage, "another")
    expect(yield* refusal(stage, another)).toBe("TooManyStreams")
    yield* all[0]!.leave
    const { read } = yield* Effect.orDie(open(stage, another))
    yield* stage.wait(10)
    expect(read.text).toContain("event: ready")
    for (const { leave } of all) yield* leave
    expect(yield* count(stage)).toBe(1)
  })

  // Verifies: B-207.
  scenario("end within five seconds of their token, and not before", function* (stage) {
    const at = yield* Instant.now
    const expiresAt = Instant.plus(at, 60_000)
    const { read } = yield* Effect.orDie(open(stage, yield* principalOf(stage, "ada", { _tag: "Token", expiresAt })))
    yield* stage.elapse(59_000, 1000)
    expect(read.hasEnded).toBe(false)
    yield* stage.elapse(6_000, 1000)
    expect(read.hasEnded).toBe(true)
    expect(yield* count(stage)).toBe(0)
  })

  scenario("of people whom the host has signed in end after a quarter of an hour", function* (stage) {
    const { read } = yield* Effect.orDie(open(stage, yield* principalOf(stage, "ada")))
    yield* stage.elapse(14 * 60_000, 4000)
    expect(read.hasEnded).toBe(false)
    yield* stage.elapse(65_000, 4000)
    expect(read.hasEnded).toBe(true)
  })

  scenario("have a sign of life at least every fifteen seconds", function* (stage) {
    const { read } = yield* Effect.orDie(open(stage, yield* principalOf(stage, "ada")))
    yield* stage.elapse(1000, 250)
    for (let nth = 0; nth < 6; nth++) {
      read.text = ""
      yield* stage.elapse(15_000, 1000)
      expect(read.text).toContain(":\n\n")
    }
  })

  scenario("ask their clients to come again at a stop, and so do those that are opened after it", function* (stage) {
    const principal = yield* principalOf(stage, "ada")
    const { read } = yield* Effect.orDie(open(stage, principal))
    yield* stage.run(ChangeStreams.use(({ drain }) => drain))
    yield* stage.wait(10)
    expect(read.text).toMatch(/^event: ready\n.*\n\nretry: \d{4}\n\n$/)
    const later = yield* Effect.orDie(open(stage, principal))
    yield* stage.wait(10)
    expect(later.read.hasEnded).toBe(true)
    yield* stage.run(ChangeStreams.use(({ resume }) => resume))
    const again = yield* Effect.orDie(open(stage, principal))
    yield* stage.wait(10)
    expect(again.read.hasEnded).toBe(false)
  })
})
