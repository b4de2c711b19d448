/** The page "Agents" in a real Chromium. Skipped where there is no Chromium. */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { type DashboardWorld, openDashboard } from "./DashboardWorld.ts"
import { findings } from "./Findings.ts"
import { chatModel, dearModel, looksUp, type PlayedModel, says, startPlayedModel } from "./PlayedModel.ts"

const markup = "<img src=x onerror=\"document.title='markup'\">"

describe.skipIf(chromiumPath === undefined)("agents in a browser", () => {
  let played: PlayedModel
  let world: DashboardWorld

  beforeAll(async () => {
    played = await startPlayedModel()
    world = await openDashboard({ models: played.models, speed: 1 })
  })
  afterAll(async () => {
    await world?.close()
    await played?.there.close()
  })

  const signedIn = async (role = "member") => `${world.places.root}#token=${await world.tokenFor(role)}`

  const parts = (page: Page) => {
    const chat = page.getByRole("region", { name: "Test chat" })
    return {
      chat,
      log: chat.getByRole("log", { name: "Test messages" }),
      message: chat.getByLabel("Message", { exact: true }),
      name: page.getByLabel("Name", { exact: true }),
      prompt: page.getByLabel("Prompt", { exact: true }),
      button: (name: string) => page.getByRole("button", { name, exact: true }),
      dialog: (name: string) => page.getByRole("dialog", { name, exact: true }),
      result: page.getByRole("status", { name: "Result" }),
      type: async (label: string, text: string) => {
        await page.getByLabel(label, { exact: true }).focus()
        await page.keyboard.type(text)
      },
      press: async (name: string) => {
        await page.getByRole("button", { name, exact: true }).focus()
        await page.keyboard.press("Enter")
      }
    }
  }

  const opened = async (page: Page, go: (place: string) => Promise<void>, place: string) => {
    await page.getByRole("heading", { level: 1 }).first().waitFor()
    await go(place)
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor()
  }

  /** The page is loaded anew where it was; a token does not outlive that. */
  const again = async (page: Page, go: (place: string) => Promise<void>): Promise<void> => {
    const { hash } = new URL(page.url())
    await page.goto("about:blank")
    await page.goto(await signedIn())
    await page.getByRole("heading", { level: 1 }).first().waitFor()
    await go(hash)
  }

  const made = (fields: object = {}): Promise<{ readonly id: string }> =>
    world.ask("POST", "/bots", { name: "Nora", system_prompt: "You sell kettles.", ...fields })

  /** The last request to the model. */
  const promptOf = (): string => JSON.stringify(played.there.calls.at(-1)?.json)

  // Verifies: B-713, B-715.
  it("make an agent by keyboard with what it knows, and try a prompt before it is saved", async () => {
    await world.visit(
      async ({ go, page }) => {
        const { button, chat, dialog, log, message, name, press, prompt, result, type } = parts(page)
        const found: Array<string> = []
        const look = async (state: string) => void found.push(...(await findings(page, state)))
        await opened(page, go, "#/agents")
        await page.getByText("No agents yet").waitFor()
        await look("no agents")
        await page.getByRole("link", { name: "New agent" }).focus()
        await page.keyboard.press("Enter")
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("New agent")
        await type("Prompt", "You are Nora.")
        await press("Save agent")
        await page.getByRole("alert").getByText("One field needs another value:").waitFor()
        await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
        expect(await button("Send test").getAttribute("aria-disabled")).toBe("true")
        await look("new agent")
        await page.keyboard.type("Nora")
        await page.getByRole("combobox", { name: "Model", exact: true }).selectOption(chatModel)
        await again(page, go)
        await expect.poll(() => prompt.inputValue()).toBe("You are Nora.")
        await press("Save agent")
        await result.getByText("Nora is saved.").waitFor()
        await page.getByRole("heading", { level: 2, name: "Nora" }).waitFor()
        const [{ id }] = await world.ask("GET", "/bots")
        expect(page.url()).toContain(`#/agents/${id}`)
        expect(await world.ask("GET", `/bots/${id}`)).toMatchObject({
          name: "Nora",
          system_prompt: "You are Nora.",
          config: { model: chatModel }
        })

        await press("Add knowledge")
        await type("Title", `How long is the guarantee? ${markup}`)
        await type("Text", "Five years for kettles.")
        await look("add knowledge")
        await dialog("Add knowledge").getByRole("button", { name: "Add knowledge" }).focus()
        await page.keyboard.press("Enter")
        const known = page.getByRole("table", { name: "Knowledge" })
        await known.getByRole("button", { name: `How long is the guarantee? ${markup}`, exact: true }).press("Enter")
        await type("Title", "")
        await page.getByLabel("Title", { exact: true }).fill("How long is the guarantee?")
        await press("Save knowledge")
        await result.getByText("How long is the guarantee? is saved, and found from now on.").waitFor()
        await page.getByRole("searchbox", { name: "Search knowledge" }).fill("guarantee of kettles")
        await page.getByText("best first").waitFor()
        await page.getByText("Five years for kettles.").waitFor()
        expect(page.url()).toContain("q=guarantee")

        await prompt.fill(`You are Nora, and brief. ${markup}`)
        await chat.getByText("Tries your changes, which are not saved.").waitFor()
        played.there.says([looksUp("guarantee kettles"), says(`Five years. ${markup}`)])
        await type("Message", "How long is the guarantee of the kettle?")
        await page.keyboard.press("Enter")
        await log.getByText("Five years. <img").waitFor()
        await log.getByText('search_knowledge_base {"query":"guarantee kettles"}').waitFor()
        await log.getByText("How long is the guarantee?", { exact: true }).waitFor()
        await log.getByText("Five years for kettles.").waitFor()
        await log.getByText(/^kimi-k2\.5: 24 tokens read, 14 written, [\d.]+ credits, [\d.]+ s$/).waitFor()
        expect(await page.title()).toBe("Agents · Northwind Calls")
        expect(promptOf()).toContain("You are Nora, and brief.")
        expect((await world.ask("GET", `/bots/${id}`)).system_prompt).toBe("You are Nora.")
        await look("a test")

        // What was typed, and the conversation, outlive a reload.
        await type("Message", "And of the")
        await again(page, go)
        await expect.poll(() => prompt.inputValue()).toContain("and brief")
        expect(await message.inputValue()).toBe("And of the")
        await log.getByText("Five years. <img").waitFor()
        played.there.says(says("As long."))
        await type("Message", " teapot?")
        await press("Send test")
        await log.getByText("As long.").waitFor()
        const last = played.there.calls.at(-1)?.json as { messages: ReadonlyArray<{ role: string }> }
        expect(last.messages.slice(-3).map(({ role }) => role)).toEqual(["user", "assistant", "user"])

        await press("Save agent")
        await result.getByText("Nora is saved.").waitFor()
        await chat.getByText("Tries the agent as it is saved.").waitFor()
        expect((await world.ask("GET", `/bots/${id}`)).system_prompt).toContain("and brief")
        await press("Start over")
        await chat.getByText("each answer is billed").waitFor()

        await page.getByRole("searchbox", { name: "Search knowledge" }).fill("")
        await press("Remove How long is the guarantee?")
        await dialog("Remove How long is the guarantee?").getByText("1 text is removed").waitFor()
        await dialog("Remove How long is the guarantee?").getByRole("button", { name: "Back" }).press("Enter")
        await press("Delete agent")
        await dialog("Delete agent").getByText("1 agent is deleted: Nora.").waitFor()
        await dialog("Delete agent").getByText("1 text that it knows is deleted with it.").waitFor()
        await look("delete agent")
        await dialog("Delete agent").getByRole("button", { name: "Delete agent" }).press("Enter")
        await result.getByText("Nora is deleted.").waitFor()
        await page.getByText("No agents yet").waitFor()
        expect(await world.ask("GET", "/bots")).toEqual([])
        expect(found).toEqual([])
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  // Verifies: B-714.
  it("say in a sentence why there is no answer or nothing is saved, and keep what was typed", async () => {
    const { id } = await made({ config: { ours: "kept" } })
    await world.visit(
      async ({ go, page }) => {
        const { button, chat, log, message, prompt, result } = parts(page)
        await opened(page, go, `#/agents/${id}`)
        const refused = async (sentence: string | RegExp) => {
          await message.fill("How long?")
          await button("Send test").click()
          await chat.getByRole("alert").getByText(sentence).waitFor()
          expect(await message.inputValue()).toBe("How long?")
          expect(await log.getByText("How long?").count()).toBe(0)
        }
        // A model that nobody runs here is offered, and says so.
        const other = page.getByRole("combobox", { name: "Model", exact: true }).getByText("(not available)").first()
        const model = String(await other.getAttribute("value"))
        await page.getByRole("combobox", { name: "Model", exact: true }).selectOption(model)
        await refused(`No provider is configured to run the model ${model}.`)
        await page.getByRole("combobox", { name: "Model", exact: true }).selectOption(chatModel)
        played.there.says({ json: { error: { message: "no" } }, status: 500 })
        await refused("The provider of the model returned no answer.")
        played.there.says({ json: { error: { message: "slowly" } }, status: 429 })
        await refused("The provider of the model limits the rate.")
        played.there.says(says(""))
        await refused("The model said nothing. Change the prompt, or choose another model.")
        played.there.says(says("Five years."))
        await page.getByRole("combobox", { name: "Model", exact: true }).selectOption(dearModel)
        await world.core.admin.changeAccount(world.account, { plan: "free" })
        await refused("The credit balance does not cover this answer. Add credits and try again.")
        await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
        await page.getByRole("combobox", { name: "Model", exact: true }).selectOption(chatModel)
        const off = world.intercept(/^POST .*\/test$/, (response) => void response.destroy())
        await refused("Not known whether it was answered. Sent again, it is billed again.")
        off()
        await button("Send test").click()
        await log.getByText("Five years.").waitFor()

        await prompt.fill("Be brief.")
        await page.getByLabel("Reminders to a silent person").fill("9")
        await page.getByText("Other settings").first().click()
        const more = page.getByLabel("Other settings")
        expect(JSON.parse(await more.inputValue())).toEqual({ ours: "kept" })
        await more.fill("{")
        await button("Save agent").click()
        await page.getByText("This is no JSON object.").first().waitFor()
        await more.fill('{ "model": "x" }')
        await button("Save agent").click()
        await page.getByText("These have a field of their own: model.").first().waitFor()
        await more.fill('{ "ours": "new", "functions": [{ "name": "no name" }] }')
        await button("Save agent").click()
        await page.getByRole("alert").getByText("2 fields need another value:").waitFor()
        await page.getByRole("link", { name: /^Reminders to a silent person: must be a whole number/ }).waitFor()
        await page.getByRole("link", { name: /^Other settings: functions\.0\.name:/ }).click()
        await expect.poll(() => more.evaluate((field) => field === document.activeElement)).toBe(true)
        expect(await findings(page, "faults of an agent")).toEqual([])
        await page.getByLabel("Reminders to a silent person").fill("3")
        await more.fill('{ "ours": "new" }')
        // The session ends in between: nothing typed is lost.
        const out = world.intercept(new RegExp(`^PATCH .*/bots/${id}$`), (response) => {
          response.writeHead(401, { "content-type": "application/json" }).end('{"detail":"Not authenticated"}')
        })
        await button("Save agent").click()
        await page.getByRole("dialog", { name: "Sign in" }).waitFor()
        out()
        await go(`#token=${await world.tokenFor("member")}`)
        await page.getByRole("dialog", { name: "Sign in" }).waitFor({ state: "detached" })
        expect(await prompt.inputValue()).toBe("Be brief.")
        await button("Save agent").click()
        await result.getByText("Nora is saved.").waitFor()
        expect(await world.ask("GET", `/bots/${id}`)).toMatchObject({
          system_prompt: "Be brief.",
          config: { model: chatModel, nudge_max: 3, ours: "new" }
        })
      },
      { at: await signedIn(), noteAll: false }
    )
    await world.ask("DELETE", `/bots/${id}`)
  })

  // Verifies: B-714.
  it("show what somebody else has changed meanwhile, and replace none of what is typed", async () => {
    const { id } = await made()
    await world.visit(
      async ({ go, page }) => {
        const { button, name, prompt, result } = parts(page)
        await opened(page, go, `#/agents/${id}`)
        await prompt.fill("You sell teapots.")
        await world.ask("PATCH", `/bots/${id}`, { name: "Nora B", system_prompt: "You sell pans." })
        const alert = page.getByRole("alert")
        await alert.getByText("You see their text in: Name.").waitFor()
        await alert.getByText("Somebody else has changed “Prompt” as well.").waitFor()
        await alert.getByText("You sell pans.").waitFor()
        expect(await name.inputValue()).toBe("Nora B")
        expect(await prompt.inputValue()).toBe("You sell teapots.")
        expect(await findings(page, "another person's change")).toEqual([])
        await button("Take theirs: Prompt").click()
        expect(await prompt.inputValue()).toBe("You sell pans.")

        // The page has not heard of a change when its person saves: they see it first.
        await prompt.fill("You sell cups.")
        const stale = await world.ask("GET", `/bots/${id}`)
        await page.route(`**/api/v1/bots/${id}`, (route) =>
          route.request().method() === "GET" ? route.fulfill({ json: stale }) : route.continue()
        )
        const heard = page.waitForResponse(`**/api/v1/bots/${id}`)
        await world.ask("PATCH", `/bots/${id}`, { system_prompt: "You sell plates.", config: { greeting: "Hello." } })
        await heard
        await page.unroute(`**/api/v1/bots/${id}`)
        await button("Save agent").click()
        await alert.getByText("You sell plates.").waitFor()
        await alert.getByText("Prompt: Somebody else has changed this. Look at theirs, then save once more.").waitFor()
        expect((await world.ask("GET", `/bots/${id}`)).system_prompt).toBe("You sell plates.")
        await button("Save agent").click()
        await result.getByText("Nora B is saved.").waitFor()
        expect(await world.ask("GET", `/bots/${id}`)).toMatchObject({
          system_prompt: "You sell cups.",
          config: { greeting: "Hello." }
        })

        await prompt.fill("You sell spoons.")
        await world.ask("DELETE", `/bots/${id}`)
        await alert.getByText("Somebody else has deleted this agent.").waitFor()
        expect(await prompt.inputValue()).toBe("You sell spoons.")
        expect(await button("Save agent").getAttribute("aria-disabled")).toBe("true")
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  // Verifies: B-715.
  it("are shown to a viewer, who changes and tries none, and are found by name", async () => {
    const { id } = await made({ config: { greeting: markup } })
    await made({ name: "Bruno", system_prompt: null })
    await world.ask("POST", `/bots/${id}/knowledge`, { title: "Returns", content: "Free for thirty days." })
    await world.visit(
      async ({ go, page }) => {
        const table = page.getByRole("table", { name: "Agents" })
        await opened(page, go, "#/agents")
        await table.getByText("No prompt").filter({ visible: true }).waitFor()
        expect(await page.getByRole("link", { name: "New agent" }).count()).toBe(0)
        await page.getByRole("searchbox", { name: "Search agents" }).fill("NOR")
        await expect.poll(() => table.getByRole("link").count()).toBe(1)
        expect(page.url()).toContain("q=NOR")
        expect(await findings(page, "agents")).toEqual([])
        await table.getByRole("link", { name: "Nora" }).click()
        await page.getByText("You sell kettles.").waitFor()
        await page.getByText(markup).waitFor()
        expect(await page.title()).not.toBe("markup")
        expect(await page.getByRole("main").getByRole("button").allInnerTexts()).toEqual(["Returns"])
        expect(await page.getByRole("region", { name: "Test chat" }).count()).toBe(0)
        await page.getByRole("button", { name: "Returns" }).click()
        await page.getByRole("dialog", { name: "Returns" }).getByText("Free for thirty days.").waitFor()
        await page.keyboard.press("Escape")
        expect(await findings(page, "an agent to look at")).toEqual([])
        await page.getByRole("link", { name: "All agents" }).click()
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Nora")
        await go("#/agents/new")
        await page.getByText("Your role allows you to look, and not to change.").waitFor()
      },
      { at: await signedIn("viewer") }
    )
  })
})
