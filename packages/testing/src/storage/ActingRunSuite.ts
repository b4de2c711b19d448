/** Requests that do something themselves, under an Idempotency-Key: once, wherever a process dies. Verifies: IDEM-4, IDEM-1. */
import { assert } from "@effect/vitest"
import { Instant, read, Storage, transact } from "@trunkline/core/effect"
import { CreditStore, IdempotencyStore } from "@trunkline/core/storage"
import {
  Idempotency,
  type IdempotentRequest,
  leavesNothing,
  notingStorage,
  type Stores,
  storedJson
} from "@trunkline/core/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { type Fault, FaultyProcess } from "../FaultyProcess.ts"
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

type Edge = "storage"

/** The first steps of a request to its storage: its claim, what it commits before and after others are asked, its answer. */
const steps = [1, 2, 3, 4] as const

const newProcess = () => new FaultyProcess<Edge>([], { stalls: 0, lostCommits: 0 })

const layerOf = (faulty: FaultyProcess<Edge>) => {
  const storage = Layer.effect(
    Storage,
    Effect.map(Storage, (real) => faulty.storage("storage", real, Effect.succeed(false)))
  )
  return Layer.fresh(Idempotency.layer.pipe(Layer.provideMerge(notingStorage), Layer.provideMerge(storage)))
}

/** A message, as it is sent: its row, the request to the messenger, the outcome. `sent` are the requests that arrived. */
const message = ({ tenantId }: IdempotentRequest, sent: Array<string>) =>
  Effect.gen(function* () {
    yield* transact(CreditStore.use((store) => store.open(tenantId)))
    sent.push("hello")
    yield* transact(CreditStore.use((store) => store.open(tenantId)))
    return "sent"
  })

/** A request's outcome in a word. */
const outcome = <E>(
  request: IdempotentRequest,
  work: Effect.Effect<string, E, Stores>,
  faulty: FaultyProcess<Edge> = newProcess()
) =>
  Idempotency.use(({ perform }) => perform(request, work, (word) => Effect.succeed(storedJson(word)))).pipe(
    Effect.flatMap((ran) =>
      ran._tag === "Replayed"
        ? Effect.succeed(`replayed ${ran.response.body}`)
        : Effect.orElseSucceed(ran.result, () => "failed")
    ),
    Effect.catchTag("IdempotencyRefused", ({ reason }) => Effect.succeed(reason)),
    Effect.orElseSucceed(() => "no storage"),
    Effect.provide(layerOf(faulty), { local: true })
  )

const failing = (when: "before" | "after", more: Effect.Effect<void> = Effect.void) => {
  const opened = transact(CreditStore.use((store) => store.open(Rows.id())))
  return Effect.andThen(when === "after" ? opened : Effect.void, Effect.andThen(more, Effect.fail("no" as const)))
}

/** A request in a process that dies: the process never answers, and its lease ends. */
const died = Effect.fnUntraced(function* (request: IdempotentRequest, sent: Array<string>, death: Fault<Edge>) {
  const faulty = newProcess()
  faulty.death = { ...death }
  // Nobody waits for it: what a dead process was about to do never ends.
  yield* Effect.forkDetach(outcome(request, message(request, sent), faulty))
  for (let pauses = 0; pauses < 400 && faulty.alive; pauses++) yield* pause(5)
  assert.isFalse(faulty.alive)
  yield* TestClock.adjust(leaseMs)
})

export const actingRuns = suite("requests that act", ({ it }) => {
  it.effect("of 20 at once under one key one acts, and its answer is replayed", () =>
    Effect.gen(function* () {
      const [request, sent] = [once(), [] as Array<string>]
      const words = yield* Effect.all(
        Array.from({ length: 20 }, () => outcome(request, message(request, sent))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(sent, ["hello"])
      assert.strictEqual(words.filter((word) => word === "sent").length, 1)
      assert.isTrue(words.every((word) => ["sent", "in_progress", 'replayed "sent"'].includes(word)))
      assert.strictEqual(yield* outcome(request, message(request, sent)), 'replayed "sent"')
      assert.strictEqual(yield* outcome({ ...request, fingerprint: "second" }, Effect.succeed("other")), "key_reused")
      assert.deepStrictEqual(sent, ["hello"])
    })
  )

  for (const step of steps) {
    for (const when of ["before", "after"] as const) {
      // Verifies: H-834.
      it.effect(`a process that dies ${when} step ${step} to its storage sends nothing twice`, () =>
        Effect.gen(function* () {
          const [request, sent] = [once(), [] as Array<string>]
          yield* died(request, sent, { steps: step, when, at: null })
          const hasActed = (yield* read(CreditStore.use((store) => store.balance(request.tenantId)))) !== null
          const isAnswered = step === 4 && when === "after"
          const expected = isAnswered ? 'replayed "sent"' : hasActed ? "outcome_unknown" : "sent"
          for (const wait of [0, leaseMs, Instant.day - 4 * leaseMs]) {
            yield* TestClock.adjust(wait)
            const word = yield* outcome(request, message(request, sent))
            assert.strictEqual(word, wait > 0 && expected === "sent" ? 'replayed "sent"' : expected)
          }
          assert.isAtMost(sent.length, 1)
          assert.isTrue(hasActed === (step > 2 || (step === 2 && when === "after")))
          yield* TestClock.adjust(Instant.day)
          assert.strictEqual(yield* outcome(request, message(request, sent)), "sent")
        })
      )
    }
  }

  it.effect("a commit whose answer is lost is one that was made", () =>
    Effect.gen(function* () {
      const [request, sent, faulty] = [once(), [] as Array<string>, newProcess()]
      const work = Effect.andThen(
        Effect.sync(() => {
          faulty.commitsToLose = 1
        }),
        message(request, sent)
      )
      assert.strictEqual(yield* outcome(request, work, faulty), "failed")
      assert.strictEqual(yield* outcome(request, message(request, sent)), "outcome_unknown")
      assert.deepStrictEqual(sent, [])
    })
  )

  it.effect("what has failed before it did anything, or says that nothing of it stands, leaves its key free", () =>
    Effect.gen(function* () {
      for (const work of [failing("before"), failing("after", leavesNothing), failing("before", leavesNothing)]) {
        const request = once()
        assert.strictEqual(yield* outcome(request, work), "failed")
        assert.strictEqual(yield* outcome({ ...request, fingerprint: "second" }, Effect.succeed("done")), "done")
      }
    })
  )

  it.effect("what has failed after it did something is kept as unknown at once, for a day", () =>
    Effect.gen(function* () {
      const request = once()
      assert.strictEqual(yield* outcome(request, failing("after")), "failed")
      assert.strictEqual(yield* outcome(request, Effect.succeed("again")), "outcome_unknown")
      yield* TestClock.adjust(Instant.day)
      assert.strictEqual(yield* outcome(request, Effect.succeed("again")), "again")
    })
  )

  it.effect("a transaction that fails, and the note with it, has not happened", () =>
    Effect.gen(function* () {
      const request = once()
      const opened = CreditStore.use((store) => store.open(request.tenantId))
      assert.strictEqual(
        yield* outcome(request, transact(Effect.andThen(opened, Effect.fail("no" as const)))),
        "failed"
      )
      assert.strictEqual(yield* outcome(request, Effect.succeed("again")), "again")
    })
  )

  it.effect(
    "a process that stood still past its lease before it acted commits nothing, and hears what the other one did",
    () =>
      Effect.gen(function* () {
        const [request, sent] = [once(), [] as Array<string>]
        const [begun, goOn] = [yield* Deferred.make<void>(), yield* gate]
        const still = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(goOn))
        const late = yield* Effect.forkChild(outcome(request, Effect.andThen(still, message(request, sent))))
        yield* Deferred.await(begun)
        const { tenantId } = request
        const claim = (yield* read(IdempotencyStore.use((store) => store.find(tenantId, "a key"))))!.claim!
        yield* transact(IdempotencyStore.use((store) => store.forget({ tenantId, key: "a key", claim })))
        assert.strictEqual(yield* outcome(request, message(request, sent)), "sent")
        yield* Deferred.succeed(goOn, undefined)
        assert.strictEqual(yield* Fiber.join(late), 'replayed "sent"')
        assert.deepStrictEqual(sent, ["hello"])
      })
  )

  it.effect("goes on to its end when its caller leaves, and the answer is kept", () =>
    Effect.gen(function* () {
      const [request, sent] = [once(), [] as Array<string>]
      const [begun, goOn] = [yield* Deferred.make<void>(), yield* gate]
      const slow = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(goOn))
      const asking = yield* Effect.forkChild(outcome(request, Effect.andThen(slow, message(request, sent))))
      yield* Deferred.await(begun)
      const leaving = yield* Effect.forkChild(Fiber.interrupt(asking))
      assert.strictEqual(yield* outcome(request, message(request, sent)), "in_progress")
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(leaving)
      assert.strictEqual(yield* outcome(request, message(request, sent)), 'replayed "sent"')
      assert.deepStrictEqual(sent, ["hello"])
    })
  )
})
