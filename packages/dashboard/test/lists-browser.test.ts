/**
 * The account's lists in a real Chromium: numbers that nobody calls, and the address book.
 *
 * Skipped, and said so, where there is no Chromium: `apt-get install chromium-headless-shell`, or its path in `CHROMIUM`.
 */
import { readFile } from "node:fs/promises"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { type DashboardWorld, openDashboard } from "./DashboardWorld.ts"
import { findings } from "./Findings.ts"

const markup = "<img src=x onerror=\"document.title='markup'\">"

describe.skipIf(chromiumPath === undefined)("the account's lists in a browser", () => {
  let world: DashboardWorld

  beforeAll(async () => {
    world = await openDashboard({ speed: 1 })
  })
  afterAll(() => world?.close())

  const signedIn = async (role = "member") => `${world.places.root}#token=${await world.tokenFor(role)}`

  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true })

  const parts = (page: Page) => ({
    button: (name: string) => page.getByRole("button", { name, exact: true }),
    dialog: (name: string) => page.getByRole("dialog", { name, exact: true }),
    result: page.getByRole("status", { name: "Result" })
  })

  const opened = async (page: Page, go: (place: string) => Promise<void>, place: string, name: string) => {
    await heading(page, "Start").or(heading(page, "Campaigns")).first().waitFor()
    await go(place)
    await heading(page, name).waitFor()
  }

  /** How many rows the list has, its header apart. */
  const rowsOf = (page: Page, name: string) => async () =>
    Number(await page.getByRole("table", { name, exact: true }).getAttribute("aria-rowcount")) - 1

  // Verifies: B-751, B-752, B-754.
  it("puts numbers on the do-not-call list by hand and by file, finds them, downloads them and removes them", async () => {
    await world.visit(
      async ({ go, page }) => {
        const { button, dialog, result } = parts(page)
        const found: Array<string> = []
        const count = rowsOf(page, "Do not call")
        await opened(page, go, "#/do-not-call", "Do not call")
        await page.getByText("No number is on the list").waitFor()

        await button("Add number").click()
        const add = dialog("Add number")
        await add.getByLabel("Phone").fill("no number")
        await add.getByLabel("Reason").fill(markup)
        await add.getByRole("button", { name: "Add number" }).click()
        await expect.poll(() => add.getByLabel("Phone").getAttribute("aria-invalid")).toBe("true")
        expect(await add.getByLabel("Reason").inputValue()).toBe(markup)
        found.push(...(await findings(page, "add number")))
        await add.getByLabel("Phone").fill("+49 30 901820")
        await page.keyboard.press("Enter")
        await result.getByText("+49 30 901820 is on the do-not-call list.").waitFor()
        await expect.poll(count).toBe(1)
        expect(await page.title()).not.toBe("markup")
        await page.getByTitle(markup).first().waitFor()

        await button("Import numbers").click()
        const file = dialog("Import numbers")
        await file.getByLabel("CSV file").setInputFiles({
          name: "numbers.csv",
          mimeType: "text/csv",
          buffer: Buffer.from(
            `Telephone,Reason,Size\n+49 30 5501 01,Complaint 2026,9\n0049 30 901820,,1\nnobody,,2\n+49 30 5501 02,,3\n`
          )
        })
        expect(await file.getByRole("combobox", { name: "Field for Telephone" }).inputValue()).toBe("phone")
        expect(await file.getByRole("combobox", { name: "Field for Reason" }).inputValue()).toBe("reason")
        expect(await file.getByRole("combobox", { name: "Field for Size" }).inputValue()).toBe("")
        await file.getByLabel("Reason", { exact: true }).fill("From the old system")
        await file.getByRole("button", { name: "Check file" }).click()
        const checked = file.getByRole("region", { name: "Result of the check" })
        await checked.getByText("2 numbers are new on the list.").waitFor()
        await checked.getByText("1 row has a number that is on the list already").waitFor()
        await checked.getByText("1 row is rejected").waitFor()
        expect((await world.ask("GET", "/voice-campaigns/dnc")).length).toBe(1)
        found.push(...(await findings(page, "import numbers")))
        await file.getByRole("button", { name: "Import", exact: true }).click()
        await result.getByText("2 numbers are new on the do-not-call list.").waitFor()
        // What somebody adds stands in their own list at once.
        await expect.poll(count).toBe(3)
        await page.getByText("From the old system").filter({ visible: true }).first().waitFor()

        const search = page.getByRole("searchbox", { name: "Search numbers" })
        await search.fill("0049 (30) 901820")
        await expect.poll(count).toBe(1)
        await expect.poll(() => page.url()).toContain("q=")
        await search.fill("complaint 2026")
        await page.getByRole("table").getByTitle("Complaint 2026").first().waitFor()
        await expect.poll(count).toBe(1)
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: "Download list" }).click()
        ])
        const text = await readFile(await download.path(), "utf8")
        expect(text).toMatch(/^\uFEFF?phone,reason,created_at/)
        expect(text).toContain("Complaint 2026")
        expect(text).not.toContain("901820")
        await search.fill("+1 415 555 0100")
        await page.getByText("The list does not block this number.").waitFor()
        found.push(...(await findings(page, "nothing found")))
        await page.getByRole("button", { name: "Clear the filters" }).click()
        await expect.poll(count).toBe(3)

        await button("Remove +49 30 901820").click()
        const remove = dialog("Remove +49 30 901820")
        await remove.getByText("1 number leaves the list").waitFor()
        await remove.getByRole("button", { name: "Back" }).click()
        expect((await world.ask("GET", "/voice-campaigns/dnc")).length).toBe(3)
        await button("Remove +49 30 901820").click()
        await remove.getByRole("button", { name: "Remove +49 30 901820" }).click()
        await result.getByText("+49 30 901820 is no longer on the do-not-call list.").waitFor()
        await expect.poll(count).toBe(2)
        found.push(...(await findings(page, "do not call")))
        expect(found).toEqual([])
      },
      { at: await signedIn(), noteAll: false }
    )
    await world.visit(
      async ({ go, page }) => {
        await opened(page, go, "#/do-not-call", "Do not call")
        await expect.poll(rowsOf(page, "Do not call")).toBe(2)
        expect(await page.getByRole("main").getByRole("button").count()).toBe(0)
      },
      { at: await signedIn("viewer") }
    )
  })

  // Verifies: B-753, B-754.
  it("adds somebody to the contacts, finds them by name, number and tag, changes and deletes them, and shows their calls", async () => {
    await world.ask("POST", "/contacts", { phone: "+49 30 5502 0172", name: "Jonas Weber", tags: ["vip"] })
    const { id: call } = await world.ask("POST", "/telephony/calls", { to: "+49305501017200" })
    await world.ask("PUT", `/telephony/calls/${call}/outcome`, { outcome: "Call back", note: markup })
    await world.visit(
      async ({ go, page }) => {
        const { button, dialog, result } = parts(page)
        const found: Array<string> = []
        const count = rowsOf(page, "Contacts")
        await opened(page, go, "#/contacts", "Contacts")
        await expect.poll(count).toBe(1)

        await button("Add contact").click()
        const add = dialog("Add contact")
        await add.getByLabel("Phone").fill("+49 30 5502 0172")
        await add.getByLabel("Name", { exact: true }).fill(markup)
        await add.getByLabel("Email").fill("no address")
        await add.getByRole("button", { name: "Add contact" }).click()
        await expect.poll(() => add.getByLabel("Email").getAttribute("aria-invalid")).toBe("true")
        await add.getByLabel("Email").fill("asha@example.com")
        await add.getByRole("button", { name: "Add contact" }).click()
        await add.getByText("Another contact has this number").waitFor()
        expect(await add.getByLabel("Name", { exact: true }).inputValue()).toBe(markup)
        found.push(...(await findings(page, "add contact")))
        await add.getByLabel("Phone").fill("+49 30 5501 0172 00")
        await add.getByLabel("Tags").fill("vip, solar")
        await page.keyboard.press("Enter")

        await page.getByRole("heading", { level: 2, name: markup }).waitFor()
        expect(await page.title()).not.toBe("markup")
        const calls = page.getByRole("table", { name: "Calls" })
        await calls.getByText(`Call back: ${markup}`).waitFor()
        expect(await calls.getByRole("link").getAttribute("href")).toContain(`#/calls/${call}`)
        await button("Edit contact").click()
        const edit = dialog("Edit contact")
        await edit.getByLabel("Name", { exact: true }).fill("Asha Rao")
        await edit.getByLabel("Email").fill("")
        await edit.getByLabel("Has agreed to be messaged").check()
        await edit.getByRole("button", { name: "Save contact" }).click()
        await result.getByText("Asha Rao is saved.").waitFor()
        await page.getByRole("heading", { level: 2, name: "Asha Rao" }).waitFor()
        expect(await world.ask("GET", "/contacts?q=asha")).toEqual([
          expect.objectContaining({ name: "Asha Rao", email: null, tags: ["vip", "solar"], opted_in: true })
        ])
        found.push(...(await findings(page, "contact")))

        await page.getByRole("link", { name: "All contacts" }).click()
        await expect.poll(count).toBe(2)
        const search = page.getByRole("searchbox", { name: "Search contacts" })
        await search.fill("RAO")
        await expect.poll(count).toBe(1)
        await search.fill("5502 0172")
        await page.getByRole("link", { name: "Jonas Weber" }).waitFor()
        await expect.poll(count).toBe(1)
        await search.fill("")
        await expect.poll(count).toBe(2)
        await page.getByRole("searchbox", { name: "Tag" }).fill("solar")
        await expect.poll(count).toBe(1)
        found.push(...(await findings(page, "contacts")))
        await page.getByRole("link", { name: "Asha Rao" }).click()
        await button("Delete contact").click()
        const remove = dialog("Delete contact")
        await remove.getByText("1 contact is deleted: Asha Rao.").waitFor()
        await remove.getByRole("button", { name: "Delete contact" }).click()
        await result.getByText("Asha Rao is deleted.").waitFor()
        await heading(page, "Contacts").waitFor()
        expect((await world.ask("GET", "/contacts")).map(({ name }: { name: string }) => name)).toEqual(["Jonas Weber"])
        expect(found).toEqual([])
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  // Verifies: B-753.
  it("reads a name of another script in its own direction, and a name of this one in this one's", async () => {
    const name = "נועה לוי (VIP)"
    const made = await world.ask("POST", "/contacts", { phone: "+972 54 555 0172", name, notes: `${name}.` })
    await world.visit(
      async ({ go, page }) => {
        const directionOf = (of: Locator) => of.evaluate((element) => getComputedStyle(element).direction)
        await opened(page, go, "#/contacts", "Contacts")
        expect(await directionOf(page.getByRole("link", { name }))).toBe("rtl")
        expect(await directionOf(page.getByRole("link", { name: "Jonas Weber" }))).toBe("ltr")
        // All names begin at the same edge.
        expect(await page.getByRole("link", { name }).evaluate((link) => getComputedStyle(link).textAlign)).toMatch(
          /^(left|-webkit-match-parent)$/
        )
        await go(`#/contacts/${made.id}`)
        expect(await directionOf(page.getByRole("heading", { level: 2, name }))).toBe("rtl")
        expect(await directionOf(page.getByText(`${name}.`))).toBe("rtl")
      },
      { at: await signedIn() }
    )
  })
})
