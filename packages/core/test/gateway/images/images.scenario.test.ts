/** A request for images from its body to its bill: docs/reference/images.md. Verifies: IMGE-1, IMGE-2, IMGE-3. */
import { Storage, transact } from "@trunkline/core/effect"
import { QuotaStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect } from "vitest"
import { imageRoute } from "../../../src/gateway/images/index.ts"
import { InferenceRoutes, runJson } from "../../../src/gateway/routes/index.ts"
import { type JsonStage, jsonScenario } from "../JsonScenarios.ts"

const model = "flux-2-dev"

const route = {
  capability: "generateImages",
  model,
  run: (caller, input) => InferenceRoutes.use((routes) => runJson(routes, imageRoute([]), caller, input))
} as const satisfies Parameters<typeof jsonScenario<"generateImages">>[1]

const image = { b64_json: "AAAA" }
const month = "2026-11"

const counts = ({ stage }: JsonStage) =>
  stage.run(
    Storage.use((storage) =>
      storage.read(QuotaStore.use((quotas) => quotas.counts({ tenantId: stage.tenant, service: "image", month })))
    )
  )

/** Leaves this number of the 500 images that the plan has. */
const leaveImages = ({ stage }: JsonStage, left: number) =>
  stage.run(
    transact(
      QuotaStore.use((quotas) => {
        const period = { tenantId: stage.tenant, service: "image", month } as const
        const begun = quotas.begin(period, { calls: 1, cap: null })
        return Effect.andThen(begun, quotas.end(period, { pending: 1, used: 500 - left }))
      })
    )
  )

const body = (n: number, more: object = {}) => ({ body: { model, prompt: "a mango", n, ...more } })

describe("images", () => {
  // Verifies: G-852, G-853, G-854, G-857.
  jsonScenario(
    "are reserved for all that were requested, and charged and counted for those that came",
    route,
    function* (json, first) {
      const before = yield* json.stage.credits
      first.answering = () =>
        Effect.gen(function* () {
          const held = yield* Effect.orDie(json.stage.credits)
          // 4 images of two prices each, of 11.52 credits.
          expect(held.reserved).toBe(92_160_000_000n)
          expect(yield* Effect.orDie(counts(json))).toEqual({ used: 0, pending: 4 })
          return { images: [image, image, image], fields: {} }
        })
      const { data } = yield* json.ask(body(4, { size: "1024x1025" }))
      expect(data).toEqual([image, image, image])
      const charged = 69_120_000_000n
      expect(yield* json.stage.credits).toEqual({ ...before, balance: before.balance - charged, reserved: 0n })
      expect(yield* json.rows).toMatchObject([{ service: "image", units: 3, unit: "images", credits: charged }])
      expect(yield* counts(json)).toEqual({ used: 3, pending: 0 })
    }
  )

  // Verifies: G-856.
  jsonScenario(
    "are refused where the plan has fewer left than were asked for, and made where it has as many",
    route,
    function* (json, first) {
      first.says({ images: [image, image, image], fields: {} })
      yield* leaveImages(json, 3)
      const refused = yield* json.refused(body(4))
      expect(refused).toMatchObject({ code: "quota_exceeded", isPermanent: true })
      expect(refused.detail).toContain("do not cover this request")
      expect(first.works).toHaveLength(0)
      expect(yield* counts(json)).toEqual({ used: 497, pending: 0 })
      yield* json.ask(body(3))
      expect(yield* counts(json)).toEqual({ used: 500, pending: 0 })
      expect(yield* json.refused(body(1))).toMatchObject({ code: "quota_exceeded" })
    }
  )

  // Verifies: G-856.
  jsonScenario("are never more than the plan has, whatever is asked for side by side", route, function* (json, first) {
    yield* leaveImages(json, 10)
    first.says({ images: [image, image, image], fields: {} })
    const all = yield* Effect.forkChild(
      Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(json.ask(body(3))), { concurrency: "unbounded" })
    )
    yield* Fiber.join(all as Fiber.Fiber<unknown>)
    expect(yield* counts(json)).toEqual({ used: 499, pending: 0 })
    expect(first.works).toHaveLength(3)
  })

  // Verifies: G-857.
  jsonScenario("that nobody made are not counted", route, function* (json, first, second) {
    first.fails("failed")
    second.fails("unreadable")
    expect(yield* json.refused(body(5))).toMatchObject({ code: "upstream_error", attempts: 2 })
    expect(yield* counts(json)).toEqual({ used: 0, pending: 0 })
    expect(yield* json.rows).toMatchObject([{ credits: 0n }, { credits: 0n }])
  })

  // Verifies: G-855.
  jsonScenario(
    "of a prompt that is refused for what it says are asked for nowhere else",
    route,
    function* (json, first, second) {
      first.fails("content_policy")
      expect(yield* json.refused(body(1))).toMatchObject({ code: "content_policy_violation", param: "prompt" })
      expect(second.works).toHaveLength(0)
      expect(yield* json.rows).toMatchObject([{ httpStatus: 400, credits: 0n }])
    }
  )
})
