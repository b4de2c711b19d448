/** One key, one run: in flight, across processes, after a crash, and for no longer than a day. Verifies: INFE-4, IDEM-1, IDEM-2, IDEM-3. */
import { assert } from "@effect/vitest"
import { Instant, read, transact } from "@trunkline/core/effect"
import { CreditStore, IdempotencyStore, type StoredResponse } from "@trunkline/core/storage"
import {
  Idempotency,
  type IdempotentRequest,
  type StoreResponse,
  type Stores,
  storedBody,
  storedBytes
} from "@trunkline/core/testing"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import * as Rows from "./Rows.ts"
import { gate, pause, suite } from "./Subject.ts"

const leaseMs = 60_000

const once = (over: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  tenantId: Rows.id(),
  key: "a key",
  fingerprint: "first",
  leaseMs,
  ...over
})

const answered = (body: string, over: Partial<StoredResponse> = {}): StoredResponse => ({
  status: 200,
  contentType: "application/json",
  body,
  headers: {},
  ...over
})

const answer = answered('{"text":"hello"}')

/** How a request begins: one word, or the kept answer. */
const begin = (request: IdempotentRequest) =>
  Idempotency.use((idempotency) => idempotency.begin(request)).pipe(
    Effect.map((begun) => (begun._tag === "Replayed" ? begun.response : "begun")),
    Effect.catchTag("IdempotencyRefused", ({ reason }) => Effect.succeed(reason))
  )

const claimed = (request: IdempotentRequest) =>
  Effect.flatMap(
    Idempotency.use((idempotency) => idempotency.begin(request)),
    (begun) =>
      begun._tag === "Begun"
        ? Effect.succeed(begun.claim)
        : Effect.die(new Error("it ran before, and its answer is kept"))
  )

const finish = (request: IdempotentRequest, claim: string, end: StoredResponse | null) =>
  Idempotency.use((idempotency) => idempotency.finish(request, claim, end))

/** Copies of one request, all at once. */
const crowd = (request: IdempotentRequest, size = 50) =>
  Effect.forEach(Array.from({ length: size }), () => begin(request), { concurrency: "unbounded" })

const stands = ({ key, tenantId }: IdempotentRequest) =>
  read(IdempotencyStore.use((store) => store.find(tenantId, key)))

/** The service, and with it everything, under one context: a property runs many times. */
const property = <A>(
  of: fc.Arbitrary<A>,
  numRuns: number,
  holds: (a: A) => Effect.Effect<void, unknown, Stores | Idempotency>
): Effect.Effect<void, never, Stores | Idempotency> =>
  Effect.contextWith((context: Context.Context<Stores | Idempotency>) =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(of, (a) => Effect.runPromiseWith(context)(holds(a))),
        { numRuns }
      )
    )
  )

const fingerprints = ["first", "second"] as const
const nat = fc.nat({ max: 1000 })
const place = { tenant: fc.nat({ max: 1 }), key: fc.constantFrom("a", "a", "b") }

type Command =
  | { readonly _tag: "Begin"; readonly tenant: number; readonly key: string; readonly prints: ReadonlyArray<string> }
  /** Ends some run of before, whether it is still the current one or not. */
  | { readonly _tag: "Finish"; readonly pick: number; readonly status: number | null }
  | { readonly _tag: "Pass"; readonly ms: number }
  | { readonly _tag: "Sweep" }

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("Begin" as const),
      ...place,
      prints: fc.array(fc.constantFrom(...fingerprints), { minLength: 1, maxLength: 4 })
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Finish" as const),
      pick: nat,
      status: fc.constantFrom(200, 201, 400, 502, null)
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("Pass" as const),
      ms: fc.constantFrom(1, leaseMs - 1, leaseMs, leaseMs, Instant.day - leaseMs, Instant.day)
    })
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Sweep" as const) }) }
)

/** What stands under a key, in plain words. */
interface Standing {
  readonly print: string
  readonly claim: string | null
  readonly leaseUntil: number
  readonly answer: StoredResponse | null
  readonly expiresAt: number
}

/** The accounts of a run of commands, the plain map that stands for the storage, and the claims of every run so far. */
interface Followed {
  readonly tenants: ReadonlyArray<IdempotentRequest["tenantId"]>
  readonly model: Map<string, Standing>
  readonly claims: Array<{ readonly at: string; readonly request: IdempotentRequest; readonly claim: string }>
}

type Of<Tag extends Command["_tag"]> = Extract<Command, { readonly _tag: Tag }>

/** The answer to a request, by the map. */
const expectedOf = (standing: Standing | undefined, print: string, now: number) => {
  if (standing === undefined || standing.expiresAt <= now) return "begun"
  if (standing.print !== print) return "key_reused"
  if (standing.answer !== null) return standing.answer
  return standing.leaseUntil <= now ? "begun" : "in_progress"
}

const followSweep = Effect.fnUntraced(function* ({ model, tenants }: Followed) {
  const now = yield* Instant.now
  yield* Idempotency.use(({ sweep }) => sweep)
  for (const [at, { expiresAt }] of model) {
    const [tenant, key] = at.split("/") as [string, string]
    const left = yield* stands(once({ tenantId: tenants[Number(tenant)]!, key }))
    assert.strictEqual(left === null, expiresAt <= now)
    if (expiresAt <= now) model.delete(at)
  }
})

const followFinish = Effect.fnUntraced(function* ({ claims, model }: Followed, one: Of<"Finish">, nth: number) {
  if (claims.length === 0) return
  const now = yield* Instant.now
  const { at, claim, request } = claims[one.pick % claims.length]!
  const end = one.status === null ? null : answered(`answer ${nth}`, { status: one.status })
  yield* finish(request, claim, end)
  const standing = model.get(at)
  if (standing?.claim !== claim) return
  if (end === null || end.status >= 300) model.delete(at)
  else model.set(at, { ...standing, claim: null, answer: end, expiresAt: now + Instant.day })
})

const followBegin = Effect.fnUntraced(function* ({ claims, model, tenants }: Followed, one: Of<"Begin">) {
  const now = yield* Instant.now
  const idempotency = yield* Idempotency
  const at = `${one.tenant}/${one.key}`
  const requests = one.prints.map((fingerprint) => once({ tenantId: tenants[one.tenant]!, key: one.key, fingerprint }))
  const outcomes = yield* Effect.forEach(requests, (request) => Effect.result(idempotency.begin(request)), {
    concurrency: "unbounded"
  })
  const words = outcomes.map((outcome) =>
    outcome._tag === "Failure"
      ? outcome.failure._tag === "IdempotencyRefused"
        ? outcome.failure.reason
        : "storage"
      : outcome.success._tag === "Replayed"
        ? outcome.success.response
        : "begun"
  )
  // The request that began was the first: the others come after it, in any order.
  const first = words.indexOf("begun")
  for (const index of [...words.keys()].sort((a, b) => Number(b === first) - Number(a === first))) {
    const print = one.prints[index]!
    const expected = expectedOf(model.get(at), print, now)
    assert.deepStrictEqual(words[index], expected, JSON.stringify({ one, words }))
    const outcome = outcomes[index]!
    if (outcome._tag === "Success" && outcome.success._tag === "Begun") {
      const { claim } = outcome.success
      model.set(at, { print, claim, leaseUntil: now + leaseMs, answer: null, expiresAt: now + Instant.day })
      claims.push({ at, request: requests[index]!, claim })
    }
  }
})

/** Follows the commands with a map, one request after the other, and compares. */
const follow = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>) {
  const followed: Followed = {
    tenants: [Rows.id<"Account">(), Rows.id<"Account">()],
    model: new Map(),
    claims: []
  }
  for (const [nth, one] of commands.entries()) {
    if (one._tag === "Pass") yield* TestClock.adjust(one.ms)
    if (one._tag === "Sweep") yield* followSweep(followed)
    if (one._tag === "Finish") yield* followFinish(followed, one, nth)
    if (one._tag === "Begin") yield* followBegin(followed, one)
  }
})

export const idempotency = suite("idempotency", ({ it, sideBySide }) => {
  const test = (name: string, body: () => Effect.Effect<void, unknown, Stores | Idempotency>) =>
    it.effect(name, () => Effect.provide(body(), Idempotency.layer))

  // Verifies: H-117.
  test("of 50 requests at once one runs, and the others hear that it is running", () =>
    Effect.gen(function* () {
      const request = once()
      const outcomes = yield* crowd(request)
      assert.strictEqual(outcomes.filter((word) => word === "begun").length, 1)
      assert.strictEqual(outcomes.filter((word) => word === "in_progress").length, 49)
    }))

  test("of 50 requests at once under one key, half of them another request, one runs", () =>
    Effect.gen(function* () {
      const request = once()
      const other = { ...request, fingerprint: "second" }
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 25 }),
        () => Effect.all([begin(request), begin(other)]),
        {
          concurrency: "unbounded"
        }
      )
      const words = outcomes.flat()
      assert.strictEqual(words.filter((word) => word === "begun").length, 1)
      assert.strictEqual(words.filter((word) => word === "in_progress").length, 24)
      assert.strictEqual(words.filter((word) => word === "key_reused").length, 25)
    }))

  test("of 50 requests after a crash one runs, as soon as the lease has ended and not before", () =>
    Effect.gen(function* () {
      const request = once()
      const lost = yield* claimed(request)
      yield* TestClock.adjust(leaseMs - 1)
      assert.deepStrictEqual([...new Set(yield* crowd(request))], ["in_progress"])
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* begin({ ...request, fingerprint: "second" }), "key_reused")
      const outcomes = yield* crowd(request)
      assert.strictEqual(outcomes.filter((word) => word === "begun").length, 1)
      // The first run was not dead, only slow: nobody hears of its answer.
      yield* finish(request, lost, answered("of the first"))
      assert.strictEqual(yield* begin(request), "in_progress")
      yield* finish(request, lost, null)
      assert.strictEqual(yield* begin(request), "in_progress")
    }))

  // Verifies: H-107.
  test("a run keeps its key for as long as its work takes, and not for longer than a lease after its process died", () =>
    Effect.gen(function* () {
      const request = once()
      const idempotency = yield* Idempotency
      const begun = yield* Deferred.make<void>()
      const work = (store: StoreResponse) =>
        Effect.gen(function* () {
          yield* Deferred.succeed(begun, undefined)
          yield* Effect.sleep(5 * leaseMs)
          yield* transact(store(answer))
        })
      const running = yield* Effect.forkChild(idempotency.run(request, work))
      yield* Deferred.await(begun)
      for (let eighth = 1; eighth < 40; eighth++) {
        // Databases do not wait for the clock of a test: the work may not sleep yet, or the run may still be renewing.
        yield* pause(5)
        yield* TestClock.adjust(leaseMs / 8)
        const at = yield* Instant.now
        const leaseUntil = Effect.map(stands(request), (row) => row?.leaseUntil ?? 0)
        for (let pauses = 0; pauses < 200 && (yield* leaseUntil) < at + leaseMs / 2; pauses++) yield* pause(5)
        assert.isAbove(yield* leaseUntil, at)
        assert.strictEqual(yield* begin(request), "in_progress")
      }
      yield* TestClock.adjust(leaseMs)
      yield* Fiber.join(running)
      assert.deepStrictEqual(yield* begin(request), answer)
    }))

  // Verifies: H-111.
  test("the kept answer is given for a day after the end, to the same request alone", () =>
    Effect.gen(function* () {
      const request = once()
      yield* finish(request, yield* claimed(request), answer)
      for (const outcome of yield* crowd(request)) assert.deepStrictEqual(outcome, answer)
      assert.strictEqual(yield* begin({ ...request, fingerprint: "second" }), "key_reused")
      yield* TestClock.adjust(Instant.day - 1)
      assert.deepStrictEqual(yield* begin(request), answer)
      yield* TestClock.adjust(1)
      const outcomes = yield* crowd({ ...request, fingerprint: "second" })
      assert.strictEqual(outcomes.filter((word) => word === "begun").length, 1)
    }))

  test("a run of more than a day does not expire before its lease", () =>
    Effect.gen(function* () {
      const request = once({ leaseMs: 2 * Instant.day })
      yield* begin(request)
      yield* TestClock.adjust(2 * Instant.day - 1)
      yield* Idempotency.use(({ sweep }) => sweep)
      assert.strictEqual(yield* begin(request), "in_progress")
    }))

  // Verifies: H-114.
  test("a failure is forgotten, and the key may carry another request", () =>
    Effect.gen(function* () {
      for (const end of [null, answered("no", { status: 400 }), answered("no", { status: 502 })]) {
        const request = once()
        yield* finish(request, yield* claimed(request), end)
        assert.strictEqual(yield* begin({ ...request, fingerprint: "second" }), "begun")
        assert.strictEqual(yield* begin(request), "key_reused")
      }
    }))

  test("a run ends once: what is said of it later changes nothing", () =>
    Effect.gen(function* () {
      const request = once()
      const claim = yield* claimed(request)
      yield* finish(request, claim, answer)
      yield* finish(request, claim, answered("another"))
      yield* finish(request, claim, null)
      assert.deepStrictEqual(yield* begin(request), answer)
      const never = once()
      yield* finish(never, claim, answer)
      assert.isNull(yield* stands(never))
    }))

  // Verifies: H-111.
  test("the same key of another account is another key", () =>
    Effect.gen(function* () {
      const request = once()
      const claim = yield* claimed(request)
      const theirs = once()
      assert.strictEqual(yield* begin(theirs), "begun")
      yield* finish(theirs, claim, answered("not theirs"))
      assert.strictEqual(yield* begin(theirs), "in_progress")
      yield* finish(request, claim, answer)
      assert.strictEqual(yield* begin(theirs), "in_progress")
    }))

  // Verifies: G-905.
  test("an answer in bytes is kept as it was, every byte of it", () =>
    Effect.gen(function* () {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, nth) => (nth * 7) % 256)
      const request = once()
      yield* finish(request, yield* claimed(request), storedBytes("audio/mpeg", bytes))
      const kept = yield* begin(request)
      if (typeof kept === "string") return assert.fail(kept)
      assert.strictEqual(kept.contentType, "audio/mpeg")
      assert.deepStrictEqual(storedBody(kept), bytes)
    }))

  test("an answer is kept as it was, whatever its text and its length", () =>
    Effect.gen(function* () {
      const texts = ["", "नमस्ते 👋🏽", "a\u0000b", "half \ud83d", '"\\\n', "x".repeat(3_000_000)]
      for (const text of texts) {
        const request = once()
        const kept = answered(text, {
          status: 201,
          contentType: "text/plain; charset=utf-8",
          headers: { "x-service-served-by": "somebody", "x-request-id": text.slice(0, 10) }
        })
        yield* finish(request, yield* claimed(request), kept)
        assert.deepStrictEqual(yield* begin(request), kept)
      }
    }))

  test("keys differ by any of their characters, up to 255", () =>
    Effect.gen(function* () {
      const keys = [
        "k",
        "K",
        "k ",
        " k",
        "é",
        "e\u0301",
        "0",
        "00",
        "x".repeat(255),
        `${"x".repeat(254)}y`,
        "👋".repeat(255)
      ]
      const tenantId = Rows.id<"Account">()
      for (const key of keys) assert.strictEqual(yield* begin(once({ tenantId, key })), "begun", key)
      for (const key of ["", "x".repeat(256), "👋".repeat(256)])
        assert.strictEqual(yield* begin(once({ tenantId, key })), "key_invalid")
    }))

  test("an end that is rolled back has not happened", () =>
    Effect.gen(function* () {
      const request = once()
      const claim = yield* claimed(request)
      const end = Idempotency.use((idempotency) => idempotency.storing(request, claim)(answer))
      yield* Effect.flip(transact(Effect.andThen(end, Effect.fail("no" as const))))
      assert.strictEqual(yield* begin(request), "in_progress")
      yield* transact(end)
      assert.deepStrictEqual(yield* begin(request), answer)
    }))

  // Verifies: H-163.
  test("a run that lost its claim keeps nothing, and its transaction is rolled back", () =>
    Effect.gen(function* () {
      const request = once()
      const lost = yield* claimed(request)
      yield* TestClock.adjust(leaseMs)
      const current = yield* claimed(request)
      const keep = (claim: string, body: string) =>
        transact(
          Effect.gen(function* () {
            const store = yield* CreditStore
            yield* store.open(request.tenantId)
            yield* Idempotency.use((idempotency) => idempotency.storing(request, claim)(answered(body)))
          })
        )
      for (const end of ["while the other one runs", "after it has answered"]) {
        assert.strictEqual((yield* Effect.flip(keep(lost, end)))._tag, "ClaimLost")
        assert.isNull(yield* read(CreditStore.use((store) => store.balance(request.tenantId))), end)
        if (end === "while the other one runs") yield* finish(request, current, answer)
      }
      assert.deepStrictEqual(yield* begin(request), answer)
    }))

  test("what has expired is swept, however much it is, and nothing else", () =>
    Effect.gen(function* () {
      const { sweep } = yield* Idempotency
      yield* TestClock.adjust(3 * Instant.day)
      yield* sweep
      const old = Array.from({ length: 250 }, () => once())
      yield* Effect.forEach(old, (request) => begin(request))
      yield* TestClock.adjust(Instant.hour)
      const [kept, running] = [once(), once()]
      yield* finish(kept, yield* claimed(kept), answer)
      yield* begin(running)
      yield* TestClock.adjust(Instant.day - Instant.hour - 1)
      assert.strictEqual(yield* sweep, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* sweep, 250)
      assert.strictEqual(yield* sweep, 0)
      assert.isNull(yield* stands(old[0]!))
      assert.deepStrictEqual((yield* stands(kept))?.answer, answer)
      assert.isNotNull(yield* stands(running))
    }))

  sideBySide("a request waits for the commit of another that came first, and is answered by it", () =>
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const request = once()
      const { fingerprint, key, tenantId } = request
      const at = yield* Instant.now
      const until = Instant.plus(at, leaseMs)
      const lease = { leaseUntil: until, hasActed: false, answer: null, expiresAt: until }
      const run = { tenantId, key, fingerprint, claim: "first", ...lease }
      const [taken, goOn] = [yield* gate, yield* gate]
      const first = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* store.claim(run, at)
            yield* Deferred.succeed(taken, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(taken)
      const second = yield* Effect.forkChild(begin({ ...request, fingerprint: "second" }))
      yield* pause(50)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(first)
      assert.strictEqual(yield* Fiber.join(second), "key_reused")
    }).pipe(Effect.provide(Idempotency.layer))
  )

  test("any sequence of begins, ends, crashes and sweeps is answered as by a plain map", () =>
    property(fc.array(command, { minLength: 1, maxLength: 60, size: "max" }), 40, follow))
})
