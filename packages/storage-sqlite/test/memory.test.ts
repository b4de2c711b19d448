/** What is asked all the time is answered from memory, and never otherwise than the database would. */
import { assert, describe, it } from "@effect/vitest"
import { AccessStore, type Ids, Read, read, Storage, transact } from "@trunkline/core/effect"
import { layer } from "@trunkline/storage-sqlite"
import { Rows } from "@trunkline/testing/storage"
import BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { SqliteConnection } from "../src/SqliteConnection.ts"
import { SqliteMemory } from "../src/SqliteMemory.ts"
import { SqliteLook } from "../src/SqliteSession.ts"
import { databasePath } from "./Files.ts"

/** A storage with one account and its key, and another process's connection to the same file. */
const withKey = Effect.fnUntraced(function* (path: string) {
  const store = yield* AccessStore
  const account = Rows.account()
  const key = Rows.apiKey(account.id)
  yield* transact(Effect.andThen(store.addAccount(account), store.addKey(key)))
  const other = yield* Effect.acquireRelease(
    Effect.sync(() => new BetterSqlite(path)),
    (db) => Effect.sync(() => db.close())
  )
  return { account, key, other, store }
})

const onFile = <A, E>(test: (path: string) => Effect.Effect<A, E, AccessStore | Storage>) =>
  Effect.flatMap(databasePath, (path) => Effect.provide(test(path), layer({ path })))

describe("what is asked all the time", () => {
  it.effect("is seen as it was committed last, by this process or by another one", () =>
    onFile((path) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { account, key, other, store } = yield* withKey(path)
          const look = Effect.map(read(store.keyByHash(key.hash)), (found) => [
            found?.account.name,
            found?.key.revokedAt
          ])
          assert.deepStrictEqual(yield* look, ["Example", null])
          yield* transact(store.saveAccount({ ...account, name: "Ours" }))
          assert.deepStrictEqual(yield* look, ["Ours", null])
          other.prepare("update accounts set name = 'Theirs'").run()
          assert.deepStrictEqual(yield* look, ["Theirs", null])
          yield* transact(store.revokeKey(key.id, Rows.at(7)))
          assert.deepStrictEqual(yield* look, ["Theirs", Rows.at(7)])
          other.prepare("delete from api_keys").run()
          assert.deepStrictEqual(yield* look, [undefined, undefined])
        })
      )
    )
  )

  it.effect("is read in a transaction as that transaction has left it, and outside as it was", () =>
    onFile((path) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { account, key, store } = yield* withKey(path)
          const storage = yield* Storage
          const nameOf = Effect.map(store.keyByHash(key.hash), (found) => found?.account.name)
          yield* read(nameOf)
          const inside = yield* transact(
            Effect.gen(function* () {
              yield* store.saveAccount({ ...account, name: "Changed" })
              return yield* storage.read(nameOf)
            })
          )
          assert.strictEqual(inside, "Changed")
          yield* Effect.exit(
            transact(Effect.andThen(store.saveAccount({ ...account, name: "Not kept" }), Effect.fail("no")))
          )
          assert.strictEqual(yield* read(nameOf), "Changed")
        })
      )
    )
  )

  it.effect("equals what a connection without a memory reads, whatever is written in between", () =>
    onFile((path) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { key, other, store } = yield* withKey(path)
          const context = yield* Effect.context<AccessStore | Storage>()
          const names = other.prepare<[], string>("select name from accounts").pluck()
          const steps = fc.array(fc.constantFrom("ours", "theirs", "other table", "look"), { maxLength: 30 })
          let n = 0
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(steps, async (wanted) => {
                for (const step of [...wanted, "look"]) {
                  n += 1
                  const ours = Effect.flatMap(store.findAccount(key.tenantId), (account) =>
                    store.saveAccount({ ...account!, name: `${n}` })
                  )
                  if (step === "ours") await Effect.runPromiseWith(context)(transact(ours))
                  else if (step === "theirs") other.prepare("update accounts set name = ?").run(`${n}`)
                  else if (step === "other table") other.prepare("update api_keys set name = ?").run(`${n}`)
                  else {
                    const found = await Effect.runPromiseWith(context)(read(store.keyByHash(key.hash)))
                    assert.strictEqual(found?.account.name, names.get())
                  }
                }
              }),
              { numRuns: 50 }
            )
          )
        })
      )
    )
  )

  it.effect("is not read again until something is committed, and other questions always are", () =>
    onFile((path) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { account, key, other } = yield* withKey(path)
          const reading = new BetterSqlite(path, { readonly: true })
          const connection = new SqliteConnection(reading)
          const asked: Array<string> = []
          const rows = connection.rows.bind(connection)
          connection.rows = (statement, params) => {
            asked.push(statement.name)
            return rows(statement, params)
          }
          const memory = new SqliteMemory(reading)
          const store = yield* AccessStore
          const looks = (id: Ids.AccountId) =>
            Effect.provideService(
              Effect.all([store.findAccount(id), store.findKey(key.id)]),
              // What a storage provides for a look.
              Read,
              new SqliteLook(connection, memory) as never
            )
          yield* looks(account.id)
          yield* looks(account.id)
          assert.deepStrictEqual(asked, ["access.findAccount", "access.findKey", "access.findKey"])
          other.prepare("update accounts set name = 'New'").run()
          const [found] = yield* looks(account.id)
          assert.strictEqual(found?.name, "New")
          assert.lengthOf(asked, 5)
          reading.close()
        })
      )
    )
  )
})
