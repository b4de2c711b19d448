/** Verifies: WEBS-1, WEBS-4. */
import type { SearchProvider, SearchTraits } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { chooseSearchProvider, type SearchKey } from "../../../src/gateway/web-search/SearchProviderChoice.ts"
import { type SearchRequest, searchFingerprint } from "../../../src/gateway/web-search/SearchRequest.ts"

const provider = (name: string, traits: SearchTraits = {}): SearchProvider => ({
  name,
  traits,
  maxMs: 1,
  search: () => Effect.succeed([])
})

const request = (change: Partial<SearchRequest> = {}): SearchRequest => ({
  ...{ query: "goa", provider: null, maxResults: null },
  ...{ country: null, language: null, freshness: null, safeSearch: null, includeDomains: [], excludeDomains: [] },
  ...change
})

const web = provider("web", { country: "any", freshness: "any" })
const own = provider("own", { language: "any", freshness: ["day", "month"], includeDomains: "any" })
const all = [web, own]

/** The name of the provider, or status, code and parameter of the refusal. */
const chosen = (asked: Partial<SearchRequest>, key: SearchKey = null, providers = all) =>
  Result.match(chooseSearchProvider(providers, key, request(asked)), {
    onFailure: ({ code, param, status }) => [status, code, param],
    onSuccess: (found) => found?.name ?? null
  })

const messageOf = (asked: Partial<SearchRequest>, key: SearchKey = null) =>
  Result.match(chooseSearchProvider(all, key, request(asked)), {
    onFailure: ({ detail }) => detail,
    onSuccess: () => ""
  })

const lists = (...searchProviders: ReadonlyArray<string>): SearchKey => ({ searchProviders })

describe("the provider of a search", () => {
  // Verifies: H-245, H-246.
  it.each([
    ["the standard one, where none is named", {}, null, "web"],
    ["the named one", { provider: "own" }, null, "own"],
    ["the named one that the key has", { provider: "own" }, lists("own"), "own"],
    ["the standard one that the key has", {}, lists("own", "web"), "web"],
    ["the first one that the key has", {}, lists("gone", "own"), "own"],
    ["any of a key without a list", { provider: "web" }, { searchProviders: null }, "web"],
    ["unknown", { provider: "gone" }, null, [404, "not_found", "provider"]],
    ["unknown before it is not allowed", { provider: "gone" }, lists(), [404, "not_found", "provider"]],
    ["unknown, whatever an object inherits", { provider: "constructor" }, null, [404, "not_found", "provider"]],
    ["unknown, where a name is empty or in another case", { provider: "" }, null, [404, "not_found", "provider"]],
    ["unknown in another case", { provider: "WEB" }, null, [404, "not_found", "provider"]],
    ["not allowed", { provider: "web" }, lists("own"), [403, "search_provider_not_allowed", "provider"]],
    [
      "not allowed before it is not able",
      { provider: "web", language: "hi" },
      lists("own"),
      [403, "search_provider_not_allowed", "provider"]
    ],
    ["none that the key has", {}, lists("gone"), [403, "search_provider_not_allowed", null]],
    ["none of an empty list", {}, lists(), [403, "search_provider_not_allowed", null]]
  ] as const)("is %s", (_, asked, key, expected) => expect(chosen(asked, key)).toEqual(expected))

  // Verifies: H-247.
  it("is nobody where none is configured", () => {
    expect(chosen({}, null, [])).toBeNull()
    expect(chosen({ provider: "web" }, null, [])).toEqual([404, "not_found", "provider"])
  })
})

describe("what a provider lacks", () => {
  // Verifies: H-248.
  it.each([
    [{ language: "hi" }, "language"],
    [{ safeSearch: "off" }, "safe_search"],
    [{ includeDomains: ["a.example"] }, "include_domains"],
    [{ excludeDomains: ["a.example"] }, "exclude_domains"],
    [{ provider: "own", country: "IN" }, "country"],
    [{ provider: "own", freshness: "week" }, "freshness"]
  ] as const)("is refused by its field: %j", (asked, param) => {
    expect(chosen(asked)).toEqual([400, "invalid_request", param])
  })

  it.each([
    {},
    { country: "IN", freshness: "week" },
    { includeDomains: [] },
    { provider: "own", freshness: "month", language: "hi", includeDomains: ["a.example"] }
  ] as const)("does not matter where it is not asked for: %j", (asked) => {
    expect(typeof chosen(asked)).toBe("string")
  })

  // Verifies: H-248.
  it("is refused with the providers that have it and that the key may use", () => {
    expect(messageOf({ language: "hi" })).toBe(
      "The search provider web does not support language. These providers do: own."
    )
    expect(messageOf({ provider: "own", freshness: "week" })).toBe(
      "The search provider own does not support freshness week. These providers do: web."
    )
    expect(messageOf({ safeSearch: "off" })).toMatch(/safe_search\. No provider here does\.$/)
    expect(messageOf({ language: "hi" }, lists("web"))).toMatch(/No provider here does\.$/)
  })
})

describe("two requests", () => {
  const same = (change: Partial<SearchRequest>) => searchFingerprint(request()) === searchFingerprint(request(change))

  it("are the same only where every field is", () => {
    expect(same({})).toBe(true)
    for (const change of [
      { query: "Goa" },
      { provider: "web" },
      { maxResults: 10 },
      { country: "IN" },
      { language: "hi" },
      { freshness: "day" },
      { safeSearch: "off" },
      { includeDomains: ["a.example"] },
      { excludeDomains: ["a.example"] }
    ] as const) {
      expect(same(change), JSON.stringify(change)).toBe(false)
    }
  })
})
