/** What the steps of a migration run in: short transactions that never wait long for a lock, and notes of what is done. */
import { setTimeout as pause } from "node:timers/promises"
import { StorageError } from "@trunkline/core/storage"
import pg from "pg"
import { hasClaim } from "./MigrationClaim.ts"
import { serverNow } from "./ServerClock.ts"

/** The advisory lock under which a schema is changed: any constant that nobody else uses. Earlier releases hold it all the while. */
const migrationLock = "7305810294417213"

/** Who waits for a lock makes all others wait who come later: after this time it gets out of their way. */
const maxLockWaitMs = 40

/** Pauses between attempts to lock a table grow to this one. */
const maxPauseMs = 1000
const maxAttempts = 600
/** Work that is repeated every hour anyway makes this number. */
export const fewAttempts = 10

export type StepPlace = `${number}.${number} ${"begun" | "done" | "recorded"}`

export interface Run {
  readonly client: pg.ClientBase
  readonly schema: string
  readonly holder: string
  /** Of the step that runs. */
  readonly version: number
  readonly step: number
  readonly isLast: boolean
  readonly name: string
  /** Runs where a process may end, for tests. */
  readonly at: (place: StepPlace) => void
}

/** Another process has claimed the migration meanwhile. */
export class ClaimLost extends Error {}

const isLockTimeout = (error: unknown): boolean => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "55P03" || code === "40P01"
}

export const beginLocked = async (client: pg.ClientBase, schema: string): Promise<void> => {
  // Waiting for the lock of migrations keeps nobody else waiting.
  await client.query(`begin; set local search_path to ${pg.escapeIdentifier(schema)};
    set local statement_timeout = 0; set local lock_timeout = 0; select pg_advisory_xact_lock(${migrationLock})`)
}

/** One short transaction; where a table is busy it is tried again, so that nobody queues behind a migration. */
export const shortly = async <A>(
  client: pg.ClientBase,
  schema: string,
  work: () => Promise<A>,
  attempts = maxAttempts
): Promise<A> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await beginLocked(client, schema)
      // What a power cut undoes is done again, and nobody waits for the disk behind a lock.
      await client.query(`set local lock_timeout = ${maxLockWaitMs}; set local synchronous_commit = off`)
      const done = await work()
      await client.query("commit")
      return done
    } catch (error) {
      await client.query("rollback").catch(() => undefined)
      if (!isLockTimeout(error)) throw error
      if (attempt === attempts) throw busy(error)
      await pause(Math.min(maxPauseMs, maxLockWaitMs * attempt))
    }
  }
}

const busy = (cause: unknown) =>
  new StorageError({
    reason: "contended",
    detail:
      "migrate: a transaction keeps a table locked: find it in pg_stat_activity and end it; what is missing is done at the next start or within an hour",
    cause
  })

interface Progress {
  readonly cursor: string | null
  readonly isDone: boolean
}

const progressOf = async ({ client, step, version }: Run): Promise<Progress> => {
  const noted = await client.query(
    "select cursor, is_done from trunkline_migration_steps where version = $1 and step = $2",
    [version, step]
  )
  const over = await client.query("select from trunkline_migrations where version = $1", [version])
  const row: { readonly cursor: string | null; readonly is_done: boolean } | undefined = noted.rows[0]
  return { cursor: row?.cursor ?? null, isDone: row?.is_done === true || over.rowCount === 1 }
}

/** A short transaction of the claim's holder. Returns null where the step is done already. */
export const inStep = <A>(run: Run, work: (progress: Progress) => Promise<A>): Promise<A | null> =>
  shortly(run.client, run.schema, async () => {
    if (!(await hasClaim(run.client, run.holder, run.schema))) throw new ClaimLost()
    const progress = await progressOf(run)
    return progress.isDone ? null : work(progress)
  })

export const recordCursor = async ({ client, step, version }: Run, cursor: string): Promise<void> => {
  await client.query(
    `insert into trunkline_migration_steps (version, step, cursor, is_done) values ($1, $2, $3, false)
      on conflict (version, step) do update set cursor = excluded.cursor`,
    [version, step, cursor]
  )
}

/** In the transaction of what was done. */
export const recordDone = async ({ client, isLast, name, step, version }: Run): Promise<void> => {
  if (!isLast) {
    await client.query(
      `insert into trunkline_migration_steps (version, step, is_done) values ($1, $2, true)
        on conflict (version, step) do update set is_done = true`,
      [version, step]
    )
    return
  }
  await client.query("delete from trunkline_migration_steps where version = $1", [version])
  await client.query(`insert into trunkline_migrations values ($1, $2, ${serverNow})`, [version, name])
}
