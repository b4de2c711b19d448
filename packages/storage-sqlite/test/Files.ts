/** Folders for tests, and a way to see how long the event loop stood still. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"

/** A folder that goes with the scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-sqlite-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** The path of a database that is not there yet. */
export const databasePath = Effect.map(folder, (path) => join(path, "test.db"))

/** A thread that has nothing to do, and notes for how long the machine has kept it from doing it. */
const idler = `
  const { workerData } = require("node:worker_threads")
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    workerData[0] = Math.max(workerData[0], Math.ceil(now - last))
    last = now
  }, 1)
`

/**
 * Watches the event loop; the answer is its longest standstill in milliseconds, less the longest that an idle thread
 * of the same process had: what other processes do to the machine is not the event loop's fault.
 */
export const watchLoop = (): (() => number) => {
  const noise = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(idler, { eval: true, workerData: noise })
  let last = performance.now()
  let longest = 0
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    void thread.terminate()
    return Math.max(longest, performance.now() - last) - noise[0]!
  }
}
