/** The chat channel for hosts without Effect: docs/reference/embedding.md#promises. Verifies: HOST-3. */

import { createTrunkline, type Trunkline, TrunklineError } from "@trunkline/core"
import { channelProvider, telephonyProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import {
  accepts,
  FakeChatPlatform,
  inboundMessages,
  refusedWith,
  refuses,
  sampleBodies,
  sampleBusinessAccount,
  sampleNumber,
  signed,
  silent,
  unreachable
} from "@trunkline/testing/messaging"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const { inbound } = sampleBodies

const appSecret = "what deliveries are signed with"
const nobody = "00000000-0000-4000-8000-000000000000"
const { phoneNumberId } = sampleNumber
const template = { type: "template", content: { name: "welcome", language: { code: "en" } } } as const

describe("the chat channel of a host", () => {
  const platform = new FakeChatPlatform().owns(sampleBusinessAccount, "2")
  let core: Trunkline
  let id: string
  let phoneId: string

  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail("it was not refused"),
      (error: unknown) => {
        expect(error).toBeInstanceOf(TrunklineError)
        const { code, status } = error as TrunklineError
        return [status, code]
      }
    )

  beforeAll(async () => {
    core = await createTrunkline({
      storage: sqlite(":memory:"),
      telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
      encryptionKey: "a key for the secrets of this test",
      messaging: { platform: channelProvider(platform.layer), appSecret },
      log: () => undefined
    })
    id = (await core.admin.createAccount({ name: "Account" })).id
    const connection = { phoneNumberId, businessAccountId: sampleBusinessAccount, accessToken: "EAAG-a-token" }
    const number = await core.messaging.numbers.connect(id, connection)
    expect(JSON.stringify(number)).not.toContain("EAAG")
    phoneId = number.id
    const { bytes, headers } = signed(inboundMessages(inbound.text("Hi", { timestamp: undefined })), appSecret)
    const delivery = new Request("http://localhost/api/v1/messaging/inbound", {
      method: "POST",
      headers,
      body: new Uint8Array(bytes)
    })
    expect((await core.fetch(delivery)).status).toBe(200)
  })
  afterAll(() => core.stop())

  it("connects, switches, links and disconnects numbers", async () => {
    const { numbers } = core.messaging
    expect(await numbers.list(id)).toMatchObject({ total: 1, items: [{ id: phoneId, aiAutoreplyEnabled: true }] })
    expect((await numbers.change(id, phoneId, { aiAutoreplyEnabled: false })).aiAutoreplyEnabled).toBe(false)
    expect((await numbers.linkBot(id, phoneId, null)).botId).toBeNull()
    expect(await refusal(numbers.linkBot(id, phoneId, nobody))).toEqual([404, "bot_not_found"])
    expect(await refusal(numbers.get(id, nobody))).toEqual([404, "connected_number_not_found"])
    const other = await core.admin.createAccount({ name: "Other" })
    const connection = { phoneNumberId, businessAccountId: sampleBusinessAccount, accessToken: "EAAG" }
    expect(await refusal(numbers.connect(other.id, connection))).toEqual([409, "number_taken"])
    const { id: second } = await numbers.connect(id, { ...connection, phoneNumberId: "2" })
    await numbers.disconnect(id, second)
    expect((await numbers.list(id)).total).toBe(1)
  })

  it("sends a message, or refuses it with a reason", async () => {
    const to = "+1 650 555 1234"
    const { contacts, msgids } = await core.messaging.send(id, {
      phoneNumberId,
      to,
      content: "Hello",
      answers: "wamid.A"
    })
    expect(msgids).toEqual([platform.accepted[0]!.id])
    expect(contacts).toEqual([{ input: "16505551234", userId: "16505551234" }])
    expect(platform.accepted[0]!.body).toMatchObject({ context: { message_id: "wamid.A" }, text: { body: "Hello" } })
    const send = (message: object) => core.messaging.send(id, { phoneNumberId, to, content: "Hi", ...message })
    expect(await refusal(send({ to: "16505550000" }))).toEqual([422, "window_closed"])
    expect(await refusal(send({ to: "x" }))).toEqual([422, "schema_refused"])
    expect(await refusal(send({ to: undefined }))).toEqual([422, "invalid_message"])
    expect(await refusal(send({ content: "" }))).toEqual([422, "schema_refused"])
    expect(await refusal(send({ content: " " }))).toEqual([422, "invalid_message"])
    for (const [answering, expected] of [
      [refuses(131026), [422, "platform_refusal"]],
      [refuses(130429), [429, "platform_throttled"]],
      [unreachable, [502, "platform_down"]]
    ] as const) {
      platform.next(answering)
      expect(await refusal(send(template))).toEqual(expected)
    }
    platform.does(accepts)
  })

  it("reads conversations, and takes them over", async () => {
    const { conversations } = core.messaging
    const { items } = await conversations.list(id, { phoneId, status: "open" })
    const [found] = items.filter(({ phone }) => phone === "16505551234")
    const { total } = await conversations.messages(id, found!.id)
    const first = await conversations.messages(id, found!.id, { limit: 2, offset: total - 2 })
    expect(first.items.map(({ role, status, text }) => [role, text, status])).toEqual([
      ["agent", "Hello", "sent"],
      ["user", "Hi", "received"]
    ])
    platform.next(silent(false))
    await refusal(core.messaging.send(id, { phoneNumberId, to: "16505551234", content: "Are you there?" }))
    expect((await conversations.messages(id, found!.id)).items[0]).toMatchObject({ status: "failed", msgid: null })
    expect((await conversations.setAutoReply(id, found!.id, false)).aiAutoreplyEnabled).toBe(false)
    expect((await conversations.get(id, found!.id)).aiAutoreplyEnabled).toBe(false)
    expect(await refusal(conversations.get(id, nobody))).toEqual([404, "conversation_not_found"])
    const ended = AbortSignal.abort()
    await expect(conversations.get(id, found!.id, { signal: ended })).rejects.toBe(ended.reason)
  })

  it("passes on files and templates", async () => {
    const { files, templates } = core.messaging
    const bytes = new Uint8Array([1, 2])
    const media = await files.upload(id, phoneNumberId, { contentType: "image/png", fileName: "a.png", bytes })
    expect(await files.get(id, phoneNumberId, media)).toEqual({ contentType: "image/png", size: 2, bytes })
    expect(await templates.create(id, phoneNumberId, { name: "a", category: "UTILITY" })).toMatchObject({ id: "1" })
    expect(await templates.read(id, phoneNumberId, { limit: 1 })).toMatchObject({ data: [{ name: "a" }] })
    platform.fails("templates", refusedWith(131016, 500))
    expect(await refusal(templates.read(id, phoneNumberId))).toEqual([502, "platform_down"])
  })

  it("has no platform unless it is given one", async () => {
    const without = await createTrunkline({
      storage: sqlite(":memory:"),
      telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
      encryptionKey: "a key for the secrets of this test",
      log: () => undefined
    })
    try {
      const message = { phoneNumberId, to: "16505551234", content: "Hi" }
      expect(await refusal(without.messaging.send(nobody, message))).toEqual([503, "platform_missing"])
    } finally {
      await without.stop()
    }
  })
})
