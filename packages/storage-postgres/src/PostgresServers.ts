/** The servers behind a URL: connects to the one that accepts writes, and goes over to the one that takes its place. Source: docs/reference/storage.md#servers. */
import type { Duplex } from "node:stream"
import { StorageError } from "@trunkline/core/storage"
import pg from "pg"
import { classify, connectionFailure } from "./PostgresErrors.ts"
import { type PostgresPromotions, type PrimaryState, type Queryable, stateColumns } from "./PostgresPromotions.ts"
import { chooseServer, type Seen } from "./ServerChoice.ts"
import { serverUrls } from "./ServerUrls.ts"
import { WatchedServer } from "./WatchedServer.ts"

/** Between two looks at the servers, and while none of them accepts writes. */
const watchMs = 2_000
const searchMs = 500

/** The same code as that of a broken connection: what was under way has an unknown outcome. */
const leftBehind = (name: string) =>
  Object.assign(new Error(`the server ${name} was left: it is gone, or another has taken its place`), {
    code: "ECONNRESET"
  })

export interface ServersOptions {
  readonly url: string
  /** Null for connections on which nothing is written. */
  readonly promotions: PostgresPromotions | null
  /** The process works with another server now. */
  readonly onMove: (name: string) => void
  /** The clock of the server it works with, in milliseconds. */
  readonly onClock: (now: number) => void
}

export class PostgresServers {
  readonly #options: ServersOptions
  readonly #servers: ReadonlyArray<WatchedServer>
  /** Of connections to the server of `#place`. */
  readonly #sockets = new Set<Duplex>()
  /** Settings of a connection to any of them. */
  readonly config: pg.ClientConfig & { readonly Client: typeof pg.Client }
  /** The server that was worked with last. */
  #place = 0
  /** It is to be worked with. */
  #isChosen: boolean
  #timeline = 0
  #looking: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ServersOptions) {
    this.#options = options
    this.#servers = serverUrls(options.url).map((url) => new WatchedServer(url))
    // There is nothing to choose where there is one.
    this.#isChosen = this.#servers.length === 1
    this.config = {
      connectionString: this.#servers[0]!.url,
      application_name: "trunkline",
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      Client: clientOf(this)
    }
  }

  /** Begins to look at the servers, so that one that vanishes or is superseded is noticed. */
  watch(): void {
    this.#timer = setTimeout(
      () =>
        void this.#look()
          .catch(() => undefined)
          .then(() => (this.#isClosed ? undefined : this.watch())),
      this.#isChosen ? watchMs : searchMs
    ).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking?.catch(() => undefined)
    await Promise.all(this.#servers.map((server) => server.close()))
  }

  /** The server to connect to. Rejects where none accepts writes. */
  async target(): Promise<WatchedServer> {
    if (!this.#isChosen) await this.#look()
    return this.#current
  }

  /** A connection to the chosen server begins. */
  begun(socket: Duplex): void {
    this.#sockets.add(socket)
    socket.once("close", () => this.#sockets.delete(socket))
  }

  /** A connection to the chosen server has failed. */
  failed(): void {
    this.#isChosen = this.#servers.length === 1
  }

  /** Reads the state of a connection's server. */
  async stateOf(on: Queryable): Promise<PrimaryState> {
    const { rows } = await on.query(`select ${stateColumns}`)
    return this.accept(rows[0])
  }

  /** The state of a primary as its row, or an error: a server that only reads, or that was superseded, is not worked with. */
  accept(row: { readonly [column: string]: unknown }): PrimaryState {
    const { name } = this.#current
    if (row.readonly === true) throw this.#refused("the database only reads: connect to the primary")
    const timeline = Number(row.timeline)
    if (timeline < this.#timeline) {
      throw this.#refused(
        `the server ${name} was superseded: it is on the timeline ${timeline}, and this process has seen ${this.#timeline}. Restart this process if that is intended.`
      )
    }
    this.#timeline = timeline
    return { timeline, replayedAt: row.replayed_at === null ? null : Number(row.replayed_at) }
  }

  /** Checks a connection before anything runs on it, and records a promotion. */
  async admit(on: Queryable): Promise<void> {
    await this.#record(await this.stateOf(on), on)
  }

  /** Checks a transaction that has begun. A promotion is recorded on a connection of its own: the transaction may be rolled back. */
  async admitState(row: { readonly [column: string]: unknown }): Promise<void> {
    const state = this.accept(row)
    if (this.#options.promotions?.isKnown(state) !== false) return
    const client = new this.config.Client(this.config)
    client.on("error", () => undefined)
    try {
      await client.connect()
      await this.#record(state, client)
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async #record(state: PrimaryState, on: Queryable): Promise<void> {
    const { promotions } = this.#options
    if (promotions !== null && !promotions.isKnown(state)) await promotions.record(on, state)
  }

  #refused(detail: string): StorageError {
    this.failed()
    return new StorageError({ reason: "unavailable", detail })
  }

  get #current(): WatchedServer {
    return this.#servers[this.#place]!
  }

  /** Looks at all servers and goes over to another where it must. Rejects where none accepts writes. */
  #look(): Promise<void> {
    this.#looking ??= Promise.all(this.#servers.map((server) => server.look()))
      .then((seen) => this.#decide(seen))
      .finally(() => {
        this.#looking = null
      })
    return this.#looking
  }

  #decide(seen: ReadonlyArray<Seen>): void {
    const place = chooseServer(seen, { current: this.#place, timeline: this.#timeline })
    if (place !== this.#place) this.#leave()
    const isMove = place !== null && place !== this.#place
    if (place !== null) this.#place = place
    this.#isChosen = place !== null || this.#servers.length === 1
    const chosen = seen[this.#place]
    if (place !== null && chosen?._tag === "Primary") {
      this.#timeline = chosen.timeline
      this.#options.onClock(chosen.now)
    }
    if (isMove) this.#options.onMove(this.#current.name)
    if (!this.#isChosen) throw nonePrimary(this.#servers, seen)
  }

  /** Nothing more is written where another server has taken its place, and nothing waits for a server that is gone. */
  #leave(): void {
    for (const socket of this.#sockets) socket.destroy(leftBehind(this.#current.name))
  }
}

/** A client that connects to the chosen server. */
const clientOf = (servers: PostgresServers) =>
  class extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error | null, client?: pg.Client) => void): void
    override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | undefined {
      if (callback === undefined) {
        return new Promise((resolve, reject) =>
          this.connect((error) => (error === null ? resolve(this) : reject(error)))
        )
      }
      servers.target().then(({ host, port }) => {
        this.host = host
        this.port = port
        servers.begun(this.connection.stream)
        super.connect((error: Error | null) => {
          if (error !== null) servers.failed()
          callback(error, this)
        })
      }, callback)
      return undefined
    }
  }

const nonePrimary = (servers: ReadonlyArray<WatchedServer>, seen: ReadonlyArray<Seen>): StorageError => {
  const errors = seen.map((one) => ("error" in one ? classify(one.error, "connect") : null))
  const why = servers.map(({ name }, place) => `${name} ${errors[place]?.detail ?? "only reads, or was superseded"}`)
  // A standby may be promoted at any time: a start is tried again, as after a broken connection.
  const cause = seen.some(({ _tag }) => _tag === "ReadOnly")
    ? Object.assign(new Error("a standby waits for its promotion"), { code: "57P03" })
    : (errors.find((error) => error !== null && connectionFailure(error) === "interrupted") ?? errors[0])?.cause
  return new StorageError({ reason: "unavailable", detail: `no server accepts writes: ${why.join("; ")}`, cause })
}
