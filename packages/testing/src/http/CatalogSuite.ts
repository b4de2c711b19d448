/** Catalogs, lists of products and orders, as callers and customers see them. Verifies: COMM-1, COMM-2. */
import type { StorageProvider } from "@trunkline/core"
import type { Event } from "@trunkline/core/effect"
import { channelProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  FakeChatPlatform,
  inboundMessages,
  refusedWith,
  sampleBodies,
  sampleNumber,
  signed
} from "../messaging/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"

const root = "/api/v1/messaging"
const appSecret = "what deliveries are signed with"
const { phoneNumberId } = sampleNumber

/** 2026-11-21T09:30:00Z: when the sample customer's messages were sent. */
const start = Date.UTC(2026, 10, 21, 9, 30)

export const catalogSuite = (name: string, begin: Start, storage: () => StorageProvider) =>
  describe(`catalogs and orders through ${name}`, () => {
    const platform = new FakeChatPlatform()
    const heard: Array<Event> = []
    let world: HttpWorld
    let phone: string

    const ask = (method: string, path: string, json?: unknown, over: Sent = {}): Promise<Answer> =>
      world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }), ...over })

    /** The message that a customer has sent, as events and lists show it. */
    const ordered = async (order: object): Promise<{ readonly received: Fields; readonly shown: Fields }> => {
      const message = sampleBodies.inbound.order(undefined, { order })
      const { bytes, headers } = signed(inboundMessages(message), appSecret)
      expect((await world.send("POST", `${root}/inbound`, { body: bytes, headers })).status).toBe(200)
      const received = heard.findLast(({ event }) => event === "message.received")?.data as Fields
      const { items } = await ask("GET", `${root}/conversations/${received.conversation_id}/messages`)
      return { received, shown: items.find(({ id }) => id === received.id) ?? {} }
    }

    const item = (id: string, price: unknown, quantity: unknown = 1, currency = "EUR") => ({
      product_retailer_id: id,
      quantity,
      item_price: price,
      currency
    })

    const sendsList = (sections: ReadonlyArray<number>) =>
      ask("POST", `${root}/messages`, {
        phone_number_id: phoneNumberId,
        to: sampleBodies.inbound.text("x").from,
        type: "interactive",
        interactive: {
          type: "product_list",
          body: { text: "Our tea" },
          action: {
            catalog_id: "2400",
            sections: sections.map((products, nth) => ({
              title: `Section ${nth}`,
              product_items: Array.from({ length: products }, (_, n) => ({ product_retailer_id: `tea-${n}` }))
            }))
          }
        }
      })

    beforeAll(async () => {
      world = await openWorld(begin, storage, {
        core: {
          messaging: { platform: channelProvider(platform.layer), appSecret },
          clock: { now: () => start, speed: 1000 },
          workers: { replies: false }
        }
      })
      world.core.events.on("*", (event) => void heard.push(event))
      const json = {
        phone_number_id: phoneNumberId,
        business_account_id: "102290129340398",
        access_token: "EAAG-a-token"
      }
      phone = String((await ask("POST", `${root}/phone_numbers`, json)).body.id)
    })
    afterAll(() => world.close())
    beforeEach(() => {
      platform.calls.length = 0
    })

    it("the settings of a number are read and set, and what is left out stays", async () => {
      const path = `${root}/phone_numbers/${phone}/commerce`
      const settings = { catalog_id: "2400", is_cart_enabled: false, is_catalog_visible: true }
      expect((await ask("GET", path)).body).toEqual(settings)
      const changed = await ask("PATCH", path, { is_cart_enabled: true })
      expect([changed.status, changed.body]).toEqual([200, { ...settings, is_cart_enabled: true }])
      expect(platform.of("changeCommerce").map(({ body }) => body)).toEqual([{ isCartEnabled: true }])
      expect((await ask("PATCH", path, { is_cart_enabled: "yes" })).body.detail).toMatchObject([
        { loc: ["body", "is_cart_enabled"] }
      ])
      expect((await ask("GET", `${root}/phone_numbers/${nobody}/commerce`)).status).toBe(404)
      expect((await ask("GET", path, undefined, { key: world.stranger })).status).toBe(404)
      platform.fails("commerce", refusedWith(100))
      expect((await ask("GET", path)).status).toBe(422)
      platform.fails("commerce", null)
    })

    it("catalogs and products are passed on as the platform has them", async () => {
      const of = `phone_number_id=${phoneNumberId}`
      expect((await ask("GET", `${root}/catalogs?${of}&limit=5`)).body).toEqual({ data: [{ id: "2400" }] })
      const filter = encodeURIComponent('{"retailer_id":{"eq":"tea"}}')
      const products = await ask("GET", `${root}/catalogs/2400/products?${of}&filter=${filter}&after=A`)
      expect(products.body).toEqual({ data: [{ id: "1", retailer_id: "tea" }] })
      expect(platform.of("products")[0]?.body).toEqual({
        id: "2400",
        filter: '{"retailer_id":{"eq":"tea"}}',
        after: "A"
      })
      expect((await ask("GET", `${root}/catalogs/two/products?${of}`)).body.detail).toMatchObject([
        { loc: ["path", "catalog_id"] }
      ])
      expect((await ask("GET", `${root}/catalogs?phone_number_id=900`)).status).toBe(404)
      expect((await ask("GET", `${root}/catalogs?${of}`, undefined, { key: world.stranger })).status).toBe(404)
      expect((await ask("GET", `${root}/catalogs`)).status).toBe(422)
    })

    // Verifies: M-50.
    it("an order has its products and its total, digit by digit", async () => {
      const { received, shown } = await ordered({
        catalog_id: "2400",
        text: "As a present, please",
        product_items: [item("tea", 0.1, 1), item("cup", 0.2, "1"), item("pot", "12.50", 3)]
      })
      const order = {
        catalog_id: "2400",
        text: "As a present, please",
        items: [
          { retailer_id: "tea", quantity: 1, price: "0.1", currency: "EUR" },
          { retailer_id: "cup", quantity: 1, price: "0.2", currency: "EUR" },
          { retailer_id: "pot", quantity: 3, price: "12.5", currency: "EUR" }
        ],
        total: "37.8",
        currency: "EUR"
      }
      expect([received.order, shown.order]).toEqual([order, order])
      expect(shown).toMatchObject({ type: "order", content: { catalog_id: "2400" } })
    })

    it("an order in several currencies has no total, and other messages have no order", async () => {
      const mixed = await ordered({ catalog_id: "2400", product_items: [item("tea", 1), item("cup", 2, 1, "USD")] })
      expect(mixed.shown.order).toMatchObject({ total: null, currency: null, text: null })
      const broken = await ordered({ product_items: [item("tea", "cheap"), { quantity: -1 }, "tea"] })
      expect(broken.received.order).toEqual({
        catalog_id: null,
        text: null,
        items: [
          { retailer_id: "tea", quantity: 1, price: null, currency: "EUR" },
          { retailer_id: null, quantity: null, price: null, currency: null }
        ],
        total: null,
        currency: null
      })
      expect((await ordered({ catalog_id: "2400" })).shown.order).toBeNull()
    })

    it("a list has at most 30 products in 10 sections, and no other is asked for", async () => {
      for (const sections of [[31], [15, 16], Array.from({ length: 11 }, () => 1)]) {
        const { body, status } = await sendsList(sections)
        expect([status, body.detail]).toMatchObject([422, [{ loc: ["body", "interactive"] }]])
      }
      expect(platform.calls).toEqual([])
      expect((await sendsList([30])).status).toBe(200)
      expect((await sendsList(Array.from({ length: 10 }, () => 3))).status).toBe(200)
    })
  })
