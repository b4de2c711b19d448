/**
 * The pages as a vendor ships them, in a real Chromium: under another name, with other words, and in a frame whose host renews tokens;
 * and people who sign in at an issuer. Skipped where there is no Chromium.
 */
import { client, type FakeIssuer, startIssuer } from "@trunkline/testing/issuer"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { type DashboardWorld, openDashboard } from "./DashboardWorld.ts"

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true })

const secondMs = 1000

describe.skipIf(chromiumPath === undefined)("the dashboard of a vendor", () => {
  let issuer: FakeIssuer
  let world: DashboardWorld

  beforeAll(async () => {
    issuer = await startIssuer(() => world.now())
    world = await openDashboard({
      speed: 1,
      brand: { name: "Acme", channel: "chat", headerPrefix: "X-Acme-", keyPrefix: "acme_" },
      dashboard: {
        name: "Acme Voice",
        accent: "#0a5c36",
        helpUrl: "https://help.example.com/",
        hidden: ["members"],
        tokenUrl: "/acme/token",
        words: { "campaigns.heading": "Rounds", "campaigns.new": "New round" }
      },
      oidc: {
        issuer: issuer.issuer,
        clientId: client.id,
        clientSecret: client.secret,
        label: "Acme account",
        roles: { ops: "admin" }
      }
    })
  })
  afterAll(() => Promise.all([world?.close(), issuer?.close()]))

  // Verifies: B-921.
  it("has the vendor's name, words, colour and help, without hidden pages, and no name of ours", async () => {
    await world.visit(
      async ({ go, page }) => {
        await heading(page, "Start").waitFor()
        await expect.poll(() => page.title()).toBe("Start · Acme Voice")
        const links = page.getByRole("navigation", { name: "Main" }).getByRole("link")
        const names = await links.allTextContents()
        expect(names).toContain("Rounds")
        expect(names).not.toContain("Members")
        expect(names.at(-1)).toBe("Help")
        expect(await links.last().getAttribute("rel")).toBe("noopener noreferrer")
        const places = await links.evaluateAll((all) =>
          all.map((one) => (one as HTMLAnchorElement).hash).filter((hash) => hash !== "")
        )
        for (const place of [...places, "#/me", "#/campaigns/new"]) {
          await go(place)
          await expect.poll(() => page.title()).toMatch(/ · Acme Voice$/)
          await page.getByRole("heading", { level: 1 }).waitFor()
          // `localhost` and ids may have anything in them: what people read is looked at.
          expect(await page.innerText("body"), place).not.toMatch(/trunkline/i)
        }
        await go("#/members")
        await page.getByText("Not available here").waitFor()
        const accent = await page.evaluate(() =>
          getComputedStyle(document.documentElement).getPropertyValue("--accent")
        )
        expect(accent).toContain("#0a5c36")
        // Chats have the vendor's word in every address.
        expect(world.requests.filter((request) => request.includes("/api/v1/messaging"))).toEqual([])
      },
      { at: `${world.places.root}#token=${await world.tokenFor("owner")}` }
    )
  })

  // Verifies: B-922.
  it("gets another token from the host a minute before the one that it has ends, and goes on", async () => {
    let given = 0
    const stop = world.intercept(/ \/acme\/token/, (response) => {
      given++
      void world
        .tokenFor("owner")
        .then((token) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ token })))
    })
    try {
      await world.visit(
        async ({ go, page }) => {
          await heading(page, "Start").waitFor()
          await go("#/campaigns/new")
          await page.getByLabel("Name").fill("Typed before the end")
          await expect.poll(() => given).toBeGreaterThan(0)
          world.pass(600 * secondMs)
          await go("#/campaigns")
          await heading(page, "Rounds").waitFor()
          expect(await page.getByRole("dialog").count()).toBe(0)
        },
        // The stream ends with the token, and the browser notes what it was answered then.
        { at: `${world.places.root}#token=${await world.tokenFor("owner", 62)}`, noteAll: false, time: world.now() }
      )
    } finally {
      stop()
    }
  })

  // Verifies: B-909.
  it("signs people in at the issuer and brings them back to where they were, and says who may not come in", async () => {
    issuer.setPerson({ sub: "1", email: "ada@example.com", email_verified: true, name: "Ada", groups: ["ops"] })
    await world.visit(
      async ({ page }) => {
        await heading(page, "Sign in").waitFor()
        await page.getByRole("link", { name: "Acme account" }).click()
        await heading(page, "Rounds").waitFor()
        await page.getByRole("button", { name: "Your account" }).click()
        await page.getByText("Admin of the account “Northwind”").waitFor()
        await page.getByRole("button", { name: "Sign out" }).click()
        await heading(page, "Sign in").waitFor()

        issuer.setPerson({ sub: "2", email: "eve@example.com", email_verified: true, groups: ["guests"] })
        await page.getByRole("link", { name: "Acme account" }).click()
        await page.getByRole("alert").waitFor()
        expect(page.url()).toContain("#/sign-in?error=not_allowed")
      },
      { at: `${world.places.root}#/campaigns`, noteAll: false }
    )
  })
})
