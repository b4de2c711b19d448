/** The write-ahead log of a database that nobody writes to: docs/reference/storage.md#sqlite. */
import { statSync } from "node:fs"
import { BotStore, Storage, StorageCounters } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-sqlite"
import { Rows } from "@trunkline/testing/storage"
import BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { databasePath } from "./Files.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
afterEach(() => void vi.useRealTimers())

const long = "x".repeat(1000)

/** Five megabytes in one transaction. */
const writeMuch = Effect.gen(function* () {
  const store = yield* BotStore
  const storage = yield* Storage
  const bots = Array.from({ length: 5000 }, () => Rows.bot(Rows.id(), { systemPrompt: long }))
  yield* storage.transact(Effect.forEach(bots, (bot) => store.add(bot), { discard: true }))
})

const on = (test: (path: string, log: () => number) => Effect.Effect<void, unknown, Storage | BotStore>) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const path = yield* databasePath
        yield* Effect.provide(
          test(path, () => statSync(`${path}-wal`).size),
          layer({ path })
        )
      })
    )
  )

// Verifies: D-267.
it("is cut back when nothing was written for two seconds, and not before, whatever is read or claimed in vain", () =>
  on((path, log) =>
    Effect.gen(function* () {
      yield* writeMuch
      expect(log()).toBeGreaterThan(4_000_000)
      // Verifies: D-266.
      const { files, pool, signals } = (yield* StorageCounters).read()
      expect({ files, pool, signals }).toEqual({
        ...{ files: { databaseBytes: statSync(path).size, logBytes: log() } },
        ...{ pool: null, signals: null }
      })
      vi.advanceTimersByTime(1_999)
      const storage = yield* Storage
      yield* storage.transact(BotStore.use((store) => store.add(Rows.bot(Rows.id()))))
      vi.advanceTimersByTime(1)
      expect(log()).toBeGreaterThan(4_000_000)
      yield* storage.transact(Effect.void)
      vi.advanceTimersByTime(1_999)
      expect(log()).toBeGreaterThan(4_000_000)
      vi.advanceTimersByTime(1)
      // While the thread moves the log it cannot be cut back, which is tried again.
      for (let tries = 0; tries < 10_000 && log() > 0; tries++) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        vi.advanceTimersByTime(2_000)
      }
      expect(log()).toBe(0)
    })
  ))

// Verifies: D-267.
it("is cut back later when another connection reads from it", () =>
  on((path, log) =>
    Effect.gen(function* () {
      const reader = new BetterSqlite(path, { readonly: true })
      const rows = reader.prepare("select name from sqlite_schema").iterate()
      rows.next()
      yield* writeMuch
      vi.advanceTimersByTime(8_000)
      expect(log()).toBeGreaterThan(4_000_000)
      rows.return?.()
      reader.close()
      vi.advanceTimersByTime(2_000)
      expect(log()).toBe(0)
    })
  ))
