/** Lost answers, crashes and restarts: docs/reference/campaigns.md#crash, docs/reference/telephony.md#reconcile. */

import { CarrierSilent, Instant } from "@trunkline/core/provider"
import type { FakeNetwork } from "@trunkline/testing/carrier"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { realTraits, type Stage, scenario } from "../calls/Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]

const real = { ...realTraits, needsCaller: false }

const requests = (stage: Stage, kind: string) => stage.network.log.filter((entry) => entry.kind === kind)

const row = (stage: Stage, id: Parameters<Stage["contact"]>[0]) =>
  Effect.map(stage.contact(id, a), ({ attempts, lastError, status }) => [status, attempts, lastError])

describe("an answer of the carrier that was lost", () => {
  scenario(
    "is recovered by the call's own report: the call goes on, and is placed once",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      expect(yield* stage.call(a)).toMatchObject({ status: "queued", providerCallId: null })
      expect(yield* stage.eventNames(yield* stage.call(a))).toEqual([])
      yield* stage.ring(a)
      expect(yield* stage.call(a)).toMatchObject({ status: "ringing", providerCallId: expect.any(String) })
      yield* stage.completeCall(a, 10)
      expect(yield* stage.eventNames(yield* stage.call(a))).toEqual(["call.started", "call.completed"])
      expect(yield* row(stage, id)).toEqual(["done", 1, null])
      expect(requests(stage, "place")).toHaveLength(1)
      expect(requests(stage, "find")).toEqual([])
    },
    { carrier: { onPlace: () => "lose_answer" } }
  )

  // Verifies: D-120.
  scenario(
    "is recovered by a look-up after 15 s when nothing is reported",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      yield* stage.losing(stage.answer(a))
      yield* stage.wait(14_999)
      expect(requests(stage, "find")).toEqual([])
      yield* stage.wait(1)
      expect(requests(stage, "find")).toHaveLength(1)
      expect(yield* stage.call(a)).toMatchObject({ status: "in_progress", providerCallId: expect.any(String) })
      yield* stage.end(a)
      expect(yield* row(stage, id)).toEqual(["done", 1, null])
      expect(requests(stage, "place")).toHaveLength(1)
    },
    { carrier: { ...real, onPlace: () => "lose_answer" } }
  )
})

describe("an order that the carrier never heard of", () => {
  // Verifies: D-121.
  scenario(
    "is proven at once where the carrier's book is complete: nothing is counted, and it is dialed again",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.wait(14_999)
      expect(yield* row(stage, id)).toEqual(["calling", 0, null])
      yield* stage.wait(1)
      const [first] = yield* stage.calls()
      expect(first).toMatchObject({ status: "canceled", endReason: "canceled", credits: 0n, durationSeconds: 0 })
      expect(yield* stage.eventNames(first!)).toEqual([])
      expect(stage.dialed).toEqual([a, a])
      yield* stage.completeCall(a, 5)
      expect(yield* row(stage, id)).toEqual(["done", 1, null])
      expect((yield* stage.calls()).map(({ attempt }) => attempt)).toEqual([1, 1])
    },
    { carrier: { onPlace: (_, nth) => (nth === 1 ? "lose_order" : "accept") } }
  )

  // Verifies: D-121.
  scenario(
    "is proven by three look-ups over two minutes at a real carrier, and not before",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.wait(134_999)
      expect(requests(stage, "find")).toHaveLength(2)
      expect(yield* row(stage, id)).toEqual(["calling", 0, null])
      expect(stage.dialed).toEqual([a])
      yield* stage.wait(1)
      const finds = requests(stage, "find").map(({ at }) => at)
      expect(finds).toHaveLength(3)
      expect(finds[2]! - finds[0]!).toBeGreaterThanOrEqual(2 * Instant.minute)
      expect(stage.dialed).toEqual([a, a])
      expect(yield* row(stage, id)).toEqual(["calling", 0, null])
      yield* stage.end(a, "busy")
      expect(yield* row(stage, id)).toEqual(["pending", 1, "busy"])
    },
    { carrier: { ...real, onPlace: (_, nth) => (nth === 1 ? "lose_order" : "accept") } }
  )

  scenario(
    "but that turns up at the second look was a call like any other",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.wait(20_000)
      const [call] = yield* stage.calls()
      const order = { callId: call!.id, to: a, from: null, tenantId: stage.tenant, botId: null, detectMachine: false }
      stage.network.accept(
        { ...order, answer: { _tag: "Say", text: "", language: null }, mediaToken: null },
        yield* Instant.now
      )
      yield* stage.wait(60_000)
      expect(yield* stage.call(a)).toMatchObject({ status: "queued", providerCallId: expect.any(String) })
      yield* stage.completeCall(a, 5)
      expect(yield* row(stage, id)).toEqual(["done", 1, null])
      expect(stage.dialed).toEqual([a])
    },
    { carrier: { ...real, onPlace: () => "lose_order" } }
  )

  scenario(
    "and whose number was listed meanwhile fails with do_not_call, uncounted",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      yield* stage.suppress(a)
      yield* stage.wait(200_000)
      expect(yield* row(stage, id)).toEqual(["failed", 0, "do_not_call"])
      expect(stage.dialed).toEqual([a])
    },
    { carrier: { ...real, onPlace: () => "lose_order" } }
  )
})

describe("an order of which nothing can be proven", () => {
  const silent = (line: (network: FakeNetwork) => boolean = () => true) => ({
    carrier: { ...real, onPlace: () => "lose_answer" as const },
    line: (whole: { find: (ref: never) => Effect.Effect<unknown, unknown> }, network: FakeNetwork) =>
      ({
        find: (ref: never) =>
          Effect.flatMap(Effect.exit(whole.find(ref)), (exit) =>
            line(network) ? Effect.fail(new CarrierSilent({ detail: "timed out" })) : exit
          )
      }) as never
  })

  // Verifies: D-122.
  scenario(
    "counts, fails its contact with outcome_unknown, costs nothing, and is never dialed again",
    function* (stage) {
      const id = yield* stage.running({ maxAttempts: 5 }, [a])
      yield* stage.wait(180_000)
      expect(yield* row(stage, id)).toEqual(["failed", 1, "outcome_unknown"])
      const call = yield* stage.call(a)
      expect(call).toMatchObject({ status: "failed", endReason: "unknown", credits: 0n })
      expect(yield* stage.eventNames(call)).toEqual(["call.failed"])
      expect(yield* stage.credits).toMatchObject({ reserved: 0n })
      expect((yield* stage.campaign(id)).status).toBe("completed")
      yield* stage.wait(7 * 24 * 3_600_000)
      expect(stage.dialed).toEqual([a])
    },
    silent()
  )

  scenario(
    "is closed finally: what the carrier reports afterwards changes nothing and costs nothing",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.wait(180_000)
      yield* stage.completeCall(a, 100)
      expect(yield* row(stage, id)).toEqual(["failed", 1, "outcome_unknown"])
      expect(yield* stage.call(a)).toMatchObject({ status: "failed", endReason: "unknown", credits: 0n })
      expect(yield* stage.eventNames(yield* stage.call(a))).toEqual(["call.failed"])
    },
    silent()
  )

  scenario(
    "is settled after all when the carrier answers a look-up in time",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      yield* stage.losing(stage.end(a, "busy"))
      yield* stage.wait(180_000)
      expect(yield* row(stage, id)).toEqual(["pending", 1, "busy"])
    },
    silent((network) => network.log.filter(({ kind }) => kind === "find").length < 6)
  )

  scenario(
    "because the carrier has forgotten a call that it had named is not placed again",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      yield* stage.ring(a)
      stage.network.calls.clear()
      yield* stage.wait(600_000)
      expect(yield* row(stage, id)).toEqual(["failed", 1, "outcome_unknown"])
      expect(stage.dialed).toEqual([a])
    },
    { carrier: real }
  )
})

describe("a call of which nothing more is heard", () => {
  scenario("is looked up after the carrier's silence, and its end is recovered", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.ring(a)
    yield* stage.losing(stage.end(a, "no_answer"))
    yield* stage.wait(59_999)
    expect(yield* stage.call(a)).toMatchObject({ status: "ringing" })
    yield* stage.wait(1)
    expect(yield* row(stage, id)).toEqual(["pending", 1, "no_answer"])
  })

  scenario("although somebody talks is looked up before the next minute, and costs what was talked", function* (stage) {
    yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(30_000)
    yield* stage.losing(stage.end(a))
    yield* stage.wait(15_000)
    expect(yield* stage.call(a)).toMatchObject({
      status: "completed",
      durationSeconds: 30,
      credits: 1_000_000_000n
    })
    expect(yield* stage.credits).toMatchObject({ reserved: 0n })
  })
})

describe("a process that dies", () => {
  const dying = (when: "before" | "after", stages: { stage?: Stage }) => ({
    carrier: {
      [when]: ({ kind }: { kind: string }) =>
        kind === "place" && stages.stage !== undefined ? Effect.andThen(stages.stage.kill, Effect.never) : Effect.void
    }
  })

  for (const traits of [{}, real]) {
    const carrier = traits === real ? "a real carrier" : "a complete book"
    const limit = traits === real ? 180_000 : 60_000

    const heard: { stage?: Stage } = {}
    // Verifies: D-119.
    scenario(
      `after the carrier has accepted its call finds it again: one call, at ${carrier}`,
      function* (stage) {
        heard.stage = stage
        const id = yield* stage.running({ paceSeconds: 5 }, [a])
        yield* stage.rest
        expect(stage.isAlive).toBe(false)
        heard.stage = undefined as never
        yield* stage.losing(
          Effect.asVoid(Effect.map(Instant.now, (at) => stage.network.answer(stage.line(a), "human", at)))
        )
        yield* stage.start
        yield* stage.wait(limit)
        expect(yield* stage.call(a)).toMatchObject({ status: "in_progress", providerCallId: expect.any(String) })
        yield* stage.end(a)
        expect(yield* row(stage, id)).toEqual(["done", 1, null])
        expect(stage.dialed).toEqual([a])
      },
      { carrier: { ...traits, ...dying("after", heard).carrier } }
    )

    const unheard: { stage?: Stage } = {}
    // Verifies: D-124.
    scenario(
      `before the carrier has heard of its call places it anew once that is proven, at ${carrier}`,
      function* (stage) {
        unheard.stage = stage
        const id = yield* stage.running({ paceSeconds: 5 }, [a])
        yield* stage.rest
        expect(stage.isAlive).toBe(false)
        unheard.stage = undefined as never
        yield* stage.start
        yield* stage.wait(limit)
        expect(stage.dialed).toEqual([a])
        expect((yield* stage.calls()).map(({ status }) => status)).toEqual(["canceled", "queued"])
        yield* stage.end(a, "busy")
        expect(yield* row(stage, id)).toEqual(["pending", 1, "busy"])
        expect(yield* stage.credits).toMatchObject({ reserved: 0n })
      },
      { carrier: { ...traits, ...dying("before", unheard).carrier } }
    )
  }

  // Verifies: D-119, D-129.
  scenario("between its commit and its order has a row that says so, and no second order", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 5 }, [a])
    yield* stage.killAtNextCommit
    yield* stage.rest
    expect(stage.isAlive).toBe(false)
    expect(stage.dialed).toEqual([])
    expect(yield* row(stage, id)).toEqual(["calling", 0, null])
    expect(yield* stage.credits).toMatchObject({ reserved: 1_000_000_000n })
    yield* stage.start
    yield* stage.wait(60_000)
    expect(stage.dialed).toEqual([a])
    expect((yield* stage.calls()).map(({ status }) => status)).toEqual(["canceled", "queued"])
    expect(yield* stage.credits).toMatchObject({ reserved: 1_000_000_000n })
  })

  scenario("leaves calls that went on meanwhile to be settled from the carrier's record at once", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 5, maxAttempts: 1 }, [a, b])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.kill
    yield* stage.wait(10 * 60_000)
    yield* stage.losing(Effect.map(Instant.now, (at) => stage.network.end(stage.line(a), "completed", "remote", at)))
    yield* stage.wait(20 * 60_000)
    yield* stage.start
    yield* stage.rest
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", durationSeconds: 600 })
    expect(yield* row(stage, id)).toEqual(["done", 1, null])
    expect(stage.dialed).toEqual([a, b])
  })

  scenario("in the middle of a parallel dial leaves it with one winner", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b])
    yield* stage.rest
    yield* stage.kill
    const at = yield* Instant.now
    stage.network.answer(stage.line(a), "human", at)
    stage.network.answer(stage.line(b), "human", at)
    stage.network.pending.length = 0
    yield* stage.start
    yield* stage.wait(30_000)
    expect((yield* stage.calls()).filter(({ isWinner }) => isWinner)).toHaveLength(1)
    expect(stage.network.openCalls()).toHaveLength(1)
    expect((yield* stage.contacts(id)).map(({ status }) => status).sort()).toEqual(["calling", "pending"])
  })
})
