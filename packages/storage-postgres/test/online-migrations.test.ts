/** Migrations while other processes work: killed at every place, started twice, beside a transaction that stays open. */
import { type Migration, migrationsOf, postgresDialect, type Step } from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"
import { numbersAfter, numbersBefore, readingNumbers, readNumbers } from "../../storage-kysely/test/ReadNumbers.ts"
import { type MigrateOptions, migrate } from "../src/PostgresMigrations.ts"

const reason = missing()

const history = (...steps: ReadonlyArray<ReadonlyArray<Step>>): ReadonlyArray<Migration> =>
  steps.map((ofOne, i) => ({ version: i + 1, name: `m${i + 1}`, steps: ofOne, statements: [] }))

const transaction = (...texts: ReadonlyArray<string>): Step => ({ kind: "transaction", texts })

/** A table with rows, and then every kind of step. */
const everyKind = history(
  [
    transaction("create table things (id bigint primary key, n integer)"),
    transaction("insert into things select i, i % 7 from generate_series(1, 700) i")
  ],
  [
    transaction("alter table things add column doubled integer", "alter table things add column note text"),
    { kind: "index", name: "things_n", table: "things", columns: "n, id", where: "n > 2" },
    { kind: "backfill", table: "things", key: "id", change: "update things set doubled = n * 2 where {range}" },
    { kind: "check", table: "things", name: "things_doubled", condition: "doubled = n * 2" },
    { kind: "texts", texts: ["update things set note = 'x' where id < 3", "analyze things"] },
    { kind: "index", name: "things_unique", table: "things", columns: "n, id", isUnique: true }
  ],
  [
    transaction(
      "create table parted (id bigint primary key, n integer) partition by range (id)",
      "create table parted_a partition of parted for values from (0) to (10)",
      "create table parted_b partition of parted for values from (10) to (20)",
      "insert into parted select i, i from generate_series(0, 19) i"
    ),
    transaction(
      "create table notes (id uuid primary key, n text not null, square text)",
      "insert into notes select lpad(to_hex(i), 32, '0')::uuid, i from generate_series(1, 700) i"
    ),
    {
      ...{ kind: "rewrite", table: "notes", column: "square", reads: ["n"], where: "n <> '7'" },
      change: ({ n }) => (n === "9" ? null : String(Number(n) ** 2))
    },
    { kind: "index", name: "parted_n", table: "parted", columns: "n, id" }
  ]
)

describe.skipIf(reason !== null)(`migrations of Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
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

  const connected = async () => {
    const one = new pg.Client({ connectionString: url })
    await one.connect()
    return one
  }
  const newSchema = () => `s${++schemas}`
  const run = (schema: string, options: Partial<MigrateOptions> = {}) =>
    migrate(client, { url, schema, migrations: everyKind, ...options })
  const rows = async (text: string): Promise<ReadonlyArray<unknown>> =>
    (await client.query({ text, rowMode: "array" })).rows

  /** What a database has become: applied versions, rows, indexes and constraints that are valid, and no note that is left. */
  const outcome = async (schema: string) => ({
    versions: await rows(`select version from ${schema}.trunkline_migrations order by version`),
    left: await rows(`select count(*) from ${schema}.trunkline_migration_steps`),
    claims: await rows(`select count(*) from ${schema}.trunkline_migration_claim`),
    things: await rows(
      `select count(*), count(*) filter (where doubled = n * 2), count(*) filter (where note = 'x') from ${schema}.things`
    ),
    indexes: await rows(
      `select c.relname, i.indisvalid, i.indisunique, exists (select from pg_inherits where inhrelid = c.oid)
        from pg_index i join pg_class c on c.oid = i.indexrelid
        where c.relnamespace = '${schema}'::regnamespace and c.relname ~ '^(things|parted)' order by 1`
    ),
    notes: await rows(
      `select count(*) filter (where square = (n::integer * n::integer)::text), count(square) from ${schema}.notes`
    ),
    constraints: await rows(
      `select conname, convalidated from pg_constraint where connamespace = '${schema}'::regnamespace and contype = 'c'
        order by 1`
    )
  })

  it("processes that are killed at one place after the other bring a database to the same end", async () => {
    const [whole, places] = [newSchema(), [] as string[]]
    await run(whole, { at: (place) => places.push(place) })
    const expected = await outcome(whole)
    assert.deepStrictEqual(expected.versions, [[1], [2], [3]])
    assert.deepStrictEqual(expected.things, [["700", "700", "2"]])
    assert.deepStrictEqual(expected.notes, [["698", "698"]])
    assert.deepStrictEqual(expected.left, [["0"]])
    assert.isAbove(places.length, 20)
    // Each start goes on where the one before was killed, and is killed at the place after that.
    const schema = newSchema()
    for (const place of places) {
      const killed = run(schema, {
        at: (here) => {
          if (here === place) throw new Error(`killed at ${place}`)
        }
      })
      assert.match(String(await killed.catch((error: unknown) => error)), /killed at/, place)
    }
    await run(schema)
    assert.deepStrictEqual(await outcome(schema), expected)
  })

  it("an index that a killed process has left invalid is built again", async () => {
    const schema = newSchema()
    const killed = run(schema, {
      at: (place) => {
        if (place === "2.1 done") throw new Error("killed")
      }
    })
    assert.match(String(await killed.catch((error: unknown) => error)), /killed/)
    await client.query(`update pg_index set indisvalid = false where indexrelid = '${schema}.things_n'::regclass`)
    await run(schema)
    const valid = await rows(`select indisvalid from pg_index where indexrelid = '${schema}.things_n'::regclass`)
    assert.deepStrictEqual(valid, [[true]])
  })

  it("of processes that start together one migrates each step, and all go on when it is done", async () => {
    const [schema, begun] = [newSchema(), [] as string[]]
    const at = (place: string) => place.endsWith("recorded") && begun.push(place)
    const clients = await Promise.all([1, 2, 3].map(() => connected()))
    await Promise.all(clients.map((one) => migrate(one, { url, schema, migrations: everyKind, at })))
    await Promise.all(clients.map((one) => one.end()))
    assert.strictEqual(new Set(begun).size, begun.length)
    assert.deepStrictEqual((await outcome(schema)).versions, [[1], [2], [3]])
  })

  it("a process goes on where another one was killed, once its claim has run out", async () => {
    const schema = newSchema()
    await run(schema, { migrations: everyKind.slice(0, 1) })
    const until = "clock_timestamp() + interval '400 milliseconds'"
    await client.query(`insert into ${schema}.trunkline_migration_claim values (1, 'killed', ${until})`)
    const waiting = run(schema)
    assert.deepStrictEqual(await rows(`select count(*) from ${schema}.trunkline_migrations`), [["1"]])
    await waiting
    assert.deepStrictEqual((await outcome(schema)).versions, [[1], [2], [3]])
  })

  it("a migration that waits for a table makes nobody wait who comes later", async () => {
    const schema = newSchema()
    await run(schema, { migrations: everyKind.slice(0, 1) })
    const [reader, writer] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
    await Promise.all([reader.connect(), writer.connect()])
    try {
      await reader.query(`begin; select count(*) from ${schema}.things`)
      const migrating = run(schema)
      // Behind a migration that queues for its lock each of these would wait until the reader ends, which is never here.
      await writer.query("set statement_timeout = '5s'")
      for (let n = 0; n < 60; n++) {
        await writer.query(`update ${schema}.things set n = n where id = ${n}; select pg_sleep(0.01)`)
      }
      assert.deepStrictEqual(await rows(`select count(*) from ${schema}.trunkline_migrations`), [["1"]])
      await reader.query("commit")
      await migrating
    } finally {
      await Promise.all([reader.end(), writer.end()])
    }
    assert.deepStrictEqual((await outcome(schema)).things, [["700", "700", "2"]])
  })

  it("a release before, which applies all it knows at once, and this one take turns", async () => {
    const schema = newSchema()
    const before = new pg.Client({ connectionString: url })
    await before.connect()
    try {
      await before.query(`begin; select pg_advisory_xact_lock(7305810294417213); create schema ${schema};
        create table ${schema}.trunkline_migrations (version integer primary key, name text not null, applied_at bigint not null);
        create table ${schema}.things (id bigint primary key, n integer);
        insert into ${schema}.things select i, i % 7 from generate_series(1, 700) i;
        insert into ${schema}.trunkline_migrations values (1, 'm1', 0)`)
      const migrating = run(schema)
      await before.query("select pg_sleep(0.2); commit")
      await migrating
    } finally {
      await before.end()
    }
    assert.deepStrictEqual((await outcome(schema)).things, [["700", "700", "2"]])
  })

  it("every migration of this release has at least one step", () => {
    for (const { name, steps } of migrationsOf(postgresDialect)) assert.isAbove(steps.length, 0, name)
  })

  // Verifies: D-295.
  it("numbers that an earlier release has read by fewer rules are read anew, wherever a process is killed", async () => {
    const migrations = migrationsOf(postgresDialect)
    const before = migrations.findIndex(({ name }) => name === readingNumbers)
    const schema = newSchema()
    await run(schema, { migrations: migrations.slice(0, before) })
    await client.query(`set search_path to ${schema}; ${numbersBefore("false")}`)
    const places: Array<string> = []
    const all = { migrations: migrations.slice(0, before + 1) }
    for (let killed = true; killed; ) {
      killed = await run(schema, {
        ...all,
        at: (place) => {
          if (places.includes(place)) return
          places.push(place)
          throw new Error("killed")
        }
      }).then(
        () => false,
        () => true
      )
    }
    assert.isAbove(places.length, 12)
    assert.deepStrictEqual(await rows(readNumbers), numbersAfter)
    await client.query("reset search_path")
  })
})
