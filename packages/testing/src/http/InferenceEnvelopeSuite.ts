/**
 * What surrounds every route of `/v1/*`: who is let in, in which order refusals come, what the headers say, and the
 * envelope. Verifies: INFE-1, HTTP-4, ACCS-3.
 */
import type { KeyOptions, StorageProvider, TrunklineOptions } from "@trunkline/core"
import { Ids, Instant } from "@trunkline/core/effect"
import type { AccountChange } from "@trunkline/core/testing"
import { Tokens } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"

const summary = "/v1/usage/summary"
const logs = "/v1/usage/logs"
const csv = "/v1/usage/logs.csv"
const sessions = "/v1/voice/sessions"

const secret = "a secret that tokens are signed with"

/** An owner's token that was good for a second, in 1970. */
const expiredToken = (account: string): Promise<string> =>
  Effect.runPromise(
    Tokens.sign(
      {
        secret: new TextEncoder().encode(secret),
        keySet: null,
        claims: { subject: "sub", name: "name", account: "tenant_id", role: "role" },
        issuer: null,
        audiences: [],
        roles: new Map()
      },
      { subject: "operator", account: Ids.as(account), role: "owner", name: null },
      { issuedAt: Instant.make(0), expiresAt: Instant.make(Instant.second) }
    ).pipe(Effect.mapError(({ detail }) => new Error(detail)))
  )

const errorOf = ({ body }: Answer) => body.error as Fields
const statusAndCode = (answer: Answer) => [answer.status, errorOf(answer)?.code]
const rates = ({ headers }: Answer) =>
  ["limit", "remaining", "reset"].map((name) => {
    const text = headers[`x-ratelimit-${name}`]
    return text === undefined ? null : Number(text)
  })

export const inferenceEnvelopeSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the edge of inference through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage, {
        core: { auth: { jwt: { secret } }, clock: { now, speed: 1 } }
      })
    })
    afterAll(() => world.close())

    let passed = 0
    const now = () => Date.now() + passed
    /** A key that expires is made, and its time goes by. */
    const expired = async <A>(make: (expiry: Pick<KeyOptions, "expiresAt">) => Promise<A>): Promise<A> => {
      const made = await make({ expiresAt: new Date(now() + 60_000) })
      passed += 60_000
      return made
    }

    const within = async (core: Partial<TrunklineOptions>, use: (other: HttpWorld) => Promise<void>) => {
      const other = await openWorld(start, storage, { core })
      try {
        await use(other)
      } finally {
        await other.close()
      }
    }

    /** A key of an account of its own. */
    const keyOf = async (options: KeyOptions = {}, change: AccountChange = {}) => {
      const { admin } = world.core
      const { id } = await admin.createAccount({ name: "Judged" })
      const key = await admin.createKey(id, options)
      await admin.changeAccount(id, change)
      return { account: id, id: key.id, key: key.text }
    }

    const ask = (path: string, sent: Sent = {}) => world.send("GET", path, sent)
    const asKey = async (options: KeyOptions, change: AccountChange = {}, sent: Sent = {}) =>
      ask(summary, { key: (await keyOf(options, change)).key, ...sent })

    describe("keys, accounts and permissions", () => {
      // Verifies: G-10, G-151, H-124.
      it("has message, type, code and field in every refusal", async () => {
        const answer = await ask(summary)
        expect(answer.body).toEqual({
          error: {
            message: expect.stringMatching(/API key/),
            type: "authentication_error",
            code: "invalid_api_key",
            param: null
          }
        })
        expect(answer.headers["www-authenticate"]).toBe("Bearer")
        expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/)
        const own = await ask(summary, { headers: { "x-request-id": "mine-1" } })
        expect(own.headers["x-request-id"]).toBe("mine-1")
      })

      // Verifies: G-32, G-135, G-144, G-160, G-170, G-171.
      it("accepts known keys that have not expired: 401 for all others", async () => {
        const revoked = await keyOf()
        await world.core.admin.revokeKey(revoked.id)
        for (const key of ["svc_unknown", "", "svc_", "nonsense", revoked.key]) {
          expect(statusAndCode(await ask(summary, { key })), key).toEqual([401, "invalid_api_key"])
        }
        for (const authorization of ["Basic YTpi", "Bearer", world.key]) {
          expect(statusAndCode(await ask(summary, { headers: { authorization } }))).toEqual([401, "invalid_api_key"])
        }
        const ended = await ask(summary, { key: (await expired(keyOf)).key })
        expect(statusAndCode(ended)).toEqual([401, "api_key_expired"])
        expect(errorOf(ended).message).toMatch(/expired at \d{4}-/)
        expect(rates(ended)).toEqual([null, null, null])
      })

      // Verifies: H-91, H-138.
      it("accepts owners and admins on the usage routes, and signed-in persons elsewhere only for reading models", async () => {
        const { admin } = world.core
        const tokenOf = async (role: string) => (await admin.createToken(world.account, { role })).token
        for (const [role, status] of [
          ["owner", 200],
          ["admin", 200],
          ["member", 403],
          ["viewer", 403],
          ["anything", 403]
        ] as const) {
          const key = await tokenOf(role)
          for (const path of [summary, logs, csv]) {
            const answer = await ask(path, { key })
            expect(answer.status, `${role} ${path}`).toBe(status)
            if (status === 403) expect(errorOf(answer).code).toBe("permission_denied")
            expect(rates(answer)).toEqual([null, null, null])
          }
          expect((await ask("/v1/models", { key })).status).toBe(200)
          const session = await world.send("POST", sessions, { key, json: {} })
          expect(statusAndCode(session), role).toEqual([401, "invalid_api_key"])
        }
        expect(statusAndCode(await ask(summary, { key: await expiredToken(world.account) }))).toEqual([
          401,
          "invalid_api_key"
        ])
        const portal = await admin.createPortalToken(world.account)
        expect(statusAndCode(await ask(summary, { key: portal.token }))).toEqual([401, "invalid_api_key"])
      })

      // Verifies: H-139.
      it("asks the host for a signed-in person only where one is accepted, and always prefers a key", async () => {
        const seen: Array<string> = []
        let accountId = ""
        const authenticate = async ({ url }: { readonly url: string }) => {
          seen.push(url)
          return { accountId, subject: "ada", role: "owner" }
        }
        await within({ auth: { authenticate } }, async (other) => {
          accountId = other.account
          expect((await other.send("GET", summary)).status).toBe(200)
          seen.length = 0
          const key = await other.keyWith("campaigns:read")
          const answer = await other.send("POST", sessions, { key, json: {} })
          expect(answer.status).toBe(422)
          expect(statusAndCode(await other.send("POST", sessions, { json: {} }))).toEqual([401, "invalid_api_key"])
          expect(seen).toEqual([])
        })
      })

      // Verifies: G-39, G-185, H-141.
      it("refuses accounts that are not active, by their status", async () => {
        expect(statusAndCode(await asKey({}, { status: "inactive" }))).toEqual([403, "account_inactive"])
        expect(statusAndCode(await asKey({}, { status: "terminated" }))).toEqual([403, "account_terminated"])
        expect(errorOf(await asKey({}, { status: "inactive" })).type).toBe("permission_error")
      })

      // Verifies: G-40, G-41, G-161, G-179.
      it("requires a payment method after the grace period, and announces its end on successful answers", async () => {
        const at = now()
        const [before, after] = [Instant.make(at + 60_000), Instant.make(at - 1000)]
        const missing = await asKey({}, { paymentMethod: "missing" })
        expect([...statusAndCode(missing), errorOf(missing).type]).toEqual([
          402,
          "payment_method_required",
          "insufficient_quota"
        ])
        const late = await asKey({}, { paymentMethod: "grace", paymentDeadline: after })
        expect(statusAndCode(late)).toEqual([402, "payment_method_required"])
        expect(late.headers["x-service-notice"]).toBeUndefined()
        const { key } = await keyOf({}, { paymentMethod: "grace", paymentDeadline: before })
        for (const path of [summary, logs, csv, "/v1/models"]) {
          const answer = await ask(path, { key })
          expect(answer.status, path).toBe(200)
          expect(answer.headers["x-service-notice"]).toBe(`payment_method_required; deadline=${Instant.toIso(before)}`)
        }
        const wrong = await ask(`${logs}?limit=0`, { key })
        expect([wrong.status, wrong.headers["x-service-notice"]]).toEqual([422, undefined])
        expect((await ask(summary, { key: world.key })).headers["x-service-notice"]).toBeUndefined()
      })

      // Verifies: H-135.
      it("announces it in the brand's own header", () =>
        within({ brand: { headerPrefix: "X-Acme-" } }, async (other) => {
          const paymentDeadline = Instant.make(Date.UTC(2100, 0, 1))
          await other.core.admin.changeAccount(other.account, { paymentMethod: "grace", paymentDeadline })
          const { headers } = await other.send("GET", summary, { key: other.key })
          expect(headers["x-acme-notice"]).toMatch(/^payment_method_required; deadline=2100-01-01T/)
          expect(headers["x-service-notice"]).toBeUndefined()
        }))

      // Verifies: G-31, G-134, H-90.
      it("requires the scope or permission of the route from a key, and no other", async () => {
        for (const path of [summary, logs, csv]) {
          expect((await ask(path, { key: (await keyOf({ scopes: ["usage:read"] })).key })).status, path).toBe(200)
          const { key } = await keyOf({ scopes: ["campaigns:read", "campaigns:write"] })
          const refused = await ask(path, { key })
          expect(statusAndCode(refused), path).toEqual([403, "permission_denied"])
          expect(errorOf(refused).message).toContain("usage:read")
        }
        const withPermissions = async (...permissions: NonNullable<KeyOptions["permissions"]>) =>
          world.send("POST", sessions, { key: (await keyOf({ permissions, scopes: [] })).key, json: {} })
        expect((await withPermissions("llm")).status).toBe(422)
        const refused = await withPermissions("stt", "tts", "image", "search")
        expect(statusAndCode(refused)).toEqual([403, "permission_denied"])
        expect(errorOf(refused).message).toContain("llm")
      })

      // Verifies: G-35, G-141, G-184, H-125.
      it("accepts a key with allowed domains from these domains alone", async () => {
        const { key } = await keyOf({ domains: ["app.example.com", "*.example.org"] })
        const from = async (headers: Sent["headers"] = {}) => (await ask(summary, { key, headers })).status
        expect(await from({ origin: "https://app.example.com" })).toBe(200)
        expect(await from({ origin: "https://APP.example.com:8443" })).toBe(200)
        expect(await from({ origin: "https://a.b.example.org" })).toBe(200)
        expect(await from({ referer: "https://app.example.com/page?x=1" })).toBe(200)
        expect(await from({ origin: "https://example.org" })).toBe(403)
        expect(await from({ origin: "https://evil.test", referer: "https://app.example.com/" })).toBe(403)
        expect(await from({ origin: "null" })).toBe(403)
        expect(statusAndCode(await ask(summary, { key }))).toEqual([403, "domain_not_allowed"])
      })

      // Verifies: G-162, H-2, H-3, H-4, H-5, H-6, H-7.
      it("reports the first fault, in the order key, account, payment, permission, domain, rate, fields", async () => {
        const { admin } = world.core
        const wrong = `${logs}?limit=0`
        const { account } = await keyOf({}, { status: "inactive", paymentMethod: "missing" })
        const keyFor = async (options: KeyOptions) =>
          (await admin.createKey(account, { domains: ["a.test"], requestsPerMinute: 1, ...options })).text
        const lacks = await keyFor({ scopes: [] })
        const holds = await keyFor({ scopes: ["usage:read"] })
        const ended = await expired((expiry) => keyFor({ scopes: [], ...expiry }))
        const origin = { origin: "https://a.test" }
        const ofKey = async (key: string, headers: Sent["headers"] = {}) =>
          statusAndCode(await ask(wrong, { key, headers }))

        expect(await ofKey(ended)).toEqual([401, "api_key_expired"])
        expect(await ofKey(lacks)).toEqual([403, "account_inactive"])
        await admin.changeAccount(account, { status: "active" })
        expect(await ofKey(lacks)).toEqual([402, "payment_method_required"])
        await admin.changeAccount(account, { paymentMethod: "verified" })
        expect(await ofKey(lacks)).toEqual([403, "permission_denied"])
        expect(await ofKey(holds)).toEqual([403, "domain_not_allowed"])
        // None of these has used the one request that the key has.
        expect(await ofKey(holds, origin)).toEqual([422, "invalid_request"])
        expect(await ofKey(holds, origin)).toEqual([429, "rate_limit_exceeded"])
        expect(await ofKey(holds)).toEqual([403, "domain_not_allowed"])
      })
    })

    describe("rates and concurrency of a key", () => {
      // Verifies: G-167, G-188, H-102, H-103.
      it("counts accepted requests, returns the figures every time, and counts no refused request", async () => {
        const { key } = await keyOf({ requestsPerMinute: 3, domains: ["a.test"] })
        const from = (origin: string, path = summary) => ask(path, { key, headers: { origin } })
        const [good, bad] = ["https://a.test", "https://b.test"]
        expect(rates(await from(bad))).toEqual([3, 3, 0])
        expect(rates(await from(good))).toEqual([3, 2, 60])
        const refused = await from(bad)
        expect(refused.status).toBe(403)
        expect(rates(refused).slice(0, 2)).toEqual([3, 2])
        expect(rates(await from(good, `${logs}?limit=0`)).slice(0, 2)).toEqual([3, 1])
        expect(rates(await from(good, csv)).slice(0, 2)).toEqual([3, 0])
        for (let asked = 0; asked < 2; asked++) {
          const over = await from(good)
          expect([...statusAndCode(over), errorOf(over).type]).toEqual([429, "rate_limit_exceeded", "rate_limit_error"])
          const wait = Number(over.headers["retry-after"])
          expect(wait).toBeGreaterThan(0)
          expect(wait).toBeLessThanOrEqual(60)
          expect(rates(over)).toEqual([3, 0, wait])
        }
      })

      // Verifies: G-216, H-104, H-105.
      it("limits each key to its own requests a minute, or to its plan's: none on enterprise", async () => {
        for (const [plan, own, limit] of [
          ["free", undefined, 120],
          ["starter", undefined, 200],
          ["pro", undefined, 1000],
          ["enterprise", undefined, null],
          ["enterprise", 5, 5],
          ["free", 500, 500]
        ] as const) {
          const answer = await asKey(own === undefined ? {} : { requestsPerMinute: own }, { plan })
          expect([answer.status, rates(answer)[0]], plan).toEqual([200, limit])
        }
      })

      // Verifies: H-105.
      it("counts neither requests of another key nor those of the platform's routes", async () => {
        const { account, key } = await keyOf({ requestsPerMinute: 2 })
        const second = (await world.core.admin.createKey(account, { requestsPerMinute: 2 })).text
        expect(rates(await ask(summary, { key }))[1]).toBe(1)
        expect((await ask("/api/v1/contacts", { key })).headers["x-ratelimit-limit"]).toBeUndefined()
        expect(rates(await ask(summary, { key: second }))[1]).toBe(1)
        expect(rates(await ask(summary, { key }))[1]).toBe(0)
      })

      it("releases the concurrency slot before the answer ends: one request at a time can follow another", async () => {
        const { key } = await keyOf({ concurrency: 1 })
        for (let asked = 0; asked < 10; asked++) {
          expect((await ask(summary, { key })).status).toBe(200)
          expect((await ask(csv, { key })).status).toBe(200)
          expect((await ask(`${logs}?limit=0`, { key })).status).toBe(422)
        }
      })

      it("releases the concurrency slot when its client disconnects", async () => {
        const { key } = await keyOf({ concurrency: 1 })
        const headers = { "content-type": "application/json" }
        for (let asked = 0; asked < 3; asked++) {
          await world.abandon("POST", sessions, { key, headers, written: '{"bot_id":' })
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        expect((await ask(summary, { key })).status).toBe(200)
      })
    })

    describe("requests that no route serves", () => {
      // Verifies: G-166, H-15, H-133.
      it("names every invalid field of a query or body: 422", async () => {
        const { key } = world
        const query = await ask(`${logs}?limit=1001&offset=-1&service=dance&key=x&from=today`, { key })
        expect(query.status).toBe(422)
        expect(errorOf(query)).toMatchObject({ type: "invalid_request_error", code: "invalid_request" })
        for (const field of ["limit", "offset", "service", "key", "from"]) {
          expect(errorOf(query).message).toMatch(new RegExp(`\\b${field}: `))
        }
        expect(["limit", "offset", "service", "key", "from"]).toContain(errorOf(query).param)
        const body = await world.send("POST", sessions, { key, json: { bot_id: 5, max_duration_seconds: "x" } })
        expect(statusAndCode(body)).toEqual([422, "invalid_request"])
        expect(errorOf(body).message).toMatch(/bot_id: .*max_duration_seconds: /)
      })

      // Verifies: G-159, G-165, H-16, H-128, H-129.
      it("reports malformed JSON, wrong types, methods, paths and sizes in the same envelope", async () => {
        const { key } = world
        const headers = { "content-type": "application/json" }
        const cases = [
          [400, "invalid_request", await world.send("POST", sessions, { key, headers, body: "{" })],
          [
            415,
            "invalid_request",
            await world.send("POST", sessions, { key, body: "a=1", headers: { "content-type": "text/csv" } })
          ],
          [404, "session_not_found", await ask(`${sessions}/${nobody}`, { key })],
          [405, "method_not_allowed", await world.send("PUT", summary, { key })],
          [413, "file_too_large", await world.send("POST", sessions, { key, headers, body: tooLarge() })],
          [413, "file_too_large", await world.send("POST", sessions, { key, headers, body: tooLarge(), chunked: true })]
        ] as const
        for (const [status, code, answer] of cases) {
          expect([answer.status, errorOf(answer)]).toEqual([
            status,
            { message: expect.stringMatching(/\w/), type: "invalid_request_error", code, param: null }
          ])
          expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/)
        }
        expect(cases[3][2].headers.allow).toBe("GET, HEAD")
      })

      // Verifies: G-218, H-1, H-108, H-110.
      it("refuses an address that sends too many requests before it reads the key", () =>
        within({ limits: { perIpPerMinute: 2 } }, async (other) => {
          for (let asked = 0; asked < 2; asked++) {
            expect((await other.send("GET", summary, { key: "svc_unknown" })).status).toBe(401)
          }
          const over = await other.send("GET", summary, { key: other.key })
          expect([...statusAndCode(over), rates(over)]).toEqual([429, "rate_limit_exceeded", [null, null, null]])
          expect(Number(over.headers["retry-after"])).toBeGreaterThan(0)
        }))

      // Verifies: H-108, H-109, H-110, H-124.
      it("answers at its edge before authentication: in the envelope, with the request's id, and without the key's figures", () =>
        within({ limits: { perIpPerMinute: 5 } }, async (other) => {
          const { text: key } = await other.core.admin.createKey(other.account, { requestsPerMinute: 10 })
          const headers = { "content-type": "application/json", "x-request-id": "mine-1" }
          const large = { key, headers, body: tooLarge() }
          const edge = (type: string, code: string) => ({
            error: { message: expect.stringMatching(/\w/), type, code, param: null }
          })
          const refused = (answer: Answer) => ({
            status: answer.status,
            body: answer.body,
            id: answer.headers["x-request-id"],
            rates: rates(answer)
          })
          const beforeTheKey = (status: number, type: string, code: string) => ({
            status,
            body: edge(type, code),
            id: "mine-1",
            rates: [null, null, null]
          })

          const method = await other.send("PUT", summary, { key, headers })
          expect(refused(method)).toEqual(beforeTheKey(405, "invalid_request_error", "method_not_allowed"))
          expect(method.headers.allow).toBe("GET, HEAD")
          expect(refused(await other.send("POST", sessions, large))).toEqual(
            beforeTheKey(413, "invalid_request_error", "file_too_large")
          )
          // A body that announces no length is counted while it is read, when the key is already known.
          const counted = await other.send("POST", sessions, { ...large, chunked: true })
          expect([counted.status, rates(counted).slice(0, 2)]).toEqual([413, [10, 9]])
          expect(rates(await other.send("GET", summary, { key })).slice(0, 2)).toEqual([10, 8])
          for (let asked = 0; asked < 2; asked++) await other.send("GET", summary)
          const often = await other.send("GET", summary, { key, headers })
          expect(refused(often)).toEqual(beforeTheKey(429, "rate_limit_error", "rate_limit_exceeded"))
          // The first of its requests is a few seconds old.
          expect(Number(often.headers["retry-after"])).toBeGreaterThan(30)
          expect(Number(often.headers["retry-after"])).toBeLessThanOrEqual(60)

          // Through an adapter, a path that is nobody's is the host's to answer.
          const nowhere = await other.core.fetch(
            new Request("http://localhost/v1/nothing", { headers: { authorization: `Bearer ${key}`, ...headers } })
          )
          expect(nowhere.status).toBe(404)
          expect(await nowhere.json()).toEqual(edge("invalid_request_error", "not_found"))
          expect(nowhere.headers.get("x-request-id")).toBe("mine-1")
          expect(nowhere.headers.get("x-ratelimit-limit")).toBeNull()
        }))

      it("answers HEAD as GET, without its body", async () => {
        for (const path of [summary, logs, csv]) {
          const answer = await world.send("HEAD", path, { key: world.key })
          expect([answer.status, answer.text], path).toEqual([200, ""])
        }
      })

      // Verifies: G-157, G-168.
      it("returns no detail of an internal failure", async () => {
        const authenticate = async () => {
          throw new Error("a secret of the host")
        }
        await within({ auth: { authenticate } }, async (other) => {
          const answer = await other.host("GET", summary)
          expect(statusAndCode(answer)).toEqual([500, "internal_error"])
          expect(errorOf(answer).type).toBe("api_error")
          expect(answer.text).not.toMatch(/secret|\bat /)
        })
      })
    })
  })

const tooLarge = (): string => `{"bot_id":"${"x".repeat(32 * 1024 * 1024)}"}`
