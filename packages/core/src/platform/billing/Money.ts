/** Credits: integer nano-credits in the code, decimal text and numbers at the edges, and nothing in between. */

/** One credit is 1,000,000,000 nano-credits. */
export type Nano = bigint

export const nanoPerCredit = 1_000_000_000n

const amount = /^(\d{1,9})(?:\.(\d{1,9}))?$/

/** Reads a decimal amount of credits with up to nine decimal places, exactly; anything else is undefined. */
export const parseCredits = (text: string): Nano | undefined => {
  const m = amount.exec(text.trim())
  return m === null ? undefined : BigInt(m[1]!) * nanoPerCredit + BigInt((m[2] ?? "").padEnd(9, "0"))
}

/** The nearest amount to a configured number of credits. Configuration is the only place where a price is a double. */
export const fromConfigured = (credits: number): Nano => {
  const [whole, fraction = ""] = credits.toFixed(9).split(".")
  return BigInt(whole!) * nanoPerCredit + BigInt(fraction.padEnd(9, "0"))
}

/** Credits as decimal text without trailing zeros: `12.5`. */
export const formatCredits = (nano: Nano): string => {
  const sign = nano < 0n ? "-" : ""
  const positive = nano < 0n ? -nano : nano
  const fraction = (positive % nanoPerCredit).toString().padStart(9, "0").replace(/0+$/, "")
  return `${sign}${positive / nanoPerCredit}${fraction === "" ? "" : `.${fraction}`}`
}

/** Credits as a JSON number, for answers only: exact to a double's precision. */
export const toNumber = (nano: Nano): number => Number(formatCredits(nano))

/** The minutes of a call that have been started: a call that was answered has started its first. */
export const startedMinutes = (seconds: number): bigint => BigInt(Math.max(1, Math.ceil(seconds / 60)))

/** What an answered call of a length in seconds costs. Source: docs/reference/credits.md#price. */
export const callPrice = (perMinute: Nano, seconds: number): Nano => startedMinutes(seconds) * perMinute
