/** Verifies: OPAI-4, SARV-4, DEEP-5. */

import { assert, describe, it } from "@effect/vitest"
import { Instant } from "@trunkline/core/effect"
import { refusal, reportedError } from "../../src/upstream/UpstreamRefusal.ts"

const now = Instant.make(Date.UTC(2026, 10, 1, 12))
const secret = "sk-topsecret"
const of = (status: number, body: unknown = "", retryAfter: string | null = null) =>
  refusal({ status, retryAfter, body: typeof body === "string" ? body : JSON.stringify(body) }, now, secret)

const openai = (code: string | null, type: string | null = null, message = "no words") => ({
  error: { message, type, param: null, code }
})
const deepgram = (code: string) => ({ err_code: code, err_msg: "no words", request_id: "1" })

// Verifies: H-23, H-122.
describe("a refusal by its status", () => {
  it.each([
    [400, "refused_input"],
    [415, "refused_input"],
    [422, "refused_input"],
    [413, "too_large"],
    [429, "throttled"],
    [401, "operator"],
    [402, "operator"],
    [403, "operator"],
    [404, "not_found"],
    [405, "wrong_route"],
    [409, "wrong_route"],
    [408, "timeout"],
    [500, "failed"],
    [502, "failed"],
    [503, "failed"],
    [529, "failed"],
    [302, "wrong_route"]
  ])("%i is %s", (status, why) => assert.strictEqual(of(status).why, why))
})

describe("a refusal by its code", () => {
  it.each([
    // Verifies: H-27, H-122.
    ["OpenAI's spent quota", 429, openai("insufficient_quota", "insufficient_quota"), "operator"],
    ["OpenAI's spending limit, which is a 400", 400, openai("billing_hard_limit_reached"), "operator"],
    [
      // Verifies: H-123.
      "OpenAI's throttling, whose words speak of billing",
      429,
      openai(
        "rate_limit_exceeded",
        "requests",
        "Rate limit reached. Add a payment method to your account at /account/billing."
      ),
      "throttled"
    ],
    // Verifies: G-855.
    [
      "OpenAI's refusal of a prompt",
      400,
      openai("content_policy_violation", "invalid_request_error"),
      "content_policy"
    ],
    ["its newer one", 400, openai("moderation_blocked", "image_generation_user_error"), "content_policy"],
    ["Azure's", 400, openai("content_filter"), "content_policy"],
    ["Azure's, of pictures", 400, openai("contentFilter"), "content_policy"],
    ["a fault that speaks of moderation", 500, openai("moderation_blocked"), "failed"],
    ["Sarvam's key", 403, openai("invalid_api_key_error"), "operator"],
    ["Sarvam's quota", 429, openai("insufficient_quota_error"), "operator"],
    ["Sarvam's throttling", 429, openai("rate_limit_exceeded_error"), "throttled"],
    ["Sarvam's throttling, which may be a 503", 503, openai("rate_limit_exceeded_error"), "throttled"],
    ["Sarvam's refusal of a file", 422, openai("unprocessable_entity_error"), "refused_input"],
    ["Deepgram's key", 401, deepgram("INVALID_AUTH"), "operator"],
    ["Deepgram's payment", 402, deepgram("ASR_PAYMENT_REQUIRED"), "operator"],
    ["Deepgram's throttling", 429, deepgram("TOO_MANY_REQUESTS"), "throttled"],
    ["Deepgram's other shape", 400, { category: "INVALID_BUDGET", message: "x", details: "y" }, "operator"],
    ["a gateway's budget, which is a 400", 400, openai("400", "budget_exceeded"), "operator"],
    ["another Trunkline's monthly cap", 429, openai("quota_exceeded", "insufficient_quota"), "operator"],
    ["another Trunkline's concurrency", 429, openai("too_many_concurrent_requests", "rate_limit_error"), "throttled"],
    [
      // Verifies: H-123.
      "a spent quota that is told in words alone",
      429,
      openai(null, null, "You exceeded your current quota, please check your plan"),
      "operator"
    ],
    ["an error that is a mere word", 429, { error: "insufficient_quota" }, "operator"],
    ["a model that is not there, which is no fault of the file", 400, openai("model_not_found"), "wrong_route"],
    ["a detail in FastAPI's shape", 422, { detail: [{ loc: ["body"], msg: "x", type: "missing" }] }, "refused_input"]
  ] as const)("%s", (_, status, body, why) => assert.strictEqual(of(status, body).why, why))

  it.each(["<html>", "null", "[1]", '"quota"', '{"error":null}', '{"error":{"code":7}}', "\u0000"])(
    "no body can get in the way: %s",
    (body) => assert.strictEqual(of(400, body).why, "refused_input")
  )
})

// Verifies: H-188.
describe("a prompt beyond the model's context", () => {
  const tooLong = "prompt is too long: 210000 tokens > 200000 maximum"
  it.each([
    ["OpenAI's code", 400, openai("context_length_exceeded")],
    ["llama.cpp's", 400, { error: { code: 400, message: "no words", type: "exceed_context_size_error" } }],
    ["Anthropic's words", 400, { type: "error", error: { type: "invalid_request_error", message: tooLong } }],
    [
      "vLLM's words",
      400,
      { object: "error", message: "This model's maximum context length is 4096 tokens.", type: "BadRequestError" }
    ],
    ["the same as a 422", 422, openai(null, null, "the prompt exceeds the context size")]
  ] as const)("is distinguished from other refused inputs: %s", (_, status, body) =>
    assert.strictEqual(of(status, body).why, "context_too_long")
  )

  it("is none where something else failed, whatever it says", () => {
    for (const status of [401, 404, 429, 500]) {
      assert.notStrictEqual(of(status, openai("context_length_exceeded")).why, "context_too_long")
    }
  })
})

describe("credit that is used up, said in words under a code that blames the request", () => {
  it("is the operator's affair", () => {
    const message = "Your credit balance is too low to access the API."
    assert.strictEqual(of(400, openai(null, "invalid_request_error", message)).why, "operator")
  })
})

// Verifies: H-189.
describe("the field that is refused", () => {
  const naming = (param: unknown, status = 400) => of(status, { error: { message: "no words", param } }).param

  it.each(["max_tokens", "messages.0.content", "messages.[1].role", "tools[0].function.parameters"])(
    "is named where it is a path of names and numbers: %s",
    (param) => assert.strictEqual(naming(param), param)
  )

  it.each([null, "", 5, "a sentence about it", "https://inner.example", secret, "topsecret", "a".repeat(65), "a..b"])(
    "is not named where it is anything else: %s",
    (param) => assert.isNull(naming(param))
  )

  it("is named of refused inputs alone", () => {
    assert.isNull(naming("model", 401))
    assert.isNull(naming("model", 500))
  })
})

// Verifies: H-185.
describe("an error in the place of an answer or of an event", () => {
  const why = (json: unknown) => reportedError(json, secret).why

  it.each([
    ["Anthropic's overload, which is a 529", { error: { type: "overloaded_error", message: "x" } }, "failed"],
    ["Anthropic's throttling", { error: { type: "rate_limit_error", message: "x" } }, "throttled"],
    ["Anthropic's key", { error: { type: "authentication_error", message: "x" } }, "operator"],
    ["Anthropic's size", { error: { type: "request_too_large", message: "x" } }, "too_large"],
    ["Anthropic's fault", { error: { type: "api_error", message: "x" } }, "failed"],
    ["a request that is not valid", { error: { type: "invalid_request_error", message: "x" } }, "refused_input"],
    ["OpenAI's quota", openai("insufficient_quota"), "operator"],
    ["OpenAI's context", openai("context_length_exceeded", "invalid_request_error"), "context_too_long"],
    ["OpenAI's flat shape", { type: "error", code: "rate_limit_exceeded", message: "x", param: null }, "throttled"],
    ["a failed response", { id: "resp_1", error: { code: "server_error", message: "x" } }, "failed"],
    ["a failed response's prompt", { error: { code: "invalid_prompt", message: "x" } }, "refused_input"],
    ["a status as the code", { error: { code: 429, message: "x" } }, "throttled"],
    ["a status as a text", { error: { code: "503", message: "x" } }, "failed"],
    ["vLLM's older shape", { object: "error", type: "BadRequestError", code: 400, message: "x" }, "refused_input"],
    ["mere words", { error: "something happened" }, "failed"],
    ["words about the context", { error: "maximum context length is 5" }, "context_too_long"],
    ["nothing", {}, "failed"],
    ["no object", null, "failed"]
  ] as const)("has the reason that its codes say: %s", (_, json, expected) => assert.strictEqual(why(json), expected))

  it("is reported with its code, and without its words", () => {
    assert.strictEqual(reportedError(openai("server_error"), secret).detail, "reported an error: server_error")
    assert.strictEqual(reportedError({ error: "leaky words" }, secret).detail, "reported an error")
  })
})

// Verifies: H-25.
describe("how long to wait", () => {
  it.each([
    ["7", 7],
    ["0", 1],
    ["1.2", 2],
    ["864000", 3600],
    ["Sun, 01 Nov 2026 12:00:30 GMT", 30],
    ["Sun, 01 Nov 2026 11:00:00 GMT", 1],
    ["Wed, 01 Dec 2027 00:00:00 GMT", 3600],
    ["soon", null],
    ["", null],
    ["-5", null]
  ])("%s", (header, seconds) => assert.strictEqual(of(429, "", header).retryAfterSeconds, seconds))

  it("is read of a fault of the upstream's own too", () => {
    assert.strictEqual(of(503, "", "30").retryAfterSeconds, 30)
  })

  it("is null where the upstream names no time, and where waiting does not help", () => {
    assert.isNull(of(429).retryAfterSeconds)
    assert.isNull(of(429, openai("insufficient_quota"), "30").retryAfterSeconds)
    assert.isNull(of(404, "", "30").retryAfterSeconds)
  })
})

describe("what the operator reads", () => {
  it("is the status and the code", () => {
    assert.strictEqual(of(403, openai("invalid_api_key_error")).detail, "answered 403 invalid_api_key_error")
    assert.strictEqual(of(500, "<html>oops").detail, "answered 500")
  })

  it.each([
    ["a sentence", "Bad Request: see https://inner.example"],
    ["our key", secret],
    ["a part of our key", "topsecret"],
    ["something around our key", `no-such-${secret}`],
    ["something that may be a token", "tok_9f8e7d6c5b"],
    ["a line of its own", "x\nlevel=fatal"],
    ["an endless word", "a".repeat(49)]
  ])("is never %s, although it came as the code", (_, code) => {
    assert.strictEqual(of(400, openai(code)).detail, "answered 400")
  })

  it("is the next best name where the code cannot be shown", () => {
    assert.strictEqual(of(400, openai("400", "invalid_request_error")).detail, "answered 400 invalid_request_error")
  })
})
