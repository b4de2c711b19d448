/** Work that several processes share out: each piece has one holder, and a holder that dies gives it up. */
import { assert } from "@effect/vitest"
import { type Call, type Ids, PhoneNumber, read, transact } from "@trunkline/core/effect"
import { CallStore, CallSupervisionStore, StartSlotStore } from "@trunkline/core/storage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Rows from "./Rows.ts"
import { gate, pause, suite } from "./Subject.ts"

const addCalls = (calls: ReadonlyArray<Call>) => transact(CallStore.use((store) => Effect.forEach(calls, store.add)))
const claim = (at: number, until: number, limit: number) =>
  transact(CallSupervisionStore.use((store) => store.claimDue({ at: Rows.at(at), until: Rows.at(until), limit })))
const ids = (calls: ReadonlyArray<{ readonly id: Ids.CallId }>) => calls.map(({ id }) => id)

/** Ends whatever earlier tests left due. */
const nothingDue = Effect.gen(function* () {
  const store = yield* CallStore
  const due = yield* claim(1_000_000, 1_000_000, 10_000)
  yield* transact(Effect.forEach(due, (call) => store.save({ ...call, checkAt: null, endedAt: Rows.at(1) })))
})

export const claims = suite("claims", ({ it, sideBySide }) => {
  it.effect("due calls are claimed soonest first, and are due again when the lease has ended", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* CallStore
      const supervision = yield* CallSupervisionStore
      const tenantId = Rows.id<"Account">()
      assert.isNull(yield* read(supervision.nextCheck))
      const instants = [Rows.at(30), Rows.at(10), null, Rows.at(20), Rows.at(99)]
      const calls = instants.map((checkAt) => Rows.call(tenantId, { checkAt }))
      yield* addCalls(calls)
      assert.strictEqual(yield* read(supervision.nextCheck), Rows.at(10))

      const first = yield* claim(50, 60, 2)
      assert.deepStrictEqual(ids(first), [calls[1]!.id, calls[3]!.id])
      assert.deepStrictEqual(first[0], { ...calls[1]!, checkAt: Rows.at(60) })
      assert.deepStrictEqual(yield* read(store.findInAnyAccount(calls[1]!.id)), first[0])
      assert.deepStrictEqual(ids(yield* claim(50, 60, 2)), [calls[0]!.id])
      assert.deepStrictEqual(yield* claim(59, 70, 10), [])
      assert.strictEqual((yield* claim(60, 70, 10)).length, 3)
    })
  )

  it.effect("eight claimers at once share the work out: nothing twice, nothing left", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const tenantId = Rows.id<"Account">()
      const calls = Array.from({ length: 200 }, (_, i) => Rows.call(tenantId, { checkAt: Rows.at(i) }))
      yield* addCalls(calls)
      const claimer = Effect.gen(function* () {
        const mine: Array<Ids.CallId> = []
        for (let rest = 1; rest > 0; ) {
          const taken = yield* claim(1000, 2000, 7)
          mine.push(...ids(taken))
          rest = taken.length
        }
        return mine
      })
      const shares = yield* Effect.forEach(Array.from({ length: 8 }), () => claimer, { concurrency: "unbounded" })
      const taken = shares.flat()
      assert.strictEqual(new Set(taken).size, taken.length, "a call was taken twice")
      assert.deepStrictEqual([...taken].sort(), ids(calls).sort())
    })
  )

  sideBySide("a claimer does not wait for another: it claims what is left", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const tenantId = Rows.id<"Account">()
      const calls = Array.from({ length: 4 }, (_, i) => Rows.call(tenantId, { checkAt: Rows.at(i) }))
      yield* addCalls(calls)
      const supervision = yield* CallSupervisionStore
      const [taken, goOn] = [yield* Deferred.make<ReadonlyArray<Call>>(), yield* gate]
      const slow = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* Deferred.succeed(
              taken,
              yield* supervision.claimDue({ at: Rows.at(10), until: Rows.at(20), limit: 2 })
            )
            yield* Deferred.await(goOn)
          })
        )
      )
      assert.deepStrictEqual(ids(yield* Deferred.await(taken)), ids(calls.slice(0, 2)))
      yield* Effect.forkChild(Effect.andThen(pause(2000), Deferred.succeed(goOn, undefined)))
      assert.deepStrictEqual(ids(yield* claim(10, 20, 10)), ids(calls.slice(2)))
      assert.isFalse(yield* Deferred.isDone(goOn), "it waited for the other")
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(slow)
    })
  )

  it.effect("open calls are found by campaign, account and parallel dial", () =>
    Effect.gen(function* () {
      const store = yield* CallStore
      const tenantId = Rows.id<"Account">()
      const campaignId = Rows.id<"Campaign">()
      const burstId = Rows.id<"Burst">()
      const call = (over: Partial<Call>) => Rows.call(tenantId, { campaignId, contactId: Rows.id(), ...over })
      const ringing = call({ burstId, status: "ringing", rangAt: Rows.at(1) })
      const answered = call({ burstId, status: "in_progress", answeredAt: Rows.at(1), isWinner: true })
      const ended = call({ burstId, status: "canceled", endedAt: Rows.at(1) })
      const loose = Rows.call(tenantId)
      yield* addCalls([ringing, answered, ended, loose, Rows.call(Rows.id(), { campaignId: Rows.id() })])
      assert.deepStrictEqual(yield* read(store.openOfCampaign(campaignId)), [ringing, answered])
      assert.strictEqual(yield* read(store.countOpenOfCampaign(campaignId)), 2)
      assert.deepStrictEqual(yield* read(store.unansweredOf(tenantId)), [ringing, loose])
      assert.deepStrictEqual(yield* read(store.legsOf(campaignId, burstId)), [ringing, answered, ended])
      assert.deepStrictEqual(yield* read(store.legsOf(Rows.id(), burstId)), [])
      assert.strictEqual(yield* read(store.countAwaitingAgent(tenantId)), 0)
      yield* transact(Effect.forEach([ringing, loose], (call) => store.save({ ...call, awaitsAgent: true })))
      assert.strictEqual(yield* read(store.countAwaitingAgent(tenantId)), 2)
      assert.strictEqual(yield* read(store.countAwaitingAgent(Rows.id())), 0)
    })
  )

  it.effect("answered and abandoned calls of a campaign are counted since an instant", () =>
    Effect.gen(function* () {
      const store = yield* CallStore
      const campaignId = Rows.id<"Campaign">()
      const call = (startedAt: number, answered: boolean, abandoned: boolean) =>
        Rows.call(Rows.id(), {
          campaignId,
          startedAt: Rows.at(startedAt),
          answeredAt: answered ? Rows.at(startedAt + 1) : null,
          abandoned
        })
      yield* addCalls([
        call(1, true, true),
        call(10, true, false),
        call(10, true, true),
        call(11, true, false),
        call(12, false, false),
        { ...call(13, true, true), answeredBy: "machine" }
      ])
      assert.deepStrictEqual(yield* read(store.answerCounts(campaignId, Rows.at(10))), {
        answered: 3,
        abandoned: 1,
        answeredByAnybody: 4
      })
      assert.deepStrictEqual(yield* read(store.answerCounts(Rows.id(), Rows.at(0))), {
        answered: 0,
        abandoned: 0,
        answeredByAnybody: 0
      })
    })
  )

  it.effect("counts the calls that a campaign has started since an instant, without those that were never placed", () =>
    Effect.gen(function* () {
      const store = yield* CallStore
      const tenantId = Rows.id<"Account">()
      const campaignId = Rows.id<"Campaign">()
      const call = (startedAt: number, over: Partial<Call> = {}) =>
        Rows.call(tenantId, { campaignId, startedAt: Rows.at(startedAt), endedAt: Rows.at(99), ...over })
      yield* addCalls([
        call(9),
        call(10),
        call(20, { status: "failed", endReason: "unknown" }),
        call(20, { status: "canceled", providerCallId: "CA30" }),
        call(20, { status: "canceled" }),
        Rows.call(tenantId, { startedAt: Rows.at(20), endedAt: Rows.at(99) })
      ])
      assert.strictEqual(yield* read(store.startedSince(campaignId, Rows.at(10))), 3)
      assert.strictEqual(yield* read(store.startedSince(campaignId, Rows.at(21))), 0)
      assert.strictEqual(yield* read(store.startedSince(Rows.id(), Rows.at(0))), 0)
    })
  )

  it.effect("after a restart every open call that the carrier knows is to be looked up", () =>
    Effect.gen(function* () {
      const store = yield* CallStore
      const supervision = yield* CallSupervisionStore
      const tenantId = Rows.id<"Account">()
      const counted = { lookUps: 2, firstLookUpAt: Rows.at(1), silentSince: Rows.at(2) }
      const known = Rows.call(tenantId, { providerCallId: "CA1", checkAt: Rows.at(5000), ...counted })
      const unplaced = Rows.call(tenantId, { checkAt: Rows.at(5000) })
      const ended = Rows.call(tenantId, { providerCallId: "CA2", endedAt: Rows.at(1) })
      yield* addCalls([known, unplaced, ended])
      yield* transact(supervision.markForReconciliation(Rows.at(7)))
      const forgotten = { lookUps: 0, firstLookUpAt: null, silentSince: null }
      const distrusted = { ...known, ...forgotten, lookUpAt: Rows.at(7), checkAt: Rows.at(7) }
      assert.deepStrictEqual(yield* read(store.findInAnyAccount(known.id)), distrusted)
      assert.deepStrictEqual(yield* read(store.findInAnyAccount(unplaced.id)), unplaced)
      assert.deepStrictEqual(yield* read(store.findInAnyAccount(ended.id)), ended)
    })
  )

  // Verifies: D-252.
  it.effect("a carrier's record is one call's alone, whatever the account; carriers may use the same ids", () =>
    Effect.gen(function* () {
      const store = yield* CallStore
      const supervision = yield* CallSupervisionStore
      const call = (provider: string, providerCallId: string | null) =>
        Rows.call(Rows.id(), { provider, providerCallId, endedAt: Rows.at(1) })
      const [first, elsewhere] = [call("a", "CA7"), call("b", "CA7")]
      const others = [call("a", null), call("a", null), call("a", "CA8")]
      yield* addCalls([first, elsewhere, ...others])
      assert.strictEqual(yield* read(supervision.ownerOf({ provider: "a", providerCallId: "CA7" })), first.id)
      assert.strictEqual(yield* read(supervision.ownerOf({ provider: "b", providerCallId: "CA7" })), elsewhere.id)
      assert.isNull(yield* read(supervision.ownerOf({ provider: "a", providerCallId: "CA9" })))
      assert.strictEqual((yield* Effect.flip(addCalls([call("a", "CA7")])))._tag, "StorageError")
      const taking = transact(store.save({ ...others[0]!, providerCallId: "CA7" }))
      assert.strictEqual((yield* Effect.flip(taking))._tag, "StorageError")
      assert.deepStrictEqual(yield* read(store.findInAnyAccount(others[0]!.id)), others[0])
    })
  )

  it.effect("calls that the carrier may know under an id that we do not are found by their number and time", () =>
    Effect.gen(function* () {
      const supervision = yield* CallSupervisionStore
      const key = PhoneNumber.usable("+91 98765 43210")!.key
      const call = (over: Partial<Call>) =>
        Rows.call(Rows.id(), { provider: "a", toKey: key, providerCallId: null, startedAt: Rows.at(100), ...over })
      const found = [
        call({}),
        call({ toKey: PhoneNumber.usable("765 43210")!.key, startedAt: Rows.at(50) }),
        call({ status: "failed", endedAt: Rows.at(1), endReason: "unknown", startedAt: Rows.at(150) })
      ]
      const others = [
        call({ providerCallId: "CA20" }),
        call({ status: "canceled", endedAt: Rows.at(1), endReason: "canceled" }),
        call({ status: "failed", endedAt: Rows.at(1), endReason: "failed" }),
        call({ toKey: PhoneNumber.usable("+1 212 765 43210")!.key }),
        call({ startedAt: Rows.at(49) }),
        call({ startedAt: Rows.at(151) }),
        call({ provider: "b" })
      ]
      yield* addCalls([...found, ...others])
      const ids = yield* read(supervision.unnamed({ provider: "a", key, since: Rows.at(50), until: Rows.at(150) }))
      assert.deepStrictEqual([...ids].sort(), found.map(({ id }) => id).sort())
    })
  )

  it.effect("a carrier's next start is kept for each carrier", () =>
    Effect.gen(function* () {
      const slots = yield* StartSlotStore
      const slot = (n: number) => ({ nextStartAt: Rows.at(n), storedAt: Rows.at(0) })
      const unclocked = { nextStartAt: Rows.at(2), storedAt: null }
      assert.isNull(yield* read(slots.find("a")))
      yield* transact(slots.save("a", { ...slot(1), storedAt: null }))
      yield* transact(slots.save("b", unclocked))
      yield* transact(slots.save("a", slot(3)))
      assert.deepStrictEqual(yield* read(slots.find("a")), slot(3))
      assert.deepStrictEqual(yield* read(slots.find("b")), unclocked)
    })
  )
})
