/**
 * What others wait while tables of ten million rows get months: two processes start at once on the schema of the release
 * before, beside clients that read, add and change rows of these tables all the while. `ROWS` sets another size.
 */
import { Ids, Instant } from "@trunkline/core/effect"
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
    key: "epoch, position",
    columns: "id, tenant_id, event, data, at",
    values: "id, id, 'call.started', '{}', n",
    touch: () => "select id from outbox order by epoch desc, position desc limit 1"
  },
  webhook_deliveries: {
    key: "id",
    columns: "id, tenant_id, webhook_id, surface, event, payload, status, attempts, created_at",
    values: "id, id, id, 'platform', 'call.started', '{}', 'delivered', 1, n",
    touch: (id: string) => `update webhook_deliveries set attempts = 2 where id = '${id}'`
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

/** The table of the release before, with rows. */
const fill = async (client: pg.Client, table: Table): Promise<void> => {
  const { columns, key, values } = tables[table]
  const { rows: indexes } = await client.query(
    `select indexname as name, substring(indexdef from ' USING .*$') as definition from pg_indexes
      where schemaname = 'trunkline' and tablename = $1 and indexname <> $1 || '_pkey'`,
    [table]
  )
  await client.query(`create table plain (like ${table} including defaults including constraints including identity);
    drop table ${table}; alter table plain rename to ${table}`)
  for (let from = 1; from <= rows; from += rowsPerInsert) {
    const part = idsOf(from, Math.min(rows, from + rowsPerInsert - 1))
    await client.query(`insert into ${table} (${columns}) select ${values} from (${part}) as ids`)
    progress(`${table}: ${Math.min(rows, from + rowsPerInsert - 1)} rows`)
  }
  await client.query(`alter table ${table} add primary key (${key})`)
  for (const { definition, name } of indexes) await client.query(`create index ${name} on ${table}${definition}`)
  progress(`${table}: indexes`)
}

const prepare = async (client: pg.Client): Promise<void> => {
  await client.query("set maintenance_work_mem = '256MB'; set synchronous_commit = off")
  for (const table of Object.keys(tables) as ReadonlyArray<Table>) await fill(client, table)
  await client.query("drop table queue_floors; delete from trunkline_migrations where version between 30 and 39")
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
  await start(url)
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
      what: `longest wait for a lock, two tables of ${rows} rows`,
      measured: `${waited.toFixed(0)} ms`,
      judged: { value: waited, unit: " ms", bar: { atMost: maxWaitMs } }
    },
    { what: "statements meanwhile", measured: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms` },
    { what: "the migration", measured: `${(took / 1000).toFixed(0)} s, ${partitioned.length} tables with months` }
  ]
  report(figures)
}

await main()
