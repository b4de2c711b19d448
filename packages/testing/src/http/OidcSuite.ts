/** Signing in with OpenID Connect: docs/reference/sign-in.md#oidc. Verifies: OIDC-1, OIDC-2, OIDC-3, OIDC-4. */
import { createTrunkline, type StorageProvider, type TrunklineOptions } from "@trunkline/core"
import { dashboardProvider } from "@trunkline/core/provider"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { client, type FakeIssuer, startIssuer } from "./FakeIssuer.ts"
import type { Answer } from "./HttpClient.ts"
import type { HttpWorld, Start } from "./HttpWorld.ts"
import { browserOf, cookieOf, invited, openPasswordWorld, testTime } from "./PasswordWorld.ts"

const start = "/api/v1/session/oidc"
const callback = `${start}/callback`

const publicUrl = "https://calls.example.com/phone"

const pages = dashboardProvider({
  english: {},
  options: { publicUrl },
  files: { make: () => ({}) as never, load: async () => new Map() }
})

const ada = { sub: "1", email: "Ada@Example.com", email_verified: true, name: "Ada", groups: ["staff", "ops"] }

export const oidcSuite = (name: string, serve: Start, storage: () => StorageProvider) =>
  describe(`single sign-on through ${name}`, () => {
    const { clock, pass } = testTime()
    let issuer: FakeIssuer
    let world: HttpWorld

    const oidc = () => ({
      issuer: issuer.issuer,
      clientId: client.id,
      clientSecret: client.secret,
      roles: { ops: "admin", staff: "member", bosses: "owner" } as const
    })

    beforeAll(async () => {
      issuer = await startIssuer(clock.now)
      world = await openPasswordWorld(serve, storage, {
        core: { clock, dashboard: pages, auth: { oidc: oidc() } },
        serve: { prefix: "/calling" }
      })
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
    })
    afterAll(() => Promise.all([world.close(), issuer.close()]))
    afterEach(() => {
      issuer.spoil({})
      issuer.userInfo({})
      issuer.setAway(false)
    })

    const begin = (place?: string): Promise<Answer> =>
      world.send("GET", place === undefined ? start : `${start}?return=${encodeURIComponent(place)}`, {
        headers: { "sec-fetch-site": "same-origin" }
      })

    /** A browser comes from the issuer's page: another site. */
    const back = (query: string, cookie: string | null): Promise<Answer> =>
      world.send("GET", `${callback}?${query}`, {
        headers: { "sec-fetch-site": "cross-site", ...(cookie === null ? {} : { cookie }) }
      })

    const signIn = async (claims: object, place?: string): Promise<Answer> => {
      const begun = await begin(place)
      return back(issuer.signIn(String(begun.headers.location), claims as Record<string, unknown>), cookieOf(begun))
    }

    const refused = (answer: Answer, fault: string) => {
      expect([answer.status, answer.headers.location]).toEqual([302, `../../../../dashboard/#/sign-in?error=${fault}`])
      expect(String(answer.headers["set-cookie"])).toContain("Max-Age=0")
    }

    const memberWith = async (email: string) => {
      const all = (await world.core.admin.listMembers(world.account)) as ReadonlyArray<{ email: string; role: string }>
      return all.find((one) => one.email.toLowerCase() === email.toLowerCase())
    }

    // Verifies: B-901.
    it("begins at the issuer with a code, a proof, a state and a nonce, which the browser keeps for ten minutes", async () => {
      const begun = await begin("#/campaigns")
      const address = new URL(String(begun.headers.location))
      expect([begun.status, address.origin, address.pathname]).toEqual([302, issuer.issuer, "/authorize"])
      expect(Object.fromEntries(address.searchParams)).toEqual({
        response_type: "code",
        client_id: "calls",
        redirect_uri: `${publicUrl}/api/v1/session/oidc/callback`,
        scope: "openid email profile",
        state: expect.stringMatching(/^[0-9a-f]{64}$/),
        nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: "S256"
      })
      expect(String(begun.headers["set-cookie"])).toMatch(/; HttpOnly; SameSite=Lax; Path=\/; Max-Age=600$/)
      const forged = await world.send("GET", start, { headers: { "sec-fetch-site": "cross-site" } })
      expect(forged.status).toBe(403)
    })

    // Verifies: B-902.
    it("signs in whom the issuer names, and goes to the place of the page that was asked for", async () => {
      const answer = await signIn(ada, "#/campaigns?q=ä b")
      expect([answer.status, answer.headers.location]).toEqual([302, "../../../../dashboard/#/campaigns?q=%C3%A4%20b"])
      expect(answer.headers["cache-control"]).toBe("no-store")
      const me = await browserOf(world, answer).send("GET", "/api/v1/me")
      expect(me.body).toMatchObject({ email: "Ada@Example.com", name: "Ada", role: "admin", sign_in: "session" })
      for (const place of [undefined, "https://evil.example", "//evil.example", "#\\evil", "/campaigns"])
        expect((await signIn(ada, place)).headers.location, place).toBe("../../../../dashboard/")
      expect(await world.core.admin.listMembers(world.account)).toHaveLength(1)
    })

    // Verifies: B-903.
    it("gives the strongest role of the claim at each sign-in, and lets nobody in without one", async () => {
      const eve = { ...ada, sub: "2", email: "eve@example.com", name: "Eve" }
      await signIn({ ...eve, groups: "staff" })
      expect(await memberWith("eve@example.com")).toMatchObject({ role: "member" })
      const browser = browserOf(world, await signIn({ ...eve, groups: ["staff", "bosses", "ops"] }))
      expect((await browser.send("GET", "/api/v1/me")).body.role).toBe("owner")
      refused(await signIn({ ...eve, groups: ["guests", "toString"] }), "not_allowed")
      refused(await signIn({ ...eve, sub: "3", email: "new@example.com", groups: [] }), "not_allowed")
      expect(await memberWith("new@example.com")).toBeUndefined()
      // The last active owner stays one.
      await signIn({ ...eve, groups: ["staff"] })
      expect(await memberWith("eve@example.com")).toMatchObject({ role: "owner" })
    })

    // Verifies: B-904.
    it("finds a member by the issuer's subject, and by an email that the issuer has verified", async () => {
      const max = await invited(world, "max@example.com", "viewer")
      const claims = { ...ada, sub: "4", email: "MAX@example.com", name: "Max", groups: ["staff"] }
      refused(await signIn({ ...claims, email_verified: false }), "oidc")
      const before = (await max.send("GET", "/api/v1/me")).body.subject
      const browser = browserOf(world, await signIn(claims))
      expect((await browser.send("GET", "/api/v1/me")).body).toMatchObject({ subject: before, role: "member" })
      // Another address of the same person.
      const moved = browserOf(world, await signIn({ ...claims, email: "maximilian@example.com" }))
      expect((await moved.send("GET", "/api/v1/me")).body).toMatchObject({ subject: before, email: "max@example.com" })
    })

    it("asks the issuer for claims that are not in the ID token", async () => {
      issuer.userInfo({ email: "zoe@example.com", email_verified: true, groups: ["ops"] })
      const browser = browserOf(world, await signIn({ sub: "5" }))
      expect((await browser.send("GET", "/api/v1/me")).body).toMatchObject({ email: "zoe@example.com", role: "admin" })
    })

    // Verifies: B-904.
    it("makes somebody anew who was removed, and whom the issuer still gives a role", async () => {
      const claims = { ...ada, sub: "8", email: "rob@example.com", name: "Rob", groups: ["staff"] }
      const browser = browserOf(world, await signIn(claims))
      const before = (await browser.send("GET", "/api/v1/me")).body.subject
      await world.core.admin.removeMember("rob@example.com")
      expect((await browser.send("GET", "/api/v1/me")).status).toBe(401)
      const { body } = await browserOf(world, await signIn(claims)).send("GET", "/api/v1/me")
      expect(body).toMatchObject({ email: "rob@example.com", name: "Rob", role: "member" })
      expect(body.subject).not.toBe(before)
      expect((await browser.send("GET", "/api/v1/me")).status).toBe(401)
    })

    // Verifies: B-905.
    it("signs nobody in where an ID token is not right", async () => {
      const at = Math.floor(clock.now() / 1000)
      const spoils = [
        { isForged: true },
        { claims: { iss: "https://evil.example" } },
        { claims: { aud: "somebody else" } },
        { claims: { nonce: "another" } },
        { claims: { exp: at - 600 } }
      ]
      for (const how of spoils) {
        issuer.spoil(how)
        refused(await signIn({ ...ada, sub: "6", email: "mallory@example.com" }), "oidc")
      }
      expect(await memberWith("mallory@example.com")).toBeUndefined()
    })

    // Verifies: B-906.
    it("signs nobody in without an attempt of the same browser, twice with one code, or after ten minutes", async () => {
      const one = await begin()
      const other = await begin()
      const query = issuer.signIn(String(one.headers.location), ada)
      refused(await back(query, null), "oidc")
      refused(await back(query, cookieOf(other)), "oidc")
      refused(await back(query.replace(/state=.*/, "state=guessed"), cookieOf(one)), "oidc")
      refused(await back("error=access_denied&error_description=%3Cb%3Eno&state=x", cookieOf(one)), "oidc")
      expect((await back(query, cookieOf(one))).headers.location).toBe("../../../../dashboard/")
      refused(await back(query, cookieOf(one)), "oidc")
      const late = await begin()
      pass(600)
      refused(await back(issuer.signIn(String(late.headers.location), ada), cookieOf(late)), "oidc")
    })

    it("leads back to the page where the issuer cannot be reached", async () => {
      const begun = await begin()
      const query = issuer.signIn(String(begun.headers.location), ada)
      issuer.setAway(true)
      refused(await back(query, cookieOf(begun)), "oidc")
    })

    // Verifies: B-907.
    it("lets in as many people as the plan has places", async () => {
      await world.core.admin.changeAccount(world.account, { plan: "free" })
      refused(await signIn({ ...ada, sub: "7", email: "one-more@example.com" }), "team_full")
      expect((await signIn(ada)).headers.location).toBe("../../../../dashboard/")
    })

    it("has a cookie for https alone where the browser has come over it", async () => {
      const begun = await world.send("GET", start, {
        headers: { "sec-fetch-site": "none", "x-forwarded-proto": "https" }
      })
      expect(String(begun.headers["set-cookie"])).toMatch(/^__Host-svc_session_[0-9a-f]{8}_oidc=.*; Secure$/)
    })

    // Verifies: B-908.
    it("fails the start where the issuer, the public URL or the people are missing", async () => {
      const opened = (options: Partial<TrunklineOptions>) =>
        createTrunkline({ storage: storage(), encryptionKey: "a key for the secrets of this test", ...options })
      const signInOn = { enabled: true } as const
      await expect(opened({ auth: { signIn: signInOn, oidc: oidc() } })).rejects.toThrow(
        "the public URL of the dashboard"
      )
      await expect(opened({ dashboard: pages, auth: { oidc: oidc() } })).rejects.toThrow("people who sign in here")
      const plain = { ...oidc(), issuer: "http://login.example.com" }
      await expect(opened({ dashboard: pages, auth: { signIn: signInOn, oidc: plain } })).rejects.toThrow("https://")
    })

    it("has no routes where no issuer is configured", async () => {
      const other = await openPasswordWorld(serve, storage)
      expect((await fetch(other.served.origin + start, { redirect: "manual" })).status).toBe(404)
      await other.close()
    })
  })
