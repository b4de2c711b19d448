/** Signing in with a password or a link, and out again: docs/reference/sign-in.md. Verifies: PEOP-2, PEOP-3, PEOP-4, PEOP-5. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { campaigns, type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"
import {
  accept,
  type Browser,
  browserOf,
  cookieOf,
  invited,
  openPasswordWorld,
  owner,
  password,
  signIn,
  type TestTime,
  testTime
} from "./PasswordWorld.ts"

const session = "/api/v1/session"
const sessions = "/api/v1/sessions"
const me = "/api/v1/me"

export const sessionsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`sign-in with a password through ${name}`, () => {
    let world: HttpWorld
    let ada: Browser
    const time: TestTime = testTime()
    const second = 1
    const hour = 3600 * second

    beforeAll(async () => {
      world = await openPasswordWorld(start, storage, { core: { clock: time.clock } })
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
      ada = await owner(world)
    })
    afterAll(() => world.close())

    const statusOf = async (browser: Browser, path = campaigns) => (await browser.send("GET", path)).status

    it("begins with a link that makes the first owner, who can ask who they are", async () => {
      const { body, status } = await ada.send("GET", me)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        kind: "person",
        name: "Ada",
        email: "ada@example.com",
        role: "owner",
        sign_in: "session",
        account: { id: world.account, name: "Account", plan: "enterprise" }
      })
      expect(body.scopes).toContain("members:manage")
      expect(Date.parse(String(body.expires_at)) - time.clock.now()).toBe(12 * hour * 1000)
    })

    // Verifies: B-801.
    it("says who is signed in, and where nobody is, no error that a browser would note", async () => {
      const known = await ada.send("GET", session)
      expect([known.status, known.body]).toEqual([200, (await ada.send("GET", me)).body])
      for (const headers of [{}, { cookie: ada.cookie.replace(/=.*/, `=${"0".repeat(64)}`) }]) {
        const { status, text } = await world.send("GET", session, { headers })
        expect([status, text]).toEqual([204, ""])
      }
      const elsewhere = { cookie: ada.cookie, "sec-fetch-site": "cross-site" }
      expect((await world.send("GET", session, { headers: elsewhere })).status).toBe(403)
    })

    // Verifies: B-308.
    it("says what a link is for, and uses nothing up", async () => {
      const { link } = await world.core.admin.createMember(world.account, {
        email: "Grace@Example.com",
        role: "viewer",
        name: "Grace"
      })
      for (const _ of [1, 2]) {
        const { body, status } = await world.send("POST", `${session}/link`, { json: { token: link.token } })
        expect(status).toBe(200)
        expect(body).toEqual({
          purpose: "invitation",
          email: "Grace@Example.com",
          name: "Grace",
          role: "viewer",
          account_name: "Account",
          expires_at: new Date(time.clock.now() + 7 * 24 * hour * 1000).toISOString()
        })
      }
      const [one, other] = await Promise.all([accept(world, link.token), accept(world, link.token)])
      expect([one.status, other.status].sort()).toEqual([201, 404])
      expect((await world.send("POST", `${session}/link`, { json: { token: link.token } })).status).toBe(404)
      expect((await world.send("POST", `${session}/link`, { json: { token: "lnk_nothing" } })).body.detail).toMatch(
        /link/
      )
    })

    // Verifies: B-308.
    it("takes a link until it expires, or a newer one takes its place", async () => {
      const { link } = await world.core.admin.createMember(world.account, { email: "late@example.com" })
      const newer = await world.core.admin.createMemberLink("LATE@example.com")
      expect((await accept(world, link.token)).status).toBe(404)
      time.pass(7 * 24 * hour)
      expect((await accept(world, newer.token)).status).toBe(404)
      const last = await world.core.admin.createMemberLink("late@example.com")
      expect((await accept(world, last.token, { email: "ignored" })).body.email).toBe("late@example.com")
      ada = browserOf(world, await signIn(world, "ada@example.com"))
    })

    it("asks the first owner for an email, and nobody else", async () => {
      const { id } = await world.core.admin.createAccount({ name: "New" })
      const { token } = await world.core.admin.createOwnerLink(id)
      for (const more of [{}, { email: "no email" }]) {
        const refused = await accept(world, token, more)
        expect(refused.status).toBe(422)
        expect(refused.body.detail).toEqual([expect.objectContaining({ loc: ["body", "email"] })])
      }
      expect((await accept(world, token, { email: "ADA@example.com" })).status).toBe(409)
      const other = await world.core.admin.createOwnerLink(id)
      expect((await accept(world, token, { email: "first@example.com" })).status).toBe(201)
      // When one is used all links of this kind are void.
      expect((await accept(world, other.token, { email: "second@example.com" })).status).toBe(404)
      await expect(world.core.admin.createOwnerLink(id)).rejects.toMatchObject({ code: "members_exist" })
    })

    // Verifies: B-309.
    it("takes passwords of 12 to 1024 characters, whatever they are", async () => {
      const { link } = await world.core.admin.createMember(world.account, { email: "short@example.com" })
      for (const wrong of ["elevenchars", "😀".repeat(11), "x".repeat(1025)]) {
        const refused = await accept(world, link.token, { password: wrong })
        expect(refused.status).toBe(422)
        expect(refused.body.detail).toEqual([expect.objectContaining({ loc: ["body", "password"] })])
      }
      expect((await accept(world, link.token, { password: "😀".repeat(12) })).status).toBe(201)
    })

    // Verifies: B-310.
    it("answers a wrong password, an unknown email, an invited and a removed member alike", async () => {
      const world = await openPasswordWorld(start, storage, { hasCostlyPasswords: true })
      onTestFinished(() => world.close())
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
      await owner(world)
      await world.core.admin.createMember(world.account, { email: "invited@example.com" })
      await invited(world, "removed@example.com", "viewer")
      await world.core.admin.removeMember("removed@example.com")
      const right = await signIn(world, " ADA@Example.COM")
      expect([right.status, right.body.email]).toEqual([201, "ada@example.com"])
      const answers = []
      for (const email of ["ada@example.com", "unknown@example.com", "invited@example.com", "removed@example.com"]) {
        const given = email === "removed@example.com" ? password : `${password}!`
        const begun = performance.now()
        const { headers, status, text } = await signIn(world, email, given)
        answers.push({ status, text, code: headers["x-service-error"], cookie: headers["set-cookie"] })
        // A scrypt takes many times as long as everything else.
        expect(performance.now() - begun).toBeGreaterThan(50)
      }
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
      expect(answers[0]).toMatchObject({ status: 401, code: "sign_in_refused", cookie: undefined })
    })

    // Verifies: B-311.
    it("gives each sign-in a cookie of its own, which scripts and other sites do not get", async () => {
      const [one, other] = [await signIn(world, "ada@example.com"), await signIn(world, "ada@example.com")]
      const [header] = [one.headers["set-cookie"]].flat()
      expect(header).toMatch(/^svc_session_[0-9a-f]{8}=[0-9a-f]{64}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=2592000$/)
      expect(cookieOf(other)).not.toBe(cookieOf(one))
      const https = await signIn(world, "ada@example.com", password, { headers: { "x-forwarded-proto": "https" } })
      expect([https.headers["set-cookie"]].flat()[0]).toMatch(
        /^__Host-svc_session_[0-9a-f]{8}=[0-9a-f]{64}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=2592000; Secure$/
      )
      const cookie = cookieOf(https)!
      const overHttps = { cookie, "x-forwarded-proto": "https" }
      expect((await world.send("GET", me, { headers: overHttps })).status).toBe(200)
      expect((await world.send("GET", me, { headers: { cookie } })).status).toBe(401)
      // What a page without https has planted counts for nothing.
      const planted = { cookie: cookieOf(one)!, "x-forwarded-proto": "https" }
      expect((await world.send("GET", me, { headers: planted })).status).toBe(401)
    })

    // Verifies: B-304, B-305.
    it("counts wherever a token does, after the Authorization header", async () => {
      expect(await statusOf(ada, "/v1/models")).toBe(200)
      expect(await statusOf(ada, "/v1/usage/summary")).toBe(200)
      for (const [method, path] of [
        ["POST", "/v1/voice/sessions"],
        ["POST", "/v1/chat/completions"],
        ["GET", "/v1/files"]
      ] as const) {
        expect((await ada.send(method, path, method === "POST" ? { json: {} } : {})).status, path).toBe(401)
      }
      const { body } = await ada.send("GET", me, { key: world.key })
      expect(body.kind).toBe("key")
      for (const authorization of ["Bearer wrong", "Bearer ", "Basic YTpi", ""]) {
        expect((await ada.send("GET", me, { headers: { authorization } })).status, authorization).toBe(401)
      }
    })

    // Verifies: B-313.
    it("is over after 12 hours without a request, and after 30 days at the latest", async () => {
      const idle = browserOf(world, await signIn(world, "ada@example.com"))
      time.pass(12 * hour - 1)
      expect(await statusOf(idle)).toBe(200)
      time.pass(12 * hour)
      const over = await idle.send("GET", campaigns)
      expect([over.status, over.body.detail]).toEqual([401, "Your session is over. Sign in again."])
      const used = browserOf(world, await signIn(world, "ada@example.com"))
      for (let hours = 0; hours < 30 * 24; hours += 10) {
        expect(await statusOf(used, me), `${hours} hours`).toBe(200)
        time.pass(10 * hour)
      }
      expect(await statusOf(used)).toBe(401)
      ada = browserOf(world, await signIn(world, "ada@example.com"))
    })

    // Verifies: B-313.
    it("ends at once: by sign-out, removal, and a changed role holds from the next request", async () => {
      const eve = await invited(world, "eve@example.com", "member")
      const again = browserOf(world, await signIn(world, "eve@example.com"))
      const out = await eve.send("DELETE", session)
      expect(out.status).toBe(204)
      expect([out.headers["set-cookie"]].flat()[0]).toMatch(/^svc_session_[0-9a-f]{8}=; .*Max-Age=0; Expires=/)
      expect([await statusOf(eve), await statusOf(again)]).toEqual([401, 200])
      expect((await world.send("DELETE", session)).status).toBe(204)
      const create = () => again.send("POST", campaigns, { json: { name: "A list" } })
      expect((await create()).status).toBe(201)
      await world.core.admin.changeMember("eve@example.com", { role: "viewer" })
      expect((await create()).status).toBe(403)
      await world.core.admin.removeMember("eve@example.com")
      expect(await statusOf(again)).toBe(401)
    })

    // Verifies: B-314.
    it("shows one's own sessions, and ends them", async () => {
      const [first, second] = [
        await invited(world, "two@example.com", "viewer"),
        await signIn(world, "two@example.com")
      ]
      const other = browserOf(world, second)
      const mine = await first.send("GET", sessions)
      expect(mine.headers["x-total-count"]).toBe("2")
      expect(mine.items).toEqual([
        expect.objectContaining({ current: false }),
        expect.objectContaining({ current: true, created_at: new Date(time.clock.now()).toISOString() })
      ])
      const [newest] = mine.items as ReadonlyArray<{ readonly id: string }>
      expect((await ada.send("DELETE", `${sessions}/${newest!.id}`)).status).toBe(404)
      expect((await first.send("DELETE", `${sessions}/${newest!.id}`)).status).toBe(204)
      expect([await statusOf(other), await statusOf(first)]).toEqual([401, 200])
      expect((await first.send("DELETE", `${sessions}/${newest!.id}`)).status).toBe(404)
      for (const [method, path, json] of [
        ["GET", sessions, undefined],
        ["DELETE", `${sessions}/${nobody}`, undefined],
        ["PATCH", me, { name: "x" }],
        ["POST", `${me}/password`, { current_password: password, password }]
      ] as const) {
        const refused = await world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }) })
        expect(refused.status, path).toBe(403)
      }
    })

    // Verifies: B-313, B-314.
    it("lets people change their own name and password, which ends their other sessions", async () => {
      const [first, second] = [
        await invited(world, "own@example.com", "viewer"),
        await signIn(world, "own@example.com")
      ]
      const other = browserOf(world, second)
      const reset = await world.core.admin.createMemberLink("own@example.com")
      expect((await first.send("PATCH", me, { json: { name: "Own" } })).body.name).toBe("Own")
      const change = (current: string, next: string) =>
        first.send("POST", `${me}/password`, { json: { current_password: current, password: next } })
      const wrong = await change("not the password", "another long sentence")
      expect(wrong.status).toBe(422)
      expect(wrong.body.detail).toEqual([expect.objectContaining({ loc: ["body", "current_password"] })])
      expect((await change(password, "too short")).status).toBe(422)
      expect((await change(password, "another long sentence")).status).toBe(204)
      expect([await statusOf(first), await statusOf(other)]).toEqual([200, 401])
      expect((await accept(world, reset.token)).status).toBe(404)
      expect((await signIn(world, "own@example.com")).status).toBe(401)
      expect((await signIn(world, "own@example.com", "another long sentence")).status).toBe(201)
    })

    it("takes a reset in place of a lost password, which ends all sessions", async () => {
      const lost = await invited(world, "lost@example.com", "viewer")
      const reset = await world.core.admin.createMemberLink("lost@example.com")
      expect(reset.purpose).toBe("reset")
      const back = browserOf(world, await accept(world, reset.token, { password: "a third long sentence" }))
      expect([await statusOf(lost), await statusOf(back)]).toEqual([401, 200])
    })

    // Verifies: B-312.
    it("refuses an email after 10 failures for a quarter of an hour, with the right password too", async () => {
      await invited(world, "tries@example.com", "viewer")
      for (let nth = 1; nth <= 9; nth++) expect((await signIn(world, "tries@example.com", "wrong")).status).toBe(401)
      // A success forgets them.
      expect((await signIn(world, "tries@example.com")).status).toBe(201)
      for (let nth = 1; nth <= 10; nth++) expect((await signIn(world, "TRIES@example.com", "wrong")).status).toBe(401)
      time.pass(60)
      const refused = await signIn(world, "tries@example.com")
      expect([refused.status, refused.headers["retry-after"]]).toEqual([429, String(14 * 60)])
      expect((await signIn(world, "ada@example.com")).status).toBe(201)
      time.pass(14 * 60)
      expect((await signIn(world, "tries@example.com")).status).toBe(201)
    })

    // Verifies: B-312.
    it("refuses an address after 50 failures, of links too", async () => {
      time.pass(hour)
      const failing = () => world.send("POST", `${session}/link`, { json: { token: "lnk_unknown" }, from: "127.0.0.9" })
      for (let nth = 1; nth <= 49; nth++) expect((await failing()).status).toBe(404)
      expect((await signIn(world, "nobody@example.com", "wrong", { from: "127.0.0.9" })).status).toBe(401)
      expect((await failing()).status).toBe(429)
      expect((await signIn(world, "ada@example.com", password, { from: "127.0.0.9" })).status).toBe(429)
      expect((await signIn(world, "ada@example.com")).status).toBe(201)
    })

    // Verifies: B-315.
    it("writes who has signed in and out to the audit log, and shows no secret", async () => {
      const secret = "a sentence that nobody may see"
      const { link } = await world.core.admin.createMember(world.account, { email: "quiet@example.com" })
      const answer = await accept(world, link.token, { password: secret, name: "Quiet" })
      const quiet = browserOf(world, answer)
      const value = quiet.cookie.split("=")[1]!
      const shown = [answer.text]
      for (const path of [me, sessions, "/api/v1/members"]) shown.push((await quiet.send("GET", path)).text)
      shown.push((await signIn(world, "quiet@example.com", `${secret}!`)).text)
      await quiet.send("DELETE", session)
      const entries = await world.core.admin.audit(world.account)
      expect(entries.slice(0, 5).map(({ action, actorName }) => [action, actorName])).toEqual([
        ["session.delete", "Quiet"],
        ["session.create", "Quiet"],
        ["member.password", "Quiet"],
        ["member.create", null],
        ["session.create", "Ada"]
      ])
      const everything = JSON.stringify([shown, entries, world.log])
      for (const hidden of [secret, link.token, value]) expect(everything).not.toContain(hidden)
      expect(everything).not.toMatch(/scrypt\.|"digest"|"password":"/)
    })
  })

/** In the library nothing of this is there unless a host wants it. */
export const noSessionsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  it(`without sign-in the routes of members and sessions through ${name} are unknown paths`, async () => {
    const world = await openWorld(start, storage)
    try {
      for (const path of [session, `${session}/link`, sessions, `${sessions}/${nobody}`, "/api/v1/members"]) {
        expect((await world.host("GET", path, { key: world.key })).status, path).toBe(404)
      }
      expect(
        Object.keys(world.core.openapi().paths as object).filter((path) => /\/api\/v1\/(session|members)/.test(path))
      ).toEqual([])
      expect((await world.send("GET", me, { key: world.key, headers: { cookie: "svc_session=x" } })).status).toBe(200)
    } finally {
      await world.close()
    }
  })
