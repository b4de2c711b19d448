/** The one writer: shared commits, other processes, and errors of the database itself. Verifies: STOR-2. */
import { existsSync, readdirSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, vi } from "@effect/vitest"
import { type Instant, PhoneNumber, read, Storage, transact } from "@trunkline/core/effect"
import { BotStore, ResponseStore, StorageError, SuppressionStore } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-sqlite"
import { Rows } from "@trunkline/testing/storage"
import BetterSqlite from "better-sqlite3"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { LogSync } from "../src/LogSync.ts"
import { SqliteConnection } from "../src/SqliteConnection.ts"
import { SqliteWriter } from "../src/SqliteWriter.ts"
import { databasePath, watchLoop } from "./Files.ts"

const wait = (milliseconds: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))

/** A disk that is as slow as a test wants. */
class Disk extends LogSync {
  syncs = 0
  isSlow = false
  #finish: Array<(error?: Error) => void> = []

  override sync(): Promise<void> {
    this.syncs += 1
    if (!this.isSlow) return super.sync()
    return new Promise((resolve, reject) =>
      this.#finish.push((error) => (error === undefined ? resolve() : reject(error)))
    )
  }

  finish(error?: Error): void {
    for (const finish of this.#finish) finish(error)
  }
}

/** A writer on a bare database with a table of numbers and one whose foreign keys are checked by the commit. */
const bareWith = Effect.fnUntraced(function* (lockTimeoutMillis?: number) {
  const path = yield* databasePath
  const db = yield* Effect.acquireRelease(
    Effect.sync(() => new BetterSqlite(path, { timeout: 0 })),
    (opened) => Effect.sync(() => opened.close())
  )
  db.pragma("journal_mode = wal")
  db.pragma("foreign_keys = on")
  db.exec("create table numbers (n integer primary key, text text) strict")
  db.exec("create table late (n integer references numbers (n) deferrable initially deferred) strict")
  const commits = { count: 0 }
  const connection = new SqliteConnection(db)
  const run = connection.run.bind(connection)
  connection.run = (text) => {
    if (text === "commit") commits.count += 1
    run(text)
  }
  const disk = new Disk(`${path}-wal`)
  const writer = new SqliteWriter(connection, { lockTimeoutMillis, log: disk })
  const insert = (n: number) => Effect.sync(() => void db.exec(`insert into numbers (n) values (${n})`))
  const exec = (text: string) => writer.transact(Effect.try({ try: () => db.exec(text), catch: (error) => error }))
  const numbers = () => db.prepare("select n from numbers order by n").pluck().all()
  return { db, disk, path, writer, insert, exec, numbers, commits }
})

const bare = bareWith()

const errorOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined

const openFilesFolder = "/proc/self/fd"

/** Files that this process has open and that no folder lists any more. */
const unlinkedFiles = (): ReadonlyArray<string> =>
  readdirSync(openFilesFolder).flatMap((fd) => {
    try {
      const path = readlinkSync(join(openFilesFolder, fd))
      return path.endsWith(" (deleted)") ? [path] : []
    } catch {
      // The descriptor of this listing itself is closed again.
      return []
    }
  })

const all = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.forEach(effects, Effect.exit, { concurrency: "unbounded" })

describe("the writer", () => {
  it.live("waits for the disk where a program has written something, and has full durability", () =>
    Effect.gen(function* () {
      const { disk, insert, numbers, writer } = yield* bare
      disk.isSlow = true
      const full = yield* Effect.forkChild(writer.transact(insert(1)))
      const alsoFull = yield* Effect.forkChild(writer.transact(insert(2)))
      yield* writer.transact(insert(3), "relaxed")
      yield* wait(5)
      yield* writer.transact(Effect.sync(numbers))
      assert.deepStrictEqual(numbers(), [1, 2, 3])
      yield* wait(20)
      assert.isUndefined(full.pollUnsafe())
      assert.isUndefined(alsoFull.pollUnsafe())
      disk.finish()
      yield* Fiber.join(full)
      yield* Fiber.join(alsoFull)
    })
  )

  it.live("says when the disk has all that was committed before, and fails where the disk does", () =>
    Effect.gen(function* () {
      const { disk, insert, writer } = yield* bare
      disk.isSlow = true
      yield* writer.transact(insert(1), "relaxed")
      const asked = yield* Effect.forkChild(Effect.exit(writer.durable))
      yield* wait(20)
      assert.isUndefined(asked.pollUnsafe())
      disk.finish()
      assert.isTrue(Exit.isSuccess(yield* Fiber.join(asked)))
      // What is on the disk is brought there by nobody else.
      yield* wait(300)
      assert.strictEqual(disk.syncs, 1)
      const broken = yield* Effect.forkChild(Effect.exit(writer.durable))
      yield* wait(1)
      disk.finish(new Error("EIO: i/o error, fdatasync"))
      assert.strictEqual((errorOf(yield* Fiber.join(broken)) as StorageError).reason, "unavailable")
    })
  )

  it.live("fails the programs of a commit that the disk does not confirm", () =>
    Effect.gen(function* () {
      const { disk, insert, writer } = yield* bare
      disk.isSlow = true
      const waiting = yield* Effect.forkChild(Effect.exit(writer.transact(insert(1))))
      yield* wait(1)
      disk.finish(new Error("EIO: i/o error, fdatasync"))
      const error = errorOf(yield* Fiber.join(waiting)) as StorageError
      assert.strictEqual(error.reason, "unavailable")
      assert.match(error.detail, /the disk did not confirm a commit: Error: EIO/)
    })
  )

  it.live("brings to the disk within a fifth of a second what has not waited for it", () =>
    Effect.gen(function* () {
      const { disk, insert, writer } = yield* bare
      yield* writer.transact(insert(1), "relaxed")
      yield* writer.transact(insert(2), "relaxed")
      assert.strictEqual(disk.syncs, 0)
      yield* wait(300)
      assert.strictEqual(disk.syncs, 1)
      // Once it is there, nothing more is brought.
      yield* writer.transact(insert(3), "relaxed")
      yield* writer.transact(insert(4))
      yield* wait(300)
      assert.strictEqual(disk.syncs, 2)
    })
  )

  it.live("lets programs that arrive together share one commit", () =>
    Effect.gen(function* () {
      const { commits, exec, numbers } = yield* bare
      yield* all(Array.from({ length: 101 }, (_, n) => exec(`insert into numbers (n) values (${n})`)))
      assert.strictEqual(numbers().length, 101)
      // The first one finds an idle writer and does not wait for company.
      assert.strictEqual(commits.count, 2)
    })
  )

  it.live("runs programs in the order in which they came", () =>
    Effect.gen(function* () {
      const { writer } = yield* bare
      const order: Array<number> = []
      yield* all(Array.from({ length: 300 }, (_, n) => writer.transact(Effect.sync(() => void order.push(n)))))
      assert.deepStrictEqual(
        order,
        Array.from({ length: 300 }, (_, n) => n)
      )
    })
  )

  it.live("yields to the event loop after a while, however many programs wait", () =>
    Effect.gen(function* () {
      const { commits, writer } = yield* bare
      const busy = Effect.sync(() => {
        for (const until = performance.now() + 3; performance.now() < until; );
      })
      const longest = watchLoop()
      yield* all(Array.from({ length: 60 }, () => writer.transact(busy)))
      assert.isBelow(longest(), 50)
      assert.isAtLeast(commits.count, 8)
    })
  )

  it.live("fails every transaction of a group whose commit fails, and stores nothing of it", () =>
    Effect.gen(function* () {
      const { exec, numbers, writer } = yield* bare
      const exits = yield* all<unknown, unknown>([
        exec("insert into numbers (n) values (1)"),
        exec("insert into numbers (n) values (2)"),
        exec("insert into late (n) values (99)"),
        writer.transact(Effect.fail("saw what never was")),
        exec("insert into numbers (n) values (3)")
      ])
      assert.isTrue(Exit.isSuccess(exits[0]!))
      for (const exit of exits.slice(1)) {
        assert.instanceOf(errorOf(exit), StorageError)
        assert.match(String(errorOf(exit)), /commit: FOREIGN KEY constraint failed/)
      }
      assert.deepStrictEqual(numbers(), [1])
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(exec("insert into numbers (n) values (4)"))))
      assert.deepStrictEqual(numbers(), [1, 4])
    })
  )

  it.live(
    "when the database rolls a group back for want of room, none of it reports a commit, and the rest goes on",
    () =>
      Effect.gen(function* () {
        const { db, exec, numbers } = yield* bare
        const pages = db.pragma("page_count", { simple: true }) as number
        db.pragma(`max_page_count = ${pages + 4}`)
        const big = (n: number) => exec(`insert into numbers values (${n}, '${"x".repeat(100_000)}')`)
        const exits = yield* all([
          exec("insert into numbers (n) values (1)"),
          exec("insert into numbers (n) values (2)"),
          big(3)
        ])
        assert.isTrue(Exit.isSuccess(exits[0]!))
        assert.isTrue(Exit.isFailure(exits[2]!))
        db.pragma("max_page_count = 1000000")
        yield* exec("insert into numbers (n) values (4)")
        // Either the statement alone was undone or the whole group was: what was promised is there, and nothing else.
        assert.deepStrictEqual(numbers(), Exit.isSuccess(exits[1]!) ? [1, 2, 4] : [1, 4])
      })
  )

  it.live("does not take part in what comes after a group whose transaction the database has ended", () =>
    Effect.gen(function* () {
      const { db, exec, numbers, writer } = yield* bare
      const endIt = writer.transact(Effect.sync(() => db.exec("rollback")))
      const exits = yield* all<unknown, unknown>([
        exec("insert into numbers (n) values (1)"),
        exec("insert into numbers (n) values (2)"),
        endIt,
        exec("insert into numbers (n) values (3)")
      ])
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, false, true])
      assert.strictEqual((errorOf(exits[1]!) as StorageError).reason, "full")
      assert.deepStrictEqual(numbers(), [1, 3])
    })
  )

  it.live("waits for another process that writes, without holding up the event loop", () =>
    Effect.gen(function* () {
      const { exec, numbers, path } = yield* bare
      const other = new BetterSqlite(path)
      other.exec("begin immediate; insert into numbers (n) values (100)")
      const longest = watchLoop()
      const began = performance.now()
      const waiting = yield* Effect.forkChild(
        all(Array.from({ length: 20 }, (_, n) => exec(`insert into numbers (n) values (${n})`)))
      )
      yield* wait(300)
      other.exec("commit")
      const exits = yield* Fiber.join(waiting)
      const standstill = longest()
      other.close()
      assert.isTrue(exits.every(Exit.isSuccess))
      assert.isAtLeast(performance.now() - began, 300)
      assert.isBelow(standstill, 50, "the event loop stood still")
      assert.strictEqual(numbers().length, 21)
    })
  )

  it.live("forgets a program that is interrupted while it waits for another process", () =>
    Effect.gen(function* () {
      const { exec, numbers, path } = yield* bare
      const other = new BetterSqlite(path)
      other.exec("begin immediate")
      const waiting = yield* Effect.forkChild(exec("insert into numbers (n) values (1)"))
      yield* wait(30)
      yield* Fiber.interrupt(waiting)
      other.exec("rollback")
      other.close()
      yield* exec("insert into numbers (n) values (2)")
      assert.deepStrictEqual(numbers(), [2])
    })
  )

  it.live("fails a program that has waited too long for another process, and says why", () =>
    Effect.gen(function* () {
      const { exec, path } = yield* bareWith(300)
      const other = new BetterSqlite(path)
      other.exec("begin immediate")
      const early = yield* Effect.forkChild(Effect.exit(exec("insert into numbers (n) values (1)")))
      yield* wait(200)
      const late = yield* Effect.forkChild(exec("insert into numbers (n) values (2)"))
      const error = errorOf(yield* Fiber.join(early)) as StorageError
      assert.strictEqual(error.reason, "contended")
      assert.match(error.detail, /another process has held the database for 0.3 s/)
      other.exec("rollback")
      other.close()
      yield* Fiber.join(late)
    })
  )

  it.live("fails transactions that wait when the storage closes, and does nothing of theirs", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(layer({ path }), scope)
      const storage = Context.get(context, Storage)
      const bots = Context.get(context, BotStore)
      const tenantId = Rows.id<"Account">()
      const exits = yield* Effect.forkChild(
        all(Array.from({ length: 3 }, () => storage.transact(bots.add(Rows.bot(tenantId)))))
      )
      yield* Effect.yieldNow
      yield* Scope.close(scope, Exit.void)
      const [first, ...others] = yield* Fiber.join(exits)
      assert.isTrue(Exit.isSuccess(first!))
      for (const exit of others) assert.strictEqual((errorOf(exit) as StorageError).reason, "unavailable")
      const after = errorOf(yield* Effect.exit(storage.transact(Effect.void)))
      assert.match(String(after), /the storage is closed/)
      const look = errorOf(yield* Effect.exit(storage.read(bots.count(tenantId))))
      assert.strictEqual((look as StorageError).reason, "unavailable")
      const again = yield* Effect.provide(read(BotStore.use((store) => store.count(tenantId))), layer({ path }))
      assert.strictEqual(again, 1)
    })
  )

  it.live("a file that two processes have open is written by both", () =>
    Effect.gen(function* () {
      const path = yield* databasePath
      const tenantId = Rows.id<"Account">()
      const write = Effect.forEach(
        Array.from({ length: 100 }),
        () => transact(BotStore.use((store) => store.add(Rows.bot(tenantId)))),
        { concurrency: "unbounded", discard: true }
      )
      // Two connections of one process meet exactly as those of two would: the file's lock is between connections.
      yield* Effect.all([Effect.provide(write, layer({ path })), Effect.provide(write, Layer.fresh(layer({ path })))], {
        concurrency: 2
      })
      const count = yield* Effect.provide(read(BotStore.use((store) => store.count(tenantId))), layer({ path }))
      assert.strictEqual(count, 200)
    })
  )

  // Where programs share a commit, SQLite walks at the end of each statement through all that the program has changed.
  it.live("inserts many rows with few statements in a shared commit", () =>
    Effect.gen(function* () {
      const { add } = yield* ResponseStore
      const input = Array.from({ length: 8000 }, (_, nth) => ({ id: `item_${nth}`, item: { text: "x" } }))
      const response = { id: `resp_${"0".repeat(32)}`, tenantId: Rows.id<"Account">(), response: { output: [] } }
      const statements = Object.getPrototypeOf(new BetterSqlite(":memory:").prepare("select 1"))
      const run = vi.spyOn(statements, "run")
      const adding = Effect.gen(function* () {
        run.mockClear()
        yield* add({ ...response, before: [], input, expiresAt: 1 as Instant.Instant })
        return run.mock.calls.length
      })
      // The first one runs at once, and the others share a commit.
      const [, ran] = yield* Effect.all([transact(Effect.void), transact(adding), transact(Effect.void)], {
        concurrency: "unbounded"
      })
      run.mockRestore()
      assert.isAbove(ran, 0)
      assert.isAtMost(ran, 8000 / 32 + 10)
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(databasePath, (path) => layer({ path })))))
  )

  // Only Linux lists the open files of a process.
  it.live.skipIf(!existsSync(openFilesFolder))("programs that share a commit write no temporary file", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      /** Entries whose numbers lie far from each other, so that their index has each on another page. */
      const add = (from: number, count: number) =>
        Effect.forEach(
          Array.from({ length: count }, (_, n) => String((from + n) * 387_420_489).slice(-9)),
          (digits) =>
            SuppressionStore.use((store) =>
              store.add(Rows.entry(tenantId, { matchKey: PhoneNumber.as(`1${digits}`) }))
            ),
          { discard: true }
        )
      yield* transact(add(1, 3000))
      const before = unlinkedFiles()
      const found = yield* Effect.forEach(
        [1, 2, 3],
        (nth) => transact(Effect.andThen(add(3000 + nth * 300, 300), Effect.sync(unlinkedFiles))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        found.flat().filter((path) => !before.includes(path)),
        []
      )
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(databasePath, (path) => layer({ path })))))
  )
})
