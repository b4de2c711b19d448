/** The product for hosts without Effect. Verifies: HOST-1, HOST-2, HOST-3. */

import {
  accelerated,
  createTrunkline,
  type HandedPrincipal,
  type LogEntry,
  type Trunkline,
  TrunklineError,
  type TrunklineOptions
} from "@trunkline/core"
import { telephonyProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import { afterEach, describe, expect, it, vi } from "vitest"

const open: Array<Trunkline> = []
afterEach(async () => {
  for (const core of open.splice(0)) await core.stop()
})

const make = async (options: Partial<TrunklineOptions> = {}, network = new FakeNetwork()): Promise<Trunkline> => {
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    telephony: telephonyProvider(layerFakeCarrier(network)),
    encryptionKey: "a key for the secrets of this test",
    log: () => undefined,
    ...options
  })
  open.push(core)
  return core
}

const refusal = (promise: Promise<unknown>): Promise<TrunklineError> =>
  promise.then(
    () => expect.fail("it was not refused"),
    (error: unknown) => {
      expect(error).toBeInstanceOf(TrunklineError)
      return error as TrunklineError
    }
  )

describe("a host", () => {
  it("is warned of more webhooks of an account than an event can serve beside other work", async () => {
    const warnings = async (webhooks: number) => {
      const log: Array<LogEntry> = []
      await make({ limits: { webhooks }, log: (entry) => log.push(entry) })
      return log.filter(({ level }) => level === "warn").map(({ message }) => message)
    }
    expect(await warnings(500)).toEqual([])
    expect(await warnings(501)).toEqual([expect.stringContaining("limits.webhooks is 501")])
  })

  // Verifies: D-288.
  it("is refused what an account's routes hide while campaigns are off, with what turns them on", async () => {
    const core = await make()
    const { id } = await core.admin.createAccount({ name: "A" })
    const refused = [
      core.campaigns.create(id, { name: "C" }),
      core.campaigns.list(id),
      core.suppression.add(id, [{ phone: "+33 1 23 45 67 01" }]),
      core.calls.create(id, { to: "+33 1 23 45 67 01" })
    ]
    for (const { code, message, status } of await Promise.all(refused.map(refusal))) {
      expect([code, status]).toEqual(["feature_disabled", 404])
      expect(message).toContain("core.admin.changeAccount(id, { voiceCampaigns: true })")
    }
    await core.admin.changeAccount(id, { voiceCampaigns: true })
    expect(await core.campaigns.create(id, { name: "C" })).toMatchObject({ status: "draft" })
    const nobody = "01a22000-0000-7000-8000-000000000000"
    expect((await refusal(core.campaigns.create(nobody, { name: "C" }))).code).toBe("account_not_found")
  })

  it("dials nobody before it says start, and then does", async () => {
    const network = new FakeNetwork()
    const core = await make({}, network)
    const { id } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
    const campaign = await core.campaigns.create(id, {
      name: "C",
      timezone: "UTC",
      quietHoursStart: 0,
      quietHoursEnd: 24
    })
    await core.campaigns.addContacts(id, campaign.id, [{ phone: "+14155550100", name: null }])
    for (const status of ["scheduled", "running"] as const) await core.campaigns.move(id, campaign.id, status)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(network.log).toEqual([])
    await core.start()
    await expect.poll(() => network.log.map(({ kind }) => kind)).toEqual(["place"])
  })

  it("is refused with every fault of a brand that cannot be used, at start-up", async () => {
    const error = await refusal(make({ brand: { channel: "contacts", keyPrefix: "key" } }))
    expect(error.code).toBe("options_refused")
    expect(error.message).toContain("contacts")
    expect(error.message).toContain("prefix")
  })

  it("is refused with the file of a storage that cannot be opened, at start-up", async () => {
    const error = await refusal(make({ storage: sqlite("/dev/null/nowhere.db") }))
    expect(error.message).toContain("nowhere.db")
  })

  it("gets every failure with a code, a status and a sentence", async () => {
    const core = await make()
    const { id } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
    const missing = "00000000-0000-7000-8000-000000000000"
    expect(await refusal(core.campaigns.get(id, missing))).toMatchObject({
      code: "campaign_not_found",
      status: 404,
      message: "Campaign not found"
    })
    expect(await refusal(core.campaigns.get(id, "nonsense"))).toMatchObject({ code: "schema_refused", status: 422 })
    expect(await refusal(core.calls.create(id, { to: "12" }))).toMatchObject({ code: "unusable_number", status: 422 })
    const campaign = await core.campaigns.create(id, { name: "C" })
    expect(await refusal(core.campaigns.move(id, campaign.id, "running"))).toMatchObject({
      code: "move_refused",
      status: 409
    })
  })

  it("may give up what it asked for", async () => {
    const core = await make()
    const gone = AbortSignal.abort(new Error("changed my mind"))
    await expect(core.admin.listAccounts()).resolves.toEqual([])
    await expect(core.ready({ signal: gone })).rejects.toThrow("changed my mind")
  })

  it("hears events after their commit, and may stop listening", async () => {
    const core = await make()
    const heard: Array<string> = []
    const silence = core.events.on("campaign.started", ({ event }) => void heard.push(event))
    const { id } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
    const begin = async () => {
      const { id: campaign } = await core.campaigns.create(id, { name: "C" })
      for (const status of ["scheduled", "running"] as const) await core.campaigns.move(id, campaign, status)
    }
    await begin()
    silence()
    await begin()
    expect(heard).toEqual(["campaign.started"])
    expect((await core.events.read(null)).map(({ event }) => event)).toEqual(["campaign.started", "campaign.started"])
  })

  it("may run on a clock of its own", async () => {
    const core = await make({ clock: accelerated(Date.UTC(2030, 0, 1), 1000) })
    const { createdAt } = await core.admin.createAccount({ name: "A" })
    expect(new Date(createdAt).getUTCFullYear()).toBe(2030)
  })

  it("keeps its own sign-in", async () => {
    const core = await make({
      auth: {
        authenticate: ({ headers }) => {
          const subject = headers.get("X-User")
          return subject === null ? null : { accountId: headers.get("X-Account")!, subject, role: "viewer" }
        }
      }
    })
    const { id } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
    const ask = (method: string, headers: Record<string, string>) =>
      core.fetch(new Request("http://x/api/v1/voice-campaigns", { method, headers }))
    expect((await ask("GET", { "x-user": "ann", "x-account": id })).status).toBe(200)
    expect((await ask("POST", { "x-user": "ann", "x-account": id })).status).toBe(403)
    expect((await ask("GET", {})).status).toBe(401)
  })

  // Verifies: D-242.
  it("describes its routes below the address that callers use", async () => {
    const core = await make({ brand: { name: "Acme" } })
    const servers = (url?: string) => core.openapi(url === undefined ? {} : { url }).servers
    expect([servers(), servers("/"), servers("/phone/"), servers("https://acme.example/phone")]).toEqual([
      [{ url: "/" }],
      [{ url: "/" }],
      [{ url: "/phone" }],
      [{ url: "https://acme.example/phone" }]
    ])
    expect(core.openapi().info).toMatchObject({ title: "Acme API" })
    const portal = await core.fetch(new Request("http://x/portal/webhooks"))
    expect(await portal.text()).toContain("<title>Webhooks · Acme</title>")
    expect(() => servers("phone")).toThrow(/begins with \//)
  })

  // Verifies: D-227.
  it("answers below a mount point whom the host has signed in, and its own check about the others", async () => {
    let accountId = ""
    const seen: Array<string> = []
    const core = await make({
      auth: {
        authenticate: ({ url }) => {
          seen.push(url)
          return { accountId, subject: "checked", role: "viewer" }
        }
      }
    })
    accountId = (await core.admin.createAccount({ name: "A", voiceCampaigns: true })).id
    const path = "/api/v1/voice-campaigns?limit=1"
    const ask = (method: string, principal: HandedPrincipal) =>
      core.fetch(
        new Request(`http://x/phone${path}`, {
          method,
          ...(method === "POST" ? { body: '{"name":"x"}', headers: { "content-type": "application/json" } } : {})
        }),
        { path, principal }
      )
    const member = { accountId, subject: "ann" }
    expect((await ask("POST", member)).status).toBe(201)
    expect(seen).toEqual([])
    for (const nobody of [null, undefined, () => null, async () => undefined]) {
      seen.length = 0
      expect((await ask("GET", nobody)).status).toBe(200)
      expect((await ask("POST", nobody)).status).toBe(403)
      expect(seen).toEqual([path, path])
    }
  })

  it("finds a failed request in the log by the request id of its answer", async () => {
    const lines: Array<LogEntry> = []
    const core = await make({
      log: (line) => void lines.push(line),
      auth: { authenticate: () => Promise.reject(new Error("the sign-in is broken")) }
    })
    const ask = (headers: Record<string, string>) =>
      core.fetch(new Request("http://x/api/v1/voice-campaigns", { headers }))
    const answers = [await ask({ "x-request-id": "theirs-1" }), await ask({})]
    expect(answers.map(({ status }) => status)).toEqual([500, 500])
    const ids = answers.map(({ headers }) => headers.get("x-request-id"))
    expect(ids[0]).toBe("theirs-1")
    expect(lines.map(({ requestId }) => requestId)).toEqual(ids)
    for (const { message } of lines) expect(message).toContain("the sign-in is broken")
  })

  // Verifies: D-236.
  it("finds the reason of a 404 of campaigns in the log, once for an account, and not in the answer", async () => {
    const lines: Array<LogEntry> = []
    const core = await make({ log: (line) => void lines.push(line) })
    const { id } = await core.admin.createAccount({ name: "A" })
    const { text: key } = await core.admin.createKey(id)
    const ask = (path: string, body?: object) =>
      core.fetch(
        new Request(`http://x/api/v1${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
    for (const answer of [
      await ask("/voice-campaigns"),
      await ask("/voice-campaigns/dnc"),
      await ask("/telephony/calls", { to: "+14155550100" })
    ]) {
      expect([answer.status, await answer.json()]).toEqual([404, { detail: "Not Found" }])
    }
    const explained = lines.filter(({ message }) => message.includes(id))
    expect(explained.map(({ level }) => level)).toEqual(["warn"])
    expect(explained[0]!.message).toContain("voiceCampaigns: true")
    expect(await refusal(core.calls.create(id, { to: "+14155550100" }))).toMatchObject({
      code: "feature_disabled",
      status: 404,
      message: expect.stringContaining("voiceCampaigns: true")
    })
  })

  it("finds the request id in the console too, where it gave no log of its own", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined)
    try {
      const core = await createTrunkline({
        storage: sqlite(":memory:"),
        telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
        encryptionKey: "a key for the secrets of this test",
        auth: { authenticate: () => Promise.reject(new Error("broken")) }
      })
      open.push(core)
      await core.fetch(new Request("http://x/api/v1/voice-campaigns", { headers: { "x-request-id": "theirs-1" } }))
      expect(said.mock.calls).toEqual([[expect.stringContaining("theirs-1")]])
    } finally {
      said.mockRestore()
    }
  })
})
