/**
 * The operator's pages in a real Chromium: the preview desk by keyboard and by mouse, calls and what they came to.
 *
 * Skipped, and said so, where there is no Chromium: `apt-get install chromium-headless-shell`, or its path in `CHROMIUM`.
 */
import { clockSpeed } from "@trunkline/testing/slow-machine"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { showConversation } from "./Conversation.ts"
import { type DashboardWorld, openDashboard } from "./DashboardWorld.ts"
import { findings } from "./Findings.ts"

const markup = "<img src=x onerror=\"document.title='markup'\">"

const outcomes = ["Interested", "Not interested", "Call back", "Wrong number", "Other"]

interface Row {
  readonly id: string
  readonly name: string
  readonly phone: string
  readonly status: string
  readonly attempts: number
  readonly held_by: { readonly subject: string } | null
  readonly outcome: { readonly outcome: string; readonly note: string | null } | null
}

describe.skipIf(chromiumPath === undefined)("the operator's pages in a browser", () => {
  let world: DashboardWorld

  beforeAll(async () => {
    world = await openDashboard({ speed: clockSpeed(20) })
  })
  afterAll(() => world?.close())

  const move = (id: string, status: string) => world.ask("POST", `/voice-campaigns/${id}/status`, { status })

  /** A campaign in preview mode that runs. Everybody is busy, so that calls end at once, and nobody is tried twice. */
  const campaign = async (name: string, people: number, ending = 70): Promise<string> => {
    const { id } = await world.ask("POST", "/voice-campaigns", {
      ...{ name, dial_mode: "preview", timezone: "Europe/Berlin", quiet_hours_start: 0, quiet_hours_end: 24 },
      max_attempts: 1
    })
    const contacts = Array.from({ length: people }, (_, nth) => ({
      phone: `+49305${String(1000 + nth)}${ending}`,
      name: `Person ${nth + 1}`
    }))
    await world.ask("POST", `/voice-campaigns/${id}/contacts`, { contacts })
    for (const status of ["scheduled", "running"]) await move(id, status)
    return id
  }

  const rows = (id: string): Promise<ReadonlyArray<Row>> =>
    world.ask("GET", `/voice-campaigns/${id}/contacts?limit=100`)

  const signedIn = async (role = "member", at = world.places.root) => `${at}#token=${await world.tokenFor(role)}`

  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true })

  const desk = (page: Page) => {
    const button = (name: string) => page.getByRole("button", { name, exact: true })
    return {
      button,
      contact: page.getByRole("region", { name: "Contact", exact: true }),
      call: page.getByRole("status", { name: "Call", exact: true }),
      result: page.getByRole("status", { name: "Result" }),
      note: page.getByLabel("Note", { exact: true }),
      outcome: (name: string) =>
        page.getByRole("radiogroup", { name: "Outcome" }).getByRole("radio", { name, exact: true })
    }
  }

  const opened = async (page: Page, go: (place: string) => Promise<void>, id: string) => {
    await heading(page, "Campaigns").or(heading(page, "Start")).first().waitFor()
    await go(`#/preview/${id}`)
    await heading(page, "Preview").waitFor()
    await expect.poll(() => desk(page).button("Next contact").isEnabled()).toBe(true)
    return desk(page)
  }

  // Verifies: B-401, B-402.
  it("takes an operator through ten people with the keyboard alone", async () => {
    const id = await campaign("By keyboard", 12)
    await world.visit(
      async ({ page, go }) => {
        const { keyboard } = page
        const focused = () =>
          page.evaluate(() => {
            const element = document.activeElement as (HTMLElement & Partial<HTMLInputElement>) | null
            return (element?.labels?.[0]?.textContent ?? element?.textContent ?? "").trim()
          })
        const tabTo = async (name: string) => {
          for (let pressed = 0; pressed < 60; pressed++) {
            await keyboard.press("Tab")
            if ((await focused()).startsWith(name)) return
          }
          expect.fail(`${name} is not reached; the focus is on ${await focused()}`)
        }
        const { call, contact, result } = await opened(page, go, id)
        await tabTo("Next contact")
        await keyboard.press("Enter")
        for (let nth = 1; nth <= 10; nth++) {
          await contact.getByRole("heading", { name: `Person ${nth}`, exact: true }).waitFor()
          await expect.poll(focused).toBe(`Person ${nth}`)
          if (nth === 3) {
            await keyboard.press("s")
            continue
          }
          if (nth === 4) {
            await keyboard.press("d")
            await page.getByRole("dialog", { name: "Do not call" }).getByText("1 number").waitFor()
            await expect.poll(focused).toBe("Reason")
            await keyboard.press("Enter")
            await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
            continue
          }
          await keyboard.press("c")
          await expect.poll(() => call.textContent()).toBe("Ended: Busy")
          await keyboard.press(String(((nth - 1) % 5) + 1))
          if (nth === 1) {
            await tabTo("Note")
            await keyboard.type("cs nd 1: typed, not ordered")
            await tabTo("Save outcome")
            await keyboard.press("Enter")
            await result.getByText("Saved: Interested.").waitFor()
          }
          // What was chosen is stored before the next one is shown.
          await keyboard.press("n")
        }
        await contact.getByRole("heading", { name: "Person 11", exact: true }).waitFor()
        const found = await rows(id)
        expect(found.slice(0, 10).map(({ outcome }) => outcome?.outcome ?? null)).toEqual(
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((nth) => (nth === 2 || nth === 3 ? null : outcomes[nth % 5]))
        )
        expect(found[0]?.outcome?.note).toBe("cs nd 1: typed, not ordered")
        expect(found[2]?.status).toBe("pending")
        expect(found[3]?.status).toBe("failed")
        const listed = await world.ask("GET", "/voice-campaigns/dnc")
        expect(listed).toEqual([expect.objectContaining({ phone: found[3]?.phone, reason: "Asked not to be called" })])
        expect(found[10]?.held_by?.subject).toBe("person-member")
      },
      { at: await signedIn() }
    )
  })

  // Verifies: B-401, B-403.
  it("takes an operator through ten people by mouse, and neither a reload nor a second click does anything twice", async () => {
    const id = await campaign("By mouse", 12, 72)
    await world.visit(
      async ({ page, go }) => {
        const { button, call, contact, note, outcome, result } = await opened(page, go, id)
        await button("Next contact").dblclick()
        for (let nth = 1; nth <= 10; nth++) {
          await contact.getByRole("heading", { name: `Person ${nth}`, exact: true }).waitFor()
          if (nth === 2) {
            await button("Skip").click()
            await result.getByText("Person 2 comes again after all others.").waitFor()
            continue
          }
          await button("Call").dblclick()
          await expect.poll(() => call.textContent()).toBe("Ended: Busy")
          await outcome("Call back").check()
          if (nth === 3) {
            await note.fill("After five")
            await page.reload()
            await page.evaluate(
              (token) => {
                location.hash = `token=${token}`
              },
              await world.tokenFor("member")
            )
            await contact.getByRole("heading", { name: "Person 3", exact: true }).waitFor()
            await expect.poll(() => call.textContent()).toBe("Ended: Busy")
            expect(await outcome("Call back").isChecked()).toBe(true)
            expect(await note.inputValue()).toBe("After five")
          }
          await button("Save outcome").click()
          await result.getByText("Saved: Call back.").waitFor()
          await button("Next contact").click()
        }
        await contact.getByRole("heading", { name: "Person 11", exact: true }).waitFor()
        await page.reload()
        await page.evaluate(
          (token) => {
            location.hash = `token=${token}`
          },
          await world.tokenFor("member")
        )
        await contact.getByRole("heading", { name: "Person 11", exact: true }).waitFor()
        const found = await rows(id)
        expect(found.slice(0, 10).map(({ attempts }) => attempts)).toEqual([1, 0, 1, 1, 1, 1, 1, 1, 1, 1])
        expect(found[2]?.outcome).toMatchObject({ outcome: "Call back", note: "After five" })
        expect((await world.ask("GET", `/telephony/calls?campaign_id=${id}`)).length).toBe(9)
        await page.getByRole("table", { name: "Your calls" }).getByRole("link", { name: "Person 10" }).click()
        await heading(page, "Calls").waitFor()
        await page.getByRole("heading", { name: `Call to ${found[9]?.phone}` }).waitFor()
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  /** The server gets the request and does what it asks for; the page never hears of it. */
  const loseAnswers = async (page: Page, path: string): Promise<() => Promise<void>> => {
    await page.route(path, async (route) => {
      if (route.request().method() !== "POST") return route.continue()
      await route.fetch()
      await route.abort("connectionreset")
    })
    return () => page.unroute(path)
  }

  // Verifies: B-403.
  it("loses nobody when an answer is lost, and calls nobody twice", async () => {
    const id = await campaign("Weak line", 3, 74)
    await world.visit(
      async ({ page, go }) => {
        const { button, call, contact } = await opened(page, go, id)
        const again = async (stop: () => Promise<void>) => {
          await page.getByRole("alert").getByText("Not known whether it arrived.").waitFor()
          await stop()
          await page.getByRole("button", { name: "Try again" }).click()
        }
        const stopNext = await loseAnswers(page, "**/contacts/next")
        await button("Next contact").click()
        await again(stopNext)
        await contact.getByRole("heading", { name: "Person 1", exact: true }).waitFor()
        const stopApproval = await loseAnswers(page, "**/approve")
        await button("Call").click()
        await again(stopApproval)
        await expect.poll(() => call.textContent()).toBe("Ended: Busy")
        expect((await world.ask("GET", `/telephony/calls?campaign_id=${id}`)).length).toBe(1)
        const stopSkip = await loseAnswers(page, "**/skip")
        await button("Next contact").click()
        await contact.getByRole("heading", { name: "Person 2", exact: true }).waitFor()
        await button("Skip").click()
        await again(stopSkip)
        await contact.getByRole("heading", { name: "Person 3", exact: true }).waitFor()
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  // Verifies: B-404, B-405.
  it("says who has the person meanwhile, that the campaign has ended, and why an approved call does not start", async () => {
    const id = await campaign("Together", 5)
    await world.visit(
      async ({ page, go }) => {
        const { button, call, contact } = await opened(page, go, id)
        await button("Next contact").click()
        await contact.getByRole("heading", { name: "Person 1", exact: true }).waitFor()
        // Somebody else takes the person once the hold is over.
        world.pass(120 * 60_000)
        const [first] = await rows(id)
        await world.ask("POST", `/voice-campaigns/${id}/contacts/${first?.id}/hold`)
        await contact
          .getByRole("alert")
          .getByText(/is looking at this person now\.$/)
          .waitFor()
        expect(await button("Call").isEnabled()).toBe(false)
        expect(await button("Call").getAttribute("title")).toMatch(/is looking at this person now\.$/)

        await button("Next contact").click()
        await contact.getByRole("heading", { name: "Person 2", exact: true }).waitFor()
        const [, second] = await rows(id)
        await world.ask("POST", `/voice-campaigns/${id}/contacts/${second?.id}/approve`)
        await contact
          .getByRole("alert")
          .getByText(/^Somebody else has dealt with this person meanwhile: /)
          .waitFor()

        await move(id, "paused")
        await page.getByText("Together is Paused: what you approve is called once it runs.").waitFor()
        await button("Next contact").click()
        await contact.getByRole("heading", { name: "Person 3", exact: true }).waitFor()
        await button("Call").click()
        await expect.poll(() => call.textContent()).toBe("Approved: the call starts as soon as a line is free")
        // It is noted once there is a call of which something can be noted.
        await page.getByRole("radio", { name: "Other" }).check()
        expect(await button("Save outcome").isEnabled()).toBe(false)
        await button("Next contact").click()
        await contact.getByRole("heading", { name: "Person 4", exact: true }).waitFor()
        await move(id, "running")
        await expect.poll(async () => (await rows(id))[2]?.outcome?.outcome).toBe("Other")

        await move(id, "cancelled")
        await page.locator("p").getByText("Together is Cancelled: nobody on its list is called any more.").waitFor()
        expect(await button("Next contact").isEnabled()).toBe(false)
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  // Verifies: B-404.
  it("says that the credits are used up, and calls once there are some again", async () => {
    const id = await campaign("Without credits", 2)
    await world.visit(
      async ({ page, go }) => {
        const { button, call, contact } = await opened(page, go, id)
        await world.core.admin.changeAccount(world.account, { monthlyBudget: 1n })
        try {
          await page
            .getByText("There is no credit for one minute of a call, or the month's budget is used up.")
            .waitFor()
          await button("Next contact").click()
          await contact.getByRole("heading", { name: "Person 1", exact: true }).waitFor()
          await button("Call").click()
          await expect.poll(() => call.textContent()).toBe("Approved: the call starts as soon as a line is free")
        } finally {
          await world.core.admin.changeAccount(world.account, { monthlyBudget: null })
        }
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  // Verifies: B-402.
  it("leads from the reason why nothing dials to the desk, and keeps the switch of the hot keys", async () => {
    const id = await campaign("From the campaign", 2)
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").or(heading(page, "Campaigns")).first().waitFor()
        await go(`#/campaigns/${id}`)
        const why = page.getByRole("region", { name: "Why nothing dials" })
        await why.getByRole("link", { name: "Open the preview" }).click()
        await heading(page, "Preview").waitFor()
        expect(page.url()).toMatch(new RegExp(`#/preview/${id}$`))
        const chosen = page.getByRole("combobox", { name: "Campaign" })
        await expect.poll(() => chosen.inputValue()).toBe(id)
        const { button, contact } = desk(page)
        await button("Next contact").click()
        await contact.getByRole("heading", { name: "Person 1", exact: true }).waitFor()
        await page.getByRole("switch", { name: "Hot keys" }).uncheck()
        await contact.getByRole("heading", { name: "Person 1", exact: true }).focus()
        await page.keyboard.press("s")
        await page.reload()
        await page.evaluate(
          (token) => {
            location.hash = `token=${token}`
          },
          await world.tokenFor("member")
        )
        await contact.getByRole("heading", { name: "Person 1", exact: true }).waitFor()
        expect(await page.getByRole("switch", { name: "Hot keys" }).isChecked()).toBe(false)
        // The contact of a campaign that is left for another one is free for others.
        await chosen.selectOption("")
        await expect.poll(async () => (await rows(id))[0]?.held_by).toBe(null)
      },
      { at: await signedIn(), noteAll: false }
    )
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").or(heading(page, "Campaigns")).first().waitFor()
        expect(await page.getByRole("link", { name: "Preview" }).count()).toBe(0)
        await go(`#/preview/${id}`)
        await heading(page, "Not available here").waitFor()
      },
      { at: await signedIn("viewer") }
    )
  })

  // Verifies: B-406.
  it("places a test call, hangs it up, and finds it by what is in the address", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").or(heading(page, "Campaigns")).first().waitFor()
        await go("#/calls")
        await heading(page, "Calls").waitFor()
        await page.getByRole("button", { name: "Test call" }).click()
        const dialog = page.getByRole("dialog", { name: "Test call" })
        await dialog.getByText(/^This calls 1 number at once\./).waitFor()
        const call = dialog.getByRole("button", { name: "Test call" })
        await dialog.getByLabel("Phone").fill("nobody")
        await call.click()
        await dialog.getByRole("alert").getByText("One field needs another value:").waitFor()
        expect(await dialog.getByLabel("Phone").inputValue()).toBe("nobody")
        await dialog.getByLabel("Phone").fill("+4930777000165")
        await dialog.getByRole("combobox", { name: "Agent" }).selectOption("")
        await call.dblclick()
        await page.getByRole("heading", { name: "Call to +4930777000165" }).waitFor()
        await page.getByRole("button", { name: "Hang up" }).click()
        await page.getByText(/^Ended: /).waitFor()
        for (const name of ["Transcript", "Recording", "Analysis"])
          expect(await page.getByRole("region", { name }).count(), name).toBe(1)
        expect(await page.getByRole("button", { name: "Hang up" }).count()).toBe(0)
        await page.getByRole("radiogroup", { name: "Outcome" }).getByRole("radio", { name: "Wrong number" }).check()
        await page.getByRole("button", { name: "Save outcome" }).click()
        await page.getByRole("status", { name: "Result" }).getByText("Saved: Wrong number.").waitFor()
        expect((await world.ask("GET", "/telephony/calls?phone=4930777000165")).length).toBe(1)

        await page.getByRole("link", { name: "Back to the list" }).click()
        const table = page.getByRole("table", { name: "Calls" })
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("+4930777000165")
        await go("#/calls?outcome=Wrong+number&end_reason=hangup_local&since=2026-11-30")
        await table.getByRole("link", { name: "+4930777000165" }).waitFor()
        await expect.poll(() => table.getByRole("link").count()).toBe(1)
        expect(await page.getByRole("combobox", { name: "End" }).inputValue()).toBe("hangup_local")
        const file = page.waitForEvent("download")
        await page.getByRole("link", { name: "Download calls" }).click()
        const stream = await (await file).createReadStream()
        const lines = Buffer.concat(await stream.toArray())
          .toString()
          .trimEnd()
          .split("\r\n")
        expect(lines).toHaveLength(2)
        await page.getByRole("searchbox", { name: "Search by number" }).fill("0000000")
        await page.getByText("No call fits what you look for.").waitFor()
        await page.getByRole("button", { name: "Clear the filters" }).click()
        await table.getByRole("link").first().waitFor()
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  // Verifies: B-407.
  it("plays the recording of a call, and shows what was said and found out as text", async () => {
    const { id } = await world.ask("POST", "/telephony/calls", { to: "+4930777000172" })
    await expect.poll(async () => (await world.ask("GET", `/telephony/calls/${id}`)).ended_at === null).toBe(false)
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").or(heading(page, "Campaigns")).first().waitFor()
        await showConversation(page, await world.ask("GET", `/telephony/calls/${id}`), markup)
        await go(`#/calls/${id}`)
        const transcript = page.getByRole("region", { name: "Transcript" })
        await transcript.getByText("Good day, this is the solar team").waitFor()
        await transcript.getByText(markup).first().waitFor()
        await page.getByRole("region", { name: "Analysis" }).getByText(markup).waitFor()
        await transcript.getByText("Function look_up").click()
        expect(await page.locator("main img").count()).toBe(0)
        const player = page.getByRole("region", { name: "Recording" }).locator("audio")
        await expect.poll(() => player.getAttribute("src")).toMatch(/^blob:/)
        await expect.poll(() => player.evaluate((audio) => (audio as HTMLAudioElement).duration)).toBeCloseTo(0.5, 1)
      },
      { at: await signedIn() }
    )
  })

  // Verifies: B-409.
  it("keeps caller numbers, chat numbers and voicemail texts: adds, names, links, switches and removes them", async () => {
    const { id: agent } = await world.ask("POST", "/bots", { name: "Nora", system_prompt: "You are kind." })
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").or(heading(page, "Campaigns")).first().waitFor()
        await go("#/numbers")
        await heading(page, "Numbers").waitFor()
        const result = page.getByRole("status", { name: "Result" })
        const dialog = page.getByRole("dialog")
        const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
        const inDialog = (name: string) => dialog.getByRole("button", { name, exact: true }).click()

        await press("Add caller number")
        await dialog.getByLabel("Phone").fill("+49 30 901820")
        await dialog.getByLabel("Label").fill(markup)
        await inDialog("Add caller number")
        const callers = page.getByRole("table", { name: "Caller numbers" })
        await callers.getByText(markup).filter({ visible: true }).waitFor()
        await press("Change label of +49 30 901820")
        await dialog.getByLabel("Label").fill("Sales")
        await inDialog("Save label")
        await callers.getByText("Sales").filter({ visible: true }).waitFor()
        await press("Remove +49 30 901820")
        await page.getByRole("dialog", { name: "Remove +49 30 901820" }).getByText("1 number is removed").waitFor()
        await inDialog("Remove +49 30 901820")
        await page.getByText("No caller number").waitFor()

        await press("Connect number")
        await expect.poll(() => dialog.getByRole("combobox", { name: "Channel" }).inputValue()).toBe("web-chat")
        await dialog.getByLabel("Title").fill("Shop")
        await inDialog("Connect number")
        await dialog.getByRole("alert").getByText("One field needs another value:").waitFor()
        await dialog.getByLabel("Origins").fill("https://shop.example.com")
        await inDialog("Connect number")
        const chats = page.getByRole("table", { name: "Chat numbers" })
        await chats.getByText("Shop").filter({ visible: true }).waitFor()
        await chats.getByRole("combobox", { name: "Agent of Shop" }).selectOption(agent)
        await result.getByText("Nora answers on Shop.").waitFor()
        await chats.getByRole("switch", { name: "Agent answers on Shop" }).uncheck()
        await result.getByText("The agent is silent on Shop: people answer.").waitFor()
        const [number] = await world.ask("GET", "/messaging/phone_numbers")
        expect(number).toMatchObject({ bot_id: agent, ai_autoreply_enabled: false })

        await press("New voicemail text")
        await dialog.getByLabel("Name").fill("Please call back")
        await dialog.getByLabel("Text", { exact: true }).fill("Good day. Please call us back.")
        await inDialog("Create voicemail text")
        const texts = page.getByRole("table", { name: "Voicemail texts" })
        await texts.getByText("Good day. Please call us back.").waitFor()
        const found: Array<string> = [...(await findings(page, "numbers"))]
        await press("Change Please call back")
        await dialog.getByRole("combobox", { name: "What is played" }).selectOption("audio")
        await dialog.getByLabel("Address of the sound file").fill("https://files.example.com/back.wav")
        found.push(...(await findings(page, "change voicemail text")))
        await inDialog("Save voicemail text")
        await texts.getByText("https://files.example.com/back.wav").waitFor()
        await press("Delete Please call back")
        await inDialog("Delete Please call back")
        await page.getByText("No voicemail text").waitFor()
        await press("Disconnect Shop")
        await inDialog("Disconnect Shop")
        await page.getByText("No chat number").waitFor()
        expect(found).toEqual([])
      },
      { at: await signedIn(), noteAll: false }
    )
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").or(heading(page, "Campaigns")).first().waitFor()
        await go("#/numbers")
        await page.getByText("No caller number").waitFor()
        expect(await page.getByRole("main").getByRole("button").count()).toBe(0)
      },
      { at: await signedIn("viewer") }
    )
  })

  // Verifies: B-408.
  it("has no finding of axe on the operator's pages, empty, full and open, light and dark, wide and narrow", async () => {
    const id = await campaign("Looked at", 3)
    const { id: callId } = await world.ask("POST", "/telephony/calls", { to: "+4930777000172" })
    await world.visit(
      async ({ page, go }) => {
        const found: Array<string> = []
        const look = async (state: string) => void found.push(...(await findings(page, state)))
        const { button, call, contact } = await opened(page, go, id)
        await look("preview without a contact")
        await button("Next contact").click()
        await contact.getByRole("heading", { name: "Person 1", exact: true }).waitFor()
        await look("preview with a contact")
        await button("Do not call").click()
        await page.getByRole("dialog").waitFor()
        await look("do not call")
        await page.keyboard.press("Escape")
        await button("Call").click()
        await expect.poll(() => call.textContent()).toBe("Ended: Busy")
        await button("Save outcome").click()
        await page.getByRole("alert").getByText("Choose an outcome.").waitFor()
        await look("preview after a call")
        await go("#/calls")
        await page.getByText("More filters").click()
        await page.getByRole("table", { name: "Calls" }).getByRole("link").first().waitFor()
        await look("calls")
        await page.getByRole("button", { name: "Test call" }).click()
        await page.getByRole("dialog").waitFor()
        await look("test call")
        await page.keyboard.press("Escape")
        await go("#/calls?phone=000000")
        await page.getByText("Nothing found").waitFor()
        await look("no calls")
        await showConversation(page, await world.ask("GET", `/telephony/calls/${callId}`), markup)
        await go(`#/calls/${callId}`)
        await page.getByRole("region", { name: "Transcript" }).getByText("Good day, this is").waitFor()
        await look("call")
        expect(found).toEqual([])
      },
      { at: await signedIn(), noteAll: false }
    )
  })
})
