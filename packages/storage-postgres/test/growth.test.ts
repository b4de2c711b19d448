/**
 * Monthly partitions: an existing table becomes the first one, later ones are made ahead of time, and old ones are dropped.
 * Verifies: STOR-7, STOR-8.
 */

import { Ids, Instant } from "@trunkline/core/effect"
import { migrationsOf, postgresDialect } from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"
import { monthStart } from "../src/Months.ts"
import { isTight, lockRoom } from "../src/PartitionLocks.ts"
import { drop, missingMonths, partitionsOf, prepare } from "../src/Partitions.ts"
import { migrate } from "../src/PostgresMigrations.ts"
import { makeRetention } from "../src/PostgresRetention.ts"

const reason = missing()
const tables = ["calls", "chat_messages", "outbox", "usage_log", "webhook_deliveries"] as const
const migrations = migrationsOf(postgresDialect)
const before = migrations.filter(({ version }) => version < 30)

/** An id of version 7 of an instant. */
const idAt = (at: number, n = 1): string =>
  `${Ids.firstOf(Instant.make(at)).slice(0, 14)}7${String(n).padStart(3, "0")}-8000-000000000000`

const day = 86_400_000

describe.skipIf(reason !== null)(`months of Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  const scope = Effect.runSync(Scope.make())
  let url: string
  let client: pg.Client
  let schemas = 0

  beforeAll(async () => {
    url = await Effect.runPromise(Effect.provideService(database, Scope.Scope, scope))
    client = new pg.Client({ connectionString: url })
    client.on("error", () => undefined)
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const rows = async (text: string): Promise<ReadonlyArray<ReadonlyArray<unknown>>> =>
    (await client.query({ text, rowMode: "array" })).rows

  const newSchema = async () => {
    const schema = `g${++schemas}`
    await migrate(client, { url, schema, migrations: before })
    await client.query(`set search_path to ${schema}`)
    return schema
  }
  const upgrade = async (schema: string) => {
    await migrate(client, { url, schema })
    await prepare(client, schema, Date.now())
  }

  const addDelivery = (id: string, nextAt: number | null = null, webhook = id) =>
    client.query(
      `insert into webhook_deliveries (id, tenant_id, webhook_id, surface, event, payload, status, attempts, created_at, next_at)
        values ($1, $1, $3, 'platform', 'e', '{}', 'delivered', 1, 0, $2)`,
      [id, nextAt, webhook]
    )
  const addEvent = (id: string) =>
    client.query("insert into outbox (id, tenant_id, event, data, at) values ($1, $1, 'e', '{}', 0)", [id])

  const addMessage = async (id: string, msgid: string | null) =>
    (
      await client.query(
        `insert into chat_messages (id, tenant_id, phone_id, customer_id, conversation_id, msgid, direction, role, type, body, status, created_at)
          values ($1, $1, '${idAt(0)}', $1, $1, $2, 'inbound', 'user', 'text', '{}', 'received', 0) on conflict do nothing`,
        [id, msgid]
      )
    ).rowCount
  const addCall = (id: string, record: string | null, contact: string | null = null) =>
    client.query(
      `insert into calls (id, tenant_id, contact_id, "to", to_key, status, is_winner, abandoned, provider, provider_call_id, started_at,
          credits, created_at, detect_machine, look_ups, look_up_at)
        values ($1, $1, $3, '+1', '1', 'ringing', false, false, 'p', $2, 0, 0, 0, false, 0, 0)`,
      [id, record, contact]
    )

  /** Text of every index and constraint of a table, without the table's own name. */
  const definitions = async (table: string) => ({
    indexes: (
      await rows(
        `select pg_get_indexdef(indexrelid, 0, true) from pg_index where indrelid = '${table}'::regclass order by 1`
      )
    ).map(([text]) => String(text).replace(" ON ONLY ", " ON ")),
    checks: await rows(`select conname, pg_get_constraintdef(oid) from pg_constraint
      where conrelid = '${table}'::regclass and contype = 'c' order by 1`),
    columns: await rows(`select attname, atttypid::regtype::text, attnotnull, attidentity from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 order by attnum`)
  })

  const allDefinitions = async () => {
    const all: Array<Awaited<ReturnType<typeof definitions>>> = []
    for (const table of tables) all.push(await definitions(table))
    return all
  }

  it("an upgrade moves no row, and keeps columns, indexes, constraints and grants", async () => {
    const schema = await newSchema()
    const role = `u${crypto.randomUUID().replaceAll("-", "")}`
    await client.query(`create role ${role}; grant select, insert on all tables in schema ${schema} to ${role}`)
    for (let n = 1; n <= 3; n++) {
      await addDelivery(idAt(Date.now() - n * 40 * day, n))
      await addEvent(idAt(Date.now() - n * 40 * day, n))
    }
    const earlier = await allDefinitions()
    const files = await rows(
      "select relfilenode from pg_class where oid in ('outbox'::regclass, 'webhook_deliveries'::regclass) order by 1"
    )
    await upgrade(schema)
    const later = await allDefinitions()
    // A later release may add columns behind those that there were.
    assert.deepStrictEqual(
      later.map(({ checks, columns }, place) => ({
        checks,
        columns: columns.slice(0, earlier[place]!.columns.length)
      })),
      earlier.map(({ checks, columns }) => ({ checks, columns }))
    )
    for (const place of [3, 4]) assert.deepStrictEqual(later[place]!.indexes, earlier[place]!.indexes)
    assert.include(later[2]!.indexes.join(), '(epoch, "position", id)')
    // What was unique by an index of its own is so by a table of keys.
    const names = (place: number, all: typeof later) =>
      all[place]!.indexes.map((text) => / INDEX (\S+)/.exec(text)![1]!)
    const gone = (place: number) => names(place, earlier).filter((name) => !names(place, later).includes(name))
    assert.deepStrictEqual([gone(0), gone(1)], [["calls_open_contact"], ["chat_messages_id_key"]])
    const unique = [0, 1].flatMap((place) => later[place]!.indexes.filter((text) => text.startsWith("CREATE UNIQUE")))
    assert.deepStrictEqual(
      unique.map((text) => text.slice(text.indexOf("("))),
      ["(id)", "(id)"]
    )
    const after = await rows(
      "select relfilenode from pg_class where oid in ('outbox_first'::regclass, 'webhook_deliveries_first'::regclass) order by 1"
    )
    assert.deepStrictEqual(after, files)
    await addEvent(idAt(Date.now(), 4))
    const positions = await rows("select position from outbox order by epoch, position")
    assert.deepStrictEqual(positions, [["1"], ["2"], ["3"], ["4"]])
    assert.deepStrictEqual(await rows(`select has_table_privilege('${role}', 'usage_log', 'select, insert')`), [[true]])
    await client.query(`drop owned by ${role}; drop role ${role}`)
  })

  it("an upgrade keeps what is unique: ids of the platform, records of a carrier, the one open call of a contact", async () => {
    const schema = await newSchema()
    const later = idAt(Date.now() + 100 * day)
    await addCall(idAt(Date.now()), "r", later)
    await addMessage(idAt(Date.now()), "m")
    await upgrade(schema)
    assert.strictEqual(await addMessage(later, "m"), 0)
    assert.strictEqual(await addMessage(later, "n"), 1)
    assert.strictEqual(await addMessage(idAt(Date.now(), 2), null), 1)
    const refused = (adding: Promise<unknown>) =>
      adding.then(
        () => null,
        ({ constraint }) => constraint
      )
    assert.strictEqual(await refused(addCall(later, "r")), "calls_record")
    assert.strictEqual(await refused(addCall(later, null, later)), "calls_open_contact")
    await addCall(later, "s")
    assert.strictEqual(
      await refused(client.query(`update calls set provider_call_id = 'r' where id = '${later}'`)),
      "calls_record"
    )
    // Keys go with rows that are deleted, with changes of the key, and with the end of a call.
    await client.query("update calls set provider_call_id = 't', ended_at = 1 where provider_call_id = 'r'")
    await addCall(idAt(Date.now(), 3), "r", later)
    await client.query("delete from calls; delete from chat_messages")
    const left = "select (select count(*) from calls_record_keys), (select count(*) from calls_open_contact_keys)"
    assert.deepStrictEqual(await rows(`${left}, (select count(*) from chat_messages_msgid_keys)`), [["0", "0", "0"]])
  })

  it("an upgrade gives no key to a call that ends while keys are made", async () => {
    const schema = await newSchema()
    const [call, contact] = [idAt(Date.now()), idAt(Date.now(), 2)]
    await addCall(call, null, contact)
    const place = "34.3 recorded"
    const killed = migrate(client, {
      url,
      schema,
      at: (here) => {
        if (here === place) throw new Error("killed")
      }
    })
    assert.match(String(await killed.catch((error: unknown) => error)), /killed/)
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await other.query(`set search_path to ${schema}; begin; update calls set ended_at = 1 where id = '${call}'`)
    const migrating = migrate(client, { url, schema })
    await other.query("select pg_sleep(0.5); commit")
    await migrating
    await other.end()
    assert.deepStrictEqual(await rows("select count(*) from calls_open_contact_keys"), [["0"]])
    await addCall(idAt(Date.now(), 3), null, contact)
  })

  it("an upgrade that is killed at any place goes on at the next start", async () => {
    const schema = await newSchema()
    await addCall(idAt(Date.now()), "r")
    await addMessage(idAt(Date.now()), "m")
    await addDelivery(idAt(Date.now()))
    await addEvent(idAt(Date.now(), 2))
    const places: Array<string> = []
    for (let isKilled = true; isKilled; ) {
      isKilled = false
      const run = migrate(client, {
        url,
        schema,
        at: (place) => {
          if (places.includes(place)) return
          places.push(place)
          throw new Error("killed")
        }
      })
      await run.catch(() => {
        isKilled = true
      })
    }
    assert.isAbove(places.length, 8)
    await prepare(client, schema, Date.now())
    assert.deepStrictEqual(
      await rows(
        "select relname from pg_class where relkind = 'p' and relnamespace = current_schema::regnamespace order by 1"
      ),
      tables.map((table) => [table])
    )
    await addEvent(idAt(Date.now(), 3))
    assert.deepStrictEqual(await rows("select position from outbox order by epoch, position"), [["1"], ["2"]])
    assert.deepStrictEqual(await rows("select count(*) from webhook_deliveries"), [["1"]])
    assert.deepStrictEqual(await rows("select * from calls_record_keys"), [["p", "r"]])
    assert.strictEqual(await addMessage(idAt(Date.now(), 4), "m"), 0)
  })

  it("ids that are in no order of time stay together in the first partition", async () => {
    const schema = await newSchema()
    await addDelivery("ffffffff-0000-4000-8000-000000000000")
    await upgrade(schema)
    await addDelivery(idAt(monthStart(Date.now(), 40)))
    await addDelivery("ffffffff-0000-4000-8000-000000000001")
    assert.deepStrictEqual(await rows("select distinct tableoid::regclass::text from webhook_deliveries"), [
      ["webhook_deliveries_first"]
    ])
  })

  it("a row always finds its partition: of its month, or the default one until its month has one", async () => {
    const schema = await newSchema()
    await upgrade(schema)
    const later = monthStart(Date.now(), 6) + day
    await addDelivery(idAt(later))
    assert.deepStrictEqual(await rows("select tableoid::regclass::text from webhook_deliveries"), [
      ["webhook_deliveries_default"]
    ])
    // Half a year without a process, and then several start at once.
    const others = await Promise.all(
      [0, 1].map(async () => {
        const other = new pg.Client({ connectionString: url })
        await other.connect()
        return other
      })
    )
    await Promise.all([client, ...others].map((one) => prepare(one, schema, later)))
    await Promise.all(others.map((one) => one.end()))
    const [[place]] = (await rows("select tableoid::regclass::text from webhook_deliveries")) as [[string]]
    assert.strictEqual(place, `webhook_deliveries_${new Date(later).toISOString().slice(0, 7).replace("-", "_")}`)
    const partitions = await partitionsOf(client, schema, "outbox")
    assert.deepStrictEqual(missingMonths(partitions, later), [])
    assert.deepStrictEqual(
      partitions.map(({ isDefault }) => isDefault),
      [...Array(partitions.length - 1).fill(false), true]
    )
  })

  it("retention drops whole months, but for those with rows that are needed", async () => {
    const schema = await newSchema()
    await upgrade(schema)
    // The upgrade made the first month by the server's clock, which may be another than ours.
    const [[today]] = (await rows("select (extract(epoch from clock_timestamp()) * 1000)::bigint")) as [[string]]
    const now = monthStart(Number(today), 12)
    await prepare(client, schema, now)
    for (const months of [4, 6, 8]) await addDelivery(idAt(monthStart(now, -months)), months === 6 ? 1 : null)
    const dropped = await drop(client, schema, { table: "webhook_deliveries", before: monthStart(now, -3) })
    // The first one ends two months from now, and seven more end until then.
    assert.lengthOf(dropped, 7)
    assert.deepStrictEqual(await rows("select count(*) from webhook_deliveries"), [["1"]])
    assert.deepStrictEqual(await drop(client, schema, { table: "webhook_deliveries", before: monthStart(now, -3) }), [])
  })

  it("the platform's id of a message stays known when its month is dropped", async () => {
    const schema = await newSchema()
    await upgrade(schema)
    const now = monthStart(Date.now(), 12)
    await prepare(client, schema, now)
    assert.strictEqual(await addMessage(idAt(monthStart(now, -6)), "m"), 1)
    await drop(client, schema, { table: "chat_messages", before: monthStart(now, -3) })
    assert.deepStrictEqual(await rows("select count(*) from chat_messages"), [["0"]])
    assert.strictEqual(await addMessage(idAt(now), "m"), 0)
  })

  it("the log says where the server has too few locks for the months", async () => {
    const schema = await newSchema()
    await upgrade(schema)
    const linesOf = async (connections: number) => {
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const retention = makeRetention({ schema, connections }, (_, run) =>
        Effect.promise(() => run(client as unknown as pg.PoolClient))
      )
      await Effect.runPromise(Effect.provide(retention.prepare(Instant.make(Date.now())), logger))
      return lines.join()
    }
    assert.strictEqual(await linesOf(1), "")
    assert.match(await linesOf(100_000), /raise max_locks_per_transaction, or set retention/)
  })

  it("the locks of a statement through all months are counted, and are too many one day", async () => {
    const schema = await newSchema()
    // Its first months are of the server's clock: ours may be years ahead.
    await migrate(client, { url, schema })
    const server = { available: 6400 }
    const young = await lockRoom(client, schema)
    assert.isFalse(isTight({ ...young, ...server }, 10))
    await prepare(client, schema, monthStart(Date.now(), 24))
    const { needed } = await lockRoom(client, schema)
    await client.query("begin; prepare all_months as select from calls where tenant_id = $1")
    await client.query(`execute all_months('${idAt(0)}')`)
    const [[locks]] = (await rows(
      "select count(*)::int from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and relation::regclass::text like 'calls_%'"
    )) as [[number]]
    await client.query("rollback; deallocate all_months")
    // Without the indexes of the table itself, which are locked as well.
    assert.isAtLeast(locks, needed)
    assert.isBelow(locks, needed + 20)
    assert.isTrue(isTight({ needed, ...server }, 10))
  })
})
