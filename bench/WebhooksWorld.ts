/** The whole product with its webhooks pointed at a receiver on this machine, on both databases. */
import type { ChildProcess } from "node:child_process"
import { createTrunkline, type StorageProvider, type Trunkline } from "@trunkline/core"
import { Outbound, outboundProvider } from "@trunkline/core/provider"
import { eventExamples } from "@trunkline/core/testing"
import { outboundLayer } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import { postgres } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import pg from "pg"
import { messageOf, start } from "./Children.ts"
import { database, encryptionKey } from "./Database.ts"
import { type PostgresServer, postgresServer } from "./Postgres.ts"
import type { Expect, ProcessMessage } from "./WebhooksReceiver.ts"

/** A name, so that every attempt resolves one. The system knows this machine under another, which is never called. */
export const host = "receiver.example"

/** Node's own client of the product, which looks up `localhost` where `host` is asked for. */
export const outboundToHere: Layer.Layer<Outbound> = Layer.effect(
  Outbound,
  Effect.map(Outbound, ({ post, request, resolve }) =>
    Outbound.of({ post, request, resolve: (name) => resolve(name === host ? "localhost" : name) })
  )
).pipe(Layer.provide(outboundLayer()))

export const networks = ["127.0.0.0/8", "::1/128"]

const bodyBytes = 500
export const event = "message.received"

/** Data with which the whole body has an exact number of bytes. */
export const data = ((): Readonly<Record<string, unknown>> => {
  const known = { ...eventExamples[event], text: "" }
  const empty = JSON.stringify({ event, data: known, timestamp: "2026-11-21T09:30:00.000+00:00" }).length
  return { ...known, text: "x".repeat(bodyBytes - empty) }
})()

/** The queue that WebhooksThroughput empties. Endpoints enough for every slot: each gets 16 attempts at a time. */
export const fullQueue = { endpoints: 8, events: 500, deliveries: 8 * 500 } as const

/** A database that the product works on, and that is looked at beside it. */
export interface World {
  readonly name: "SQLite" | "Postgres"
  /** A path or a URL, for `worldAt` in another process. */
  readonly address: string
  readonly storage: () => StorageProvider
  /** Runs a statement in SQL that both databases know, in the product's tables; returns its first number. */
  readonly sql: (text: string) => Promise<number>
  readonly close: () => Promise<void>
}

/** One of which there can be more of its kind, new and empty. */
export interface OneOfMany extends World {
  readonly another: () => Promise<OneOfMany>
}

const sqliteAt = (path: string): World => {
  const db = new BetterSqlite(path)
  return {
    name: "SQLite",
    address: path,
    storage: () => sqlite(path),
    sql: async (text) => {
      const statement = db.prepare(text)
      if (statement.reader) return Number(statement.pluck().get())
      return statement.run().changes
    },
    close: async () => void db.close()
  }
}

const postgresAt = (url: string): World => {
  const pool = new pg.Pool({ connectionString: url, max: 1, options: "-c search_path=trunkline" })
  // The server may be quicker to go than the pool.
  pool.on("error", () => undefined)
  return {
    name: "Postgres",
    address: url,
    storage: () => postgres(url),
    sql: async (text) => {
      const { rowCount, rows } = await pool.query({ text, rowMode: "array" })
      return Number(rows[0]?.[0] ?? rowCount)
    },
    close: () => pool.end()
  }
}

export const worldAt = ({ address, name }: Pick<World, "address" | "name">): World =>
  name === "SQLite" ? sqliteAt(address) : postgresAt(address)

const onSqlite = async (home: string): Promise<OneOfMany> => ({
  ...sqliteAt(await database(home, `webhooks-${crypto.randomUUID()}.db`)),
  another: () => onSqlite(home)
})

const onPostgres = async (server: PostgresServer): Promise<OneOfMany> => ({
  ...postgresAt(await server.database(`webhooks_${crypto.randomUUID().replaceAll("-", "")}`)),
  another: () => onPostgres(server)
})

/** Both databases, new and empty, or one and why there is no other. */
export const worlds = async (
  home: string
): Promise<{
  readonly worlds: ReadonlyArray<OneOfMany>
  readonly close: () => Promise<void>
  readonly missing?: string
}> => {
  const here = await onSqlite(home)
  const server = await postgresServer()
  if ("missing" in server) return { worlds: [here], close: here.close, missing: server.missing }
  const there = await onPostgres(server)
  return {
    worlds: [here, there],
    close: async () => {
      await here.close()
      await there.close()
      await server.stop()
    }
  }
}

/** The product on this database. */
export const product = ({ storage }: World): Promise<Trunkline> =>
  createTrunkline({
    storage: storage(),
    telephony: simulator(),
    outbound: outboundProvider(outboundToHere),
    encryptionKey,
    webhooks: { allowNetworks: networks },
    limits: { webhooks: 10_000 },
    log: ({ level, message }) => void (level === "error" && process.stderr.write(`  ${message}\n`))
  })

/** An account whose subscriptions all hear of `event`; returns its id and theirs. */
export const subscribe = async (core: Trunkline, urls: ReadonlyArray<string>) => {
  const { id } = await core.admin.createAccount({ name: "Bench" })
  const ids: Array<string> = []
  for (const url of urls) ids.push((await core.webhooks.create(id, { url, events: [event] })).webhook.id)
  return { accountId: id, ids }
}

/** Publishes events, as many at a time as one commit may have. */
export const publish = async (core: Trunkline, accountId: string, count: number): Promise<void> => {
  for (let from = 0; from < count; from += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, count - from) }, () => core.events.publish(accountId, { event, data }))
    )
  }
}

export interface Receiver {
  readonly port: number
  readonly url: (path: string) => string
  /** Resolves when this number of deliveries have been answered from now on, each under an id of its own and once. */
  readonly expect: (count: number) => Promise<void>
  /** When the first byte of the next request comes, on the clock of `WebhooksClock.ts`. */
  readonly firstByte: () => Promise<number>
  /** Resets the connections whose requests are never answered. */
  readonly release: () => void
  readonly stop: () => void
}

/** Starts the other side. */
export const receiver = async (...words: ReadonlyArray<"close">): Promise<Receiver> => {
  const child: ChildProcess = start("WebhooksReceiver.ts", words)
  const next = () => messageOf<ProcessMessage>(child)
  const say = (expect: Expect): void => void child.send(expect)
  const begun = await next()
  if (!("port" in begun)) throw new Error("the receiver did not begin")
  return {
    port: begun.port,
    url: (path) => `http://${host}:${begun.port}/${path}`,
    expect: async (count) => {
      say({ expect: count })
      const news = await next()
      if (!("answered" in news) || news.answered !== count) throw new Error(`the receiver was sent a delivery twice`)
    },
    firstByte: async () => {
      say({ watch: true })
      const news = await next()
      if (!("firstByteAt" in news)) throw new Error("the receiver told something else")
      return news.firstByteAt
    },
    release: () => say({ release: true }),
    stop: () => void child.disconnect()
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))

/** Waits until the log says so, and no row is pending. */
export const logged = async ({ sql }: World, where = "true"): Promise<void> => {
  while ((await sql(`select count(*) from webhook_deliveries where next_at is not null and ${where}`)) > 0) {
    await pause(2)
  }
}
