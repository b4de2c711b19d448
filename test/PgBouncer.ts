/** PgBouncer in front of a Postgres server, for tests of poolers. */
import { execFileSync, spawn } from "node:child_process"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { freePort } from "./FreePort.ts"
import { postgresOwner } from "./PostgresPair.ts"

/** Debian installs it where only root's PATH leads. */
const places = ["pgbouncer", "/usr/sbin/pgbouncer", "/usr/local/sbin/pgbouncer"]

const installed = (): string | null =>
  places.find((place) => {
    try {
      execFileSync(place, ["--version"], { stdio: "ignore" })
      return true
    } catch {
      return false
    }
  }) ?? null

/** Null where PgBouncer can be started; else why not. */
export const missingPgBouncer = (): string | null => {
  if (installed() === null) return "pgbouncer is not installed"
  try {
    postgresOwner()
    return null
  } catch {
    return "pgbouncer does not run as root, and there is no user postgres"
  }
}

export interface Pooler {
  /** The same database through the pooler. */
  readonly urlOf: (direct: string) => string
  readonly stop: () => Promise<void>
}

/** Starts it for all databases of the server of a URL. */
export const startPgBouncer = async (direct: string, mode: "transaction" | "session"): Promise<Pooler> => {
  const { hostname, password, port: serverPort, username } = new URL(direct)
  const [owner, port] = [postgresOwner(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), "trunkline-pgbouncer-"))
  const file = join(folder, "pgbouncer.ini")
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}${password === "" ? "" : ` password=${password}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 20
max_client_conn = 500
`
  )
  if (owner.uid !== undefined && owner.gid !== undefined)
    for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid)
  const child = spawn(installed()!, ["-q", file], { ...owner, stdio: ["ignore", "ignore", "pipe"] })
  const end = () => child.kill("SIGKILL")
  process.once("exit", end)
  let said = ""
  child.stderr.on("data", (chunk) => (said += chunk))
  const urlOf = (database: string) => {
    const url = new URL(database)
    url.host = `127.0.0.1:${port}`
    return url.href
  }
  for (let tries = 0; ; tries++) {
    const client = new pg.Client(urlOf(direct))
    client.on("error", () => undefined)
    const isUp = await client.connect().then(
      () => true,
      () => false
    )
    await client.end().catch(() => undefined)
    if (isUp) break
    if (tries > 6000 || child.exitCode !== null) throw new Error(`pgbouncer does not start: ${said}`)
    await sleep(50)
  }
  return {
    urlOf,
    stop: async () => {
      process.removeListener("exit", end)
      end()
      await new Promise((resolve) =>
        child.exitCode === null && child.signalCode === null ? child.once("exit", resolve) : resolve(null)
      )
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
