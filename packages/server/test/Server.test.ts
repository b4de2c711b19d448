/** The server and the command, as somebody at a terminal meets them. Verifies: SERV-2, SERV-3, SERV-4, TELE-2, HOST-1. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

const folders: Array<string> = []
const children = new Set<ChildProcess>()

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "trunkline-server-"))
  folders.push(made)
  writeFileSync(
    join(made, "config.json"),
    JSON.stringify({ telephony: { simulator: { speed: 100 } }, limits: { per_ip_per_minute: null } })
  )
  return made
}

afterAll(() => {
  for (const child of children) child.kill("SIGKILL")
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

const start = (cwd: string, words: ReadonlyArray<string>, environment: Record<string, string> = {}): ChildProcess => {
  const child = spawn(process.execPath, ["--conditions=source", main, ...words], {
    cwd,
    env: { PATH: process.env.PATH ?? "", PORT: "0", TRUNKLINE_CONFIG: "config.json", ...environment }
  })
  children.add(child)
  child.once("exit", () => children.delete(child))
  return child
}

const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once("exit", (code) => resolve(code)))

const run = async (cwd: string, ...words: ReadonlyArray<string>) => {
  const child = start(cwd, words)
  let out = ""
  let err = ""
  child.stdout!.on("data", (chunk) => (out += chunk))
  child.stderr!.on("data", (chunk) => (err += chunk))
  const code = await ended(child)
  return { code, out, err }
}

interface Server {
  readonly url: string
  readonly printed: string
  readonly child: ChildProcess
}

const serve = (cwd: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const child = start(cwd, ["serve"])
    let printed = ""
    let said = ""
    child.stderr!.on("data", (chunk) => (said += chunk))
    child.stdout!.on("data", (chunk) => {
      printed += chunk
      const url = /listening on (http:\S+)/.exec(printed)?.[1]
      if (url !== undefined) resolve({ url, printed, child })
    })
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${said}`)))
  })

const client =
  ({ url }: Server, key: string) =>
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

type Client = ReturnType<typeof client>

const until = async <A>(look: () => Promise<A | null>, milliseconds = 30_000): Promise<A> => {
  for (const end = Date.now() + milliseconds; ; ) {
    const found = await look()
    if (found !== null) return found
    if (Date.now() > end) throw new Error("waited in vain")
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const keyOf = ({ printed }: Server): string => /svc_\w+/.exec(printed)![0]
const accountOf = ({ printed }: Server): string => /account ([0-9a-f-]{36})/.exec(printed)![1]!

/** A campaign of people who answer, started. At this speed a call takes a quarter of a second. */
const campaign = async (api: Client, people: number): Promise<string> => {
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
  for (const status of ["scheduled", "running"])
    await api("POST", `/api/v1/voice-campaigns/${body.id}/status`, { status })
  return body.id
}

const completed = (api: Client, id: string) =>
  until(async () => {
    const { body } = await api("GET", `/api/v1/voice-campaigns/${id}`)
    return body.status === "completed" ? body : null
  })

/** Each person was called once, and no call is open. */
const calledOnce = async (api: Client, id: string, people: number) => {
  const { body: calls } = await api("GET", `/api/v1/telephony/calls?campaign_id=${id}&limit=500`)
  expect(calls.filter((call: { ended_at: string | null }) => call.ended_at === null)).toEqual([])
  const rang = calls.filter((call: { answered_at: string | null }) => call.answered_at !== null)
  expect(new Set(rang.map((call: { contact_id: string }) => call.contact_id)).size).toBe(people)
  expect(rang.length).toBe(people)
}

describe("the server", { timeout: 90_000 }, () => {
  it("starts from nothing, shows a key once that works, and tells of itself", async () => {
    const cwd = folder()
    const server = await serve(cwd)
    const api = client(server, keyOf(server))
    expect((await api("GET", "/api/v1/voice-campaigns")).status).toBe(200)
    expect(statSync(join(cwd, "data/secret")).mode & 0o777).toBe(0o600)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain("trunkline_workers_running 1")
    expect((await (await fetch(`${server.url}/openapi.json`)).json()).openapi).toBe("3.1.0")
    const page = await (await fetch(`${server.url}/docs`)).text()
    expect(page).toContain("<!doctype html>")
    expect(page).not.toMatch(/<script[^>]+src="https?:/)
    expect(await (await fetch(`${server.url}/nowhere`)).json()).toEqual({ detail: "Not Found" })
    expect((await (await fetch(`${server.url}/v1/nowhere`)).json()).error.code).toBe("not_found")

    server.child.kill("SIGTERM")
    expect(await ended(server.child)).toBe(0)
    const again = await serve(cwd)
    expect(again.printed).not.toContain("svc_")
    again.child.kill("SIGTERM")
    expect(await ended(again.child)).toBe(0)
  })

  it("sees within 5 s what the command line committed", async () => {
    const cwd = folder()
    const server = await serve(cwd)
    const api = client(server, keyOf(server))
    const made = JSON.parse(
      (await run(cwd, "key", "create", "--account", accountOf(server), "--scopes", "campaigns:read", "--json")).out
    )
    const reader = client(server, made.key)
    expect((await reader("GET", "/api/v1/voice-campaigns")).status).toBe(200)
    expect((await reader("POST", "/api/v1/voice-campaigns", { name: "x" })).status).toBe(403)
    await run(cwd, "key", "revoke", "--key", made.id)
    await until(async () => ((await reader("GET", "/api/v1/voice-campaigns")).status === 401 ? true : null), 5000)
    await run(cwd, "account", "set", "--account", accountOf(server), "--voice-campaigns", "off")
    await until(async () => ((await api("GET", "/api/v1/voice-campaigns")).status === 404 ? true : null), 5000)
    await run(cwd, "account", "set", "--account", accountOf(server), "--status", "inactive")
    await until(async () => ((await api("GET", "/api/v1/voice-campaigns")).status === 403 ? true : null), 5000)
    const token = JSON.parse(
      (await run(cwd, "token", "create", "--account", accountOf(server), "--role", "owner", "--json")).out
    )
    expect((await client(server, token.token)("GET", "/api/v1/bots")).status).toBe(403)
    server.child.kill("SIGTERM")
    expect(await ended(server.child)).toBe(0)
  })

  it("stopped in the middle of a campaign, ends with 0, and goes on after a restart without calling anybody twice", async () => {
    const cwd = folder()
    const server = await serve(cwd)
    const api = client(server, keyOf(server))
    const id = await campaign(api, 12)
    await until(async () =>
      (await api("GET", `/api/v1/voice-campaigns/${id}`)).body.completed_contacts >= 3 ? true : null
    )
    server.child.kill("SIGTERM")
    expect(await ended(server.child)).toBe(0)
    const next = await serve(cwd)
    const later = client(next, keyOf(server))
    await completed(later, id)
    await calledOnce(later, id, 12)
    next.child.kill("SIGTERM")
    await ended(next.child)
  })

  it("killed three times in the middle of a campaign, settles what was under way and calls nobody twice", async () => {
    const cwd = folder()
    let server = await serve(cwd)
    const key = keyOf(server)
    const id = await campaign(client(server, key), 12)
    for (const reached of [2, 5, 8]) {
      const api = client(server, key)
      await until(async () =>
        (await api("GET", `/api/v1/voice-campaigns/${id}`)).body.completed_contacts >= reached ? true : null
      )
      server.child.kill("SIGKILL")
      await ended(server.child)
      server = await serve(cwd)
    }
    const api = client(server, key)
    await completed(api, id)
    await calledOnce(api, id, 12)
    server.child.kill("SIGTERM")
    await ended(server.child)
  })
})

describe("the command", { timeout: 60_000 }, () => {
  it("makes accounts, adds credits exactly, and writes down who did what", async () => {
    const cwd = folder()
    const made = JSON.parse((await run(cwd, "account", "create", "--name", "Acme", "--plan", "pro", "--json")).out)
    expect(made).toMatchObject({ name: "Acme", plan: "pro", status: "active", features: { voice_campaigns: true } })
    const added = JSON.parse(
      (await run(cwd, "credits", "add", "--account", made.id, "--amount", "0.000000001", "--json")).out
    )
    expect(added.balance).toBe(1000.000000001)
    const audit = JSON.parse((await run(cwd, "audit", "--account", made.id, "--json")).out)
    expect(audit.map(({ action }: { action: string }) => action)).toEqual(["credits.add", "account.create"])
  })

  it.each([
    [["nonsense"], /unknown command/],
    [["account", "create"], /--name/],
    [["account", "set", "--account", "zz", "--status", "active"], /no database .* yet/],
    [["account", "set", "--account", "00000000-0000-7000-8000-000000000000", "--plan", "free"], /no database .* yet/],
    [["account", "create", "--name", "x", "--plan", "gold"], /Allowed choices/],
    [["credits", "add", "--account", "00000000-0000-7000-8000-000000000000", "--amount", "1.0000000001"], /decimal/],
    [["audit", "--account", "00000000-0000-7000-8000-000000000000", "--database", "mysql://x"], /sqlite: or postgres/],
    [["serve", "--nonsense"], /unknown option/]
  ])("answers %j with one clear line and exit code 1", async (words, line) => {
    const { code, err, out } = await run(folder(), ...words)
    expect(code).toBe(1)
    expect(out).toBe("")
    expect(err.trim().split("\n")).toHaveLength(1)
    expect(err).toMatch(line)
  })
})
