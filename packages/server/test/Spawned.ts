/** The server and the command as processes of their own, and a client that speaks to them over HTTP. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { clockVariables } from "../../../test/Clock.ts"
import { serverBundle } from "../../../test/ServerBundle.ts"

/**
 * Compiled code that the next process finds, in whichever file or run it is started: more than half of what a start costs.
 * What has changed since is compiled anew.
 */
const compiled = fileURLToPath(new URL("../../../node_modules/.cache/trunkline-compiled", import.meta.url))

const folders: Array<string> = []
const children = new Set<ChildProcess>()

/** A server's file. What the server writes meanwhile is waited for: by default `node:sqlite` fails at once. */
export const openDatabase = (file: string): DatabaseSync => new DatabaseSync(file, { timeout: 10_000 })

/** A folder of its own, whose installation is as fast as `speed` says and has no limit for addresses. */
export const folder = (speed = 200, more: object = {}): string => {
  const made = mkdtempSync(join(tmpdir(), "trunkline-server-"))
  folders.push(made)
  writeFileSync(
    join(made, "config.json"),
    JSON.stringify({ telephony: { simulator: { speed } }, limits: { per_ip_per_minute: null }, ...more })
  )
  return made
}

/** Ends what is still there, whatever has become of the test. */
export const cleanUp = (): void => {
  for (const child of children) child.kill("SIGKILL")
  for (const made of folders) rmSync(made, { recursive: true, force: true })
}

type Variables = Readonly<Record<string, string>>

const start = (
  cwd: string,
  words: ReadonlyArray<string>,
  environment: Variables,
  bundle: string = serverBundle
): ChildProcess => {
  const child = spawn(process.execPath, [bundle, ...words], {
    cwd,
    env: {
      ...clockVariables,
      PATH: process.env.PATH ?? "",
      NODE_COMPILE_CACHE: compiled,
      PORT: "0",
      TRUNKLINE_CONFIG: "config.json",
      ...environment
    }
  })
  children.add(child)
  child.once("exit", () => children.delete(child))
  return child
}

/** The exit code; null when a signal ended it. */
export const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once("exit", (code) => resolve(code)))

/** Runs a command to its end. */
export const run = async (cwd: string, words: ReadonlyArray<string>, environment: Variables = {}) => {
  const child = start(cwd, words, environment)
  let out = ""
  let err = ""
  child.stdout!.on("data", (chunk) => (out += chunk))
  child.stderr!.on("data", (chunk) => (err += chunk))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  return { code, out, err }
}

// A process leaves what it has compiled when it ends: many that start together before one has ended would each compile all.
if (!existsSync(compiled)) await run(tmpdir(), ["--version"])

/** Runs a command that must succeed, and reads its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about.
export const json = async (cwd: string, ...words: ReadonlyArray<string>): Promise<any> => {
  const { code, err, out } = await run(cwd, [...words, "--json"])
  if (code !== 0) throw new Error(`${words.join(" ")}: ${err}`)
  return JSON.parse(out)
}

export interface Server {
  readonly url: string
  /** Everything on standard output until it was ready. */
  readonly printed: string
  /** Everything on standard error until now. */
  readonly logged: () => string
  readonly child: ChildProcess
}

export const serve = (cwd: string, environment: Variables = {}, bundle: string = serverBundle): Promise<Server> =>
  new Promise((resolve, reject) => {
    const child = start(cwd, ["serve"], environment, bundle)
    let printed = ""
    let said = ""
    child.stderr!.on("data", (chunk) => (said += chunk))
    child.stdout!.on("data", (chunk) => {
      printed += chunk
      const url = /^listening on (http:\S+)\n/m.exec(printed)?.[1]
      if (url !== undefined) resolve({ url, printed, logged: () => said, child })
    })
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${said}`)))
  })

/** Stops a server in order: the exit code, and how long it took. */
export const stop = async ({ child }: Server) => {
  const began = performance.now()
  child.kill("SIGTERM")
  return { code: await ended(child), milliseconds: performance.now() - began }
}

export const keyOf = ({ printed }: Server): string => /svc_\w+/.exec(printed)![0]
export const accountOf = ({ printed }: Server): string => /account ([0-9a-f-]{36})/.exec(printed)![1]!

export const client =
  ({ url }: Pick<Server, "url">, key: string) =>
  async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, body: text === "" ? null : JSON.parse(text) }
  }

export type Client = ReturnType<typeof client>

/**
 * Looks again and again until there is something, more seldom the longer that takes: some look for minutes, and a look may open
 * a connection. The error of a wait in vain shows what `explain` returns.
 */
export const until = async <A>(
  look: () => Promise<A | null>,
  milliseconds = 300_000,
  explain?: () => Promise<unknown>
): Promise<A> => {
  for (const begun = performance.now(); ; ) {
    const found = await look()
    if (found !== null) return found
    const waited = performance.now() - begun
    if (waited > milliseconds) {
      throw new Error(`waited ${milliseconds} ms in vain`, { cause: JSON.stringify(await explain?.()) })
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(50, waited / 100)))
  }
}

/** A campaign of people who answer, one after the other, started. */
export const campaign = async (api: Client, people: number): Promise<string> => {
  const { body } = await api("POST", "/api/v1/voice-campaigns", {
    name: "C",
    timezone: "UTC",
    quiet_hours_start: 0,
    quiet_hours_end: 24,
    dial_mode: "parallel",
    parallel_lines: 1
  })
  const contacts = Array.from({ length: people }, (_, n) => ({ phone: `+9198765${String(n).padStart(3, "0")}10` }))
  await api("POST", `/api/v1/voice-campaigns/${body.id}/contacts`, { contacts })
  for (const status of ["scheduled", "running"]) {
    await api("POST", `/api/v1/voice-campaigns/${body.id}/status`, { status })
  }
  return body.id
}

/** Waits until a number of people of a campaign have been reached. */
export const reached = (api: Client, id: string, people: number) =>
  until(async () => {
    const { body } = await api("GET", `/api/v1/voice-campaigns/${id}`)
    return body.completed_contacts >= people ? body : null
  })

export const completed = (api: Client, id: string) =>
  until(async () => {
    const { body } = await api("GET", `/api/v1/voice-campaigns/${id}`)
    return body.status === "completed" ? body : null
  })

interface CallRow {
  readonly contact_id: string
  readonly status: string
  readonly answered_at: string | null
  readonly ended_at: string | null
}

export const callsOf = async (api: Client, id: string): Promise<ReadonlyArray<CallRow>> =>
  (await api("GET", `/api/v1/telephony/calls?campaign_id=${id}&limit=500`)).body
