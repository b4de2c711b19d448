/** Verifies: SUPP-1. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { as, fold, lockKey, type MatchKey, samePerson, seekRange, usable } from "../../src/suppression/PhoneNumber.ts"

/** Every place in Unicode where ten decimal digits begin, found without the code under test. */
const zeros = (): ReadonlyArray<number> => {
  const points: Array<number> = []
  for (let point = 0; point <= 0x10ffff; point++) {
    if (/^\p{Nd}$/u.test(String.fromCodePoint(point))) points.push(point)
  }
  return points.filter((_, i) => i % 10 === 0)
}

const key = (text: string): MatchKey => {
  const number = usable(text)
  if (number === undefined) throw new Error(`no usable number: ${text}`)
  return number.key
}

describe("folding a written number", () => {
  it.each([
    // plain and punctuated
    ["9876543210", "9876543210"],
    ["+91 98765 43210", "919876543210"],
    ["0091-98765-43210", "00919876543210"],
    ["098765 43210", "09876543210"],
    ["(987) 654-3210", "9876543210"],
    ["212.555.0123", "2125550123"],
    ["+1/212/555/0123", "12125550123"],
    ["+7 (495) 123‑45‑67", "74951234567"],
    ["\u202a+91 98765 43210\u202c", "919876543210"],
    ["\u200e+91\u00a098765\u200b43210\ufeff", "919876543210"],
    ["+33 1 23 45 67 89", "33123456789"],
    ["📞 98765 43210 🙂", "9876543210"],
    ["Phone: 98765 43210", "9876543210"],
    ["WhatsApp: +91 98765 43210", "919876543210"],
    // a trunk zero in brackets
    ["+44 (0)20 7946 0958", "442079460958"],
    ["+44(0)20 7946 0958", "442079460958"],
    ["+44 ( 0 ) 20 7946 0958", "442079460958"],
    ["+44 [0] 20 7946 0958", "442079460958"],
    ["+44 （０）20 7946 0958", "442079460958"],
    ["+971 (٠) 50 123 4567", "971501234567"],
    ["+44 (\u200e0\u200e) 20 7946 0958", "442079460958"],
    ["(0)20 7946 0958", "2079460958"],
    ["(020) 7946 0958", "02079460958"],
    ["+39 (06) 6982 0000", "390669820000"],
    // extensions
    ["+1 212 555 0123 ext 45", "12125550123"],
    ["+1 212 555 0123 ext. 45", "12125550123"],
    ["+1 212 555 0123 EXTENSION 45", "12125550123"],
    ["+1 212 555 0123 x45", "12125550123"],
    ["+1 212 555 0123X45", "12125550123"],
    ["+1 212 555 0123 ｘ４５", "12125550123"],
    ["+1-212-555-0123,,45#", "12125550123"],
    ["+1-212-555-0123；45", "12125550123"],
    ["+1-212-555-0123#45", "12125550123"],
    ["12125550123p45", "12125550123"],
    ["12125550123P45", "12125550123"],
    ["12125550123w45", "12125550123"],
    ["12125550123W45", "12125550123"],
    ["tel:+1-212-555-0123;ext=45", "12125550123"],
    ["tel:863-1234;phone-context=+1-914-555", "8631234"],
    ["5550123x9", "5550123"],
    // the marks are mere words until seven digits were read, leading zeros among them
    ["555012x3", "5550123"],
    ["x#;,pw 98765 43210", "9876543210"],
    ["0055501x23", "0055501"],
    // digits of other scripts
    ["९८७६५४३२१०", "9876543210"],
    ["٠٩٨٧٦٥٤٣٢١٠", "09876543210"],
    ["۰۹۱۲۳۴۵۶۷۸۹", "09123456789"],
    ["９８７６５ ４３２１０", "9876543210"],
    ["\u{1d7d7}\u{1d7ce}\u{1d7d8}\u{1d7e1}\u{1d7e2}\u{1d7eb}\u{1d7ec}\u{1d7f5}\u{1d7f6}\u{1d7ff}", "9009090909"],
    // what is no decimal digit is dropped
    ["1-800-FLOWERS", "1800"],
    ["98765 4321²", "987654321"],
    ["98765 4321Ⅷ", "987654321"],
    ["no number", ""],
    ["🙂", ""],
    ["\ud835", ""],
    ["", ""]
    // Verifies: D-22, D-23.
  ])("reads %j as %j", (written, digits) => {
    expect(fold(written)).toBe(digits)
  })

  // Verifies: D-21.
  it("reads every decimal digit of Unicode", () => {
    const scripts = zeros()
    expect(scripts.length).toBeGreaterThan(60)
    for (const zero of scripts) {
      const written = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((digit) => String.fromCodePoint(zero + digit)).join("")
      expect(fold(written), `from U+${zero.toString(16)}`).toBe("9876543210")
    }
  })

  it("agrees with the platform about the digits of its numbering systems", () => {
    const systems = Intl.supportedValuesOf("numberingSystem")
    let checked = 0
    for (const system of systems) {
      const written = new Intl.NumberFormat("en-US", { numberingSystem: system, useGrouping: false }).format(9876543210)
      if (!/^\p{Nd}+$/u.test(written)) continue
      expect(fold(written), system).toBe("9876543210")
      checked += 1
    }
    expect(checked).toBeGreaterThan(30)
  })

  it("yields ASCII digits alone, which fold to themselves", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 64 }), (text) => {
        const digits = fold(text)
        expect(digits).toMatch(/^[0-9]*$/)
        expect(fold(digits)).toBe(digits)
      })
    )
  })
})

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
    expect(usable(written)).toEqual({ digits, key: matchKey })
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
    ["two numbers in one field", "98765 43210 / 98765 43211"],
    ["a word in place of digits", "1-800-FLOWERS"],
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
