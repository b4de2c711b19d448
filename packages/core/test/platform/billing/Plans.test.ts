/** Plans and calendar months, and the pages that say the same: docs/reference/plans.md, docs/reference/metering.md#examples. */
import { readFileSync } from "node:fs"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Money from "../../../src/platform/billing/Money.ts"
import * as Month from "../../../src/platform/billing/Month.ts"
import * as Plans from "../../../src/platform/billing/Plans.ts"
import * as Prices from "../../../src/platform/billing/Price.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const page = (name: string) =>
  readFileSync(new URL(`../../../../../docs/reference/${name}.md`, import.meta.url), "utf8")

/** The cells of a table that stands below a heading. */
const tableOf = (text: string, heading: string): ReadonlyArray<ReadonlyArray<string>> =>
  (text.split(`\n## ${heading}\n`)[1] ?? "")
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("|") && !line.startsWith("|---"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
    )

describe("a plan", () => {
  const tiers = Plans.Plan.literals
  const row = (of: (terms: Plans.PlanTerms) => number | string | null) =>
    tiers.map((tier) => {
      const value = of(Plans.plans[tier])
      if (value === null) return "unlimited"
      return value === 0 ? "none" : typeof value === "number" ? value.toLocaleString("en") : value
    })
  const bytes = (count: number | null) =>
    count === null ? null : count < 1e9 ? `${count / 1e6} MB` : `${count / 1e9} GB`

  // Verifies: G-38, G-206, G-207, G-209, G-210, G-211, G-212, G-213, G-214, G-215, G-216.
  it("includes what its page says", () => {
    const table = new Map(tableOf(page("plans"), "Plans").map(([name, ...cells]) => [name, cells]))
    const usd = row(({ usdPerMonth }) => `${usdPerMonth} USD`)
    expect(table.get("Price a month")).toEqual(["0", ...usd.slice(1)])
    expect(table.get("Bonus credits a month")?.slice(0, 3)).toEqual(
      row(({ bonus }) => Money.toNumber(bonus)).slice(0, 3)
    )
    expect(table.get("LLM calls a month")).toEqual(row(({ callsPerMonth }) => callsPerMonth.llm))
    expect(table.get("STT calls a month")).toEqual(row(({ callsPerMonth }) => callsPerMonth.stt))
    expect(table.get("TTS calls a month")).toEqual(row(({ callsPerMonth }) => callsPerMonth.tts))
    expect(table.get("Images a month")).toEqual(row(({ callsPerMonth }) => callsPerMonth.image))
    expect(table.get("Conversations a month")).toEqual(row((terms) => terms.conversationsPerMonth))
    expect(table.get("Storage")).toEqual(row(({ storageBytes }) => bytes(storageBytes)))
    expect(table.get("Team members")).toEqual(row(({ teamMembers }) => teamMembers))
    expect(table.get("Requests a minute, each key")).toEqual(["120", "200", "1,000", "no limit"])
    expect(tiers.map((tier) => Plans.requestsPerMinute(tier, null))).toEqual([120, 200, 1000, null])
    expect(tiers.filter((tier) => !Plans.plans[tier].deducts)).toEqual(["enterprise"])
  })

  it("limits calls of text, speech and image models, and not embeddings and searches", () => {
    expect(Plans.capOf("free", "image")).toBe(0)
    expect(Plans.capOf("free", "stt")).toBe(50)
    expect(Plans.capOf("enterprise", "llm")).toBeNull()
    expect(tiers.flatMap((tier) => [Plans.capOf(tier, "embedding"), Plans.capOf(tier, "search")])).toEqual(
      tiers.flatMap(() => [null, null])
    )
  })

  it("says how often a key may ask, unless the key does; zero is none and not no limit", () => {
    expect(Plans.requestsPerMinute("free", 7)).toBe(7)
    expect(Plans.requestsPerMinute("enterprise", 7)).toBe(7)
    expect(Plans.requestsPerMinute("pro", 0)).toBe(0)
    expect([Plans.concurrency(null), Plans.concurrency(1), Plans.concurrency(0)]).toEqual([16, 1, 0])
  })
})

describe("a month", () => {
  const at = (iso: string) => Instant.parse(iso)!

  it.each<[string, string, string, number]>([
    ["2026-11-21T09:30:00Z", "2026-11", "2026-12-01T00:00:00.000Z", 829_800],
    ["2026-12-31T23:59:59.999Z", "2026-12", "2027-01-01T00:00:00.000Z", 1],
    ["2027-01-01T00:00:00Z", "2027-01", "2027-02-01T00:00:00.000Z", 31 * 86_400],
    ["2028-02-29T12:00:00Z", "2028-02", "2028-03-01T00:00:00.000Z", 43_200],
    // 1 December in India is still November in UTC.
    ["2026-12-01T01:00:00+05:30", "2026-11", "2026-12-01T00:00:00.000Z", 16_200]
    // Verifies: G-198, H-77.
  ])("contains %s", (iso, month, next, seconds) => {
    expect(Month.of(at(iso))).toBe(month)
    expect(Instant.toIso(Month.nextStart(at(iso)))).toBe(next)
    expect(Month.secondsUntilNext(at(iso))).toBe(seconds)
  })

  // Verifies: G-189.
  it("has ended when the seconds of Retry-After have passed, and not a second before", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: at("2100-01-01T00:00:00Z") }), (ms) => {
        const now = Instant.make(ms)
        const seconds = Month.secondsUntilNext(now)
        expect(Month.of(Instant.plus(now, seconds * 1000)) > Month.of(now)).toBe(true)
        expect(Month.of(Instant.plus(now, (seconds - 1) * 1000))).toBe(Month.of(now))
        expect(Month.startOf(Month.of(now)) <= now).toBe(true)
        expect(Month.of(Month.startOf(Month.of(now)))).toBe(Month.of(now))
      })
    )
  })
})

describe("the worked examples", () => {
  const amounts: Readonly<Record<string, (n: number, m: number) => Prices.Amount>> = {
    second: (seconds) => ({ unit: "seconds", seconds }),
    character: (characters) => ({ unit: "characters", characters }),
    image: (images) => ({ unit: "images", images }),
    query: (queries) => ({ unit: "queries", queries }),
    token: (inputTokens, outputTokens) => ({
      unit: "tokens",
      inputTokens,
      outputTokens,
      cacheReadTokens: 0,
      cacheCreationTokens: 0
    })
  }
  const examples = tableOf(page("metering"), "Examples").slice(1)

  it("are there", () => {
    expect(examples.length).toBeGreaterThan(10)
  })

  it.each(examples)("%s at %s: %s cost %s credits", (_, price, amount, credits) => {
    const m = /^([\d.]+)(?: \+ (\d+))? ([a-z]+?)s?$/.exec(amount!)!
    const used = amounts[m[3]!]!(Number(m[1]), Number(m[2] ?? 0))
    const read = Prices.fromFile(JSON.parse(price!.replaceAll("`", "")))
    expect(Money.formatCredits(Prices.cost(read, used, 96))).toBe(credits)
  })
})
