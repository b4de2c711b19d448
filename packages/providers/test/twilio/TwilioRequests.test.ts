import { assert, describe, it } from "@effect/vitest"
import { Ids } from "@trunkline/core/provider"
import * as Result from "effect/Result"
import { twilioSettings } from "../../src/twilio/TwilioOptions.ts"
import * as TwilioRequests from "../../src/twilio/TwilioRequests.ts"

const settings = Result.getOrThrow(
  twilioSettings({
    accountSid: "ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    authToken: "t",
    publicUrl: "https://voice.example.com/base",
    baseUrl: "https://space.example.com/api/laml"
  })
)
const callId = Ids.as<"Call">("01890000-0000-7000-8000-000000000001")
const botId = Ids.as<"Bot">("01890000-0000-7000-8000-000000000002")
const call: TwilioRequests.NewCall = {
  callId,
  botId,
  to: "+919876543210",
  from: "+14155550100",
  answer: { _tag: "Say", text: "Hello", language: null },
  mediaToken: null,
  detectMachine: false
}
const form = (change: Partial<TwilioRequests.NewCall>) =>
  Result.getOrThrow(TwilioRequests.create(settings, { ...call, ...change })).form
const account = "/2010-04-01/Accounts/ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
const callback = `https://voice.example.com/base/api/v1/telephony/providers/twilio/callback?call_id=${callId}`

describe("the request to make a call", () => {
  it("says who is called, what is heard, how long it rings and lasts, and where each event is reported", () => {
    const request = Result.getOrThrow(TwilioRequests.create(settings, call))
    assert.strictEqual(request.method, "POST")
    assert.strictEqual(request.path, `${account}/Calls.json`)
    assert.deepStrictEqual(request.form, [
      ["To", "+919876543210"],
      ["From", "+14155550100"],
      ["Twiml", "<Response><Say>Hello</Say></Response>"],
      ["Timeout", "30"],
      ["TimeLimit", "14400"],
      ["StatusCallback", `${callback}&about=status`],
      ["StatusCallbackMethod", "POST"],
      ["StatusCallbackEvent", "initiated"],
      ["StatusCallbackEvent", "ringing"],
      ["StatusCallbackEvent", "answered"],
      ["StatusCallbackEvent", "completed"]
    ])
  })

  it("has a machine detected in the background, until it is its turn to listen", () => {
    assert.deepStrictEqual(form({ detectMachine: true }).slice(-4), [
      ["MachineDetection", "DetectMessageEnd"],
      ["AsyncAmd", "true"],
      ["AsyncAmdStatusCallback", `${callback}&about=detection`],
      ["AsyncAmdStatusCallbackMethod", "POST"]
    ])
  })

  it.each([
    ["https://bot.example.com/answer", `https://bot.example.com/answer?call_id=${callId}&bot_id=${botId}`],
    ["https://bot.example.com/a?b=c%20d", `https://bot.example.com/a?b=c%20d&call_id=${callId}&bot_id=${botId}`],
    ["https://bot.example.com/a#part", `https://bot.example.com/a?call_id=${callId}&bot_id=${botId}#part`]
  ])("lets the host's instructions at %s know which call and bot it is", (url, expected) => {
    const fields = new Map(form({ answer: { _tag: "Url", url } }))
    assert.strictEqual(fields.get("Url"), expected)
    assert.isFalse(fields.has("Twiml"))
  })

  it("leaves out a bot that there is not", () => {
    const fields = new Map(form({ botId: null, answer: { _tag: "Stream", url: "wss://m.example" } }))
    assert.strictEqual(
      fields.get("Twiml"),
      `<Response><Connect><Stream url="wss://m.example"><Parameter name="call_id" value="${callId}"/></Stream></Connect></Response>`
    )
  })

  it("is not made with more to say than the provider accepts", () => {
    const request = TwilioRequests.create(settings, {
      ...call,
      answer: { _tag: "Say", text: "a".repeat(4000), language: null }
    })
    assert.isTrue(Result.isFailure(request))
  })
})

describe("requests about calls", () => {
  it("list by both numbers, with the plus sign kept", () => {
    assert.strictEqual(
      TwilioRequests.records(settings, "+919876543210", "+14155550100").path,
      `${account}/Calls.json?To=%2B919876543210&From=%2B14155550100&PageSize=200`
    )
  })

  it("name one call, whatever its sid looks like", () => {
    assert.strictEqual(TwilioRequests.record(settings, "CA/../x").path, `${account}/Calls/CA%2F..%2Fx.json`)
  })

  // Verifies: D-225.
  it("go on to the next page below the same base address", () => {
    const next = TwilioRequests.nextPage(settings, `/api/laml${account}/Calls.json?Page=1&PageToken=PACA`)
    assert.strictEqual(next?.path, `${account}/Calls.json?Page=1&PageToken=PACA`)
  })

  it.each([
    "https://evil.example.com/api/laml/2010-04-01/Accounts/x/Calls.json",
    "//evil.example.com/api/laml/x",
    "https://space.example.com.evil.example/api/laml/x",
    "http://space.example.com/api/laml/x",
    "/other/place",
    "http://["
  ])("never send the account's credentials elsewhere: %s", (uri) => {
    assert.isUndefined(TwilioRequests.nextPage(settings, uri))
  })
})
