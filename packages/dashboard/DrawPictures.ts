/**
 * Draws every page from seeded data at one instant, light and dark, wide and narrow: `npm run dashboard:pictures`. The pictures are
 * for people, who look at them; they are compared with nothing, since fonts differ between machines.
 */
import { mkdirSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { chromiumPath } from "../../test/Chromium.ts"
import { openDashboard } from "./test/DashboardWorld.ts"

const folder = process.argv[2] ?? fileURLToPath(new URL("dist/pictures", import.meta.url))

const people = ["Asha Rao", "Jonas Weber", "Marie Lefebvre", "Li Wei", "Tom Ashworth", "Inés Ferrer", "Noor Haddad"]

const campaigns = [
  { name: "Delivery survey", people: 60, moves: ["scheduled", "running", "completed"] },
  { name: "Spring tariffs", people: 240, moves: ["cancelled"] },
  { name: "Appointment reminders, Berlin", people: 320, moves: ["scheduled", "running"], mode: "parallel" },
  { name: "Renewals in November", people: 1204, moves: ["scheduled", "running", "paused"] },
  { name: "Winback", people: 480, moves: ["scheduled"] },
  { name: "Upgrade offers", people: 90, moves: ["scheduled", "running"], mode: "preview" },
  { name: "Pilot", people: 0, moves: [] }
] as const

const world = await openDashboard()

const seed = async (): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map<string, string>()
  for (const given of campaigns) {
    const made = await world.ask("POST", "/voice-campaigns", {
      name: given.name,
      timezone: "Europe/Berlin",
      quiet_hours_start: 9,
      quiet_hours_end: 20,
      dial_mode: "mode" in given ? given.mode : "power",
      pace_seconds: 5,
      ...("mode" in given && given.mode === "parallel" ? { parallel_lines: 3 } : {})
    })
    ids.set(given.name, made.id)
    for (let from = 0; from < given.people; from += 1000) {
      const contacts = Array.from({ length: Math.min(1000, given.people - from) }, (_, nth) => ({
        phone: `+493055${String(10_000 + from + nth)}`,
        name: people[(from + nth) % people.length]
      }))
      await world.ask("POST", `/voice-campaigns/${made.id}/contacts`, { contacts })
    }
    for (const status of given.moves) await world.ask("POST", `/voice-campaigns/${made.id}/status`, { status })
  }
  return ids
}

const settleMs = 700

const draw = async (ids: ReadonlyMap<string, string>, colorScheme: "light" | "dark", width: number): Promise<void> => {
  const at = `${world.places.root}#token=${await world.tokenFor("owner")}`
  await world.visit(
    async ({ go, page }) => {
      const settle = (of: Page) => of.waitForTimeout(settleMs)
      const picture = async (name: string) => {
        await settle(page)
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` })
      }
      const campaign = (name: string) => go(`#/campaigns/${ids.get(name)}`)
      await picture("start")
      await go("#/campaigns")
      await picture("campaigns")
      await go("#/campaigns?q=nobody")
      await picture("campaigns-none")
      await campaign("Appointment reminders, Berlin")
      await picture("campaign-running")
      await campaign("Upgrade offers")
      await picture("campaign-preview")
      await campaign("Pilot")
      await picture("campaign-draft")
      await campaign("Renewals in November")
      await picture("campaign-paused")
      await page.getByRole("button", { name: "Resume", exact: true }).click()
      await picture("dialog-resume")
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: "Add contacts" }).click()
      await picture("dialog-add-contacts")
      await page.keyboard.press("Escape")
      await go("#/campaigns/new")
      await picture("campaign-new")
      await page.getByRole("button", { name: "Create campaign" }).click()
      await picture("campaign-new-fault")
      await go("#/me")
      await picture("account")
      await page.getByRole("button", { name: "Your account" }).click()
      await picture("menu")
      await go("#/nowhere")
      await picture("not-available")
    },
    { at, colorScheme, viewport: { width, height: width === 360 ? 780 : 900 }, noteAll: false }
  )
  await world.visit(
    async ({ page }) => {
      await page.waitForTimeout(settleMs)
      await page.screenshot({ path: `${folder}/sign-in-${colorScheme}-${width}.png` })
    },
    {
      at: `${world.places.root}#/sign-in`,
      colorScheme,
      viewport: { width, height: width === 360 ? 780 : 900 },
      noteAll: false
    }
  )
}

if (chromiumPath === undefined)
  throw new Error("No Chromium was found: apt-get install chromium, or its path in CHROMIUM.")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
try {
  const ids = await seed()
  for (const width of [1280, 360]) for (const scheme of ["light", "dark"] as const) await draw(ids, scheme, width)
  process.stdout.write(`The pictures are in ${folder}\n`)
} finally {
  await world.close()
}
