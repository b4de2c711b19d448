/** CSV files into address book and campaign, over a real storage. Verifies: CONT-1, CONT-2, CONT-3, CONT-4, CONT-5. */

import { createTrunkline, type Trunkline, type TrunklineOptions } from "@trunkline/core"
import { telephonyProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

let core: Trunkline
let account: string
let key: string

const open = (options: Partial<TrunklineOptions> = {}) =>
  createTrunkline({
    storage: sqlite(":memory:"),
    telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
    encryptionKey: "a key for the secrets of this test",
    limits: { perIpPerMinute: null },
    log: () => undefined,
    ...options
  })

beforeAll(async () => {
  core = await open()
  account = (await core.admin.createAccount({ name: "A", voiceCampaigns: true })).id
  key = (await core.admin.createKey(account)).text
})
afterAll(() => core.stop())

const campaign = async (): Promise<string> => (await core.campaigns.create(account as never, { name: "C" })).id
const bytes = (text: string) => new TextEncoder().encode(text)

const load = (id: string, text: string, options: { readonly dryRun?: boolean; readonly optedIn?: boolean } = {}) =>
  core.campaigns.importCsv(account, id, bytes(text), { dryRun: false, ...options })

const person = async (phone: string) => {
  const answer = await core.fetch(
    new Request(`http://x/api/v1/contacts?phone=${encodeURIComponent(phone)}`, {
      headers: { authorization: `Bearer ${key}` }
    })
  )
  return ((await answer.json()) as ReadonlyArray<Record<string, unknown>>)[0]
}

describe("an import", () => {
  // Verifies: C-136, C-137.
  it("makes people and puts them on the campaign in the order of the file", async () => {
    const id = await campaign()
    const report = await load(
      id,
      "phone,first_name,company,custom.tier\n+1 415 555 2001,Ann,Acme,gold\n+1 415 555 2002,Bob,,\n"
    )
    expect(report).toMatchObject({ totalRows: 2, created: 2, updated: 0, failed: 0, attached: 2, totalNow: 2 })
    expect((await core.campaigns.listContacts(account, id)).items.map(({ name }) => name)).toEqual(["Ann", "Bob"])
    expect(await person("4155552001")).toMatchObject({ first_name: "Ann", company: "Acme", custom: { tier: "gold" } })
  })

  // Verifies: C-138, C-139.
  it("puts nobody on the campaign twice, however the number is written or the file is sent again", async () => {
    const id = await campaign()
    const file = "phone\n+1 415 555 2101\n(415) 555-2101\n001 415 555 2102\n"
    expect(await load(id, file)).toMatchObject({ attached: 2, skippedDuplicate: 1, totalNow: 2 })
    expect(await load(id, file)).toMatchObject({ attached: 0, skippedDuplicate: 3, updated: 3, totalNow: 2 })
    expect(await load(id, "phone\n555-2101\n")).toMatchObject({ attached: 0, skippedDuplicate: 1 })
  })

  // Verifies: C-72, C-140, D-95, D-96.
  it("rejects a row by itself, names row and field, and neither keeps nor dials it", async () => {
    const id = await campaign()
    const report = await load(
      id,
      "phone,email\n12,a@b.example\n+1 415 555 2201,nonsense\n+1 415 555 2202,c@d.example\n"
    )
    expect(report).toMatchObject({ totalRows: 3, created: 1, failed: 2, skippedInvalid: 2, attached: 1 })
    expect(report.errors.map(({ field, row }) => [row, field])).toEqual([
      [2, "phone"],
      [3, "email"]
    ])
    expect(await person("4155552201")).toBeUndefined()
  })

  // Verifies: D-90.
  it("names the first 100 faults, and counts every row that has one", async () => {
    const id = await campaign()
    const report = await load(id, `phone\n${"12\n".repeat(101)}+1 415 555 2251\n`)
    expect(report).toMatchObject({ totalRows: 102, created: 1, failed: 101, skippedInvalid: 101, attached: 1 })
    expect(report.errors.map(({ row }) => row)).toEqual(Array.from({ length: 100 }, (_, at) => at + 2))
  })

  // Verifies: C-123, D-103.
  it("believes the file about consent, and the sender only where the file is silent", async () => {
    const id = await campaign()
    await load(id, "phone,opted_in\n+1 415 555 2351,no\n+1 415 555 2352,\n", { optedIn: true })
    await load(id, "phone\n+1 415 555 2353\n", { optedIn: true })
    const consents = ["4155552351", "4155552352", "4155552353"].map(async (phone) => (await person(phone))?.opted_in)
    expect(await Promise.all(consents)).toEqual([false, false, true])
  })

  // Verifies: D-102, D-104.
  it("gives consent and never withdraws it", async () => {
    const id = await campaign()
    await load(id, "phone,opted_in\n+1 415 555 2301,yes\n+1 415 555 2302,no\n")
    await load(id, "phone,opted_in\n+1 415 555 2301,no\n")
    expect((await person("4155552301"))?.opted_in).toBe(true)
    await load(id, "phone\n+1 415 555 2302\n+1 415 555 2303\n", { optedIn: true })
    expect((await person("4155552302"))?.opted_in).toBe(false)
    expect((await person("4155552303"))?.opted_in).toBe(true)
  })

  it.each([
    ["", /empty/],
    ["phone\n", /no rows/],
    ["name\nAnn\n", /phone/],
    ['phone\n"+1 415 555 2401\n', /quote/]
  ])("of %j is refused and writes nothing", async (text, why) => {
    const id = await campaign()
    await expect(load(id, text)).rejects.toThrow(why)
    expect((await core.campaigns.get(account, id)).totalContacts).toBe(0)
  })

  // Verifies: D-100.
  it("is refused in every status in which nobody can be added, a dry run too", async () => {
    // A minute costs more than an account has at first, so that the first call is the last.
    const dear = await open({ pricing: { callCreditsPerMinute: 1001 } })
    try {
      const { id: poor } = await dear.admin.createAccount({ name: "Poor", voiceCampaigns: true })
      const hours = { timezone: "UTC", quietHoursStart: 0, quietHoursEnd: 24 }
      const made = async (...moves: ReadonlyArray<"scheduled" | "running" | "completed" | "cancelled">) => {
        const { id } = await dear.campaigns.create(poor, { name: "C", ...hours })
        await dear.campaigns.addContacts(poor, id, [{ phone: "+14155552501", name: null }])
        for (const status of moves) await dear.campaigns.move(poor, id, status)
        return id
      }
      const [running, completed, cancelled] = [
        await made("scheduled", "running"),
        await made("scheduled", "running", "completed"),
        await made("cancelled")
      ]
      const refused = async (id: string) => {
        for (const dryRun of [true, false]) {
          const sent = dear.campaigns.importCsv(poor, id, bytes("phone\n+1 415 555 2502\n"), { dryRun })
          await expect(sent).rejects.toMatchObject({ status: 409 })
        }
      }
      for (const id of [running, completed, cancelled]) await refused(id)
      await dear.start()
      await expect.poll(async () => (await dear.campaigns.get(poor, running)).status).toBe("insufficient_balance")
      await refused(running)
    } finally {
      await dear.stop()
    }
  })

  // Verifies: C-122, D-91, D-93, D-94.
  it("that is dry answers with the numbers of the real one, whatever the file, and writes nothing", async () => {
    const local = fc.integer({ min: 0, max: 12 }).map((n) => `41555530${String(n).padStart(2, "0")}`)
    const written = fc.tuple(
      local,
      fc.constantFrom(
        (n: string) => n,
        (n: string) => `+1 ${n}`,
        (n: string) => n.slice(-7),
        (n: string) => `(${n.slice(0, 3)}) ${n.slice(3)}`,
        () => "12"
      )
    )
    const row = fc.tuple(
      written.map(([n, form]) => form(n)),
      fc.constantFrom("", "Ann", "Bob"),
      fc.constantFrom("", "x@y.example", "bad")
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 25 }), async (rows) => {
        const id = await campaign()
        const file = `phone,name,email\n${rows.map((cells) => cells.join(",")).join("\n")}\n`
        const { dryRun: _, totalNow: present, ...dry } = await load(id, file, { dryRun: true })
        expect(present).toBe(0)
        expect((await core.campaigns.listContacts(account, id)).items).toEqual([])
        const { dryRun: __, totalNow, ...real } = await load(id, file)
        expect(real).toEqual(dry)
        expect(totalNow).toBe(real.attached)
        expect(real.created + real.updated + real.failed).toBe(real.totalRows)
        expect(real.attached + real.skippedInvalid + real.skippedDuplicate).toBe(real.totalRows)
      }),
      { numRuns: 40 }
    )
  })
})
