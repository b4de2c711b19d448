/**
 * The pages in other languages, in a real Chromium: a made-up one whose words are half again as long, and one that is written from
 * right to left. Skipped where there is no Chromium.
 */
import { english } from "@trunkline/dashboard/words"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { openDashboard } from "./DashboardWorld.ts"
import { findings } from "./Findings.ts"

/** `Ĉall` for `Call`, and half again as long. Values stay where they are. */
const lengthened = (text: string): string => {
  const accented = text.replace(/\{\w+\}|[aceiou]/g, (found) =>
    found.startsWith("{") ? found : `${found}\u0302`.normalize("NFC")
  )
  return `${accented} ${"lôrêm ipsûm dôlôr ".repeat(Math.ceil(text.length / 36)).slice(0, Math.ceil(text.length / 2))}`.trim()
}

const ofLanguage = (key: string): boolean => key.startsWith("language.")

const languages = [
  {
    name: "of half again the length",
    words: Object.fromEntries(
      Object.entries(english).map(([key, text]) => [key, ofLanguage(key) ? text : lengthened(text)])
    ),
    direction: "ltr"
  },
  {
    name: "from right to left",
    words: { "language.tag": "ar", "language.direction": "rtl", "campaigns.heading": "الحملات" },
    direction: "rtl"
  }
] as const

/** What makes the page wider than its window, as far as that is inside of `main`. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const found = [...document.querySelectorAll<HTMLElement>("main *")]
      .filter((one) => one.getBoundingClientRect().right > clientWidth || one.getBoundingClientRect().left < 0)
      .slice(0, 3)
      .map((one) => `${one.tagName} ${one.className} ${one.textContent?.slice(0, 40)}`)
    return found.length === 0 ? [`${scrollWidth} pixels, by something outside of main`] : found
  })

describe.skipIf(chromiumPath === undefined)("the dashboard with words", () => {
  // Verifies: B-805.
  it.each(languages)("$name is on no page wider than the window", async ({ direction, words }) => {
    const world = await openDashboard({ dashboard: { words }, speed: 1 })
    try {
      const { id } = await world.ask("POST", "/voice-campaigns", {
        name: "A campaign whose name is long enough",
        timezone: "UTC"
      })
      await world.importPeople(id, "phone,name\n+4915112345678,Somebody with a long name of several parts\n")
      await world.ask("POST", "/bots", { name: "An agent", prompt: "Be short." })
      await world.core.admin.createKey(world.account, { name: "A key", scopes: ["*"] })
      await world.visit(
        async ({ go, page }) => {
          await page.getByRole("heading", { level: 1 }).waitFor()
          expect(await page.evaluate(() => document.documentElement.dir)).toBe(direction)
          const links = page.getByRole("navigation").first().getByRole("link")
          const places = await links.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).hash))
          expect(places.length).toBeGreaterThan(10)
          for (const place of [...places, "#/me", "#/campaigns/new", `#/campaigns/${id}`, `#/campaigns/${id}/import`]) {
            await go(place)
            await page.waitForFunction((hash) => location.hash.startsWith(hash), place)
            await page.getByRole("heading", { level: 1 }).waitFor()
            await page.waitForFunction(() => document.querySelector(".skeleton") === null)
            for (const width of [1280, 360, 320]) {
              await page.setViewportSize({ width, height: 800 })
              // The page draws itself anew for another width.
              await expect.poll(() => tooWide(page), { message: `${place} at ${width}` }).toEqual([])
            }
            await page.setViewportSize({ width: 1280, height: 800 })
          }
          expect(await findings(page, "the last page")).toEqual([])
        },
        { at: `${world.places.root}#token=${await world.tokenFor("owner")}` }
      )
    } finally {
      await world.close()
    }
  })
})
