/** What a page of another origin may do with the cookie of a session: nothing that changes anything. Verifies: ACCS-6. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { campaigns, type HttpWorld, type Start } from "./HttpWorld.ts"
import { type Browser, openPasswordWorld, owner, signIn } from "./PasswordWorld.ts"

type Headers = Readonly<Record<string, string>>

const evil = "https://evil.example"

export const sessionOriginSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`sessions and other origins through ${name}`, () => {
    let world: HttpWorld
    let ada: Browser

    beforeAll(async () => {
      world = await openPasswordWorld(start, storage, {
        // Neither of the two turns the check of sessions off.
        core: { auth: { checkOrigin: false, allowedOrigins: [evil] } },
        serve: { prefix: "/calling" }
      })
      ada = await owner(world)
    })
    afterAll(() => world.close())

    const rows: ReadonlyArray<readonly [what: string, own: boolean, headers: () => Headers]> = [
      ["an own page", true, () => ({ "sec-fetch-site": "same-origin", origin: world.served.origin })],
      ["an own page that hides its origin", true, () => ({ "sec-fetch-site": "same-origin" })],
      ["an address that a person has typed", true, () => ({ "sec-fetch-site": "none" })],
      ["a page of another site", false, () => ({ "sec-fetch-site": "cross-site", origin: evil })],
      ["a page of another site that hides its origin", false, () => ({ "sec-fetch-site": "cross-site" })],
      ["a page of the same site", false, () => ({ "sec-fetch-site": "same-site", origin: world.served.origin })],
      ["an own page in an old browser", true, () => ({ origin: world.served.origin })],
      [
        "an own page behind a proxy",
        true,
        () => ({ origin: "https://own.example", "x-forwarded-host": "own.example" })
      ],
      [
        "another page behind a proxy",
        false,
        () => ({ origin: world.served.origin, "x-forwarded-host": "own.example" })
      ],
      ["another page in an old browser", false, () => ({ origin: evil })],
      ["a page without an origin in an old browser", false, () => ({ origin: "null" })],
      ["no browser", true, () => ({})]
    ]

    // Verifies: B-306.
    it.each(rows)("%s may write and sign out and in: %s", async (_, own, headers) => {
      const { cookie } = ada
      const counted = async () => (await world.send("GET", campaigns, { key: world.key })).items.length
      const before = await counted()
      const sent = { headers: { cookie, ...headers() }, json: { name: "A list" } }
      expect((await world.send("POST", campaigns, sent)).status).toBe(own ? 201 : 403)
      expect((await world.send("GET", campaigns, { headers: sent.headers })).status).toBe(200)
      expect(await counted()).toBe(before + (own ? 1 : 0))
      const link = { json: { token: "lnk_unknown" }, headers: headers() }
      expect((await world.send("POST", "/api/v1/session/link", link)).status).toBe(own ? 404 : 403)
      const withKey = { ...link, key: world.key }
      expect((await world.send("POST", "/api/v1/session/link", withKey)).status).toBe(own ? 404 : 403)
      if (own) return
      const refused = await world.send("DELETE", "/api/v1/session", { headers: sent.headers })
      expect([refused.status, refused.headers["x-service-error"], refused.headers["set-cookie"]]).toEqual([
        403,
        "cross_origin",
        undefined
      ])
      expect((await signIn(world, "ada@example.com", "x", { headers: headers() })).status).toBe(403)
      // A bearer is sent by programs alone.
      expect((await world.send("POST", campaigns, { ...sent, key: world.key })).status).toBe(201)
      expect((await ada.send("GET", "/api/v1/me")).status).toBe(200)
    })
  })
