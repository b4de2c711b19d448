/**
 * An open page in a real Chromium while much changes: what moves, what it asks for, and what it holds.
 *
 * Skipped, and said so, where there is no Chromium: `apt-get install chromium-headless-shell`, or its path in `CHROMIUM`.
 */
import type { ServerResponse } from "node:http"
import type { BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { type DashboardWorld, openDashboard } from "./DashboardWorld.ts"

/** Of the page's area: what no person notices. */
const unnoticed = 0.01

interface Shift {
  readonly value: number
  readonly what: string
}

/** Everything that moves is noted, but for what follows a key or a click. */
const noteShifts = (context: BrowserContext) =>
  context.addInitScript(() => {
    const shifts: Array<Shift> = []
    Object.assign(window, { shifts })
    interface Entry extends PerformanceEntry {
      readonly hadRecentInput: boolean
      readonly value: number
      readonly sources: ReadonlyArray<{
        readonly node: Node | null
        readonly previousRect: DOMRect
        readonly currentRect: DOMRect
      }>
    }
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, sources, value } of list.getEntries() as unknown as ReadonlyArray<Entry>)
        if (!hadRecentInput)
          shifts.push({
            value,
            what: sources
              .map(({ currentRect, node, previousRect }) => {
                const text = (node instanceof Element ? node.outerHTML : (node?.textContent ?? "")).slice(0, 80)
                return `${text} from ${previousRect.x},${previousRect.y},${previousRect.height} to ${currentRect.x},${currentRect.y},${currentRect.height}`
              })
              .join("; ")
          })
    }).observe({ type: "layout-shift", buffered: true })
  })

const shiftsOf = (page: Page) => page.evaluate(() => (window as never as { shifts: ReadonlyArray<Shift> }).shifts)

describe.skipIf(chromiumPath === undefined)("an open page in a browser", () => {
  let world: DashboardWorld
  let campaign: string

  beforeAll(async () => {
    world = await openDashboard()
    const { id } = await world.ask("POST", "/voice-campaigns", {
      name: "Autumn offer",
      timezone: "Europe/Berlin",
      quiet_hours_start: 0,
      quiet_hours_end: 24,
      dial_mode: "parallel",
      parallel_lines: 5
    })
    const contacts = Array.from({ length: 1000 }, (_, n) => ({ phone: `+4930${5_000_000 + n}00`, name: `Person ${n}` }))
    await world.ask("POST", `/voice-campaigns/${id}/contacts`, { contacts })
    for (const status of ["scheduled", "running"]) await world.ask("POST", `/voice-campaigns/${id}/status`, { status })
    campaign = id
  })

  afterAll(() => world?.close())

  it("does not move while it loads, and while calls come and go: the lists of campaigns and of calls, and a campaign that calls", async () => {
    // Beside each other: all of them wait for the same calls.
    await Promise.all(
      ["/campaigns", `/campaigns/${campaign}`, "/calls"].map(async (place) =>
        world.visit(
          async ({ go, page }) => {
            await page.getByRole("status", { name: "Connection" }).getByText("Live").waitFor()
            await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
            await page.evaluate(() => void (window as never as { shifts: Array<Shift> }).shifts.splice(0))
            await go(`#${place}`)
            await page.waitForTimeout(8000)
            const shifts = await shiftsOf(page)
            const sum = shifts.reduce((total, { value }) => total + value, 0)
            const what = shifts.map(({ value, what }) => `${place}, ${value}: ${what}`).join("\n")
            expect(sum, what).toBeLessThanOrEqual(unnoticed)
          },
          {
            at: `${world.places.root}#token=${await world.tokenFor("owner")}`,
            before: async (context) => void (await noteShifts(context))
          }
        )
      )
    )
  })

  const opened = async (page: Page, go: (place: string) => Promise<void>) => {
    await page.getByRole("status", { name: "Connection" }).getByText("Live").waitFor()
    await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
    await go(`#/campaigns/${campaign}`)
    await page.getByText("Person 0", { exact: true }).filter({ visible: true }).first().waitFor()
  }

  const reads = () => world.requests.filter((one) => one.includes("/api/v1/") && !one.endsWith("/stream"))

  it("asks for nothing while nobody sees it, and for everything once somebody does", async () => {
    await world.visit(
      async ({ go, page }) => {
        await opened(page, go)
        const see = (isHidden: boolean) =>
          page.evaluate((hidden) => {
            Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true })
            document.dispatchEvent(new Event("visibilitychange"))
          }, isHidden)
        await see(true)
        await page.waitForTimeout(500)
        const before = reads().length
        await page.waitForTimeout(4000)
        expect(reads().slice(before)).toEqual([])
        await see(false)
        await expect.poll(() => reads().length).toBeGreaterThan(before)
      },
      { at: `${world.places.root}#token=${await world.tokenFor("owner")}` }
    )
  })

  it("holds at most 5 MB more after 10,000 notes", async () => {
    let stream: ServerResponse | undefined
    const stop = world.intercept(/\/api\/v1\/stream$/, (response) => {
      stream = response.writeHead(200, { "content-type": "text/event-stream" })
      stream.flushHeaders()
    })
    try {
      await world.visit(
        async ({ context, go, page }) => {
          await opened(page, go)
          // The page shows "Live" from the beginning, and opens its stream after its first reads.
          await expect.poll(() => stream).toBeDefined()
          const client = await context.newCDPSession(page)
          const held = async () => {
            for (let n = 0; n < 3; n++) await client.send("HeapProfiler.collectGarbage")
            return (await client.send("Runtime.getHeapUsage")).usedSize
          }
          const note = async (count: number) => {
            for (let n = 0; n < count; n++) {
              const topics = ["campaigns", "calls", "account", `campaign:${campaign}`, `call:${n}`]
              stream!.write(`event: changed\ndata: ${JSON.stringify({ topics })}\n\n`)
              if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
            }
            await page.waitForTimeout(1000)
          }
          await note(500)
          const before = await held()
          await note(10_000)
          expect(((await held()) - before) / 1e6).toBeLessThanOrEqual(5)
        },
        { at: `${world.places.root}#token=${await world.tokenFor("owner")}` }
      )
    } finally {
      stop()
    }
  })

  it("has at most 1,500 elements, wherever in a long list somebody is", async () => {
    await world.visit(
      async ({ go, page }) => {
        await opened(page, go)
        for (const part of [0, 0.5, 1, 0.2]) {
          await page.evaluate((part) => window.scrollTo(0, document.documentElement.scrollHeight * part), part)
          await page.waitForTimeout(500)
          expect(await page.locator("*").count()).toBeLessThanOrEqual(1500)
        }
      },
      { at: `${world.places.root}#token=${await world.tokenFor("owner")}` }
    )
  })
})
