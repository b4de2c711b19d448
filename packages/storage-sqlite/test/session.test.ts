/** A session's statements run when their effect does, each time, and see what is committed then: docs/reference/storage.md#seam. */

import { read, Storage, transact } from "@trunkline/core/effect"
import { AccessStore } from "@trunkline/core/storage"
import { statement } from "@trunkline/storage-kysely"
import { layer } from "@trunkline/storage-sqlite"
import { Rows } from "@trunkline/testing/storage"
import BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { endSharedReads, SharedRead } from "../src/SharedRead.ts"
import { SqliteConnection } from "../src/SqliteConnection.ts"
import { SqliteSession } from "../src/SqliteSession.ts"
import { databasePath } from "./Files.ts"

const find = statement<{ keyId: string }>("test.find")((db, value) =>
  db
    .selectFrom("keyWindows")
    .select("seq")
    .where("keyId", "=", value.keyId as never)
)
const add = statement<{ keyId: string }>("test.add")((db, value) =>
  db.insertInto("keyWindows").values({ keyId: value.keyId as never, tenantId: "t" as never, seq: 1 })
)

it("a statement runs with its effect, not when it is made, and once for each run", () => {
  const db = new BetterSqlite(":memory:")
  db.exec("create table key_windows (key_id text primary key, tenant_id text, seq integer not null)")
  const session = new SqliteSession(new SqliteConnection(db))
  const adding = session.change(add, { keyId: "a" })
  const finding = Effect.map(session.rows(find, { keyId: "a" }), ({ length }) => length)
  const inserting = session.insert("keyWindows", [{ keyId: Rows.id(), tenantId: Rows.id(), seq: 1 }])
  expect(Effect.runSync(finding)).toBe(0)
  Effect.runSync(adding)
  expect(Effect.runSync(finding)).toBe(1)
  Effect.runSync(inserting)
  // Both rows are there already: each run is another try.
  expect(Effect.runSync(Effect.flip(adding)).reason).toBe("defect")
  expect(Effect.runSync(Effect.flip(Effect.retry(inserting, { times: 2 }))).reason).toBe("defect")
  db.close()
})

it("a statement that is retried asks the database again", () => {
  const db = new BetterSqlite(":memory:")
  const session = new SqliteSession(new SqliteConnection(db))
  const finding = session.rows(find, { keyId: "a" })
  let attempts = 0
  const missing = Effect.tapError(finding, () =>
    Effect.sync(() => {
      attempts += 1
      if (attempts === 2)
        db.exec("create table key_windows (key_id text primary key, tenant_id text, seq integer not null)")
    })
  )
  expect(Effect.runSync(Effect.retry(missing, { times: 5 }))).toEqual([])
  expect(attempts).toBe(2)
  db.close()
})

it("reads of one turn lock the file once, and see what was committed when the turn or a commit of this process began", async () => {
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const path = yield* databasePath
        const [reading, other] = [new BetterSqlite(path), new BetterSqlite(path)]
        other.pragma("journal_mode = wal")
        other.exec("create table key_windows (key_id text primary key, tenant_id text, seq integer not null)")
        const session = new SqliteSession(new SqliteConnection(reading, new SharedRead(reading)))
        const count = () => Effect.runSync(session.rows(find, { keyId: "a" })).length
        const turns: Array<ReadonlyArray<unknown>> = [[count(), reading.inTransaction]]
        other.exec("insert into key_windows values ('a', 't', 1)")
        // Another process would have committed this without the knowledge of ours.
        turns.push([count(), reading.inTransaction])
        yield* Effect.promise(() => Promise.resolve())
        turns.push([reading.inTransaction, count()])
        other.exec("delete from key_windows")
        endSharedReads()
        turns.push([reading.inTransaction, count()])
        expect(turns).toEqual([
          [0, true],
          [0, true],
          [false, 1],
          [false, 0]
        ])
        reading.close()
        other.close()
      })
    )
  )
})

it("a read sees the commit that the same process made in the same turn, on any of its connections", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const path = yield* databasePath
        const open = Layer.build(layer({ path }))
        const [one, other] = [yield* open, yield* open]
        const account = Rows.account()
        const find = Effect.provide(read(AccessStore.use((store) => store.findAccount(account.id))), one)
        const add = Effect.provide(transact(AccessStore.use((store) => store.addAccount(account))), other)
        const before = yield* find
        yield* add
        expect([before, (yield* find)?.id]).toEqual([null, account.id])
      })
    )
  ))

it("each statement of a program that reads sees what was committed when it began", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const path = yield* databasePath
        const names = yield* Effect.provide(
          Effect.gen(function* () {
            const store = yield* AccessStore
            const [account, storage] = [Rows.account(), yield* Storage]
            const key = Rows.apiKey(account.id)
            yield* transact(Effect.andThen(store.addAccount(account), store.addKey(key)))
            const nameOf = Effect.map(store.keyByHash(key.hash), (found) => found?.account.name)
            const rename = storage.transact(store.saveAccount({ ...account, name: "Renamed" }))
            return yield* read(
              Effect.gen(function* () {
                const before = yield* nameOf
                // Somebody else commits while this program goes on.
                yield* Effect.promise(() => Effect.runPromise(rename))
                return [before, yield* nameOf]
              })
            )
          }),
          layer({ path })
        )
        expect(names).toEqual(["Example", "Renamed"])
      })
    )
  ))

it("any number of rows is inserted, each once and in its order", () => {
  const db = new BetterSqlite(":memory:")
  db.exec("create table key_windows (key_id text primary key, tenant_id text, seq integer not null)")
  const session = new SqliteSession(new SqliteConnection(db))
  const inserted = db.prepare("select key_id from key_windows order by rowid").pluck()
  for (const length of [0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 95, 101]) {
    const rows = Array.from({ length }, (_, seq) => ({ keyId: Rows.id<"Key">(), tenantId: Rows.id<"Account">(), seq }))
    Effect.runSync(session.insert("keyWindows", rows))
    expect(inserted.all()).toEqual(rows.map(({ keyId }) => keyId))
    db.exec("delete from key_windows")
  }
  db.close()
})
