/** A request that needs several attempts: docs/reference/upstreams.md#fallbacks. Verifies: INFE-1, INFE-3, INFE-5, INFE-6. */
import { randomUUID } from "node:crypto"
import type { TrunklineOptions } from "@trunkline/core"
import { Ids, Instant, Storage } from "@trunkline/core/effect"
import { FakeSpeech, leak } from "@trunkline/testing/inference"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { ModelCatalogue } from "../../src/gateway/catalogue/index.ts"
import { type InferenceRefused, refuse } from "../../src/gateway/errors/index.ts"
import { MeteredRun, type RouteResult } from "../../src/gateway/run/index.ts"
import { UpstreamFailed, type UpstreamRoute, type UpstreamWhy } from "../../src/gateway/upstreams/index.ts"
import { KeyLimits, LedgerStore, Metering } from "../../src/platform/billing/index.ts"
import { agentScenario } from "../agents/AgentScenarios.ts"
import { scenario } from "../calling/calls/Scenarios.ts"
import { SpeechStage } from "./SpeechScenarios.ts"

type Models = NonNullable<TrunklineOptions["models"]>
type End = UpstreamWhy | "answers" | UpstreamFailed

const credit = 1_000_000_000n
/** Three seconds by the standard model: 3 x 0.53 USD an hour, at 96 credits for a dollar. */
const threeSeconds = 42_400_000n

const failure = (why: UpstreamWhy, more: Partial<Pick<UpstreamFailed, "retryAfterSeconds" | "hasBegun">> = {}) =>
  new UpstreamFailed({ why, detail: leak, retryAfterSeconds: null, advice: null, ...more })

/** Ends each request as this list says, and the last one of the list again and again. */
const ends = (fake: FakeSpeech, ...list: ReadonlyArray<End>): void => {
  let nth = 0
  fake.does(() => {
    const end = list[Math.min(nth++, list.length - 1)]!
    if (end === "answers") return Effect.succeed({ text: "hello", seconds: null, segments: [] })
    return Effect.fail(typeof end === "string" ? failure(end) : end)
  })
}

/** Lets fibers go on that wait for the storage. */
const turns = Effect.promise(async () => {
  for (let nth = 0; nth < 30; nth++) await new Promise((resolve) => setImmediate(resolve))
})

interface Played {
  readonly speech: SpeechStage
  readonly first: FakeSpeech
  readonly second: FakeSpeech
  readonly third: FakeSpeech
}

/** A scenario whose standard model goes to `first`, and on to `second` under another name. */
const played = (
  title: string,
  play: (played: Played) => Generator<Effect.Effect<unknown, unknown>, void, never>,
  {
    breaker,
    fallbacks = [{ upstream: "second", model: "other" }],
    retries
  }: {
    readonly breaker?: Models["breaker"]
    readonly retries?: number
    readonly fallbacks?: ReadonlyArray<{ readonly upstream: string; readonly model?: string }>
  } = {}
): void => {
  const fakes = {
    first: new FakeSpeech("of the first", "first"),
    second: new FakeSpeech("of the second", "second"),
    third: new FakeSpeech("of the third", "third")
  }
  const upstreams = Object.fromEntries(Object.entries(fakes).map(([name, { provider }]) => [name, provider]))
  const route = { upstream: "first", fallbacks, ...(retries === undefined ? {} : { retries }) }
  const models = { upstreams, routes: { "saaras:v3": route }, ...(breaker === undefined ? {} : { breaker }) }
  scenario(title, (stage) => play({ speech: new SpeechStage(stage, fakes.first), ...fakes }), { host: { models } })
}

const headersOf = (result: unknown) => (result as RouteResult).response.headers
const asked = (...fakes: ReadonlyArray<FakeSpeech>) => fakes.map(({ works }) => works.length)

interface Row {
  readonly id: string
  readonly credits: bigint
  readonly httpStatus: number
  readonly model: string
  readonly requestId: string
  readonly units: number
}

/** Nothing of a request is left: no reservation, and only these rows, in any order. Returns the rows. */
function* leaves(speech: SpeechStage, charged: bigint, statuses: ReadonlyArray<number>) {
  expect(yield* speech.credits).toMatchObject({ balance: 1000n * credit - charged, reserved: 0n })
  const rows = (yield* speech.rows) as ReadonlyArray<Row>
  expect(rows.map(({ httpStatus }) => httpStatus).toSorted()).toEqual(statuses)
  return rows
}

/** Accounts of which another process would release something. */
const foundByAnother = Effect.gen(function* () {
  const [store, storage] = [yield* LedgerStore, yield* Storage]
  const at = yield* Instant.now
  return yield* storage.read(store.lapsing({ processId: yield* Ids.fresh<"Process">(), at, limit: 9 }))
})

describe("where an upstream fails", () => {
  // Verifies: H-166, H-171, H-172.
  played(
    "the next one answers, charged once at the price of the model that was asked for",
    function* ({ first, second, speech }) {
      ends(first, "failed")
      expect(headersOf(yield* speech.ask())).toEqual({ "served-by": "second", attempts: "2" })
      expect(second.works).toMatchObject([{ model: "other", requestedModel: "saaras:v3" }])
      const rows: ReadonlyArray<Row> = yield* leaves(speech, threeSeconds, [200, 502])
      const of = (status: number) => rows.find(({ httpStatus }) => httpStatus === status)
      const common = {
        model: "saaras:v3",
        requestId: "request",
        sessionId: "session",
        traceId: "trace",
        unit: "seconds"
      }
      expect(of(200)).toMatchObject({ ...common, credits: threeSeconds, units: 3 })
      expect(of(502)).toMatchObject({ ...common, credits: 0n, units: 0 })
      expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
    }
  )

  // Verifies: H-171.
  played("the number of attempts is shown where there was more than one", function* ({ first, second, speech }) {
    expect(headersOf(yield* speech.ask())).toEqual({ "served-by": "first" })
    expect(asked(first, second)).toEqual([1, 0])
  })

  // Verifies: H-168, H-171, H-172.
  played(
    "each attempt has a row with its own status, and the caller gets the last one's answer",
    function* ({ first, second, speech, third }) {
      ends(first, "timeout")
      ends(second, "operator")
      ends(third, failure("throttled", { retryAfterSeconds: 17 }))
      const refused = yield* speech.refused()
      expect(refused).toMatchObject({ status: 429, code: "rate_limit_exceeded", retryAfterSeconds: 17, attempts: 3 })
      for (const word of [...leak.split(" "), "first", "second", "third"].filter((one) => one.length > 4)) {
        expect(JSON.stringify(refused)).not.toContain(word)
      }
      yield* leaves(speech, 0n, [429, 502, 502])
    },
    { fallbacks: [{ upstream: "second" }, { upstream: "third" }] }
  )

  for (const [why, status] of [
    ["refused_input", 400],
    ["too_large", 413]
  ] as const) {
    // Verifies: H-169.
    played(
      `by ${why} no other one is asked, and none again`,
      function* ({ first, second, speech }) {
        ends(first, why)
        expect(yield* speech.refused()).toMatchObject({ status, attempts: 1 })
        expect(asked(first, second)).toEqual([1, 0])
        yield* leaves(speech, 0n, [status])
      },
      { retries: 3 }
    )
  }

  // Verifies: H-169.
  played(
    "a fault of the caller at a later one ends the request too",
    function* ({ first, second, speech, third }) {
      ends(first, "failed")
      ends(second, "refused_input")
      expect(yield* speech.refused()).toMatchObject({ status: 400, code: "invalid_request", attempts: 2 })
      expect(asked(first, second, third)).toEqual([1, 1, 0])
    },
    { fallbacks: [{ upstream: "second" }, { upstream: "third" }] }
  )

  // Verifies: H-170.
  played(
    "after the answer has begun nothing is tried again",
    function* ({ first, second, speech }) {
      ends(first, failure("failed", { hasBegun: true }))
      expect(yield* speech.refused()).toMatchObject({ status: 502, attempts: 1 })
      expect(asked(first, second)).toEqual([1, 0])
      yield* leaves(speech, 0n, [502])
    },
    { retries: 3 }
  )

  // Verifies: H-172.
  played(
    "credit and the key's slot are reserved once, until the last attempt has ended",
    function* ({ first, second, speech }) {
      ends(first, "timeout")
      second.promises(Instant.hour)
      const door = second.waits()
      const slot = {
        ...{ id: Ids.as<"Usage">(randomUUID()), keyId: Ids.as<"Key">(randomUUID()), isReleased: false },
        tenantId: speech.stage.tenant
      }
      const acquire = (id: Ids.UsageId) =>
        KeyLimits.use((limits) =>
          limits.acquire({
            id,
            tenantId: slot.tenantId,
            keyId: slot.keyId,
            perMinute: null,
            concurrency: 1
          })
        )
      yield* speech.stage.run(acquire(slot.id))
      const request = yield* Effect.forkChild(speech.ask({ slot }))
      yield* door.begun
      for (let minute = 0; minute < 30; minute++) {
        yield* TestClock.adjust(Instant.minute)
        yield* turns
        yield* speech.stage.run(Metering.use(({ sweep }) => sweep))
        // Nor does another process find anything that has lapsed.
        expect(yield* speech.stage.run(foundByAnother)).toEqual([])
      }
      expect(yield* speech.credits).toMatchObject({ reserved: threeSeconds })
      expect(yield* speech.stage.fails(acquire(Ids.as<"Usage">(randomUUID())))).toMatchObject({ _tag: "TooManyAtOnce" })
      yield* door.answer("hello")
      yield* Fiber.join(request as Fiber.Fiber<unknown, unknown>)
      yield* leaves(speech, threeSeconds, [200, 502])
    },
    { retries: 2, fallbacks: [{ upstream: "second" }] }
  )
})

describe("the same upstream is asked again", () => {
  // Verifies: H-167.
  played(
    "after 250 ms, then twice that, before the next one is",
    function* ({ first, second, speech }) {
      ends(first, "unreachable")
      const request = yield* Effect.forkChild(speech.ask())
      for (const [ms, attempts] of [
        [0, 1],
        [249, 1],
        [1, 2],
        [499, 2],
        [1, 3]
      ] as const) {
        yield* TestClock.adjust(ms)
        yield* turns
        expect(asked(first)).toEqual([attempts])
      }
      expect(headersOf(yield* Fiber.join(request as Fiber.Fiber<unknown>))).toMatchObject({ attempts: "4" })
      expect(asked(first, second)).toEqual([3, 1])
      yield* leaves(speech, threeSeconds, [200, 502, 502, 502])
    },
    { retries: 2 }
  )

  // Verifies: H-167.
  played(
    "after the wait that it asks for",
    function* ({ first, second, speech }) {
      ends(first, failure("throttled", { retryAfterSeconds: 2 }), "answers")
      const request = yield* Effect.forkChild(speech.ask())
      yield* turns
      yield* TestClock.adjust(1999)
      yield* turns
      expect(asked(first, second)).toEqual([1, 0])
      yield* TestClock.adjust(1)
      expect(headersOf(yield* Fiber.join(request as Fiber.Fiber<unknown>))).toEqual({
        "served-by": "first",
        attempts: "2"
      })
      yield* leaves(speech, threeSeconds, [200, 429])
    },
    { retries: 1 }
  )

  // Verifies: H-167.
  played(
    "not where it asks for a longer wait than 2 s",
    function* ({ first, second, speech }) {
      ends(first, failure("failed", { retryAfterSeconds: 3 }))
      yield* speech.ask()
      expect(asked(first, second)).toEqual([1, 1])
    },
    { retries: 3 }
  )

  // Verifies: H-169.
  played(
    "not for a client that disconnects while it waits: the reservation is released at once",
    function* ({ first, second, speech }) {
      ends(first, "failed")
      const request = yield* Effect.forkChild(speech.ask())
      yield* turns
      expect(asked(first)).toEqual([1])
      yield* Fiber.interrupt(request as Fiber.Fiber<unknown, unknown>)
      yield* TestClock.adjust("1 minute")
      expect(asked(first, second)).toEqual([1, 0])
      yield* leaves(speech, 0n, [502])
    },
    { retries: 3 }
  )
})

describe("the memory of a file", () => {
  const frees = (fake: FakeSpeech) => fake.works.map(({ audio }) => audio.onSent !== undefined)

  played(
    "is freed once the file is sent, where no other attempt may follow",
    function* ({ first, speech }) {
      yield* speech.ask()
      expect(frees(first)).toEqual([true])
      expect(speech.freed).toBe(0)
      first.works[0]!.audio.onSent!()
      expect(speech.freed).toBe(1)
    },
    { fallbacks: [] }
  )

  played(
    "stays while the same upstream may be asked again, and while it may still read what it was sent",
    function* ({ first, speech }) {
      ends(first, "throttled", "answers")
      yield* Effect.forkChild(speech.ask())
      yield* turns
      yield* TestClock.adjust(250)
      yield* turns
      expect(frees(first)).toEqual([false, false])
    },
    { fallbacks: [], retries: 1 }
  )

  played("stays while another upstream may be asked, and for that one too", function* ({ first, second, speech }) {
    ends(first, "failed")
    yield* speech.ask()
    expect([...frees(first), ...frees(second)]).toEqual([false, false])
  })
})

describe("a client that goes", () => {
  /** The client goes in the moment in which the first upstream fails. */
  function* leavesAsItFails(speech: SpeechStage, first: FakeSpeech) {
    const [begun, end] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<never, UpstreamFailed>()]
    first.does(() => Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end)))
    const request = yield* Effect.forkChild(speech.ask())
    yield* Deferred.await(begun)
    yield* Deferred.fail(end, failure("failed"))
    yield* Fiber.interrupt(request as Fiber.Fiber<unknown, unknown>)
  }

  // Verifies: H-169.
  played("in the moment in which an upstream fails has no other one asked", function* ({ first, second, speech }) {
    yield* leavesAsItFails(speech, first)
    expect(asked(first, second)).toEqual([1, 0])
    yield* leaves(speech, 0n, [502])
  })

  // Verifies: H-174.
  played(
    "in that moment leaves the trial of the next one to another request",
    function* ({ first, second, speech, third }) {
      for (const fake of [first, second]) ends(fake, "failed")
      for (let nth = 0; nth < 2; nth++) yield* speech.ask()
      expect(asked(first, second, third)).toEqual([2, 2, 2])
      yield* TestClock.adjust(100)
      ends(first, "answers")
      yield* speech.ask()
      yield* leavesAsItFails(speech, first)
      ends(first, "unreadable")
      ends(second, "answers")
      yield* speech.ask()
      expect(asked(second, third)).toEqual([3, 2])
    },
    { breaker: { failures: 2, openMs: 100 }, fallbacks: [{ upstream: "second" }, { upstream: "third" }] }
  )

  // Verifies: H-169.
  played(
    "while a fallback works has no other one asked",
    function* ({ first, second, speech, third }) {
      ends(first, "failed")
      const door = second.waits()
      const request = yield* Effect.forkChild(speech.ask())
      yield* door.begun
      yield* Fiber.interrupt(request as Fiber.Fiber<unknown, unknown>)
      expect(asked(first, second, third)).toEqual([1, 1, 0])
      expect(second.interrupted).toBe(1)
      yield* leaves(speech, 0n, [499, 502])
    },
    { fallbacks: [{ upstream: "second" }, { upstream: "third" }] }
  )
})

describe("an upstream that fails time after time", () => {
  // Verifies: H-173, H-174.
  played("is passed over until one request has found that it answers again", function* ({ first, second, speech }) {
    ends(first, "failed")
    for (let nth = 0; nth < 5; nth++) yield* speech.ask()
    expect(headersOf(yield* speech.ask())).toEqual({ "served-by": "second" })
    yield* TestClock.adjust(29_999)
    yield* speech.ask()
    expect(asked(first, second)).toEqual([5, 7])
    yield* TestClock.adjust(1)
    const door = first.waits()
    const trial = yield* Effect.forkChild(speech.ask())
    yield* door.begun
    yield* speech.ask()
    expect(asked(first, second)).toEqual([6, 8])
    yield* door.answer("it is back")
    yield* Fiber.join(trial as Fiber.Fiber<unknown>)
    ends(first, "answers")
    yield* speech.ask()
    expect(asked(first, second)).toEqual([7, 8])
  })

  // Verifies: H-173.
  played(
    "is not asked again by the request whose failure made it so",
    function* ({ first, second, speech }) {
      ends(first, "failed")
      yield* speech.ask()
      expect(asked(first, second)).toEqual([1, 1])
    },
    { retries: 3, breaker: { failures: 1 } }
  )

  // Verifies: H-175.
  played("is asked all the same where the others fail too", function* ({ first, second, speech }) {
    ends(first, "failed")
    ends(second, "timeout")
    for (let nth = 0; nth < 7; nth++) expect(yield* speech.refused()).toMatchObject({ attempts: 2 })
    expect(asked(first, second)).toEqual([7, 7])
  })

  // Verifies: H-175.
  played(
    "is asked all the same where there is no other one",
    function* ({ first, speech }) {
      ends(first, "failed")
      for (let nth = 0; nth < 7; nth++) yield* speech.refused()
      expect(asked(first)).toEqual([7])
    },
    { fallbacks: [] }
  )

  // Verifies: H-175.
  played(
    "is asked first every time where there is no breaker",
    function* ({ first, second, speech }) {
      ends(first, "failed")
      for (let nth = 0; nth < 7; nth++) yield* speech.ask()
      expect(asked(first, second)).toEqual([7, 7])
    },
    { breaker: null }
  )

  // Verifies: H-173.
  played(
    "with one model is asked for another one",
    function* ({ first, second, speech }) {
      ends(first, "failed", "answers")
      yield* speech.ask()
      yield* speech.ask()
      expect(asked(second)).toEqual([0])
      expect(first.works.map(({ model }) => model)).toEqual(["saaras:v3", "another", "another"])
    },
    { breaker: { failures: 1 }, fallbacks: [{ upstream: "first", model: "another" }, { upstream: "second" }] }
  )

  // Verifies: H-174.
  played(
    "and whose trial nobody waits for leaves it to the next request",
    function* ({ first, second, speech }) {
      ends(first, "failed")
      yield* speech.ask()
      yield* TestClock.adjust(100)
      const door = first.waits()
      const trial = yield* Effect.forkChild(speech.ask())
      yield* door.begun
      yield* Fiber.interrupt(trial as Fiber.Fiber<unknown, unknown>)
      ends(first, "answers")
      yield* speech.ask()
      expect(asked(first, second)).toEqual([3, 1])
    },
    { breaker: { failures: 1, openMs: 100 } }
  )
})

describe("an entry that cannot carry a request", () => {
  /** Runs a work that only these upstreams can carry. */
  const run = (speech: SpeechStage, ...carriers: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const model = (yield* ModelCatalogue).get("saaras:v3")!
      const usageId = yield* Ids.fresh<"Usage">()
      const amount = { unit: "seconds", seconds: 3 } as const
      const work = ({ model, upstream }: UpstreamRoute<"transcribe">) => {
        if (!carriers.includes(upstream.name)) return Result.fail(refuse("invalid_request", { param: "mode" }))
        const audio = { chunks: [], size: 0, fileName: "a.wav", contentType: "audio/wav" }
        const common = { task: "transcribe", requestedModel: "saaras:v3", language: null, mode: null } as const
        return Result.succeed({ ...common, model, audio, features: [], diarize: false })
      }
      return yield* MeteredRun.use((metered) =>
        Effect.flatMap(Instant.now, (startedAt) =>
          metered.run({
            capability: "transcribe",
            context: {
              ...{ usageId, slot: null, requestId: "request", sessionId: null, traceId: null, startedAt },
              payer: { tenantId: speech.stage.tenant, plan: "free", monthlyBudget: null, key: null }
            },
            candidate: { model, work, run: ({ run }, work) => run(work), maxAmount: amount, amountOf: () => amount },
            failureStatus: () => 502,
            encode: ({ attempts, upstream }) => `${upstream.name} ${attempts}`,
            store: () => Effect.void
          })
        )
      )
    })

  const three = { fallbacks: [{ upstream: "second" }, { upstream: "third" }] }

  // Verifies: H-177.
  played(
    "is passed over where a later one can",
    function* ({ first, second, speech }) {
      ends(first, "failed")
      expect(yield* speech.stage.run(run(speech, "first", "third"))).toBe("third 2")
      expect(asked(second)).toEqual([0])
    },
    three
  )

  // Verifies: H-177.
  played(
    "and is the first one refuses it, before anything is reserved or asked",
    function* ({ first, second, speech }) {
      yield* speech.stage.leaveCredit(0n)
      const refused = (yield* speech.stage.fails(run(speech, "second", "third"))) as InferenceRefused
      expect(refused).toMatchObject({ status: 400, code: "invalid_request", param: "mode" })
      expect(asked(first, second)).toEqual([0, 0])
      expect(yield* speech.rows).toEqual([])
    },
    three
  )

  // Verifies: H-175, H-177.
  played(
    "does not keep an open one from being asked",
    function* ({ first, second, speech }) {
      ends(first, "failed", "answers")
      ends(second, "failed")
      yield* speech.stage.fails(run(speech, "first"))
      expect(yield* speech.stage.run(run(speech, "first"))).toBe("first 1")
    },
    { ...three, breaker: { failures: 1 } }
  )
})

describe("an agent's answer", () => {
  const routes = { "oss-120b": { upstream: "fake", fallbacks: [{ upstream: "fake", model: "other" }] } }

  // Verifies: H-166, H-172.
  agentScenario(
    "comes from a fallback as well, charged once",
    function* (agent) {
      let nth = 0
      agent.model.does((work) =>
        nth++ === 0
          ? Effect.fail(failure("unreachable"))
          : Effect.succeed({ text: work.model, toolCalls: [], tokens: { input: 1, cachedInput: 0, output: 1 } })
      )
      expect(yield* agent.run()).toMatchObject({ text: "other" })
      const rows = (yield* agent.rows) as ReadonlyArray<Row>
      expect(rows.map(({ httpStatus }) => httpStatus).toSorted()).toEqual([200, 503])
      expect(new Set(rows.map(({ requestId }) => requestId)).size).toBe(1)
      const charged = rows.reduce((sum, { credits }) => sum + credits, 0n)
      expect(yield* agent.stage.credits).toMatchObject({ balance: 1000n * credit - charged, reserved: 0n })
    },
    { routes }
  )
})
