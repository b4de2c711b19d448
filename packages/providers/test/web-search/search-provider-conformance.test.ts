/**
 * Every search provider against the suite of all of them.
 * Verifies: BRAV-1, BRAV-2, BRAV-3, TAVI-1, TAVI-2, TAVI-3, SRXN-1, SRXN-2, SRXN-3, SRXN-4.
 */
import { assert, describe, it } from "@effect/vitest"
import { searchProviderSuite } from "@trunkline/testing/search-suite"
import { startFakeBrave, startFakeSearxng, startFakeTavily, type UpstreamCall } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import { brave, InvalidProviderOptions } from "../../src/brave/index.ts"
import { searxng } from "../../src/searxng/index.ts"
import { tavily } from "../../src/tavily/index.ts"

const byQuery = ({ method, path, query }: UpstreamCall): string =>
  [`${method} ${path}`, ...query.map(([name, value]) => `${name}=${value}`).sort()].join(" ")

const byBody = ({ json, method, path }: UpstreamCall): string =>
  [
    `${method} ${path}`,
    ...Object.entries(json as object)
      .map(([name, value]) => `${name}=${value}`)
      .sort()
  ].join(" ")

const braveRefusal = (code: string) => ({ type: "ErrorResponse", error: { code, detail: "leaky words" } })

searchProviderSuite("brave", {
  start: startFakeBrave,
  make: brave,
  asked: byQuery,
  plain: "GET /res/v1/web/search count=7 q=goa & beaches+",
  optional: [
    [{ country: "in" }, "GET /res/v1/web/search count=7 country=IN q=goa & beaches+"],
    [{ language: "HI" }, "GET /res/v1/web/search count=7 q=goa & beaches+ search_lang=hi"],
    [{ freshness: "day" }, "GET /res/v1/web/search count=7 freshness=pd q=goa & beaches+"],
    [{ freshness: "week" }, "GET /res/v1/web/search count=7 freshness=pw q=goa & beaches+"],
    [{ freshness: "month" }, "GET /res/v1/web/search count=7 freshness=pm q=goa & beaches+"],
    [{ freshness: "year" }, "GET /res/v1/web/search count=7 freshness=py q=goa & beaches+"],
    [{ safeSearch: "moderate" }, "GET /res/v1/web/search count=7 q=goa & beaches+ safesearch=moderate"]
  ],
  limits: true,
  hasScores: false,
  empty: [{ type: "search" }, { type: "search", web: {} }, { type: "search", web: null }],
  unreadable: [[], "web", null],
  answer: (results) => ({ type: "search", web: { type: "search", results } }),
  refusals: [
    ["a key that is none", 422, braveRefusal("SUBSCRIPTION_TOKEN_INVALID"), "operator"],
    ["a country that it does not know", 422, braveRefusal("VALIDATION"), "refused_input"],
    ["a quota that is used up", 429, braveRefusal("QUOTA_LIMITED"), "operator"]
  ]
})

searchProviderSuite("tavily", {
  start: startFakeTavily,
  make: tavily,
  asked: byBody,
  plain: "POST /search max_results=7 query=goa & beaches+",
  optional: [
    [{ freshness: "day" }, "POST /search max_results=7 query=goa & beaches+ time_range=day"],
    [{ freshness: "year" }, "POST /search max_results=7 query=goa & beaches+ time_range=year"],
    [
      { includeDomains: ["a.example", "b.example"] },
      "POST /search include_domains=a.example,b.example max_results=7 query=goa & beaches+"
    ],
    [{ excludeDomains: ["c.example"] }, "POST /search exclude_domains=c.example max_results=7 query=goa & beaches+"]
  ],
  limits: true,
  hasScores: true,
  empty: [],
  unreadable: [[], "results", { query: "q" }, { results: {} }, { results: null }],
  answer: (results) => ({ results }),
  refusals: [
    ["a plan that is used up", 432, { detail: { error: "leaky words" } }, "operator"],
    ["a limit of its payment", 433, { detail: { error: "leaky words" } }, "operator"]
  ]
})

searchProviderSuite("searxng", {
  start: startFakeSearxng,
  make: searxng,
  asked: byQuery,
  plain: "GET /search format=json q=goa & beaches+",
  optional: [
    [{ language: "hi" }, "GET /search format=json language=hi q=goa & beaches+"],
    [{ freshness: "month" }, "GET /search format=json q=goa & beaches+ time_range=month"],
    [{ safeSearch: "off" }, "GET /search format=json q=goa & beaches+ safesearch=0"],
    [{ safeSearch: "moderate" }, "GET /search format=json q=goa & beaches+ safesearch=1"],
    [{ safeSearch: "strict" }, "GET /search format=json q=goa & beaches+ safesearch=2"]
  ],
  limits: false,
  hasScores: true,
  empty: [],
  unreadable: [[], "results", { query: "q" }, { results: {} }],
  answer: (results) => ({ results }),
  refusals: [["JSON that is switched off", 403, "<title>403 Forbidden</title>", "operator"]]
})

const work = {
  ...{ query: "goa", maxResults: 10, country: null, language: null, freshness: null, safeSearch: null },
  ...{ includeDomains: [], excludeDomains: [] }
}

describe("a SearXNG server", () => {
  it.live("that has JSON switched off is reported with the setting that switches it on", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => startFakeSearxng({ isJsonOff: true })),
        (one) => Effect.promise(one.close)
      )
      const failed = yield* Effect.flip(
        searxng({ baseUrl: `${server.origin}/` })
          .make("own")
          .search(work)
      )
      assert.strictEqual(failed.why, "operator")
      assert.include(failed.detail, "search.formats")
      assert.isUndefined(server.calls[0]?.headers.authorization)
    })
  )
})

describe("the settings of a search provider", () => {
  const faults = (make: () => unknown): ReadonlyArray<string> => {
    try {
      make()
      return []
    } catch (error) {
      assert.instanceOf(error, InvalidProviderOptions)
      assert.notInclude(error.message, "topsecret")
      return error.problems.map((problem) => problem.split(":")[0] ?? "")
    }
  }

  it.each([
    ["brave without a key", () => brave({} as never), ["apiKey"]],
    ["tavily without a key", () => tavily({ timeoutMs: 0 } as never), ["timeoutMs", "apiKey"]],
    ["searxng without an address", () => searxng({} as never), ["baseUrl"]],
    ["a key that is no header", () => brave({ apiKey: "topsecret\n" }), ["apiKey"]],
    [
      "an address that is none, and a service",
      () => searxng({ baseUrl: "x", serves: ["stt"] } as never),
      ["baseUrl", "serves"]
    ],
    ["a setting that there is none of", () => tavily({ apiKey: "topsecret", depth: 1 } as never), ["depth"]],
    [
      "a key in the clear across a public network",
      () => searxng({ baseUrl: "http://search.example.com", apiKey: "topsecret" }),
      ["baseUrl"]
    ]
  ])("refuse %s", (_, make, expected) => assert.sameMembers([...faults(make)], expected))

  it("wait for ten seconds unless they say otherwise", () => {
    assert.strictEqual(brave({ apiKey: "k" }).make("web").maxMs, 40_000)
    assert.strictEqual(tavily({ apiKey: "k", timeoutMs: 60_000 }).make("web").maxMs, 120_000)
  })
})
