/** Accounts that move to another installation, as hosts, callers and receivers see it. Source: docs/reference/moving-accounts.md. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { accelerated, createTrunkline, type OtherInstallation, type Trunkline } from "@trunkline/core"
import { outbound } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { startReceiver } from "@trunkline/testing/webhooks"
import { afterEach, describe, expect, it } from "vitest"

const speed = 200
/** A Monday, at noon. */
const startsAt = Date.UTC(2026, 10, 23, 12)

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Two installations with keys of their own, on one clock; the second is opened when it is asked for. */
const installations = async () => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-moving-"))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const clock = accelerated(startsAt, speed)
  const of = (name: string): OtherInstallation => ({
    name,
    storage: sqlite(join(folder, `${name}.db`)),
    encryptionKey: `a key for the secrets of the installation ${name}`
  })
  const open = async (name: string): Promise<Trunkline> => {
    const { encryptionKey, storage } = of(name)
    const core = await createTrunkline({
      ...{ storage, encryptionKey, clock, telephony: simulator() },
      outbound: outbound(),
      webhooks: { allowNetworks: ["127.0.0.0/8"], timeoutMs: 10_000 * speed }
    })
    closing.push(() => core.stop())
    return core
  }
  return { open, target: of("target"), source: await open("source") }
}

const ask = (core: Trunkline, key: string, path = "/api/v1/voice-campaigns", init: RequestInit = {}) =>
  core.fetch(new Request(`http://here${path}`, { ...init, headers: { authorization: `Bearer ${key}` } }))

const until = async (done: () => Promise<boolean>) => {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** An account that may call, with a key for everything. */
const account = async (core: Trunkline) => {
  const { id } = await core.admin.createAccount({ name: "Acme", voiceCampaigns: true })
  return { id, key: (await core.admin.createKey(id, { scopes: ["*"] })).text }
}

describe("an account that moves", () => {
  // Verifies: MOVE-3, MOVE-4.
  it("is called on at the other installation, each person once, and its receiver gets each event once", async () => {
    const { open, source, target } = await installations()
    const receiver = await startReceiver()
    closing.push(() => receiver.close())
    const { id, key } = await account(source)
    const events = ["call.started", "call.completed", "call.failed", "campaign.completed"]
    await source.webhooks.create(id, { url: `${receiver.origin}/hook`, events: events as never })
    const campaign = await source.campaigns.create(id, {
      ...{ name: "C", dialMode: "power", paceSeconds: 5, maxAttempts: 1, parallelLines: 1, timezone: "UTC" },
      ...{ quietHoursStart: 0, quietHoursEnd: 24 }
    })
    const people = Array.from({ length: 12 }, (_, n) => ({ phone: `+1415555${String(2000 + n)}` }))
    await source.campaigns.addContacts(id, campaign.id, people)
    for (const status of ["scheduled", "running"] as const) await source.campaigns.move(id, campaign.id, status)
    await source.start()
    await until(async () => (await source.calls.list(id)).total >= 3)
    const moving = source.move(id, target)
    await until(async () => (await ask(source, key)).status === 503)
    const refused = await ask(source, key)
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"])
    expect(await refused.json()).toMatchObject({ detail: expect.stringMatching(/is being moved/) })
    await expect(source.campaigns.list(id)).rejects.toMatchObject({ code: "account_moving", status: 503 })
    const report = await moving
    expect(report.tables.find(({ name }) => name === "campaign_contacts")?.rows).toBe(12)

    const before = receiver.received.length
    const gone = await ask(source, key)
    expect([gone.status, await gone.json()]).toEqual([403, { detail: expect.stringMatching(/has moved/) }])
    await expect(source.calls.list(id)).rejects.toMatchObject({ code: "account_moved", status: 403 })

    const arrived = await open("target")
    await arrived.start()
    await until(async () => (await arrived.campaigns.get(id, campaign.id)).status === "completed")
    await until(async () =>
      (await arrived.metrics()).some(
        ({ name, samples }) => name === "trunkline_deliveries_waiting" && samples[0]?.value === 0
      )
    )
    const { items, total } = await arrived.calls.list(id, { limit: 100 })
    expect([total, new Set(items.map(({ to }) => to)).size]).toEqual([12, 12])
    expect((await ask(arrived, key)).status).toBe(200)
    expect(receiver.received.length).toBeGreaterThan(before)
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"])
    expect(new Set(ids).size).toBe(ids.length)
    const names = receiver.received.map(({ body }) => JSON.parse(String(body)).event)
    expect(names.filter((name) => name === "call.started")).toHaveLength(12)
    expect(names.filter((name) => name === "campaign.completed")).toHaveLength(1)
  })

  // Verifies: MOVE-4.
  it("works on where it was when what is under way lasts too long", async () => {
    const { source, target } = await installations()
    const { id, key } = await account(source)
    const session = await source.voice.create(id, { botId: (await bot(source, key)).id } as never)
    await source.voice.connected(id, session.id)
    await expect(source.move(id, target, { waitSeconds: 5 })).rejects.toMatchObject({
      code: "account_move_timed_out",
      status: 409,
      message: expect.stringMatching(/1 voice sessions/)
    })
    await until(async () => (await ask(source, key)).status === 200)
    await source.voice.end(id, session.id, "caller_hangup")
  })

  it("is refused where it does not exist, and where it is already", async () => {
    const { source, target } = await installations()
    const nobody = "01890000-0000-7000-8000-000000000000"
    await expect(source.move(nobody, target)).rejects.toMatchObject({ code: "account_move_refused", status: 409 })
    const { id } = await account(source)
    await expect(source.move(id, { ...target, encryptionKey: "short" }, { waitSeconds: -1 })).rejects.toMatchObject({
      code: "schema_refused",
      fields: [{ path: ["encryptionKey"] }, { path: ["waitSeconds"] }]
    })
    await source.move(id, target)
    await expect(source.move(id, { ...target, name: "another" })).rejects.toThrow(/has moved to target/)
  })

  it("is refused in a sentence where a member's email is another account's there, and works on", async () => {
    const { open, source, target } = await installations()
    const { id, key } = await account(source)
    const there = await open("target")
    const other = await there.admin.createAccount({ name: "Other", plan: "pro" })
    await there.admin.createMember(other.id, { email: "Ada@example.com" })
    await source.admin.createMember(id, { email: "ada@example.com" })
    await source.admin.createMember(id, { email: "bob@example.com" })
    await expect(source.move(id, target)).rejects.toMatchObject({
      code: "account_move_refused",
      status: 409,
      message: expect.stringMatching(/a member with the email ada@example\.com\. An email is one person's/)
    })
    expect((await ask(source, key)).status).toBe(200)
  })
})

const bot = async (core: Trunkline, key: string): Promise<{ readonly id: string }> => {
  const answer = await core.fetch(
    new Request("http://here/api/v1/bots", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "B", type: "voice", system_prompt: "P" })
    })
  )
  return (await answer.json()) as { readonly id: string }
}
