/** A search from its request to its bill: docs/reference/search.md. Verifies: WEBS-1, WEBS-2, WEBS-3, WEBS-5. */
import { Ids, type UpstreamWhy } from "@trunkline/core/provider"
import type { UsageRow } from "@trunkline/core/testing"
import { leak } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { RouteResult } from "../../../src/gateway/run/index.ts"
import { type Asked, type SearchStage, searchScenario } from "./SearchScenarios.ts"

const credit = 1_000_000_000n

const json = ({ response: { body } }: RouteResult) => JSON.parse(body)

/** Lets fibers go on that wait for the storage. */
const turns = Effect.promise(async () => {
  for (let nth = 0; nth < 20; nth++) await new Promise((resolve) => setImmediate(resolve))
})

/** Nothing of a search is left: no reservation, and only these rows. */
function* leaves(search: SearchStage, charged: bigint, statuses: ReadonlyArray<number>) {
  expect(yield* search.credits).toMatchObject({ balance: 1000n * credit - charged, reserved: 0n })
  const rows = (yield* search.rows) as ReadonlyArray<UsageRow>
  expect(rows.map(({ httpStatus }) => httpStatus)).toEqual(statuses)
}

describe("a search", () => {
  // Verifies: G-123, H-241, H-243.
  searchScenario("costs one credit, in one row of the log, under the provider's name", function* (search) {
    search.provider.finds({ title: "<b>Goa</b>", url: "https://goa.example/", snippet: "a &amp; b", score: 0.5 })
    const result = (yield* search.ask()) as RouteResult
    const [row] = (yield* search.rows) as ReadonlyArray<UsageRow>
    expect(result).toMatchObject({ isReplayed: false, response: { status: 200, contentType: "application/json" } })
    expect(json(result)).toEqual({
      object: "search",
      id: `search_${row?.id.replaceAll("-", "")}`,
      provider: "web",
      query: "goa",
      results: [{ title: "Goa", url: "https://goa.example/", snippet: "a & b", date: null, score: 0.5 }],
      usage: { queries: 1 }
    })
    yield* leaves(search, credit, [200])
    expect(row).toMatchObject({
      ...{ service: "search", model: "web", units: 1, unit: "queries", credits: credit },
      ...{ requestId: "request", sessionId: "session", traceId: "trace" }
    })
  })

  // Verifies: H-243.
  searchScenario("that finds nothing costs the same", function* (search) {
    search.provider.finds()
    expect(json((yield* search.ask()) as RouteResult).results).toEqual([])
    yield* leaves(search, credit, [200])
  })

  // Verifies: H-243.
  searchScenario(
    "costs what the host says",
    function* (search) {
      yield* search.ask()
      yield* leaves(search, 2_500_000_000n, [200])
    },
    { price: 2.5 }
  )

  // Verifies: H-243.
  searchScenario("on the enterprise plan is priced and not deducted", function* (search) {
    yield* search.ask({ plan: "enterprise" })
    yield* leaves(search, 0n, [200])
    expect(yield* search.rows).toMatchObject([{ credits: credit }])
  })

  // Verifies: H-240, H-241.
  searchScenario("asks for ten results, or as many as are wanted, and never returns more", function* (search) {
    const pages = Array.from({ length: 30 }, (_, n) => ({ url: `https://goa.example/${n}` }))
    search.provider.finds(...pages)
    expect(json((yield* search.ask()) as RouteResult).results).toHaveLength(10)
    expect(json((yield* search.ask({ maxResults: 3 })) as RouteResult).results).toEqual(
      pages.slice(0, 3).map(({ url }) => ({ title: "", url, snippet: "", date: null, score: null }))
    )
    expect(search.provider.works.map(({ maxResults }) => maxResults)).toEqual([10, 3])
  })

  // Verifies: H-243.
  searchScenario("is one of as many side by side as the balance covers", function* (search) {
    yield* search.stage.leaveCredit(3n * credit + 1n)
    const gate = search.provider.waits()
    const all = yield* Effect.forkChild(
      Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(search.ask()), { concurrency: "unbounded" })
    )
    yield* gate.begun
    for (let nth = 0; nth < 10; nth++) yield* turns
    yield* gate.answer
    const exits = (yield* Fiber.join(all as Fiber.Fiber<unknown>)) as ReadonlyArray<Exit.Exit<unknown, unknown>>
    expect(exits.filter(Exit.isSuccess)).toHaveLength(3)
    expect(search.provider.works).toHaveLength(3)
    expect(yield* search.credits).toMatchObject({ balance: 1n, reserved: 0n })
  })
})

describe("a search is refused before a provider is asked, in one order", () => {
  const spent = { id: Ids.as<"Key">("00000000-0000-4000-8000-000000000001"), name: null, prefix: "svc_" }
  const brokeKey = { ...spent, budget: credit - 1n, budgetPeriod: "total" as const }
  const steps: ReadonlyArray<readonly [string, Asked, number, string, string | null]> = [
    // Verifies: H-245, H-250.
    ["an unknown provider", { provider: "gone", allowed: [] }, 404, "not_found", "provider"],
    [
      // Verifies: G-36, G-142, G-183, H-246, H-250.
      "the key's list",
      { provider: "plain", country: "IN", allowed: ["web"] },
      403,
      "search_provider_not_allowed",
      "provider"
    ],
    // Verifies: H-248, H-250.
    [
      "what the provider lacks",
      { provider: "plain", country: "IN", monthlyBudget: 1n },
      400,
      "invalid_request",
      "country"
    ],
    // Verifies: H-250.
    ["the account's budget", { monthlyBudget: credit - 1n }, 429, "quota_exceeded", null]
  ]
  for (const [what, asked, status, code, param] of steps) {
    searchScenario(`by ${what}: ${status} ${code}`, function* (search) {
      yield* search.stage.leaveCredit(0n)
      expect(yield* search.refused(asked)).toMatchObject({ status, code, param })
      expect(search.provider.works).toEqual([])
      expect(yield* search.rows).toEqual([])
      expect(yield* search.credits).toMatchObject({ reserved: 0n })
    })
  }

  // Verifies: H-250.
  searchScenario("by credit before the key's budget", function* (search) {
    yield* search.stage.leaveCredit(credit - 1n)
    expect(yield* search.refused({ payerKey: brokeKey })).toMatchObject({ status: 402, code: "insufficient_credits" })
    yield* search.stage.leaveCredit(credit)
    expect(yield* search.refused({ payerKey: brokeKey })).toMatchObject({ status: 402, code: "budget_exceeded" })
    yield* search.ask()
    expect(yield* search.credits).toMatchObject({ balance: 0n, reserved: 0n })
  })
})

describe("a provider that fails", () => {
  // Verifies: G-193, H-243, H-249.
  const failures: ReadonlyArray<readonly [UpstreamWhy, number, string]> = [
    ["refused_input", 400, "invalid_request"],
    ["too_large", 413, "file_too_large"],
    ["throttled", 429, "rate_limit_exceeded"],
    ["operator", 502, "provider_error"],
    ["timeout", 502, "upstream_timeout"],
    ["unreachable", 503, "upstream_unavailable"],
    ["failed", 502, "upstream_error"],
    ["unreadable", 502, "upstream_error"]
  ]
  for (const [why, status, code] of failures) {
    searchScenario(`by ${why} costs nothing, and is answered in our words: ${code}`, function* (search) {
      search.provider.fails(why, why === "throttled" ? 7 : null)
      const refused = yield* search.refused()
      const ours = why !== "refused_input" && why !== "too_large"
      const retryAfterSeconds = why === "throttled" ? 7 : null
      expect(refused).toMatchObject({ status, code, param: null, showsRequestId: ours, retryAfterSeconds })
      expect(JSON.stringify(refused)).not.toContain(leak.slice(0, 5))
      expect(JSON.stringify(refused)).toContain("search provider")
      yield* leaves(search, 0n, [status])
      expect(yield* search.rows).toMatchObject([{ model: "web", units: 0, unit: "queries", credits: 0n }])
    })
  }

  searchScenario("by never ending is not waited for much longer than it promised", function* (search) {
    const gate = search.provider.waits()
    const asked = yield* Effect.forkChild(search.refused())
    yield* gate.begun
    yield* TestClock.adjust("70 seconds")
    expect(search.provider.interrupted).toBe(0)
    yield* TestClock.adjust("6 seconds")
    expect(yield* Fiber.join(asked as Fiber.Fiber<unknown>)).toMatchObject({ status: 502, code: "upstream_timeout" })
    yield* leaves(search, 0n, [502])
  })
})

describe("a client that goes away", () => {
  searchScenario("while it is searched ends the search, and pays nothing", function* (search) {
    const gate = search.provider.waits()
    const asked = (yield* Effect.forkChild(search.ask())) as Fiber.Fiber<unknown, unknown>
    yield* gate.begun
    expect(yield* search.credits).toMatchObject({ reserved: credit })
    yield* Fiber.interrupt(asked)
    expect(search.provider.interrupted).toBe(1)
    yield* leaves(search, 0n, [499])
  })

  searchScenario("when the provider has answered pays for the answer", function* (search) {
    const gate = search.provider.waits()
    const asked = (yield* Effect.forkChild(search.ask())) as Fiber.Fiber<unknown, unknown>
    yield* gate.begun
    yield* gate.answer
    yield* Fiber.interrupt(asked)
    yield* leaves(search, credit, [200])
  })
})

describe("an Idempotency-Key", () => {
  const key = "a key"

  // Verifies: G-201, H-250.
  searchScenario("searches and bills once, and answers again with the same bytes", function* (search) {
    const first = (yield* search.ask({ key })) as RouteResult
    search.provider.finds()
    const again = (yield* search.ask({ key })) as RouteResult
    expect(again).toEqual({ ...first, isReplayed: true })
    expect(search.provider.works).toHaveLength(1)
    yield* leaves(search, credit, [200])
  })

  // Verifies: H-250.
  searchScenario("belongs to one request, and comes before the provider", function* (search) {
    yield* search.ask({ key })
    for (const asked of [{ query: "Goa" }, { provider: "gone" }, { maxResults: 10 }]) {
      expect(yield* search.refused({ key, ...asked })).toMatchObject({ status: 409, code: "idempotency_key_reused" })
    }
    expect(yield* search.refused({ key: "" })).toMatchObject({ status: 400, param: "Idempotency-Key" })
  })

  searchScenario("is in progress while the first search runs, and free again when it has failed", function* (search) {
    const gate = search.provider.waits()
    const first = yield* Effect.forkChild(search.ask({ key }))
    yield* gate.begun
    expect(yield* search.refused({ key })).toMatchObject({ status: 409, code: "idempotency_in_progress" })
    yield* gate.answer
    yield* Fiber.join(first as Fiber.Fiber<unknown>)
    search.provider.fails("failed")
    yield* search.refused({ key: "another" })
    search.provider.finds()
    expect(yield* search.ask({ key: "another" })).toMatchObject({ isReplayed: false })
    yield* leaves(search, 2n * credit, [200, 502, 200])
  })

  // Verifies: H-163.
  searchScenario("bills once when its process stands still past its lease", function* (search) {
    yield* search.stage.second
    const gate = search.provider.waits()
    const stalled = (yield* Effect.forkChild(search.ask({ key }))) as Fiber.Fiber<RouteResult, unknown>
    yield* gate.begun
    const resume = (yield* search.stage.stall()) as Effect.Effect<void>
    yield* gate.answer
    yield* turns
    yield* TestClock.adjust("10 minutes")
    search.provider.finds({ url: "https://goa.example/other" })
    expect(yield* search.stage.elsewhere(search.asking({ key }))).toMatchObject({ isReplayed: false })
    yield* TestClock.adjust("1 second")
    yield* resume
    const first = (yield* Fiber.join(stalled)) as RouteResult
    expect({ ...first, ...json(first) }).toMatchObject({
      isReplayed: true,
      results: [{ url: "https://goa.example/other" }]
    })
    yield* leaves(search, credit, [409, 200])
  })
})
