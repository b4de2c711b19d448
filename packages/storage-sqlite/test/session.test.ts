/** A session's statements run when their effect does, each time, and see what is committed then: docs/storage.md#seam. */
import { AccessStore, read, Storage, transact } from "@trunkline/core/effect"
import { statement } from "@trunkline/storage-kysely"
import { layer } from "@trunkline/storage-sqlite"
import { Rows } from "@trunkline/testing/storage"
import BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
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
  db.insertInto("keyWindows").values({ keyId: value.keyId as never, seq: 1 })
)

it("a statement runs with its effect, not when it is made, and once for each run", () => {
  const db = new BetterSqlite(":memory:")
  db.exec("create table key_windows (key_id text primary key, seq integer not null)")
  const session = new SqliteSession(new SqliteConnection(db))
  const adding = session.change(add, { keyId: "a" })
  const finding = Effect.map(session.rows(find, { keyId: "a" }), ({ length }) => length)
  const inserting = session.insert("keyWindows", [{ keyId: Rows.id(), seq: 1 }])
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
      if (attempts === 2) db.exec("create table key_windows (key_id text primary key, seq integer not null)")
    })
  )
  expect(Effect.runSync(Effect.retry(missing, { times: 5 }))).toEqual([])
  expect(attempts).toBe(2)
  db.close()
})

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
