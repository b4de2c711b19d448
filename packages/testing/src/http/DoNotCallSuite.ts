/** The do-not-call list and the address book, as a caller of the API searches, imports and exports them. Verifies: SUPP-5, CONT-7. */
import { accelerated, type StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { campaigns, type HttpWorld, openWorld, type Start, until } from "./HttpWorld.ts"
import { upload } from "./Upload.ts"
import { utc } from "./WebhookWorld.ts"

const list = `${campaigns}/dnc`
const contacts = "/api/v1/contacts"
const calls = "/api/v1/telephony/calls"
const morning = Date.UTC(2026, 10, 21, 6)

/** Ten numbers that end alike, of which the third is too short to be dialed. */
const file = ["Telephone;Reason", "+1 (415) 555-0301;asked", "4155550302;", "12;asked", "0014155550301;again"].join(
  "\r\n"
)

export const doNotCallSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the do-not-call list and the address book through ${name}`, () => {
    let world: HttpWorld

    beforeAll(async () => {
      world = await openWorld(start, storage, { core: { clock: accelerated(morning, 100) } })
      await world.core.start()
    })
    afterAll(() => world.close())

    const ask = (method: string, path: string, json?: unknown, key = world.key) =>
      world.send(method, path, { key, ...(json === undefined ? {} : { json }) })

    const importFile = (text: string, fields: Readonly<Record<string, string>> = {}, key = world.key) =>
      world.send("POST", `${list}/import`, {
        key,
        ...upload({ fields: Object.entries(fields), file: Buffer.from(text), fileName: "numbers.csv" })
      })

    const found = async (path: string) => {
      const { headers, items, status, text } = await ask("GET", path)
      expect(status, `${path}: ${text}`).toBe(200)
      expect(headers["x-total-count"]).toBe(String(items.length))
      return items.map(({ phone }) => phone)
    }

    const faultAt = (answer: { readonly body: unknown }) =>
      (answer.body as { readonly detail: ReadonlyArray<{ readonly loc: unknown }> }).detail.map(({ loc }) => loc)

    // Verifies: B-703, B-704.
    it("a file is imported, first as a dry run, and every row is accounted for", async () => {
      const numbers = { total_rows: 4, added: 2, skipped: 2, skipped_invalid: 1 }
      const errors = [
        { row: 4, field: "phone", message: expect.stringMatching(/^Expected a number that can be dialed/) }
      ]
      const dry = await importFile(file, { reason: "list of March" })
      expect(dry.body, dry.text).toEqual({ ...numbers, dry_run: true, errors, total_now: 0 })
      expect(await found(list)).toEqual([])
      const real = await importFile(file, { reason: "list of March", dry_run: "0" })
      expect(real.body).toEqual({ ...numbers, dry_run: false, errors, total_now: 2 })
      const entries = (await ask("GET", list)).items
      expect(entries.map(({ phone, reason }) => [phone, reason])).toEqual([
        ["4155550302", "list of March"],
        ["+1 (415) 555-0301", "asked"]
      ])
      expect((await importFile(file, { dry_run: "false" })).body).toMatchObject({ added: 0, skipped: 4, total_now: 2 })
    })

    // Verifies: B-703.
    it("columns are mapped by the rules of the contacts' import, and what is wrong is named", async () => {
      const mapped = JSON.stringify({ Nummer: "phone", Warum: "reason" })
      const text = "Nummer,Warum,phone\n4155550303,brief,4155550304\n"
      expect((await importFile(text, { column_map: mapped })).body).toMatchObject({ added: 1 })
      for (const [wrong, field] of [
        [{ column_map: '{"Nummer":"name"}' }, "column_map"],
        [{ column_map: "no" }, "column_map"],
        [{ dry_run: "perhaps" }, "dry_run"],
        [{ reason: "x".repeat(501) }, "reason"]
      ] as const) {
        const refused = await importFile(text, wrong)
        expect([refused.status, faultAt(refused)[0]], refused.text).toEqual([422, ["body", field]])
      }
      expect(faultAt(await importFile("name\nAda\n"))).toEqual([["body", "file"]])
      expect(faultAt(await importFile("phone\n"))).toEqual([["body", "file"]])
      const long = await importFile(`phone,reason\n4155550305,${"x".repeat(501)}\n`)
      expect(long.body).toMatchObject({
        ...{ added: 0, skipped: 1, skipped_invalid: 1 },
        errors: [{ row: 2, field: "reason", message: "Expected at most 500 characters" }]
      })
      const missing = upload({ file: null })
      expect(faultAt(await world.send("POST", `${list}/import`, { key: world.key, ...missing }))).toEqual([
        ["body", "file"]
      ])
    })

    // Verifies: B-705.
    it("calls to numbers of a file that nobody has answered are cancelled, and no new one is placed", async () => {
      const id = String((await ask("POST", calls, { to: "+14155550306" })).body.id)
      await importFile("phone\n0014155550306\n", { dry_run: "true" })
      expect((await ask("GET", `${calls}/${id}`)).body).toMatchObject({ ended_at: null })
      expect((await importFile("phone\n0014155550306\n", { dry_run: "false" })).body).toMatchObject({ added: 1 })
      const ended = await until(async () => {
        const { body } = await ask("GET", `${calls}/${id}`)
        return body.ended_at === null ? undefined : body
      })
      expect(ended).toMatchObject({ end_reason: "do_not_call" })
      expect((await ask("POST", calls, { to: "(415) 555-0306" })).status).toBe(409)
    })

    // Verifies: B-701, B-702.
    it("entries are found by a number that they suppress and by their reason", async () => {
      await ask("POST", list, {
        entries: [
          { phone: "+49 30 5550311", reason: "Straße" },
          { phone: "5550311", reason: "ΚΑΛΗΣΠΕΡΑ" },
          { phone: "+44 20 5550312" }
        ]
      })
      expect(await found(`${list}?phone=%2B49%20(30)%20555-0311`)).toEqual(["5550311", "+49 30 5550311"])
      expect(await found(`${list}?phone=0044205550311`)).toEqual(["5550311"])
      expect(await found(`${list}?phone=5550312`)).toEqual(["+44 20 5550312"])
      expect(await found(`${list}?phone=12`)).toEqual([])
      expect(await found(`${list}?phone=nobody`)).toEqual([])
      expect(await found(`${list}?q=STRASSE`)).toEqual(["+49 30 5550311"])
      expect(await found(`${list}?q=${encodeURIComponent("καλησπερα")}`)).toEqual(["5550311"])
      expect(await found(`${list}?q=strasse&phone=5550311`)).toEqual(["+49 30 5550311"])
      const page = await ask("GET", `${list}?phone=5550311&limit=1&offset=1`)
      expect([page.items.map(({ phone }) => phone), page.headers["x-total-count"]]).toEqual([["+49 30 5550311"], "2"])
      for (const wrong of ["q=%20", "q=", `q=${"x".repeat(101)}`, "phone="]) {
        expect((await ask("GET", `${list}?${wrong}`)).status, wrong).toBe(422)
      }
      expect((await ask("GET", `${list}?phone=5550311`, undefined, world.stranger)).items).toEqual([])
    })

    // Verifies: B-706.
    it("the list is a file that can be imported again", async () => {
      await ask("POST", list, { entries: [{ phone: "+1 415 555 0320", reason: '=1+"1", or so' }] })
      const all = (await ask("GET", `${list}?limit=500`)).items
      const exported = await ask("GET", `${list}.csv`)
      expect(exported.headers["content-type"]).toBe("text/csv; charset=utf-8")
      expect(exported.headers["content-disposition"]).toBe('attachment; filename="do-not-call.csv"')
      const [header, first, ...rest] = exported.text.trimEnd().split("\r\n")
      expect(header).toBe("phone,reason,created_at")
      expect(first).toMatch(/^'\+1 415 555 0320,"'=1\+""1"", or so",/)
      expect(first!.split(",").at(-1)).toMatch(utc)
      expect(rest).toHaveLength(all.length - 1)
      expect((await ask("GET", `${list}.csv?q=strasse`)).text.trimEnd().split("\r\n")).toHaveLength(2)
      expect((await ask("GET", `${list}.csv?phone=12`)).text).toBe("phone,reason,created_at\r\n")
      // Another account's list is empty, and becomes this one.
      const again = await importFile(exported.text, { dry_run: "false" }, world.stranger)
      expect(again.body).toMatchObject({ added: all.length, skipped: 0, total_now: all.length })
      expect((await importFile(exported.text)).body).toMatchObject({ added: 0, skipped: all.length })
    })

    // Verifies: B-707.
    it("a contact is created by itself, once for each number", async () => {
      const given = {
        phone: "+91 98765 43210",
        ...{ first_name: "Asha", last_name: "Rao", email: "asha@example.com", company: "Müller & Sons" },
        ...{ tags: ["lead", "VIP"], opted_in: true, custom: { plan: "gold" } }
      }
      const made = await ask("POST", contacts, given)
      expect(made.status, made.text).toBe(201)
      expect(made.body).toMatchObject({ ...given, id: expect.any(String), name: null, notes: null })
      expect((await ask("GET", `${contacts}/${String(made.body.id)}`)).body).toEqual(made.body)
      const bare = await ask("POST", contacts, { phone: "4155550330", name: null })
      expect(bare.body).toMatchObject({ tags: [], opted_in: false, custom: {}, name: null })
      const again = await ask("POST", contacts, { phone: "0091-98765-43210" })
      expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining(String(made.body.id))])
      const unusable = await ask("POST", contacts, { phone: "12" })
      expect([unusable.status, faultAt(unusable)]).toEqual([422, [["body", "phone"]]])
      for (const wrong of [
        {},
        { phone: "" },
        { phone: "4155550331", email: "no" },
        { phone: "4155550331", tags: null }
      ]) {
        expect((await ask("POST", contacts, wrong)).status, JSON.stringify(wrong)).toBe(422)
      }
      expect((await ask("POST", contacts, given, world.stranger)).status).toBe(201)
      const reader = await world.keyWith("contacts:read")
      expect((await ask("POST", contacts, { phone: "4155550332" }, reader)).status).toBe(403)
    })

    // Verifies: B-708.
    it("contacts are found by names, email and company, and by a tag", async () => {
      await ask("POST", contacts, { phone: "4155550340", name: "Ünal Straße", tags: ["lead"] })
      const asha = "+91 98765 43210"
      for (const text of ["ASHA", "rao", "asha rao", "ASHA@EXAMPLE", "müller", "MÜLLER & s"]) {
        expect(await found(`${contacts}?q=${encodeURIComponent(text)}`), text).toEqual([asha])
      }
      expect(await found(`${contacts}?q=%C3%BCnal%20strasse`)).toEqual(["4155550340"])
      expect(await found(`${contacts}?q=gold`)).toEqual([])
      expect(await found(`${contacts}?tag=lead`)).toEqual(["4155550340", asha])
      expect(await found(`${contacts}?tag=VIP`)).toEqual([asha])
      expect(await found(`${contacts}?tag=vip`)).toEqual([])
      expect(await found(`${contacts}?tag=lead&q=rao`)).toEqual([asha])
      expect(await found(`${contacts}?tag=lead&q=rao&phone=9876543210`)).toEqual([asha])
      expect(await found(`${contacts}?tag=other&phone=9876543210`)).toEqual([])
      for (const wrong of ["q=%20", `q=${"x".repeat(101)}`, "tag=", `tag=${"x".repeat(65)}`]) {
        expect((await ask("GET", `${contacts}?${wrong}`)).status, wrong).toBe(422)
      }
    })
  })
