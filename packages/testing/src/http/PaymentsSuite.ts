/** Bills that customers pay in the chat, as callers, customers and the platform see them. Verifies: PAYM-1, PAYM-2, PAYM-3, PAYM-5. */
import type { StorageProvider } from "@trunkline/core"
import type { Event } from "@trunkline/core/effect"
import { channelProvider, type PaymentFacts } from "@trunkline/core/provider"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  FakeChatPlatform,
  inboundMessages,
  inboundStatuses,
  refusedWith,
  refuses,
  sampleBodies,
  sampleNumber,
  signed,
  silent
} from "../messaging/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start, until } from "./HttpWorld.ts"
import { utc, uuid } from "./WebhookWorld.ts"

const root = "/api/v1/messaging"
const payments = `${root}/payments`
const configurations = `${root}/payment-configurations`
const appSecret = "what deliveries are signed with"
const businessAccountId = "102290129340398"
const { phoneNumberId } = sampleNumber

/** 2026-11-21T09:30:00Z: when the sample customer's messages were sent. */
const start = Date.UTC(2026, 10, 21, 9, 30)
const minute = 60_000

const shop = {
  name: "shop",
  status: "Active",
  provider: "razorpay",
  merchantId: "acc_1",
  vpa: null,
  categoryCode: "5411",
  purposeCode: "00",
  updatedAt: null
} as const

export const paymentsSuite = (name: string, begin: Start, storage: () => StorageProvider) =>
  describe(`payments through ${name}`, () => {
    const platform = new FakeChatPlatform().owns(businessAccountId, "200")
    const heard: Array<Event> = []
    let world: HttpWorld
    let now = start
    let made = 0

    const ask = (method: string, path: string, json?: unknown, over: Sent = {}): Promise<Answer> =>
      world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }), ...over })

    const delivered = async (body: unknown): Promise<void> => {
      const { bytes, headers } = signed(body, appSecret)
      expect((await world.send("POST", `${root}/inbound`, { body: bytes, headers })).status).toBe(200)
    }

    const bill = (fields: Fields = {}): Fields => {
      made += 1
      return {
        phone_number_id: phoneNumberId,
        to: "+16505551234",
        reference_id: `order-${made}`,
        configuration: "shop",
        kind: "physical",
        currency: "INR",
        items: [{ retailer_id: "tea", name: "Tea", amount: 25000, quantity: 2 }],
        body: "Your order is ready.",
        ...fields
      }
    }

    const requested = async (fields: Fields = {}): Promise<Fields> => {
      const { body, status } = await ask("POST", payments, bill(fields))
      expect(status, JSON.stringify(body)).toBe(201)
      return body
    }

    const read = async (payment: Fields): Promise<Fields> => (await ask("GET", `${payments}/${payment.id}`)).body

    /** A report of the platform's about a payment. */
    const reports = (payment: Fields, status: string, more: Fields = {}) =>
      delivered(
        inboundStatuses({
          id: payment.msgid,
          type: "payment",
          status,
          timestamp: String(start / 1000),
          recipient_id: "16505551234",
          payment: {
            reference_id: payment.reference_id,
            amount: { value: payment.amount, offset: 100 },
            currency: "INR",
            transaction: { id: "tx_1", type: "razorpay", status: status === "captured" ? "success" : status },
            ...more
          }
        })
      )

    /** What the platform says of a payment when it is asked. */
    const knows = (payment: Fields, status: PaymentFacts["status"], more: Partial<PaymentFacts> = {}): void => {
      platform.payments.set(String(payment.reference_id), {
        referenceId: String(payment.reference_id),
        status,
        amount: Number(payment.amount),
        currency: "INR",
        transactions: [{ id: "tx_1", type: "upi", status: "success", at: null, error: null }],
        ...more
      })
    }

    const reaches = (payment: Fields, status: string) =>
      until(async () => {
        const found = await read(payment)
        return found.status === status ? found : undefined
      })

    /** Look-ups of a payment so far. */
    const lookUps = ({ reference_id }: Fields): number =>
      platform.of("payment").filter(({ body }) => body.referenceId === reference_id).length

    const asked = (payment: Fields, times: number) => until(async () => lookUps(payment) >= times || undefined)

    const news = ({ id }: Fields): ReadonlyArray<string> =>
      heard.flatMap(({ data, event }) => (data.payment_request_id === id ? [event] : []))

    beforeAll(async () => {
      world = await openWorld(begin, storage, {
        core: {
          messaging: { platform: channelProvider(platform.layer), appSecret },
          clock: { now: () => now, speed: 1000 }
        }
      })
      world.core.events.on("*", (event) => void heard.push(event))
      await world.core.start()
      for (const phone_number_id of [phoneNumberId, "200"]) {
        const json = { phone_number_id, business_account_id: businessAccountId, access_token: "EAAG-a-token" }
        expect((await ask("POST", `${root}/phone_numbers`, json)).status).toBe(201)
      }
      platform.configurations.push(shop, { ...shop, name: "without a provider", provider: null })
      await delivered(inboundMessages(sampleBodies.inbound.text("Hello")))
    })
    afterAll(() => world.close())
    beforeEach(() => {
      platform.calls.length = 0
    })

    describe("configurations", () => {
      it("are read from the platform, with the status that was delivered last", async () => {
        const of = `phone_number_id=${phoneNumberId}`
        const record = {
          name: "shop",
          status: "Active",
          provider: "razorpay",
          merchant_id: "acc_1",
          vpa: null,
          category_code: "5411",
          purpose_code: "00"
        }
        const { headers, items } = await ask("GET", `${configurations}?${of}`)
        expect([items[0], headers["x-total-count"]]).toEqual([record, "2"])
        const change = async (status: string, time: number, id = businessAccountId) =>
          delivered({
            object: "whatsapp_business_account",
            entry: [
              {
                id,
                time,
                changes: [{ field: "payment_configuration_update", value: { configuration_name: "shop", status } }]
              }
            ]
          })
        await change("Needs Testing", start / 1000)
        await change("Older", start / 1000 - 60)
        await change("Of another", start / 1000, "9")
        expect((await ask("GET", `${configurations}/shop?${of}`)).body).toEqual({ ...record, status: "Needs Testing" })
        await change("Active", start / 1000 + 1)
        expect((await ask("GET", `${configurations}?${of}`)).items[0]).toEqual(record)
        expect((await ask("GET", `${configurations}/none?${of}`)).status).toBe(404)
        expect((await ask("GET", `${configurations}/${"n".repeat(61)}?${of}`)).body.detail).toMatchObject([
          { loc: ["path", "name"] }
        ])
        expect((await ask("GET", `${configurations}?phone_number_id=900`)).status).toBe(404)
        expect((await ask("GET", `${configurations}?${of}`, undefined, { key: world.stranger })).status).toBe(404)
      })
    })

    describe("a bill", () => {
      // Verifies: M-50.
      it("is sent as the platform has it, with totals of ours, and is a message as every other one", async () => {
        const payment = await requested({
          reference_id: "order.A_1",
          items: [
            { retailer_id: "tea", name: "Tea", amount: 25000, quantity: 2, sale_amount: 20050 },
            { retailer_id: "cup", name: "Cup", amount: 999, quantity: 1 }
          ],
          tax: 100,
          shipping: 5000,
          discount: 999,
          footer: "Thank you",
          header_image: "https://example.com/tea.jpg",
          expires_at: "2026-11-22T09:30:00Z"
        })
        expect(payment).toEqual({
          id: expect.stringMatching(uuid),
          reference_id: "order.A_1",
          phone_number_id: phoneNumberId,
          user_id: sampleBodies.inbound.text("x").from_user_id,
          phone: "16505551234",
          status: "requested",
          amount: 45200,
          currency: "INR",
          msgid: platform.accepted.at(-1)?.id,
          conversation_id: expect.stringMatching(uuid),
          transactions: [],
          order_status: null,
          expires_at: "2026-11-22T09:30:00.000Z",
          created_at: expect.stringMatching(utc),
          updated_at: expect.stringMatching(utc)
        })
        expect(platform.accepted.at(-1)?.body).toMatchObject({
          to: "16505551234",
          type: "interactive",
          interactive: {
            type: "order_details",
            header: { type: "image", image: { link: "https://example.com/tea.jpg" } },
            body: { text: "Your order is ready." },
            footer: { text: "Thank you" },
            action: {
              name: "review_and_pay",
              parameters: {
                reference_id: "order.A_1",
                type: "physical-goods",
                currency: "INR",
                payment_settings: [
                  {
                    type: "payment_gateway",
                    payment_gateway: { type: "razorpay", configuration_name: "shop" }
                  }
                ],
                total_amount: { value: 45200, offset: 100 },
                order: {
                  status: "pending",
                  items: [
                    {
                      retailer_id: "tea",
                      name: "Tea",
                      amount: { value: 25000, offset: 100 },
                      quantity: 2,
                      sale_amount: { value: 20050, offset: 100 }
                    },
                    { retailer_id: "cup", name: "Cup", amount: { value: 999, offset: 100 }, quantity: 1 }
                  ],
                  subtotal: { value: 41099, offset: 100 },
                  tax: { value: 100, offset: 100 },
                  shipping: { value: 5000, offset: 100 },
                  discount: { value: 999, offset: 100 },
                  expiration: { timestamp: String(Date.UTC(2026, 10, 22, 9, 30) / 1000) }
                }
              }
            }
          }
        })
        const { items } = await ask("GET", `${root}/conversations/${payment.conversation_id}/messages`)
        expect(items[0]).toMatchObject({ msgid: payment.msgid, type: "interactive", status: "sent" })
        expect(heard.findLast(({ event }) => event === "message.sent")?.data.msgid).toBe(payment.msgid)
        expect(await world.core.admin.audit(world.account)).toContainEqual(
          expect.objectContaining({ action: "payment.create", targetId: payment.id })
        )
        expect(await read(payment)).toEqual(payment)
        expect((await ask("GET", `${payments}?reference_id=order.A_1&status=requested`)).items).toEqual([payment])
        expect((await ask("GET", `${payments}?reference_id=order.A_1&status=captured`)).items).toEqual([])
      })

      it("is refused for what cannot be asked for, and nothing is asked of the platform", async () => {
        const item = { retailer_id: "tea", name: "Tea", amount: 1, quantity: 1 }
        for (const [fields, loc] of [
          [{ reference_id: "" }, ["reference_id"]],
          [{ reference_id: "r".repeat(36) }, ["reference_id"]],
          [{ reference_id: "a/b" }, ["reference_id"]],
          [{ reference_id: ".." }, ["reference_id"]],
          [{ currency: "EUR" }, ["currency"]],
          [{ kind: "service" }, ["kind"]],
          [{ items: [] }, ["items"]],
          [{ items: Array.from({ length: 101 }, () => item) }, ["items"]],
          [{ items: [{ ...item, amount: 0 }] }, ["items", 0, "amount"]],
          [{ items: [{ ...item, amount: 1.5 }] }, ["items", 0, "amount"]],
          [{ items: [{ ...item, amount: 50_000_001 }] }, ["items", 0, "amount"]],
          [{ items: [{ ...item, quantity: 10_000 }] }, ["items", 0, "quantity"]],
          [{ items: [{ ...item, name: "n".repeat(61) }] }, ["items", 0, "name"]],
          [{ items: [{ ...item, sale_amount: 2 }] }, ["items", 0, "sale_amount"]],
          [{ items: [{ ...item, amount: 25_000_000, quantity: 3 }] }, ["items"]],
          [{ items: [item], discount: 1 }, ["discount"]],
          [{ body: "" }, ["body"]],
          [{ body: "b".repeat(1025) }, ["body"]],
          [{ header_image: "http://example.com/a.jpg" }, ["header_image"]],
          [{ expires_at: "2026-11-21T09:34:59Z" }, ["expires_at"]],
          [{ expires_at: "2026-12-21T09:30:01Z" }, ["expires_at"]],
          [{ to: null }, ["to"]],
          [{ total: 1, configuration: "" }, ["configuration"]]
        ] as const) {
          const { body, status } = await ask("POST", payments, bill(fields))
          expect([status, body.detail], JSON.stringify(fields)).toMatchObject([422, [{ loc: ["body", ...loc] }]])
        }
        expect((await ask("POST", payments, bill({ phone_number_id: "900" }))).status).toBe(404)
        expect((await ask("POST", payments, bill(), { key: world.stranger })).status).toBe(404)
        expect(platform.calls).toEqual([])
        for (const configuration of ["none", "without a provider"]) {
          const { body } = await ask("POST", payments, bill({ configuration }))
          expect(body.detail).toMatchObject([{ loc: ["body", "configuration"] }])
        }
        expect(platform.of("send")).toEqual([])
      })

      it("is free-form: with a closed window nothing is sent, and the reference stays free", async () => {
        const given = bill({ to: "+16505559999" })
        expect((await ask("POST", payments, given)).status).toBe(422)
        expect(platform.of("send")).toEqual([])
        expect((await ask("GET", `${payments}?reference_id=${given.reference_id}`)).items).toEqual([])
      })

      it("has a reference that its number has not used before, and another number may", async () => {
        const given = bill()
        expect((await ask("POST", payments, given)).status).toBe(201)
        platform.calls.length = 0
        expect((await ask("POST", payments, given)).status).toBe(409)
        expect(platform.calls).toEqual([])
        const both = bill()
        const answers = await Promise.all([ask("POST", payments, both), ask("POST", payments, both)])
        expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
        expect(platform.of("send")).toHaveLength(1)
        await delivered({
          object: "whatsapp_business_account",
          entry: [
            {
              id: businessAccountId,
              changes: [
                {
                  field: "messages",
                  value: {
                    metadata: { display_phone_number: "1", phone_number_id: "200" },
                    messages: [sampleBodies.inbound.text("Hello")]
                  }
                }
              ]
            }
          ]
        })
        expect((await ask("POST", payments, { ...given, phone_number_id: "200" })).status).toBe(201)
      })

      it("that was certainly refused leaves its reference free; one of which nobody knows stays requested", async () => {
        const refused = bill()
        platform.next(refuses(131009))
        expect((await ask("POST", payments, refused)).status).toBe(422)
        expect((await ask("GET", `${payments}?reference_id=${refused.reference_id}`)).items).toEqual([])
        expect((await ask("POST", payments, refused)).status).toBe(201)
        const unknown = bill()
        platform.next(silent(true))
        expect((await ask("POST", payments, unknown)).status).toBe(502)
        const { items } = await ask("GET", `${payments}?reference_id=${unknown.reference_id}`)
        expect(items).toMatchObject([{ status: "requested", msgid: null }])
        platform.calls.length = 0
        expect((await ask("POST", payments, unknown)).status).toBe(409)
        expect(platform.calls).toEqual([])
        knows({ ...items[0] }, "captured")
        await reports(items[0]!, "captured")
        await reaches(items[0]!, "captured")
      })
    })

    describe("a payment", () => {
      it("is captured once the platform says so when it is asked, and is announced once", async () => {
        const payment = await requested()
        knows(payment, "captured")
        await reports(payment, "captured")
        const captured = await reaches(payment, "captured")
        expect(captured.transactions).toMatchObject([{ id: "tx_1", type: "upi", status: "success" }])
        await reports(payment, "captured")
        await reports(payment, "failed")
        now += 31 * 24 * 60 * minute
        await new Promise((resolve) => setTimeout(resolve, 20))
        now = start
        expect((await read(payment)).status).toBe("captured")
        expect(news(payment)).toEqual(["payment_request.paid"])
        expect(heard.find(({ event }) => event === "payment_request.paid")?.data).toBeDefined()
        expect(heard.findLast(({ data }) => data.payment_request_id === payment.id)?.data).toEqual({
          payment_request_id: payment.id,
          amount: 500,
          amount_paid: 500,
          currency: "INR",
          reference: payment.reference_id,
          payment_id: "tx_1",
          expires_at: null,
          url: null
        })
      })

      it("whose capture is not confirmed stays pending, and is asked for five times", async () => {
        const payment = await requested()
        await reports(payment, "captured")
        await asked(payment, 1)
        expect((await read(payment)).status).toBe("pending")
        for (const [nth, ms] of [5000, 25_000, 90_000, 480_000].entries()) {
          // Just before its time nobody asks.
          now += ms - 1
          await new Promise((resolve) => setTimeout(resolve, 10))
          expect(lookUps(payment)).toBe(nth + 1)
          now += 1
          await asked(payment, nth + 2)
        }
        now += 60 * minute
        await new Promise((resolve) => setTimeout(resolve, 10))
        now = start
        expect([lookUps(payment), (await read(payment)).status]).toEqual([5, "pending"])
        expect(news(payment)).toEqual([])
        knows(payment, "captured")
        expect((await ask("POST", `${payments}/${payment.id}/refresh`)).body.status).toBe("captured")
        expect(news(payment)).toEqual(["payment_request.paid"])
      })

      it.each([
        ["another amount", { amount: 49_999 }],
        ["another currency", { currency: "USD" }],
        ["no amount", { amount: null }],
        ["another reference", { referenceId: "another" }]
      ])("of which the platform names %s stays pending", async (_, more) => {
        const payment = await requested()
        knows(payment, "captured", more)
        const { body } = await ask("POST", `${payments}/${payment.id}/refresh`)
        expect([body.status, news(payment)]).toEqual(["pending", []])
      })

      it("is pending and failed at once, and may be tried again; its reports say nothing of the message", async () => {
        const payment = await requested()
        await reports(payment, "pending")
        expect((await read(payment)).status).toBe("pending")
        await reports(payment, "failed", {
          transaction: { id: "tx_1", status: "failed", error: { reason: "no_funds" } }
        })
        expect(await read(payment)).toMatchObject({
          status: "failed",
          transactions: [{ id: "tx_1", type: null, status: "failed", at: null, error: "no_funds" }]
        })
        await reports(payment, "pending", { transaction: { id: "tx_2", status: "pending" } })
        expect((await read(payment)).status).toBe("pending")
        const { items } = await ask("GET", `${root}/conversations/${payment.conversation_id}/messages`)
        expect(items.find(({ msgid }) => msgid === payment.msgid)?.status).toBe("sent")
        expect(lookUps(payment)).toBe(0)
        await reports({ ...payment, reference_id: "somebody-else's" }, "failed")
        await reports(payment, "a word of tomorrow")
        expect((await read(payment)).status).toBe("pending")
      })

      it("expires by the clock, and money that comes later counts", async () => {
        const payment = await requested({ expires_at: "2026-11-21T09:35:00Z" })
        now = start + 5 * minute
        await reaches(payment, "expired")
        await reports(payment, "pending")
        expect((await read(payment)).status).toBe("expired")
        knows(payment, "captured")
        await reports(payment, "captured")
        await reaches(payment, "captured")
        now = start
        expect(news(payment)).toEqual(["payment_request.expired", "payment_request.paid"])
      })

      it("is looked up when somebody asks, and what cannot be asked changes nothing", async () => {
        const payment = await requested()
        platform.fails("payment", refusedWith(100))
        expect((await ask("POST", `${payments}/${payment.id}/refresh`)).status).toBe(422)
        platform.fails("payment", null)
        const { body, status } = await ask("POST", `${payments}/${payment.id}/refresh`)
        expect([status, body.status]).toEqual([200, "requested"])
        expect(platform.of("payment").at(-1)?.body).toEqual({
          configuration: "shop",
          referenceId: payment.reference_id
        })
        for (const path of [`/${nobody}`, `/${nobody}/refresh`]) {
          expect((await ask(path === `/${nobody}` ? "GET" : "POST", payments + path)).status).toBe(404)
        }
        expect((await ask("GET", `${payments}/${payment.id}`, undefined, { key: world.stranger })).status).toBe(404)
        expect((await ask("GET", payments, undefined, { key: world.stranger })).items).toEqual([])
      })
    })

    describe("an order", () => {
      it("has a status that its customer reads, and is withdrawn where that is canceled", async () => {
        const payment = await requested()
        const path = `${payments}/${payment.id}/status`
        const shipped = await ask("POST", path, { status: "shipped", body: "On its way", description: "By post" })
        expect(shipped.status).toBe(200)
        expect(shipped.body).toMatchObject({ status: "requested", order_status: "shipped" })
        expect(platform.accepted.at(-1)?.body).toMatchObject({
          to: "16505551234",
          interactive: {
            type: "order_status",
            body: { text: "On its way" },
            action: {
              name: "review_order",
              parameters: {
                reference_id: payment.reference_id,
                order: { status: "shipped", description: "By post" }
              }
            }
          }
        })
        const canceled = await ask("POST", path, { status: "canceled", body: "Sorry" })
        expect(canceled.body).toMatchObject({ status: "cancelled", order_status: "canceled" })
        expect(news(payment)).toEqual(["payment_request.cancelled"])
        for (const [json, field] of [
          [{ status: "lost", body: "Sorry" }, "status"],
          [{ status: "shipped" }, "body"],
          [{ status: "shipped", body: "b".repeat(1025) }, "body"],
          [{ status: "shipped", body: "b", description: "d".repeat(121) }, "description"]
        ] as const) {
          expect((await ask("POST", path, json)).body.detail).toMatchObject([{ loc: ["body", field] }])
        }
      })

      it("that is paid cannot be cancelled, and nothing is sent", async () => {
        const payment = await requested()
        knows(payment, "captured")
        await ask("POST", `${payments}/${payment.id}/refresh`)
        platform.calls.length = 0
        const path = `${payments}/${payment.id}/status`
        expect((await ask("POST", path, { status: "canceled", body: "Sorry" })).status).toBe(409)
        expect(platform.calls).toEqual([])
        expect((await ask("POST", path, { status: "completed", body: "Thank you" })).body).toMatchObject({
          status: "captured",
          order_status: "completed"
        })
      })
    })
  })
