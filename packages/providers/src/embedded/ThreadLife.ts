/** The life of one thread: it loads as soon as it starts, stays while somebody keeps it, and ends when nobody did for a while. */
import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"

/** What a thread says of an order, or of its loading, where that came to nothing. */
export type ThreadFailure = { readonly kind: "stopped" } | { readonly kind: "failed"; readonly detail: string }

/** Everything is loaded and has run once. */
export interface Warm {
  readonly kind: "warm"
}

/** `error` is what `tools` rejected with. */
export interface NotStarted {
  readonly kind: "not_started"
  readonly error: unknown
}

export interface ThreadSettings {
  /** What a new thread works with. Asked before each start. */
  readonly tools: () => Promise<unknown>
  readonly thread: URL
  readonly idleMs: number
}

/** A thread that is ready to work, or why there is none. */
export type Loaded<Own> = { readonly kind: "ready"; readonly worker: Worker } | NotStarted | ThreadFailure | Own

export interface ThreadLife<Own> {
  /** Starts the thread where there is none. One that cannot load is ended, and the next call starts another. */
  readonly loaded: () => Promise<Loaded<Own>>
  /** The thread does not end of itself until the result is called. */
  readonly keep: () => () => void
  /** Ends the thread at once. */
  readonly dismiss: () => Promise<void>
  /** The same, and starts no other. */
  readonly close: () => Promise<void>
}

/** Undefined where a bundler has turned this module into CommonJS. */
const here: string | undefined = import.meta.url

/**
 * The file of a thread in this folder. From sources a thread runs the source, from a build the build. Throws where a bundle lacks
 * it: docs/reference/embedding.md#bundles.
 */
export const threadFile = (name: string): URL => {
  const file = here === undefined ? null : new URL(`./${name}${here.endsWith(".ts") ? ".ts" : ".js"}`, here)
  if (file !== null && existsSync(file)) return file
  throw new Error(`The embedded engine cannot start its thread ${name}: keep @trunkline/providers out of the bundle.`)
}

/** The next message of a thread, which keeps the process alive until then. A thread that ends has failed. */
export const nextReply = <Reply>(on: Worker): Promise<Reply | ThreadFailure> =>
  new Promise((resolve) => {
    const settle = (reply: Reply | ThreadFailure) => {
      on.off("message", settle).off("exit", gone).off("error", broken)
      on.unref()
      resolve(reply)
    }
    const gone = (code: number) => settle({ kind: "failed", detail: `the thread ended with ${code} and no answer` })
    const broken = (error: Error) => settle({ kind: "failed", detail: `the thread broke: ${error.message}` })
    on.on("message", settle).on("exit", gone).on("error", broken)
    on.ref()
  })

export const makeThreadLife = <Own extends { readonly kind: string }>({
  idleMs,
  thread,
  tools
}: ThreadSettings): ThreadLife<Own> => {
  let worker: Worker | null = null
  let loading: Promise<Loaded<Own>> | null = null
  let keepers = 0
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  const forget = (): Worker | null => {
    const old = worker
    worker = null
    loading = null
    return old
  }

  const rest = (): void => {
    // One that is about to start is noticed when it has loaded.
    idle = setTimeout(() => worker !== null && forget()?.postMessage(null), idleMs).unref()
  }

  const load = async (): Promise<Loaded<Own>> => {
    let workerData: unknown
    try {
      workerData = await tools()
      if (isClosed) throw new Error("closed while it was starting")
    } catch (error) {
      return { kind: "not_started", error }
    }
    const fresh = new Worker(thread, { workerData })
    worker = fresh
    // Without a listener an error of the thread would end the process. Who waits for an answer hears of it by `exit`.
    fresh.on("error", () => undefined)
    fresh.once("exit", () => worker === fresh && forget())
    const reply = await nextReply<Own | Warm>(fresh)
    if (reply.kind !== "warm") {
      await fresh.terminate()
      return reply as Own | ThreadFailure
    }
    if (keepers === 0) rest()
    return { kind: "ready", worker: fresh }
  }

  const loaded = async (): Promise<Loaded<Own>> => {
    loading ??= load()
    const mine = loading
    const result = await mine
    if (result.kind !== "ready" && loading === mine) forget()
    return result
  }

  const keep = (): (() => void) => {
    let isKept = true
    keepers++
    clearTimeout(idle)
    return () => {
      if (!isKept) return
      isKept = false
      keepers--
      if (keepers === 0 && !isClosed) rest()
    }
  }

  const dismiss = async (): Promise<void> => {
    await forget()?.terminate()
  }

  const close = (): Promise<void> => {
    isClosed = true
    clearTimeout(idle)
    return dismiss()
  }

  return { loaded, keep, dismiss, close }
}
