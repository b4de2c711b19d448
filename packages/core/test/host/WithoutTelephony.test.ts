/** A host may omit telephony: docs/reference/telephony.md#none. Verifies: HOST-5. */
import { createTrunkline, type Trunkline, TrunklineError } from "@trunkline/core"
import { sqlite } from "@trunkline/storage-sqlite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

describe("a product without telephony", () => {
  let core: Trunkline
  let id: string
  let key: string

  beforeAll(async () => {
    core = await createTrunkline({
      storage: sqlite(":memory:"),
      encryptionKey: "a key of at least 32 characters, for tests",
      log: () => undefined
    })
    id = (await core.admin.createAccount({ name: "A", voiceCampaigns: true })).id
    key = (await core.admin.createKey(id)).text
  })
  afterAll(() => core.stop())

  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const answer = await core.fetch(
      new Request(`http://localhost/api/v1${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )
    return { status: answer.status, body: (await answer.json()) as { readonly detail?: string } }
  }

  const missing = {
    code: "telephony_missing",
    status: 503,
    message: expect.stringMatching(/^Telephony is not configured here/)
  }

  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      () => expect.fail("it was not refused"),
      (error: unknown) => {
        expect(error).toBeInstanceOf(TrunklineError)
        return error
      }
    )

  it("starts, keeps campaigns and dials nobody", async () => {
    await core.start()
    const campaign = await core.campaigns.create(id, { name: "C" })
    await core.campaigns.addContacts(id, campaign.id, [{ phone: "+14155550100" }])
    expect((await core.campaigns.move(id, campaign.id, "scheduled")).status).toBe("scheduled")
    expect((await core.campaigns.live(id, campaign.id)).waitingFor).toEqual({ reason: "not_running", until: null })
    expect(core.workers()).toMatchObject({ running: true, lastPassAt: null })
  })

  // Verifies: D-235.
  it("refuses to run a campaign and to place a call with the reason, by promise and by route", async () => {
    const campaign = await core.campaigns.create(id, { name: "C" })
    await core.campaigns.move(id, campaign.id, "scheduled")
    expect(await refusal(core.campaigns.move(id, campaign.id, "running"))).toMatchObject(missing)
    expect((await core.campaigns.get(id, campaign.id)).status).toBe("scheduled")
    expect(await refusal(core.calls.create(id, { to: "+14155550100" }))).toMatchObject(missing)
    const { detail } = (await refusal(core.calls.create(id, { to: "+14155550100" }))) as never
    expect(detail).toBeUndefined()
    const moved = await ask("POST", `/voice-campaigns/${campaign.id}/status`, { status: "running" })
    const called = await ask("POST", "/telephony/calls", { to: "+14155550100" })
    for (const { body, status } of [moved, called]) {
      expect(status).toBe(503)
      expect(body.detail).toMatch(/^Telephony is not configured here/)
    }
    expect((await core.calls.list(id)).total).toBe(0)
  })

  it("accepts no callback of any provider", async () => {
    expect((await ask("POST", "/telephony/providers/twilio/callback", {})).status).toBe(404)
  })

  // Verifies: D-235.
  it("does everything else", async () => {
    const { webhook } = await core.webhooks.create(id, { url: "https://example.com/hooks", events: ["payment.failed"] })
    await core.events.publish(id, { event: "payment.failed", data: {} })
    expect((await core.webhooks.deliveries(id, webhook.id)).total).toBe(1)
    expect((await core.suppression.add(id, [{ phone: "+14155550100" }])).added).toBe(1)
  })
})
