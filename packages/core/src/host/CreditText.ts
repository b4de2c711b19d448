/** Decimal credits as a host writes them. */
import * as Schema from "effect/Schema"
import { Money } from "../platform/billing/index.ts"

/** A decimal number with up to nine places. */
export const CreditText = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      Money.parseCredits(text) !== undefined ||
      `${JSON.stringify(text)} is not an amount of credits: use a decimal number with up to nine places`
  )
)

/** The nano-credits of an amount; null where none is named. */
export const creditsOf = (text: string | undefined): Money.Nano | null =>
  text === undefined ? null : (Money.parseCredits(text) ?? null)
