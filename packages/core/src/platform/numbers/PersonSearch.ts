/** Decides what a search for people looks for. Pure. Source: docs/reference/http-conventions.md#search. */

/** A name's part and, where the text may be a part of a number, its digits. */
export interface PersonSearch {
  readonly text: string
  readonly digits: string | null
}

/** What people write into a number besides its digits. */
const numberSigns = /^[0-9\s()./+\p{Pd}]+$/u

/** A text of digits and signs alone is looked for in numbers as well, from this many digits on. */
export const personSearch = (text: string, minDigits: number): PersonSearch => {
  const digits = text.replace(/[^0-9]/g, "")
  return { text, digits: numberSigns.test(text) && digits.length >= minDigits ? digits : null }
}
