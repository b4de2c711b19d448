import { assert, describe, it } from "@effect/vitest"
import { Ids, Instant } from "@trunkline/core/effect"
import * as Result from "effect/Result"
import { readCallback } from "../../src/twilio/TwilioCallbacks.ts"

const callId = Ids.as<"Call">("01890000-0000-7000-8000-00000000000a")
const now = Instant.make(Date.UTC(2026, 10, 21, 10, 0, 0))
const read = (query: string, fields: Record<string, string>) =>
  readCallback(new URLSearchParams(query), Object.entries({ CallSid: "CA1", ...fields }), now)
const status = (fields: Record<string, string>) => read(`call_id=${callId}&about=status`, fields)
const detection = (AnsweredBy: string) => read(`call_id=${callId}&about=detection`, { AnsweredBy })
const news = (result: ReturnType<typeof read>) => Result.getOrThrow(result).news
const reason = (result: ReturnType<typeof read>) =>
  Result.match(result, { onFailure: (error) => error.reason, onSuccess: () => "read" })

describe("a status callback", () => {
  it.each([
    ["queued", "Queued"],
    ["initiated", "Dialing"],
    ["ringing", "Ringing"],
    ["in-progress", "Answered"]
  ])("%s means %s", (word, tag) => {
    assert.deepStrictEqual(news(status({ CallStatus: word })), { _tag: tag } as never)
  })

  it.each([
    ["completed", { CallDuration: "7" }, { status: "completed", failure: null, durationSeconds: 7 }],
    ["completed", { CallDuration: "many" }, { status: "completed", failure: null, durationSeconds: null }],
    ["busy", { CallDuration: "0" }, { status: "busy", failure: null, durationSeconds: null }],
    ["no-answer", {}, { status: "no_answer", failure: null, durationSeconds: null }],
    ["canceled", {}, { status: "canceled", failure: null, durationSeconds: null }],
    ["failed", {}, { status: "failed", failure: "provider_error", durationSeconds: null }],
    ["failed", { SipResponseCode: "404" }, { status: "failed", failure: "invalid_number", durationSeconds: null }],
    ["failed", { ErrorCode: "21216" }, { status: "failed", failure: "blocked_number", durationSeconds: null }]
  ])("%s ends the call (%o)", (CallStatus, more, expected) => {
    assert.deepStrictEqual(news(status({ CallStatus, ...more })), { _tag: "Ended", by: null, ...expected } as never)
  })

  it("belongs to the call in its address, and to the moment it names", () => {
    const fields = { CallStatus: "ringing", Timestamp: "Sat, 21 Nov 2026 09:59:58 +0000", SequenceNumber: "1" }
    const expected = { callId, providerCallId: "CA1", at: Instant.plus(now, -2000), news: { _tag: "Ringing" } }
    assert.deepStrictEqual(Result.getOrThrow(status(fields)), expected as never)
    const upper = read(`call_id=${callId.toUpperCase()}&about=status`, fields)
    assert.deepStrictEqual(Result.getOrThrow(upper), expected as never)
  })

  it("happens now where it names no moment that can be read", () => {
    for (const time of [{}, { Timestamp: "yesterday" }]) {
      assert.strictEqual(Result.getOrThrow(status({ CallStatus: "ringing", ...time })).at, now)
    }
  })
})

describe("a detection callback", () => {
  it.each([
    ["human", "human"],
    ["machine_start", "machine"],
    ["machine_end_beep", "machine"],
    ["machine_end_silence", "machine"],
    ["machine_end_other", "machine"],
    ["fax", "machine"],
    ["unknown", "unknown"]
  ])("%s means %s", (word, answeredBy) => {
    assert.deepStrictEqual(news(detection(word)), { _tag: "Detected", answeredBy } as never)
  })
})

describe("a callback that says nothing about any call", () => {
  it.each([
    ["a status that is none", () => status({ CallStatus: "paused" }), "malformed"],
    ["no status", () => status({}), "malformed"],
    ["a name that every object has", () => status({ CallStatus: "toString" }), "malformed"],
    ["an answer by nobody", () => detection(""), "malformed"],
    ["no sid", () => status({ CallStatus: "ringing", CallSid: "" }), "malformed"],
    ["no call id", () => read("about=status", { CallStatus: "ringing" }), "malformed"],
    ["a call id that is none", () => read("call_id=7&about=status", { CallStatus: "ringing" }), "malformed"],
    ["another subject", () => read(`call_id=${callId}&about=recording`, {}), "unsupported"],
    ["no subject", () => read(`call_id=${callId}`, { CallStatus: "ringing" }), "unsupported"]
  ])("is refused: %s", (_, result, expected) => {
    assert.strictEqual(reason(result()), expected)
  })
})
