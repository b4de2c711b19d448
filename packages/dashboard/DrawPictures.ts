/**
 * Draws every page from seeded data at one instant, light and dark, wide and narrow: `npm run dashboard:pictures`. The pictures are
 * for people, who look at them; they are compared with nothing, since fonts differ between machines.
 */
import { mkdirSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { webChat } from "@trunkline/providers/web-chat"
import type { Page } from "playwright-core"
import { chromiumPath } from "../../test/Chromium.ts"
import { chatNetwork, connectNumber, conversationWith, customerWrites, phoneNumberId } from "./test/ChatCustomers.ts"
import { showConversation } from "./test/Conversation.ts"
import { openDashboard } from "./test/DashboardWorld.ts"
import { chatModel, looksUp, says, startPlayedModel } from "./test/PlayedModel.ts"

const folder = process.argv[2] ?? fileURLToPath(new URL("dist/pictures", import.meta.url))

const people = ["Asha Rao", "Jonas Weber", "Marie Lefebvre", "Li Wei", "Tom Ashworth", "Inés Ferrer", "Noor Haddad"]

const campaigns = [
  { name: "Delivery survey", people: 60, moves: ["scheduled", "running", "completed"] },
  { name: "Spring tariffs", people: 240, moves: ["cancelled"] },
  { name: "Appointment reminders, Berlin", people: 320, moves: ["scheduled", "running"], mode: "parallel" },
  { name: "Renewals in November", people: 1204, moves: ["scheduled", "running", "paused"] },
  { name: "Winback", people: 480, moves: ["scheduled"] },
  { name: "Upgrade offers", people: 90, moves: ["scheduled", "running"], mode: "preview" },
  { name: "Second roofs", people: 0, moves: [], mode: "preview" },
  { name: "Pilot", people: 0, moves: [] }
] as const

/** Whom an operator sees at the preview desk. The last digits say how the call goes: a person, busy, nobody, a machine. */
const shown = [
  ["+49 30 5501 0101", "Asha", "Rao", "asha.rao@example.com", "Rao & Söhne GmbH", "vip; solar", "S-2041"],
  ["+49 30 5501 0233", "Jonas", "Weber", "jonas@example.com", "Weber Bau", "", "S-1180"],
  ["+49 30 5501 0341", "Marie", "Lefebvre", "marie@example.com", "", "", "S-0917"],
  ["+49 30 5501 0452", "Li", "Wei", "", "Wei Logistics", "", ""],
  ["+49 30 5501 0520", "Tom", "Ashworth", "tom@example.com", "", "", "S-3310"],
  ["+49 30 5501 0631", "Inés", "Ferrer", "ines@example.com", "Ferrer Hermanos", "solar", "S-2207"],
  ["+49 30 5501 0744", "Noor", "Haddad", "", "", "", ""]
] as const

const callers = [
  ["+49 30 901820", "Sales"],
  ["+33 1 23 45 67 89", null],
  ["+1 415 555 0100", "Support, west coast"]
] as const

const prompt = `# Who you are
You are Nora, who answers for Northwind Solar, a maker of inverters in Berlin.

# What you do
- Say hello, and ask what the person needs.
- Answer from the knowledge alone. If it has no answer, offer a call back.
- Never promise a date of delivery.`

const knowledge = [
  { title: "How long is the guarantee?", content: "Five years for inverters, and two for everything else." },
  { title: "Can I add a second roof?", content: "Each inverter takes two strings. A second roof is one more." },
  { title: "Opening hours", content: "Monday to Friday, nine to five." }
]

const note =
  "Bought the small inverter in May. Wants to know whether the second roof can be added. Mornings are busy in the workshop."

const csv = [
  "phone,first_name,last_name,email,company,tags,contract,notes",
  ...shown.map((cells, nth) => [...cells, nth === 0 ? note : ""].map((cell) => `"${cell}"`).join(","))
].join("\n")

const called = [
  ["+49 30 5501 0101", "Call back"],
  ["+49 30 5502 0172", null],
  ["+49 30 5502 0281", null],
  ["+49 30 5502 0365", "Wrong number"],
  ["+49 30 5502 0412", "Interested"],
  ["+49 30 5502 0591", null]
] as const

const doNotCall = [
  { phone: "+49 30 5503 0110", reason: "Asked not to be called" },
  { phone: "+49 30 5503 0221", reason: "Moved away" },
  { phone: "+33 1 99 00 12 34" }
]

const alerts = [
  { name: "Few calls are answered", metric: "connect_rate", comparison: "below", threshold: 0.3, window_seconds: 3600 },
  { name: "Many calls fail", metric: "failure_rate", comparison: "above", threshold: 0.1, window_seconds: 900 }
]

const minute = 60_000

/** What customers have written, the oldest first; an answer of a person stands behind it. */
const written = [
  ["4930550101", "Inés Ferrer", "Thank you, the inverter is running.", 190, null],
  [
    "4930550102",
    "Tom Ashworth",
    "When are you open on Saturdays?",
    75,
    "Not on Saturdays: Monday to Friday, nine to five."
  ],
  ["4930550103", "Li Wei", "Please send the terms of the guarantee to my office.", 22, null],
  [
    "4930550104",
    "Asha Rao",
    "Good day! I bought the small inverter in May.",
    9,
    "Good day, Ms Rao. How is it running?"
  ],
  ["4930550104", "Asha Rao", "Very well. Can I add the second roof to it?", 4, null],
  ["4930550104", "Asha Rao", "It is about 40 square metres.", 3, null]
] as const

const played = await startPlayedModel()
const network = chatNetwork()
const world = await openDashboard({
  models: played.models,
  messaging: { ...network.messaging, channels: [webChat({ secret: "a secret for the visitors of the pictures" })] }
})

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
  for (const [phone, label] of callers) await world.ask("POST", "/telephony/numbers", { phone, label })
  const nora = {
    name: "Nora",
    system_prompt: prompt,
    config: { model: chatModel, greeting: "Northwind, this is Nora." }
  }
  const { id: agent } = await world.ask("POST", "/bots", nora)
  ids.set("Nora", agent)
  for (const name of ["Bruno, appointments", "After hours"]) await world.ask("POST", "/bots", { name })
  for (const entry of knowledge) await world.ask("POST", `/bots/${agent}/knowledge`, entry)
  const settings = { id: "shop", title: "Shop", origins: ["https://shop.example.com"] }
  const { id: chat } = await world.ask("POST", "/messaging/channels/web-chat/connections", { settings })
  await world.ask("POST", `/messaging/phone_numbers/${chat}/link-bot`, { bot_id: agent })
  const text = "Good day. Please call us back at your convenience, on working days from nine to five."
  await world.ask("POST", "/voicemail-templates", { name: "Please call back", text })
  const desk = ids.get("Second roofs") ?? ""
  await world.importPeople(desk, csv)
  for (const status of ["scheduled", "running"]) await world.ask("POST", `/voice-campaigns/${desk}/status`, { status })
  await world.ask("POST", "/voice-campaigns/dnc", { entries: doNotCall })
  const events = ["call.completed", "campaign.completed", "message.received"]
  await world.ask("POST", "/webhooks", { url: "https://crm.example.com/hooks", description: "CRM", events })
  for (const alert of alerts) await world.ask("POST", "/voice-alerts", alert)
  await connectNumber(world)
  for (const [phone, name, text, minutesAgo, answer] of written) {
    await customerWrites(world, { phone, name, text, agoMs: minutesAgo * minute })
    if (answer === null) continue
    const message = { phone_number_id: phoneNumberId, to: phone, type: "text", text: { body: answer } }
    await world.ask("POST", "/messaging/messages", message)
  }
  for (const [to, outcome] of called) {
    const { id } = await world.ask("POST", "/telephony/calls", { to })
    ids.set(to, id)
    if (outcome !== null) await world.ask("PUT", `/telephony/calls/${id}/outcome`, { outcome, note: "After lunch" })
  }
  return ids
}

/** The preview desk, each state of which is one step of the work. */
const drawDesk = async (page: Page, picture: (name: string) => Promise<void>): Promise<void> => {
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
  await page.getByText(/wait/).first().waitFor()
  await picture("preview")
  await press("Next contact")
  await page.getByText("Local time").waitFor()
  await picture("preview-contact")
  await press("Do not call")
  await picture("dialog-do-not-call")
  await page.keyboard.press("Escape")
  await press("Call")
  await page
    .getByRole("status", { name: "Call", exact: true })
    .getByText(/^Ended|^In progress/)
    .waitFor()
  await page.getByRole("radio", { name: "Call back" }).check()
  await page.getByLabel("Note", { exact: true }).fill("After lunch, and with the offer at hand.")
  await picture("preview-call")
  await press("Next contact")
  await page.getByRole("table", { name: "Your calls" }).waitFor()
  await picture("preview-next")
}

/** An agent, a test of what is not saved, and somebody else's change of the same. */
const drawAgent = async (page: Page, id: string, picture: (name: string) => Promise<void>): Promise<void> => {
  played.there.says([looksUp("guarantee inverter"), says("Five years. Shall I send you the terms?")])
  await picture("agent")
  await page.getByLabel("Message", { exact: true }).fill("How long is the guarantee of the inverter?")
  await page.getByRole("button", { name: "Send test" }).click()
  await page.getByText("Shall I send").waitFor()
  await page.getByLabel("Prompt", { exact: true }).fill(`${prompt}\n- Be brief.`)
  await picture("agent-test")
  await world.ask("PATCH", `/bots/${id}`, { system_prompt: `${prompt}\n- Be long.` })
  await page.getByRole("button", { name: "Take theirs: Prompt" }).waitFor()
  await picture("agent-changed")
  await world.ask("PATCH", `/bots/${id}`, { system_prompt: prompt })
  await page.getByRole("button", { name: "Add knowledge" }).click()
  await picture("dialog-add-knowledge")
  await page.keyboard.press("Escape")
}

/** The inbox, and one of its conversations. */
const drawInbox = async (
  page: Page,
  go: (place: string) => Promise<void>,
  picture: (name: string) => Promise<void>
) => {
  await go("#/inbox")
  await page.getByRole("link", { name: /Asha Rao/ }).waitFor()
  await picture("inbox")
  await go(`#/inbox/${(await conversationWith(world, "4930550104")).id}`)
  await page.getByRole("log", { name: "Messages" }).getByText("40 square metres").waitFor()
  await page
    .getByLabel("Reply", { exact: true })
    .fill("Yes: each inverter takes two strings, and the second roof is one.")
  await picture("inbox-conversation")
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
      await go(`#/preview/${ids.get("Second roofs")}`)
      await drawDesk(page, picture)
      await go("#/calls")
      await picture("calls")
      await page.getByRole("button", { name: "Test call" }).click()
      await picture("dialog-test-call")
      await page.keyboard.press("Escape")
      const id = ids.get(called[0][0]) ?? ""
      await showConversation(page, await world.ask("GET", `/telephony/calls/${id}`), note)
      await go(`#/calls/${id}`)
      await picture("call")
      await go("#/agents")
      await picture("agents")
      const nora = ids.get("Nora") ?? ""
      await go(`#/agents/${nora}`)
      await drawAgent(page, nora, picture)
      await go("#/numbers")
      await picture("numbers")
      await page.getByRole("button", { name: "Connect number" }).click()
      await picture("dialog-connect-number")
      await page.keyboard.press("Escape")
      await go("#/campaigns/new")
      await picture("campaign-new")
      await page.getByRole("button", { name: "Create campaign" }).click()
      await picture("campaign-new-fault")
      await go("#/do-not-call")
      await picture("do-not-call")
      await go("#/contacts")
      await picture("contacts")
      await go("#/webhooks")
      await picture("webhooks")
      await go("#/alerts")
      await picture("alerts")
      await go("#/keys")
      await picture("keys")
      await page.getByRole("button", { name: "New key" }).click()
      await picture("dialog-new-key")
      await page.keyboard.press("Escape")
      // The page counts down, and back, by the browser's clock: it has the product's.
      await page.clock.setFixedTime(world.now())
      await drawInbox(page, go, picture)
      await go("#/usage")
      await picture("usage")
      await go("#/members")
      await picture("members")
      await go("#/audit")
      await picture("audit")
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
  throw new Error("No Chromium was found: apt-get install chromium-headless-shell, or its path in CHROMIUM.")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
try {
  const ids = await seed()
  for (const width of [1280, 360]) for (const scheme of ["light", "dark"] as const) await draw(ids, scheme, width)
  process.stdout.write(`The pictures are in ${folder}\n`)
} finally {
  await world.close()
  await played.there.close()
}
