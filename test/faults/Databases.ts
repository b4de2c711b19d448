/** The database of a world, and what can be done to it. */
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { importServer, withClock } from "../EmbeddedPostgres.ts"
import { freePort } from "../FreePort.ts"

export interface Database {
  readonly url: string
  /** Ends all connections of the product. Null: not possible here, and why. */
  readonly cut: (() => Promise<void>) | { readonly skipped: string }
  /** Stops the server, abruptly where `isHard`, and starts it again after a while. */
  readonly stopFor: ((ms: number, isHard: boolean) => Promise<void>) | { readonly skipped: string }
  /** Fills the disk for a while. */
  readonly fillFor: ((ms: number) => Promise<void>) | { readonly skipped: string }
  /** Size in bytes of the log of what is to be written. */
  readonly logBytes: () => number
  readonly close: () => Promise<void>
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Mounts a small file system where this process may; else says why not. */
const mounted = (folder: string): true | string => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=192m,mode=0700", "tmpfs", folder], { stdio: "pipe" })
    return true
  } catch {
    return "a small file system can be mounted by root alone"
  }
}

const fill = async (folder: string, ms: number): Promise<void> => {
  const filler = join(folder, "filler")
  try {
    execFileSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=64k"], { stdio: "pipe" })
  } catch {
    // It ends with the disk full: that is what is wanted.
  }
  await pause(ms)
  rmSync(filler, { force: true })
}

export const sqliteDatabase = (folder: string, canFill: boolean): Database => {
  const data = join(folder, "data")
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const isMounted = canFill ? mounted(data) : "not asked for"
  const skipped = { skipped: "SQLite has no server" }
  return {
    url: `sqlite:${join(data, "trunkline.db")}`,
    cut: skipped,
    stopFor: skipped,
    fillFor: isMounted === true ? (ms) => fill(data, ms) : { skipped: isMounted },
    logBytes: () => {
      try {
        return readFileSync(join(data, "trunkline.db-wal")).length
      } catch {
        return 0
      }
    },
    close: async () => {
      if (isMounted === true) execFileSync("umount", ["-l", data])
    }
  }
}

/** Power cuts are not among the faults: the disk need not be waited for, but a commit is in the server's log. */
const settings = ["fsync=off", "full_page_writes=off", "max_connections=120", "max_wal_size=256MB"]

/** `clock`: the variables of the server's clock. */
export const postgresDatabase = async (clock: Record<string, string>): Promise<Database> => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-faults-postgres-"))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const Server = await importServer()
  const output: Array<string> = []
  const server = new Server({
    ...{ databaseDir: join(folder, "data"), user: "postgres", password: "postgres", port, persistent: true },
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8"],
    postgresFlags: settings.flatMap((setting) => ["-c", setting]),
    onLog: (line) => void output.push(String(line)),
    onError: (line) => void output.push(String(line))
  })
  await server.initialise()
  const start = () => withClock(clock, () => server.start())
  await start()
  const admin = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
  return {
    url: admin,
    cut: () =>
      command(admin, "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()").catch(
        () => undefined
      ),
    stopFor: async (ms, isHard) => {
      if (isHard) process.kill(postmaster(folder), "SIGQUIT")
      await stopped(server)
      await pause(ms)
      await started(start)
    },
    fillFor: { skipped: "a Postgres server without room ends: that is the fault `database`" },
    logBytes: () => 0,
    close: async () => {
      await stopped(server)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const postmaster = (folder: string): number =>
  Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0])

/** The package waits for ever for a server that has ended by itself. */
const maxStopMs = 30_000

const stopped = async (server: { readonly stop: () => Promise<void> }): Promise<void> => {
  await Promise.race([server.stop(), sleep(maxStopMs, undefined, { ref: false })])
}

const started = async (start: () => Promise<void>): Promise<void> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      if (attempt === 10) throw error
      await pause(1000)
    }
  }
}

const command = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** Keeps a note of where a world is, for who looks for it. */
export const note = (folder: string, text: string): void => writeFileSync(join(folder, "README"), text)
