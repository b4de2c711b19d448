/** Amounts of credits: small ones are not shown as nothing. */
import { locale } from "../frame/Say.ts"

const [whole, small] = [2, 6].map((maximumFractionDigits) => new Intl.NumberFormat(locale, { maximumFractionDigits }))

/** `12.5`, or `0.000125`. The client types an amount as what any double may be. */
export const credits = (amount: number | string): string => {
  const value = Number(amount)
  return (Math.abs(value) < 1 ? small! : whole!).format(value)
}
