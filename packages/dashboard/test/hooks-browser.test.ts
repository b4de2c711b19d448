/** The pages "Webhooks" and "Alerts" in a real Chromium. Skipped where there is no Chromium. */
import { Endpoints, fakeOutbound } from "@trunkline/testing/webhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { type DashboardWorld, openDashboard } from "./DashboardWorld.ts"
import { findings } from "./Findings.ts"

const host = "hooks.example.com"

describe.skipIf(chromiumPath === undefined)("webhooks and alerts in a browser", () => {
  const endpoints = new Endpoints()
  let world: DashboardWorld

  beforeAll(async () => {
    world = await openDashboard({ outbound: fakeOutbound(endpoints) })
  })
  afterAll(() => world?.close())

  const signedIn = async (role = "owner") => `${world.places.root}#token=${await world.tokenFor(role)}`

  // Verifies: B-771, B-772, B-773, B-774.
  it("make a webhook, show its secret once, test, change, switch, rotate, replay and delete it", async () => {
    await world.visit(
      async ({ go, page }) => {
        const found: Array<string> = []
        const look = async (state: string) => void found.push(...(await findings(page, state)))
        const result = page.getByRole("status", { name: "Result" })
        const dialog = page.getByRole("dialog")
        const press = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true }).click()
        const inDialog = (name: string) => dialog.getByRole("button", { name, exact: true }).click()
        await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await go("#/webhooks")
        await page.getByText("No webhook", { exact: true }).waitFor()

        await press("New webhook")
        await inDialog("Create webhook")
        await dialog.getByRole("alert").getByText("2 fields need another value:").waitFor()
        await dialog.getByLabel("URL").fill("https://hooks.example.com/calls")
        await dialog.getByRole("button", { name: "Select all: Calls", exact: true }).click()
        await dialog.getByRole("checkbox", { name: "call.started", exact: true }).uncheck()
        await look("new webhook")
        await inDialog("Create webhook")
        await page.getByRole("dialog", { name: "Signing secret" }).waitFor()
        expect((await dialog.getByLabel("Secret", { exact: true }).inputValue()).length).toBeGreaterThan(20)
        await inDialog("Done")
        const [made] = await world.ask("GET", "/webhooks")
        expect([...made.events].sort()).toEqual(["call.amd_detected", "call.completed", "call.failed"])

        const webhooks = page.getByRole("table", { name: "Webhooks", exact: true })
        await webhooks.getByRole("link", { name: "hooks.example.com/calls" }).waitFor()
        await look("webhooks")
        await webhooks.getByRole("link", { name: "hooks.example.com/calls" }).click()
        await press("Send test")
        await expect.poll(() => result.textContent()).toContain("The test arrived: status 200")
        endpoints.moods.set(host, { _tag: "Answers", status: 500 })
        await press("Send test")
        await page.getByRole("alert").getByText("The test failed").waitFor()
        await world.ask("POST", "/telephony/calls", { to: "+4930777000172" })
        const deliveries = page.getByRole("table", { name: "Deliveries", exact: true })
        await deliveries.getByText("Failed", { exact: true }).first().waitFor()
        await page.getByRole("combobox", { name: "Status" }).selectOption("failed")
        await expect.poll(() => page.evaluate(() => location.hash)).toContain("status=failed")
        await deliveries.getByRole("link").first().waitFor()
        await look("webhook")
        await deliveries.getByRole("link").first().click()
        await dialog.getByRole("region", { name: "Payload" }).getByText("+4930777000172").waitFor()
        await look("delivery")
        endpoints.moods.delete(host)
        await inDialog("Replay")
        await expect.poll(() => result.textContent()).toContain("sent again")
        await page.getByRole("combobox", { name: "Status" }).selectOption("")
        await deliveries.getByText("Delivered", { exact: true }).first().waitFor()
        await press("Replay all failures")
        await inDialog("Replay all failures")
        await expect.poll(() => result.textContent()).toMatch(/sent again/)
        await expect.poll(() => deliveries.getByText("Delivered", { exact: true }).count()).toBeGreaterThan(1)

        await press("Change webhook")
        await dialog.getByRole("combobox", { name: "Which events" }).selectOption("every")
        await dialog.getByLabel("Pause after days of failures").fill("3")
        await inDialog("Save webhook")
        await page.getByText("Every event", { exact: true }).waitFor()
        const changed = await world.ask("GET", `/webhooks/${made.id}`)
        expect(changed).toMatchObject({ events: [], pause_after_days: 3 })
        await page.getByRole("switch", { name: "On" }).uncheck()
        await page.getByText("Paused", { exact: true }).waitFor()
        await page.getByRole("switch", { name: "On" }).check()
        await page.getByText("Active", { exact: true }).waitFor()
        await press("Rotate secret")
        await dialog.getByRole("combobox", { name: "The old secret goes on signing" }).selectOption("0")
        await inDialog("Rotate secret")
        await dialog.getByText("The old secret has stopped signing.").waitFor()
        await inDialog("Done")
        await press("Delete webhook")
        await inDialog("Back")
        await press("Delete webhook")
        await inDialog("Delete webhook")
        await page.getByText("No webhook", { exact: true }).waitFor()

        await press("New email webhook")
        await dialog.getByLabel("URL").fill("https://mail.example.com/events")
        await dialog.getByRole("checkbox", { name: "email.bounced" }).check()
        await inDialog("Create email webhook")
        await inDialog("Done")
        await page.getByRole("switch", { name: "On: https://mail.example.com/events" }).uncheck()
        await expect
          .poll(async () => (await world.ask("GET", "/email/webhooks"))[0])
          .toMatchObject({
            events: ["email.bounced"],
            is_active: false
          })
        await press("Delete https://mail.example.com/events")
        await inDialog("Delete https://mail.example.com/events")
        await page.getByText("No email webhook").waitFor()
        expect(found).toEqual([])
      },
      { at: await signedIn(), noteAll: false }
    )
    await world.visit(
      async ({ go, page }) => {
        await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Alerts" }).waitFor()
        await go("#/webhooks")
        await page.getByText("Your role does not allow this page").waitFor()
      },
      { at: await signedIn("member"), noteAll: false }
    )
  })

  // Verifies: B-775, B-774.
  it("make an alert, change, switch and delete it; a viewer only reads", async () => {
    await world.visit(
      async ({ go, page }) => {
        const found: Array<string> = []
        const look = async (state: string) => void found.push(...(await findings(page, state)))
        const dialog = page.getByRole("dialog")
        const press = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true }).click()
        const inDialog = (name: string) => dialog.getByRole("button", { name, exact: true }).click()
        await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await go("#/alerts")
        await page.getByText("No alert", { exact: true }).waitFor()
        await press("New alert")
        await dialog.getByLabel("Name").fill("Many fail")
        await dialog.getByLabel("Threshold in percent").fill("120")
        await inDialog("Create alert")
        await dialog.getByRole("alert").getByText("One field needs another value:").waitFor()
        await look("new alert")
        await dialog.getByLabel("Threshold in percent").fill("7")
        await inDialog("Create alert")
        const alerts = page.getByRole("table", { name: "Alerts" })
        await alerts.getByText("Failure rate above 7 % within 60 minutes").waitFor()
        const stored = async () => (await world.ask("GET", "/voice-alerts"))[0]
        expect(await stored()).toMatchObject({ metric: "failure_rate", threshold: 0.07, window_seconds: 3600 })
        await look("alerts")
        await press("Change Many fail")
        await dialog.getByRole("combobox", { name: "Fires" }).selectOption("below")
        await dialog.getByLabel("Window in minutes").fill("1.5")
        await inDialog("Save alert")
        await alerts.getByText("Failure rate below 7 % within 1.5 minutes").waitFor()
        await alerts.getByRole("switch", { name: "On: Many fail" }).uncheck()
        await alerts.getByText("Off", { exact: true }).waitFor()
        expect(await stored()).toMatchObject({ comparison: "below", window_seconds: 90, enabled: false })

        await world.visit(
          async ({ go: visit, page: other }) => {
            await other.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Alerts" }).waitFor()
            await visit("#/alerts")
            await other.getByText("Many fail").waitFor()
            expect(await other.getByRole("main").getByRole("button").count()).toBe(0)
          },
          { at: await signedIn("viewer"), noteAll: false }
        )

        await press("Delete Many fail")
        await inDialog("Delete Many fail")
        await page.getByText("No alert", { exact: true }).waitFor()
        expect(found).toEqual([])
      },
      { at: await signedIn(), noteAll: false }
    )
  })
})
