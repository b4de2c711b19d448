/** What a caller is answered when an upstream refuses the input: docs/reference/upstreams.md#failures. */
import { describe, expect, it } from "vitest"
import {
  failureRefusal,
  languageModelFailureCodes,
  speechFailureCodes
} from "../../../src/gateway/run/InferenceRefusals.ts"

const faults = { param: "messages", refused: "It cannot be read.", tooLarge: "It is too large." }
const failure = { why: "context_too_long", advice: null, param: null, attempts: 1, retryAfterSeconds: null } as const

// Verifies: H-188.
describe("a prompt beyond the model's context", () => {
  it("is an error of its own on the routes of language models, and a refused input on the others", () => {
    expect(failureRefusal(failure, languageModelFailureCodes, faults)).toMatchObject({
      code: "context_length_exceeded",
      param: "messages"
    })
    expect(failureRefusal(failure, speechFailureCodes, faults)).toMatchObject({
      code: "invalid_request",
      message: "It cannot be read."
    })
  })
})

// Verifies: H-189.
describe("the field that an upstream refuses", () => {
  it("is named in place of the route's own", () => {
    const refused = failureRefusal(
      { ...failure, why: "refused_input", param: "tools.0.name" },
      languageModelFailureCodes,
      faults
    )
    expect(refused).toMatchObject({ code: "invalid_request", message: "It cannot be read.", param: "tools.0.name" })
  })
})
