/** The write-ahead log of a database that is written to: docs/reference/storage.md#sqlite. */
import { statSync } from "node:fs"
import { BotStore, Storage, StorageError } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-sqlite"
import { Rows } from "@trunkline/testing/storage"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { LogCheckpoint } from "../src/LogCheckpoint.ts"
import { databasePath } from "./Files.ts"

/** A checkpoint whose log has these pages, and everything that was asked of its connections. */
const checkpointOf = (pagesOf: () => number | StorageError) => {
  const asked: Array<string> = []
  const writing = { pragma: (text: string) => void asked.push(`writer: ${text}`) }
  const thread = {
    execute: (sql: string) =>
      Effect.suspend(() => {
        asked.push(sql)
        const pages = pagesOf()
        return pages instanceof StorageError
          ? Effect.fail(pages)
          : Effect.succeed({ names: ["busy", "log", "checkpointed"], rows: [[0n, BigInt(pages), BigInt(pages)]] })
      }),
    run: (sql: string) => Effect.sync(() => void asked.push(sql)),
    close: () => void asked.push("end of the thread")
  }
  const checkpoint = new LogCheckpoint("a path", writing, () => {
    asked.push("thread")
    return thread
  })
  const worked = () => new Promise((resolve) => setImmediate(resolve))
  return { asked, checkpoint, worked }
}

it("is moved by a thread after every thousand changes, and by no commit", async () => {
  const { asked, checkpoint, worked } = checkpointOf(() => 900)
  for (const changes of [600, 399]) checkpoint.committed(changes)
  await worked()
  expect(asked).toEqual(["writer: wal_autocheckpoint = 0"])
  checkpoint.committed(1)
  // While it is moved, more is only counted.
  checkpoint.committed(5_000)
  await worked()
  expect(asked.slice(1)).toEqual(["thread", "pragma wal_checkpoint(passive)"])
  checkpoint.committed(1)
  await worked()
  expect(asked.slice(3)).toEqual(["pragma wal_checkpoint(passive)"])
})

it("is moved as a whole where it has grown long, while writers pause for a moment", async () => {
  const { asked, checkpoint, worked } = checkpointOf(() => 8000)
  checkpoint.committed(1000)
  await worked()
  expect(asked.slice(2)).toEqual([
    "pragma wal_checkpoint(passive)",
    "pragma busy_timeout = 100",
    "pragma wal_checkpoint(passive)",
    "pragma wal_checkpoint(full)"
  ])
})

it("is moved by commits again where the thread fails", async () => {
  const { asked, checkpoint, worked } = checkpointOf(
    () => new StorageError({ reason: "unavailable", detail: "the thread ended" })
  )
  for (let n = 0; n < 3; n++) {
    checkpoint.committed(1000)
    await worked()
  }
  expect(asked.slice(1)).toEqual([
    "thread",
    "pragma wal_checkpoint(passive)",
    "end of the thread",
    "writer: wal_autocheckpoint = 1000"
  ])
})

it("has a thread only while something is written", async () => {
  const { asked, checkpoint, worked } = checkpointOf(() => 900)
  checkpoint.rest()
  checkpoint.committed(1000)
  checkpoint.rest()
  await worked()
  checkpoint.rest()
  checkpoint.committed(1000)
  await worked()
  checkpoint.close()
  const move = ["thread", "pragma wal_checkpoint(passive)", "end of the thread"]
  expect(asked.slice(1)).toEqual([...move, ...move])
})

it("begins anew while the database is written to without a pause", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const path = yield* databasePath
        const write = Effect.gen(function* () {
          const store = yield* BotStore
          const bots = Array.from({ length: 500 }, () => Rows.bot(Rows.id(), { systemPrompt: "x".repeat(2000) }))
          yield* (yield* Storage).transact(Effect.forEach(bots, (bot) => store.add(bot), { discard: true }))
        })
        yield* Effect.provide(
          Effect.gen(function* () {
            const log = () => statSync(`${path}-wal`).size
            let [before, written] = [0, 0]
            // Were it never begun anew, each transaction would lengthen the file.
            while (written < 300 && (written < 5 || log() > before)) {
              before = log()
              yield* write
              written += 1
            }
            expect(written).toBeLessThan(300)
            expect(statSync(path).size).toBeGreaterThan(8_000_000)
          }),
          layer({ path })
        )
      })
    )
  ))
