/** The reply queue on a database: one claim for each job, however many processes claim. Verifies: CHAT-2, CHAT-4. */
import { assert } from "@effect/vitest"
import { type Ids, read, transact } from "@trunkline/core/effect"
import { type ReplyJob, ReplyQueueStore } from "@trunkline/core/storage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Rows from "./Rows.ts"
import { gate, pause, suite } from "./Subject.ts"

const customersOf = (jobs: ReadonlyArray<ReplyJob>): ReadonlyArray<Ids.CustomerId> =>
  jobs.map(({ customerId }) => customerId)

const jobNow = (id: Ids.CustomerId) => read(ReplyQueueStore.use((store) => store.find(id)))

const claimDue = (at: number, until: number, limit = 100, claim: string = Rows.id()) =>
  transact(ReplyQueueStore.use((store) => store.claimDue({ at: Rows.at(at), until: Rows.at(until), claim, limit })))

const renew = (id: Ids.CustomerId, claim: string, until: number) =>
  transact(ReplyQueueStore.use((store) => store.renew(id, claim, Rows.at(until))))

const release = (id: Ids.CustomerId, claim: string) =>
  transact(ReplyQueueStore.use((store) => store.release(id, claim)))

const nextDue = read(ReplyQueueStore.use((store) => store.nextDue()))

/** Ends whatever earlier tests have left due. */
const nothingDue = Effect.gen(function* () {
  const store = yield* ReplyQueueStore
  const far = Number.MAX_SAFE_INTEGER - Rows.at(0)
  const all = yield* claimDue(far, far, 10_000)
  yield* transact(
    Effect.forEach(all, (job) =>
      Effect.andThen(store.save({ ...job, dueAt: null }), store.release(job.customerId, job.claim!))
    )
  )
  assert.isNull(yield* nextDue)
})

/** Jobs that are due at these instants; null is never. */
const dueAt = Effect.fnUntraced(function* (instants: ReadonlyArray<number | null>) {
  const jobs = instants.map((at) => Rows.replyJob({ dueAt: at === null ? null : Rows.at(at) }))
  yield* transact(ReplyQueueStore.use((store) => Effect.forEach(jobs, store.save)))
  return jobs
})

export const replyQueue = suite("reply queue", ({ it, sideBySide }) => {
  it.effect("a job comes back as it was written, and a customer who has never written has none", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const full = Rows.replyJob({
        ...{ dueAt: Rows.at(-5), handledUpTo: Rows.id(), waitingSince: Rows.at(-6), failures: 2 }
      })
      const bare = Rows.replyJob()
      const store = yield* ReplyQueueStore
      yield* transact(Effect.forEach([full, bare], store.save))
      for (const job of [full, bare]) assert.deepStrictEqual(yield* jobNow(job.customerId), job)
      assert.isNull(yield* jobNow(Rows.id()))
      yield* transact(store.remove(full.customerId))
      assert.isNull(yield* jobNow(full.customerId))
      assert.deepStrictEqual(yield* jobNow(bare.customerId), bare)
      assert.isNull(yield* nextDue)
    })
  )

  it.effect("everything about a job can be changed, and a claim that was made meanwhile stays", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* ReplyQueueStore
      const [job] = yield* dueAt([1])
      // Read before the claim, written after it.
      const found = (yield* jobNow(job!.customerId))!
      const [claimed] = yield* claimDue(5, 40)
      const changed: ReplyJob = {
        ...found,
        ...{ dueAt: Rows.at(8), handledUpTo: Rows.id(), waitingSince: Rows.at(7), answeredAt: Rows.at(6), failures: 3 }
      }
      yield* transact(store.save(changed))
      const now = yield* jobNow(found.customerId)
      assert.deepStrictEqual(now, { ...changed, claim: claimed!.claim, claimedUntil: Rows.at(40) })
    })
  )

  // Verifies: N-47.
  it.effect("due jobs are claimed soonest first, and are due again when the claim has run out", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const jobs = yield* dueAt([30, 10, null, 20, 99, 20])
      assert.strictEqual(yield* nextDue, Rows.at(10))
      const first = yield* claimDue(50, 60, 3, "one")
      const soonest = [jobs[1]!, jobs[3]!, jobs[5]!]
      assert.deepStrictEqual(
        first,
        soonest.map((job) => ({ ...job, claim: "one", claimedUntil: Rows.at(60) }))
      )
      assert.deepStrictEqual(yield* jobNow(jobs[1]!.customerId), first[0])
      assert.strictEqual(yield* nextDue, Rows.at(30))
      assert.deepStrictEqual(customersOf(yield* claimDue(50, 70, 3, "two")), [jobs[0]!.customerId])
      assert.deepStrictEqual(yield* claimDue(59, 80), [])
      assert.strictEqual(yield* nextDue, Rows.at(60))
      assert.deepStrictEqual(customersOf(yield* claimDue(60, 200, 2)), customersOf([jobs[1]!, jobs[3]!]))
      assert.deepStrictEqual(customersOf(yield* claimDue(99, 200)), customersOf([jobs[5]!, jobs[0]!, jobs[4]!]))
    })
  )

  it.effect("a claim that ran out and was made again is neither renewed nor released by the old one", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const [job] = yield* dueAt([1])
      const { customerId: id } = job!
      yield* claimDue(5, 40, 1, "old")
      assert.isTrue(yield* renew(id, "old", 60))
      assert.deepStrictEqual(yield* claimDue(59, 80), [])
      assert.deepStrictEqual(customersOf(yield* claimDue(60, 90, 1, "new")), [id])
      assert.isFalse(yield* renew(id, "old", 200))
      assert.isFalse(yield* release(id, "old"))
      assert.deepInclude(yield* jobNow(id), { claim: "new", claimedUntil: Rows.at(90) })
      assert.isTrue(yield* release(id, "new"))
      assert.isFalse(yield* release(id, "new"))
      assert.isFalse(yield* renew(id, "new", 200))
      assert.deepStrictEqual(yield* jobNow(id), job)
      assert.isFalse(yield* renew(Rows.id(), "new", 200))
    })
  )

  it.effect("a job is claimed neither before it is due nor before its claim has run out, whichever is later", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* ReplyQueueStore
      const [job] = yield* dueAt([1])
      const { customerId: id } = job!
      yield* claimDue(5, 40, 1, "one")
      yield* transact(store.save({ ...job!, dueAt: Rows.at(70) }))
      assert.strictEqual(yield* nextDue, Rows.at(70))
      assert.deepStrictEqual(yield* claimDue(69, 80), [])
      yield* transact(store.save({ ...job!, dueAt: null }))
      assert.isNull(yield* nextDue)
      assert.deepStrictEqual(yield* claimDue(1000, 2000), [])
      yield* transact(store.save({ ...job!, dueAt: Rows.at(20) }))
      assert.strictEqual(yield* nextDue, Rows.at(40))
      yield* release(id, "one")
      assert.strictEqual(yield* nextDue, Rows.at(20))
      assert.deepStrictEqual(customersOf(yield* claimDue(20, 30)), [id])
    })
  )

  // Verifies: N-19.
  it.effect("eight processes at the same time claim every job once", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const jobs = yield* dueAt(Array.from({ length: 120 }, (_, i) => i))
      const claimer = Effect.gen(function* () {
        const mine: Array<Ids.CustomerId> = []
        for (let looks = 0; looks < jobs.length; looks++) {
          const taken = yield* claimDue(1000, 2000, 7)
          assert.isAtMost(taken.length, 7)
          if (taken.length === 0) break
          mine.push(...customersOf(taken))
        }
        return mine
      })
      const shares = yield* Effect.forEach(Array.from({ length: 8 }), () => claimer, { concurrency: "unbounded" })
      const taken = shares.flat()
      assert.strictEqual(new Set(taken).size, taken.length, "a job was claimed twice")
      // A process skips what another one is just claiming, and may find nothing left a moment early.
      assert.deepStrictEqual(
        [...taken, ...customersOf(yield* claimDue(1000, 2000, 200))].sort(),
        customersOf(jobs).toSorted()
      )
    })
  )

  sideBySide("a claim waits for nobody: a job that is just being written is left for later", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* ReplyQueueStore
      const [written, free] = yield* dueAt([1, 2])
      const [wrote, goOn] = [yield* gate, yield* gate]
      const writer = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* store.save({ ...written!, failures: 1 })
            yield* Deferred.succeed(wrote, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(wrote)
      assert.deepStrictEqual(customersOf(yield* claimDue(10, 20)), [free!.customerId])
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(writer)
      assert.deepStrictEqual(customersOf(yield* claimDue(10, 20)), [written!.customerId])
    })
  )

  sideBySide("a worker that has renewed its claim writes undisturbed, however late it is", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* ReplyQueueStore
      const [job] = yield* dueAt([1])
      const [kept, goOn] = [yield* gate, yield* gate]
      yield* claimDue(5, 40, 1, "mine")
      const worker = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            const isMine = yield* store.release(job!.customerId, "mine")
            yield* Deferred.succeed(kept, undefined)
            yield* Deferred.await(goOn)
            yield* store.save({ ...job!, dueAt: null, failures: 7 })
            return isMine
          })
        )
      )
      yield* Deferred.await(kept)
      assert.deepStrictEqual(yield* claimDue(1000, 2000, 1, "other"), [])
      yield* Deferred.succeed(goOn, undefined)
      assert.isTrue(yield* Fiber.join(worker))
      assert.deepStrictEqual(yield* jobNow(job!.customerId), { ...job!, dueAt: null, failures: 7 })
      assert.deepStrictEqual(yield* claimDue(1000, 2000, 1, "other"), [])
    })
  )

  sideBySide("renewing a claim that is just being made again waits, and fails", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* ReplyQueueStore
      const [job] = yield* dueAt([1])
      const [claimed, goOn] = [yield* gate, yield* gate]
      yield* claimDue(5, 40, 1, "old")
      const claimer = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* store.claimDue({ at: Rows.at(41), until: Rows.at(80), claim: "new", limit: 1 })
            yield* Deferred.succeed(claimed, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(claimed)
      const keeper = yield* Effect.forkChild(renew(job!.customerId, "old", 200))
      yield* pause(20)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(claimer)
      assert.isFalse(yield* Fiber.join(keeper))
    })
  )
})
