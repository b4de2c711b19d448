/** Verifies: SUPP-1. */
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fold, samePerson, unusableSentence, usable, whyUnusable } from "../../../src/platform/numbers/PhoneNumber.ts"

/** Every place in Unicode where ten decimal digits begin, found without the code under test. */
const zeros = (): ReadonlyArray<number> => {
  const points: Array<number> = []
  for (let point = 0; point <= 0x10ffff; point++) {
    if (/^\p{Nd}$/u.test(String.fromCodePoint(point))) points.push(point)
  }
  return points.filter((_, i) => i % 10 === 0)
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
    ["+7 495 988-53-00 доб. 1311", "74959885300"],
    ["+49 30 901801 int. 45", "4930901801"],
    ["+49 30 901801 ~45", "4930901801"],
    ["+49 30 901801 ～45", "4930901801"],
    ["+49 30 901801 (Durchwahl: 45)", "4930901801"],
    ["98765 43210 (2)", "9876543210"],
    ["+1 212 555 0101 内線 45", "12125550101"],
    ["021-5550101转123", "0215550101"],
    ["+972 3-555-0101 שלוחה 5", "97235550101"],
    ["+91 98765 43210 एक्सटेंशन 45", "919876543210"],
    ["98765 43210 MOBILE", "9876543210"],
    ["555-0101 HOME", "5550101"],
    // another number in the same cell
    ["555-0101 ::: 555-0102", "5550101"],
    ["555-0101 555-0102", "5550101"],
    ["+1 212 555 0101 / 0102", "12125550101"],
    ["030 901820 / 901821", "030901820"],
    ["030901820/901821", "030901820"],
    ["901820/901821", ""],
    ["345678 / 912345", ""],
    ["9876543210/9876543211", "9876543210"],
    ["98765 43210, 98765 43211", "9876543210"],
    ["98765 43210\n98765 43211", "9876543210"],
    ["98765 43210 or 98765 43211", "9876543210"],
    ["+12125550101;+12125550102", "12125550101"],
    ["+12125550101+12125550102", "12125550101"],
    ["555 0101 555 0102", ""],
    ["555-0101-555-0102", ""],
    ["030 901820-901821", ""],
    ["901820 901821", ""],
    ["901820, 901821", ""],
    ["901820 or 901821", ""],
    ["12345, 98765 43210", ""],
    ["1234: 98765 43210", ""],
    ["98765 (home) 43210", ""],
    ["+12125550101/02", "12125550101"],
    ["Tel 1: 555 0101 Tel 2: 555 0102", "5550101"],
    ["+49 +49 171 2345678", ""],
    ["0171+2345678", ""],
    // brackets
    ["(212)(555)(0101)", "2125550101"],
    ["+1(212)(555)(0101)", ""],
    ["+49 30 901801(45)", "4930901801"],
    ["555-0101 (2)", "5550101"],
    ["+1 212 555 (0101)", ""],
    // a number of North America has eleven digits
    ["+1 212 555 0101 - 45", "12125550101"],
    ["+1 212 555 0101 45", "12125550101"],
    // a slash behind an area code
    ["+49 171/2345678", "491712345678"],
    ["030/901820", "030901820"],
    ["+49 33203/123456", "4933203123456"],
    ["+49 33203 / 123456", ""],
    ["033203 / 123456", "033203123456"],
    ["0171 / 2345678", "01712345678"],
    ["212 / 555-0101", "2125550101"],
    // labels, with a digit or without
    ["x#;,pw 98765 43210", "9876543210"],
    ["Phone 1: 98765 43210", "9876543210"],
    ["2nd phone 98765 43210", "9876543210"],
    ["24h hotline: 030 901820", "030901820"],
    ["365 days 555-0101", ""],
    ["AB12CD3456789", ""],
    ["+49 Germany 171 2345678", "491712345678"],
    ["1) +49 171 2345678", "491712345678"],
    // a single mark is ignored, words are not
    ["555012x3", "5550123"],
    ["1600 Pennsylvania Ave NW, Washington, DC 20500", ""],
    // a number that a program has written as a fraction
    ["919876543210.0", "919876543210"],
    // letters of the keys
    ["1-800-FLOWERS", "18003569377"],
    ["1-800-555-HELP", "18005554357"],
    ["800-555-HELP", "8005554357"],
    ["1 800 CALL-NOW", "18002255669"],
    ["0055501x23", "0055501"],
    ["98765;43210", "9876543210"],
    ["987#6543210", "9876543210"],
    ["98765:43210", "9876543210"],
    ["98765|43210", "9876543210"],
    ["555·0101", "5550101"],
    ["+1 212 555_0101", "12125550101"],
    ['="09876543210"', "09876543210"],
    // what nobody sees
    [
      "9\ufe0f\u20e38\ufe0f\u20e37\ufe0f\u20e36\ufe0f\u20e35\ufe0f\u20e34\ufe0f\u20e33\ufe0f\u20e32\ufe0f\u20e31\ufe0f\u20e30\ufe0f\u20e3",
      "9876543210"
    ],
    ["1-800-flowers", "18003569377"],
    ["1-800-555 HELP", "18005554357"],
    ["1-800-555-HELP (toll free)", "18005554357"],
    ["800 WINDSOR AVE", "800"],
    ["60628 TEXAS", "60628"],
    ["5550101home", "5550101"],
    ["555-0101 FAX", "5550101"],
    ["5550101EXT 45", "5550101"],
    // digits of other scripts
    ["९८७६५४३२१०", "9876543210"],
    ["٠٩٨٧٦٥٤٣٢١٠", "09876543210"],
    ["۰۹۱۲۳۴۵۶۷۸۹", "09123456789"],
    ["９８７６５ ４３２１０", "9876543210"],
    ["\u{1d7d7}\u{1d7ce}\u{1d7d8}\u{1d7e1}\u{1d7e2}\u{1d7eb}\u{1d7ec}\u{1d7f5}\u{1d7f6}\u{1d7ff}", "9009090909"],
    // what is no decimal digit is dropped
    ["98765 4321²", "987654321"],
    ["98765 4321Ⅷ", "987654321"],
    ["no number", ""],
    ["🙂", ""],
    ["\ud835", ""],
    ["", ""]
    // Verifies: D-22, D-23, D-291, D-292.
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
      fc.property(unicodeText({ maxLength: 64 }), (text) => {
        const digits = fold(text)
        expect(digits).toMatch(/^[0-9]*$/)
        expect(fold(digits)).toBe(digits)
      })
    )
  })
})

describe("a text that is something else", () => {
  it.each([
    ["shortened", ["4.4770E+11", "9.19877E+11", "9,19877E+11", "9.19877e11", "9E+11", "9.19877 E+11", "9.19877×10^11"]],
    ["shortened", ["Phone: 4.4770E+11", "4.4770E+11 home", "'4.4770E+11", "447.70E+9", "٤٫٤٧٧٠E+١١"]],
    [
      "date",
      ["2026-11-28", "12/31/2026", "28.11.2026", "28.11.26 14:30", "2026-11-28T14:30:00Z", "11/28/2026 2:30 PM"]
    ],
    ["date", ["Nov 28, 2026 14:30:15", "28 Nov 2026 14.30.15", "28 November 2026, 14:30", "٢٠٢٦-١١-٢٨", "2026 11 28"]],
    ["date", ["28.11.2026-5.12.2026", "20261128T143000", "46354.604167", "14:30:15.123456"]],
    ["amount", ["$1,234,567.00", "1,234,567.00", "1.234.567,00 €", "1.234.567,00", "1234567.00", "EUR 1234567"]],
    [
      "amount",
      ["12,34,567", "₹12,34,567", "Rs. 1234567", "1'234'567", "12345678 %", "1 234 567,00", "Total 1,234,567.00"]
    ],
    ["amount", ["1,234,567.00 in total", "1 234 567,00 zł", "1.234.567"]],
    ["address", ["adam1234567@example.com", "https://example.com/1234567", "192.168.100.200", "98765 43210 @home"]],
    ["address", ["www.example.com/1234567", "example.com/1234567", "adam1234567.com", "sip:+12125550101＠example.com"]],
    ["keys", ["1-800-555-HELPDESK", "800-FLOWER-SHOPS", "212-555-HELLO-YOU"]],
    ["unclear", ["+49 33203 / 123456", "345678 / 912345", "1600 Pennsylvania Ave NW, Washington, DC 20500"]],
    ["digits", ["", "call me", "555012", "1234567890123456"]]
  ] as const)("is %s, and no number", (why, texts) => {
    for (const text of texts) expect([text, whyUnusable(text), usable(text)]).toEqual([text, why, undefined])
  })

  it("is refused with a sentence that says what to do, or what was expected", () => {
    expect(unusableSentence("4.4770E+11")).toMatch(/spreadsheet has shortened .* format the column as text/)
    expect(unusableSentence("2026-11-28")).toMatch(/phone number; this is a date/)
    expect(unusableSentence("901820 / 901821")).toMatch(/write one alone/)
    expect(unusableSentence("12")).toMatch(/7 to 15 digits/)
  })

  // Verifies: D-293.
  it("is no number with whatever blanks, label or remark it is written", () => {
    const two = (most: number) => fc.integer({ min: 1, max: most }).map((number) => String(number).padStart(2, "0"))
    const years = fc.integer({ min: 1950, max: 2060 }).map(String)
    const date = fc
      .tuple(
        years,
        two(12),
        two(28),
        fc.constantFrom("-", "/", "."),
        fc.boolean(),
        fc.constantFrom("", " 10:15", "T10:15:00Z")
      )
      .map(([y, m, d, mark, isAscending, time]) => (isAscending ? [d, m, y] : [y, m, d]).join(mark) + time)
    const figure = fc
      .tuple(
        fc.integer({ min: 1_000_000, max: 9_999_999_999 }),
        fc.constantFrom("en-US", "de-DE", "fr-FR", "de-CH", "en-IN", "pt-BR")
      )
      .map(([value, locale]) => value.toLocaleString(locale, { minimumFractionDigits: 2 }))
    const amount = fc.oneof(
      figure,
      fc
        .tuple(fc.constantFrom("$", "€", "₹", "£", "¥", "USD ", "₽"), figure, fc.boolean())
        .map(([sign, value, isFirst]) => (isFirst ? sign + value : `${value} ${sign}`))
    )
    const exponent = fc
      .tuple(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 99_999 }),
        fc.integer({ min: 7, max: 14 }),
        fc.constantFrom(".", ","),
        fc.constantFrom("E+", "e+", "E")
      )
      .map(([head, rest, power, mark, sign]) => `${head}${mark}${rest}${sign}${power}`)
    const name = fc.stringMatching(/^[a-z0-9]{1,20}$/)
    const address = fc.oneof(
      name.map((one) => `${one}1234567@example.com`),
      name.map((one) => `https://example.com/${one}/1234567`),
      name.map((one) => `www.${one}.com/1234567`)
    )
    const around = fc.constantFrom<readonly [string, string]>(
      ["", ""],
      [" ", "\u00a0"],
      ["\u202a", "\u202c"],
      ["Phone: ", ""],
      ["", " (home)"]
    )
    fc.assert(
      fc.property(fc.oneof(date, amount, exponent, address), around, (text, [before, behind]) => {
        expect([text, usable(before + text + behind)]).toEqual([text, undefined])
      }),
      { numRuns: 500 }
    )
  })
})

describe("a number with more behind it", () => {
  const bare = fc
    .tuple(fc.stringMatching(/^[1-9][0-9]{6,11}$/), fc.constantFrom("+", "", "00"))
    .map(([digits, head]) => head + digits)
  /** In groups of two to five digits. */
  const grouped = fc
    .tuple(bare, fc.constantFrom(" ", "-", ".", "\u2011"), fc.integer({ min: 2, max: 5 }))
    .map(([digits, mark, size]) => digits.replace(new RegExp(`([0-9]{${size}})(?=[0-9]{2})`, "g"), `$1${mark}`))
  const written = fc.oneof(bare, grouped).filter((text) => usable(text) !== undefined)

  const words = [
    ...[
      "ext",
      "ext.",
      "x",
      "X",
      "p",
      "w",
      "доб.",
      "вн.",
      "int.",
      "interno",
      "Durchwahl",
      "App.",
      "poste",
      "anexo",
      "ramal"
    ],
    ...[
      "dahili",
      "wew.",
      "kl.",
      "máy lẻ",
      "εσωτ.",
      "内線",
      "转",
      "分机",
      "내선",
      "ต่อ",
      "שלוחה",
      "تحويلة",
      "داخلی",
      "एक्सटेंशन",
      "𞤀𞤁"
    ],
    ...["~", "～", "#", ";", ";ext=", ",", ",,", "|", ":"]
  ]

  // Verifies: D-23, D-294.
  it("is matched by its entry, and matches the entry, whatever extension in whatever script follows", () => {
    const extension = fc.stringMatching(/^[0-9]{1,5}$/)
    fc.assert(
      fc.property(
        written,
        fc.constantFrom(...words),
        extension,
        fc.constantFrom("", " "),
        (number, mark, more, blank) => {
          const alone = usable(number)!
          const extended = [
            `${number} ${mark}${blank}${more}`,
            `${number} (${mark} ${more})`,
            `${number}, ${mark} ${more}`
          ]
          for (const text of extended) {
            // Hours of a day are written with a colon too: such a text is refused.
            if (usable(text) === undefined && whyUnusable(text) === "date") continue
            expect([text, usable(text)]).toEqual([text, alone])
            expect(samePerson(usable(text)!.key, alone.key)).toBe(true)
          }
        }
      ),
      { numRuns: 500 }
    )
  })

  // Verifies: D-293.
  it("never has digits of the next one", () => {
    const signs = [" ::: ", " / ", ", ", "; ", "\n", "\r\n", " | ", " or ", " & ", " und ", "、", "\t", ",", ";", " + "]
    const pairs = fc.oneof(
      fc.tuple(written, fc.constantFrom(...signs, " - ", "  "), bare),
      // Groups and numbers with the same blank between them are the same text.
      fc.tuple(bare, fc.constantFrom(" ", "\u00a0"), bare)
    )
    fc.assert(
      fc.property(pairs, ([one, sign, other]) => {
        const text = one + sign + other
        expect([text, usable(text)?.digits ?? usable(one)!.digits]).toEqual([text, usable(one)!.digits])
      }),
      { numRuns: 500 }
    )
  })
})
