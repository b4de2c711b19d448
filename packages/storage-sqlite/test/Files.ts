/** Folders for tests, and a way to see how long the event loop stood still. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"

/** A folder that goes with the scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-sqlite-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** The path of a database that is not there yet. */
export const databasePath = Effect.map(folder, (path) => join(path, "test.db"))

/** Watches the event loop; the answer tells its longest standstill in milliseconds. */
export const watchLoop = (): (() => number) => {
  let last = performance.now()
  let longest = 0
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return Math.max(longest, performance.now() - last)
  }
}
