/** What is refused before anything runs, and what passes: docs/reference/language-models.md#refused-options. Verifies: LANG-1, LANG-2. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Models } from "../../../src/gateway/catalogue/index.ts"
import { llmRefusal } from "../../../src/gateway/llm/LlmChecks.ts"
import { llmFingerprint, readLlmRequest } from "../../../src/gateway/llm/LlmRequest.ts"
import { passThrough } from "../../../src/gateway/llm/translate/PassThrough.ts"
import type { Json, LlmApi } from "../../../src/gateway/llm/translate/Translation.ts"
import { isWritableJson } from "../../../src/platform/kernel/index.ts"

const model = { id: "m", category: "llm", vision: false, limits: { bytes: 1000, maxOutputTokens: 100 } } as Models.Model
const messages = [{ role: "user", content: "hi" }]
const request = (api: LlmApi, body: Json, bytes = 10) => readLlmRequest({ api, body, bytes, headers: {} })
const refused = (api: LlmApi, body: Json, of: Models.Model = model, bytes = 10) => {
  const found = llmRefusal(request(api, body, bytes), of)
  return found === null ? null : `${found.status} ${found.code} ${found.param}`
}

describe("a request", () => {
  it("to a model of another category is refused with the right route", () => {
    const found = llmRefusal(request("chat_completions", { messages }), { ...model, category: "tts" })
    expect(found).toMatchObject({ code: "invalid_request", param: "model" })
    expect(found!.detail).toContain("/v1/audio/speech")
  })

  it("that is too large, asks for too much, or shows pictures to a model without eyes is refused", () => {
    expect(refused("chat_completions", { messages }, model, 1001)).toBe("413 file_too_large null")
    expect(refused("chat_completions", { messages, max_tokens: 5, max_completion_tokens: 101 })).toBe(
      "400 max_tokens_too_large max_completion_tokens"
    )
    const shown = [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com" } }] }]
    expect(refused("chat_completions", { messages: shown })).toBe("400 invalid_request messages")
    expect(refused("chat_completions", { messages: shown }, { ...model, vision: true })).toBe(null)
  })

  it.each<[LlmApi, Json, string | null]>([
    ["chat_completions", { web_search_options: {} }, "web_search_options"],
    ["chat_completions", { audio: {} }, "audio"],
    ["chat_completions", { modalities: ["text", "audio"] }, "modalities"],
    ["chat_completions", { modalities: ["text"], service_tier: "auto", store: true, metadata: {} }, null],
    ["chat_completions", { service_tier: "flex" }, "service_tier"],
    [
      "chat_completions",
      { messages: [{ role: "user", content: [{ type: "file", file: { file_id: "f" } }] }] },
      "messages"
    ],
    ["messages", { speed: "fast" }, "speed"],
    ["messages", { speed: "standard", service_tier: "standard_only" }, null],
    ["messages", { container: "c" }, "container"],
    ["messages", { tools: [{ type: "web_search_20250305" }] }, "tools"],
    ["messages", { tools: [{ type: "bash_20250124" }, { name: "own" }, { type: "custom" }] }, null],
    ["responses", { background: true }, "background"],
    ["responses", { background: false }, null],
    ["responses", { conversation: "c" }, "conversation"],
    ["responses", { tools: [{ type: "web_search_preview" }] }, "tools"],
    ["responses", { tools: [{ type: "shell", environment: { type: "container_auto" } }] }, "tools"],
    ["responses", { input: [{ role: "user", content: [{ type: "input_file", file_url: "https://x" }] }] }, "input"]
  ])("of %s with %j is refused for %s", (api, body, param) => {
    expect(refused(api, { messages, ...body })).toBe(param === null ? null : `400 invalid_request ${param}`)
  })

  it("is the same however its JSON is written, and another one where a value differs", () => {
    const of = (text: string) => Effect.runSync(llmFingerprint(request("chat_completions", JSON.parse(text) as Json)))
    expect(of('{"a":{"b":1,"c":[1,2]},"d":null}')).toBe(of('{ "a": {"c":[1,2], "b":1.0} }'))
    expect(of('{"a":[1,2]}')).not.toBe(of('{"a":[2,1]}'))
  })

  it("is read only where it can be written again", () => {
    expect(isWritableJson(JSON.parse("1e999"))).toBe(false)
    expect(isWritableJson(JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`))).toBe(false)
    expect(isWritableJson({ a: [{ b: "c" }] })).toBe(true)
  })
})

describe("passed through", () => {
  const context = {
    ...{ request: {}, model: "ours", id: "chatcmpl-1", createdAt: 1, inputEstimate: 1 },
    freshId: (prefix: string) => prefix
  }
  const to = { model: "ours", upstreamModel: "theirs", maxOutputTokens: 5 }

  it("a chat keeps every field but the model and what is stored there", () => {
    const asked = { model: "ours", messages, store: true, metadata: { a: "b" }, seed: 3, unknown: { x: [1] } }
    expect(Result.getOrThrow(passThrough.chat_completions.request(asked, to))).toEqual({
      ...{ model: "theirs", messages, seed: 3, unknown: { x: [1] } }
    })
  })

  it("an answer keeps unknown fields, with our id and the model that was asked for", () => {
    const answer = {
      id: "theirs",
      model: "theirs-1",
      choices: [{ message: { content: "hi", reasoning_content: "r" } }],
      x: 1
    }
    expect(Result.getOrThrow(passThrough.chat_completions.answer(answer, context))).toEqual({
      ...answer,
      id: "chatcmpl-1",
      model: "ours"
    })
  })

  it("thinking of our own translation is taken out of a message", () => {
    const own = { type: "thinking", thinking: "t", signature: "" }
    const theirs = { ...own, signature: "s" }
    const asked = {
      model: "ours",
      messages: [{ role: "assistant", content: [own, theirs, { type: "text", text: "x" }] }]
    }
    expect(Result.getOrThrow(passThrough.messages.request(asked, to)).messages).toEqual([
      { role: "assistant", content: [theirs, { type: "text", text: "x" }] }
    ])
  })

  it("a response is never stored at the upstream", () => {
    expect(Result.getOrThrow(passThrough.responses.request({ input: "hi", store: true }, to))).toMatchObject({
      store: false
    })
  })
})
