/** Brings a database up to date, step by step, while other processes work with it. Source: docs/reference/storage.md#migrations. */
import { setTimeout as pause } from "node:timers/promises"
import { StorageError } from "@trunkline/core/storage"
import { latestVersion, type Migration, migrationsOf, postgresDialect } from "@trunkline/storage-kysely"
import pg from "pg"
import { type ClaimOptions, claim, claimTable, keepClaim, release } from "./MigrationClaim.ts"
import { beginLocked, ClaimLost, type Run, type StepPlace } from "./MigrationRun.ts"
import { runStep } from "./MigrationStep.ts"

export interface MigrateOptions extends Omit<ClaimOptions, "leaseMs"> {
  /** Default: all of this release. */
  readonly migrations?: ReadonlyArray<Migration>
  /** After this time another process goes on where one was killed. */
  readonly leaseMs?: number
  /** Runs at each place where a process may end: a test ends it there. */
  readonly at?: (place: StepPlace) => void
}

const defaults = { migrations: migrationsOf(postgresDialect), leaseMs: 10_000, at: () => undefined }

type Settings = Required<MigrateOptions>

/** How often a process looks whether the one that migrates is done. */
const lookAgainMs = 100

/** Versions that are applied; none where there is no schema yet. */
const appliedVersions = async (client: pg.ClientBase, schema: string): Promise<ReadonlySet<number>> => {
  const name = `${pg.escapeIdentifier(schema)}.trunkline_migrations`
  const table = await client.query("select to_regclass($1) as oid", [name])
  if (table.rows[0].oid === null) return new Set()
  const found = await client.query(`select version from ${name}`)
  return new Set(found.rows.map(({ version }) => Number(version)))
}

const missing = (migrations: ReadonlyArray<Migration>, applied: ReadonlySet<number>): ReadonlyArray<Migration> =>
  migrations.filter(({ version }) => !applied.has(version))

/** Needs the right to create only when there is something to create. */
export const migrate = async (client: pg.ClientBase, options: MigrateOptions): Promise<void> => {
  const settings: Settings = { ...defaults, ...options }
  const applied = await appliedVersions(client, settings.schema)
  const version = Math.max(0, ...applied)
  if (version > latestVersion) {
    throw new StorageError({
      reason: "corrupt",
      detail: `the database is at version ${version} of the schema, this release knows ${latestVersion}: use a newer release`
    })
  }
  if (missing(settings.migrations, applied).length === 0) return
  // A connection of its own: settings of the pool's connections are not those of migrations.
  const own = new pg.Client({
    connectionString: settings.url,
    application_name: "trunkline",
    keepAlive: true,
    connectionTimeoutMillis: 10_000
  })
  own.on("error", () => undefined)
  await own.connect()
  try {
    await prepare(own, settings.schema)
    await migrateOrWait(own, settings)
  } finally {
    await own.end().catch(() => undefined)
  }
}

/** The tables that say what is done, and who does it. */
const prepare = async (client: pg.ClientBase, schema: string): Promise<void> => {
  await beginLocked(client, schema)
  await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)};
    create table if not exists trunkline_migrations
      (version integer primary key, name text not null, applied_at bigint not null);
    create table if not exists trunkline_migration_steps
      (version integer not null, step integer not null, cursor text, is_done boolean not null, primary key (version, step));
    create table if not exists ${claimTable(schema)}
      (id integer primary key, holder text not null, lease_until timestamptz not null);
    commit`)
}

/** One process migrates; the others wait until it is done, and go on where it was killed. */
const migrateOrWait = async (client: pg.ClientBase, settings: Settings): Promise<void> => {
  const holder = crypto.randomUUID()
  for (;;) {
    const left = missing(settings.migrations, await appliedVersions(client, settings.schema))
    if (left.length === 0) return
    if (await claim(client, holder, settings)) {
      await applyAll(client, settings, holder).catch(unlessLost)
    } else await pause(lookAgainMs)
  }
}

const unlessLost = (error: unknown): void => {
  if (!(error instanceof ClaimLost)) throw error
}

const applyAll = async (client: pg.ClientBase, settings: Settings, holder: string): Promise<void> => {
  const stop = await keepClaim(holder, settings)
  try {
    // The one that had the claim before may have done some of it since the last look.
    for (const migration of missing(settings.migrations, await appliedVersions(client, settings.schema))) {
      await apply(client, settings, holder, migration)
    }
  } finally {
    await stop()
    await release(client, holder, settings.schema).catch(() => undefined)
  }
}

const apply = async (
  client: pg.ClientBase,
  { at, schema }: Settings,
  holder: string,
  { name, steps, version }: Migration
): Promise<void> => {
  const known = await client.query(
    `select step from ${pg.escapeIdentifier(schema)}.trunkline_migration_steps where version = $1 and is_done`,
    [version]
  )
  const done = new Set(known.rows.map(({ step }) => Number(step)))
  for (const [step, text] of steps.entries()) {
    if (done.has(step)) continue
    const run: Run = { client, schema, holder, version, step, isLast: step === steps.length - 1, name, at }
    at(`${version}.${step} begun`)
    await runStep(run, text)
    at(`${version}.${step} recorded`)
  }
}
