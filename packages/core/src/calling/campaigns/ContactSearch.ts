/** Decides what a search among contacts looks for. Pure. Source: docs/reference/campaigns.md#contacts. */

/** A name's part and, where the text may be a part of a number, its digits. */
export interface ContactSearch {
  readonly text: string
  readonly digits: string | null
}

/** Digits from which on a text is also looked for in numbers. */
const minDigits = 3

/** What people write into a number besides its digits. */
const numberSigns = /^[0-9\s()./+\p{Pd}]+$/u

/** A text of digits and signs alone is looked for in numbers as well. */
export const contactSearch = (text: string): ContactSearch => {
  const digits = text.replace(/[^0-9]/g, "")
  return { text, digits: numberSigns.test(text) && digits.length >= minDigits ? digits : null }
}
