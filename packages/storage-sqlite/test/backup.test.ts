/** A copy of a database that is written to: docs/reference/operations.md#sqlite-backup. */
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { BotStore, Storage, StorageError } from "@trunkline/core/storage"
import { backup, layer } from "@trunkline/storage-sqlite"
import { Rows } from "@trunkline/testing/storage"
import BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { databasePath } from "./Files.ts"

/** Adds rows of 30 kB in one commit, which does not wait for the disk. */
const add = (rows = 1) =>
  Effect.gen(function* () {
    const store = yield* BotStore
    const storage = yield* Storage
    const bots = Array.from({ length: rows }, () => Rows.bot(Rows.id(), { systemPrompt: "x".repeat(30_000) }))
    const addAll = Effect.forEach(bots, (bot) => store.add(bot), { discard: true })
    yield* storage.transactWith({ durability: "relaxed" })(addAll)
  })

const count = (path: string): unknown => {
  const db = new BetterSqlite(path, { readonly: true })
  try {
    return db.prepare("select count(*) from bots").pluck().get()
  } finally {
    db.close()
  }
}

const withDatabase = (test: (path: string) => Effect.Effect<void, unknown, Storage | BotStore>) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const path = yield* databasePath
        yield* Effect.provide(test(path), layer({ path }))
      })
    )
  )

const refusalOf = (from: string, to: string) =>
  Effect.map(
    Effect.promise(() => backup(from, to).then(String, (error: unknown) => error)),
    (error) => (error instanceof StorageError ? `${error.reason}: ${error.detail}` : `no refusal: ${String(error)}`)
  )

it("is the database of one moment, complete, however much is written meanwhile", () =>
  withDatabase((path) =>
    Effect.gen(function* () {
      yield* add(500)
      const copy = join(dirname(path), "copy.db")
      const copying = backup(path, copy)
      let isDone = false
      void copying.finally(() => {
        isDone = true
      })
      let written = 0
      while (!isDone) {
        yield* add()
        written += 1
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      const done = yield* Effect.promise(() => copying)
      expect(written).toBeGreaterThan(2)
      expect(count(copy)).toBe(500)
      expect(done).toEqual({ file: copy, bytes: statSync(copy).size })
      // Nothing beside it, and nothing in it that needs a log.
      expect(readdirSync(dirname(copy)).filter((name) => name.startsWith("copy"))).toEqual(["copy.db"])
      expect(new BetterSqlite(copy).pragma("journal_mode", { simple: true })).toBe("delete")
    })
  ))

it.skipIf(process.platform === "win32")("can be read by its owner alone, whatever the umask says", () =>
  withDatabase((path) =>
    Effect.gen(function* () {
      const mask = process.umask(0)
      try {
        yield* Effect.promise(() => backup(path, `${path}.copy`))
      } finally {
        process.umask(mask)
      }
      expect(statSync(`${path}.copy`).mode & 0o777).toBe(0o600)
    })
  )
)

it("overwrites nothing, neither a backup nor one that another process is making", () =>
  withDatabase((path) =>
    Effect.gen(function* () {
      const copy = join(dirname(path), "copy.db")
      writeFileSync(copy, "")
      expect(yield* refusalOf(path, copy)).toBe(`unavailable: ${copy} exists: name another file`)
      writeFileSync(`${copy}2.part`, "")
      expect(yield* refusalOf(path, `${copy}2`)).toMatch(/copy\.db2\.part exists: another backup runs/)
      expect([existsSync(`${copy}2`), statSync(copy).size]).toEqual([false, 0])
    })
  ))

it("is refused for what is no database of ours, and leaves nothing where the database is damaged", () =>
  withDatabase((path) =>
    Effect.gen(function* () {
      const [nowhere, foreign, damaged] = ["nowhere.db", "foreign.db", "damaged.db"].map((name) =>
        join(dirname(path), name)
      ) as [string, string, string]
      const copy = join(dirname(path), "copy.db")
      expect(yield* refusalOf(nowhere, copy)).toBe(`unavailable: there is no database ${nowhere}`)
      const db = new BetterSqlite(foreign)
      db.exec("create table notes (text)")
      db.close()
      expect(yield* refusalOf(foreign, copy)).toMatch(/^corrupt: .*another application/)
      expect(yield* refusalOf(path, join(dirname(path), "missing", "copy.db"))).toMatch(/^unavailable: .*ENOENT/)

      yield* add(50)
      yield* Effect.promise(() => backup(path, damaged))
      const broken = new BetterSqlite(damaged)
      // The index loses its rows, of which the table has fifty.
      broken.unsafeMode(true)
      broken.pragma("writable_schema = on")
      broken.exec(
        "update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'accounts') where name = 'bots_tenant'"
      )
      broken.close()
      expect(yield* refusalOf(damaged, copy)).toMatch(/^corrupt: /)
      expect(readdirSync(dirname(path)).filter((name) => name.startsWith("copy"))).toEqual([])
    })
  ))
