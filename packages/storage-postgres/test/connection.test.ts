/** What a server may do to us: refuse, break off, hang, only read; and the table of errors. */
import { assert, describe, it } from "@effect/vitest"
import { read, Storage, transact } from "@trunkline/core/effect"
import { BotStore, StorageCounters, StorageError } from "@trunkline/core/storage"
import { migrationsOf, postgresDialect, Sessions, statement } from "@trunkline/storage-kysely"
import { layer, type PostgresOptions } from "@trunkline/storage-postgres"
import { Rows } from "@trunkline/testing/storage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import pg from "pg"
import { database, migratedDatabase, missing } from "../../../test/TestPostgres.ts"
import { classify, reasons } from "../src/PostgresErrors.ts"
import { PostgresSession } from "../src/PostgresSession.ts"

const reason = missing()

const refusal = (options: PostgresOptions) => Effect.flip(Effect.scoped(Layer.build(layer(options))))

const changed = (url: string, change: (url: URL) => void): string => {
  const other = new URL(url)
  change(other)
  return other.href
}

const raw = (url: string, ...texts: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const answers: Array<pg.QueryResult> = []
    for (const text of texts) answers.push(await client.query(text))
    await client.end()
    return answers
  })

const wait = (milliseconds: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))

const addBot = (tenantId: Parameters<typeof Rows.bot>[0]) => BotStore.use((store) => store.add(Rows.bot(tenantId)))
const countBots = (tenantId: Parameters<typeof Rows.bot>[0]) => read(BotStore.use((store) => store.count(tenantId)))

const sleepy = statement<{ seconds: number }>("test.sleep")((db, value) =>
  db
    .selectFrom("bots")
    .select(sql<number>`1`.as("n"))
    .where(sql<boolean>`pg_sleep(${value.seconds}::float8) is null`)
    .union(db.selectNoFrom(sql<number>`length(pg_sleep(${value.seconds}::float8)::text)`.as("n")))
)

/** Ends every other connection of the application to this database. */
const killAll =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'trunkline' and datname = current_database()"

const on = <A, E>(
  options: Omit<PostgresOptions, "url">,
  test: (url: string) => Effect.Effect<A, E, Storage | BotStore>
) => Effect.scoped(Effect.flatMap(migratedDatabase, (url) => Effect.provide(test(url), layer({ url, ...options }))))

describe.skipIf(reason !== null)(`a session of Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  it.live("asks the database when a statement's effect runs, once for each run", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const asked: Array<string> = []
        const pool = {
          query: async ({ name }: { readonly name: string }) => {
            asked.push(name)
            if (asked.length === 1) throw new Error("the connection broke")
            return { fields: [], rows: [], rowCount: 0 }
          }
        }
        const session = new PostgresSession(pool as unknown as pg.Pool)
        const sleeping = session.rows(sleepy, { seconds: 0 })
        const inserting = session.insert("creditAccounts", [{ tenantId: Rows.id(), balance: 0n, reserved: 0n }])
        assert.deepStrictEqual(asked, [])
        assert.deepStrictEqual(yield* Effect.retry(sleeping, { times: 3 }), [])
        assert.deepStrictEqual(asked, ["test.sleep", "test.sleep"])
        yield* inserting
        yield* inserting
        assert.lengthOf(asked, 4)
      })
    )
  )
})

describe.skipIf(reason !== null)(`a connection to Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  it.live("is refused with one clear line where there is no server, no database or no such user", () =>
    Effect.gen(function* () {
      const url = yield* database
      const table: ReadonlyArray<readonly [(url: URL) => void, RegExp]> = [
        [
          (to) => {
            to.port = "1"
          },
          /connect.*ECONNREFUSED/
        ],
        [
          (to) => {
            to.hostname = "no-such-host.invalid"
          },
          /connect.*(ENOTFOUND|EAI_AGAIN)/
        ],
        [
          (to) => {
            to.pathname = "no_such_database"
          },
          /database "no_such_database" does not exist/
        ],
        [
          (to) => {
            to.username = "nobody_at_all"
          },
          /nobody_at_all/
        ]
      ]
      for (const [change, pattern] of table) {
        const error = yield* refusal({ url: changed(url, change) })
        assert.instanceOf(error, StorageError)
        assert.strictEqual(error.reason, "unavailable")
        assert.match(error.message, pattern)
        assert.notInclude(error.message, "\n")
      }
    })
  )

  it.live("that breaks inside a transaction fails that transaction alone", () =>
    on({}, (url) =>
      Effect.gen(function* () {
        const tenantId = Rows.id<"Account">()
        const broken = yield* Effect.exit(
          transact(
            Effect.gen(function* () {
              yield* addBot(tenantId)
              yield* raw(url, killAll)
              yield* addBot(tenantId)
            })
          )
        )
        assert.match(String(broken), /unavailable/)
        assert.strictEqual(yield* countBots(tenantId), 0)
        yield* transact(addBot(tenantId))
        assert.strictEqual(yield* countBots(tenantId), 1)
      })
    )
  )

  it.live("that breaks while nobody uses it is replaced", () =>
    on({}, (url) =>
      Effect.gen(function* () {
        const tenantId = Rows.id<"Account">()
        yield* transact(addBot(tenantId))
        yield* raw(url, killAll)
        yield* wait(50)
        assert.strictEqual(yield* countBots(tenantId), 1)
      })
    )
  )

  it.live("cancels a statement that runs too long, and stores nothing of its transaction", () =>
    on({ statementTimeoutMs: 150 }, () =>
      Effect.gen(function* () {
        const tenantId = Rows.id<"Account">()
        const error = yield* Effect.flip(
          transact(Effect.andThen(addBot(tenantId), Sessions.writeRows(sleepy, { seconds: 5 })))
        )
        assert.strictEqual(error.reason, "timeout")
        assert.strictEqual(yield* countBots(tenantId), 0)
      })
    )
  )

  it.live("ends a transaction that waits for something else for too long", () =>
    on({ statementTimeoutMs: 150 }, () =>
      Effect.gen(function* () {
        const tenantId = Rows.id<"Account">()
        const error = yield* Effect.flip(
          transact(Effect.andThen(addBot(tenantId), Effect.andThen(wait(500), addBot(tenantId))))
        )
        assert.include(["timeout", "unavailable"], error.reason)
        assert.strictEqual(yield* countBots(tenantId), 0)
      })
    )
  )

  it.live("is waited for when all are busy, and an interrupted waiter stops at once", () =>
    on({ connections: 1 }, () =>
      Effect.gen(function* () {
        const tenantId = Rows.id<"Account">()
        const [busy, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holder = yield* Effect.forkChild(
          transact(Effect.andThen(Deferred.succeed(busy, undefined), Deferred.await(goOn)))
        )
        yield* Deferred.await(busy)
        const patient = yield* Effect.forkChild(transact(addBot(tenantId)))
        const hasty = yield* Effect.forkChild(transact(addBot(tenantId)))
        yield* wait(20)
        // Verifies: D-266.
        const counters = yield* StorageCounters
        assert.deepStrictEqual(counters.read().pool, { used: 1, idle: 0, waiting: 2, max: 1 })
        yield* Fiber.interrupt(hasty)
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(holder)
        yield* Fiber.join(patient)
        assert.strictEqual(yield* countBots(tenantId), 1)
        assert.deepStrictEqual(counters.read().pool, { used: 0, idle: 1, waiting: 0, max: 1 })
        // Nothing was lost on the way: the one connection still serves.
        yield* Effect.forEach([1, 2, 3], () => transact(addBot(tenantId)), { concurrency: 3 })
        assert.strictEqual(yield* countBots(tenantId), 4)
      })
    )
  )

  it.live("to a database that only reads is not ready", () =>
    on({}, (url) =>
      Effect.gen(function* () {
        const storage = yield* Storage
        yield* storage.ready
        const name = new URL(url).pathname.slice(1)
        yield* raw(url, `alter database ${name} set default_transaction_read_only = on`, killAll)
        yield* wait(50)
        const error = yield* Effect.flip(storage.ready)
        assert.strictEqual(error.reason, "unavailable")
        assert.match(error.detail, /only reads/)
        const writing = yield* Effect.flip(transact(addBot(Rows.id())))
        assert.strictEqual(writing.reason, "unavailable")
      })
    )
  )

  it.live("that is out of the pool is never left in a transaction", () =>
    on({ connections: 1 }, (url) =>
      Effect.gen(function* () {
        const tenantId = Rows.id<"Account">()
        yield* Effect.exit(transact(Effect.andThen(addBot(tenantId), Effect.die(new Error("a bug")))))
        yield* Effect.exit(transact(Effect.andThen(addBot(tenantId), Effect.fail("no"))))
        yield* Effect.exit(transact(Effect.andThen(addBot(tenantId), Effect.interrupt)))
        const [open] = yield* raw(
          url,
          "select count(*) from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()"
        )
        assert.strictEqual(open?.rows[0].count, "0")
        assert.strictEqual(yield* countBots(tenantId), 0)
      })
    )
  )
})

describe.skipIf(reason !== null)(`the schema in Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  it.live("is made once by processes that start together", () =>
    Effect.gen(function* () {
      const url = yield* database
      yield* Effect.forEach(
        Array.from({ length: 6 }),
        () => Effect.scoped(Layer.build(Layer.fresh(layer({ url, connections: 2 })))),
        { concurrency: "unbounded" }
      )
      const [versions] = yield* raw(url, "select version from trunkline.trunkline_migrations")
      assert.deepStrictEqual(
        versions?.rows,
        migrationsOf(postgresDialect).map(({ version }) => ({ version }))
      )
    })
  )

  it.live("keeps out of the way of a host's tables of the same names", () =>
    Effect.gen(function* () {
      const url = yield* database
      yield* raw(url, "create table accounts (mine text)", "create table calls (mine text)")
      const tenantId = Rows.id<"Account">()
      yield* Effect.gen(function* () {
        yield* transact(addBot(tenantId))
        assert.strictEqual(yield* countBots(tenantId), 1)
      }).pipe(Effect.provide(layer({ url })))
      const other = yield* Effect.provide(countBots(tenantId), Layer.fresh(layer({ url, schema: 'Other "one"' })))
      assert.strictEqual(other, 0)
    })
  )

  it.live("needs no right to create once it is there", () =>
    Effect.gen(function* () {
      const url = yield* database
      yield* Effect.scoped(Layer.build(layer({ url })))
      const user = `u${crypto.randomUUID().replaceAll("-", "")}`
      yield* raw(
        url,
        `create role ${user} login password 'pw'`,
        `grant usage on schema trunkline to ${user}`,
        `grant select, insert, update, delete on all tables in schema trunkline to ${user}`
      )
      const tenantId = Rows.id<"Account">()
      const limited = changed(url, (to) => {
        to.username = user
        to.password = "pw"
      })
      yield* Effect.provide(transact(addBot(tenantId)), Layer.fresh(layer({ url: limited })))
      yield* raw(url, `drop owned by ${user}`, `drop role ${user}`)
    })
  )

  it.live("is refused when a newer release has changed it", () =>
    Effect.gen(function* () {
      const url = yield* database
      yield* Effect.scoped(Layer.build(layer({ url })))
      yield* raw(url, "insert into trunkline.trunkline_migrations values (9999, 'later', 0)")
      const error = yield* refusal({ url })
      assert.strictEqual(error.reason, "corrupt")
      assert.match(error.message, /version 9999 of the schema.*use a newer release/)
    })
  )
})

describe("errors of Postgres", () => {
  it.each(Object.entries(reasons))("%s is %s", (code, expected) => {
    const full = code.length === 2 ? `${code}000` : code
    const error = classify(Object.assign(new Error("why"), { code: full }), "what")
    assert.strictEqual(error.reason, expected)
    assert.strictEqual(error.detail, "what: why")
  })

  it("errors of the network and of the driver mean that there is no connection; all others are our own bugs", () => {
    const of = (message: string, code?: string) =>
      classify(Object.assign(new Error(message), code === undefined ? {} : { code }), "what").reason
    assert.strictEqual(of("", "ECONNREFUSED"), "unavailable")
    assert.strictEqual(of("Connection terminated unexpectedly"), "unavailable")
    assert.strictEqual(of("timeout exceeded when trying to connect"), "unavailable")
    assert.strictEqual(of("Query read timeout"), "unavailable")
    assert.strictEqual(of("Client was closed and is not queryable"), "unavailable")
    assert.strictEqual(of("duplicate key value", "23505"), "defect")
    assert.strictEqual(of("syntax error", "42601"), "defect")
    assert.strictEqual(of("x is not a function"), "defect")
    assert.match(
      classify(Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }), "connect").detail,
      /ECONNREFUSED/
    )
  })
})
