/** What opening a database may meet, and what it says then; and the table of errors. */
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Instant, read, Storage, transact } from "@trunkline/core/effect"
import { BotStore, CampaignStore, OutboxStore, StorageError } from "@trunkline/core/storage"
import { everyCampaign } from "@trunkline/core/testing"
import { migrationsOf, sqliteDialect } from "@trunkline/storage-kysely"
import { layer } from "@trunkline/storage-sqlite"
import { Rows } from "@trunkline/testing/storage"
import BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { classify, reasons } from "../src/SqliteErrors.ts"
import { databasePath, folder } from "./Files.ts"

const refusal = (path: string) => Effect.flip(Effect.scoped(Layer.build(layer({ path }))))

const oneLine = (error: StorageError, reason: StorageError["reason"], pattern: RegExp) => {
  assert.instanceOf(error, StorageError)
  assert.strictEqual(error.reason, reason)
  assert.match(error.message, pattern)
  assert.notInclude(error.message, "\n")
}

describe("opening a SQLite database", () => {
  it.live("makes the file and the folders it is in", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "a", "b", "trunkline.db")
      yield* Effect.scoped(Layer.build(layer({ path })))
      assert.isTrue(existsSync(path))
    })
  )

  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

  /** The most open mask there is. */
  const unmasked = Effect.acquireRelease(
    Effect.sync(() => process.umask(0)),
    (mask) => Effect.sync(() => process.umask(mask))
  )

  // Verifies: D-240.
  it.live.skipIf(process.platform === "win32")("lets nobody else read the files and folders that it makes", () =>
    Effect.gen(function* () {
      const outer = yield* folder
      chmodSync(outer, 0o755)
      const path = join(outer, "a", "b", "trunkline.db")
      yield* unmasked
      yield* Layer.build(layer({ path }))
      const made = [path, `${path}-wal`, `${path}-shm`]
      assert.deepStrictEqual(made.map(modeOf), ["600", "600", "600"])
      assert.deepStrictEqual([join(outer, "a"), join(outer, "a", "b")].map(modeOf), ["700", "700"])
      assert.strictEqual(modeOf(outer), "755")
    })
  )

  // Verifies: D-240.
  it.live.skipIf(process.platform === "win32")("changes no mode of a file or a folder that is there", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      yield* Effect.scoped(Layer.build(layer({ path })))
      chmodSync(path, 0o640)
      chmodSync(join(path, ".."), 0o750)
      yield* Layer.build(layer({ path }))
      assert.deepStrictEqual([path, `${path}-wal`, join(path, "..")].map(modeOf), ["640", "640", "750"])
    })
  )

  it.live.skipIf(process.platform === "win32")("makes a file that a link names with the same mode", () =>
    Effect.gen(function* () {
      const outer = yield* folder
      symlinkSync(join(outer, "elsewhere.db"), join(outer, "trunkline.db"))
      yield* unmasked
      yield* Layer.build(layer({ path: join(outer, "trunkline.db") }))
      assert.strictEqual(modeOf(join(outer, "elsewhere.db")), "600")
    })
  )

  it.live("finds what was written before it was closed", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      const bot = Rows.bot(Rows.id())
      const event = {
        id: Rows.id<"Event">(),
        event: "call.started" as const,
        tenantId: bot.tenantId,
        botId: null,
        data: {},
        at: Rows.at(0)
      }
      const cursor = yield* Effect.provide(
        Effect.gen(function* () {
          yield* transact(BotStore.use((store) => store.add(bot)))
          yield* transact(OutboxStore.use((store) => store.append([event])))
          return (yield* read(OutboxStore.use((store) => store.after(null, 1))))[0]!.cursor
        }),
        layer({ path })
      )
      yield* Effect.provide(
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* read(BotStore.use((store) => store.find(bot.tenantId, bot.id))), bot)
          yield* transact(OutboxStore.use((store) => store.append([{ ...event, data: { later: true } }])))
          const rest = yield* read(OutboxStore.use((store) => store.after(cursor, 10)))
          assert.deepStrictEqual(
            rest.map(({ data }) => data),
            [{ later: true }]
          )
        }),
        Layer.fresh(layer({ path }))
      )
    })
  )

  it.live("refuses a folder", () =>
    Effect.gen(function* () {
      const path = yield* folder
      oneLine(yield* refusal(path), "unavailable", /it is a folder: name a file in it/)
    })
  )

  it.live("refuses a file whose folder cannot be used", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "file")
      writeFileSync(file, "")
      oneLine(yield* refusal(join(file, "trunkline.db")), "unavailable", /its folder cannot be used/)
    })
  )

  // In a process of its own, which can be killed: no time limit ends a loop of the test's own process.
  it.skipIf(!existsSync("/proc/self"))("refuses a file in a folder that no one can make, at once", () => {
    const program = `
      import { layer } from "@trunkline/storage-sqlite"
      import * as Effect from "effect/Effect"
      import * as Layer from "effect/Layer"
      const refused = await Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(layer({ path: "/proc/x/y.db" })))))
      process.stdout.write(refused.message)
    `
    const child = spawnSync(
      process.execPath,
      ["--conditions=@trunkline/source", "--input-type=module", "-e", program],
      {
        cwd: import.meta.dirname,
        encoding: "utf8",
        timeout: 300_000
      }
    )
    assert.strictEqual(child.signal, null)
    assert.match(child.stdout, /^storage unavailable: open \/proc\/x\/y.db: its folder cannot be used: .*\/proc\/x.*$/)
  })

  it.live("refuses a file that is no database", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      writeFileSync(path, "hello, this is certainly not a database ".repeat(100))
      oneLine(yield* refusal(path), "corrupt", /file is not a database/)
    })
  )

  it.live("refuses the database of another application", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      const other = new BetterSqlite(path)
      other.exec("create table accounts (id integer primary key)")
      other.close()
      oneLine(yield* refusal(path), "corrupt", /database of another application/)
    })
  )

  it.live("refuses a database that a newer release has changed", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      yield* Effect.scoped(Layer.build(layer({ path })))
      const db = new BetterSqlite(path)
      db.exec("insert into trunkline_migrations values (9999, 'later', 0)")
      db.close()
      oneLine(yield* refusal(path), "corrupt", /version 9999 of the schema.*use a newer release/)
    })
  )

  // The superuser may write everywhere, so that nothing is read-only for it.
  it.live.skipIf(process.getuid?.() === 0)("refuses a file that may only be read", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      yield* Effect.scoped(Layer.build(layer({ path })))
      chmodSync(path, 0o444)
      oneLine(yield* refusal(path), "unavailable", /readonly/)
    })
  )

  it.live("leaves nothing half made when a migration fails", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      const db = new BetterSqlite(path)
      db.exec(
        "create table trunkline_migrations (version integer primary key, name text not null, applied_at integer not null) strict"
      )
      db.exec("create table outbox (x integer)")
      db.close()
      oneLine(yield* refusal(path), "corrupt", /table outbox already exists/)
      const after = new BetterSqlite(path, { readonly: true })
      const tables = after.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all()
      after.close()
      assert.deepStrictEqual(tables, ["outbox", "trunkline_migrations"])
    })
  )

  // Verifies: D-233.
  it.live("pauses a stored campaign that the routes refuse, and brings its values within the bounds", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      const db = new BetterSqlite(path)
      db.exec(
        "create table trunkline_migrations (version integer primary key, name text not null, applied_at integer not null) strict"
      )
      const history = migrationsOf(sqliteDialect)
      for (const { name, statements, version } of history.slice(
        0,
        history.findIndex((one) => one.name === "bounds")
      )) {
        for (const statement of statements) db.exec(statement)
        db.prepare("insert into trunkline_migrations values (?, ?, 0)").run(version, name)
      }
      const tenantId = Rows.id<"Account">()
      const [good, bad] = [Rows.id<"Campaign">(), Rows.id<"Campaign">()]
      const insert =
        db.prepare(`insert into campaigns values (?, '${tenantId}', ?, 'running', 1, 0, 0, 'UTC', ?, ?, ?, ?, ?, ?,
        0, null, null, null, null, 0, 0, 5, null, 0, 1)`)
      insert.run(good, "Good", 0, 24, 2, "parallel", 30, 2)
      insert.run(bad, "x".repeat(300), 9, 9, 1000, "zippy", 0, 99)
      db.close()
      yield* Effect.provide(
        Effect.gen(function* () {
          const [after, before] = yield* read(
            CampaignStore.use((store) => store.list(tenantId, everyCampaign, { limit: 2, offset: 0 }))
          )
          assert.deepInclude(before, { id: good, status: "running", nextDialAt: Instant.make(5), parallelLines: 2 })
          assert.deepInclude(after, {
            id: bad,
            name: "x".repeat(255),
            status: "paused",
            nextDialAt: null,
            quietHoursStart: 9,
            quietHoursEnd: 21,
            maxAttempts: 5,
            dialMode: "power",
            paceSeconds: 5,
            parallelLines: 1
          })
        }),
        layer({ path })
      )
    })
  )

  it.live("is ready when it can be read and written", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "data", "x.db")
      mkdirSync(join(path, ".."))
      yield* Effect.provide(
        Storage.use((storage) => storage.ready),
        layer({ path })
      )
      yield* Effect.provide(
        Storage.use((storage) => storage.ready),
        layer({ path: ":memory:" })
      )
    })
  )
})

describe("errors of SQLite", () => {
  it.each(Object.entries(reasons))("%s is %s, and so are its extended codes", (code, reason) => {
    for (const full of [code, `${code}_SOMETHING`]) {
      const error = classify(Object.assign(new Error("why"), { code: full }), "what")
      assert.strictEqual(error.reason, reason)
      assert.strictEqual(error.detail, "what: why")
    }
  })

  it("what a schema lacks or has too much is corrupt; every other error is our own bug", () => {
    const of = (code: string, message: string) => classify(Object.assign(new Error(message), { code }), "what").reason
    assert.strictEqual(of("SQLITE_ERROR", "no such table: bots"), "corrupt")
    assert.strictEqual(of("SQLITE_ERROR", "no such column: x"), "corrupt")
    assert.strictEqual(of("SQLITE_ERROR", "table bots already exists"), "corrupt")
    assert.strictEqual(of("SQLITE_ERROR", 'near "selct": syntax error'), "defect")
    assert.strictEqual(of("SQLITE_CONSTRAINT_UNIQUE", "UNIQUE constraint failed"), "defect")
    assert.strictEqual(classify(new TypeError("x is not a function"), "what").reason, "defect")
    assert.strictEqual(classify("odd", "what").detail, "what: odd")
  })
})
