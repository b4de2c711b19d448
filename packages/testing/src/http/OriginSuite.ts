/**
 * What a page of another origin may do with a host's cookie: nothing that changes anything, whatever the request looks like.
 * Verifies: ACCS-6.
 */
import type { HostPrincipal, StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Sent } from "./HttpClient.ts"
import { aCampaign, campaigns, type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"
import { upload } from "./Upload.ts"

type Headers = Readonly<Record<string, string>>

const listed = "https://app.example.com"

const crossSite: Headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }

const crossOrigin = expect.stringMatching(/made by a page of another origin.*auth\.allowed_origins/)

/** Requests that every page may send without asking: without a body, as a form, and as a text. */
const requests = (path: string): ReadonlyArray<readonly [method: string, path: string, sent: Sent, others: number]> => [
  ["POST", `${path}/contacts/${nobody}/approve`, {}, 404],
  ["POST", `/api/v1/telephony/calls/${nobody}/hangup`, {}, 404],
  ["POST", `/api/v1/webhooks/${nobody}/test`, {}, 404],
  ["DELETE", `${path}/contacts/import`, {}, 405],
  ["POST", campaigns, { json: { name: "A list" } }, 201],
  ["POST", `${path}/contacts/import`, people, 200]
]

const people: Sent = upload({
  fields: [
    ["column_map", JSON.stringify({ phone: "phone" })],
    ["dry_run", "false"],
    ["opted_in", "true"]
  ],
  file: new TextEncoder().encode("phone\n+14155550123\n"),
  fileName: "people.csv"
})

const withSignIn = (name: string, start: Start, storage: () => StorageProvider, parser: "none" | "before") =>
  describe(`other origins through ${name}${parser === "none" ? "" : " behind a body parser"}`, () => {
    let world: HttpWorld
    let person: HostPrincipal

    beforeAll(async () => {
      world = await openWorld(start, storage, {
        core: { auth: { allowedOrigins: [listed] } },
        serve: {
          prefix: "/calling",
          bodyParser: parser,
          authenticate: (header) => (header("cookie") === "session=ada" ? person : undefined)
        }
      })
      person = { accountId: world.account, subject: "ada", role: "owner" }
    })
    afterAll(() => world.close())

    const as = (headers: Headers, sent: Sent = {}): Sent => ({
      ...sent,
      headers: { cookie: "session=ada", ...sent.headers, ...headers }
    })
    const counted = async (path: string) =>
      (await world.send("GET", `${path}/contacts`, { key: world.key })).items.length

    // Verifies: D-283.
    it("are refused before anything has happened, without a body and with a form too", async () => {
      const path = await aCampaign(world)
      const before = (await world.send("GET", campaigns, { key: world.key })).items.length
      for (const [method, target, sent, others] of requests(path)) {
        const answer = await world.send(method, target, as(crossSite, sent))
        const whole = { status: answer.status, detail: answer.body.detail }
        if (others === 405) expect(whole.status).toBe(405)
        else expect(whole, `${method} ${target}`).toEqual({ status: 403, detail: crossOrigin })
      }
      expect(await counted(path)).toBe(0)
      expect((await world.send("GET", campaigns, { key: world.key })).items).toHaveLength(before)
    })

    it("are no concern of the host's own pages", async () => {
      const path = await aCampaign(world)
      for (const [method, target, sent, status] of requests(path)) {
        const own = { origin: world.served.origin, "sec-fetch-site": "same-origin" }
        expect((await world.send(method, target, as(own, sent))).status, `${method} ${target}`).toBe(status)
      }
      expect(await counted(path)).toBe(1)
    })

    const rows: ReadonlyArray<readonly [what: string, status: number, headers: () => Headers]> = [
      ["an address that a person has typed", 404, () => ({ "sec-fetch-site": "none" })],
      ["a page of the same site", 403, () => ({ "sec-fetch-site": "same-site", origin: "https://www.example.com" })],
      ["a page of another site that hides its origin", 403, () => ({ "sec-fetch-site": "cross-site", origin: "null" })],
      ["a listed page", 404, () => ({ "sec-fetch-site": "same-site", origin: listed })],
      ["a listed page in an old browser", 404, () => ({ origin: listed })],
      ["an own page in an old browser", 404, () => ({ origin: world.served.origin })],
      ["an own page behind a proxy", 404, () => ({ origin: "https://own.example", "x-forwarded-host": "own.example" })],
      ["an own page behind two", 404, () => ({ origin: "https://own.example", "x-forwarded-host": "own.example, b" })],
      ["another page behind a proxy", 403, () => ({ origin: world.served.origin, "x-forwarded-host": "own.example" })],
      ["another page in an old browser", 403, () => ({ origin: "https://evil.example" })],
      ["a page of another port in an old browser", 403, () => ({ origin: "http://127.0.0.1:1" })],
      ["a page without an origin in an old browser", 403, () => ({ origin: "null" })],
      ["no browser", 404, () => ({})],
      ["a program with a key", 404, () => ({ ...crossSite, authorization: `Bearer ${world.key}` })],
      ["a browser that sends a password along", 403, () => ({ ...crossSite, authorization: "Basic YWRhOmFkYQ==" })]
    ]

    it.each(rows)("%s gets %i for what changes something", async (_, status, headers) => {
      const target = `/api/v1/telephony/calls/${nobody}/hangup`
      expect((await world.send("POST", target, as(headers()))).status).toBe(status)
      expect((await world.send("GET", campaigns, as(headers()))).status).toBe(200)
    })

    it("are refused by the compatible send in the form that its callers know", async () => {
      const sent = as(crossSite, { json: { type: "text" } })
      const answer = await world.send("POST", "/api/v1/messaging/106540352242922/messages", sent)
      expect(answer.status).toBe(403)
      expect(JSON.stringify(answer.body.error)).toMatch(/page of another origin/)
    })

    it("may send a key as ever: no browser does so by itself", async () => {
      const answer = await world.send("POST", campaigns, { key: world.key, json: { name: "x" }, headers: crossSite })
      expect(answer.status).toBe(201)
    })
  })

export const originSuite = (name: string, start: Start, storage: () => StorageProvider) => {
  withSignIn(name, start, storage, "none")
  withSignIn(name, start, storage, "before")

  it(`through ${name} an operator may leave the origin to the host`, async () => {
    const world = await openWorld(start, storage, {
      core: { auth: { checkOrigin: false } },
      serve: { authenticate: () => ({ accountId: world.account, subject: "ada" }) }
    })
    try {
      const sent = { json: { name: "A list" }, headers: crossSite }
      expect((await world.send("POST", campaigns, sent)).status).toBe(201)
    } finally {
      await world.close()
    }
  })
}
