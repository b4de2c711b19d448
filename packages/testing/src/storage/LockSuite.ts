/** Who waits for whom: no write is lost under a lock, and nobody waits for ever. Verifies: STOR-3. */
import { assert } from "@effect/vitest"
import { type Ids, lock, lockShared, type Read, read, type Tx, transact } from "@trunkline/core/effect"
import {
  AccessStore,
  CallStore,
  CampaignStore,
  ProviderStateStore,
  StorageError,
  SuppressionStore
} from "@trunkline/core/storage"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Rows from "./Rows.ts"
import { gate, suite } from "./Subject.ts"

const newCampaign = Effect.gen(function* () {
  const campaign = Rows.campaign(Rows.id())
  yield* transact(CampaignStore.use((store) => store.add(campaign)))
  return campaign.id
})

/** Reads, decides in the code, writes back: what most use cases do. */
const increment = (id: Ids.CampaignId, between: Effect.Effect<void> = Effect.void) =>
  Effect.gen(function* () {
    const store = yield* CampaignStore
    const campaign = (yield* store.findInAnyAccount(id))!
    yield* between
    yield* store.save({ ...campaign, refusals: campaign.refusals + 1 })
  })

const refusals = (id: Ids.CampaignId) =>
  Effect.map(read(CampaignStore.use((store) => store.findInAnyAccount(id))), (campaign) => campaign?.refusals)

export const locks = suite("locks", ({ it, sideBySide }) => {
  // Verifies: D-34.
  it.effect("200 increments side by side under a lock come to 200", () =>
    Effect.gen(function* () {
      const id = yield* newCampaign
      yield* Effect.forEach(
        Array.from({ length: 200 }),
        () => transact(Effect.andThen(lock("campaign", id), increment(id))),
        { concurrency: "unbounded", discard: true }
      )
      assert.strictEqual(yield* refusals(id), 200)
    })
  )

  it.effect("200 changes of a provider's locked row side by side come to 200", () =>
    Effect.gen(function* () {
      const store = yield* ProviderStateStore
      const [provider, key] = [Rows.id(), "counter"]
      yield* transact(store.add({ provider, key, state: { n: 0 }, isOpen: true }))
      const addOne = Effect.gen(function* () {
        const row = (yield* store.lock(provider, key))!
        yield* store.save({ ...row, state: { n: Number(row.state.n) + 1 } })
      })
      yield* Effect.forEach(Array.from({ length: 200 }), () => transact(addOne), {
        concurrency: "unbounded",
        discard: true
      })
      assert.deepStrictEqual((yield* read(store.find(provider, key)))?.state, { n: 200 })
    })
  )

  sideBySide("without the lock an increment is lost: the control of the test above", () =>
    Effect.gen(function* () {
      const id = yield* newCampaign
      const [bothRead, left] = [yield* gate, { readers: 2 }]
      const meet = Effect.suspend(() => {
        left.readers -= 1
        return left.readers === 0 ? Effect.asVoid(Deferred.succeed(bothRead, undefined)) : Deferred.await(bothRead)
      })
      yield* Effect.all([transact(increment(id, meet)), transact(increment(id, meet))], { concurrency: 2 })
      assert.strictEqual(yield* refusals(id), 1)
    })
  )

  it.effect("two transactions that acquire two locks in opposite orders both come to their end", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* newCampaign, yield* newCampaign]
      const take = (first: Ids.CampaignId, second: Ids.CampaignId) =>
        transact(
          Effect.gen(function* () {
            yield* lock("campaign", first)
            yield* increment(first)
            yield* lock("campaign", second)
            yield* increment(second)
          })
        )
      yield* Effect.forEach(Array.from({ length: 20 }), (_, i) => (i % 2 === 0 ? take(one, other) : take(other, one)), {
        concurrency: 4,
        discard: true
      })
      assert.strictEqual(yield* refusals(one), 20)
      assert.strictEqual(yield* refusals(other), 20)
    })
  )

  sideBySide("a deadlock is broken by running one of the two again, whatever its program makes of the failure", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* newCampaign, yield* newCampaign]
      const [hasOne, hasOther] = [yield* gate, yield* gate]
      let runs = 0
      const take = (
        first: Ids.CampaignId,
        second: Ids.CampaignId,
        has: Deferred.Deferred<void>,
        wait: Deferred.Deferred<void>
      ) =>
        transact(
          Effect.gen(function* () {
            runs += 1
            yield* lock("campaign", first)
            yield* increment(first)
            yield* Deferred.succeed(has, undefined)
            yield* Deferred.await(wait)
            yield* Effect.mapError(lock("campaign", second), () => "refused")
            yield* increment(second)
          })
        )
      yield* Effect.all([take(one, other, hasOne, hasOther), take(other, one, hasOther, hasOne)], { concurrency: 2 })
      assert.strictEqual(runs, 3)
      assert.deepStrictEqual([yield* refusals(one), yield* refusals(other)], [2, 2])
    })
  )

  sideBySide("who locks another key does not wait, and who locks the same key waits for the end", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* newCampaign, yield* newCampaign]
      const [locked, goOn] = [yield* gate, yield* gate]
      const order: Array<string> = []
      const note = (what: string) => Effect.sync(() => void order.push(what))
      const holder = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* lock("campaign", one)
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(goOn)
            yield* note("holder")
          })
        )
      )
      yield* Deferred.await(locked)
      const same = yield* Effect.forkChild(transact(Effect.andThen(lock("campaign", one), note("same key"))))
      yield* transact(Effect.andThen(lock("campaign", other), note("other key")))
      yield* transact(Effect.andThen(lock("call", one), note("other kind")))
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(holder)
      yield* Fiber.join(same)
      assert.deepStrictEqual(order, ["other key", "other kind", "holder", "same key"])
    })
  )

  sideBySide("those who share a lock do not wait for each other, and who wants it alone waits for them", () =>
    Effect.gen(function* () {
      const key = Rows.id()
      const [locked, goOn] = [yield* gate, yield* gate]
      const order: Array<string> = []
      const note = (what: string) => Effect.sync(() => void order.push(what))
      const sharing = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* lockShared("suppression", key)
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(goOn)
            // It has the lock already, and does not stand behind who waits for it.
            yield* lockShared("suppression", key)
            yield* note("sharing")
          })
        )
      )
      yield* Deferred.await(locked)
      yield* transact(Effect.andThen(lockShared("suppression", key), note("sharing as well")))
      const alone = yield* Effect.forkChild(transact(Effect.andThen(lock("suppression", key), note("alone"))))
      yield* transact(Effect.andThen(lock("suppression", Rows.id()), note("another key")))
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(sharing)
      yield* Fiber.join(alone)
      assert.deepStrictEqual(order, ["sharing as well", "another key", "sharing", "alone"])
    })
  )

  it.effect("a key may be locked again in one transaction, and is free again after a failure", () =>
    Effect.gen(function* () {
      const id = yield* newCampaign
      const twice: Effect.Effect<void, StorageError | string, Tx | Read | CampaignStore> = Effect.gen(function* () {
        yield* lock("campaign", id)
        yield* lock("campaign", id)
        yield* increment(id)
        return yield* Effect.fail("no")
      })
      yield* Effect.exit(transact(twice))
      yield* transact(Effect.andThen(lock("campaign", id), increment(id)))
      assert.strictEqual(yield* refusals(id), 1)
    })
  )

  it.effect("of 50 additions of one number exactly one returns that it was the first", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const matchKey = Rows.key()
      const answers = yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => transact(SuppressionStore.use((store) => store.add(Rows.entry(tenantId, { matchKey })))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter((added) => added).length, 1)
      assert.strictEqual(yield* read(SuppressionStore.use((store) => store.count(tenantId, null))), 1)
    })
  )

  it.effect("a key is revoked once, however many ask for it", () =>
    Effect.gen(function* () {
      const account = Rows.account()
      const key = Rows.apiKey(account.id)
      const store = yield* AccessStore
      yield* transact(Effect.andThen(store.addAccount(account), store.addKey(key)))
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => Rows.at(i)),
        (at) => transact(store.revokeKey(key, at)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter((revoked) => revoked).length, 1)
    })
  )

  it.effect("a contact has at most one open call, however many processes write it", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const of = { campaignId: Rows.id<"Campaign">(), contactId: Rows.id<"CampaignContact">() }
      const store = yield* CallStore
      const exits = yield* Effect.forEach(
        Array.from({ length: 10 }),
        () => Effect.exit(transact(store.add(Rows.call(tenantId, of)))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
      for (const exit of exits.filter(Exit.isFailure)) assert.instanceOf(Cause.squash(exit.cause), StorageError)
      const open = yield* read(store.openOfCampaign(of.campaignId))
      assert.strictEqual(open.length, 1)
      yield* transact(store.save({ ...open[0]!, status: "completed", endedAt: Rows.at(1) }))
      yield* transact(store.add(Rows.call(tenantId, of)))
    })
  )
})
