/** Members of an account: who invites, changes, removes and links whom. docs/reference/sign-in.md#members. Verifies: PEOP-6. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type HttpWorld, nobody, type Start } from "./HttpWorld.ts"
import { accept, type Browser, browserOf, invited, openPasswordWorld, owner, password } from "./PasswordWorld.ts"

const members = "/api/v1/members"

export const membersSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`members through ${name}`, () => {
    let world: HttpWorld
    let ada: Browser
    let eve: Browser
    let vera: Browser

    beforeAll(async () => {
      world = await openPasswordWorld(start, storage, { serve: { prefix: "/calling" } })
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
      ada = await owner(world)
      eve = await invited(world, "eve@example.com", "admin")
      vera = await invited(world, "vera@example.com", "viewer")
    })
    afterAll(() => world.close())

    const invite = (by: Browser, email: string, role = "member") => by.send("POST", members, { json: { email, role } })
    const idOf = async (email: string): Promise<string> =>
      ((await ada.send("GET", `${members}?q=${encodeURIComponent(email)}`)).items as ReadonlyArray<{ id: string }>)[0]!
        .id

    const newest = async () => (await ada.send("GET", "/api/v1/audit?limit=1")).items[0]

    // Verifies: B-316.
    it("are listed for every person of the account, newest first, and found by name and email", async () => {
      const all = await vera.send("GET", members)
      expect([all.status, all.headers["x-total-count"]]).toEqual([200, "3"])
      expect(all.items).toEqual([
        expect.objectContaining({ email: "vera@example.com", role: "viewer", status: "active" }),
        expect.objectContaining({ email: "eve@example.com", role: "admin" }),
        expect.objectContaining({ email: "ada@example.com", name: "Ada", role: "owner" })
      ])
      expect((await vera.send("GET", `${members}?limit=1&offset=1`)).items).toEqual([all.items[1]])
      expect((await vera.send("GET", `${members}?q=%20ADA%20`)).items).toEqual([all.items[2]])
      expect((await vera.send("GET", `${members}?q=%20`)).status).toBe(422)
      expect((await world.send("GET", members, { key: world.key })).status).toBe(403)
      expect((await world.send("GET", members)).status).toBe(401)
    })

    it("are invited by owners and admins, with a link that is shown once", async () => {
      const made = await invite(ada, "New@Example.com")
      expect([made.status, made.body.status, made.body.email]).toEqual([201, "invited", "New@Example.com"])
      const address = String(made.body.link)
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/calling\/dashboard\/#link=lnk_[0-9A-Za-z]{40}$/)
      const list = await ada.send("GET", members)
      expect(list.text).not.toContain("lnk_")
      expect((await accept(world, address.split("link=")[1]!)).status).toBe(201)
      for (const [by, status] of [
        [vera, 403],
        [eve, 201]
      ] as const) {
        expect((await invite(by, `${status}@example.com`)).status).toBe(status)
      }
      expect(
        (await world.send("POST", members, { key: world.key, json: { email: "a@b", role: "viewer" } })).status
      ).toBe(403)
      for (const json of [
        { email: "no email", role: "viewer" },
        { email: `${"a".repeat(250)}@b.co`, role: "viewer" },
        { email: "a@b", role: "read_only" },
        { email: "a@b" }
      ]) {
        expect((await ada.send("POST", members, { json })).status, JSON.stringify(json)).toBe(422)
      }
    })

    // Verifies: B-317.
    it("have an email that nobody else of the installation has", async () => {
      const taken = await invite(ada, "VERA@example.com")
      expect([taken.status, taken.headers["x-service-error"]]).toEqual([409, "email_taken"])
      const other = await world.core.admin.createAccount({ name: "Other" })
      await expect(world.core.admin.createMember(other.id, { email: "vera@example.com" })).rejects.toMatchObject({
        code: "email_taken"
      })
      const emails = Array.from({ length: 4 }, () => invite(ada, "same@example.com"))
      expect((await Promise.all(emails)).map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    })

    it("come in as far as the plan has places, however many are invited at a time", async () => {
      const { id } = await world.core.admin.createAccount({ name: "Small", plan: "starter" })
      for (const n of [1, 2, 3]) await world.core.admin.createMember(id, { email: `early${n}@example.com` })
      const asked = Array.from({ length: 6 }, (_, n) =>
        world.core.admin.createMember(id, { email: `late${n}@example.com` }).then(
          () => "in",
          (error: { readonly code: string; readonly message: string }) => `${error.code} ${/\b5\b/.test(error.message)}`
        )
      )
      expect((await Promise.all(asked)).sort()).toEqual(["in", "in", ...Array(4).fill("team_full true")])
      const key = (await world.core.admin.createKey(id)).text
      const plan = (await world.send("GET", "/v1/usage/plan", { key })).body as { counters: { team_members: object } }
      expect(plan.counters.team_members).toEqual({ used: 5, limit: 5 })
      // A smaller plan removes nobody.
      await world.core.admin.changeAccount(id, { plan: "free" })
      expect(await world.core.admin.listMembers(id)).toHaveLength(5)
    })

    it("are changed and removed, and an admin does neither to an owner", async () => {
      const of = `${members}/${await idOf("vera@")}`
      const changed = await eve.send("PATCH", of, { json: { role: "member", name: "Vera" } })
      expect([changed.status, changed.body.role, changed.body.name]).toEqual([200, "member", "Vera"])
      const by = { actor: `user:${await idOf("eve@")}`, target_id: changed.body.id, target_name: "Vera" }
      expect(await newest()).toMatchObject({ action: "member.change", ...by })
      const own = `${members}/${await idOf("ada@")}`
      for (const [method, path, json] of [
        ["PATCH", own, { name: "x" }],
        ["PATCH", of, { role: "owner" }],
        ["DELETE", own, undefined],
        ["POST", `${own}/link`, undefined]
      ] as const) {
        const refused = await eve.send(method, path, json === undefined ? {} : { json })
        expect([refused.status, refused.headers["x-service-error"]], `${method} ${path}`).toEqual([403, "owners_alone"])
      }
      expect((await invite(eve, "boss@example.com", "owner")).status).toBe(403)
      expect((await vera.send("PATCH", of, { json: { role: "owner" } })).status).toBe(403)
      expect((await eve.send("DELETE", of)).status).toBe(204)
      expect(await newest()).toMatchObject({ action: "member.delete", ...by })
      expect((await vera.send("GET", members)).status).toBe(401)
      expect((await eve.send("DELETE", of)).status).toBe(404)
      expect((await invite(ada, "vera@example.com")).status).toBe(201)
    })

    it("get new links, of which the last one works", async () => {
      const { body } = await invite(ada, "linked@example.com")
      const path = `${members}/${body.id}/link`
      const first = await eve.send("POST", path)
      expect([first.status, first.body.purpose]).toEqual([201, "invitation"])
      expect(await newest()).toMatchObject({ action: "member.link", target_id: body.id })
      const second = await eve.send("POST", path)
      const token = (answer: typeof first) => String(answer.body.url).split("link=")[1]!
      expect((await accept(world, token(first))).status).toBe(404)
      expect((await accept(world, token(second))).status).toBe(201)
      expect((await eve.send("POST", path)).body.purpose).toBe("reset")
    })

    it("keep one active owner, also where two remove or demote each other", async () => {
      const { id } = await world.core.admin.createAccount({ name: "Two owners" })
      const { token } = await world.core.admin.createOwnerLink(id)
      const one = browserOf(world, await accept(world, token, { email: "one@example.com" }))
      const { link } = await world.core.admin.createMember(id, { email: "two@example.com", role: "owner" })
      const mine = `${members}/${(await one.send("GET", "/api/v1/me")).body.subject}`
      for (const [method, json] of [
        ["DELETE", undefined],
        ["PATCH", { role: "admin" }]
      ] as const) {
        const last = await one.send(method, mine, json === undefined ? {} : { json })
        expect([last.status, last.headers["x-service-error"]]).toEqual([409, "last_owner"])
      }
      const two = browserOf(world, await accept(world, link.token, { password }))
      const others = `${members}/${(await two.send("GET", "/api/v1/me")).body.subject}`
      const both = await Promise.all([
        one.send("DELETE", others),
        two.send("PATCH", mine, { json: { role: "viewer" } })
      ])
      // The one who came second is no owner any more, is gone, or would take the last one.
      expect(both.filter(({ status }) => status < 300)).toHaveLength(1)
      const left = await world.core.admin.listMembers(id)
      expect(left.filter(({ role, status }) => role === "owner" && status === "active")).toHaveLength(1)
    })

    it("are unknown to other accounts", async () => {
      const { id } = await world.core.admin.createAccount({ name: "Stranger" })
      const { token } = await world.core.admin.createOwnerLink(id)
      const stranger = browserOf(world, await accept(world, token, { email: "stranger@example.com" }))
      expect((await stranger.send("GET", members)).items).toHaveLength(1)
      for (const of of [await idOf("eve@"), nobody]) {
        expect((await stranger.send("PATCH", `${members}/${of}`, { json: { name: "x" } })).status).toBe(404)
        expect((await stranger.send("DELETE", `${members}/${of}`)).status).toBe(404)
        expect((await stranger.send("POST", `${members}/${of}/link`)).status).toBe(404)
      }
    })

    it("stand in the audit log with those who have changed them", async () => {
      const entries = await world.core.admin.audit(world.account, { limit: 500 })
      const said = new Set(entries.map(({ action, actorName }) => `${action} ${actorName}`))
      for (const one of ["member.create Ada", "member.change null", "member.delete null", "member.link null"]) {
        expect([...said]).toContain(one)
      }
    })
  })
