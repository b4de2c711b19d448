/** Replies that a fail-over of the database has lost are not given twice: docs/reference/messaging.md#fail-over. Verifies: CHAT-9. */

import { Ids, Instant, LostCommits, type LostWindow } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-sqlite"
import { makeReplyWorld, type ReplyWorld, sampleBodies } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import { answeredUntil, waitForReports } from "../../src/messaging/replies/LostReplies.ts"
import { start } from "./ReplyScenarios.ts"

const { inboundStatus } = sampleBodies
const { second } = Instant

/** The fail-over that the database has been through, if any. */
let lost: LostWindow | null = null

const scenario = (
  title: string,
  play: (world: ReplyWorld) => Generator<Effect.Effect<unknown, unknown, Scope.Scope>, void, never>
) =>
  it(title, () =>
    Effect.runPromise(
      Effect.gen(function* () {
        lost = null
        yield* TestClock.setTime(start)
        const storage = Layer.merge(
          layer({ path: ":memory:" }),
          Layer.succeed(
            LostCommits,
            Effect.sync(() => lost)
          )
        )
        const world = yield* makeReplyWorld(storage)
        yield* Effect.gen(() => play(world))
      }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))
    )
  )

/** The database has the message, and nothing that came after it. */
const failOver = Effect.map(Instant.now, (at) => {
  lost = { since: at, at, until: Instant.plus(at, Instant.hour) }
})

/** A report of a message that the database does not have. */
const report = (world: ReplyWorld, ref: string) =>
  world.delivers({ statuses: [inboundStatus("wamid.lost", "delivered", { biz_opaque_callback_data: ref })] })

describe("after a fail-over, a message that had come before it", () => {
  scenario(
    "is not answered where the platform reports an answer of ours that the database does not have",
    function* (world) {
      yield* world.writes("One?")
      yield* failOver
      yield* world.pass(5 * second)
      expect(world.texts()).toEqual([])
      yield* report(world, crypto.randomUUID())
      yield* world.pass(60 * second)
      expect(world.texts()).toEqual([])
      expect(yield* world.job()).toMatchObject({ waitingSince: null, claim: null })
      // What is written later is answered.
      yield* world.writes("Two?")
      yield* world.pass(5 * second)
      expect(world.texts()).toHaveLength(1)
      expect(world.asked.at(-1)).toContain("Two?")
    }
  )

  scenario("is answered half a minute later where it reports none", function* (world) {
    yield* world.writes("One?")
    yield* failOver
    yield* world.pass(25 * second)
    expect(world.texts()).toEqual([])
    yield* world.pass(10 * second)
    expect(world.texts()).toHaveLength(1)
  })

  scenario("is answered whatever the platform reports with a reference that is not ours", function* (world) {
    yield* world.writes("One?")
    yield* failOver
    yield* report(world, "an order of somebody else's")
    yield* world.pass(40 * second)
    expect(world.texts()).toHaveLength(1)
  })
})

scenario("without a fail-over, a report of an unknown message changes nothing", function* (world) {
  yield* world.writes("One?")
  yield* report(world, crypto.randomUUID())
  yield* world.pass(5 * second)
  expect(world.texts()).toHaveLength(1)
})

describe("a reply after a fail-over", () => {
  const at = Instant.make(start)
  const window = { since: at, at, until: Instant.plus(at, Instant.hour) }
  const message = (seconds: number) => ({
    id: Ids.as<"Message">(`m${seconds}`),
    createdAt: Instant.plus(at, seconds * second)
  })

  it.each([
    ["waits half a minute for reports", [message(-1)], window, 0, 30_000],
    ["waits for the rest of it", [message(-1), message(2)], window, 10, 20_000],
    ["waits no longer", [message(-1)], window, 31, 0],
    ["to later messages does not wait", [message(1)], window, 2, 0],
    ["does not wait where nobody is asked", [message(-1)], { ...window, until: at }, 0, 0],
    ["waits for none where there was no fail-over", [message(-1)], null, 0, 0]
  ])("%s", (_, pending, given, seconds, expected) => {
    expect(waitForReports(pending, given, Instant.plus(at, seconds * second))).toBe(expected)
  })

  it("leaves what was written after the fail-over to be answered", () => {
    const job = { handledUpTo: null, waitingSince: message(-2).createdAt } as Parameters<typeof answeredUntil>[0]
    expect(answeredUntil(job, [message(-2), message(-1), message(3)], at)).toMatchObject({
      handledUpTo: "m-1",
      waitingSince: message(3).createdAt
    })
    expect(answeredUntil(job, [message(-2)], at)).toMatchObject({ handledUpTo: "m-2", waitingSince: null })
    expect(answeredUntil(job, [message(3)], at)).toMatchObject({
      handledUpTo: null,
      waitingSince: message(3).createdAt
    })
  })
})
