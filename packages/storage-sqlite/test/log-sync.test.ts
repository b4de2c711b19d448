/** The write-ahead log on its way to the disk: docs/reference/storage.md#sqlite. Verifies: STOR-2. */
import { writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { LogSync } from "../src/LogSync.ts"
import { databasePath } from "./Files.ts"

type Done = (error: Error | null) => void

/** A disk whose work a test ends. */
const slowDisk = () => {
  const asked: Array<Done> = []
  const disk = {
    asked,
    atOnce: 0,
    fdatasync: (_file: number, done: Done) => void asked.push(done),
    fdatasyncSync: () => {
      disk.atOnce += 1
    }
  }
  return disk
}

const on = (test: (log: LogSync, disk: ReturnType<typeof slowDisk>) => Promise<void>) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(databasePath, (path) => {
        writeFileSync(path, "")
        const disk = slowDisk()
        const log = new LogSync(path, disk as never)
        return Effect.ensuring(
          Effect.promise(() => test(log, disk)),
          Effect.sync(() => log.close())
        )
      })
    )
  )

it("is brought there once for all who come while the disk works", () =>
  on(async (log, disk) => {
    const first = log.sync()
    const later = [log.sync(), log.sync(), log.sync()]
    expect(disk.asked).toHaveLength(1)
    disk.asked[0]?.(null)
    await first
    // What was written after the first turn had begun is in the second alone.
    expect(disk.asked).toHaveLength(2)
    disk.asked[1]?.(null)
    await Promise.all(later)
    expect(disk.asked).toHaveLength(2)
  }))

it("rejects for those whose turn of the disk has failed, and for nobody else", () =>
  on(async (log, disk) => {
    const failing = log.sync()
    const other = log.sync()
    disk.asked[0]?.(new Error("EIO"))
    await expect(failing).rejects.toThrow("EIO")
    disk.asked[1]?.(null)
    await other
  }))

it("is brought there at once where the storage closes", () =>
  on(async (log, disk) => {
    const first = log.sync()
    const second = log.sync()
    log.close()
    await second
    expect(disk.atOnce).toBe(1)
    disk.asked[0]?.(null)
    await first
  }))

it("rejects where its file is gone", async () => {
  await expect(new LogSync("/nowhere/a.db-wal").sync()).rejects.toThrow("ENOENT")
})
