/** Members of an account in a real Chromium: somebody is invited, comes in, gets another role, and is removed. Skipped where there is no Chromium. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { type DashboardWorld, openDashboard } from "./DashboardWorld.ts"

describe.skipIf(chromiumPath === undefined)("members in a browser", () => {
  let world: DashboardWorld

  beforeAll(async () => {
    world = await openDashboard()
  })
  afterAll(() => world?.close())

  // Verifies: B-319.
  it("are invited, come in by their link, get another role, and are removed", async () => {
    await world.visit(
      async ({ go, page }) => {
        await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await go("#/members")
        await page.getByRole("heading", { level: 1, name: "Members", exact: true }).waitFor()
        await page.getByRole("button", { name: "Invite", exact: true }).click()
        const invite = page.getByRole("dialog", { name: "Invite", exact: true })
        await invite.getByRole("button", { name: "Invite", exact: true }).click()
        expect(await invite.getByLabel("Email").getAttribute("aria-invalid")).toBe("true")
        await invite.getByLabel("Email").fill("no address")
        await invite.getByRole("button", { name: "Invite", exact: true }).click()
        await invite.getByRole("alert").waitFor()
        expect(await invite.getByLabel("Email").inputValue()).toBe("no address")
        await invite.getByLabel("Email").fill("eve@example.com")
        await invite.getByRole("combobox", { name: "Role" }).selectOption("member")
        await page.keyboard.press("Enter")
        const shown = page.getByRole("dialog", { name: "Invitation link" })
        const link = await shown.getByLabel("Link").inputValue()
        expect(link).toContain("/dashboard/#link=lnk_")
        await shown.getByRole("button", { name: "Done" }).click()
        const table = page.getByRole("table", { name: "Members" })
        await table.getByText("Invited").waitFor()
        // Whom the person invites next stands in the list at once, and waits behind no button.
        await page.getByRole("button", { name: "Invite", exact: true }).click()
        await invite.getByLabel("Email").fill("ann@example.com")
        await page.keyboard.press("Enter")
        await shown.getByRole("button", { name: "Done" }).click()
        await page.getByRole("button", { name: "Remove ann@example.com" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Remove ann@example.com" }).click()
        await expect.poll(() => table.getByText("Invited").count()).toBe(1)

        await world.visit(
          async ({ page: other }) => {
            await other.getByRole("heading", { level: 1, name: "Set your password" }).waitFor()
            await other.getByLabel("Name").fill("Eve")
            await other.getByLabel("Password").fill("a long and private sentence")
            await other.getByRole("button", { name: "Save password" }).click()
            await other.getByRole("heading", { level: 1, name: "Start" }).waitFor()
            // The list of the one who has invited follows by itself.
            await table.getByText("Active").waitFor()
            await page.getByRole("combobox", { name: "Role of eve@example.com" }).selectOption("viewer")
            await expect
              .poll(() => page.getByRole("status", { name: "Result" }).textContent())
              .toContain("is now Viewer")
            await other.evaluate(() => {
              location.hash = "#/members"
            })
            await other.getByRole("table", { name: "Members" }).getByTitle("Eve", { exact: true }).waitFor()
            expect(await other.getByRole("button", { name: "Invite" }).count()).toBe(0)
            await expect.poll(() => other.getByRole("combobox").count()).toBe(0)

            await page.getByRole("button", { name: "Remove eve@example.com" }).click()
            const dialog = page.getByRole("dialog", { name: "Remove eve@example.com" })
            await dialog.getByRole("button", { name: "Back" }).click()
            await page.getByRole("button", { name: "Remove eve@example.com" }).click()
            await dialog.getByRole("button", { name: "Remove eve@example.com" }).click()
            await expect.poll(() => table.getByTitle("Eve", { exact: true }).count()).toBe(0)
            await other.getByRole("dialog", { name: "Sign in" }).waitFor()
          },
          { at: link, noteAll: false }
        )
      },
      // The browser notes the answer 422, which is what this is about.
      { at: `${world.places.root}#token=${await world.tokenFor("owner")}`, noteAll: false }
    )
  })
})
