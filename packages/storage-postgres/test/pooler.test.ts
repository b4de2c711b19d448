/** Postgres behind PgBouncer: docs/reference/storage.md#poolers. */
import { assert, describe, it } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { BotStore, RemoteSignals } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-postgres"
import { claims, locks, Rows, transactions } from "@trunkline/testing/storage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import pg from "pg"
import { missingPgBouncer, type Pooler, startPgBouncer } from "../../../test/PgBouncer.ts"
import { database, migratedDatabase, missing } from "../../../test/TestPostgres.ts"

const reason = missing() ?? missingPgBouncer()
const title = (name: string) => `${name}${reason === null ? "" : ` [skipped: ${reason}]`}`

const poolerFor = (url: string, mode: "transaction" | "session" = "transaction") =>
  Effect.acquireRelease(
    Effect.promise(() => startPgBouncer(url, mode)),
    (pooler: Pooler) => Effect.promise(() => pooler.stop())
  ).pipe(Effect.map(({ urlOf }) => urlOf(url)))

const pooled = Layer.unwrap(
  Effect.map(Effect.flatMap(migratedDatabase, poolerFor), (url) =>
    layer({ url, pooler: "transaction", connections: 5 })
  )
)

// The whole suite takes two minutes here. These are what a pooler could break: connections that others use in between.
if (reason === null) for (const suite of [transactions, locks, claims]) suite("pgbouncer", pooled, { sideBySide: true })

const addBot = (tenantId: Parameters<typeof Rows.bot>[0]) => BotStore.use((store) => store.add(Rows.bot(tenantId)))
const countBots = (tenantId: Parameters<typeof Rows.bot>[0]) => read(BotStore.use((store) => store.count(tenantId)))

const wait = (milliseconds: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))

/** What another client of the pooler finds, on each connection of the server in turn. */
const settingsOf = (url: string) =>
  Effect.promise(async () => {
    const clients = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = new pg.Client(url)
        await client.connect()
        await client.query("begin")
        return client
      })
    )
    const found = new Set<string>()
    for (const client of clients) {
      for (const name of ["search_path", "enable_seqscan", "plan_cache_mode"]) {
        found.add(Object.values((await client.query(`show ${name}`)).rows[0]).join())
      }
      await client.end()
    }
    return [...found]
  })

const built = (options: Parameters<typeof layer>[0]) => Layer.build(Layer.fresh(layer(options)))

describe.skipIf(reason !== null)(title("a pooler"), () => {
  it.live("in transaction mode is noticed at the start, which says what to set", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(migratedDatabase, poolerFor)
      const error = yield* Effect.flip(built({ url }))
      assert.match(error.detail, /pooler in transaction mode: set "pooler" to "transaction"/)
    })
  )

  it.live("in session mode needs no option", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(migratedDatabase, (direct) => poolerFor(direct, "session"))
      const services = yield* built({ url, connections: 2 })
      const tenantId = Rows.id<"Account">()
      yield* Effect.provide(transact(addBot(tenantId)), services)
      assert.strictEqual(yield* Effect.provide(countBots(tenantId), services), 1)
    })
  )

  it.live("leaves no setting of ours on connections that others get", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(migratedDatabase, poolerFor)
      const services = yield* built({ url, pooler: "transaction", connections: 3 })
      const tenantId = Rows.id<"Account">()
      yield* Effect.forEach([1, 2, 3], () => Effect.provide(transact(addBot(tenantId)), services), { concurrency: 3 })
      assert.strictEqual(yield* Effect.provide(countBots(tenantId), services), 3)
      const other = yield* built({ url, pooler: "transaction", schema: "trunkline" })
      assert.strictEqual(yield* Effect.provide(countBots(tenantId), other), 3)
      const found = yield* settingsOf(url)
      assert.deepStrictEqual(found, ['"$user", public', "on", "auto"])
    })
  )

  it.live("in transaction mode gives way to the direct address for the schema and for signals", () =>
    Effect.gen(function* () {
      const direct = yield* database
      const url = yield* poolerFor(direct)
      const error = yield* Effect.flip(built({ url, pooler: "transaction" }))
      assert.match(error.detail, /at version 0 of the schema, this release needs \d+, .*: set "direct_url"/)
      const [one, other] = [
        yield* built({ url, pooler: "transaction", directUrl: direct }),
        yield* built({ url, pooler: "transaction", directUrl: direct })
      ]
      let woken = 0
      yield* Context.get(other, RemoteSignals).listen(
        "work",
        Effect.sync(() => void woken++)
      )
      for (let sent = 0; woken < 2; sent++) {
        assert.isBelow(sent, 200)
        yield* Context.get(one, RemoteSignals).send("work")
        yield* wait(50)
      }
    })
  )

  it.live("in transaction mode without the direct address passes no signals on, and the log says so", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(migratedDatabase, poolerFor)
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      yield* built({ url, pooler: "transaction" }).pipe(Effect.provide(logger))
      yield* wait(50)
      assert.lengthOf(
        lines.filter((line) => line.startsWith("signals between processes do not arrive")),
        1
      )
    })
  )
})
