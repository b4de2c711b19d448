/** A Postgres server restored to a moment, and the product on it: docs/reference/operations.md#postgres-backup. */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, describe, expect, it } from "vitest"
import { importServer, withMachineClock } from "../../../test/EmbeddedPostgres.ts"
import { freePort } from "../../../test/FreePort.ts"
import { missing } from "../../../test/TestPostgres.ts"
import { json } from "./Command.ts"
import { type Client, cleanUp, client, folder, keyOf, serve, stop, until } from "./Spawned.ts"

const reason = missing()

const home = mkdtempSync(join(tmpdir(), "trunkline-pitr-"))
// The folders in it are another user's where root runs the tests.
chmodSync(home, 0o755)
const [primaryFolder, restoredFolder, archive] = ["primary", "restored", "archive"].map((name) => join(home, name)) as [
  string,
  string,
  string
]

/** Ends of what was started, the last one first. */
const ends: Array<() => Promise<unknown>> = []
afterAll(async () => {
  cleanUp()
  for (const end of ends.reverse()) await end()
  rmSync(home, { recursive: true, force: true })
})

/** A server in a folder of its own; `initialise` where there is none in it yet. */
const startServer = async (databaseDir: string, settings: ReadonlyArray<string>, initialise: boolean) => {
  const Server = await importServer()
  const port = await freePort()
  const output: Array<string> = []
  const server = new Server({
    ...{ databaseDir, port, user: "postgres", password: "postgres", persistent: true },
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8"],
    postgresFlags: ["fsync=off", ...settings].flatMap((setting) => ["-c", setting]),
    onLog: (line) => output.push(String(line)),
    onError: (line) => output.push(String(line))
  })
  if (initialise) await withMachineClock(() => server.initialise())
  // Postgres writes the archive: where it runs as another user, that one owns the folder.
  const { gid, uid } = statSync(databaseDir)
  mkdirSync(archive, { recursive: true })
  chownSync(archive, uid, gid)
  await withMachineClock(() => server.start()).catch(() => {
    throw new Error(output.slice(-10).join("\n"))
  })
  ends.push(() => server.stop())
  return { server, url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres` }
}

const connected = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  return client
}

/** What `pg_basebackup` does, which the embedded server does not ship. */
const baseBackup = async (db: pg.Client, from: string, to: string): Promise<void> => {
  await db.query("select pg_backup_start('base', fast => true)")
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !/postmaster\.(pid|opts)$|pg_wal\/.|\/pgsql_tmp/.test(path)
  })
  const { labelfile } = (await db.query("select labelfile from pg_backup_stop(wait_for_archive => false)")).rows[0]
  writeFileSync(join(to, "backup_label"), labelfile)
}

/** The block of settings that the page shows, with this test's archive. */
const onPage = (setting: string): string => {
  const text = readFileSync(new URL("../../../docs/reference/operations.md", import.meta.url), "utf8")
  const blocks = [...text.matchAll(/^```ini\n([\s\S]*?)^```$/gm)].map(([, block]) => block!)
  return blocks.find((block) => block.includes(setting))!.replaceAll("/archive/", `${archive}/`)
}

/** As the page says it. */
const restore = (to: string, target: string): void => {
  appendFileSync(
    join(to, "postgresql.auto.conf"),
    onPage("restore_command").replace(/^recovery_target_time = .*$/m, `recovery_target_time = '${target}'`)
  )
  writeFileSync(join(to, "recovery.signal"), "")
}

const ownAll = (path: string): void => {
  const { gid, uid } = statSync(primaryFolder)
  for (const name of ["", ...readdirSync(path, { recursive: true, encoding: "utf8" })])
    chownSync(join(path, name), uid, gid)
}

/** Adds a number to the do-not-call list: how many were new. */
const list = async (api: Client, name: string): Promise<number> =>
  (await api("POST", "/api/v1/voice-campaigns/dnc", { entries: [{ phone: `+1415555${name}` }] })).body.added

const secret = { TRUNKLINE_SECRET: "the secret of both servers" }

describe.skipIf(reason !== null)(`a restore to a moment${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  it("has what was committed before it and nothing later, and the product starts on it and goes on", async () => {
    const archiving = onPage("archive_command")
      .trim()
      .split("\n")
      .map((line) => line.replace(" = ", "=").replaceAll("'", ""))
    const primary = await startServer(primaryFolder, archiving, true)
    const cwd = folder()
    const server = await serve(cwd, { DATABASE_URL: primary.url, ...secret })
    const key = keyOf(server)
    const api = client(server, key)
    expect(await list(api, "0101")).toBe(1)

    const db = await connected(primary.url)
    await baseBackup(db, primaryFolder, restoredFolder)
    expect(await list(api, "0102")).toBe(1)
    const { now } = (await db.query("select clock_timestamp()::text as now")).rows[0]
    // Known to the outside, and to this database: the restored one has never heard of it.
    expect(await list(api, "0103")).toBe(1)
    await db.query("select pg_switch_wal()")
    await stop(server)
    await db.end()
    // A server that is stopped archives what it has written.
    await primary.server.stop()

    restore(restoredFolder, now)
    ownAll(restoredFolder)
    const restored = await startServer(restoredFolder, [], false)
    const again = await connected(restored.url)
    const isPromoted = async () => !(await again.query("select pg_is_in_recovery() as still")).rows[0].still || null
    await until(isPromoted)
    await again.end()

    const workers = { dialer: false, deliveries: false, replies: false, batches: false, analysis: false }
    const quiet = await serve(folder(200, { workers }), { DATABASE_URL: restored.url, ...secret })
    const { body } = await client(quiet, key)("GET", "/api/v1/voice-campaigns/dnc")
    expect(body.map(({ phone }: { phone: string }) => phone).toSorted()).toEqual(["+14155550101", "+14155550102"])
    await stop(quiet)

    const working = await serve(cwd, { DATABASE_URL: restored.url, ...secret })
    expect((await fetch(`${working.url}/readyz`)).status).toBe(200)
    // New to this database.
    expect(await list(client(working, key), "0103")).toBe(1)
    expect(await json(cwd, "account", "list", "--database", restored.url)).toHaveLength(1)
    await stop(working)
  })
})
