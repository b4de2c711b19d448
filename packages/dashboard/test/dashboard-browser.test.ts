/**
 * The pages in a real Chromium: at several places of a host, by name, with the keyboard alone, and while the line is bad.
 *
 * Skipped, and said so, where there is no Chromium: `apt-get install chromium-headless-shell`, or its path in `CHROMIUM`.
 */
import { atMost } from "@trunkline/testing/slow-machine"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "../../../test/Chromium.ts"
import { type DashboardWorld, openDashboard } from "./DashboardWorld.ts"
import { findings } from "./Findings.ts"

if (chromiumPath === undefined) console.warn("The dashboard is not tried in a browser: no Chromium was found.")

const markup = "<img src=x onerror=\"document.title='markup'\">"

describe.skipIf(chromiumPath === undefined)("the dashboard in a browser", () => {
  let world: DashboardWorld
  let running: { readonly id: string }
  let draft: { readonly id: string }
  let paused: { readonly id: string }

  const campaign = async (name: string, people: number, more: object = {}) => {
    const made = await world.ask("POST", "/voice-campaigns", {
      name,
      timezone: "Europe/Berlin",
      quiet_hours_start: 0,
      quiet_hours_end: 24,
      ...more
    })
    const contacts = Array.from({ length: people }, (_, nth) => ({
      phone: `+49309${String(1_000_000 + nth).slice(1)}0`,
      name: nth === 0 ? markup : `Person ${nth}`
    }))
    if (people > 0) await world.ask("POST", `/voice-campaigns/${made.id}/contacts`, { contacts })
    return made
  }
  const move = (id: string, status: string) => world.ask("POST", `/voice-campaigns/${id}/status`, { status })

  beforeAll(async () => {
    world = await openDashboard()
    draft = await campaign("Draft of nobody", 0)
    paused = await campaign(markup, 12)
    await move(paused.id, "scheduled")
    await move(paused.id, "paused")
    running = await campaign("Autumn offer", 40, { dial_mode: "preview" })
    await move(running.id, "scheduled")
    await move(running.id, "running")
  })

  afterAll(() => world?.close())

  const signedIn = async (role = "owner", at = world.places.root) => `${at}#token=${await world.tokenFor(role)}`

  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true })

  it("is the same page at the root, below two segments, and behind a proxy that strips two more", async () => {
    for (const at of Object.values(world.places)) {
      await world.visit(
        async ({ page, go }) => {
          await heading(page, "Start").waitFor()
          expect(page.url()).not.toContain("token")
          await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Campaigns" }).click()
          await page.getByRole("link", { name: "Autumn offer" }).click()
          await heading(page, "Autumn offer").waitFor()
          await go("#/campaigns/new")
          await heading(page, "New campaign").waitFor()
          await expect.poll(() => page.title()).toBe("New campaign · Northwind Calls")
        },
        { at: await signedIn("owner", at) }
      )
    }
  })

  it("asks the server at most eight times until the first list is there", async () => {
    const before = world.requests.length
    await world.visit(
      async ({ page }) => {
        await page.getByRole("list", { name: "First steps" }).waitFor()
        const asked = world.requests.slice(before)
        expect(asked.length, asked.join(", ")).toBeLessThanOrEqual(8)
      },
      { at: await signedIn() }
    )
  })

  it("stands in a frame of another origin that may frame it, and takes a token from there", async () => {
    await world.visit(
      async ({ page }) => {
        const frame = page.frameLocator("iframe")
        await frame.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await frame.getByRole("link", { name: "Campaigns" }).first().click()
        await frame.getByRole("link", { name: "Autumn offer" }).waitFor()
        await expect
          .poll(() => page.evaluate("heard.map(({ source, event }) => source + ' ' + event)"))
          .toEqual(expect.arrayContaining(["dashboard height", "dashboard path", "dashboard title"]))
        expect(await page.evaluate("JSON.stringify(heard)")).not.toContain("eyJ")
        await page.evaluate(() => {
          const { contentWindow } = document.querySelector("iframe")!
          contentWindow!.postMessage({ target: "dashboard", path: "/start", theme: "dark" }, "*")
        })
        await frame.getByRole("heading", { level: 1, name: "Start" }).waitFor()
        await expect.poll(() => page.frames()[1]!.evaluate(() => document.documentElement.dataset.scheme)).toBe("dark")
      },
      { at: world.stranger(`token=${await world.tokenFor("owner")}`) }
    )
  })

  it("names what the contract of the pages names", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        const steps = page.getByRole("list", { name: "First steps" }).getByRole("listitem")
        await expect.poll(() => steps.count()).toBe(8)
        expect(await steps.allTextContents()).toEqual(expect.arrayContaining([expect.stringMatching(/Done|To do/)]))
        expect(await page.getByRole("status", { name: "Connection" }).textContent()).toBe("Live")
        expect(await page.getByRole("status", { name: "Result" }).count()).toBe(1)

        await go("#/campaigns")
        await page.getByRole("searchbox", { name: "Search campaigns" }).waitFor()
        const status = page.getByRole("combobox", { name: "Status" })
        expect(
          await status.locator("option").evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
        ).toEqual(["", "draft", "scheduled", "running", "paused", "insufficient_balance", "completed", "cancelled"])
        const table = page.getByRole("table", { name: "Campaigns" })
        await table.getByRole("link", { name: "Autumn offer" }).waitFor()
        expect(await page.getByText("3 of 3").count()).toBe(1)
        await status.selectOption("draft")
        await expect.poll(() => table.getByRole("link").count()).toBe(1)
        expect(page.url()).toContain("status=draft")
        await page.reload()
      },
      { at: await signedIn() }
    )
  })

  it("shows one campaign with the reason why nothing dials, its counts, calls and contacts", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        await go(`#/campaigns/${running.id}`)
        await heading(page, "Autumn offer").waitFor()
        const why = page.getByRole("region", { name: "Why nothing dials" })
        await why.getByText("40 people wait for somebody to approve the call.").waitFor()
        expect(await why.getByRole("button").or(why.getByRole("link")).count()).toBe(1)
        await page.getByRole("region", { name: "Counts" }).getByText("40").first().waitFor()
        await page.getByRole("table", { name: "Live calls" }).waitFor()
        const contacts = page.getByRole("table", { name: "Contacts" })
        await expect.poll(() => contacts.getAttribute("aria-rowcount")).toBe("41")
        await page.getByRole("searchbox", { name: "Search contacts" }).fill("Person 39")
        await expect.poll(() => contacts.getAttribute("aria-rowcount")).toBe("2")
        expect(page.url()).toContain("q=Person+39")
        for (const name of ["Pause", "Complete", "Cancel campaign", "Duplicate"])
          expect(await page.getByRole("button", { name, exact: true }).count(), name).toBe(1)
        for (const name of ["Import contacts", "Download results"])
          expect(await page.getByRole("link", { name, exact: true }).count(), name).toBe(1)
      },
      { at: await signedIn() }
    )
  })

  it("shows markup in names as text, and says in numbers what a dangerous move does", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        await go(`#/campaigns/${paused.id}`)
        await heading(page, markup).waitFor()
        expect(await page.locator("main img").count()).toBe(0)
        expect(await page.title()).toBe(`${markup} · Northwind Calls`)
        await page.getByRole("button", { name: "Resume", exact: true }).click()
        const dialog = page.getByRole("dialog", { name: "Resume" })
        await dialog.getByText("This calls 12 people, at most 1 at a time, from 00:00 to 24:00 in Berlin.").waitFor()
        await dialog.getByRole("button", { name: "Back" }).click()
        expect(await dialog.count()).toBe(0)
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Resume")
        expect((await world.ask("GET", `/voice-campaigns/${paused.id}`)).status).toBe("paused")

        await page.getByRole("button", { name: "Cancel campaign" }).click()
        await page.getByRole("dialog", { name: "Cancel campaign" }).getByText("12 of 12 people").waitFor()
        await page.keyboard.press("Escape")
      },
      { at: await signedIn() }
    )
  })

  it("has the focus on the link that opened a page when one comes back from it", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        await go("#/campaigns?status=running")
        const focused = () => page.evaluate(() => document.activeElement?.textContent)
        const link = page.getByRole("link", { name: "Autumn offer" })
        for (const back of [() => page.goBack(), () => page.getByRole("link", { name: "Back to the list" }).click()]) {
          await link.click()
          await heading(page, "Autumn offer").waitFor()
          await expect.poll(focused).toBe("Autumn offer")
          await back()
          await heading(page, "Campaigns").waitFor()
          await expect.poll(focused).toBe("Autumn offer")
          expect(page.url()).toContain("status=running")
        }
      },
      { at: await signedIn() }
    )
  })

  it("offers a viewer nothing that changes anything", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        const step = page.getByRole("listitem").filter({ hasText: "Use an API key" })
        await step.getByText("An owner or an admin does this.").waitFor()
        expect(await step.getByRole("link").count()).toBe(0)
        await go("#/campaigns")
        await page.getByRole("link", { name: "Autumn offer" }).waitFor()
        expect(await page.getByRole("link", { name: "New campaign" }).count()).toBe(0)
        await go(`#/campaigns/${paused.id}`)
        await heading(page, markup).waitFor()
        await page.getByRole("table", { name: "Contacts" }).waitFor()
        for (const name of ["Resume", "Cancel campaign", "Duplicate", "Add contacts"])
          expect(await page.getByRole("button", { name }).count(), name).toBe(0)
        await go("#/campaigns/new")
        await page.getByText("Your role allows you to look, and not to change.").waitFor()
        await go("#/nowhere")
        await heading(page, "Not available here").waitFor()
      },
      { at: await signedIn("viewer") }
    )
  })

  const owner = { email: "ada@northwind.example", name: "Ada Marsh", password: "three quiet words here" }

  it("takes a newcomer from the link of the first start to the first call with the keyboard alone", async () => {
    const { token } = await world.core.admin.createOwnerLink(world.account)
    await world.visit(
      async ({ page }) => {
        const { keyboard } = page
        const focused = () =>
          page.evaluate(() => {
            const element = document.activeElement as (HTMLElement & Partial<HTMLInputElement>) | null
            return (
              element?.getAttribute("aria-label") ??
              element?.labels?.[0]?.textContent ??
              element?.textContent ??
              ""
            ).trim()
          })
        const tabTo = async (name: string) => {
          for (let pressed = 0; pressed < 120; pressed++) {
            await keyboard.press("Tab")
            if ((await focused()) === name) return
          }
          expect.fail(`${name} is not reached; the focus is on ${await focused()}`)
        }
        await heading(page, "Create the owner").waitFor()
        expect(page.url()).not.toContain("lnk_")
        await tabTo("Email")
        await keyboard.type(owner.email)
        await tabTo("Name")
        await keyboard.type(owner.name)
        await tabTo("Password")
        await keyboard.type("too short")
        await keyboard.press("Enter")
        await page.getByRole("alert").getByText("Password: A password has 12 characters or more.").waitFor()
        await expect.poll(focused).toBe("Password")
        await keyboard.press("Control+a")
        await keyboard.type(owner.password)
        await tabTo("Save password")
        await keyboard.press("Enter")

        await heading(page, "Start").waitFor()
        await tabTo("Campaigns")
        await keyboard.press("Enter")
        await heading(page, "Campaigns").waitFor()
        await expect.poll(focused).toBe("Campaigns")
        await tabTo("New campaign")
        await keyboard.press("Enter")
        await heading(page, "New campaign").waitFor()
        await tabTo("Name")
        await keyboard.type("By keyboard")
        await tabTo("First hour")
        await keyboard.press("Home")
        await tabTo("Last hour")
        await keyboard.press("End")
        await tabTo("Create campaign")
        await keyboard.press("Enter")
        await heading(page, "By keyboard").waitFor()
        await expect.poll(focused).toBe("By keyboard")
        await tabTo("Add contacts")
        await keyboard.press("Enter")
        await expect.poll(focused).toBe("Contacts")
        await keyboard.type("+49 30 901820, Asha Rao")
        await tabTo("Add contacts")
        await keyboard.press("Enter")
        await page.getByRole("status", { name: "Result" }).getByText("1 person is on the list.").waitFor()
        await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
        await page.getByRole("button", { name: "Schedule" }).waitFor()
        await tabTo("Schedule")
        await keyboard.press("Enter")
        await page.getByRole("button", { name: "Start", exact: true }).waitFor()
        await tabTo("Start")
        await keyboard.press("Enter")
        await page.getByRole("dialog", { name: "Start" }).getByText("This calls 1 person").waitFor()
        await tabTo("Start")
        await keyboard.press("Enter")
        await page
          .getByRole("table", { name: "Contacts" })
          .getByText(/Calling|Done/)
          .first()
          .waitFor()
      },
      { at: `${world.places.root}#link=${token}` }
    )
    await world.visit(
      async ({ page }) => {
        await heading(page, "This link does not work").waitFor()
        await page.getByRole("button", { name: "Go to sign in" }).click()
        await heading(page, "Sign in").waitFor()
        // A link that is opened where the pages are open already is opened as well.
        await page.evaluate((hash) => {
          location.hash = hash
        }, `#link=${token}`)
        await heading(page, "This link does not work").waitFor()
        expect(page.url()).not.toContain("lnk_")
      },
      { at: `${world.places.root}#link=${token}`, noteAll: false }
    )
  })

  // Verifies: B-801.
  it("notes nothing in the browser's console at the first visit of somebody who is not signed in", async () => {
    for (const place of ["", "#/campaigns"])
      await world.visit(({ page }) => heading(page, "Sign in").waitFor(), { at: `${world.places.root}${place}` })
  })

  const signIn = async (page: Page, password = owner.password) => {
    await page.getByLabel("Email").fill(owner.email)
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
  }

  it("signs in with a password, goes where somebody wanted to go, and signs out", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Sign in").waitFor()
        await signIn(page, "not the password at all")
        await page.getByRole("alert").getByText("This email and password do not belong together.").waitFor()
        expect(await page.getByLabel("Email").inputValue()).toBe(owner.email)
        await signIn(page)
        await heading(page, "Campaigns").waitFor()
        await page.reload()
        await heading(page, "Campaigns").waitFor()

        await go("#/me")
        await heading(page, "Your account").waitFor()
        await page.getByLabel("Name").fill("Ada M.")
        await page.getByRole("button", { name: "Save name" }).click()
        await page.getByRole("status", { name: "Result" }).getByText("Your name is saved.").waitFor()
        await page.getByText("This one").waitFor()
        await page.getByRole("button", { name: "Your account" }).click()
        await page.getByText("Ada M.").waitFor()
        await page.getByRole("combobox", { name: "Theme" }).selectOption("dark")
        expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark")
        await page.getByRole("button", { name: "Sign out" }).click()
        await heading(page, "Sign in").waitFor()
        await go("#/campaigns")
        await heading(page, "Sign in").waitFor()
      },
      { at: `${world.places.root}#/campaigns`, noteAll: false }
    )
  })

  it("asks once to sign in over the page when a session ends in the middle of a form, and nothing is lost", async () => {
    await world.visit(
      async ({ context, page }) => {
        await heading(page, "Sign in").waitFor()
        // The stream is asked for without a session, and answered only after there is one again.
        const asked = Promise.withResolvers<void>()
        const released = Promise.withResolvers<void>()
        let asks = 0
        await page.route("**/api/v1/stream", async (route) => {
          asks += 1
          if (asks > 1) return route.continue()
          asked.resolve()
          await released.promise
          await route.fulfill({ status: 401, json: { detail: "Not authenticated" } })
        })
        await signIn(page)
        await heading(page, "New campaign").waitFor()
        await page.getByLabel("Name").fill("Typed before the session ended")
        await asked.promise
        await context.clearCookies()
        await page.getByRole("button", { name: "Create campaign" }).click()
        const dialog = page.getByRole("dialog", { name: "Sign in" })
        await dialog.waitFor()
        expect(await page.getByRole("dialog").count()).toBe(1)
        expect(await dialog.getByLabel("Email").inputValue()).toBe(owner.email)
        await dialog.getByLabel("Password").fill(owner.password)
        await dialog.getByRole("button", { name: "Sign in" }).click()
        await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
        released.resolve()
        await expect.poll(() => asks).toBe(2)
        await page.getByRole("status", { name: "Connection" }).getByText("Live").waitFor()
        expect(await page.getByRole("dialog").count()).toBe(0)
        expect(await page.getByLabel("Name").inputValue()).toBe("Typed before the session ended")
        await page.getByRole("button", { name: "Create campaign" }).click()
        await heading(page, "Typed before the session ended").waitFor()
      },
      { at: `${world.places.root}#/campaigns/new`, noteAll: false }
    )
  })

  it("takes a token that comes while the page still asks who is there", async () => {
    await world.visit(
      async ({ go, page }) => {
        await heading(page, "Campaigns").or(heading(page, "Start")).first().waitFor()
        await go("#/campaigns")
        await heading(page, "Campaigns").waitFor()
        const asked = Promise.withResolvers<void>()
        const released = Promise.withResolvers<void>()
        await page.route("**/api/v1/session", async (route) => {
          const answer = await route.fetch()
          asked.resolve()
          await released.promise
          await route.fulfill({ response: answer })
        })
        await page.reload({ waitUntil: "commit" })
        await asked.promise
        await go(`#token=${await world.tokenFor("owner")}`)
        released.resolve()
        await heading(page, "Campaigns").waitFor()
      },
      { at: await signedIn() }
    )
  })

  // Verifies: B-802.
  it("warns before a session ends that is not used, and lets the person stay", async () => {
    await world.visit(
      async ({ go, page }) => {
        await heading(page, "Sign in").waitFor()
        await page.clock.install({ time: world.now() })
        // A session of half a minute: for its second half somebody is warned. Others last twelve hours.
        await page.route("**/api/v1/session", async (route) => {
          const answer = await route.fetch()
          if (answer.status() !== 201) return route.fulfill({ response: answer })
          const expires_at = new Date((await page.evaluate(() => Date.now())) + 30_000).toISOString()
          await route.fulfill({ response: answer, json: { ...(await answer.json()), expires_at } })
        })
        await signIn(page)
        await heading(page, "Start").or(heading(page, "Campaigns")).waitFor()
        await go("#/me")
        await page.getByText("This one").waitFor()
        const warning = page.getByRole("alert").getByText(/Your session ends at \d\d:\d\d\./)
        await page.clock.runFor(10_000)
        await warning.waitFor()
        await page.getByRole("button", { name: "Stay signed in" }).click()
        await expect.poll(() => warning.count()).toBe(0)
        expect(await page.getByRole("dialog", { name: "Sign in" }).count()).toBe(0)
      },
      { at: `${world.places.root}#/sign-in` }
    )
  })

  it("puts a server's faults at their fields, keeps what was typed, and counts one order however often it is sent", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        await go("#/campaigns/new")
        await page.getByLabel("Name").fill("Twice pressed")
        await page.getByRole("combobox", { name: "First hour" }).selectOption("20")
        await page.getByRole("combobox", { name: "Last hour" }).selectOption("10")
        await page.getByRole("button", { name: "Create campaign" }).click()
        await page.getByRole("alert").getByText("One field needs another value:").waitFor()
        const last = page.getByRole("combobox", { name: "Last hour" })
        expect(await last.getAttribute("aria-invalid")).toBe("true")
        await expect.poll(() => last.evaluate((element) => element === document.activeElement)).toBe(true)
        expect(await page.getByLabel("Name").inputValue()).toBe("Twice pressed")
        await last.selectOption("21")

        // The answer is lost on its way, after the server has done its work.
        const before = (await world.ask("GET", "/voice-campaigns?limit=100")).length
        const stop = await loseAnswer(page, "**/api/v1/voice-campaigns")
        await page.getByRole("button", { name: "Create campaign" }).dblclick()
        await page.getByRole("alert").getByText("Not known whether it arrived.").waitFor()
        await stop()
        await page.getByRole("button", { name: "Try again" }).click()
        await heading(page, "Twice pressed").waitFor()
        expect((await world.ask("GET", "/voice-campaigns?limit=100")).length).toBe(before + 1)
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  /** The server gets the request and does what it asks for; the page never hears of it. */
  const loseAnswer = async (page: Page, path: string): Promise<() => Promise<void>> => {
    await page.route(path, async (route) => {
      if (route.request().method() !== "POST") return route.continue()
      await route.fetch()
      await route.abort("connectionreset")
    })
    return () => page.unroute(path)
  }

  it("says since when the server is away, keeps what is shown and typed, and goes on by itself", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        await go("#/campaigns/new")
        await page.getByLabel("Name").fill("Typed before the server went")
        world.setAway(true)
        try {
          const connection = page.getByRole("status", { name: "Connection" })
          await connection.getByText(/^Offline since \d\d:\d\d$/).waitFor()
          const create = page.getByRole("button", { name: "Create campaign" })
          expect(await create.isDisabled()).toBe(true)
          expect(await create.getAttribute("title")).toMatch(/Nothing can be changed until it is/)
          const background = () => create.evaluate((button) => getComputedStyle(button).backgroundColor)
          const before = await background()
          await create.hover({ force: true })
          expect(await background()).toBe(before)
          world.setAway(false)
          const began = Date.now()
          await connection.getByText("Live", { exact: true }).waitFor()
          expect(Date.now() - began).toBeLessThan(atMost(5000))
          expect(await create.isDisabled()).toBe(false)
          expect(await page.getByLabel("Name").inputValue()).toBe("Typed before the server went")
        } finally {
          world.setAway(false)
        }
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  it("asks once to sign in when a session ends in the middle of a form, and goes on with another token", async () => {
    // Three minutes of this machine: before its end the text is typed, also where that takes long. Below the dialog nothing can be.
    const first = await world.tokenFor("owner", 3600)
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        await go("#/campaigns/new")
        await page.getByLabel("Name").fill("Typed before the end")
        expect(await page.getByLabel("Name").inputValue()).toBe("Typed before the end")
        // The stream ends with the token: nothing need be pressed.
        world.pass(3_600_000)
        await page.getByRole("dialog", { name: "Sign in" }).waitFor()
        expect(await page.getByRole("dialog").count()).toBe(1)
        const token = await world.tokenFor("owner")
        await page.evaluate((text) => {
          location.hash = `token=${text}`
        }, token)
        await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
        expect(page.url()).toMatch(/#\/campaigns\/new$/)
        expect(await page.getByLabel("Name").inputValue()).toBe("Typed before the end")
        await page.getByRole("button", { name: "Create campaign" }).click()
        await heading(page, "Typed before the end").waitFor()
      },
      { at: `${world.places.root}#token=${first}`, noteAll: false }
    )
  })

  it("imports a file: columns are guessed, nothing is added before the check, and rejected rows can be had", async () => {
    const { id } = await campaign("Of a file", 0)
    const file =
      "Telefon;Vorname;Nachname;Stadt\n+49 30 901821;Asha;Rao;Berlin\nnone;Jonas;Weber;Bonn\n+49 30 901821;Asha;Rao;Berlin\n"
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        await go(`#/campaigns/${id}`)
        await page.getByRole("link", { name: "Import contacts" }).click()
        await heading(page, "Import contacts").waitFor()
        await page
          .getByLabel("CSV file")
          .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(file) })
        const fieldOf = (header: string) => page.getByRole("combobox", { name: `Field for ${header}` })
        await fieldOf("Stadt").waitFor()
        expect(await fieldOf("Telefon").inputValue()).toBe("phone")
        expect(await fieldOf("Vorname").inputValue()).toBe("first_name")
        expect(await fieldOf("Stadt").inputValue()).toBe("")
        await fieldOf("Stadt").selectOption("custom.stadt")
        await page.getByRole("button", { name: "Check file" }).click()
        const result = page.getByRole("region", { name: "Result of the check" })
        await result.getByText("1 person is new on the list of this campaign.").waitFor()
        await result.getByText("1 row is rejected, and stays out.").waitFor()
        // Nobody is on the list yet: the third row is a second time the first.
        await result
          .getByText("1 row is about somebody who is on the list already, or stands earlier in the file.")
          .waitFor()
        await result.getByText(/^Phone: /).waitFor()
        expect((await world.ask("GET", `/voice-campaigns/${id}`)).total_contacts).toBe(0)
        const rejected = page.waitForEvent("download")
        await page.getByRole("button", { name: "Download rejected rows" }).click()
        const stream = await (await rejected).createReadStream()
        const text = Buffer.concat(await stream.toArray()).toString()
        expect(text).toMatch(/^Telefon,Vorname,Nachname,Stadt,reason\r\nnone,Jonas,Weber,Bonn,"?.+"?\r\n$/)
        await page.getByRole("button", { name: "Import", exact: true }).click()
        await heading(page, "Of a file").waitFor()
        await page.getByRole("table", { name: "Contacts" }).getByText("Asha Rao").waitFor()
      },
      { at: await signedIn() }
    )
  })

  it("shows a change of somebody else without a reload", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        await go(`#/campaigns/${draft.id}`)
        await heading(page, "Draft of nobody").waitFor()
        await page.getByText("Draft", { exact: true }).waitFor()
        await move(draft.id, "scheduled")
        await page.getByText("Scheduled", { exact: true }).waitFor()
        await move(draft.id, "draft")
        await page.getByText("Draft", { exact: true }).waitFor()
      },
      { at: await signedIn() }
    )
  })

  it("has one stream for all tabs of a person, and the next tab takes over when the first one closes", async () => {
    await world.visit(
      async ({ context, page }) => {
        const streams = () => world.requests.filter((request) => request.endsWith("/stream")).length
        const before = streams()
        await heading(page, "Start").waitFor()
        const second = await context.newPage()
        await second.goto(await signedIn())
        await heading(second, "Start").waitFor()
        await expect.poll(() => second.getByRole("status", { name: "Connection" }).textContent()).toBe("Live")
        await expect.poll(streams).toBe(before + 1)
        await page.close()
        await expect.poll(streams).toBe(before + 2)
        await second.getByRole("link", { name: "Campaigns" }).click()
        await second.getByRole("link", { name: "Autumn offer" }).waitFor()
        const { id } = await campaign("From elsewhere", 0)
        await second.getByRole("button", { name: "1 new" }).waitFor()
        await world.ask("DELETE", `/voice-campaigns/${id}`)
      },
      { at: await signedIn() }
    )
  })

  it("moves no row that is being read: new ones wait behind a button", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        await go("#/campaigns")
        const rows = page.getByRole("table", { name: "Campaigns" }).getByRole("link")
        await rows.first().waitFor()
        const [first = ""] = await rows.allTextContents()
        const { id } = await campaign("Newer", 0)
        await page.getByRole("button", { name: "1 new" }).waitFor()
        expect((await rows.allTextContents())[0]).toBe(first)
        await page.getByRole("button", { name: "1 new" }).click()
        await expect.poll(async () => (await rows.allTextContents())[0]).toBe("Newer")
        expect(await page.getByRole("button", { name: /new$/ }).count()).toBe(0)
        await world.ask("DELETE", `/voice-campaigns/${id}`)
      },
      { at: await signedIn() }
    )
  })

  it("waits where the server asks for it, and offers to try again where it fails", async () => {
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        let failures = 0
        const again = page.getByRole("button", { name: "Try again" })
        const stop = world.intercept(/GET .*\/voice-campaigns\?/, (response) => {
          failures++
          if (failures === 1) response.writeHead(429, { "retry-after": "1" }).end('{"detail":"Too many requests"}')
          else response.writeHead(500).end('{"detail":"Internal Server Error"}')
        })
        try {
          await go("#/campaigns")
          await page.getByRole("alert").getByText("The server could not do this.").waitFor()
          expect(failures).toBeGreaterThanOrEqual(3)
          const before = failures
          await again.click()
          await expect.poll(() => failures).toBeGreaterThan(before)
        } finally {
          stop()
        }
        // A change of somebody else may have it read before it is pressed.
        await expect
          .poll(async () => {
            if (await again.isVisible()) await again.click({ timeout: 1000 }).catch(() => {})
            return page.getByRole("link", { name: "Autumn offer" }).isVisible()
          })
          .toBe(true)
        expect(await page.getByRole("alert").count()).toBe(0)
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  it("loads itself anew once where it is older than the server, and says so the next time", async () => {
    let loads = 0
    await world.visit(
      async ({ page, go }) => {
        await heading(page, "Start").waitFor()
        const stop = world.intercept(/assets\/CampaignForm/, (response) => response.writeHead(404).end())
        try {
          page.on("load", () => {
            loads++
          })
          await go("#/campaigns/new")
          await expect.poll(() => loads).toBe(1)
          const token = await world.tokenFor("owner")
          await page.evaluate((text) => {
            location.hash = `token=${text}`
          }, token)
          await page.getByText("The product has been updated since you opened this page.").waitFor()
          expect(loads).toBe(1)
        } finally {
          stop()
        }
      },
      { at: await signedIn(), noteAll: false }
    )
  })

  describe("for everybody", () => {
    /** Looks at one state after the other, and says of all at once what was found. */
    const withoutFindings = async (
      use: (page: Page, go: (place: string) => Promise<void>, look: (state: string) => Promise<void>) => Promise<void>
    ) =>
      world.visit(
        async ({ page, go }) => {
          const found: Array<string> = []
          await heading(page, "Start").waitFor()
          await use(page, go, async (state) => void found.push(...(await findings(page, state))))
          expect(found).toEqual([])
        },
        { at: await signedIn() }
      )

    it("has no finding of axe on any page, light and dark, wide and narrow", async () => {
      await withoutFindings(async (page, go, look) => {
        await page.getByRole("list", { name: "First steps" }).waitFor()
        await look("start")
        await go("#/campaigns")
        await page.getByRole("link", { name: "Autumn offer" }).waitFor()
        await look("campaigns")
        await go("#/campaigns?q=nothing+of+this+name")
        await page.getByText("Nothing found").waitFor()
        await look("no campaigns")
        await go(`#/campaigns/${running.id}`)
        await page.getByRole("table", { name: "Contacts" }).getByText("Person 1", { exact: true }).waitFor()
        await look("campaign")
        await go("#/me")
        await heading(page, "Your account").waitFor()
        await look("account")
        await go("#/nowhere")
        await heading(page, "Not available here").waitFor()
        await look("not available")
      })
    })

    it("has no finding of axe on any form or dialog, light and dark, wide and narrow", async () => {
      await withoutFindings(async (page, go, look) => {
        await page.getByRole("button", { name: "Your account" }).click()
        await look("menu")
        await page.keyboard.press("Escape")
        await go("#/campaigns/new")
        await page.getByRole("button", { name: "Create campaign" }).click()
        await page.getByRole("alert").waitFor()
        await look("new campaign")
        await go(`#/campaigns/${running.id}`)
        await page.getByRole("button", { name: "Complete", exact: true }).click()
        await page.getByRole("dialog").waitFor()
        await look("complete")
        await page.keyboard.press("Escape")
        await go(`#/campaigns/${paused.id}`)
        await page.getByRole("button", { name: "Resume", exact: true }).click()
        await page.getByRole("dialog").waitFor()
        await look("resume")
        await page.keyboard.press("Escape")
        await page.getByRole("button", { name: "Add contacts" }).click()
        await page.getByRole("dialog").waitFor()
        await look("add contacts")
        await page.keyboard.press("Escape")
        await go(`#/campaigns/${paused.id}/import`)
        await page
          .getByLabel("CSV file")
          .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from("Phone,Name\nnone,Jonas\n") })
        await page.getByRole("button", { name: "Check file" }).click()
        await page.getByRole("region", { name: "Result of the check" }).waitFor()
        await look("import")
      })
    })

    it("has no finding of axe on the pages of somebody who is not signed in", async () => {
      await world.visit(
        async ({ page }) => {
          await heading(page, "Sign in").waitFor()
          expect(await findings(page, "sign in")).toEqual([])
        },
        { at: `${world.places.root}#/sign-in` }
      )
    })
  })
})
