/** Ends the process as whoever runs it asks: in order at the first signal, at once at the second. */
import { constants } from "node:os"
import { write } from "./Log.ts"
import type { Running } from "./Serve.ts"

/** A stop that takes longer is ended by force: whoever runs us waits no longer either. Nothing is lost by it. */
const patienceMs = 14_000

/** At a terminal one key sends the signal to us and to npm, which hands it on: that is one order, not two. */
const echoMs = 500

const say = (level: "info" | "warn" | "error", message: string): void => write({ at: new Date(), level, message })

const traceOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/**
 * Starts a server and answers once it runs; from here on signals end it. They are heard from the first moment: one that
 * comes while it starts stops it as soon as it can be stopped.
 */
export const runUntilStopped = async (start: () => Promise<Running>): Promise<void> => {
  let asked: number | undefined
  let running: Promise<Running> | undefined

  const stop = async (): Promise<void> => {
    try {
      await (await running)?.stop()
      process.exit(0)
    } catch (error) {
      say("error", `stopping failed: ${traceOf(error)}`)
      process.exit(1)
    }
  }

  const ask = (signal: "SIGTERM" | "SIGINT"): void => {
    if (asked !== undefined) {
      if (performance.now() - asked > echoMs) process.exit(128 + constants.signals[signal])
      return
    }
    asked = performance.now()
    say("info", `${signal}: stopping`)
    setTimeout(() => {
      say("warn", `not stopped after ${patienceMs / 1000} s: ended`)
      process.exit(0)
    }, patienceMs).unref()
    void stop()
  }

  process.on("SIGTERM", ask)
  process.on("SIGINT", ask)
  running = start()
  await running
  process.on("uncaughtException", (error) => {
    say("error", `ended by an error: ${traceOf(error)}`)
    process.exit(1)
  })
}
