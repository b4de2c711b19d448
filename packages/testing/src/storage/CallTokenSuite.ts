/** Tokens of calls' media: used once, by the call that they are of. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { CallStore, CallTokenStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

export const callTokens = suite("tokens of calls", ({ it }) => {
  // Verifies: TELE-9.
  // Verifies: V-149.
  it.effect("a token is used once, by its own call, while that is open", () =>
    Effect.gen(function* () {
      const calls = yield* CallStore
      const tokens = yield* CallTokenStore
      const open = Rows.call(Rows.id())
      const ended = Rows.call(Rows.id(), { status: "completed", endedAt: Rows.at(1) })
      yield* transact(Effect.andThen(calls.add(open), calls.add(ended)))
      assert.isFalse(yield* transact(tokens.set(Rows.id(), "a")))
      assert.isFalse(yield* transact(tokens.set(ended.id, "a")))
      assert.isTrue(yield* transact(tokens.set(open.id, "a")))
      assert.isTrue(yield* transact(tokens.set(open.id, "b")))
      for (const [id, digest] of [
        [open.id, "a"],
        [ended.id, "b"],
        [Rows.id<"Call">(), "b"]
      ] as const)
        assert.isFalse(yield* transact(tokens.use(id, digest)))
      assert.isTrue(yield* transact(tokens.use(open.id, "b")))
      assert.isFalse(yield* transact(tokens.use(open.id, "b")))
    })
  )

  // Verifies: TELE-9.
  it.effect("a token outlives every other change of its call, and none comes back", () =>
    Effect.gen(function* () {
      const calls = yield* CallStore
      const tokens = yield* CallTokenStore
      const call = Rows.call(Rows.id())
      yield* transact(calls.add(call))
      yield* transact(tokens.set(call.id, "a"))
      const session = Rows.id<"VoiceSession">()
      yield* transact(calls.save({ ...call, status: "ringing", voiceSessionId: session }))
      assert.deepInclude(yield* read(calls.findInAnyAccount(call.id)), { mediaToken: "a", voiceSessionId: session })
      const before = (yield* read(calls.findInAnyAccount(call.id)))!
      yield* transact(tokens.use(call.id, "a"))
      yield* transact(calls.save(before))
      assert.isFalse(yield* transact(tokens.use(call.id, "a")))
    })
  )

  // Verifies: TELE-9.
  it.effect("of many attempts with one token a single one succeeds", () =>
    Effect.gen(function* () {
      const calls = yield* CallStore
      const tokens = yield* CallTokenStore
      const call = Rows.call(Rows.id())
      yield* transact(calls.add(call))
      yield* transact(tokens.set(call.id, "a"))
      const used = yield* Effect.all(
        Array.from({ length: 8 }, () => transact(tokens.use(call.id, "a"))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        used.filter((success) => success),
        [true]
      )
    })
  )
})
