/** Brings a database up to date, in one transaction: two processes that start together take turns. */
import { StorageError } from "@trunkline/core/storage"
import {
  latestVersion,
  migrationsOf,
  plainTexts,
  type Rewrite,
  rewrittenRows,
  rewrittenTexts,
  sqliteDialect
} from "@trunkline/storage-kysely"
import type BetterSqlite from "better-sqlite3"

const corrupt = (detail: string) => new StorageError({ reason: "corrupt", detail })

/** The version of the schema, or null where there is none yet. */
const versionOf = (db: BetterSqlite.Database): number | null => {
  const tables = db.prepare("select name from sqlite_schema where type = 'table'").pluck().all()
  if (tables.includes("trunkline_migrations")) {
    return db.prepare("select max(version) from trunkline_migrations").pluck().get() as number | null
  }
  if (tables.length > 0) throw corrupt("the file is the database of another application: name a file of its own")
  return null
}

export const migrate = (db: BetterSqlite.Database): void => {
  // A process that starts while another one writes need not wait for it when there is nothing to do.
  const version = versionOf(db) ?? 0
  if (version > latestVersion) {
    throw corrupt(
      `the database is at version ${version} of the schema, this release knows ${latestVersion}: use a newer release`
    )
  }
  if (version < latestVersion) db.transaction(() => apply(db)).immediate()
}

const apply = (db: BetterSqlite.Database): void => {
  const known = versionOf(db) ?? 0
  db.exec(
    "create table if not exists trunkline_migrations (version integer primary key, name text not null, applied_at integer not null) strict"
  )
  for (const { name, steps, version } of migrationsOf(sqliteDialect)) {
    if (version <= known) continue
    for (const step of steps) {
      if (step.kind === "rewrite") rewriteRows(db, step)
      else for (const text of plainTexts(step)) db.exec(text)
    }
    db.prepare("insert into trunkline_migrations values (?, ?, unixepoch() * 1000)").run(version, name)
  }
}

/** Rows that are held in memory at a time. */
const batchSize = 1000

const rewriteRows = (db: BetterSqlite.Database, step: Rewrite): void => {
  const first = db.prepare(rewrittenRows(step, null, batchSize))
  const next = db.prepare(rewrittenRows(step, "?", batchSize))
  const write = db.prepare(`update ${step.table} set ${step.column} = ? where id = ?`)
  type Rows = ReadonlyArray<Readonly<Record<string, string>>>
  for (let rows = first.all() as Rows; rows.length > 0; rows = next.all(rows.at(-1)!.id) as Rows) {
    for (const { id, text } of rewrittenTexts(step, rows)) write.run(text, id)
  }
}
