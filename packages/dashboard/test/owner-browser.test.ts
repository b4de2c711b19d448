/** Keys, usage and the audit log in a real Chromium. Skipped where there is no Chromium. */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { openai } from "@trunkline/providers/openai"
import { type FakeLlmServer, startFakeLlmServer } from "@trunkline/testing/upstreams"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { type DashboardWorld, openDashboard } from "./DashboardWorld.ts"
import { findings } from "./Findings.ts"

const shell = promisify(execFile)

const markup = "<img src=x onerror=\"document.title='markup'\">"

describe.skipIf(chromiumPath === undefined)("the pages of an owner", () => {
  let models: FakeLlmServer
  let world: DashboardWorld

  beforeAll(async () => {
    models = await startFakeLlmServer({ text: "hello there", apiKey: "sk-of-the-operator" })
    world = await openDashboard({
      brand: { name: "Acme", channel: "chat", headerPrefix: "X-Acme-", keyPrefix: "acme_" },
      models: {
        upstreams: { there: openai({ baseUrl: `${models.origin}/v1`, apiKey: "sk-of-the-operator" }) },
        routes: { "*": { upstream: "there" } }
      }
    })
  })
  afterAll(() => Promise.all([world?.close(), models?.close()]))

  const signedIn = async (role = "owner", at = world.places.root) => `${at}#token=${await world.tokenFor(role)}`

  const answerOf = async (key: string): Promise<number> =>
    (await fetch(new URL("../api/v1/me", world.places.root), { headers: { authorization: `Bearer ${key}` } })).status

  // Verifies: B-611, B-612, B-613.
  it("make a key that is shown once, with a curl that works, find it, change it, rotate it and revoke it", async () => {
    await world.visit(
      async ({ go, page }) => {
        const found: Array<string> = []
        const look = async (state: string) => void found.push(...(await findings(page, state)))
        const result = page.getByRole("status", { name: "Result" })
        const dialog = page.getByRole("dialog")
        const press = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true }).click()
        const inDialog = (name: string) => dialog.getByRole("button", { name, exact: true }).click()
        const table = page.getByRole("table", { name: "Keys", exact: true })
        const shown = page.getByRole("dialog", { name: "Your new key", exact: true })
        const keys = async () =>
          (await world.core.admin.listKeys(world.account)) as ReadonlyArray<{ name: string | null }>
        await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await go("#/keys")
        await page.getByText("No key", { exact: true }).waitFor()
        await look("no key")
        await world.core.admin.createKey(world.account, { scopes: ["*"] })

        // What the server refuses stands at its field, and nothing that was typed is lost.
        await press("New key")
        await dialog.getByLabel("Name", { exact: true }).fill(markup)
        await dialog.getByLabel("Budget", { exact: true }).fill("much")
        await dialog.getByRole("checkbox", { name: "chat:read" }).check()
        expect(await dialog.getByRole("checkbox", { name: "Everything" }).isChecked()).toBe(false)
        await dialog.getByRole("checkbox", { name: "image" }).uncheck()
        await inDialog("Create key")
        expect(await dialog.getByLabel("Budget", { exact: true }).getAttribute("aria-invalid")).toBe("true")
        await dialog.getByText("More limits").click()
        await dialog.getByLabel("Only these models").fill("no-such-model")
        await dialog.getByLabel("Budget", { exact: true }).fill("12.5")
        await inDialog("Create key")
        await expect.poll(() => dialog.getByLabel("Only these models").getAttribute("aria-invalid")).toBe("true")
        expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe(markup)
        await look("new key")
        await dialog.getByLabel("Only these models").fill("")

        // The server makes the key, and its answer is lost on the way.
        let lost = 0
        await page.route("**/api/v1/keys", async (route) => {
          if (route.request().method() === "POST" && lost++ === 0) {
            await route.fetch()
            await route.abort("connectionreset")
          } else await route.continue()
        })
        await inDialog("Create key")
        await dialog.getByRole("alert").getByText("Not known whether it arrived").waitFor()
        await dialog.getByRole("alert").getByRole("button", { name: "Try again" }).click()
        await shown.waitFor()
        const text = await shown.getByLabel("Key", { exact: true }).inputValue()
        expect(text).toMatch(/^acme_\w{40}$/)
        expect(await shown.getByLabel("Key", { exact: true }).getAttribute("readonly")).not.toBeNull()
        expect((await keys()).map(({ name }) => name)).toEqual([markup, null])
        await look("your new key")
        await page.keyboard.press("Escape")
        await page.keyboard.press("Escape")
        await shown.waitFor()
        const curl = await shown.locator("code").innerText()
        expect(JSON.parse((await shell("sh", ["-c", `${curl} --silent --fail`])).stdout)).toMatchObject({
          kind: "key",
          name: markup,
          scopes: ["chat:read"]
        })
        await inDialog("Done")

        // Nothing of the browser has the key any more.
        await table.getByTitle(markup).waitFor()
        expect(
          await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]))
        ).not.toContain(text)
        expect(await page.content()).not.toContain(text)
        expect(await page.title()).not.toBe("markup")

        await page.getByRole("searchbox", { name: "Search keys" }).fill("IMG")
        await expect.poll(() => page.url()).toContain("q=IMG")
        await expect.poll(() => table.getByRole("row").count()).toBe(2)
        await page.getByRole("searchbox", { name: "Search keys" }).fill("")
        // One without a name is known by its beginning.
        await expect.poll(() => page.getByRole("button", { name: /^Revoke acme_/ }).count()).toBe(1)
        await look("keys")

        await table.getByTitle(markup).click()
        expect(await dialog.getByRole("checkbox", { name: "image" }).isChecked()).toBe(false)
        await dialog.getByLabel("Name", { exact: true }).fill("Website")
        await dialog.getByLabel("Budget", { exact: true }).fill("20")
        await inDialog("Save key")
        await table.getByText("0 of 20").waitFor()

        await press("Rotate Website")
        await dialog.getByText("1 new key takes its place").waitFor()
        await inDialog("Back")
        await press("Rotate Website")
        await inDialog("Rotate Website")
        const second = await shown.getByLabel("Key", { exact: true }).inputValue()
        await inDialog("Done")
        expect([await answerOf(text), await answerOf(second)]).toEqual([200, 200])
        await table.getByText("The old key works until").waitFor()
        await press("Rotate Website")
        await dialog.getByRole("combobox", { name: "The present key goes on working" }).selectOption("0")
        await look("rotate")
        await inDialog("Rotate Website")
        const third = await shown.getByLabel("Key", { exact: true }).inputValue()
        await inDialog("Done")
        expect([await answerOf(text), await answerOf(second), await answerOf(third)]).toEqual([401, 401, 200])

        await press("Revoke Website")
        await dialog.getByText("1 key is revoked").waitFor()
        await inDialog("Revoke Website")
        await expect.poll(() => result.textContent()).toContain("Website is revoked.")
        expect(await answerOf(third)).toBe(401)
        await expect.poll(() => page.getByRole("button", { name: "Rotate Website" }).count()).toBe(0)
        await page.getByRole("combobox", { name: "State" }).selectOption("revoked")
        await expect.poll(() => page.url()).toContain("state=revoked")
        await expect.poll(() => table.getByRole("row").count()).toBe(2)
        expect(found).toEqual([])
      },
      { at: await signedIn("owner", world.places.behind), noteAll: false }
    )
    await world.visit(
      async ({ go, page }) => {
        await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await go("#/keys")
        await page.getByText("Your role does not allow this page").waitFor()
      },
      { at: await signedIn("member"), noteAll: false }
    )
  })

  // Verifies: B-614, B-615, B-616.
  it("show usage by group, interval and zone as a picture and a table, the plan, the credits and the ledger", async () => {
    const day = 86_400_000
    await world.core.admin.changeAccount(world.account, { plan: "starter" })
    const { text } = await world.core.admin.createKey(world.account, {
      name: markup,
      scopes: ["*"],
      permissions: ["llm"]
    })
    const ask = async (model: string) => {
      const answer = await fetch(new URL("../v1/chat/completions", world.places.root), {
        method: "POST",
        headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
        body: JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] })
      })
      expect(answer.status, await answer.text()).toBe(200)
    }
    // 21:30 in Berlin is 02:00 of the next day in Kolkata.
    const local = new Date(world.now())
    world.pass(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + 1, 20, 30) - world.now())
    const first = new Date(world.now())
    await ask("gpt-5.4")
    world.pass(day)
    await ask("gpt-5.4")
    await ask("gemini-2.5-flash")
    await world.ask("POST", "/telephony/calls", { to: "+493055010101" })
    const dayIn = (timeZone: string, at: Date) =>
      new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone }).format(at)

    await world.visit(
      async ({ go, page }) => {
        const found: Array<string> = []
        const table = page.getByRole("table", { name: "Usage", exact: true })
        const rows = () => table.getByRole("row").allInnerTexts()
        const choose = (name: string, value: string) =>
          page.getByRole("combobox", { name, exact: true }).selectOption(value)
        await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await go("#/usage?timezone=Nowhere/At_all")
        await page.getByRole("img", { name: "Credits spent over time" }).waitFor()
        expect(await page.getByRole("combobox", { name: "Time zone" }).inputValue()).toBe("Europe/Berlin")
        await table.getByText(dayIn("Europe/Berlin", first)).waitFor()
        await expect.poll(() => table.getByRole("row").count()).toBe(3)
        found.push(...(await findings(page, "usage")))

        await choose("Time zone", "Asia/Kolkata")
        await table.getByText(dayIn("Asia/Kolkata", first)).waitFor()
        expect(dayIn("Asia/Kolkata", first)).not.toBe(dayIn("Europe/Berlin", first))
        await choose("Group by", "model")
        await table.getByText("gemini-2.5-flash").waitFor()
        await expect.poll(() => table.getByRole("row").count()).toBe(4)
        await choose("Interval", "hour")
        await expect.poll(() => page.url()).toContain("interval=hour")
        await choose("Period", "7")
        await expect.poll(rows).toContainEqual(expect.stringMatching(/02:00.*GMT\+5:30/))
        await choose("Group by", "key")
        await table.getByText(markup).first().waitFor()
        expect(await page.title()).not.toBe("markup")
        expect(page.url()).toMatch(/by=key/)
        expect(found).toEqual([])
      },
      { at: await signedIn(), timezoneId: "Europe/Berlin", time: world.now(), noteAll: false }
    )
    await world.visit(
      async ({ go, page }) => {
        const found: Array<string> = []
        await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await go("#/usage?by=service&interval=month")
        const credits = page.getByRole("region", { name: "Credits", exact: true })
        const ledger = credits.getByRole("table", { name: "Ledger", exact: true })
        const plan = page.getByRole("table", { name: "Plan", exact: true })
        await page.getByRole("table", { name: "Usage", exact: true }).getByText("Language models").waitFor()
        await plan.getByRole("row", { name: /Requests to language models 3 / }).waitFor()
        await ledger.getByText("+5,000").waitFor()
        // The call has ended by now, or soon.
        await page.getByRole("combobox", { name: "Kind" }).selectOption("call")
        await expect.poll(() => page.url()).toContain("kind=call")
        await ledger.getByText("−1").or(ledger.getByText("-1")).first().waitFor()
        await ledger.getByRole("link").first().waitFor()
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: "Download usage" }).click()
        ])
        const file = await readFile(await download.path(), "utf8")
        expect(file.trim().split(/\r?\n/)).toHaveLength(4)
        found.push(...(await findings(page, "plan and credits")))
        expect(found).toEqual([])
      },
      { at: await signedIn("admin"), noteAll: false }
    )
    await world.visit(
      async ({ go, page }) => {
        await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await go("#/usage")
        await page.getByText("Your role does not allow this page").waitFor()
      },
      { at: await signedIn("viewer"), noteAll: false }
    )
  })

  // Verifies: B-618, B-619.
  it("show who did what, by action, person, record and day, however long the log is", async () => {
    const { id: agent } = await world.ask("POST", "/bots", { name: "Nora", system_prompt: "You are kind." })
    await world.ask("PATCH", `/bots/${agent}`, { name: markup })
    await Promise.all(Array.from({ length: 300 }, () => world.core.admin.addCredits(world.account, "1")))
    await world.visit(
      async ({ page }) => {
        const found: Array<string> = []
        const table = page.getByRole("table", { name: "Audit log", exact: true })
        const count = async () => Number(await table.getAttribute("aria-rowcount")) - 1
        await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Audit log" }).click()
        await expect.poll(count).toBeGreaterThan(300)
        expect(await table.getByRole("row").count()).toBeLessThan(80)
        const all = await count()
        found.push(...(await findings(page, "audit log")))

        // What happens meanwhile waits behind a button.
        await world.ask("PATCH", `/bots/${agent}`, { name: "Nora of sales" })
        await page.getByRole("button", { name: "1 new" }).click()
        await expect.poll(count).toBe(all + 1)

        await page.getByRole("combobox", { name: "What" }).selectOption("agent.change")
        await expect.poll(() => page.url()).toContain("action=agent.change")
        await expect.poll(count).toBe(2)
        await table.getByText("Agent changed").first().waitFor()
        await table.getByRole("link", { name: markup }).waitFor()
        expect(await page.title()).not.toBe("markup")
        await table.getByRole("link", { name: "Nora of sales" }).click()
        await expect.poll(() => page.url()).toContain(`target_id=${agent}`)
        await page.getByRole("button", { name: /^To what: .*Show all$/ }).waitFor()
        await page.getByRole("combobox", { name: "What" }).selectOption("")
        await expect.poll(count).toBe(2)
        await page.getByRole("button", { name: /^To what: .*Show all$/ }).click()
        await expect.poll(count).toBe(all + 1)
        await table.getByRole("link", { name: "The operator" }).first().click()
        await expect.poll(() => page.url()).toContain("actor=operator")
        await page.getByLabel("To day", { exact: true }).fill("2020-01-01")
        await page.getByText("No entry fits what you look for.").waitFor()
        found.push(...(await findings(page, "nothing found")))
        await page.getByRole("button", { name: "Clear the filters" }).click()
        await expect.poll(count).toBe(all + 1)
        expect(found).toEqual([])
      },
      { at: await signedIn(), noteAll: false }
    )
    await world.visit(
      async ({ go, page }) => {
        await page.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await go("#/audit")
        await page.getByText("Your role does not allow this page").waitFor()
      },
      { at: await signedIn("member"), noteAll: false }
    )
  })
})
