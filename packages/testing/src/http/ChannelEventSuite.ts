/** Events of the chat channel as subscribers get them, in the field names of a brand. Verifies: EVNT-2, EVNT-4, CHAT-8. */

import type { StorageProvider } from "@trunkline/core"
import type { Event } from "@trunkline/core/effect"
import { channelProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  FakeChatPlatform,
  inbound,
  inboundMessages,
  inboundStatus,
  inboundStatuses,
  refuses,
  sampleNumber,
  signed
} from "../messaging/index.ts"
import { contractOf } from "./Contract.ts"
import { type Start, until } from "./HttpWorld.ts"
import { openWebhookWorld, type WebhookWorld, webhooks } from "./WebhookWorld.ts"

const appSecret = "what deliveries are signed with"
const customer = "16505551234"
const brand = { channel: "chat", messageIdField: "wamid", messageIdsField: "wamids", userIdField: "wa_id" }
const path = `/api/v1/chat/${sampleNumber.phoneNumberId}/messages`
/** The product's clock begins with it. */
const second = String(Date.UTC(2026, 10, 21, 6) / 1000)

const channelEvents = [
  "conversation.started",
  "message.received",
  "message.sent",
  "message.status",
  "message.status",
  "message.status"
]

export const channelEventSuite = (name: string, begin: Start, storage: () => StorageProvider) =>
  describe(`events of the chat channel through ${name}`, () => {
    const platform = new FakeChatPlatform()
    const heard: Array<Event> = []
    let world: WebhookWorld
    let url: string
    let subscription: string

    const delivered = async (body: unknown): Promise<void> => {
      const { bytes, headers } = signed(body, appSecret)
      const answer = await world.send("POST", "/api/v1/chat/inbound", { body: bytes, headers: { ...headers } })
      expect(answer.status).toBe(200)
    }

    const sends = (data?: string) =>
      world.ask("POST", path, {
        messaging_product: "chat",
        to: customer,
        text: { body: "Your tea is ready." },
        ...(data === undefined ? {} : { biz_opaque_callback_data: data })
      })

    const bodies = (): ReadonlyArray<{ readonly event: string; readonly data: Readonly<Record<string, unknown>> }> =>
      world.postsTo(url).map(({ body }) => JSON.parse(body))

    const named = (event: string) => bodies().filter((body) => body.event === event)

    beforeAll(async () => {
      world = await openWebhookWorld(begin, storage, {
        brand,
        messaging: { platform: channelProvider(platform.layer), appSecret },
        workers: { dialer: false, replies: false }
      })
      world.core.events.on("*", (event) => void heard.push(event))
      url = world.endpoint()
      const events = [
        "conversation.started",
        "conversation.ended",
        "message.received",
        "message.sent",
        "message.status"
      ]
      const made = await world.ask("POST", webhooks, { url, events })
      expect(made.status).toBe(201)
      subscription = String(made.body.id)
      const connected = await world.ask("POST", "/api/v1/chat/phone_numbers", {
        phone_number_id: sampleNumber.phoneNumberId,
        business_account_id: "102290129340398",
        access_token: "EAAG-a-token-of-the-number"
      })
      expect(connected.status).toBe(201)
      await delivered(
        inboundMessages(inbound.text("Hi", { from: customer, from_user_id: undefined, timestamp: second }))
      )
      expect((await sends("order 1009")).status).toBe(200)
      await delivered(inboundStatuses(inboundStatus(platform.accepted[0]!.id, "delivered")))
      platform.next(refuses(131026))
      expect((await sends()).status).toBe(400)
      await until(async () => (bodies().length >= channelEvents.length ? true : undefined))
      await world.ended(`${webhooks}/${subscription}/deliveries`, channelEvents.length)
    })
    afterAll(() => world.close())

    // Verifies: E-51, M-43, N-46, W-155, W-156, W-157.
    it("are delivered to a subscription, each as the API's description says", () => {
      expect(
        bodies()
          .map(({ event }) => event)
          .sort()
      ).toEqual(channelEvents)
      const { checkEvent } = contractOf(world.core.openapi())
      for (const body of bodies()) checkEvent(body.event, body)
    })

    // Verifies: N-49.
    it("have the brand's field names in webhooks, in events.read and in events.on, and no others", async () => {
      const recorded = (await world.core.events.read(null, 1000)).filter(({ event }) => channelEvents.includes(event))
      const sorted = (all: ReadonlyArray<{ readonly event: string; readonly data: unknown }>) =>
        all.map(({ data, event }) => JSON.stringify({ event, data })).sort()
      expect(sorted(bodies())).toEqual(sorted(recorded))
      expect(sorted(heard)).toEqual(sorted(recorded))
      expect(named("message.received")[0]!.data).toMatchObject({
        wamid: expect.stringMatching(/^wamid\./),
        wa_id: customer
      })
      expect(named("conversation.started")[0]!.data).toMatchObject({ wa_id: customer })
      expect(JSON.stringify([...bodies(), ...recorded, ...heard])).not.toMatch(/"msgid"|"user_id"/)
    })

    // Verifies: N-48.
    it("have the callback data of a compatible send in every status of that message and of no other", () => {
      const { id } = platform.accepted[0]!
      const data = named("message.status").map((body) => body.data)
      const own = data.filter(({ wamid }) => wamid === id)
      expect(own.map(({ status }) => status).sort()).toEqual(["delivered", "sent"])
      expect(own.map((one) => one.biz_opaque_callback_data)).toEqual(["order 1009", "order 1009"])
      expect(data.filter(({ wamid }) => wamid !== id).map((one) => one.biz_opaque_callback_data)).toEqual([null])
    })

    // Verifies: N-50.
    it("name a message that the platform never accepted by our own id of it, and say why in our words", async () => {
      const { data } = named("message.status").find((body) => body.data.status === "failed")!
      const { items } = await world.ask("GET", `/api/v1/chat/conversations/${data.conversation_id}/messages`)
      expect(items[0]).toMatchObject({ id: data.id, wamid: null, status: "failed", error: { code: 131026 } })
      expect(data).toMatchObject({
        wamid: null,
        error:
          "The message cannot be delivered: the customer may not use the platform, or not its present version. (platform code 131026)"
      })
    })

    // Verifies: N-49.
    it("that a host publishes keep the host's field names", async () => {
      const data = { payment_id: "p1", user_id: "a person of the host's", msgid: 7 }
      await world.core.events.publish(world.account, { event: "payment.succeeded", data })
      const spoken = { ...named("message.sent")[0]!.data, text: "from elsewhere" }
      await world.core.events.publish(world.account, { event: "message.sent", data: spoken })
      const published = (await world.core.events.read(null, 1000)).slice(-2).map((event) => event.data)
      expect(published).toEqual([data, spoken])
      const warnings = world.log.filter(({ message }) => message.includes("that the reference does not know"))
      expect(warnings.map(({ message }) => message)).toEqual([])
    })
  })
