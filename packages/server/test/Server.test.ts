/** The server as somebody at a terminal meets it. Verifies: SERV-2, SERV-3, SERV-4, TELE-2, HOST-1. */

import { once } from "node:events"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { atMost } from "@trunkline/testing/slow-machine"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Command from "./Command.ts"
import {
  accountOf,
  type Client,
  callsOf,
  campaign,
  cleanUp,
  client,
  completed,
  ended,
  folder,
  keyOf,
  reached,
  run,
  type Server,
  serve,
  stop,
  until
} from "./Spawned.ts"

const { json } = Command

afterAll(cleanUp)

/** Each person was called once, and no call is open. */
const expectCalledOnce = async (api: Client, id: string, people: number) => {
  const calls = await callsOf(api, id)
  expect(calls.filter(({ ended_at }) => ended_at === null)).toEqual([])
  const rang = calls.filter(({ answered_at }) => answered_at !== null).map(({ contact_id }) => contact_id)
  expect(rang.length).toBe(people)
  expect(new Set(rang).size).toBe(people)
}

/** A request whose body is on its way: the server has answered to its head, and waits for the rest. */
const begin = async ({ url }: Server, key: string) => {
  const body = JSON.stringify({ name: "slow" })
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  let read = ""
  socket.on("error", () => undefined).on("data", (chunk) => (read += chunk))
  const answer = once(socket, "close").then(() => read)
  socket.write(
    `POST /api/v1/voice-campaigns HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  )
  await until(async () => (read.startsWith("HTTP/1.1 100 ") ? true : null))
  return { answer, end: () => socket.write(body) }
}

describe.concurrent("the server", () => {
  /** For tests that do not end it. Only one of them changes its account. */
  let shared: { readonly cwd: string; readonly server: Server }
  beforeAll(async () => {
    const cwd = folder()
    shared = { cwd, server: await serve(cwd) }
  })

  // It waits longest: for what dead processes held.
  it("killed twice and stopped once in the middle of a campaign, settles what was under way and calls nobody twice", async () => {
    const cwd = folder(100)
    let server = await serve(cwd)
    const key = keyOf(server)
    const id = await campaign(client(server, key), 12)
    for (const people of [3, 6]) {
      await reached(client(server, key), id, people)
      server.child.kill("SIGKILL")
      await ended(server.child)
      server = await serve(cwd)
    }
    await reached(client(server, key), id, 9)
    const { code, milliseconds } = await stop(server)
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(atMost(15_000))
    server = await serve(cwd)
    const api = client(server, key)
    await completed(api, id)
    await expectCalledOnce(api, id, 12)
    await stop(server)
  })

  // Verifies: D-166, D-207, D-249, H-69.
  it("starts from nothing, shows a working key once, prints its address and models, and logs apart from that one JSON object a line", async () => {
    const cwd = folder()
    const server = await serve(cwd)
    const api = client(server, keyOf(server))
    expect((await api("GET", "/api/v1/voice-campaigns")).status).toBe(200)
    expect(server.printed.split("\n").filter((line) => line.startsWith("listening on"))).toHaveLength(1)
    expect(server.printed).toContain(`account set --account ${accountOf(server)} --plan pro`)
    const [, named = ""] = /^speech models of the plan free: (.+)$/m.exec(server.printed) ?? []
    const { body: models } = await api("GET", "/api/v1/models/access")
    expect(named.split(", ")).toEqual(models.plans.free.by_category.stt)
    expect(statSync(join(cwd, "data/secret")).mode & 0o777).toBe(0o600)
    const id = await campaign(api, 3)
    expect(await completed(api, id)).toMatchObject({ total_contacts: 3, completed_contacts: 3, failed_contacts: 0 })
    await expectCalledOnce(api, id, 3)

    const get = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init)
    expect(await (await get("/healthz")).json()).toEqual({ status: "ok" })
    expect(await (await get("/readyz")).json()).toEqual({ status: "ready" })
    expect((await (await get("/openapi.json")).json()).openapi).toBe("3.1.0")
    const metrics = await (await get("/metrics")).text()
    expect(metrics).toMatch(
      /trunkline_http_request_duration_seconds_count\{route="voice-campaigns",method="POST",status="201"\} 1/
    )
    expect(metrics).toContain("trunkline_workers_running 1")
    expect(metrics).toContain('trunkline_events_total{event="call.completed"} 3')
    expect(metrics).toMatch(/trunkline_dialer_last_pass_timestamp_seconds 1\d{9}/)
    expect(metrics).not.toContain(id)

    const first = await stop(server)
    expect(first.code).toBe(0)
    const again = await serve(cwd)
    expect(again.printed.split("\n")).toEqual([
      "language models: none (docs/guides/add-a-model.md)",
      "speech to text: the embedded engine (moonshine-tiny), English alone",
      "text to speech: the embedded engine (flite), English alone",
      "embeddings: the embedded engine (universal-sentence-encoder-lite), English alone",
      "images: none (docs/guides/add-a-model.md)",
      "web search: none (docs/reference/search.md)",
      expect.stringMatching(
        /^the account \S+ is on the plan free; to change it: .+ account set --account \S+ --plan pro$/
      ),
      `API reference: ${again.url}/docs`,
      "speech on lines is detected by Silero",
      expect.stringMatching(/^dashboard: http:\/\/127\.0\.0\.1:\d+\/dashboard\/#link=lnk_[0-9A-Za-z]{40}$/),
      `listening on ${again.url}`,
      ""
    ])
    const closed = once(again.child, "close")
    expect((await stop(again)).code).toBe(0)
    await closed
    for (const line of again.logged().trim().split("\n")) {
      expect(JSON.parse(line)).toEqual({ at: expect.any(String), level: "info", message: "SIGTERM: stopping" })
    }
    expect(readFileSync(join(cwd, "data/secret"), "utf8")).toMatch(/^[\w-]{43}\n$/)
  })

  // Verifies: B-108.
  it("leads from its root to the dashboard, whose page is under the name of the installation", async () => {
    const { server } = shared
    for (const method of ["GET", "HEAD"]) {
      const { headers, status } = await fetch(server.url, { method, redirect: "manual" })
      expect([status, headers.get("location")], method).toEqual([302, "dashboard/"])
    }
    const page = await fetch(server.url)
    expect(page.url).toBe(`${server.url}/dashboard/`)
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self'")
    const html = await page.text()
    expect(html).toContain("<title>Dashboard</title>")
    // People sign in here, unless the file says otherwise.
    expect(html).toContain('"sign_in":true')
  })

  // Verifies: B-101, D-286.
  it("says at its root what it is where the dashboard is off", async () => {
    const server = await serve(folder(200, { dashboard: { enabled: false } }))
    const said = await fetch(server.url)
    expect([said.status, await said.json()]).toMatchObject([200, { status: "ready" }])
    const page = await fetch(server.url, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } })
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(await page.text()).toContain('<a href="docs">')
    for (const path of ["/dashboard/", "/dashboard", "/dashboard/theme.css", "/dashboard/assets/x.js"])
      expect((await fetch(server.url + path)).status, path).toBe(404)
    await stop(server)
  })

  // Verifies: D-188, G-243, H-131, H-157.
  it("answers every other path in its family's envelope, with a request id", async () => {
    const { server } = shared
    const answerOf = async (method: string, path: string) => {
      const response = await fetch(`${server.url}${path}`, { method, headers: { "x-request-id": "mine" } })
      expect(response.headers.get("x-request-id")).toBe("mine")
      expect(response.headers.get("content-type"), path).toBe("application/json")
      return { status: response.status, allow: response.headers.get("allow"), body: await response.json() }
    }
    expect(await answerOf("GET", "/nowhere")).toEqual({ status: 404, allow: null, body: { detail: "Not Found" } })
    for (const path of ["/v1/nowhere", "/openai/v1/nowhere"]) {
      expect((await answerOf("GET", path)).body.error, path).toMatchObject({ code: "not_found", param: null })
    }
    expect(await answerOf("GET", "/healthz")).toMatchObject({ status: 200 })
    expect(await answerOf("POST", "/healthz")).toMatchObject({ status: 405, allow: "GET, HEAD" })
    expect(await answerOf("PUT", "/api/v1/voice-campaigns")).toMatchObject({ status: 405, allow: "POST, GET, HEAD" })
    expect(await answerOf("GET", "/%zz")).toMatchObject({ status: 400, body: { detail: expect.any(String) } })
    expect(await answerOf("DELETE", "/")).toMatchObject({ status: 405, allow: "GET, HEAD" })
    const page = await fetch(`${server.url}/docs`)
    expect(page.headers.get("content-security-policy")).toContain("connect-src 'self'")
    expect(page.headers.get("content-security-policy")).not.toContain("unsafe-eval")
    const html = await page.text()
    expect(html).toContain("/api/v1/voice-campaigns")
    expect(html).toContain("<title>Calling, messaging and inference</title>")
    expect(html).toMatch(/scalar\.com[^}]*display: none/)
    expect(html).not.toMatch(/<(script|link)[^>]+(src|href)="(https?:)?\/\//)
  })

  // Verifies: D-246.
  it("sees within 5 s what the command line committed", async () => {
    const { cwd, server } = shared
    const account = accountOf(server)
    const api = client(server, keyOf(server))
    const status = (who: Client, expected: number, path = "/api/v1/voice-campaigns") =>
      until(async () => ((await who("GET", path)).status === expected ? true : null))

    const made = await json(cwd, "key", "create", "--account", account, "--scopes", "campaigns:read")
    const reader = client(server, made.key)
    await status(reader, 200)
    expect((await reader("POST", "/api/v1/voice-campaigns", { name: "x" })).status).toBe(403)
    await json(cwd, "key", "revoke", "--key", made.id)
    await status(reader, 401)

    const portal = await json(cwd, "portal", "link", "--account", account, "--url", server.url)
    const [page, opens] = portal.url.split("#token=")
    expect(page).toBe(`${server.url}/portal/webhooks`)
    expect((await fetch(page)).headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect((await client(server, opens)("GET", "/api/v1/webhooks")).status).toBe(200)

    const { token } = await json(cwd, "token", "create", "--account", account, "--role", "viewer")
    const viewer = client(server, token)
    expect((await viewer("GET", "/api/v1/bots")).status).toBe(200)
    expect((await viewer("POST", "/api/v1/voice-campaigns", { name: "x" })).status).toBe(403)

    await json(cwd, "account", "set", "--account", account, "--voice-campaigns", "off")
    await status(api, 404)
    await json(cwd, "account", "set", "--account", account, "--voice-campaigns", "on")
    await status(api, 200)
    await json(cwd, "account", "set", "--account", account, "--status", "inactive")
    await status(api, 403)
  })

  // Verifies: B-307, B-318.
  it("prints where the first owner signs in until they have, and knows by command who else may", async () => {
    const cwd = folder()
    const server = await serve(cwd)
    const account = accountOf(server)
    const linkIn = (printed: string) => /^dashboard: (\S+)\/dashboard\/#link=(lnk_\w{40})$/m.exec(printed)
    const [, address, token] = linkIn(server.printed) ?? []
    expect(address).toBe(server.url)
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/api/v1${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body)
      })
    const password = "a long and private sentence"
    const opened = await post("/session/link", { token })
    expect(await opened.json()).toMatchObject({ purpose: "setup", email: null, role: "owner", account_name: "default" })
    const came = await post("/session/link/accept", { token, password, email: "ada@example.com", name: "Ada" })
    expect(came.status).toBe(201)
    const cookie = came.headers.get("set-cookie")!.split(";")[0]!
    const me = () => fetch(`${server.url}/api/v1/me`, { headers: { cookie } })
    expect(await (await me()).json()).toMatchObject({ role: "owner", account: { id: account } })
    expect((await post("/session/link/accept", { token, password, email: "eve@example.com" })).status).toBe(404)

    const url = ["--url", "https://calls.example/phone/"]
    const words = ["--email", "Eve@Example.com"]
    const made = await json(cwd, "user", "create", "--account", account, ...words, "--role", "owner", ...url)
    expect(made).toMatchObject({ email: "Eve@Example.com", role: "owner", status: "invited" })
    expect(made.link).toMatch(/^https:\/\/calls\.example\/phone\/dashboard\/#link=lnk_\w{40}$/)
    const newer = await json(cwd, "user", "link", ...words)
    expect(newer.purpose).toBe("invitation")
    expect((await post("/session/link", { token: made.link.split("link=")[1] })).status).toBe(404)
    expect((await post("/session/link/accept", { token: newer.url.split("link=")[1], password })).status).toBe(201)
    const listed = await json(cwd, "user", "list", "--account", account)
    expect(listed.map((one: { email: string; role: string }) => [one.email, one.role])).toEqual([
      ["Eve@Example.com", "owner"],
      ["ada@example.com", "owner"]
    ])
    expect((await json(cwd, "user", "set", "--email", "ada@example.com", "--role", "viewer")).role).toBe("viewer")
    expect((await (await me()).json()).role).toBe("viewer")
    await json(cwd, "user", "remove", "--email", "ada@example.com")
    expect((await me()).status).toBe(401)
    for (const [refused, why] of [
      [["remove", ...words], /last active owner/],
      [["link", "--account", account], /has members/],
      [["link"], /name one of the two/],
      [["create", "--account", account, ...words], /has this email already/],
      [["set", ...words, "--role", "read_only"], /Allowed choices/]
    ] as const) {
      const { code, err } = await run(cwd, ["user", ...refused])
      expect([code, err], refused.join(" ")).toEqual([1, expect.stringMatching(why)])
    }

    const opens = await json(cwd, "dashboard", "link", "--account", account, "--role", "viewer", "--seconds", "60")
    const [, bearer = ""] = opens.url.split("/dashboard/#token=")
    expect(Math.round((Date.parse(opens.expires_at) - Date.now()) / 30_000)).toBe(2)
    const { body } = await client(server, bearer)("GET", "/api/v1/me")
    expect(body).toMatchObject({ sign_in: "token", role: "viewer" })
    const [entry] = await json(cwd, "audit", "--account", account)
    expect(entry.action).toBe("token.create")

    await stop(server)
    const again = await serve(cwd)
    expect(linkIn(again.printed)).toBeNull()
    await stop(again)
  })

  it("dials on when credits are added that a campaign has run out of", async () => {
    const cwd = folder()
    const poor = await json(cwd, "account", "create", "--name", "Poor")
    writeFileSync(
      join(cwd, "config.json"),
      JSON.stringify({ telephony: { simulator: { speed: 200 } }, pricing: { call_credits_per_minute: 600 } })
    )
    const server = await serve(cwd)
    expect(server.printed).not.toContain("svc_")
    const { key } = await json(cwd, "key", "create", "--account", poor.id)
    const api = client(server, key)
    const id = await campaign(api, 2)
    const of = (status: string) =>
      until(async () => ((await api("GET", `/api/v1/voice-campaigns/${id}`)).body.status === status ? true : null))
    await of("insufficient_balance")
    const { balance } = await json(cwd, "credits", "add", "--account", poor.id, "--amount", "200.5")
    expect(balance).toBe(600.5)
    expect((await api("POST", `/api/v1/voice-campaigns/${id}/status`, { status: "running" })).status).toBe(200)
    await of("completed")
    await expectCalledOnce(api, id, 2)
    await stop(server)
  })

  it("makes one account when several start together on one new file", async () => {
    const cwd = folder()
    const servers = await Promise.all([serve(cwd), serve(cwd)])
    expect(servers.filter(({ printed }) => printed.includes("svc_"))).toHaveLength(1)
    expect(await json(cwd, "account", "list")).toHaveLength(1)
    const { printed } = servers.find(({ printed }) => printed.includes("svc_"))!
    const key = /svc_\w+/.exec(printed)![0]
    const [one, other] = servers.map((server) => client(server, key)) as [Client, Client]
    const id = await campaign(one, 4)
    await completed(other, id)
    await expectCalledOnce(other, id, 4)
    for (const server of servers) expect((await stop(server)).code).toBe(0)
  })

  it("answers requests that run when it is stopped, and is not delayed by those that never end", async () => {
    const server = await serve(folder())
    const key = keyOf(server)
    const [slow, dead] = [await begin(server, key), await begin(server, key)]
    const stopped = stop(server)
    await until(() =>
      fetch(`${server.url}/healthz`).then(
        () => null,
        () => true
      )
    )
    slow.end()
    expect(await slow.answer).toMatch(/HTTP\/1\.1 201 /)
    expect(await dead.answer).not.toContain(" 201 ")
    const { code, milliseconds } = await stopped
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(atMost(10_000))
  })

  it("ends at once at a second signal, but not at the echo of the first", async () => {
    const server = await serve(folder())
    await begin(server, keyOf(server))
    const began = performance.now()
    await until(async () => {
      server.child.kill("SIGTERM")
      return server.child.exitCode
    })
    expect(server.child.exitCode).toBe(143)
    expect(performance.now() - began).toBeGreaterThan(500)
  })
})

describe.concurrent("a start that cannot succeed", () => {
  const linesOf = async (cwd: string, environment: Record<string, string>, start = run) => {
    const { code, err, out } = await start(cwd, ["serve"], { PORT: "0", ...environment })
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).not.toMatch(/^\s+at /m)
    return err.trimEnd().split("\n")
  }

  it("names all settings that are wrong, in the file and in the environment", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "config.json"), JSON.stringify({ telephony: { provider: "twilio" }, limit: {} }))
    const lines = await linesOf(cwd, { PORT: "http", DATABASE_URL: "mysql://x", TRUST_PROXY: "nobody" })
    expect(lines[0]).toMatch(/^trunkline: PORT must be a number/)
    expect(lines[1]).toMatch(/^DATABASE_URL must begin with/)
    expect(lines[2]).toMatch(/^TRUST_PROXY must be addresses .*nobody/)
    expect(lines.slice(3).map((line) => line.trim().split(": ")[0])).toEqual([
      "the configuration config.json cannot be used:",
      "limit",
      "telephony.twilio.account_sid",
      "telephony.twilio.auth_token",
      "telephony.twilio.public_url"
    ])
    expect(() => statSync(join(cwd, "data"))).toThrow()
  })

  it("says in one line what is wrong with port, address or database, and what to do", async () => {
    const cwd = folder()
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const { port } = other.address() as AddressInfo
    writeFileSync(join(cwd, "junk.db"), "this is no database, and it is long enough to be one".repeat(100))
    await json(cwd, "account", "create", "--name", "A", "--database", "sqlite:newer.db")
    new DatabaseSync(join(cwd, "newer.db")).exec("insert into trunkline_migrations values (9999, 'later', 0)")
    const cases: ReadonlyArray<readonly [Record<string, string>, RegExp]> = [
      [{ PORT: String(port) }, /port \d+ of 127\.0\.0\.1 is in use: .*PORT/],
      [{ HOST: "203.0.113.9" }, /HOST 203\.0\.113\.9 is no address of this machine/],
      [{ DATABASE_URL: "sqlite:junk.db" }, /junk\.db cannot be used .*another database/],
      [{ DATABASE_URL: "sqlite:newer.db" }, /newer\.db cannot be used: .*version 9999 .*use a newer release$/],
      [{ DATABASE_URL: `sqlite:${cwd}` }, /it is a folder/],
      [{ DATABASE_URL: "sqlite:junk.db/x.db" }, /cannot be used/],
      [{ DATABASE_URL: "postgres://me:hunter2@127.0.0.1:1/x" }, /me@127\.0\.0\.1:1\/x cannot be used .*ECONNREFUSED/],
      [{ TRUNKLINE_CONFIG: "nowhere.json" }, /nowhere\.json/]
    ]
    // The start that comes farthest is a process, which must end; the others need none.
    const answers = await Promise.all(
      cases.map(([environment], at) => linesOf(cwd, environment, at === 0 ? run : Command.run))
    )
    other.close()
    for (const [i, [environment, words]] of cases.entries()) {
      const text = answers[i]!.join(" ")
      expect(text, JSON.stringify(environment)).toMatch(words)
      expect(text).not.toContain("hunter2")
      if (environment.TRUNKLINE_CONFIG === undefined) expect(answers[i]).toHaveLength(1)
    }
  })
})
