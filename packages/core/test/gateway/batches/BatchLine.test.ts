/** Lines of results, and which failures are tried again: docs/reference/batches.md#lines. */

import { refuse } from "@trunkline/core/testing"
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { answeredLine, refusedLine, retryAfterMs, unrunLine, usageOf } from "../../../src/gateway/batches/BatchLine.ts"
import { type InferenceCode, inferenceCodes } from "../../../src/gateway/errors/index.ts"

const line = (customId: string) => ({ customId: JSON.stringify(customId), id: "1", requestId: "r" })

describe("a line of the results", () => {
  // Verifies: H-739.
  it("is one line of JSON, whatever the id and the answer say", () => {
    fc.assert(
      fc.property(unicodeText({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), (customId, body) => {
        const text = answeredLine(line(customId), 200, JSON.stringify(body))
        expect(text).not.toMatch(/[\n\r]/)
        expect(JSON.parse(text)).toEqual({
          ...{ id: "batch_req_1", custom_id: customId, error: null },
          response: { status_code: 200, request_id: "r", body: JSON.parse(JSON.stringify(body)) }
        })
      })
    )
  })

  // Verifies: H-741, H-742, H-745.
  it("of what was refused has the answer that a request would have got, of what never ran a code", () => {
    expect(JSON.parse(refusedLine(line("a"), refuse("upstream_error", { showsRequestId: true })))).toMatchObject({
      response: { status_code: 502, body: { error: { code: "upstream_error", type: "api_error", request_id: "r" } } },
      error: null
    })
    expect(JSON.parse(unrunLine(line("a"), "batch_expired"))).toEqual({
      ...{ id: "batch_req_1", custom_id: "a", response: null },
      error: { code: "batch_expired", message: expect.stringMatching(/\w/) }
    })
  })

  // Verifies: H-744.
  it.each([
    [{ prompt_tokens: 5, completion_tokens: 3 }, [5, 0, 3, 0]],
    [
      {
        ...{ prompt_tokens: 5, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } },
        completion_tokens_details: { reasoning_tokens: 1 }
      },
      [5, 2, 3, 1]
    ],
    [
      {
        ...{ input_tokens: 7, output_tokens: 4, input_tokens_details: { cached_tokens: 6 } },
        output_tokens_details: { reasoning_tokens: 2 }
      },
      [7, 6, 4, 2]
    ],
    [{ prompt_tokens: 9, total_tokens: 9 }, [9, 0, 0, 0]],
    [{ prompt_tokens: 1000, completion_tokens: 50, prompt_cache_hit_tokens: 800 }, [1000, 800, 50, 0]],
    [{ prompt_tokens: 1000, completion_tokens: 50, cached_tokens: 2000 }, [1000, 1000, 50, 0]],
    [{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 40 }, [10, 0, 30, 25]],
    [{ prompt_tokens: "many" }, [0, 0, 0, 0]]
  ])("counts the tokens of %j", (usage, [inputTokens, cachedTokens, outputTokens, reasoningTokens]) => {
    expect(usageOf(JSON.stringify({ usage }))).toEqual({ inputTokens, cachedTokens, outputTokens, reasoningTokens })
  })
})

describe("a line that failed", () => {
  // Verifies: H-737.
  it("is tried again after 1 and 2 seconds, three times in all, where a retry can help", () => {
    const again = (Object.keys(inferenceCodes) as ReadonlyArray<InferenceCode>).filter(
      (code) => retryAfterMs(refuse(code), 1) !== null
    )
    expect(again.sort()).toEqual(
      [
        ...["internal_error", "provider_error", "rate_limit_exceeded", "service_unavailable"],
        ...["upstream_error", "upstream_timeout", "upstream_unavailable"]
      ].sort()
    )
    const failed = refuse("upstream_error")
    expect([1, 2, 3].map((tries) => retryAfterMs(failed, tries))).toEqual([1000, 2000, null])
    expect(retryAfterMs(refuse("service_unavailable", { isPermanent: true }), 1)).toBeNull()
    expect(retryAfterMs(refuse("rate_limit_exceeded", { retryAfterSeconds: 17 }), 2)).toBe(17_000)
  })
})
