/**
 * The dashboard of the server, as its own process, and of the hosts of the examples, in Chromium.
 *
 * Skipped, and said so, where there is no Chromium: `apt-get install chromium-headless-shell`, or its path in `CHROMIUM`.
 */
import type { BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { started } from "../../../examples/minimal-express/test/Started.ts"
import { cookieFor, people } from "../../../examples/sign-in-next/auth.ts"
import { core } from "../../../examples/sign-in-next/product.ts"
import { startRouteServer } from "../../../examples/sign-in-next/test/RouteServer.ts"
import { chromiumPath, type StartedBrowser, startChromium } from "../../../test/Chromium.ts"
import { visitIn } from "../../dashboard/test/Visits.ts"
import { cleanUp, ended, folder, serve, stop } from "./Spawned.ts"

if (chromiumPath === undefined) console.warn("skipped: no Chromium is installed here")

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true })

describe.skipIf(chromiumPath === undefined)("the dashboard in a browser, through", () => {
  let chromium: StartedBrowser
  beforeAll(async () => {
    chromium = await startChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    cleanUp()
  })

  // Verifies: B-803.
  it("a server that is killed under an open page: what is typed stays, and the page goes on with the next process", async () => {
    const cwd = folder()
    const first = await serve(cwd)
    const link = /^dashboard: (\S+)$/m.exec(first.printed)![1]!
    await visitIn(
      chromium.browser,
      async ({ go, page }) => {
        const connection = page.getByRole("status", { name: "Connection" })
        await page.getByLabel("Email").fill("ada@example.com")
        await page.getByLabel("Name").fill("Ada")
        await page.getByLabel("Password").fill("a long and private sentence")
        await page.getByRole("button", { name: "Save password" }).click()
        await heading(page, "Start").waitFor()
        await go("#/campaigns/new")
        await page.getByLabel("Name").fill("Typed before the end")

        first.child.kill("SIGKILL")
        await ended(first.child)
        await connection.getByText(/^Offline since \d\d:\d\d$/).waitFor()
        expect(await page.getByRole("button", { name: "Create campaign" }).isEnabled()).toBe(false)

        const second = await serve(cwd, { PORT: new URL(first.url).port })
        await connection.getByText("Live").waitFor()
        expect(await page.getByLabel("Name").inputValue()).toBe("Typed before the end")
        await page.getByRole("button", { name: "Create campaign" }).click()
        await heading(page, "Typed before the end").waitFor()
        expect((await stop(second)).code).toBe(0)
      },
      { at: link, noteAll: false }
    )
  })

  /** Somebody whom the host has signed in opens the page below its prefix, and makes a campaign. */
  const usedBelow = (url: string, signIn: (context: BrowserContext) => Promise<void>) =>
    visitIn(
      chromium.browser,
      async ({ go, page }) => {
        await heading(page, "Start").waitFor()
        expect(page.url()).toBe(`${url}/phone/dashboard/#/start`)
        await page.getByRole("status", { name: "Connection" }).getByText("Live").waitFor()
        await go("#/campaigns/new")
        await page.getByLabel("Name").fill("By the host's own people")
        await page.getByRole("button", { name: "Create campaign" }).click()
        await heading(page, "By the host's own people").waitFor()
        await go("#/campaigns")
        await page.getByRole("table", { name: "Campaigns" }).getByText("By the host's own people").waitFor()
      },
      { at: `${url}/phone/dashboard`, before: signIn }
    )

  // Verifies: B-804.
  it.each([
    ["Express", "sign-in-express"],
    ["Fastify", "sign-in-fastify"]
  ])("a host with %s, below its prefix, for the people whom the host has signed in", async (_, example) => {
    const host = await started(new URL(`../../../examples/${example}/app.ts`, import.meta.url), {
      environment: { SESSION_SECRET: "a secret" },
      ready: /port: \d+/
    })
    try {
      await usedBelow(host.url, async ({ request }) => {
        const answer = await request.post(`${host.url}/sign-in`, { data: { name: "ann" } })
        expect(answer.status()).toBe(204)
      })
    } finally {
      expect(await host.stop()).toBe(0)
    }
  })

  // Verifies: B-804.
  it("the route of a host with Next, below its prefix, for the people whom the host has signed in", async () => {
    vi.stubEnv("DATABASE_FILE", ":memory:")
    vi.stubEnv("SESSION_SECRET", "a secret")
    vi.stubEnv("ENCRYPTION_KEY", "a key of at least thirty-two characters")
    const product = await core()
    const { id: accountId } = await product.admin.createAccount({ name: "Example", voiceCampaigns: true })
    people.set("ann", { accountId, subject: "ann", role: "owner" })
    const host = await startRouteServer()
    try {
      const [, value] = /^user=([^;]+)/.exec(cookieFor("ann"))!
      await usedBelow(host.url, (context) => context.addCookies([{ name: "user", value: value!, url: host.url }]))
    } finally {
      vi.unstubAllEnvs()
      await host.close()
      await product.stop()
    }
  })
})
