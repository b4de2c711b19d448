/**
 * The webhooks portal in a real Chromium, framed by a page of the host, with the keyboard alone.
 *
 * Skipped, and said so, where there is no Chromium: `apt-get install chromium-headless-shell`, or its path in `CHROMIUM`.
 */
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { accelerated, createTrunkline, type Trunkline } from "@trunkline/core"
import { Outbound, outboundProvider, telephonyProvider } from "@trunkline/core/provider"
import { nodeHandler } from "@trunkline/node"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import { Endpoints } from "@trunkline/testing/webhooks"
import * as Layer from "effect/Layer"
import type { Browser, Frame, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath, type StartedBrowser, startChromium } from "../../../test/Chromium.ts"

if (chromiumPath === undefined) console.warn("The webhooks portal is not tried in a browser: no Chromium was found.")

const mount = "/calling"
const path = `${mount}/portal/webhooks`

const listen = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A page of the host's, with a control of its own before the frame. It keeps the messages of the frame. */
const hostPage = (src: string) => `<!doctype html><html lang="en"><title>Host</title>
<script>heard = []; addEventListener("message", (event) => heard.push(event.data))</script>
<button>The host's own</button><iframe title="Webhooks" src="${src}" width="100%" height="600"></iframe>`

// The product's clock runs a hundred times as fast, its deadlines too: a machine that stands still for a moment misses one, and the
// page says so. The next try has its own endpoints.
describe.skipIf(chromiumPath === undefined)("the webhooks portal in a browser", { retry: 2 }, () => {
  const endpoints = new Endpoints()
  const clock = accelerated(Date.UTC(2026, 10, 21, 6), 100)
  let passed = 0
  /** So much time goes by that no token is taken any more. */
  const expire = () => {
    passed += 2 * 86_400_000
  }
  let core: Trunkline
  /** What is behind the mount point. */
  let served: Trunkline
  let started: StartedBrowser
  let browser: Browser
  let server: Server
  let stranger: Server
  let origin: string
  let elsewhere: string
  let account: string

  beforeAll(async () => {
    core = await createTrunkline({
      storage: sqlite(":memory:"),
      telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
      outbound: outboundProvider(Layer.succeed(Outbound, endpoints.outbound)),
      encryptionKey: "a key for the secrets of this test",
      clock: { now: () => clock.now() + passed, speed: clock.speed },
      auth: { jwt: { secret: "a secret for the tokens of this test" } },
      // At this speed of the clock, what has nothing to do costs as much as the pages.
      workers: { analysis: false, batches: false, dialer: false, replies: false, templateCampaigns: false },
      limits: { perIpPerMinute: null }
    })
    await core.start()
    served = core
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, "http://host")
      const below = pathname.startsWith(mount) ? request.url!.slice(mount.length) : ""
      if (served.matches(pathname.slice(mount.length)) && below !== "") {
        return nodeHandler(served)(request, response, { path: below })
      }
      response.writeHead(200, { "content-type": "text/html" }).end(hostPage(path))
    })
    origin = await listen(server)
    stranger = createServer((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(hostPage(`${origin}${path}`))
    )
    elsewhere = await listen(stranger)
    started = await startChromium()
    browser = started.browser
  })

  afterAll(async () => {
    await started?.close()
    for (const one of [server, stranger]) one?.close()
    await core?.stop()
  })

  const tokenFor = async (accountId: string) =>
    (await core.admin.createPortalToken(accountId, { secondsToLive: 86_400 })).token

  interface Opened {
    readonly page: Page
    readonly frame: Frame
    /** Errors that the browser has noted, and addresses that it has asked elsewhere. */
    readonly noted: ReadonlyArray<string>
  }

  /** Gives the frame of the host's page a token, as a host does it. */
  const give = (page: Page, token: string) =>
    page.evaluate(([src]) => document.querySelector("iframe")!.setAttribute("src", src!), [`${path}#token=${token}`])

  const visit = async (use: (opened: Opened) => Promise<void>, token?: string) => {
    const context = await browser.newContext({ viewport: { width: 800, height: 700 } })
    try {
      context.setDefaultTimeout(300_000)
      // On another day the browser is the only process whose clock is not the run's.
      if (process.env.FAKETIME !== undefined) await context.clock.install({ time: Date.now() })
      const page = await context.newPage()
      const noted: Array<string> = []
      page.on("console", (message) => void (message.type() === "error" && noted.push(message.text())))
      page.on("pageerror", (error) => void noted.push(String(error)))
      page.on("request", (request) => {
        if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(origin)) noted.push(request.url())
      })
      await page.goto(origin)
      await give(page, token ?? (await tokenFor(account)))
      const frame = page.frames()[1]!
      await frame.waitForSelector("h1, #problem:not(:empty)")
      try {
        await use({ page, frame, noted })
      } catch (error) {
        // Without it a failure says what was waited for, and not what was there.
        console.warn(`the page shows: ${await frame.innerText("body").catch(String)}; noted: ${noted.join("; ")}`)
        throw error
      }
    } finally {
      await context.close()
    }
  }

  const anAccount = async () => {
    account = (await core.admin.createAccount({ name: "A customer" })).id
  }

  /** What has the focus: its name as it is read aloud, and whether it can be seen that it has it. */
  const focused = (frame: Frame) =>
    frame.evaluate(() => {
      const element = document.activeElement as (HTMLElement & Partial<Pick<HTMLInputElement, "labels">>) | null
      if (element === null || element === document.body) return { name: "", visible: false, tag: "" }
      const byIds = (element.getAttribute("aria-labelledby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join(" ")
      const labels = [...(element.labels ?? [])].map(({ textContent }) => textContent).join(" ")
      const own = element instanceof HTMLInputElement ? "" : (element.textContent ?? "")
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return {
        name: element.getAttribute("aria-label") ?? (byIds.trim() || labels.trim() || own.trim()),
        visible: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
        tag: element.tagName
      }
    })

  /** Tabs on, or back, until something with this name has the focus; whatever is passed can be seen to have had it. */
  const tabTo = async ({ frame, page }: Opened, name: RegExp | string, key = "Tab") => {
    const passed: Array<string> = []
    for (let pressed = 0; pressed < 90; pressed++) {
      await page.keyboard.press(key)
      const now = await focused(frame)
      if (now.tag === "") continue
      expect(now.name, `after ${passed.join(", ")}`).not.toBe("")
      expect(now.visible, `the focus on ${now.name}`).toBe(true)
      if (typeof name === "string" ? now.name === name : name.test(now.name)) return
      passed.push(now.name)
    }
    expect.fail(`${name} is not reached; passed: ${passed.join(", ")}`)
  }

  const press = async (opened: Opened, name: RegExp | string, key?: string) => {
    await tabTo(opened, name, key)
    await opened.page.keyboard.press("Enter")
  }

  const headingHasFocus = (frame: Frame, text: string | RegExp) =>
    expect
      .poll(() => focused(frame))
      .toMatchObject({ name: expect.stringMatching(text), tag: expect.stringMatching(/^H/) })
  const isSaid = (frame: Frame, text: RegExp) => expect.poll(() => frame.textContent("#said")).toMatch(text)

  it("does everything with the keyboard alone, and says what came of it", async () => {
    await anAccount()
    const url = "https://keyboard.example.com/hooks"
    const posts = (event: string) =>
      endpoints.log.filter((post) => post.host === "keyboard.example.com" && post.event === event)
    await visit(async (opened) => {
      const { frame, noted, page } = opened
      expect(await frame.textContent("h2")).toBe("No endpoints yet")
      expect((await focused(frame)).tag, "opening the page takes the focus from nobody").toBe("")

      await press(opened, "Add endpoint")
      await headingHasFocus(frame, /^Add endpoint$/)
      await tabTo(opened, "Endpoint URL")
      await page.keyboard.type(url)
      await press(opened, /^Billing/)
      await tabTo(opened, "credits.low")
      await page.keyboard.press("Space")
      await press(opened, "Add endpoint")

      await headingHasFocus(frame, /^Endpoint added$/)
      await tabTo(opened, "Signing secret")
      const secret = await frame.inputValue("#secret")
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      await press(opened, "I have saved it")
      await headingHasFocus(frame, url)
      expect(await frame.content(), "the secret is shown once").not.toContain(secret)

      await press(opened, "Send test")
      await isSaid(frame, /The test arrived: status 200/)
      expect((await focused(frame)).name).toBe("Send test")
      const [test] = posts("test")
      expect(test!.headers["X-Service-Signature"]).toBe(
        `sha256=${createHmac("sha256", secret).update(test!.body).digest("hex")}`
      )

      await core.events.publish(account, { event: "credits.low", data: { balance: 12.5, threshold: 50 } })
      await expect.poll(() => posts("credits.low")).toHaveLength(1)
      await press(opened, "Refresh")
      await isSaid(frame, /up to date/)
      await press(opened, /credits\.low/)
      await expect.poll(() => frame.getAttribute(".sent", "aria-expanded")).toBe("true")
      expect(JSON.parse((await frame.textContent("pre"))!)).toMatchObject({
        event: "credits.low",
        data: { balance: 12.5 }
      })
      await tabTo(opened, "Payload")
      await press(opened, "Replay credits.low")
      await isSaid(frame, /The replay was delivered/)
      expect((await focused(frame)).name).toBe("Replay credits.low")
      expect(await frame.locator(".sent").count()).toBe(2)
      expect(posts("credits.low").map(({ body }) => body)).toEqual([posts("credits.low")[0]!.body, expect.anything()])

      await press(opened, "Pause", "Shift+Tab")
      await isSaid(frame, /is paused/)
      expect(await focused(frame)).toMatchObject({ name: "Resume" })
      expect(await frame.locator(".badge").first().textContent()).toBe("Paused")
      await press(opened, "Replay credits.low")
      await isSaid(frame, /Resume it, then replay/)

      await press(opened, "Delete", "Shift+Tab")
      await headingHasFocus(frame, /Delete this endpoint\?/)
      await page.keyboard.press("Escape")
      expect((await focused(frame)).name, "giving up leads back").toBe("Delete")
      await page.keyboard.press("Enter")
      await press(opened, "Delete endpoint")
      await headingHasFocus(frame, /^Webhooks$/)
      await isSaid(frame, /was deleted/)
      expect((await core.webhooks.list(account)).total).toBe(0)
      expect(noted).toEqual([])
    })
  })

  it("removes the token from the address, and asks with nothing else", async () => {
    await anAccount()
    await visit(async ({ frame, page }) => {
      expect(frame.url()).toBe(`${origin}${path}`)
      expect(await frame.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
        0,
        0,
        ""
      ])
      await page.context().addCookies([{ name: "session", value: "of-the-host", url: origin }])
      const asked = page.waitForRequest(/deliveries|webhooks\?/)
      await give(page, await tokenFor(account))
      const headers = await (await asked).allHeaders()
      expect(headers).toMatchObject({ authorization: expect.stringMatching(/^Bearer eyJ/) })
      expect(headers).not.toHaveProperty("cookie")
      expect(headers).not.toHaveProperty("referer")
    })
  })

  it("says what to do when its access has ended, informs the host, and continues with another token", async () => {
    await anAccount()
    await core.webhooks.create(account, { url: "https://again.example.com", events: ["credits.low"] })
    await visit(async ({ frame, page }) => {
      expire()
      // Twice: what it says does not change when it is tried again.
      await frame.getByRole("button", { name: /again/ }).click()
      await expect.poll(() => frame.textContent("[role=alert]")).toMatch(/has ended/)
      await frame.getByRole("button", { name: /again/ }).click()
      await expect.poll(() => frame.textContent("[role=alert]")).toMatch(/has ended\. Go back to the page/)
      const heard = () => page.evaluate("heard") as Promise<ReadonlyArray<{ readonly event: string }>>
      await expect.poll(heard).toContainEqual({ source: "webhooks-portal", event: "expired" })
      await give(page, await tokenFor(account))
      await expect.poll(() => frame.textContent("h1")).toBe("https://again.example.com")
      expect(await frame.textContent("[role=alert]")).toBe("")
    })
    await visit(async ({ frame }) => expect(await frame.textContent("[role=alert]")).toMatch(/without access/), "")
  })

  it("keeps what was typed when the access ends meanwhile", async () => {
    await anAccount()
    await visit(async ({ frame, page }) => {
      await frame.getByRole("button", { name: "Add endpoint" }).click()
      await frame.getByLabel("Endpoint URL").fill("https://typed.example.com")
      await frame.getByLabel(/Every event/).check()
      expire()
      await frame.getByRole("button", { name: "Add endpoint" }).click()
      await expect.poll(() => frame.textContent("[role=alert]")).toMatch(/has ended/)
      await give(page, await tokenFor(account))
      await expect.poll(() => frame.textContent("[role=alert]")).toBe("")
      await frame.getByRole("button", { name: "Add endpoint" }).click()
      await expect.poll(() => frame.textContent("h1")).toBe("Endpoint added")
      const [made] = (await core.webhooks.list(account)).items
      expect(made).toMatchObject({ url: "https://typed.example.com", events: [] })
    })
  })

  it("leads to the field that is refused, and says at it why", async () => {
    await anAccount()
    await visit(async ({ frame }) => {
      const url = frame.getByLabel("Endpoint URL")
      const add = frame.getByRole("button", { name: "Add endpoint" })
      const refused = async (field: string, text: RegExp) => {
        await add.click()
        await expect.poll(() => focused(frame)).toMatchObject({ name: field })
        const at = frame.locator(":focus")
        expect(await at.getAttribute("aria-invalid")).toBe("true")
        expect(await frame.textContent(".fault:not(:empty)")).toMatch(text)
      }
      await add.click()
      await url.waitFor()
      await refused("Endpoint URL", /Enter the URL/)
      await url.fill("https://10.0.0.7/hooks")
      await refused("Only the events that I choose", /at least one/)
      await frame.getByRole("button", { name: /^Billing/ }).click()
      await frame.getByLabel("credits.low").check()
      await refused("Endpoint URL", /public addresses/)
      await url.fill("not a url")
      await refused("Endpoint URL", /\w/)
      expect(await frame.textContent("[role=alert]")).toBe("")
    })
  })

  it("says that the server cannot be reached, or that there is nothing, and leads on", async () => {
    await anAccount()
    const { webhook } = await core.webhooks.create(account, {
      url: "https://gone.example.com",
      events: ["credits.low"]
    })
    await visit(async ({ frame, page }) => {
      await page.route("**/api/v1/**", (route) => route.abort())
      await frame.getByRole("button", { name: /gone/ }).click()
      await expect.poll(() => frame.textContent("[role=alert]")).toMatch(/could not be reached/)
      await expect.poll(() => focused(frame)).toMatchObject({ name: "Try again" })
      await page.unroute("**/api/v1/**")
      await core.webhooks.remove(account, webhook.id)
      await frame.getByRole("button", { name: "Try again" }).click()
      await expect.poll(() => frame.textContent("[role=alert]")).toBe("Webhook not found")
      await frame.getByRole("button", { name: "All endpoints" }).click()
      await expect.poll(() => frame.textContent("h2")).toBe("No endpoints yet")
      expect(await frame.textContent("[role=alert]")).toBe("")
    })
  })

  it("changes an endpoint and its secret", async () => {
    await anAccount()
    const { secret, webhook } = await core.webhooks.create(account, {
      url: "https://old.example.com",
      events: ["credits.low"],
      retrySchedule: "long",
      pauseAfterDays: 3
    })
    await visit(async ({ frame }) => {
      await frame.getByRole("button", { name: /old/ }).click()
      await frame.getByRole("button", { name: "Edit" }).click()
      expect(await frame.getByLabel("credits.low").isChecked()).toBe(true)
      await frame.getByLabel("Endpoint URL").fill("https://new.example.com")
      await frame.getByRole("button", { name: "Select all: Calls" }).click()
      await frame.getByRole("button", { name: "Save" }).click()
      await expect.poll(() => frame.textContent("h1")).toBe("https://new.example.com")
      expect(await core.webhooks.get(account, webhook.id)).toMatchObject({
        url: "https://new.example.com",
        events: ["call.started", "call.completed", "call.failed", "call.amd_detected", "credits.low"],
        retrySchedule: "long",
        pauseAfterDays: 3
      })
      await frame.getByRole("button", { name: "Rotate secret" }).click()
      await frame.getByLabel("The old secret goes on signing").selectOption("3600")
      await frame.getByRole("button", { name: "Make a new secret" }).click()
      const fresh = await frame.locator("#secret").inputValue()
      expect(fresh).toMatch(/^whsec_/)
      expect(fresh).not.toBe(secret)
      expect(await frame.textContent("main")).toMatch(/The old secret signs beside it until/)
    })
  })

  // Verifies: E-68.
  it("has its events in groups that open, finds them by their words, and says which the provider sends", async () => {
    await anAccount()
    await visit(async ({ frame }) => {
      await frame.getByRole("button", { name: "Add endpoint" }).click()
      const groups = frame.locator(".disclose")
      await groups.first().waitFor()
      expect(await frame.locator("[type=checkbox]:visible").count()).toBe(0)
      expect(await frame.evaluate(() => document.body.scrollHeight)).toBeLessThan(1100)
      await frame.getByRole("button", { name: /^Calls/ }).click()
      expect(await frame.locator("[type=checkbox]:visible").count()).toBe(4)
      expect(await frame.textContent(".groups")).toMatch(/Calls 0 of 4/)

      const visible = () => frame.locator(".choice:visible label.mono").allTextContents()
      const find = frame.getByLabel("Find an event")
      await find.fill("Refused")
      expect(await visible()).toEqual(["budget.exceeded", "payment.failed"])
      await frame.getByRole("button", { name: "Select all: Invoices and payments" }).click()
      await expect.poll(() => frame.textContent("#said")).toBe("2 events found.")
      await find.press("Enter")
      expect(await frame.textContent("h1")).toBe("Add endpoint")
      await find.fill("nothing at all")
      await expect.poll(() => frame.textContent("#said")).toBe("No event matches.")
      await find.fill("")
      expect(await visible()).toEqual(expect.arrayContaining(["call.started", "payment.failed", "invoice.created"]))
      expect(await frame.textContent(".groups")).toMatch(/Invoices and payments 1 of 3/)
      const provider = frame.getByRole("group", { name: "Invoices and payments" })
      expect(await provider.textContent()).toContain("Your provider sends these itself")
      expect(await frame.getByRole("group", { name: "Calls", exact: true }).textContent()).not.toContain(
        "Your provider"
      )

      await frame.getByLabel("Endpoint URL").fill("https://found.example.com")
      await frame.getByRole("button", { name: "Add endpoint" }).click()
      await expect.poll(() => frame.textContent("h1")).toBe("Endpoint added")
      expect((await core.webhooks.list(account)).items[0]!.events).toEqual(["payment.failed"])
    })
  })

  // Verifies: E-68.
  it("shows by itself what happens: what is tried again and when, and what a notice said is gone with the next action", async () => {
    await anAccount()
    endpoints.moods.set("retrying.example.com", { _tag: "Answers", status: 503 })
    const url = "https://retrying.example.com"
    await core.webhooks.create(account, { url, events: ["credits.low"], retrySchedule: "long" })
    await visit(async ({ frame, page }) => {
      await page.clock.install()
      // The frame's timers are those of the clock from here on.
      await give(page, await tokenFor(account))
      await frame.getByRole("button", { name: /retrying/ }).click()
      await frame.getByText("Nothing has been sent yet").waitFor()
      await core.events.publish(account, { event: "credits.low", data: { balance: 1, threshold: 50 } })
      const later = async <A>(look: () => Promise<A>) => {
        await page.clock.fastForward(20_000)
        return look()
      }
      await expect.poll(() => later(() => frame.locator(".sent .badge").allTextContents())).toEqual(["Retrying"])
      await expect
        .poll(() => later(() => frame.textContent(".more")))
        .toMatch(/^The endpoint answered 503\. Next attempt (in \d+ \w+|is due)\.$/)
      await frame.getByRole("button", { name: "Send test" }).click()
      await frame.locator(".note", { hasText: "The test failed" }).waitFor()
      await frame.getByRole("button", { name: /credits\.low/ }).click()
      await frame.getByText("Next attempt", { exact: true }).waitFor()
      expect(await frame.locator(".note").count()).toBe(0)
      await frame.getByRole("button", { name: "Pause" }).click()
      await expect.poll(() => frame.textContent(".more")).toMatch(/Next attempt once the endpoint is resumed\.$/)
    })
  })

  // Verifies: E-68.
  it("lists what waits and what has failed by themselves, and sends all that has failed again", async () => {
    await anAccount()
    endpoints.moods.set("all.example.com", { _tag: "Answers", status: 500 })
    const { webhook } = await core.webhooks.create(account, { url: "https://all.example.com", events: ["credits.low"] })
    const happens = () => core.events.publish(account, { event: "credits.low", data: { balance: 1, threshold: 50 } })
    const statuses = async () => (await core.webhooks.deliveries(account, webhook.id)).items.map(({ status }) => status)
    for (let n = 0; n < 2; n++) await happens()
    await expect.poll(statuses).toEqual(["failed", "failed"])
    endpoints.moods.delete("all.example.com")
    await happens()
    await expect.poll(statuses).toEqual(["delivered", "failed", "failed"])
    await visit(async ({ frame }) => {
      await frame.getByRole("button", { name: /all\.example/ }).click()
      const badges = () => frame.locator(".sent .badge").allTextContents()
      await expect.poll(badges).toEqual(["Delivered", "Failed", "Failed"])
      const filter = (name: string) => frame.getByRole("group", { name: "Deliveries shown" }).getByText(name)
      await filter("Waiting").click()
      await frame.getByText("Nothing is waiting to be sent.").waitFor()
      expect(await frame.getByRole("button", { name: "Replay all failed" }).isVisible()).toBe(false)
      await filter("Failed").click()
      await expect.poll(badges).toEqual(["Failed", "Failed"])
      expect(await filter("Failed").getAttribute("aria-pressed")).toBe("true")
      await frame.getByRole("button", { name: "Replay all failed" }).click()
      await headingHasFocus(frame, /Replay all that has failed/)
      await frame.getByLabel("What has failed").selectOption("at any time")
      await frame.getByRole("button", { name: "Replay", exact: true }).click()
      await expect.poll(() => frame.textContent(".note")).toBe("2 deliveries are sent again, each as a new one.")
      await expect.poll(() => focused(frame)).toMatchObject({ name: "Replay all failed" })
      await expect.poll(statuses).toEqual(["delivered", "delivered", "delivered", "failed", "failed"])
      await filter("All").click()
      await expect.poll(badges).toEqual(["Delivered", "Delivered", "Delivered", "Failed", "Failed"])
    })
  })

  it("shows the last error of what failed, and sends it again", async () => {
    await anAccount()
    endpoints.moods.set("failing.example.com", { _tag: "Answers", status: 503 })
    const { webhook } = await core.webhooks.create(account, {
      url: "https://failing.example.com",
      events: ["credits.low"]
    })
    await core.events.publish(account, { event: "credits.low", data: { balance: 1, threshold: 50 } })
    await expect.poll(async () => (await core.webhooks.get(account, webhook.id)).failingSince).not.toBe(null)
    await visit(async ({ frame }) => {
      expect(await frame.locator(".badge").textContent()).toBe("Failing")
      await frame.getByRole("button", { name: /failing/ }).click()
      // The row of the list names its only event too.
      await expect.poll(() => frame.textContent("h1")).toBe("https://failing.example.com")
      await frame.getByRole("button", { name: /credits\.low/ }).click()
      expect(await frame.locator(".opened dl").innerText()).toMatch(/Last error\s+The endpoint answered 503/)
      endpoints.moods.delete("failing.example.com")
      await frame.getByRole("button", { name: "Replay credits.low" }).click()
      await expect.poll(() => frame.textContent("#said")).toMatch(/The replay was delivered/)
      expect(await frame.locator(".sent .badge").allTextContents()).toEqual(["Delivered", "Failed"])
    })
  })

  /** Texts that are too faint, controls without a name, and what is wider than the page. */
  const faultsOf = (frame: Frame) =>
    frame.evaluate(() => {
      const faults: Array<string> = []
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!
      const rgb = (color: string): ReadonlyArray<number> => {
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        return [...canvas.getImageData(0, 0, 1, 1).data]
      }
      const light = ([r = 0, g = 0, b = 0]: ReadonlyArray<number>) => {
        const [x, y, z] = [r, g, b].map((part) => {
          const share = part / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * x! + 0.7152 * y! + 0.0722 * z!
      }
      const behind = (element: Element | null): ReadonlyArray<number> => {
        if (element === null) return [255, 255, 255]
        const color = rgb(getComputedStyle(element).backgroundColor)
        return color[3] === 255 ? color : behind(element.parentElement)
      }
      for (const element of document.body.querySelectorAll("*")) {
        if (!element.checkVisibility() || element.closest(".unseen, option") !== null) continue
        const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== "")
        const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))]
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
        if (hasText && contrast < 4.5) faults.push(`${contrast.toFixed(2)}: ${element.textContent}`)
        const isField = element instanceof HTMLInputElement || element instanceof HTMLSelectElement
        if (isField && (element.labels?.length ?? 0) === 0) faults.push(`no label: ${element.id}`)
        if (element instanceof HTMLButtonElement && element.textContent!.trim() === "")
          faults.push("a button without a name")
      }
      const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id)
      if (new Set(ids).size !== ids.length) faults.push("two things with one id")
      const { scrollWidth } = document.documentElement
      if (scrollWidth > window.innerWidth) faults.push(`${scrollWidth} wide`)
      return faults
    })

  it("can be read, and has names for everything, light and dark, wide and narrow", async () => {
    await anAccount()
    const long = `https://long.example.com/${"path-".repeat(40)}`
    endpoints.moods.set("long.example.com", { _tag: "Answers", status: 500 })
    const { webhook } = await core.webhooks.create(account, { url: long, events: ["credits.low", "call.failed"] })
    await core.webhooks.create(account, { url: "https://well.example.com", events: ["call.failed"] })
    await core.events.publish(account, { event: "credits.low", data: { balance: 1, threshold: 50 } })
    await expect.poll(async () => (await core.webhooks.get(account, webhook.id)).failingSince).not.toBe(null)
    await visit(async ({ frame, noted, page }) => {
      const isFine = async (view: string) => {
        for (const width of [800, 360]) {
          await page.setViewportSize({ width: width + 16, height: 700 })
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme })
            const behind = await frame.evaluate(() => getComputedStyle(document.body).backgroundColor)
            expect(behind === "rgb(255, 255, 255)").toBe(colorScheme === "light")
            expect(await faultsOf(frame), `${view}, ${colorScheme}, ${width} pixels`).toEqual([])
          }
        }
      }
      const button = (name: RegExp | string) => frame.getByRole("button", { name })
      await isFine("list")
      await button("Add endpoint").click()
      await frame.getByText("More settings").click()
      await frame.locator("form button[type=submit]").click()
      await isFine("form with a fault")
      await button("Cancel").click()
      await button(/long/).click()
      await button(/credits\.low/).click()
      await frame.getByText("Last error").waitFor()
      await button("Send test").click()
      await frame.locator(".note", { hasText: "The test failed" }).waitFor()
      await isFine("endpoint")
      await button("Delete").click()
      await isFine("deletion")
      await button("Cancel").click()
      await button("Rotate secret").click()
      await isFine("rotation")
      await button("Make a new secret").click()
      await frame.locator("#secret").waitFor()
      await isFine("secret")
      expect(noted).toEqual([])
    })
  })

  // Verifies: E-70.
  it("speaks the language of the installation, in the words that it has for the texts and their plural forms", async () => {
    const german = await createTrunkline({
      storage: sqlite(":memory:"),
      outbound: outboundProvider(Layer.succeed(Outbound, endpoints.outbound)),
      encryptionKey: "a key for the secrets of this test",
      auth: { jwt: { secret: "a secret for the tokens of this test" } },
      webhooks: {
        portal: {
          language: "de",
          words: {
            "page.title": "Meldungen <b>& mehr</b>",
            "action.add": "Ziel hinzufügen",
            "state.paused": "Angehalten",
            "events.count.one": "{count} Ereignis",
            "events.count.other": "{count} Ereignisse",
            "events.found.one": "{count} Ereignis gefunden.",
            "events.found.other": "{count} Ereignisse gefunden."
          }
        }
      }
    })
    const context = await browser.newContext()
    try {
      const { id } = await german.admin.createAccount({ name: "Ein Kunde" })
      const events = ["credits.low", "call.failed"] as const
      const { webhook } = await german.webhooks.create(id, { url: "https://ruhig.example.com", events })
      await german.webhooks.change(id, webhook.id, { isActive: false })
      served = german
      const page = await context.newPage()
      const noted: Array<string> = []
      page.on("console", (message) => void (message.type() === "error" && noted.push(message.text())))
      page.on("pageerror", (error) => void noted.push(String(error)))
      await page.goto(`${origin}${path}#token=${(await german.admin.createPortalToken(id)).token}`)
      await expect.poll(() => page.textContent("h1")).toBe("Meldungen <b>& mehr</b>")
      expect(await page.title()).toBe("Meldungen <b>& mehr</b>")
      expect(await page.getAttribute("html", "lang")).toBe("de")
      expect(await page.locator(".row .line").innerText()).toMatch(/^Angehalten\s*2 Ereignisse$/)
      expect(await page.textContent(".quiet"), "what has no words of its own stays English").toMatch(/^Your endpoints/)

      await page.getByRole("button", { name: "Ziel hinzufügen" }).click()
      await page.getByLabel("Find an event").fill("credits.low")
      await expect.poll(() => page.textContent("#said")).toBe("1 Ereignis gefunden.")
      await page.getByLabel("Find an event").fill("nothing at all")
      await expect.poll(() => page.textContent("#said")).toBe("No event matches.")
      await page.getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("button", { name: /ruhig/ }).click()
      await expect.poll(() => page.locator("dl time").innerText()).toMatch(/^\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}:\d{2}$/)
      expect(noted).toEqual([])
    } finally {
      served = core
      await context.close()
      await german.stop()
    }
  })

  it("is not shown in a frame of another origin, unless the host says so", async () => {
    const page = await browser.newPage()
    await page.goto(elsewhere)
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
    await page.close()
  })
})
