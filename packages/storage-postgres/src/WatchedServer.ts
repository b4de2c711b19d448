/** One server, on a connection that is kept to look at it. */
import pg from "pg"
import { stateColumns } from "./PostgresPromotions.ts"
import type { Seen } from "./ServerChoice.ts"
import { serverNow } from "./ServerClock.ts"

/** Maximum time to connect, and of an answer after that. */
const answerMs = 3_000

export class WatchedServer {
  readonly url: string
  readonly host: string
  readonly port: number
  #client: pg.Client | null = null

  constructor(url: string) {
    this.url = url
    const { host, port } = new pg.Client(url)
    this.host = host
    this.port = port
  }

  /** For people. */
  get name(): string {
    return `${this.host}:${this.port}`
  }

  /** Succeeds with whatever it shows. A kept connection that fails is replaced once: it may have broken, or this process stood still. */
  async look(): Promise<Seen> {
    if (this.#client !== null) {
      const seen = await this.#seen(this.#client)
      if (seen._tag !== "Silent") return seen
    }
    const client = new pg.Client({
      connectionString: this.url,
      application_name: "trunkline",
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs
    })
    client.on("error", () => undefined)
    try {
      await client.connect()
    } catch (error) {
      return failed(error)
    }
    this.#client = client
    return this.#seen(client)
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => undefined)
  }

  async #seen(client: pg.Client): Promise<Seen> {
    try {
      const { rows } = await client.query(`select ${stateColumns}, ${serverNow} as now`)
      const { now, readonly, timeline } = rows[0]
      return readonly ? { _tag: "ReadOnly" } : { _tag: "Primary", timeline: Number(timeline), now: Number(now) }
    } catch (error) {
      this.#client = null
      client.connection.stream.destroy()
      return failed(error)
    }
  }
}

/** One that refuses, for want of connections or because of the password, is there. One that starts or stops is not. */
const failed = (error: unknown): Seen => {
  const code = error instanceof pg.DatabaseError ? (error.code ?? "") : "08"
  return { _tag: code.startsWith("08") || code.startsWith("57P") ? "Silent" : "Unclear", error }
}
