/** Signals: the first one stops the server in order, the second one ends the process immediately. */
import { constants } from "node:os"
import { write } from "./Log.ts"
import type { Running } from "./Serve.ts"

/** A stop that takes longer is aborted, before a process manager kills it. Claims expire, so that no work is lost. */
const stopTimeoutMs = 14_000

/** At a terminal one key sends the signal to this process and to npm, which forwards it: the second one is not an order. */
const echoMs = 500

const say = (level: "info" | "warn" | "error", message: string): void => write({ at: new Date(), level, message })

const traceOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/**
 * Starts a server and returns once it runs; from then on signals end it. A signal during the start stops the server as soon
 * as it has started.
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
      say("warn", `not stopped after ${stopTimeoutMs / 1000} s: ended`)
      process.exit(0)
    }, stopTimeoutMs).unref()
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
