/** A claim of what is due with a log of thirteen months, one partition for each, against the same log in one table. */

import { DeliveryStore, Ids, Instant, RetentionStore, Storage } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-postgres"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import pg from "pg"
import { type Figure, progress, report } from "./Figures.ts"
import { type PostgresServer, postgresServer } from "./Postgres.ts"
import { interleaved, median, ratio, timed } from "./Rounds.ts"

const months = 13
const rowsPerMonth = 20_000
const endpoints = 60
const looks = 40
const plan = { rounds: 7, warmUp: 2 }

const now = Instant.make(Date.now())
const monthsAgo = (count: number): Instant.Instant => {
  const date = new Date(now)
  return Instant.make(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count, 1))
}

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`

/** In place of the first partition, which has all that was there when the database got months. */
const divide = async (client: pg.Client): Promise<void> => {
  await client.query("drop table webhook_deliveries_first")
  const bounds = Array.from({ length: months + 1 }, (_, n) => Ids.firstOf(monthsAgo(months - 1 - n)))
  for (const [n, from] of bounds.entries()) {
    await client.query(`create table webhook_deliveries_m${n} partition of webhook_deliveries
      for values from ('${from}') to ('${bounds[n + 1] ?? Ids.firstOf(monthsAgo(-2))}')`)
  }
}

const undivide = async (client: pg.Client): Promise<void> => {
  const { rows } =
    await client.query(`select indexname as name, substring(indexdef from ' USING .*$') as definition from pg_indexes
    where schemaname = 'trunkline' and tablename = 'webhook_deliveries' and indexname <> 'webhook_deliveries_pkey'`)
  await client.query(`create table plain (like webhook_deliveries including defaults including constraints);
    drop table webhook_deliveries; alter table plain rename to webhook_deliveries;
    alter table webhook_deliveries add primary key (id)`)
  for (const { definition, name } of rows) {
    await client.query(`create index ${name} on webhook_deliveries${definition}`)
  }
}

const fill = async (client: pg.Client): Promise<void> => {
  await client.query(`insert into webhooks (id, tenant_id, surface, url, events, secret, secret_hint, is_active, retry_schedule, created_at, updated_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${idOf(0)}', 'platform', 'u', '[]', 's', 'h', true, 'standard', 0, 0
    from generate_series(1, ${endpoints}) n`)
  for (let month = 0; month < months; month++) {
    await client.query(`insert into webhook_deliveries (id, tenant_id, webhook_id, surface, event, payload, status, attempts, created_at)
      select (lpad(to_hex(${monthsAgo(month)} + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, '${idOf(0)}',
        ('00000000-0000-7000-8000-' || lpad((n % ${endpoints} + 1)::text, 12, '0'))::uuid, 'platform', 'e',
        repeat('x', 300), case when n % 10 = 0 then 'failed' else 'delivered' end, 1, ${monthsAgo(month)} + n
      from generate_series(1, ${rowsPerMonth}) n`)
  }
  await client.query("vacuum analyze webhook_deliveries")
}

const make = async (server: PostgresServer, name: string, arrange: (client: pg.Client) => Promise<void>) => {
  const url = await server.database(name)
  const runtime = ManagedRuntime.make(layer({ url }))
  const services = Effect.all({ retention: RetentionStore, storage: Storage, store: DeliveryStore })
  const { retention, storage, store } = await runtime.runPromise(services)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("set search_path to trunkline")
  await arrange(client)
  await fill(client)
  await runtime.runPromise(retention.prepare(now))

  const queue = Effect.gen(function* () {
    const at = yield* Instant.now
    const next = yield* Ids.source
    const rows = Array.from({ length: endpoints }, (_, n) => ({
      id: Ids.as<"Delivery">(next()),
      tenantId: Ids.as<"Account">(idOf(0)),
      webhookId: Ids.as<"Webhook">(idOf(n + 1)),
      surface: "platform" as const,
      event: "e",
      payload: "x".repeat(300),
      status: "pending" as const,
      attempts: 0,
      statusCode: null,
      error: null,
      sendId: null,
      createdAt: at,
      lastAttemptAt: null,
      deliveredAt: null,
      nextAt: at,
      claim: null
    }))
    yield* storage.transact(store.add(rows))
  })

  const look = Effect.gen(function* () {
    const at = yield* Instant.now
    const claim = yield* Ids.fresh()
    const query = { at, perEndpoint: 16, limit: 256, full: [], suspect: [] }
    const found = yield* store.due(query)
    const ids = found.map(({ id }) => id)
    const until = Instant.plus(at, Instant.minute)
    const claimed = yield* store.claim({ ids, claim, at, until })
    if (claimed.length !== endpoints) return yield* Effect.die(new Error(`${name}: claimed ${claimed.length}`))
    return { at, claim, claimed }
  }).pipe(storage.transactWith({ durability: "relaxed" }))

  const end = ({ at, claim, claimed }: Effect.Success<typeof look>) =>
    storage.transact(
      store.end(
        claimed.map(({ id }) => ({
          id,
          claim,
          status: "delivered" as const,
          attempts: 1,
          statusCode: 204,
          error: null,
          lastAttemptAt: at,
          deliveredAt: at,
          nextAt: null
        }))
      )
    )

  return {
    look: async () => {
      const times = { claim: [] as number[], end: [] as number[], idle: [] as number[] }
      for (let n = 0; n < looks; n++) {
        await runtime.runPromise(queue)
        let found: Effect.Success<typeof look> | undefined
        times.claim.push(await timed(async () => (found = await runtime.runPromise(look))))
        times.end.push(await timed(() => runtime.runPromise(end(found!))))
        times.idle.push(await timed(() => runtime.runPromise(storage.read(store.nextDue([])))))
      }
      await client.query("vacuum webhook_deliveries")
      return { claim: median(times.claim), end: median(times.end), idle: median(times.idle) }
    },
    close: async () => {
      await client.end()
      await runtime.dispose()
    }
  }
}

const main = async (): Promise<void> => {
  const server = await postgresServer()
  if ("missing" in server) throw new Error(server.missing)
  const divided = await make(server, "divided", divide)
  const whole = await make(server, "whole", undivide)
  progress("looks")
  const kinds = ["claim", "end", "idle"] as const
  type Kind = (typeof kinds)[number]
  const all: Record<Kind, Record<"divided" | "whole", Array<number>>> = {
    claim: { divided: [], whole: [] },
    end: { divided: [], whole: [] },
    idle: { divided: [], whole: [] }
  }
  const measuring = (name: "divided" | "whole", world: typeof whole) => async (round: number) => {
    const found = await world.look()
    if (round >= 0) for (const kind of kinds) all[kind][name].push(found[kind])
    return found.claim
  }
  await interleaved(plan, { divided: measuring("divided", divided), whole: measuring("whole", whole) })
  await divided.close()
  await whole.close()
  await server.stop()
  const words = { claim: `a claim of ${endpoints}`, end: `the ends of ${endpoints}`, idle: "a look at an empty queue" }
  report(
    kinds.map((kind): Figure => {
      const each = (name: "divided" | "whole") => `${median(all[kind][name]).toFixed(2)} ms`
      return {
        what: words[kind],
        measured: `${each("divided")} with ${months} months`,
        against: `${each("whole")} in one table`,
        // The others are shown: an empty queue is looked at once a second.
        ...(kind === "claim" ? { judged: { value: ratio(all.claim, "divided", "whole"), bar: { atMost: 1.2 } } } : {})
      }
    })
  )
}

await main()
