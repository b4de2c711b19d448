/**
 * The chat of a page in a real Chromium: on a page of another origin, with the keyboard alone. Verifies: WEBC-1, WEBC-3.
 *
 * Skipped, and said so, where there is no Chromium: `apt-get install chromium-headless-shell`, or its path in `CHROMIUM`.
 */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createTrunkline, type Trunkline } from "@trunkline/core"
import { nodeHandler } from "@trunkline/node"
import { webChat } from "@trunkline/providers/web-chat"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeChat } from "@trunkline/testing/inference"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath, type StartedBrowser, startChromium } from "../../../test/Chromium.ts"

if (chromiumPath === undefined) console.warn("The chat of a page is not tried in a browser: no Chromium was found.")

const listen = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.skipIf(chromiumPath === undefined)("the chat of a page in a browser", () => {
  const model = new FakeChat()
  let core: Trunkline
  let started: StartedBrowser
  let browser: Browser
  let context: BrowserContext
  let server: Server
  let shop: Server
  let page: Page
  let noted: Array<string>
  /** Requests of messages that are cut off before they reach the product. */
  let cuts = 0

  beforeAll(async () => {
    core = await createTrunkline({
      storage: sqlite(":memory:"),
      encryptionKey: "a key for the secrets of this test",
      messaging: { channels: [webChat({ secret: "the secret of all chats of this test" })], reply: { quietMs: 0 } },
      models: { upstreams: { fake: model.provider }, routes: { "*": { upstream: "fake" } } },
      limits: { perIpPerMinute: null }
    })
    const handle = nodeHandler(core)
    server = createServer((request, response) => {
      if (request.url?.endsWith("/message") && cuts > 0) {
        cuts -= 1
        return void request.socket.destroy()
      }
      handle(request, response)
    })
    const origin = await listen(server)
    const script = `${origin}/api/v1/messaging/inbound/web-chat/shop/chat.js`
    const german = `data-title="Frag uns" data-accent="#ffd400" data-side="left" data-greeting="Guten Tag!"`
    shop = createServer(({ url }, response) => {
      const [language, attributes] = url === "/de" ? ["de-AT", german] : ["en", `data-title="Ask us"`]
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<!doctype html><html lang="${language}"><title>Shop</title><h1>Tea</h1><script src="${script}" ${attributes} async></script>`
        )
    })
    const shopOrigin = await listen(shop)
    const { id: account } = await core.admin.createAccount({ name: "Shop" })
    const connection = { settings: { id: "shop", origins: [shopOrigin] } }
    const number = await core.messaging.numbers.connectTo(account, "web-chat", connection)
    const { text: key } = await core.admin.createKey(account, { scopes: ["*"] })
    const bot = await fetch(`${origin}/api/v1/bots`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Agent", system_prompt: "You sell tea." })
    })
    const { id: botId } = (await bot.json()) as { readonly id: string }
    await core.messaging.numbers.linkBot(account, number.id, botId)
    await core.start()
    started = await startChromium()
    browser = started.browser
    context = await browser.newContext({ viewport: { width: 800, height: 700 } })
    context.setDefaultTimeout(300_000)
    page = await context.newPage()
    noted = []
    page.on("pageerror", (error) => void noted.push(String(error)))
    await page.goto(shopOrigin)
  })

  afterAll(async () => {
    await started?.close()
    for (const one of [server, shop]) one?.close()
    await core?.stop()
  })

  const lines = () => page.locator("ol li:not(.pending)").allTextContents()

  const open = async () => {
    await page.getByRole("button", { name: "Ask us" }).focus()
    await page.keyboard.press("Enter")
  }

  it("answers a visitor who uses the keyboard alone", async () => {
    model.says("Yes: sencha and gunpowder.")
    await open()
    await page.keyboard.type("Do you have <b>green</b> tea?")
    await page.keyboard.press("Enter")
    await expect.poll(lines).toEqual(["Do you have <b>green</b> tea?", "Yes: sencha and gunpowder."])
    expect(await page.locator("ol b").count()).toBe(0)
    expect(await page.locator("ol").getAttribute("role")).toBe("log")
  })

  it("has the conversation after a reload", async () => {
    await page.reload()
    await open()
    await expect.poll(lines).toEqual(["Do you have <b>green</b> tea?", "Yes: sencha and gunpowder."])
  })

  it("sends a message once, however often the connection breaks", async () => {
    model.says("4 euros.")
    cuts = 2
    await page.keyboard.type("How much is it?")
    await page.keyboard.press("Enter")
    await expect.poll(async () => (await lines()).slice(2)).toEqual(["How much is it?", "4 euros."])
    expect(noted).toEqual([])
  })

  it("has the colour, the side, the greeting and the language that the page chose", async () => {
    const other = await browser.newContext()
    try {
      const visitor = await other.newPage()
      await visitor.goto(`${new URL(page.url()).origin}/de`)
      const button = visitor.getByRole("button", { name: "Frag uns" })
      await button.click()
      await visitor.getByRole("textbox", { name: "Nachricht" }).waitFor()
      expect(await visitor.locator("ol li").allTextContents()).toEqual(["Guten Tag!"])
      const look = await button.evaluate((element) => {
        const { backgroundColor, color } = getComputedStyle(element)
        return { backgroundColor, color, left: element.getBoundingClientRect().left }
      })
      expect(look).toEqual({ backgroundColor: "rgb(255, 212, 0)", color: "rgb(0, 0, 0)", left: 16 })
      expect(await visitor.getByRole("button", { name: "Senden" }).isVisible()).toBe(true)
    } finally {
      await other.close()
    }
  })

  it("is another visitor's in another browser", async () => {
    const other = await browser.newContext()
    try {
      const stranger = await other.newPage()
      await stranger.goto(page.url())
      await stranger.getByRole("button", { name: "Ask us" }).click()
      await stranger.getByRole("textbox", { name: "Message" }).fill("Hello")
      await stranger.keyboard.press("Enter")
      await expect.poll(() => stranger.locator("ol li:not(.pending)").allTextContents()).toEqual(["Hello", "4 euros."])
    } finally {
      await other.close()
    }
  })
})
