/** The traps of the seam: what a transaction leaves behind, whatever becomes of its program. Verifies: STOR-2, STOR-4. */
import { assert } from "@effect/vitest"
import { type Ids, Instant, read, Storage, type Tx, transact } from "@trunkline/core/effect"
import {
  AccessStore,
  BotStore,
  NumberStore,
  OutboxStore,
  StorageError,
  SuppressionStore
} from "@trunkline/core/storage"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Rows from "./Rows.ts"
import { gate, pause, suite } from "./Subject.ts"

const addBot = (row: ReturnType<typeof Rows.bot>) => BotStore.use((store) => store.add(row))
const findBot = (tenantId: Ids.AccountId, id: Ids.BotId) => BotStore.use((store) => store.find(tenantId, id))
const countBots = (tenantId: Ids.AccountId) => read(BotStore.use((store) => store.count(tenantId)))

class Refused extends Error {
  readonly _tag = "Refused"
}

export const transactions = suite("transactions", ({ alone, it, sideBySide }) => {
  it.effect("what a transaction wrote is there once it has answered", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const bot = Rows.bot(tenantId)
      const answer = yield* transact(Effect.as(addBot(bot), "done"))
      assert.strictEqual(answer, "done")
      assert.deepStrictEqual(yield* read(findBot(tenantId, bot.id)), bot)
    })
  )

  it.effect(
    "a transaction with relaxed durability is all or nothing too, and visible to everybody once it has succeeded",
    () =>
      Effect.gen(function* () {
        const relaxed = (yield* Storage).transactWith({ durability: "relaxed" })
        const tenantId = Rows.id<"Account">()
        const [one, two] = [Rows.bot(tenantId), Rows.bot(tenantId)]
        yield* relaxed(addBot(one))
        assert.deepStrictEqual(yield* read(findBot(tenantId, one.id)), one)
        yield* Effect.exit(relaxed(Effect.andThen(addBot(two), Effect.fail("no"))))
        assert.isNull(yield* read(findBot(tenantId, two.id)))
        yield* Effect.all([relaxed(addBot(two)), transact(addBot(Rows.bot(tenantId)))], {
          concurrency: "unbounded"
        })
        assert.strictEqual(yield* countBots(tenantId), 3)
      })
  )

  it.effect("a transaction sees what it has written itself", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const bot = Rows.bot(tenantId)
      const seen = yield* transact(Effect.andThen(addBot(bot), findBot(tenantId, bot.id)))
      assert.deepStrictEqual(seen, bot)
    })
  )

  it.effect("a look inside a transaction is a look at the transaction's own state", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const bot = Rows.bot(tenantId)
      const seen = yield* transact(Effect.andThen(addBot(bot), read(findBot(tenantId, bot.id))))
      assert.deepStrictEqual(seen, bot)
    })
  )

  it.effect("a typed failure leaves nothing behind and stays what it was", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const refused = new Refused("no")
      const exit = yield* Effect.exit(transact(Effect.andThen(addBot(Rows.bot(tenantId)), Effect.fail(refused))))
      assert.deepStrictEqual(exit, Exit.fail(refused))
      assert.strictEqual(yield* countBots(tenantId), 0)
    })
  )

  it.effect("a defect leaves nothing behind and stays the same defect", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const bug = new Error("a bug")
      const exit = yield* Effect.exit(transact(Effect.andThen(addBot(Rows.bot(tenantId)), Effect.die(bug))))
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) === bug)
      assert.strictEqual(yield* countBots(tenantId), 0)
    })
  )

  it.effect("an interrupted transaction is there as a whole or not at all", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const pairs = Array.from({ length: 60 }, () => [Rows.bot(tenantId), Rows.callerNumber(tenantId)] as const)
      const fibers = yield* Effect.forEach(pairs, ([bot, number]) =>
        Effect.forkChild(
          transact(
            Effect.andThen(
              addBot(bot),
              NumberStore.use((store) => store.putNumber(number))
            )
          )
        )
      )
      yield* Effect.forEach(
        fibers,
        (fiber, i) => (i % 2 === 0 ? Effect.void : Effect.andThen(pause(i % 3), Fiber.interrupt(fiber))),
        { concurrency: "unbounded" }
      )
      yield* Effect.forEach(fibers, Fiber.await)
      for (const [i, [bot, number]] of pairs.entries()) {
        const first = yield* read(findBot(tenantId, bot.id))
        const second = yield* read(NumberStore.use((store) => store.findNumber(tenantId, number.id)))
        assert.strictEqual(first === null, second === null)
        if (i % 2 === 0) assert.isNotNull(first)
      }
    })
  )

  it.effect("a transaction that is interrupted before its start leaves nothing behind", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const started = Array.from({ length: 200 }, () => Rows.bot(tenantId))
      const fibers = yield* Effect.forEach(started, (bot) => Effect.forkChild(transact(addBot(bot))))
      const last = fibers.at(-1)!
      yield* Effect.yieldNow
      yield* Fiber.interrupt(last)
      yield* Effect.forEach(fibers, Fiber.await)
      const exit = yield* Fiber.await(last)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      assert.strictEqual(yield* countBots(tenantId), started.length - 1)
    })
  )

  alone("a step that waits for something else is a defect that says so, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      let reached = false
      const exit = yield* Effect.exit(
        transact(
          Effect.gen(function* () {
            yield* addBot(Rows.bot(tenantId))
            yield* pause(5)
            reached = true
            yield* addBot(Rows.bot(tenantId))
          })
        )
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.match(
        String(Exit.isFailure(exit) && Cause.squash(exit.cause)),
        /waited for something other than the database/
      )
      yield* pause(30)
      assert.isFalse(reached, "the program went on after its transaction")
      assert.strictEqual(yield* countBots(tenantId), 0)
    })
  )

  it.effect("a part that outlives its transaction writes nothing", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const kept = yield* transact(Effect.context<Tx | BotStore>())
      const exit = yield* Effect.exit(Effect.provideContext(addBot(Rows.bot(tenantId)), kept))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.strictEqual(yield* countBots(tenantId), 0)
    })
  )

  it.effect("a transaction inside another is a defect that says so", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const exit = yield* Effect.exit(
        transact(Effect.andThen(addBot(Rows.bot(tenantId)), transact(addBot(Rows.bot(tenantId)))))
      )
      assert.match(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), /inside another/)
      assert.strictEqual(yield* countBots(tenantId), 0)
    })
  )

  it.effect("a conflict is an answer, and the transaction goes on", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const first = Rows.entry(tenantId)
      const again = Rows.entry(tenantId, { matchKey: first.matchKey })
      const other = Rows.entry(tenantId)
      const store = yield* SuppressionStore
      const answers = yield* transact(Effect.forEach([first, again, other], store.add))
      assert.deepStrictEqual(answers, [true, false, true])
      assert.deepStrictEqual(yield* read(store.list(tenantId, null, { limit: 10, offset: 0 })), [other, first])
    })
  )

  it.effect("a statement that failed cannot be passed over: its transaction is not committed", () =>
    Effect.gen(function* () {
      const account = Rows.account()
      const key = Rows.apiKey(account.id)
      const store = yield* AccessStore
      yield* transact(Effect.andThen(store.addAccount(account), store.addKey(key)))
      const exit = yield* Effect.exit(
        transact(
          Effect.gen(function* () {
            yield* addBot(Rows.bot(account.id))
            yield* Effect.ignore(store.addKey({ ...key, id: Rows.id() }))
            return "fine"
          })
        )
      )
      const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.instanceOf(error, StorageError)
      assert.strictEqual((error as StorageError).reason, "defect")
      assert.strictEqual(yield* countBots(account.id), 0)
    })
  )

  it.effect("of many programs at once each stands or falls alone", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const bots = Array.from({ length: 300 }, () => Rows.bot(tenantId))
      const exits = yield* Effect.forEach(
        bots,
        (bot, i) =>
          Effect.exit(
            transact(
              Effect.gen(function* () {
                yield* addBot(bot)
                if (i % 3 === 1) return yield* Effect.fail(new Refused(bot.id))
                if (i % 3 === 2) return yield* Effect.die(new Error("a bug"))
                return i
              })
            )
          ),
        { concurrency: "unbounded" }
      )
      for (const [i, bot] of bots.entries()) {
        const exit = exits[i]!
        assert.strictEqual(Exit.isSuccess(exit) && exit.value === i, i % 3 === 0)
        assert.strictEqual((yield* read(findBot(tenantId, bot.id))) !== null, i % 3 === 0)
      }
    })
  )

  it.effect("inside a transaction the clock is its caller's", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_234_567)
      assert.strictEqual(yield* transact(Instant.now), 1_234_567)
    })
  )

  it.effect("an event of a transaction that was rolled back is never read", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const outbox = yield* OutboxStore
      const event = (name: "call.started" | "call.failed") => ({
        id: Rows.id<"Event">(),
        event: name,
        tenantId,
        botId: null,
        data: {},
        at: Rows.at(0)
      })
      yield* Effect.exit(transact(Effect.andThen(outbox.append([event("call.failed")]), Effect.fail("no"))))
      yield* transact(outbox.append([event("call.started")]))
      let found = yield* read(outbox.after(null, 100))
      for (let tries = 0; found.length === 0 && tries < 30_000; tries++) {
        yield* pause(10)
        found = yield* read(outbox.after(null, 100))
      }
      assert.deepStrictEqual(
        found.map(({ event: name }) => name),
        ["call.started"]
      )
    })
  )

  sideBySide("nobody sees what is not committed", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const bot = Rows.bot(tenantId)
      const [written, goOn] = [yield* gate, yield* gate]
      const open = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* addBot(bot)
            yield* Deferred.succeed(written, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(written)
      assert.isNull(yield* read(findBot(tenantId, bot.id)))
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(open)
      assert.isNotNull(yield* read(findBot(tenantId, bot.id)))
    })
  )

  sideBySide("a transaction that is under way when it is interrupted is committed as a whole", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const [written, goOn] = [yield* gate, yield* gate]
      const open = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* addBot(Rows.bot(tenantId))
            yield* Deferred.succeed(written, undefined)
            yield* Deferred.await(goOn)
            yield* addBot(Rows.bot(tenantId))
          })
        )
      )
      yield* Deferred.await(written)
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(open))
      yield* Effect.yieldNow
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(interrupting)
      assert.strictEqual(yield* countBots(tenantId), 2)
    })
  )
})
