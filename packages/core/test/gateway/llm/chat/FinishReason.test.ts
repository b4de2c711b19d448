/** Why a model has stopped, whatever its server calls it: docs/reference/language-models.md#ends. */
import { describe, expect, it } from "vitest"
import { choiceFault, finishOf } from "../../../../src/gateway/llm/chat/FinishReason.ts"

const ending = (finish_reason: unknown, more = {}) => ({ choices: [{ index: 0, finish_reason, ...more }] })

describe("an end", () => {
  it.each([
    ["stop", ["stop", "eos", "end_turn", "STOP"]],
    ["length", ["length", "max_tokens", "model_length", "model_context_window_exceeded", "MAX_TOKENS"]],
    ["tool_calls", ["tool_calls", "tool_use", "function_call"]],
    ["content_filter", ["content_filter", "sensitive", "SAFETY"]]
  ] as const)("is %s by any of its names", (finish, words) => {
    for (const word of words) {
      expect(finishOf(word)).toBe(finish)
      expect(choiceFault(ending(word), false)).toBeNull()
    }
  })

  it.each(["error", "network_error", "insufficient_system_resource", "abort", "ERROR"])(
    "by %s is a failure on every API",
    (word) => {
      expect(finishOf(word)).toBeNull()
      expect(choiceFault(ending(word), true)).toContain(word.toLowerCase())
    }
  )

  it("by a word that nobody knows is a failure, but for those who read the word themselves", () => {
    expect(choiceFault(ending("mystery"), false)).toContain("unknown")
    expect(choiceFault(ending("mystery"), true)).toBeNull()
  })

  it.each([[{ code: 502, message: "leaky words" }], ["leaky words"]])(
    "with an error in its choice is a failure",
    (error) => {
      expect(choiceFault(ending("stop", { error }), true)).toBe("a choice has an error")
    }
  )

  it("that has not come is no failure", () => {
    for (const chunk of [
      {},
      { choices: null },
      { choices: [null] },
      ending(null, { error: null }),
      ending("", { error: "" })
    ]) {
      expect(choiceFault(chunk, false)).toBeNull()
    }
  })
})
