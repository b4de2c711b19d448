/** Records of promises have the fields of the routes' records, and no others. Verifies: HOST-4. */

import { createTrunkline, type Trunkline } from "@trunkline/core"
import { channelProvider, telephonyProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import {
  FakeChatPlatform,
  inbound,
  inboundMessages,
  sampleBusinessAccount,
  sampleNumber,
  signed
} from "@trunkline/testing/messaging"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const appSecret = "what deliveries are signed with"

/** A route's field in the library's spelling. */
const camel = (name: string): string => name.replace(/_([a-z])/g, (_, next: string) => next.toUpperCase())

/** An instant is ISO 8601 on the wire and milliseconds in a promise. */
const comparable = (value: unknown): unknown => {
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}T.*Z$/.test(value)) return Date.parse(value)
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [camel(name), comparable(one)]))
}

describe("a record of a promise", () => {
  const platform = new FakeChatPlatform()
  let core: Trunkline
  let id: string
  let key: string

  const route = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const answer = await core.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )
    expect(answer.status, `${method} ${path}`).toBeLessThan(300)
    return answer.json()
  }

  beforeAll(async () => {
    core = await createTrunkline({
      storage: sqlite(":memory:"),
      telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
      messaging: { platform: channelProvider(platform.layer), appSecret },
      encryptionKey: "a key of at least 32 characters, for tests",
      log: () => undefined
    })
    id = (await core.admin.createAccount({ name: "A", voiceCampaigns: true })).id
    key = (await core.admin.createKey(id)).text
  })
  afterAll(() => core.stop())

  const same = (promised: unknown, routed: unknown) => {
    expect(promised).toEqual(comparable(routed))
    // A host passes records on as JSON.
    expect(() => JSON.stringify(promised)).not.toThrow()
  }

  // Verifies: D-231.
  it("of a campaign, its contacts and its live view is the route's", async () => {
    const path = "/api/v1/voice-campaigns"
    const campaign = await core.campaigns.create(id, { name: "C", dialMode: "preview", scheduledAt: new Date(0) })
    same(campaign, await route("GET", `${path}/${campaign.id}`))
    await core.campaigns.addContacts(id, campaign.id, [{ phone: "+14155550100", name: "Asha" }])
    const { items, total } = await core.campaigns.listContacts(id, campaign.id)
    expect(total).toBe(1)
    same(items, await route("GET", `${path}/${campaign.id}/contacts`))
    same(await core.campaigns.live(id, campaign.id), await route("GET", `${path}/${campaign.id}/live`))
    const changed = await core.campaigns.change(id, campaign.id, { maxAttempts: 2 })
    same(changed, await route("GET", `${path}/${campaign.id}`))
    same((await core.campaigns.list(id)).items, await route("GET", path))
  })

  it("of the do-not-call list is the route's", async () => {
    await core.suppression.add(id, [{ phone: "+14155550101", reason: "asked" }])
    same((await core.suppression.list(id)).items, await route("GET", "/api/v1/voice-campaigns/dnc"))
  })

  // Verifies: D-231.
  it("of a call is the route's", async () => {
    const { id: call } = await core.calls.create(id, { to: "+14155550102" })
    const routed = (await route("GET", `/api/v1/telephony/calls/${call}`)) as Record<string, unknown>
    // Promises have these two with the session.
    const { analysis: _, recording: __, ...record } = routed
    same(await core.calls.get(id, call), record)
    same((await core.calls.list(id)).items, await route("GET", "/api/v1/telephony/calls"))
    const totals = [
      { phone: "+1 415 555-0102" },
      { phone: "+14155550199" },
      { until: new Date(0) },
      { outcome: "Other" }
    ]
    const found = await Promise.all(totals.map((filter) => core.calls.list(id, filter)))
    expect(found.map(({ total }) => total)).toEqual([1, 0, 0, 0])
  })

  it("of a webhook and its deliveries is the route's, without the secret", async () => {
    const { secret, webhook } = await core.webhooks.create(id, {
      url: "https://example.com/hooks",
      events: ["payment.succeeded"]
    })
    expect(JSON.stringify(webhook)).not.toContain(secret)
    const { secret: mask, ...shown } = (await route("GET", `/api/v1/webhooks/${webhook.id}`)) as Record<string, unknown>
    same(webhook, { ...shown, secret_hint: mask })
    await core.events.publish(id, { event: "payment.succeeded", data: {} })
    const [delivery] = (await core.webhooks.deliveries(id, webhook.id)).items
    const path = `/api/v1/webhooks/${webhook.id}/deliveries`
    same([delivery], await route("GET", path))
    const detail = await core.webhooks.delivery(id, webhook.id, delivery!.id)
    const routed = (await route("GET", `${path}/${delivery!.id}`)) as { readonly payload: object }
    expect(JSON.parse(detail.payload)).toEqual(routed.payload)
    same({ ...detail, payload: null }, { ...routed, payload: null })
  })

  it("of a voice session is the route's", async () => {
    const { id: botId } = (await route("POST", "/api/v1/bots", { name: "Asha" })) as { readonly id: string }
    const { id: session } = await core.voice.create(id, { botId })
    const path = `/v1/voice/sessions/${session}`
    // The address is the request's, and analyses are the routes' alone.
    const { analysis: _, url: __, ...routed } = (await route("GET", path)) as Record<string, unknown>
    same(await core.voice.get(id, session), routed)
    same((await core.voice.list(id)).items, [routed])
    same(await core.voice.transcript(id, session), await route("GET", `${path}/transcript`))
    same(await core.voice.cost(id, session), await route("GET", `${path}/cost`))
  })

  it("of a connected number, a conversation and its messages is the route's", async () => {
    const { id: number } = await core.messaging.numbers.connect(id, {
      phoneNumberId: sampleNumber.phoneNumberId,
      businessAccountId: sampleBusinessAccount,
      accessToken: "EAAG-a-token"
    })
    const path = "/api/v1/messaging"
    same(await core.messaging.numbers.get(id, number), await route("GET", `${path}/phone_numbers/${number}`))
    const { bytes, headers } = signed(inboundMessages(inbound.text("Hi", { timestamp: undefined })), appSecret)
    await core.fetch(
      new Request(`http://localhost${path}/inbound`, { method: "POST", headers, body: new Uint8Array(bytes) })
    )
    const conversations = (await core.messaging.conversations.list(id)).items
    same(conversations, await route("GET", `${path}/conversations`))
    const messages = (await core.messaging.conversations.messages(id, conversations[0]!.id)).items
    const routed = (await route("GET", `${path}/conversations/${conversations[0]!.id}/messages`)) as ReadonlyArray<
      Record<string, unknown>
    >
    // What a message answers is an id, as in `send`.
    same(
      messages,
      routed.map(({ context, ...one }) => ({ ...one, answers: context }))
    )
  })
})
