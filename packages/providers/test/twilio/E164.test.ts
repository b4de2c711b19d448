import { assert, describe, it } from "@effect/vitest"
import { PhoneNumber } from "@trunkline/core/effect"
import * as fc from "fast-check"
import { toE164 } from "../../src/twilio/E164.ts"

const us = "+14155550100"
const india = "+912212345678"
const britain = "+442079460958"

describe("the number that is dialed", () => {
  it.each([
    ["international, bare", "+14155550111", india, "+14155550111"],
    ["international, as people write it", " +1 (415) 555-0111 ", india, "+14155550111"],
    ["international without any caller", "+919876543210", null, "+919876543210"],
    ["with a full-width plus", "＋９１ 98765 43210", us, "+919876543210"],
    ["in Devanagari digits", "+९१ ९८७६५ ४३२१०", us, "+919876543210"],
    ["in Arabic digits", "+٩١٩٨٧٦٥٤٣٢١٠", us, "+919876543210"],
    ["with a bracketed trunk zero", "+44 (0)20 7946 0958", us, "+442079460958"],
    ["with words before it", "Tel.: +44 20 7946 0958", us, "+442079460958"],
    ["national in the caller's country", "98765 43210", india, "+919876543210"],
    ["national with the trunk zero", "09876543210", india, "+919876543210"],
    ["national with the country code in front", "919876543210", india, "+919876543210"],
    ["national in North America", "(415) 555-0111", us, "+14155550111"],
    ["national with a leading one", "1-415-555-0111", us, "+14155550111"],
    ["abroad with 00", "0044 20 7946 0958", india, "+442079460958"],
    ["abroad with 00 where the country dials otherwise", "0044 20 7946 0958", us, "+442079460958"],
    ["abroad with 00 without any caller", "0044 20 7946 0958", null, "+442079460958"],
    ["abroad with 011 from North America", "011 44 20 7946 0958", us, "+442079460958"],
    ["abroad with a country's own prefix", "001 44 20 7946 0958", "+85221234567", "+442079460958"],
    ["of an area that begins with 011", "0113 496 0000", britain, "+441134960000"],
    ["with an extension", "+1 415 555 0111 ext. 45", us, "+14155550111"],
    ["with an extension after a comma", "4155550111,,45#", us, "+14155550111"],
    ["with an extension in another script", "+7 495 988-53-00 доб. 1311", us, "+74959885300"],
    ["with another number behind it", "+14155550111+14155550112", us, "+14155550111"],
    ["with another number, of the other form, behind it", "(415) 555-0111 / +44 20 7946 0958", us, "+14155550111"],
    ["with a label that has a digit", "Phone 1: +44 20 7946 0958", us, "+442079460958"],
    ["in letters of the keys", "1-800-FLOWERS", us, "+18003569377"],
    ["whose trunk zero stays in Italy", "06 1234 5678", "+390612345678", "+390612345678"],
    ["in a country code that many countries share", "(809) 555-0111", "+18095550100", "+18095550111"],
    ["in the code of a caller whose country is not clear", "(415) 555-0111", "+14445550100", "+14155550111"]
  ])("is right for a number %s", (_, written, caller, expected) => {
    assert.strictEqual(toE164(written, caller), expected)
  })

  it.each([
    ["an emergency number", "112", india],
    ["an emergency number with a plus", "+112", india],
    ["another emergency number", "911", us],
    ["an emergency number that passes for a subscriber's", "1331", "+4312345678"],
    ["the same with its country code", "+43 1331", null],
    ["a short code", "+91 1123", us],
    ["too few digits", "555-0111", us],
    ["too many digits", "+44 20 7946 0958 1234", us],
    ["no country to read it in", "98765 43210", null],
    ["a caller that is no number", "98765 43210", "bank"],
    ["an unknown country code", "+999 1234 56789", us],
    ["a date", "2026-11-28", us],
    ["letters that make no number", "1-800-555-HELPDESK", us],
    ["zeros that reading drops, so that another number is left", "0043000.0-0-", us],
    ["no digit at all", "unknown", us],
    ["nothing", "", us]
  ])("is none for %s", (_, written, caller) => {
    assert.isNull(toE164(written, caller))
  })

  it("ends in the digits by which the do-not-call list knows it", () => {
    const written = fc
      .tuple(fc.constantFrom("", "+", "00", "0", "+1 ", "+44 (0)", "+91 "), fc.stringMatching(/^[0-9() .-]{5,20}$/))
      .map((parts) => parts.join(""))
    fc.assert(
      fc.property(written, fc.constantFrom(us, india, britain), (text, caller) => {
        const number = toE164(text, caller)
        if (number === null) return
        assert.match(number, /^\+[1-9]\d{6,14}$/)
        assert.strictEqual(number.slice(-7), PhoneNumber.fold(text).slice(-7))
      }),
      { numRuns: 2000 }
    )
  })
})
