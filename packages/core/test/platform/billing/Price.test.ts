/**
 * What inference costs: docs/reference/metering.md#price, #rounding, #usd.
 * Verifies: BILL-7 amounts are exact: one rounding, upwards, for each request.
 */
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Prices from "../../../src/platform/billing/Price.ts"

const read = Schema.decodeUnknownSync(Prices.Price, { onExcessProperty: "error", errors: "all" })

const tokens = (inputTokens: number, outputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0) =>
  ({ unit: "tokens", inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }) as const

describe("the digits of a price", () => {
  it.each<[number, bigint]>([
    [0, 0n],
    [0.53, 530_000_000_000n],
    [0.02083, 20_830_000_000n],
    [0.1354, 135_400_000_000n],
    [96, 96_000_000_000_000n],
    [1e-12, 1n],
    [1.5e-7, 150_000n],
    [123_456.789, 123_456_789_000_000_000n]
  ])("%s is read as it is written", (value, pico) => {
    expect(Prices.parseDecimal(value)).toBe(pico)
  })

  it.each([1e-13, 0.1 + 0.2, -1, -1e-9, 1e21, Number.NaN, Number.POSITIVE_INFINITY, 1.0000000000001])(
    "%s is refused",
    (value) => {
      expect(Prices.parseDecimal(value)).toBeUndefined()
      expect(() => read({ usd_per_hour: value })).toThrow()
    }
  )
})

describe("a price of the catalogue file", () => {
  it.each<[Prices.FilePrice]>([
    [{ usd_per_hour: 0.53 }],
    [{ usd_per_10k_characters: 0.4 }],
    [{ usd_per_image: 0.12 }],
    [{ usd_per_image: 0.12, image_pixels: 1_048_576 }],
    [{ credits_per_query: 1 }],
    [
      {
        input_usd_per_million_tokens: 0.52,
        output_usd_per_million_tokens: 2.3,
        cached_input_usd_per_million_tokens: 0.1
      }
    ]
  ])("%j is read, and written again as it was", (file) => {
    expect(Schema.encodeSync(Prices.Price)(read(file))).toEqual(file)
  })

  it("costs a cached token what any token costs, unless it says otherwise, and output nothing", () => {
    expect(read({ input_usd_per_million_tokens: 0.02083 })).toEqual({
      unit: "tokens",
      input: 20_830_000_000n,
      output: 0n,
      cachedInput: 20_830_000_000n,
      cacheWrite: 20_830_000_000n,
      cacheWriteHour: 20_830_000_000n,
      longInputCostsMore: false
    })
  })

  it("costs a token that a cache keeps for an hour twice the input, where keeping costs extra at all", () => {
    const file = { input_usd_per_million_tokens: 2, cache_write_usd_per_million_tokens: 2.5 }
    const price = (more = {}) => read({ ...file, ...more })
    const written = (hour: number) => ({ ...tokens(0, 0, 0, 1_000_000), cacheCreationHourTokens: hour })
    expect(Prices.cost(price(), written(0), 1)).toBe(2_500_000_000n)
    expect(Prices.cost(price(), written(400_000), 1)).toBe(3_100_000_000n)
    const dear = price({ cache_write_1h_usd_per_million_tokens: 10 })
    expect(Prices.cost(dear, written(1_000_000), 1)).toBe(10_000_000_000n)
    expect(Prices.toFile(dear)).toMatchObject({ cache_write_1h_usd_per_million_tokens: 10 })
  })

  it.each([
    [{}],
    [{ usd_per_hour: 1, usd_per_image: 1 }],
    [{ usd_per_hour: 1, input_usd_per_million_tokens: 1 }],
    [{ output_usd_per_million_tokens: 1 }],
    [{ long_input_costs_more: true }],
    [{ image_pixels: 1 }],
    [{ usd_per_image: 1, image_pixels: 0 }],
    [{ usd_per_hour: 1, image_pixels: 1 }],
    [{ usd_per_minute: 1 }],
    [{ usd_per_hour: "0.53" }]
  ])("%j is none", (file) => {
    expect(() => read(file)).toThrow()
  })
})

describe("what a request costs", () => {
  const hourly = read({ usd_per_hour: 0.53 })
  const sized = read({ usd_per_image: 0.12, image_pixels: 1_048_576 })

  it.each<[string, Prices.Price, Prices.Amount, bigint]>([
    ["1 s of saaras:v3", hourly, { unit: "seconds", seconds: 1 }, 14_133_334n],
    // Verifies: H-76.
    ["29.2 s of it count as 30", hourly, { unit: "seconds", seconds: 29.2 }, 424_000_000n],
    ["30 s of it", hourly, { unit: "seconds", seconds: 30 }, 424_000_000n],
    // Verifies: G-26, G-219.
    ["1 h of it", hourly, { unit: "seconds", seconds: 3600 }, 50_880_000_000n],
    ["7 s of ink-whisper", read({ usd_per_hour: 0.1875 }), { unit: "seconds", seconds: 7 }, 35_000_000n],
    ["1 character of melotts", read({ usd_per_10k_characters: 0.05 }), { unit: "characters", characters: 1 }, 480_000n],
    [
      "bulbul:v3, 10,000",
      read({ usd_per_10k_characters: 0.53 }),
      { unit: "characters", characters: 1e4 },
      50_880_000_000n
    ],
    ["2 images of flux-2-dev", read({ usd_per_image: 0.12 }), { unit: "images", images: 2 }, 23_040_000_000n],
    // Verifies: G-852.
    [
      "3 images of any size",
      read({ usd_per_image: 0.12 }),
      { unit: "images", images: 3, pixels: 9e9 },
      34_560_000_000n
    ],
    // Verifies: G-853.
    [
      "an image of the named number of pixels",
      sized,
      { unit: "images", images: 1, pixels: 1_048_576 },
      11_520_000_000n
    ],
    [
      "one pixel more, which begins another price",
      sized,
      { unit: "images", images: 1, pixels: 1_048_577 },
      23_040_000_000n
    ],
    ["2 images of 1792x1024", sized, { unit: "images", images: 2, pixels: 1_835_008 }, 46_080_000_000n],
    ["a small image", sized, { unit: "images", images: 1, pixels: 1 }, 11_520_000_000n],
    ["an image whose size nobody named", sized, { unit: "images", images: 1 }, 11_520_000_000n],
    // Verifies: G-123.
    ["3 searches", read({ credits_per_query: 1 }), { unit: "queries", queries: 3 }, 3_000_000_000n],
    ["1 token embedded, small", read({ input_usd_per_million_tokens: 0.02083 }), tokens(1), 2_000n],
    ["1,000 tokens embedded, small", read({ input_usd_per_million_tokens: 0.02083 }), tokens(1000), 1_999_680n],
    ["1,000 tokens embedded, large", read({ input_usd_per_million_tokens: 0.1354 }), tokens(1000), 12_998_400n],
    [
      "kimi-k2.5, 1,000 in, 500 out",
      read({ input_usd_per_million_tokens: 0.52, output_usd_per_million_tokens: 2.3 }),
      tokens(1000, 500),
      160_320_000n
    ]
  ])("%s", (_, price, amount, nano) => {
    expect(Prices.cost(price, amount, 96)).toBe(nano)
  })

  it("nothing costs nothing, and what is free stays free", () => {
    expect(Prices.cost(hourly, { unit: "seconds", seconds: 0 }, 96)).toBe(0n)
    expect(Prices.cost(read({ usd_per_hour: 0 }), { unit: "seconds", seconds: 100 }, 96)).toBe(0n)
  })

  it("a dollar may be worth any decimal number of credits", () => {
    expect(Prices.cost(hourly, { unit: "seconds", seconds: 3600 }, 88.25)).toBe(46_772_500_000n)
  })

  // Verifies: G-235.
  it("above 272,000 tokens of input all of a long request costs more, where the model says so", () => {
    const file = {
      input_usd_per_million_tokens: 1,
      output_usd_per_million_tokens: 10,
      cached_input_usd_per_million_tokens: 0.1
    }
    const plain = read(file)
    const longer = read({ ...file, long_input_costs_more: true })
    const edge = tokens(200_000, 1000, 71_000, 1000)
    const above = tokens(200_001, 1000, 71_000, 1000)
    expect(Prices.cost(longer, edge, 96)).toBe(Prices.cost(plain, edge, 96))
    // 2 x (201,001 x 1 + 71,000 x 0.1) + 1.5 x 1,000 x 10, in millionths of a dollar
    expect(Prices.cost(longer, above, 96)).toBe(((2n * 208_101n + 15_000n) * 96_000_000_000n) / 1_000_000n)
    expect(Prices.cost(plain, above, 96)).toBe(((208_101n + 10_000n) * 96_000_000_000n) / 1_000_000n)
  })

  it("an amount of another unit, below zero or unknown is a mistake of the code", () => {
    expect(() => Prices.cost(hourly, { unit: "images", images: 1 }, 96)).toThrow(RangeError)
    expect(() => Prices.cost(hourly, { unit: "seconds", seconds: -1 }, 96)).toThrow(RangeError)
    expect(() => Prices.cost(hourly, { unit: "seconds", seconds: Number.NaN }, 96)).toThrow(RangeError)
  })

  const pico = fc.bigInt({ min: 0n, max: 10n ** 15n })
  const count = fc.nat({ max: 2_000_000 })
  const rate = fc.integer({ min: 1, max: 10_000_000 }).map((n) => n / 10_000)

  // Verifies: H-72.
  it("is never less than exact, and less than a nano-credit more", () => {
    fc.assert(
      fc.property(pico, count, rate, (perHour, seconds, usdToCredits) => {
        const charged = Prices.cost({ unit: "seconds", perHour }, { unit: "seconds", seconds }, usdToCredits)
        // In 10^-15 x 1/3600 nano-credits, in which the exact price is an integer.
        const exact = perHour * BigInt(seconds) * Prices.parseDecimal(usdToCredits)!
        const scale = 3600n * 10n ** 15n
        expect(charged * scale >= exact).toBe(true)
        expect((charged - 1n) * scale < exact).toBe(true)
      })
    )
    fc.assert(
      fc.property(pico, pico, pico, count, count, count, rate, (input, output, cachedInput, a, b, c, usdToCredits) => {
        const price: Prices.Price = {
          unit: "tokens",
          input,
          output,
          cachedInput,
          cacheWrite: input,
          cacheWriteHour: input,
          longInputCostsMore: true
        }
        const charged = Prices.cost(price, tokens(a, b, c), usdToCredits)
        const isLong = a + c > 272_000
        const halves =
          (BigInt(a) * input + BigInt(c) * cachedInput) * (isLong ? 4n : 2n) + BigInt(b) * output * (isLong ? 3n : 2n)
        const exact = halves * Prices.parseDecimal(usdToCredits)!
        const scale = 2_000_000n * 10n ** 15n
        expect(charged * scale >= exact).toBe(true)
        expect((charged - 1n) * scale < exact).toBe(true)
      })
    )
  })

  it("never falls when more is used", () => {
    fc.assert(
      fc.property(pico, pico, count, count, fc.nat(1000), fc.nat(1000), (input, output, a, b, moreIn, moreOut) => {
        const price: Prices.Price = {
          unit: "tokens",
          input,
          output,
          cachedInput: input,
          cacheWrite: input,
          cacheWriteHour: input,
          longInputCostsMore: true
        }
        const less = Prices.cost(price, tokens(a, b), 96)
        expect(Prices.cost(price, tokens(a + moreIn, b + moreOut), 96) >= less).toBe(true)
      })
    )
  })
})
