/** Verifies: SUPP-1. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { as, lockKey, type MatchKey, samePerson, seekRange, usable } from "../../../src/platform/numbers/PhoneNumber.ts"

const key = (text: string): MatchKey => {
  const number = usable(text)
  if (number === undefined) throw new Error(`no usable number: ${text}`)
  return number.key
}

describe("a usable number", () => {
  it.each([
    ["5550123", "5550123", "3210555"],
    ["+91 98765 43210", "919876543210", "0123456789"],
    ["0091-98765-43210", "00919876543210", "0123456789"],
    ["0123456789", "0123456789", "987654321"],
    ["+33 1 23 45 67 89", "33123456789", "9876543213"],
    ["000000000000 5550123", "0000000000005550123", "3210555"],
    ["123456789012345", "123456789012345", "5432109876"],
    ["00123456789012345", "00123456789012345", "5432109876"],
    ["+44 0000000000", "440000000000", "0000000000"]
  ])("%j has the digits %s and the key %s", (written, digits, matchKey) => {
    expect(usable(written)).toMatchObject({ digits, key: matchKey })
  })

  it.each([
    ["nothing", ""],
    ["letters", "call me"],
    ["an emoji", "📵"],
    ["six digits", "555012"],
    ["six digits behind zeros", "00 555012"],
    ["zeros alone", "0000000000"],
    ["an emergency number", "112"],
    ["sixteen digits", "1234567890123456"],
    ["too few digits before the extension", "0055501x23"]
    // Verifies: D-20, D-24.
  ])("is not %s", (_, written) => {
    expect(usable(written)).toBeUndefined()
  })
})

describe("one person's numbers", () => {
  it.each([
    ["09876543210", "+91 98765 43210"],
    ["0091-98765-43210", "९८७६५४३२१०"],
    ["+1 (212) 555-0123", "212.555.0123"],
    ["+1 212 555 0123 ext 45", "+12125550123"],
    ["+44 (0)20 7946 0958", "020 7946 0958"],
    ["0123456789", "+33 1 23 45 67 89"],
    ["91234567", "+65 9123 4567"],
    ["555-0123", "+1 212 555 0123"],
    ["555-0123", "62 555 0123"],
    ["5550123", "5550123"],
    ["+52 1 55 1234 5678", "+52 55 1234 5678"]
    // Verifies: D-27.
  ])("%s and %s match", (one, other) => {
    expect(samePerson(key(one), key(other))).toBe(true)
    expect(samePerson(key(other), key(one))).toBe(true)
  })

  it.each([
    ["+65 9123 4567", "+91 98 9123 4567"],
    ["91234567", "81234567"],
    ["555-0123", "+1 212 555 0124"],
    ["191234567", "+65 9123 4567"],
    ["AR 02982 15 123456", "+54 9 2982 123456"]
  ])("%s and %s do not", (one, other) => {
    expect(samePerson(key(one), key(other))).toBe(false)
    expect(samePerson(key(other), key(one))).toBe(false)
  })

  it("need not match each other where one short number matches both", () => {
    const [short, here, there] = [key("555-0123"), key("+1 212 555 0123"), key("+1 213 555 0123")]
    expect([samePerson(short, here), samePerson(short, there), samePerson(here, there)]).toEqual([true, true, false])
  })
})

/** Significant digits of a usable number. */
const number = fc.stringMatching(/^[1-9][0-9]{6,14}$/)
const tail = (digits: string, length: number) => digits.slice(-length)
/** Pairs that agree in their last digits as often as not, else hardly any pair would match. */
const pair = fc
  .oneof(
    fc.tuple(number, number),
    fc
      .tuple(number, fc.stringMatching(/^[1-9][0-9]{0,7}$/), fc.integer({ min: 7, max: 10 }))
      .map(([one, head, kept]) => [one, `${head}${tail(one, kept)}`.slice(0, 15)] as [string, string]),
    fc
      .tuple(number, fc.integer({ min: 7, max: 10 }))
      .map(([one, kept]) => [one, `1${tail(one, kept)}`.slice(-kept)] as [string, string])
  )
  .filter(([, other]) => usable(other) !== undefined)

describe("matching, as a law", () => {
  // Verifies: C-17, D-25, D-26, D-27.
  it("is what the decision says in the words of unreversed digits", () => {
    let matched = 0
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const [a, b] = [one.replace(/^0+/, ""), other.replace(/^0+/, "")]
        const shorter = Math.min(a.length, b.length)
        const expected = shorter >= 10 ? tail(a, 10) === tail(b, 10) : a.endsWith(b) || b.endsWith(a)
        if (expected) matched += 1
        expect(samePerson(key(one), key(other))).toBe(expected)
      }),
      { numRuns: 2000 }
    )
    expect(matched).toBeGreaterThan(200)
  })

  it("is symmetric and reflexive", () => {
    fc.assert(
      fc.property(pair, ([one, other]) => {
        expect(samePerson(key(one), key(one))).toBe(true)
        expect(samePerson(key(one), key(other))).toBe(samePerson(key(other), key(one)))
      })
    )
  })

  it("never joins numbers whose last seven digits differ", () => {
    fc.assert(
      fc.property(pair, ([one, other]) => {
        fc.pre(tail(one, 7) !== tail(other, 7))
        expect(samePerson(key(one), key(other))).toBe(false)
      })
    )
  })

  it("is not misled by a country code, an international prefix or a trunk zero", () => {
    const national = fc.stringMatching(/^[1-9][0-9]{6,11}$/)
    const prefix = fc.stringMatching(/^(\+|00|0|)[1-9]{0,3}$/)
    fc.assert(
      fc.property(national, prefix, (digits, written) => {
        expect(samePerson(key(digits), key(`${written} ${digits}`))).toBe(true)
      })
    )
  })

  // Verifies: D-28.
  it("finds everyone it must within the range of one seek", () => {
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const { from, to } = seekRange(key(one))
        const found = from <= key(other) && key(other) < to
        expect(found).toBe(tail(one, 7) === tail(other, 7))
        if (samePerson(key(one), key(other))) expect(found).toBe(true)
      }),
      { numRuns: 1000 }
    )
  })

  it("locks one thing for two numbers of the same person", () => {
    fc.assert(
      fc.property(pair, ([one, other]) => {
        fc.pre(samePerson(key(one), key(other)))
        expect(lockKey(key(one))).toBe(lockKey(key(other)))
      })
    )
  })

  it("seeks over byte order, in which the colon follows the digits", () => {
    expect(seekRange(as("7654321999"))).toEqual({ from: "7654321", to: "7654321:" })
    expect("7654321999" < "7654321:" && "7654322" > "7654321:").toBe(true)
  })
})
