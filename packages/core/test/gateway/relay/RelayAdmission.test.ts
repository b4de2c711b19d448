/** What a relay takes, and what it leaves to the route: docs/reference/gateway.md#relay. Verifies: RELY-1. */
import { assert, describe, it } from "vitest"
import { type Asked, type RelayReading, relayedRequest } from "../../../src/gateway/relay/RelayAdmission.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const model = {
  ...{ id: "ours", category: "llm", status: "active", vision: true, tiers: ["pro"] },
  limits: { maxOutputTokens: 100, bytes: null },
  price: { unit: "tokens", input: 1n, output: 1n, cachedInput: 1n, cacheWrite: 1n, cacheWriteHour: 1n }
}

const body = { model: "ours", messages: [{ role: "user", content: "hi" }] }

interface Stage {
  readonly apis?: ReadonlyArray<string>
  readonly isClosed?: boolean
  readonly hasCallbacks?: boolean
}

/** Whether a relay takes the request. */
const isTaken = ({ apis = ["chat_completions"], hasCallbacks = true, isClosed = true }: Stage = {}): boolean => {
  const route = {
    upstream: { name: "fake", apis, ...(hasCallbacks ? { openGenerate: () => undefined } : {}) },
    model: "theirs"
  }
  const key = { id: "key", allowedModels: null, requestsPerMinute: null, concurrency: null }
  const asked = {
    ...{
      api: "chat_completions",
      key,
      idempotencyKey: null,
      body: new TextEncoder().encode(JSON.stringify(body)).buffer
    },
    principal: { tenantId: "account", account: { plan: "pro", monthlyBudget: null }, caller: { _tag: "Key", key } },
    exchange: { at: Instant.make(0), request: { headers: {} }, requestId: "request", payload: () => body }
  } as unknown as Asked
  const reading = {
    breakers: { isClosed: () => isClosed },
    catalogue: { get: () => model },
    metered: { planOf: () => ({ entries: [route], retries: 0 }), reservationOf: () => ({}) },
    nextId: () => "00000000-0000-7000-8000-000000000001"
  } as unknown as RelayReading
  return relayedRequest(asked, reading) !== null
}

describe("a relay", () => {
  it("takes a request that the first upstream of its route answers by callbacks, in the API of the request", () => {
    assert.isTrue(isTaken())
    assert.isFalse(isTaken({ hasCallbacks: false }))
    assert.isFalse(isTaken({ apis: ["messages"] }))
  })

  it("leaves a request to the route where the breaker of the first upstream is not closed", () => {
    assert.isFalse(isTaken({ isClosed: false }))
  })
})
