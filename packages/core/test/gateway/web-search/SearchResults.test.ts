/** Verifies: WEBS-3. */
import type { FoundPage } from "@trunkline/core/provider"
import { describe, expect, it } from "vitest"
import { searchResults } from "../../../src/gateway/web-search/SearchResults.ts"

const page = (change: Partial<FoundPage> = {}): FoundPage => ({
  title: "A",
  url: "https://a.example/",
  snippet: "b",
  date: null,
  score: null,
  ...change
})

const one = (change: Partial<FoundPage>) => searchResults([page(change)], 10)[0]

describe("the results of a search", () => {
  // Verifies: H-242.
  it("are plain text", () => {
    expect(one({ title: "<b>A</b>&amp;B", snippet: "<i>c</i>", score: 0.25 })).toEqual({
      title: "A&B",
      url: "https://a.example/",
      snippet: "c",
      date: null,
      score: 0.25
    })
  })

  // Verifies: H-242.
  it.each([
    ["https://a.example/?q=1&b", true],
    ["HTTP://a.example", true],
    ["javascript:alert(1)", false],
    ["data:text/html,x", false],
    ["ftp://a.example/", false],
    ["file:///etc/hosts", false],
    ["/relative", false],
    ["//a.example/", false],
    ["a.example", false],
    ["", false]
  ])("have an address of the web alone: %j", (url, isKept) => {
    expect(searchResults([page({ url })], 10)).toHaveLength(isKept ? 1 : 0)
  })

  // Verifies: H-242.
  it("are at most as many as are wanted, in the provider's order, without those that are left out", () => {
    const urls = ["https://a.example/1", "mailto:a@b.example", "https://a.example/2", "https://a.example/3"]
    const found = (maxResults: number) =>
      searchResults(
        urls.map((url) => page({ url })),
        maxResults
      ).map(({ url }) => url)
    expect(found(2)).toEqual([urls[0], urls[2]])
    expect(found(20)).toEqual([urls[0], urls[2], urls[3]])
  })

  // Verifies: H-242.
  it.each([
    ["2026-05-01", "2026-05-01"],
    ["2026-05-01T23:30:00", "2026-05-01"],
    ["2026-05-01T23:30:00-08:00", "2026-05-01"],
    ["2026-05-01 08:00:00", "2026-05-01"],
    ["Fri, 01 May 2026 08:00:00 GMT", "2026-05-01"],
    ["1 May 2026", "2026-05-01"],
    ["29 February 2024", "2024-02-29"],
    ["2026-02-29", null],
    ["2026-13-01", null],
    ["30 Foo 2026", null],
    ["May 1, 2026", null],
    ["2026-05-011", null],
    ["3 days ago", null],
    ["yesterday", null],
    ["", null]
  ])("say the day of %j as %j, whatever the zone of this machine", (date, day) => {
    expect(one({ date })?.date).toBe(day)
  })

  it("have no score that is no number", () => {
    expect(one({ score: Number.NaN })?.score).toBeNull()
    expect(one({ score: 0 })?.score).toBe(0)
  })
})
