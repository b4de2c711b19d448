/** Searching the web as a caller of the API meets it: docs/reference/search.md. Verifies: WEBS-1, WEBS-2, WEBS-3, WEBS-4, WEBS-5. */
import { gzipSync } from "node:zlib"
import type { KeyOptions, StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { FakeSearch, leak } from "../inference/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start, until } from "./HttpWorld.ts"

const path = "/v1/search"

const error = ({ body }: Answer): Fields => body.error as Fields

const names = (count: number) => Array.from({ length: count }, (_, n) => `a${n}.example`)

/** Fields that are refused, and the first one that is named. */
const wrong: ReadonlyArray<readonly [what: string, fields: object, param: string]> = [
  ["no query", { query: undefined }, "query"],
  ["a query that is null", { query: null }, "query"],
  ["an empty query", { query: "" }, "query"],
  ["a query of 401 characters", { query: "😀".repeat(401) }, "query"],
  ["a query that is a list", { query: ["goa"] }, "query"],
  ["a provider that is no text", { provider: 5 }, "provider"],
  ["no results", { max_results: 0 }, "max_results"],
  ["21 results", { max_results: 21 }, "max_results"],
  ["half a result", { max_results: 1.5 }, "max_results"],
  ["results as a text", { max_results: "3" }, "max_results"],
  ["a country of three letters", { country: "IND" }, "country"],
  ["a country of digits", { country: "91" }, "country"],
  ["a language with a country", { language: "hi-IN" }, "language"],
  ["a freshness that there is none of", { freshness: "hour" }, "freshness"],
  ["a safe search that is no word of it", { safe_search: true }, "safe_search"],
  ["21 domains", { include_domains: names(21) }, "include_domains"],
  ["21 domains to leave out", { exclude_domains: names(21) }, "exclude_domains"],
  ["domains as a text", { include_domains: "a.example" }, "include_domains"],
  ["an address as a domain", { include_domains: ["a.example", "https://a.example"] }, "include_domains.1"],
  ["a domain with a path", { exclude_domains: ["a.example/b"] }, "exclude_domains.0"],
  ["an empty domain", { exclude_domains: [""] }, "exclude_domains.0"],
  ["a domain that is null", { exclude_domains: [null] }, "exclude_domains.0"],
  ["a domain that is too long", { include_domains: [`${"a.".repeat(127)}example`] }, "include_domains.0"]
]

export const webSearchSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`searching the web through ${name}`, () => {
    const provider = new FakeSearch()
    const poor = new FakeSearch({ language: "any" })
    let world: HttpWorld

    beforeAll(async () => {
      const providers = { poor: poor.provider, web: provider.provider }
      world = await openWorld(start, storage, { core: { search: { providers, default: "web" } } })
    })
    afterAll(() => world.close())
    beforeEach(() => {
      for (const one of [provider, poor]) {
        one.works.length = 0
        one.finds({ title: "<b>Goa</b> &amp; more", snippet: "Sand", date: "2026-05-01T08:00:00", score: 0.5 })
      }
    })

    const ask = (fields: object = {}, { at = world, ...sent }: Sent & { readonly at?: HttpWorld } = {}) =>
      at.send("POST", path, { key: at.key, json: { query: "goa", ...fields }, ...sent })

    const keyWith = async (options: KeyOptions) => (await world.core.admin.createKey(world.account, options)).text

    const logs = async (): Promise<ReadonlyArray<Fields>> =>
      (await world.send("GET", "/v1/usage/logs?service=search&limit=1000", { key: world.key })).items

    // Verifies: G-123, H-240, H-241, H-242, H-243.
    it("answers with the pages, and bills one query", async () => {
      const answer = await ask()
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        object: "search",
        id: expect.stringMatching(/^search_[0-9a-f]{32}$/),
        provider: "web",
        query: "goa",
        results: [
          { title: "Goa & more", url: "https://goa.example/", snippet: "Sand", date: "2026-05-01", score: 0.5 }
        ],
        usage: { queries: 1 }
      })
      expect(answer.headers["content-type"]).toMatch(/^application\/json\b/)
      expect(answer.headers["x-ratelimit-limit"]).toBe("120")
      expect((await logs())[0]).toMatchObject({
        ...{ service: "search", model: "web", status: 200, units: 1, unit: "queries", credits: 1 },
        request_id: answer.headers["x-request-id"]
      })
    })

    // Verifies: H-240.
    it("passes every field on, and null as an absent one", async () => {
      const all = { country: "in", language: "hi", freshness: "week", safe_search: "strict", max_results: 20 }
      const [include_domains, exclude_domains] = [names(20), ["b.example"]]
      expect((await ask({ ...all, include_domains, exclude_domains, provider: "web" })).status).toBe(200)
      const nothing = Object.fromEntries([...Object.keys(all), "include_domains", "provider"].map((key) => [key, null]))
      expect((await ask(nothing)).status).toBe(200)
      expect((await ask({ query: "😀".repeat(400) })).status).toBe(200)
      const absent = { country: null, language: null, freshness: null, safeSearch: null, maxResults: 10 }
      expect(provider.works.slice(0, 2)).toEqual([
        {
          ...{ query: "goa", country: "in", language: "hi", freshness: "week", safeSearch: "strict", maxResults: 20 },
          ...{ includeDomains: include_domains, excludeDomains: exclude_domains }
        },
        { query: "goa", ...absent, includeDomains: [], excludeDomains: [] }
      ])
    })

    // Verifies: H-240.
    it.each(wrong)("refuses %s: 422", async (_, fields, param) => {
      const answer = await ask(fields)
      expect([answer.status, error(answer)]).toEqual([
        422,
        { message: expect.stringContaining(param), type: "invalid_request_error", code: "invalid_request", param }
      ])
      expect(provider.works).toEqual([])
    })

    // Verifies: H-240.
    it("names every field that is wrong, the first one as the parameter", async () => {
      const answer = error(await ask({ query: 5, max_results: 99, country: "x" }))
      expect(answer.message).toMatch(/query: .*max_results: .*country: /)
      expect(answer.param).toBe("query")
    })

    // Verifies: H-240, H-250.
    it("refuses what is no JSON object: 400, and another content type: 415", async () => {
      const headers = { "content-type": "application/json" }
      for (const body of ["{", "", "[]", "null", '"goa"', "5", '{"query": "goa"', "[".repeat(100_000)]) {
        const answer = await world.send("POST", path, { key: world.key, headers, body })
        expect([answer.status, error(answer).code], body.slice(0, 20)).toEqual([400, "invalid_request"])
      }
      const text = await world.send("POST", path, {
        key: world.key,
        body: "goa",
        headers: { "content-type": "text/plain" }
      })
      expect([text.status, error(text).code]).toEqual([415, "invalid_request"])
      const packed = { body: gzipSync('{"query": "goa"}'), headers: { ...headers, "content-encoding": "gzip" } }
      const compressed = await world.send("POST", path, { key: world.key, ...packed })
      expect([compressed.status, error(compressed).code]).toEqual([415, "invalid_request"])
      expect(provider.works).toEqual([])
    })

    // Verifies: H-250.
    it("needs the permission search, and nobody's signed-in token", async () => {
      const permissions = ["llm", "stt", "tts", "image"] as const
      const refused = await ask({ query: 5 }, { key: await keyWith({ permissions, scopes: ["*"] }) })
      expect([refused.status, error(refused).code]).toEqual([403, "permission_denied"])
      const alone = await keyWith({ permissions: ["search"], scopes: [] })
      expect((await ask({}, { key: alone })).status).toBe(200)
      expect((await world.send("POST", path, { json: { query: "goa" } })).status).toBe(401)
      expect((await world.send("GET", path, { key: world.key })).status).toBe(405)
    })

    // Verifies: G-142, G-183, H-245, H-246.
    it("goes to the provider that is named, that the key may use, or to the standard one", async () => {
      const key = await keyWith({ searchProviders: ["poor"] })
      const of = async (fields: object, sent: Sent = {}) => {
        const answer = await ask(fields, sent)
        return answer.status === 200 ? answer.body.provider : [answer.status, error(answer).code, error(answer).param]
      }
      expect(await of({})).toBe("web")
      expect(await of({ provider: "poor" })).toBe("poor")
      expect(await of({}, { key })).toBe("poor")
      expect(await of({ provider: "web" }, { key })).toEqual([403, "search_provider_not_allowed", "provider"])
      expect(await of({ provider: "gone" }, { key })).toEqual([404, "not_found", "provider"])
    })

    // Verifies: H-248.
    it("refuses what the provider lacks, naming one that has it", async () => {
      const answer = await ask({ provider: "poor", safe_search: "off" })
      expect([answer.status, error(answer)]).toEqual([
        400,
        {
          message: "The search provider poor does not support safe_search. These providers do: web.",
          ...{ type: "invalid_request_error", code: "invalid_request", param: "safe_search" }
        }
      ])
    })

    // Verifies: H-247.
    it("is not offered where no provider is configured", async () => {
      const other = await openWorld(start, storage)
      try {
        const answer = await ask({}, { at: other })
        expect([answer.status, error(answer)]).toEqual([
          502,
          {
            message: "Searching is not available here.",
            ...{ type: "api_error", code: "service_unavailable", param: null },
            request_id: answer.headers["x-request-id"]
          }
        ])
        expect(answer.headers["x-should-retry"]).toBe("false")
        // Whether it could be paid for comes first, as on the routes of models.
        const { text: poor } = await other.core.admin.createKey(other.account, { budget: "0.000000001" })
        const unpaid = await ask({}, { at: other, key: poor })
        expect([unpaid.status, error(unpaid).code]).toEqual([402, "budget_exceeded"])
        expect(other.log.map(({ message }) => message)).toContain(
          "no search provider is configured: see search.providers"
        )
      } finally {
        await other.close()
      }
    })

    // Verifies: H-243, H-249.
    it("answers a provider's failure in its own words, and logs the provider's for the operator", async () => {
      provider.fails("operator")
      const answer = await ask()
      expect([answer.status, error(answer)]).toEqual([
        502,
        {
          message: expect.stringMatching(/^The search provider cannot be used at the moment/),
          ...{ type: "api_error", code: "provider_error", param: null },
          request_id: answer.headers["x-request-id"]
        }
      ])
      expect(answer.text).not.toContain("leaky")
      expect(world.log.map(({ message }) => message)).toContain(`search provider web: operator: ${leak}`)
      expect((await logs())[0]).toMatchObject({ model: "web", status: 502, units: 0, credits: 0 })
      provider.fails("throttled", 7)
      const throttled = await ask()
      expect([throttled.status, throttled.headers["retry-after"]]).toEqual([429, "7"])
    })

    // Verifies: G-201, H-250.
    it("searches once under an Idempotency-Key, however the request is written", async () => {
      const before = (await logs()).length
      const headers = { "idempotency-key": "one search", "content-type": "application/json" }
      const first = await ask({ country: "IN" }, { headers })
      expect(first.headers["idempotent-replayed"]).toBeUndefined()
      const body = '{ "max_results": null, "country": "IN",\n"query": "g\\u006fa" }'
      const again = await world.send("POST", path, { key: world.key, headers, body })
      expect([again.status, again.headers["idempotent-replayed"], again.text]).toEqual([200, "true", first.text])
      expect(again.headers["content-type"]).toBe(first.headers["content-type"])
      const other = await ask({ country: "US" }, { headers })
      expect([other.status, error(other).code]).toEqual([409, "idempotency_key_reused"])
      expect(other.headers["x-should-retry"]).toBe("false")
      expect((await ask({ country: "USA" }, { headers })).status).toBe(422)
      expect([provider.works.length, (await logs()).length]).toEqual([1, before + 1])
    })

    // Verifies: H-157.
    it("is served below the other address of inference, too", async () => {
      expect((await world.send("POST", "/openai/v1/search", { key: world.key, json: { query: "goa" } })).status).toBe(
        200
      )
    })

    // Verifies: H-250.
    it("releases the key's slot after each search, and while its client is gone", async () => {
      const key = await keyWith({ concurrency: 1 })
      const headers = { "content-type": "application/json" }
      for (let asked = 0; asked < 3; asked++) expect((await ask({}, { key })).status).toBe(200)
      await world.abandon("POST", path, { key, headers, written: '{"query":' })
      expect(await until(async () => ((await ask({}, { key })).status === 200 ? true : undefined))).toBe(true)
    })
  })
