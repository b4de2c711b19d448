/** Who may be sent a campaign's message: docs/reference/template-campaigns.md#consent. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ConsentFacts, skipReason } from "../../../src/messaging/template-campaigns/SendingConsent.ts"

const willing: ConsentFacts = {
  isOptedOut: false,
  isDoNotCall: false,
  isBlocked: false,
  isOwnNumber: false,
  hasOptedIn: true,
  requireOptIn: true,
  respectDoNotCall: true,
  missing: null
}

/** Each reason with what brings it about, in the order in which they are reported. */
const table: ReadonlyArray<readonly [string, Partial<ConsentFacts>]> = [
  ["opted_out", { isOptedOut: true }],
  ["do_not_call", { isDoNotCall: true }],
  ["blocked", { isBlocked: true }],
  ["own_number", { isOwnNumber: true }],
  ["no_opt_in", { hasOptedIn: false }],
  ["missing_variable", { missing: "body.1" }]
]

describe("a person", () => {
  it("who has agreed, and whom nothing excludes, is sent the message", () => {
    expect(skipReason(willing)).toBeNull()
  })

  table.forEach(([reason, facts], nth) => {
    it(`is skipped with ${reason}, whatever else of what comes after it holds`, () => {
      expect(skipReason({ ...willing, ...facts })?.reason).toBe(reason)
      const rest = Object.assign({}, ...table.slice(nth).map(([, more]) => more))
      expect(skipReason({ ...willing, ...rest })?.reason).toBe(reason)
    })
  })

  it("on the do-not-call list is sent the message where the campaign does not respect the list", () => {
    expect(skipReason({ ...willing, isDoNotCall: true, respectDoNotCall: false })).toBeNull()
  })

  it("who has not agreed is sent the message where the campaign does not require it", () => {
    expect(skipReason({ ...willing, hasOptedIn: false, requireOptIn: false })).toBeNull()
  })

  it("is skipped with a sentence, which names the place that has no value", () => {
    const messages = table.map(([, facts]) => skipReason({ ...willing, ...facts })?.message ?? "")
    expect(messages.filter((message) => !/^The .+\.$/.test(message))).toEqual([])
    expect(new Set(messages).size).toBe(table.length)
    expect(messages.at(-1)).toContain("body.1")
  })

  it("who has opted out, is blocked or is the account itself is never sent the message, whatever the campaign asks for", () => {
    const facts = fc.record({
      isOptedOut: fc.boolean(),
      isDoNotCall: fc.boolean(),
      isBlocked: fc.boolean(),
      isOwnNumber: fc.boolean(),
      hasOptedIn: fc.boolean(),
      requireOptIn: fc.boolean(),
      respectDoNotCall: fc.boolean(),
      missing: fc.option(fc.constantFrom("body.1", "header.media"))
    })
    fc.assert(
      fc.property(facts, (given) => {
        if (skipReason(given) !== null) return
        expect([given.isOptedOut, given.isBlocked, given.isOwnNumber, given.missing]).toEqual([
          false,
          false,
          false,
          null
        ])
        expect(given.hasOptedIn || !given.requireOptIn).toBe(true)
        expect(given.isDoNotCall && given.respectDoNotCall).toBe(false)
      })
    )
  })
})
