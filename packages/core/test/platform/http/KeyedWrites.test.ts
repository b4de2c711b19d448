/** Which routes take an Idempotency-Key, and what a key comes to: docs/reference/http-conventions.md#idempotency. Verifies: HTTP-1, IDEM-4. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { read } from "../../../../../test/house/Sources.ts"
import { makeApi } from "../../../src/host/Everything.ts"
import { neutralBrand } from "../../../src/platform/brand/index.ts"
import { isKeyedWrite, keyRefusals, takesKey } from "../../../src/platform/http/KeyedWrites.ts"
import { resolveExisting } from "../../../src/platform/idempotency/IdempotentRequest.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const page = read("docs/reference/http-conventions.md")

/** The routes of the page's table, with their reasons. */
const withoutKey = new Map(
  [...page.matchAll(/^\| `POST (\/[^`]+)` \| ([^|]+) \|$/gm)].map(([, path, reason]) => [path!, reason!.trim()])
)

const posts = { taking: new Set<string>(), others: new Set<string>() }
HttpApi.reflect(makeApi(neutralBrand), {
  onGroup: () => {},
  onEndpoint: (contract) => {
    const { method, path } = contract.endpoint
    if (method === "POST" && path.startsWith("/api/v1/")) posts[takesKey(contract) ? "taking" : "others"].add(path)
    // Those of /v1 read the key themselves.
    expect(isKeyedWrite(contract), path).toBe(takesKey(contract) && path.startsWith("/api/v1/"))
  }
})

describe("an Idempotency-Key", () => {
  // Verifies: H-832.
  it("is taken by every POST of the platform but those that the page names with a reason", () => {
    expect(posts.taking.size).toBeGreaterThan(20)
    expect([...posts.others].toSorted()).toEqual([...withoutKey.keys()].toSorted())
    for (const [path, reason] of withoutKey) expect(reason.length, path).toBeGreaterThan(20)
  })

  it("has refusals that the page of errors names", () => {
    const errors = read("docs/reference/errors.md")
    for (const { code, message } of Object.values(keyRefusals)) {
      expect(errors).toContain(`\`${code}\``)
      expect(errors).toContain(message)
    }
  })

  it("begins no run anew that has acted, and says whether it still runs", () => {
    const instant = fc.nat({ max: 10 }).map(Instant.make)
    const run = fc.record({ hasActed: fc.boolean(), leaseUntil: fc.option(instant), fingerprint: fc.constant("one") })
    fc.assert(
      fc.property(run, instant, (existing, at) => {
        const found = resolveExisting({ ...existing, claim: "first", answer: null }, { fingerprint: "one" }, at)
        const reason = Result.isFailure(found) ? found.failure.reason : "replayed"
        const isOver = existing.leaseUntil === null || existing.leaseUntil <= at
        expect(reason).toBe(existing.hasActed && isOver ? "outcome_unknown" : "in_progress")
        const other = resolveExisting({ ...existing, claim: "first", answer: null }, { fingerprint: "two" }, at)
        expect(Result.isFailure(other) && other.failure.reason).toBe("key_reused")
      })
    )
  })
})
