/**
 * Calls that a fail-over of the database has lost are looked up, and not placed again: docs/reference/telephony.md#fail-over.
 * Verifies: TELE-13.
 */

import { Ids, Instant, LostCommits, type LostWindow } from "@trunkline/core/storage"
import { type CallOrder, CallSupervisor } from "@trunkline/core/testing"
import { layer } from "@trunkline/storage-sqlite"
import { scenarios } from "@trunkline/testing/scenarios"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { lostCallOf } from "../../../src/calling/calls/LostCalls.ts"
import { instant, realTraits, type Stage } from "./Scenarios.ts"

const a = "+14155550101"

/** The fail-over was at noon, and had lost ten seconds; for an hour calls are looked up. */
const since = Instant.plus(instant("2026-11-21T12:00:00+05:30"), -10_000)
const window = { since, at: since, until: Instant.plus(since, Instant.hour) }

const scenario = scenarios(() =>
  Layer.mergeAll(layer({ path: ":memory:" }), Layer.succeed(LostCommits, Effect.succeed(window)))
)

const carrier = { ...realTraits, needsCaller: false, findsBy: "number" as const }

/** The carrier has a call of which the database knows nothing. */
const lost = (stage: Stage, to = a) =>
  stage.network.accept(
    {
      callId: Ids.as<"Call">(crypto.randomUUID()),
      tenantId: Ids.as<"Account">(crypto.randomUUID()),
      ...{ botId: null, to, from: null, answer: { _tag: "Url", url: "" }, mediaToken: null, detectMachine: false }
    } satisfies CallOrder,
    since
  )

const requests = (stage: Stage, kind: string) => stage.network.log.filter((entry) => entry.kind === kind).length

const contactOf = (stage: Stage, id: Parameters<Stage["contact"]>[0]) =>
  Effect.map(stage.contact(id, a), ({ attempts, lastError, status }) => [status, attempts, lastError])

describe("after a fail-over, a contact whom the database would call", () => {
  scenario(
    "and whose phone rings already is not called again: the call goes on as the attempt",
    function* (stage) {
      const call = lost(stage)
      stage.network.ring(call, since)
      stage.network.pending.length = 0
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      expect(requests(stage, "place")).toBe(0)
      expect((yield* contactOf(stage, id))[0]).toBe("calling")
      // What the carrier reports bears the id of the call that is lost.
      stage.network.answer(call, "human", yield* Instant.now)
      yield* stage.rest
      expect(yield* stage.call(a)).toMatchObject({ status: "in_progress", providerCallId: call.providerCallId })
      yield* stage.wait(20_000)
      stage.network.end(call, "completed", "remote", yield* Instant.now)
      yield* stage.rest
      expect(yield* stage.call(a)).toMatchObject({ status: "completed", durationSeconds: 20 })
      expect(yield* contactOf(stage, id)).toEqual(["done", 1, null])
      expect(requests(stage, "place")).toBe(0)
    },
    { carrier }
  )

  scenario(
    "and who has been spoken with is done",
    function* (stage) {
      const call = lost(stage)
      stage.network.answer(call, "human", since)
      stage.network.end(call, "completed", "remote", Instant.plus(since, 5000))
      stage.network.pending.length = 0
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      expect(yield* contactOf(stage, id)).toEqual(["done", 1, null])
      expect(requests(stage, "place")).toBe(0)
    },
    { carrier }
  )

  scenario(
    "is called where the carrier knows of no call",
    function* (stage) {
      yield* stage.running({}, [a])
      yield* stage.rest
      expect([requests(stage, "find"), requests(stage, "place")]).toEqual([1, 1])
    },
    { carrier }
  )

  scenario(
    "is not called while the carrier does not answer, and then is",
    function* (stage) {
      yield* stage.running({}, [a])
      stage.network.outage = { until: Instant.plus(yield* Instant.now, Instant.minute), acts: false }
      yield* stage.rest
      yield* stage.wait(50_000)
      expect(requests(stage, "place")).toBe(0)
      yield* stage.wait(10 * Instant.minute)
      expect(requests(stage, "place")).toBe(1)
    },
    { carrier }
  )

  scenario(
    "and whose calls cannot be distinguished waits for a person to decide",
    function* (stage) {
      lost(stage)
      lost(stage)
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      expect(yield* contactOf(stage, id)).toEqual(["failed", 1, "outcome_unknown"])
      expect(requests(stage, "place")).toBe(0)
    },
    { carrier }
  )

  scenario(
    "waits for a person to decide where the carrier cannot be asked for calls by number",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      expect(yield* contactOf(stage, id)).toEqual(["failed", 1, "outcome_unknown"])
      expect(requests(stage, "place")).toBe(0)
    },
    { carrier: { ...carrier, findsBy: "call id" } }
  )

  scenario(
    "is called without a look-up an hour later",
    function* (stage) {
      lost(stage)
      yield* stage.waitUntil("2026-11-21T13:00:00+05:30")
      yield* stage.running({}, [a])
      yield* stage.rest
      expect([requests(stage, "find"), requests(stage, "place")]).toEqual([0, 1])
    },
    { carrier }
  )
})

describe("after a fail-over, a call of the API", () => {
  scenario(
    "to a number that was called since then is placed",
    function* (stage) {
      yield* stage.dial(a)
      yield* stage.rest
      yield* stage.answer(a)
      yield* stage.rest
      yield* stage.hangUp(a)
      yield* stage.rest
      yield* stage.dial(a)
      yield* stage.rest
      expect(requests(stage, "place")).toBe(2)
    },
    { carrier }
  )
})

/** The fail-over that the database has been through, if any. */
let present: LostWindow | null = null

const failing = scenarios(() =>
  Layer.mergeAll(
    layer({ path: ":memory:" }),
    Layer.succeed(
      LostCommits,
      Effect.sync(() => present)
    )
  )
)

describe("a call that is open in a fail-over", () => {
  failing(
    "is looked up at once: its end may have been reported to the database that is gone",
    function* (stage) {
      present = null
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      yield* stage.answer(a)
      yield* stage.rest
      stage.network.end(stage.line(a), "completed", "remote", yield* Instant.now)
      stage.network.pending.length = 0
      yield* stage.wait(2000)
      expect((yield* contactOf(stage, id))[0]).toBe("calling")
      const at = yield* Instant.now
      present = { since: at, at, until: Instant.plus(at, Instant.hour) }
      yield* stage.run(CallSupervisor.use((supervisor) => supervisor.tick))
      yield* stage.rest
      expect(yield* contactOf(stage, id)).toEqual(["done", 1, null])
    },
    { carrier }
  )
})

describe("records of a carrier that no call has", () => {
  const report = { callId: Ids.as<"Call">("1"), providerCallId: "x", at: since, news: { _tag: "Queued" as const } }
  it.each([
    [[], false, "None"],
    [[], true, "None"],
    [[report], false, "Found"],
    [[report], true, "Unsure"],
    [[report, report], false, "Unknown"],
    [[report, report], true, "Unsure"]
  ])("%j, with a rival: %s, mean %s", (free, hasRival, expected) => {
    expect(lostCallOf(free, hasRival)._tag).toBe(expected)
  })
})
