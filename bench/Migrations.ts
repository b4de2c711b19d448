/**
 * What others wait while tables of ten million rows get months: two processes start at once on the schema of the release
 * before, beside clients that read, add and change rows of these tables all the while. `ROWS` sets another size.
 */

import { Ids, Instant } from "@trunkline/core/effect"
import { migrationsOf, postgresDialect } from "@trunkline/storage-kysely"
import { layer } from "@trunkline/storage-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import pg from "pg"
import { type Figure, progress, report } from "./Figures.ts"
import { postgresServer } from "./Postgres.ts"
import { timed } from "./Rounds.ts"

const rows = Number(process.env.ROWS ?? 10_000_000)
const rowsPerInsert = 500_000
/** Of one lock, for anybody. */
const maxWaitMs = 100
const writers = 4
const sampleMs = 2

const start = (url: string) => Effect.runPromise(Effect.scoped(Layer.build(Layer.fresh(layer({ url })))))

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("set search_path to trunkline")
  return client
}

const tables = {
  outbox: {
    columns: "id, tenant_id, event, data, at",
    values: "id, id, 'call.started', '{}', n",
    touch: () => "select id from outbox order by epoch desc, position desc limit 1"
  },
  webhook_deliveries: {
    columns: "id, tenant_id, webhook_id, surface, event, payload, status, attempts, created_at",
    values: "id, id, id, 'platform', 'call.started', '{}', 'delivered', 1, n",
    touch: (id: string) => `update webhook_deliveries set attempts = 2 where id = '${id}'`
  },
  calls: {
    columns: `id, tenant_id, campaign_id, contact_id, "to", to_key, status, is_winner, abandoned, provider, provider_call_id, started_at,
      ended_at, end_reason, credits, created_at, detect_machine, look_ups, look_up_at`,
    values: "id, id, id, id, '+1', '1', 'completed', false, false, 'p', id::text, n, n, 'unknown', 0, n, false, 0, 0",
    touch: (id: string) => `update calls set provider_call_id = provider_call_id || 'x' where id = '${id}'`
  },
  chat_messages: {
    columns:
      "id, tenant_id, phone_id, customer_id, conversation_id, msgid, direction, role, type, body, status, created_at",
    values: "id, id, id, id, id, id::text, 'inbound', 'user', 'text', '{}', 'received', n",
    touch: (id: string) => `update chat_messages set status = 'read' where id = '${id}'`
  }
} as const

type Table = keyof typeof tables

/** Ids of the last hundred days, in their order. */
const idsOf = (from: number, to: number) => {
  const first = Date.now() - 100 * Instant.day
  const at = `${first} + n * ${Math.floor((100 * Instant.day) / rows)}`
  return `select n, (lpad(to_hex(${at}), 12, '0') || '7000800000' || lpad(to_hex(n), 10, '0'))::uuid as id
    from generate_series(${from}::bigint, ${to}::bigint) n`
}

/** The tables got months in this version and those that follow. */
const firstVersion = 30

/** Rows are added without the indexes, which takes a fraction of the time. */
const fill = async (client: pg.Client, table: Table): Promise<void> => {
  const { columns, values } = tables[table]
  const { rows: indexes } = await client.query(
    `select c.relname as name, pg_get_indexdef(c.oid) as text from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = $1::regclass and not exists (select from pg_constraint where conindid = c.oid)`,
    [table]
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (let from = 1; from <= rows; from += rowsPerInsert) {
    const part = idsOf(from, Math.min(rows, from + rowsPerInsert - 1))
    await client.query(`insert into ${table} (${columns}) select ${values} from (${part}) as ids`)
    progress(`${table}: ${Math.min(rows, from + rowsPerInsert - 1)} rows`)
  }
  for (const { text } of indexes) await client.query(text)
  progress(`${table}: indexes`)
}

/** The database of the release before, with rows. */
const prepare = async (client: pg.Client): Promise<void> => {
  await client.query(`create schema trunkline; set maintenance_work_mem = '256MB'; set synchronous_commit = off;
    create table trunkline_migrations (version integer primary key, name text not null, applied_at bigint not null)`)
  for (const { name, statements, version } of migrationsOf(postgresDialect)) {
    if (version >= firstVersion) break
    for (const text of statements) await client.query(text)
    await client.query("insert into trunkline_migrations values ($1, $2, 0)", [version, name])
  }
  for (const table of Object.keys(tables) as ReadonlyArray<Table>) await fill(client, table)
  for (const table of Object.keys(tables)) await client.query(`analyze ${table}`)
}

/** Reads, adds and changes rows, and measures each statement. */
const work = (client: pg.Client, isOver: () => boolean) => {
  const ids = Ids.ascending()
  const times: Array<number> = []
  const run = async () => {
    while (!isOver()) {
      for (const [table, { columns, touch, values }] of Object.entries(tables)) {
        const id = ids.next(Instant.make(Date.now()))
        const row = `from (select '${id}'::uuid as id, 1::bigint as n) as ids`
        const add = `insert into ${table} (${columns}) select ${values} ${row}`
        times.push(await timed(() => client.query(add)))
        times.push(await timed(() => client.query(touch(id))))
      }
    }
  }
  return { times, running: run() }
}

/** The longest wait for a lock of anybody but those that migrate, as the server sees it. */
const watch = async (client: pg.Client, isOver: () => boolean): Promise<number> => {
  let longest = 0
  while (!isOver()) {
    const { rows: found } = await client.query(
      `select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart) * 1000), 0) as ms
        from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and l.locktype in ('relation', 'tuple', 'transactionid') and a.application_name = 'bench'`
    )
    longest = Math.max(longest, Number(found[0].ms))
    await new Promise((resolve) => setTimeout(resolve, sampleMs))
  }
  return longest
}

const main = async (): Promise<void> => {
  const server = await postgresServer()
  if ("missing" in server) throw new Error(server.missing)
  const url = await server.database("migrations")
  const filling = await connect(url)
  await prepare(filling)
  let isOver = false
  const clients = await Promise.all(Array.from({ length: writers + 1 }, () => connect(url)))
  for (const client of clients) await client.query("set application_name = 'bench'")
  const [watcher, ...workers] = clients
  const watching = watch(watcher!, () => isOver)
  const works = workers.map((client) => work(client, () => isOver))
  progress("migrating")
  const took = await timed(() => Promise.all([start(url), start(url)]))
  isOver = true
  await Promise.all(works.map(({ running }) => running))
  const waited = await watching
  const statements = works.flatMap(({ times }) => times).sort((a, b) => a - b)
  const { rows: partitioned } = await filling.query("select relname from pg_class where relkind = 'p'")
  await Promise.all([filling, ...clients].map((client) => client.end()))
  await server.stop()
  const at = (part: number) => statements[Math.floor((statements.length - 1) * part)]!.toFixed(1)
  const figures: ReadonlyArray<Figure> = [
    {
      what: `longest wait for a lock, four tables of ${rows} rows`,
      measured: `${waited.toFixed(0)} ms`,
      judged: { value: waited, unit: " ms", bar: { atMost: maxWaitMs } }
    },
    { what: "statements meanwhile", measured: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms` },
    { what: "the migration", measured: `${(took / 1000).toFixed(0)} s, ${partitioned.length} tables with months` }
  ]
  report(figures)
}

await main()
