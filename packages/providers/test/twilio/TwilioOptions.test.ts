/** Verifies: TWIL-5. */
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { InvalidTwilioOptions, type TwilioOptions, twilio } from "../../src/twilio/index.ts"
import { twilioSettings } from "../../src/twilio/TwilioOptions.ts"

const secret = "0123456789abcdef0123456789abcdef"
const good: TwilioOptions = {
  accountSid: "ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  authToken: secret,
  publicUrl: "https://voice.example.com/calls/"
}
const problems = (options: object) =>
  Result.match(twilioSettings({ ...good, ...options } as TwilioOptions), {
    onFailure: (invalid) => invalid.problems,
    onSuccess: () => []
  })

describe("the settings of the carrier", () => {
  // Verifies: D-225.
  it("need an account, its token and a public address; the rest has defaults", () => {
    const settings = Result.getOrThrow(twilioSettings(good))
    assert.strictEqual(Redacted.value(settings.authToken), secret)
    assert.deepStrictEqual(
      { ...settings, authToken: null },
      {
        accountSid: good.accountSid,
        authToken: null,
        baseUrl: "https://api.twilio.com",
        publicUrl: "https://voice.example.com/calls",
        defaultFrom: null,
        callsPerSecond: 1
      }
    )
  })

  it("accept the token redacted, too", () => {
    const settings = Result.getOrThrow(twilioSettings({ ...good, authToken: Redacted.make(secret) }))
    assert.strictEqual(Redacted.value(settings.authToken), secret)
  })

  it.each([
    ["an account of another shape", { accountSid: "AC123" }, "accountSid"],
    ["an empty token", { authToken: "" }, "authToken"],
    ["a public address without https", { publicUrl: "http://voice.example.com" }, "publicUrl"],
    ["a public address with an underscore", { publicUrl: "https://my_host.example.com" }, "publicUrl"],
    ["a public address with a query", { publicUrl: "https://voice.example.com/?a=b" }, "publicUrl"],
    ["a provider's address without https", { baseUrl: "http://api.example.com" }, "baseUrl"],
    ["a provider's address with credentials", { baseUrl: "https://a:b@api.example.com" }, "baseUrl"],
    ["something that is no address", { baseUrl: "api.twilio.com" }, "baseUrl"],
    ["a caller number that is not E.164", { defaultFrom: "0171 1234567" }, "defaultFrom"],
    ["a rate of zero", { callsPerSecond: 0 }, "callsPerSecond"],
    ["a rate without end", { callsPerSecond: Number.POSITIVE_INFINITY }, "callsPerSecond"],
    ["a setting that does not exist", { callerId: "+14155550100" }, "callerId"]
  ])("refuse %s, by name", (_, change, name) => {
    const found = problems(change)
    assert.lengthOf(found, 1)
    assert.isTrue(found[0]?.startsWith(`${name}: `), found[0])
  })

  // Verifies: D-225.
  it.each(["http://127.0.0.1:4010", "http://localhost:4010", "http://[::1]:4010", "http://mock:4010"])(
    "accept plain http that stays near: %s",
    (baseUrl) => {
      assert.deepStrictEqual(problems({ baseUrl, publicUrl: baseUrl }), [])
    }
  )

  it("name every fault at once, and throw where a host knows no Effect", () => {
    const bad = { ...good, accountSid: "x", publicUrl: "y", callsPerSecond: -1 }
    assert.lengthOf(problems(bad), 3)
    assert.throws(() => twilio(bad), InvalidTwilioOptions)
    assert.throws(() => twilio(bad), /accountSid.*publicUrl.*callsPerSecond/s)
    assert.strictEqual(twilio(good).kind, "telephony")
  })

  it("never show the token", () => {
    const settings = Result.getOrThrow(twilioSettings(good))
    const shown = [inspect(settings, { depth: 9 }), JSON.stringify(settings), String(settings.authToken)]
    for (const authToken of [secret, Redacted.make(secret)]) {
      shown.push(...problems({ authToken, accountSid: "AC123", publicUrl: "ftp://x" }))
    }
    shown.push(...problems({ authToken: { secret } }))
    for (const text of shown) assert.notInclude(text, secret)
  })
})
