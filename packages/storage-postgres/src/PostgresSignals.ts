/** Signals between processes by `LISTEN` and `NOTIFY`, on a connection of their own. Source: docs/reference/storage.md#signals. */
import type { RemoteSignals, SignalCounts } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import type pg from "pg"
import type { PostgresServers } from "./PostgresServers.ts"

export interface SignalOptions {
  /** Null where there is no connection on which signals arrive. */
  readonly servers: PostgresServers | null
  /** Processes with another schema have other tables, and other work. */
  readonly schema: string
}

/** Signals under one name are sent at most this often by a process. */
const minIntervalMs = 5
/** Between two attempts to connect. Until then work is found by polling. */
const reconnectMs = 1000
/** A signal of our own comes back within this time, or the connection is a pooler's, which passes none on. */
const ownSignalMs = 5000

const lost = () =>
  Effect.logWarning(
    "signals between processes do not arrive: a pooler in transaction mode passes none on. Work that another process has committed begins up to a second later."
  )

const channel = "trunkline"

type Run = (effect: Effect.Effect<unknown>) => void

class Signals implements Pick<RemoteSignals, "isListening" | "send"> {
  readonly #options: SignalOptions
  readonly #run: Run
  /** Of this process, whose own signals are left alone. */
  readonly #id = crypto.randomUUID()
  readonly #listeners = new Map<string, Set<Effect.Effect<void>>>()
  readonly #waiting = new Set<string>()
  /** Null until it listens. */
  #client: pg.Client | null = null
  #connecting: pg.Client | null = null
  #sendTimer: NodeJS.Timeout | undefined
  #connectTimer: NodeJS.Timeout | undefined
  #ownSignalTimer: NodeJS.Timeout | undefined
  #lastSent: Promise<unknown> = Promise.resolve()
  #sent = 0
  #received = 0
  #hasWarned = false
  /** True once a signal of our own has come back on this connection. */
  #isListening = false
  #isClosed = false

  constructor(options: SignalOptions, run: Run) {
    this.#options = options
    this.#run = run
    if (options.servers === null) run(lost())
    else void this.#connect(options.servers)
  }

  readonly send = (name: string): Effect.Effect<void> =>
    Effect.sync(() => {
      if (this.#client === null) return
      this.#waiting.add(name)
      // The first of several goes out at once; the others share the next turn.
      this.#sendTimer ??= this.#sendAll()
    })

  add(name: string, wake: Effect.Effect<void>): void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(wake))
  }

  remove(name: string, wake: Effect.Effect<void>): void {
    this.#listeners.get(name)?.delete(wake)
  }

  readonly isListening = (): boolean => this.#isListening

  counts(): SignalCounts {
    return { sent: this.#sent, received: this.#received, isListening: this.#isListening }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of [this.#sendTimer, this.#connectTimer, this.#ownSignalTimer]) clearTimeout(timer)
    const clients = [this.#client, this.#connecting]
    this.#client = null
    this.#isListening = false
    await Promise.all(clients.map((client) => client?.end().catch(() => undefined)))
  }

  #sendAll(): NodeJS.Timeout {
    const names = [...this.#waiting]
    this.#sent += names.length
    this.#waiting.clear()
    this.#notify(names)
    return setTimeout(() => {
      this.#sendTimer = undefined
      if (this.#waiting.size > 0) this.#sendTimer = this.#sendAll()
    }, minIntervalMs).unref()
  }

  #notify(names: ReadonlyArray<string>): void {
    const payloads = names.map((name) => JSON.stringify([this.#options.schema, this.#id, name]))
    const text = "select pg_notify($1, payload) from unnest($2::text[]) as payload"
    const client = this.#client
    // One after the other, as a connection takes them. A broken connection reports itself, and is replaced.
    this.#lastSent = this.#lastSent
      .then(() => client?.query({ name: "signal", text, values: [channel, payloads] }))
      .catch(() => undefined)
  }

  async #connect(servers: PostgresServers): Promise<void> {
    const client = new servers.config.Client({ ...servers.config, connectionTimeoutMillis: 10_000 })
    this.#connecting = client
    client.on("error", () => undefined)
    client.on("end", () => this.#ended(client, servers))
    client.on("notification", ({ payload = "" }) => this.#came(payload))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
    } catch {
      await client.end().catch(() => undefined)
      return this.#reconnect(servers)
    } finally {
      this.#connecting = null
    }
    if (this.#isClosed) return
    this.#client = client
    this.#expectOwn()
    // What was committed while nobody listened may be due.
    for (const listeners of this.#listeners.values()) for (const wake of listeners) this.#run(wake)
  }

  /** A signal of our own shows whether signals arrive at all. */
  #expectOwn(): void {
    this.#notify([""])
    if (this.#hasWarned) return
    this.#ownSignalTimer = setTimeout(() => {
      this.#hasWarned = true
      this.#run(lost())
    }, ownSignalMs).unref()
  }

  #came(payload: string): void {
    const [schema, id, name] = read(payload)
    if (id === this.#id) {
      clearTimeout(this.#ownSignalTimer)
      this.#isListening = this.#client !== null
    } else if (schema === this.#options.schema) this.#wake(name)
  }

  #wake(name: string): void {
    // Not those by which another process looks whether its own arrive.
    if (name !== "") this.#received += 1
    for (const wake of this.#listeners.get(name) ?? []) this.#run(wake)
  }

  #ended(client: pg.Client, servers: PostgresServers): void {
    if (this.#client !== client) return
    this.#client = null
    this.#isListening = false
    this.#reconnect(servers)
  }

  #reconnect(servers: PostgresServers): void {
    if (this.#isClosed) return
    this.#connectTimer = setTimeout(() => void this.#connect(servers), reconnectMs).unref()
  }
}

/** Anybody may send on the channel. */
const read = (payload: string): readonly [schema: string, id: string, name: string] => {
  try {
    const parts: unknown = JSON.parse(payload)
    if (!Array.isArray(parts)) return nothing
    return [String(parts[0]), String(parts[1]), String(parts[2])]
  } catch {
    return nothing
  }
}

const nothing = ["", "", ""] as const

/** Never fails: without a connection signals are lost, and work is found by polling. */
export const makeRemoteSignals = Effect.fnUntraced(function* (options: SignalOptions) {
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const signals = yield* Effect.acquireRelease(
    Effect.sync(() => new Signals(options, run)),
    (made) => Effect.promise(() => made.close())
  )
  return {
    counts: () => signals.counts(),
    isListening: signals.isListening,
    send: signals.send,
    listen: (name, wake) =>
      Effect.acquireRelease(
        Effect.sync(() => signals.add(name, wake)),
        () => Effect.sync(() => signals.remove(name, wake))
      )
  } satisfies RemoteSignals & { readonly counts: () => SignalCounts }
})
