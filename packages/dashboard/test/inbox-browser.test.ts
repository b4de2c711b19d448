/**
 * The inbox in a real Chromium: people who answer customers of a number, through a network that the test plays.
 *
 * Skipped, and said so, where there is no Chromium: `apt-get install chromium`, or its path in `CHROMIUM`.
 */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { chatNetwork, connectNumber, conversationWith, customerWrites } from "./ChatCustomers.ts"
import { type DashboardWorld, openDashboard } from "./DashboardWorld.ts"
import { findings } from "./Findings.ts"

const markup = "<img src=x onerror=\"document.title='markup'\"> https://example.com/a?b=1."

const hour = 3_600_000

describe.skipIf(chromiumPath === undefined)("the inbox in a browser", () => {
  const { messaging, platform } = chatNetwork()
  let world: DashboardWorld

  beforeAll(async () => {
    // The page counts down by the browser's clock: the product has the same.
    world = await openDashboard({ messaging, speed: 1 })
    world.pass(Date.now() - world.now())
    await connectNumber(world)
    platform.templates.push({
      name: "order_update",
      language: "en_US",
      status: "APPROVED",
      components: [{ type: "BODY", text: "Hello {{1}}, your order is on its way." }]
    })
  })
  afterAll(() => world?.close())

  const signedIn = async (role = "member") => `${world.places.root}#token=${await world.tokenFor(role)}`

  const parts = (page: Page) => ({
    button: (name: string) => page.getByRole("button", { name, exact: true }),
    list: page.getByRole("list", { name: "Conversations", exact: true }),
    log: page.getByRole("log", { name: "Messages", exact: true }),
    reply: page.getByLabel("Reply", { exact: true }),
    result: page.getByRole("status", { name: "Result" }),
    assigned: page.getByRole("combobox", { name: "Assigned to" })
  })

  const opened = async (page: Page, go: (place: string) => Promise<void>, place = "#/inbox") => {
    await page.getByRole("heading", { level: 1 }).first().waitFor()
    await go(place)
    await page.getByRole("heading", { level: 1, name: "Inbox", exact: true }).waitFor()
  }

  // Verifies: B-511, B-512, B-515, M-51.
  it("a person answers a customer by keyboard, takes the conversation over and returns it", async () => {
    const phone = "16505550101"
    for (let nth = 0; nth < 60; nth++) await customerWrites(world, { phone, name: "Asha Rao", text: `line ${nth}` })
    await customerWrites(world, { phone, name: "Asha Rao", text: markup })
    const { id } = await conversationWith(world, phone)
    const now = async () => await world.ask("GET", `/messaging/conversations/${id}`)
    expect(await now()).toMatchObject({ unread_count: 61, needs_person: true })
    await world.visit(
      async ({ go, page }) => {
        const { assigned, button, list, log, reply, result } = parts(page)
        const found: Array<string> = []
        await opened(page, go)
        const link = list.getByRole("link", { name: /Asha Rao/ })
        await link.getByText("Needs a person").waitFor()
        found.push(...(await findings(page, "list")))

        await link.focus()
        await page.keyboard.press("Enter")
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Asha Rao")
        await expect.poll(() => page.url()).toContain(`#/inbox/${id}`)
        await log.getByText("<img src=x").waitFor()
        expect(await page.title()).not.toBe("markup")
        expect(
          await log.getByRole("link").evaluate((one) => [one.getAttribute("href"), one.getAttribute("rel")])
        ).toEqual(["https://example.com/a?b=1", "noopener noreferrer"])
        await expect.poll(async () => (await now()).unread_count).toBe(0)
        // Older messages come above what is read, which stays where it is.
        const line = log.getByText("line 30", { exact: true })
        const place = () => line.evaluate((one) => one.getBoundingClientRect().top)
        const before = await line.evaluate((one) => {
          one.closest('[role="log"]')?.scrollTo({ top: 0 })
          return one.getBoundingClientRect().top
        })
        await log.getByText("line 0", { exact: true }).waitFor({ state: "attached" })
        await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(60)
        expect(await button("Earlier messages").count()).toBe(0)

        await button("Take over").focus()
        await page.keyboard.press("Enter")
        await result.getByText("You answer Asha Rao from now on.").waitFor()
        await button("Give back").waitFor()
        const own = { subject: "person-member", name: null }
        expect(await now()).toMatchObject({ ai_autoreply_enabled: false, assigned_to: own })
        await expect.poll(() => assigned.inputValue()).toBe("person-member")

        await reply.focus()
        await page.keyboard.type("It is on its way.")
        await page.keyboard.press("Control+Enter")
        await result.getByText("Your message to Asha Rao is sent.").waitFor()
        await log.getByText("It is on its way.").waitFor()
        expect(await reply.inputValue()).toBe("")
        expect(platform.texts(phone)).toEqual(["It is on its way."])
        expect(await page.getByRole("timer", { name: "Reply window" }).textContent()).toMatch(/^23 h \d+ min left$/)

        await customerWrites(world, { phone: "16505550102", name: "Jonas Weber", text: "Hello?" })
        await button("1 new").click()
        await list.getByRole("link", { name: /Jonas Weber/ }).waitFor()
        await page.getByRole("combobox", { name: "Show" }).selectOption("me")
        await expect.poll(() => list.getByRole("listitem").count()).toBe(1)
        await expect.poll(() => page.url()).toContain("show=me")
        await page.getByRole("searchbox", { name: "Search conversations" }).fill("nobody")
        await page.getByText("Nothing found").waitFor()
        found.push(...(await findings(page, "conversation")))
        await button("Clear the filters").click()
        await expect.poll(() => list.getByRole("listitem").count()).toBe(2)

        await button("Give back").click()
        await result.getByText("The agent answers what Asha Rao writes from now on.").waitFor()
        expect(await now()).toMatchObject({ ai_autoreply_enabled: true, assigned_to: null })

        // The page of the person leads to what was written with them.
        const contact = await world.ask("POST", "/contacts", { phone: `+${phone}`, first_name: "Asha" })
        await go(`#/contacts/${contact.id}`)
        const written = page.getByRole("table", { name: "Conversations", exact: true })
        await written.getByText("It is on its way.").waitFor()
        await written.getByRole("link").click()
        await log.getByText("It is on its way.").waitFor()
        expect(found).toEqual([])
      },
      { at: await signedIn() }
    )
    await world.visit(
      async ({ go, page }) => {
        const { assigned, button } = parts(page)
        await opened(page, go, `#/inbox/${id}`)
        await button("Take over").waitFor()
        expect(await button("Take over").getAttribute("aria-disabled")).toBe("true")
        expect(await assigned.isDisabled()).toBe(true)
        expect(await button("Send").getAttribute("aria-disabled")).toBe("true")
      },
      { at: await signedIn("viewer") }
    )
  })

  // Verifies: B-513, B-515.
  it("after the reply window a template is sent in place of a reply, which is kept", async () => {
    const phone = "16505550103"
    await customerWrites(world, { phone, name: "Marie Lefebvre", text: "Hello?", agoMs: 23 * hour })
    const { id } = await conversationWith(world, phone)
    await world.visit(
      async ({ context, go, page }) => {
        const { button, log, reply, result } = parts(page)
        await opened(page, go, `#/inbox/${id}`)
        await reply.fill("I am sorry that you had to wait.")
        await context.clock.setFixedTime(world.now() + 2 * hour)
        await button("Send template").waitFor()
        expect(await button("Send").count()).toBe(0)
        expect(await page.getByRole("timer", { name: "Reply window" }).textContent()).toBe("Closed")
        await page.getByText("Your reply is kept: I am sorry that you had to wait.").waitFor()
        await page.getByRole("combobox", { name: "Template" }).selectOption("order_update (en_US)")
        expect(await findings(page, "closed window")).toEqual([])
        expect(await button("Send template").getAttribute("aria-disabled")).toBe("true")
        await page.getByLabel("Value 1").fill("Marie")
        await page.getByText("Hello Marie, your order is on its way.").waitFor()
        await button("Send template").click()
        await result.getByText("Your message to Marie Lefebvre is sent.").waitFor()
        await log.getByText("[template]").waitFor()
        expect(platform.accepted.at(-1)?.body.template).toEqual({
          name: "order_update",
          language: { code: "en_US" },
          components: [{ type: "body", parameters: [{ type: "text", text: "Marie" }] }]
        })
      },
      { at: await signedIn() }
    )
  })

  // Verifies: B-511, B-514.
  it("of two people who take a conversation one has it, and a message whose answer is lost is sent once", async () => {
    const phone = "16505550104"
    await customerWrites(world, { phone, name: "Li Wei", text: "Who is there?" })
    const { id } = await conversationWith(world, phone)
    await world.visit(
      async ({ go, page }) => {
        const { assigned, button, log, reply, result } = parts(page)
        await opened(page, go, `#/inbox/${id}`)
        await log.getByText("Who is there?").waitFor()
        // Where sign-in is on, a conversation is assigned to members alone.
        const ben = await world.core.admin.createMember(world.account, {
          email: "ben@example.com",
          name: "Ben",
          role: "member"
        })
        await world.ask("PATCH", `/messaging/conversations/${id}`, { assigned_to: ben.id })
        await button("Take over").click()
        await page.getByText("Ben has this conversation. Nothing was changed.").waitFor()
        const now = async () => await world.ask("GET", `/messaging/conversations/${id}`)
        expect(await now()).toMatchObject({ ai_autoreply_enabled: true, assigned_to: { name: "Ben" } })
        expect(await findings(page, "somebody else has it")).toEqual([])
        await button("Take over from Ben").click()
        await result.getByText("You have taken the conversation over from Ben.").waitFor()
        await expect.poll(() => assigned.inputValue()).toBe("person-member")

        // The server has done it, and its answer does not arrive.
        await page.route(
          "**/messaging/messages",
          async (route) => {
            await route.fetch()
            await route.abort()
          },
          { times: 1 }
        )
        await reply.fill("Somebody is.")
        await button("Send").dblclick()
        const alert = page.getByRole("alert").filter({ hasText: "Not known whether it arrived" })
        await alert.waitFor()
        expect(await reply.inputValue()).toBe("Somebody is.")
        // A token is in memory alone: the page is opened anew with another one.
        await page.goto("about:blank")
        await page.goto(await signedIn())
        await opened(page, go, `#/inbox/${id}`)
        await alert.waitFor()
        expect(await reply.inputValue()).toBe("Somebody is.")
        await alert.getByRole("button", { name: "Try again" }).click()
        await result.getByText("Your message to Li Wei is sent.").waitFor()
        expect(await reply.inputValue()).toBe("")
        expect(platform.texts(phone)).toEqual(["Somebody is."])
      },
      { at: await signedIn(), noteAll: false }
    )
  })
})
