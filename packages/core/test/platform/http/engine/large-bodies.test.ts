/** Bodies of JSON by their size: how long the event loop is held up by one of them. Verifies: HTTP-2, KERN-8. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import { describe, expect, it } from "vitest"
import { makeApi } from "../../../../src/host/Everything.ts"
import { neutralBrand } from "../../../../src/platform/brand/index.ts"
import { endpointCodec, type PayloadReader } from "../../../../src/platform/http/engine/EndpointCodec.ts"
import { turnsWhile } from "../../kernel/CountedTurns.ts"

const readers = new Map<string, PayloadReader>()
HttpApi.reflect(makeApi(neutralBrand), {
  onGroup: () => {},
  onEndpoint: (contract) => {
    const { payload } = endpointCodec(contract)
    if (payload !== null) readers.set(contract.endpoint.path, payload)
  }
})

const read = (path: string, body: string): Effect.Effect<Exit.Exit<unknown, unknown>> => {
  const { buffer } = new TextEncoder().encode(body)
  const request = { headers: {}, arrayBuffer: Effect.succeed(buffer) } as unknown as HttpServerRequest.HttpServerRequest
  return Effect.exit(readers.get(path)!.read(request) as Effect.Effect<unknown, unknown>)
}

const chat = (text: string, others = ""): string =>
  `{"model":"m",${others}"messages":[{"role":"user","content":"${text}"}]}`

describe("a body of JSON", () => {
  it("that is small is read at once", () => {
    expect(Exit.isSuccess(Effect.runSync(read("/v1/chat/completions", chat("a"))))).toBe(true)
  })

  it("that is large is counted, decoded, parsed and checked each in a turn of the event loop of its own", async () => {
    for (const path of ["/v1/chat/completions", "/v1/embeddings", "/api/v1/voice-campaigns/dnc"]) {
      const turns = await turnsWhile(() => Effect.runPromise(read(path, chat("a".repeat(1_000_000)))))
      expect(turns).toBeGreaterThanOrEqual(4)
    }
  })

  it("with more than 1,000 fields of its own is refused before any of them is looked at", () => {
    const fields = (count: number) => Array.from({ length: count }, (_, at) => `"f${at}":1,`).join("")
    const of = (count: number) => Effect.runSync(read("/v1/chat/completions", chat("a", fields(count))))
    expect(Exit.isSuccess(of(998))).toBe(true)
    expect(String(of(999))).toContain("The body has more than 1,000 fields")
  })
})
