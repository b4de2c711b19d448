/** Refusals of requests under an Idempotency-Key, and how long a response is stored: docs/reference/gateway.md#idempotency. */
import { Instant, Storage } from "@trunkline/core/effect"
import { IdempotencyStore } from "@trunkline/core/storage"
import type { IdempotentRequest } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { inferenceCodes } from "../../../src/gateway/errors/index.ts"
import { idempotencyRefusal } from "../../../src/gateway/run/index.ts"
import { Workers } from "../../../src/host/Workers.ts"
import { Idempotency, type IdempotencyRefused } from "../../../src/platform/idempotency/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const once = ({ tenant }: Stage, over: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  tenantId: tenant,
  key: "a key",
  fingerprint: "first",
  leaseMs: 60_000,
  ...over
})

const begin = (request: IdempotentRequest) => Idempotency.use((idempotency) => idempotency.begin(request))

const ran = (request: IdempotentRequest) =>
  Effect.flatMap(begin(request), (begun) =>
    begun._tag === "Begun"
      ? Idempotency.use((idempotency) =>
          idempotency.finish(request, begun.claim, { status: 200, contentType: "text/plain", body: "x", headers: {} })
        )
      : Effect.die(new Error("it ran before"))
  )

/** The refusal of a request, as a route answers it. */
const refused = (stage: Stage, over: Partial<IdempotentRequest> = {}) =>
  Effect.map(stage.fails(begin(once(stage, over))), (error) => idempotencyRefusal(error as IdempotencyRefused))

describe("a request under an Idempotency-Key", () => {
  scenario("is refused for a second while the first one runs", function* (stage) {
    yield* stage.run(begin(once(stage)))
    expect(yield* refused(stage)).toMatchObject({
      code: "idempotency_in_progress",
      status: 409,
      retryAfterSeconds: 1
    })
  })

  scenario("is refused for good when the key belongs to another request, also while that one runs", function* (stage) {
    yield* stage.run(begin(once(stage)))
    const refusal = { code: "idempotency_key_reused", status: 409, retryAfterSeconds: null }
    expect(yield* refused(stage, { fingerprint: "second" })).toMatchObject(refusal)
    expect(inferenceCodes.idempotency_key_reused.retry).toBe("never")
  })

  scenario("is refused when the key is empty or too long, and claims none", function* (stage) {
    for (const key of ["", "x".repeat(256)]) {
      expect(yield* refused(stage, { key })).toMatchObject({
        code: "invalid_request",
        status: 400,
        param: "Idempotency-Key",
        message: "An Idempotency-Key has 1 to 255 characters."
      })
    }
  })

  scenario("leaves nothing behind after a day, where workers run", function* (stage) {
    yield* stage.run(ran(once(stage)))
    yield* TestClock.adjust(Instant.day - Instant.minute)
    yield* stage.run(Workers.use((workers) => workers.start))
    const stands = stage.look(
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        return yield* (yield* Storage).read(store.find(stage.tenant, "a key"))
      })
    )
    yield* stage.elapse(Instant.minute - 1, Instant.minute)
    expect(yield* stands).not.toBeNull()
    yield* stage.elapse(Instant.minute + 1, Instant.minute)
    expect(yield* stands).toBeNull()
  })
})
