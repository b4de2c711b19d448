/** Turns a number as a person wrote it into the one form that Twilio dials. */
import { PhoneNumber } from "@trunkline/core/provider"
import { type CountryCode, type PhoneNumber as Parsed, parsePhoneNumberFromString } from "libphonenumber-js/min"

/**
 * The E.164 form, or null where the number cannot be dialed. A number with `+` in front is international. Any other is read
 * as somebody in the caller's country would dial it: with that country's prefixes for trunk and abroad, or with `00`.
 * An extension is dropped. A number that is too short to be on a do-not-call list is not dialed: in some countries an emergency
 * number with the country code in front would pass for a subscriber's.
 * Source: docs/reference/telephony.md#twilio.
 */
export const toE164 = (written: string, caller: string | null): string | null => {
  const usable = PhoneNumber.usable(written)
  if (usable === undefined) return null
  const { digits } = usable
  const number = read(usable, caller)
  // Reading may drop zeros: the rest is not the number that the do-not-call list was asked about.
  return number?.slice(1).endsWith(digits.slice(-listedDigits)) === true ? number : null
}

/** Trailing digits by which the do-not-call list knows a number at least. */
const listedDigits = 7

const read = ({ digits, isInternational }: PhoneNumber.Usable, caller: string | null): string | null => {
  if (isInternational) return possible(parse(`+${digits}`))
  const home = caller === null ? undefined : parse(caller)
  const national = home === undefined ? undefined : parse(digits, home)
  if (!digits.startsWith("00")) return possible(national)
  return national?.isValid() === true ? national.number : possible(parse(`+${digits.slice(2)}`))
}

const possible = (number: Parsed | undefined): string | null => (number?.isPossible() === true ? number.number : null)

/** Some country codes are shared by many countries; then the code alone says how a number is dialed. */
const parse = (digits: string, home?: Parsed): Parsed | undefined =>
  parsePhoneNumberFromString(digits, {
    extract: false,
    ...(home === undefined ? {} : home.country === undefined ? byCode(home) : byCountry(home.country))
  })

const byCountry = (defaultCountry: CountryCode) => ({ defaultCountry })
const byCode = ({ countryCallingCode }: Parsed) => ({ defaultCallingCode: countryCallingCode })
