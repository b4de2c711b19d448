/** Very many rows at once: on a thread of their own, as one transaction, while the event loop goes on. */
import { assert, describe, it } from "@effect/vitest"
import { BotStore, read, StorageError, SuppressionStore, transact } from "@trunkline/core/effect"
import { Sessions, statement } from "@trunkline/storage-kysely"
import { bulkStatement, layer, runInWorker, SqliteBulk } from "@trunkline/storage-sqlite"
import { Rows } from "@trunkline/testing/storage"
import BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { databasePath, watchLoop } from "./Files.ts"

const addBot = (tenantId: Parameters<typeof Rows.bot>[0]) =>
  transact(BotStore.use((store) => store.add(Rows.bot(tenantId))))

const run = (...statements: Parameters<SqliteBulk["Service"]["run"]>[0]) =>
  SqliteBulk.use((bulk) => bulk.run(statements))

/** `count` rows made of nothing, each with its own key. */
const manyEntries = (tenantId: string, count: number) => ({
  sql: `insert into suppression_entries (id, tenant_id, phone, match_key, created_at)
    with recursive n (n) as (select 1 union all select n + 1 from n where n < ?)
    select printf('%08x-0000-7000-8000-%012x', n, n), ?, '+1', printf('%010d', n), 0 from n`,
  values: [count, tenantId]
})

describe("bulk work", () => {
  it.live(
    "adds 200,000 rows while the event loop goes on and other transactions wait and then succeed",
    () =>
      Effect.gen(function* () {
        const path = yield* databasePath
        yield* Effect.gen(function* () {
          const tenantId = Rows.id<"Account">()
          const store = yield* SuppressionStore
          yield* addBot(tenantId)
          const longest = watchLoop()
          const bulk = yield* Effect.forkChild(run(manyEntries(tenantId, 200_000)))
          const during: Array<number> = []
          const others = yield* Effect.forkChild(
            Effect.forEach(
              Array.from({ length: 100 }),
              () =>
                Effect.gen(function* () {
                  yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, Math.random() * 200)))
                  yield* addBot(tenantId)
                  const ends = ["0000000001", "0000200000"].map((key) => store.keysBetween(tenantId, key, `${key}:`))
                  during.push((yield* read(Effect.all(ends))).flat().length)
                }),
              { concurrency: "unbounded", discard: true }
            )
          )
          assert.deepStrictEqual(yield* Fiber.join(bulk), [200_000])
          yield* Fiber.join(others)
          assert.isBelow(longest(), 50, "the event loop stood still")
          // All or nothing, also for those who look on.
          assert.deepStrictEqual(
            during.filter((ends) => ends !== 0 && ends !== 2),
            []
          )
          assert.strictEqual(yield* read(BotStore.use((bots) => bots.count(tenantId))), 101)
        }).pipe(Effect.provide(layer({ path })))
      }),
    60_000
  )

  it.live("holds the event loop up where there is no other thread: the control of the test above", () =>
    Effect.gen(function* () {
      const longest = watchLoop()
      yield* run(manyEntries(Rows.id(), 200_000))
      assert.isAbove(longest(), 50)
    }).pipe(Effect.provide(layer({ path: ":memory:" })))
  )

  it.live("takes statements of the stores with their values", () =>
    Effect.gen(function* () {
      const rename = statement<{ tenantId: string; name: string; isActive: boolean }>("test.rename")((db, value) =>
        db
          .updateTable("bots")
          .set({ name: value.name, isActive: value.isActive })
          .where("tenantId", "=", value.tenantId as never)
      )
      for (const path of [yield* databasePath, ":memory:"]) {
        yield* Effect.gen(function* () {
          const tenantId = Rows.id<"Account">()
          yield* addBot(tenantId)
          yield* addBot(tenantId)
          const order = bulkStatement(rename, { tenantId, name: "B", isActive: false })
          assert.deepStrictEqual(yield* run(order, order), [2, 2])
          const bots = yield* read(BotStore.use((store) => store.list(tenantId, { limit: 5, offset: 0 })))
          assert.deepStrictEqual(
            bots.map(({ isActive, name }) => [name, isActive]),
            [
              ["B", false],
              ["B", false]
            ]
          )
          yield* transact(Sessions.write(rename, { tenantId, name: "C", isActive: true }))
        }).pipe(Effect.provide(layer({ path })))
      }
    })
  )

  it.live("is done as a whole or not at all, and says what went wrong", () =>
    Effect.gen(function* () {
      for (const path of [yield* databasePath, ":memory:"]) {
        yield* Effect.gen(function* () {
          const tenantId = Rows.id<"Account">()
          const store = yield* SuppressionStore
          const error = yield* Effect.flip(run(manyEntries(tenantId, 10), manyEntries(tenantId, 10)))
          assert.instanceOf(error, StorageError)
          assert.match(error.message, /storage defect: bulk: UNIQUE constraint failed/)
          assert.strictEqual(yield* read(store.count(tenantId)), 0)
          assert.deepStrictEqual(yield* run(manyEntries(tenantId, 10)), [10])
        }).pipe(Effect.provide(layer({ path })))
      }
    })
  )

  it.live("waits for another process that writes", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      yield* Effect.gen(function* () {
        const tenantId = Rows.id<"Account">()
        yield* addBot(tenantId)
        const other = new BetterSqlite(path)
        other.exec("begin immediate")
        const waiting = yield* Effect.forkChild(runInWorker(path, [manyEntries(tenantId, 5)]))
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 200)))
        other.exec("rollback")
        other.close()
        assert.deepStrictEqual(yield* Fiber.join(waiting), [5])
      }).pipe(Effect.provide(layer({ path })))
    })
  )

  it.live("tells that a file is missing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(runInWorker(yield* databasePath, []))
      assert.strictEqual(error.reason, "unavailable")
    })
  )
})
