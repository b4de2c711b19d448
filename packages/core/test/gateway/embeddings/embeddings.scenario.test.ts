/** A request for embeddings from its body to its bill: docs/reference/embeddings.md. Verifies: EMBD-1, EMBD-2, EMBD-3. */

import { Storage } from "@trunkline/core/effect"
import { QuotaStore } from "@trunkline/core/storage"
import type { UsageRow } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { embeddingRoute } from "../../../src/gateway/embeddings/index.ts"
import { InferenceRoutes, runJson } from "../../../src/gateway/routes/index.ts"
import { ClaimLost, storable } from "../../../src/platform/idempotency/index.ts"
import { jsonScenario } from "../JsonScenarios.ts"

const credit = 1_000_000_000n
const model = "text-embedding-3-small"

const route = {
  capability: "embed",
  model,
  run: (caller, input) => InferenceRoutes.use((routes) => runJson(routes, embeddingRoute, caller, input))
} as const satisfies Parameters<typeof jsonScenario<"embed">>[1]

describe("embeddings", () => {
  // Verifies: G-810, G-812, G-813.
  jsonScenario("cost their tokens to the nano-credit, and no call of the plan", route, function* (json, first) {
    first.says({ vectors: [[1, 0]], inputTokens: 7 })
    const before = yield* json.stage.credits
    yield* json.ask({ body: { model, input: "seven tokens" } })
    // 7 x 0.02083 USD a million, at 96 credits for a dollar, rounded up.
    expect(yield* json.rows).toMatchObject([{ units: 7, unit: "tokens", credits: 13_998n, service: "embedding" }])
    expect(yield* json.stage.credits).toEqual({ ...before, balance: before.balance - 13_998n })
    const month = "2026-11"
    const counts = yield* json.stage.run(
      Storage.use((storage) =>
        storage.read(
          QuotaStore.use((quotas) => quotas.counts({ tenantId: json.stage.tenant, service: "embedding", month }))
        )
      )
    )
    expect(counts).toEqual({ used: 0, pending: 0 })
  })

  // Verifies: G-812.
  jsonScenario("are refused where the credit does not cover what they can cost", route, function* (json, first) {
    first.says({ vectors: [[1]], inputTokens: null })
    // 12 bytes and 16 are at most 28 tokens.
    yield* json.stage.leaveCredit(55_991n)
    expect(yield* json.refused({ body: { model, input: "twelve bytes" } })).toMatchObject({
      code: "insufficient_credits"
    })
    expect(first.works).toHaveLength(0)
    yield* json.stage.leaveCredit(55_992n)
    yield* json.ask({ body: { model, input: "twelve bytes" } })
    expect(yield* json.rows).toMatchObject([{ units: 3, credits: 6_000n }])
  })

  // Verifies: G-810.
  jsonScenario("charge what an upstream claims beyond that to free credit alone", route, function* (json, first) {
    first.says({ vectors: [[1]], inputTokens: 1_000_000_000 })
    yield* json.stage.leaveCredit(credit)
    yield* json.ask({ body: { model, input: "one" } })
    expect(yield* json.stage.credits).toMatchObject({ balance: 0n, reserved: 0n })
  })

  // Verifies: G-820.
  jsonScenario(
    "go on to the next upstream where the vectors are not those that were asked for",
    route,
    function* (json, first, second) {
      second.says({ vectors: [[3, 4, 0]], inputTokens: 2 })
      for (const vectors of [[], [[1], [1]], [[1]]]) {
        first.says({ vectors, inputTokens: 1_000 })
        const { data } = yield* json.ask({ body: { model, input: "one", dimensions: 2 } })
        expect(data).toEqual([{ object: "embedding", index: 0, embedding: [0.6, 0.8] }])
      }
      expect(second.works.map(({ body }) => body.model)).toEqual(["other", "other", "other"])
      const rows = (yield* json.rows) as ReadonlyArray<UsageRow>
      const ends = rows.map(({ credits, httpStatus }) => `${httpStatus} ${credits}`).sort()
      expect(ends).toEqual([...Array(3).fill("200 4000"), ...Array(3).fill("502 0")])
    }
  )

  // Verifies: H-757.
  jsonScenario("of a line of a batch are stored with their bill, or cost nothing", route, function* (json, first) {
    first.says({ vectors: [[1, 0]], inputTokens: 7 })
    const before = yield* json.stage.credits
    const request = embeddingRoute.read({ body: { model, input: "one" }, bytes: 50 })
    const answer = (store: () => Effect.Effect<void, ClaimLost>) =>
      Effect.flatMap(json.caller(), (caller) =>
        InferenceRoutes.use((routes) => routes.answer(embeddingRoute, caller, { request, model }, store))
      )
    expect(yield* json.stage.fails(answer(() => Effect.fail(new ClaimLost())))).toBeInstanceOf(ClaimLost)
    expect(yield* json.stage.credits).toEqual(before)
    const stored = yield* json.stage.run(answer(() => Effect.void))
    expect(JSON.parse(storable(stored).body)).toMatchObject({ data: [{ embedding: [1, 0] }] })
    expect(yield* json.stage.credits).toEqual({ ...before, balance: before.balance - 13_998n })
  })
})
