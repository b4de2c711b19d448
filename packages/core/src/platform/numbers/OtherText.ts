/** Recognises texts that hold digits and are no telephone number. Pure. Source: docs/reference/suppression.md#usable. */

/** A host name, with a path or by itself. */
const host = /(?:^|\s)(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?:[/?#]|$)/i

/** Four bytes of an internet address, one of which has three digits: written in two digits each they may be a number. */
const isInternetAddress = (text: string): boolean =>
  /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/.test(text) &&
  /[0-9]{3}/.test(text) &&
  text.split(".").every((byte) => Number(byte) <= 255 && String(Number(byte)) === byte)

/** Whether a text holds the address of a mailbox, a page or a machine. */
export const isAddress = (text: string): boolean =>
  text.includes("@") ||
  text.includes("://") ||
  /(?:^|\s)www\./i.test(text) ||
  host.test(text) ||
  isInternetAddress(text)

/** One to three digits, with decimals or without, and a power of ten: `E+11`, `e11` right behind decimals, `×10^11`. */
const shortened =
  /(?<![0-9][.,]?)[0-9]{1,3}(?:[.,٫][0-9]{1,20}e|(?:[.,٫][0-9]{1,20})? ?e ?\+ ?|(?:[.,٫][0-9]{1,20})? ?[x×*·] ?10 ?\^ ?)[0-9]{1,3}(?![0-9])/i

/** Whether a text holds a spreadsheet's form of a long number, whose last digits are gone: `4.4770E+11`. */
export const isShortened = (text: string): boolean => shortened.test(text)

/** Whether a text holds a time of the day. */
export const isTime = (text: string): boolean => /(?<![0-9:])[0-2]?[0-9]:[0-5][0-9](?![0-9])/.test(text)

const currency = /\p{Sc}|%|(?<!\p{L})(?:usd|eur|gbp|inr|chf|cad|aud|jpy|cny|brl|mxn|pln|zł|kč|руб|rs|kr)(?!\p{L})/iu

/** Groups of thousands with commas; with dots or apostrophes; with blanks and decimals; or decimals behind a dot alone. */
const figure =
  /^(?:[1-9][0-9]{0,2}(?:,[0-9]{2,3}){0,6},[0-9]{3}(?:\.[0-9]{1,2})?|[1-9][0-9]?(?:[.'’][0-9]{3}){2,6}(?:,[0-9]{1,2})?|[1-9][0-9]{0,2}(?:\.[0-9]{3}){1,6},[0-9]{1,2}|[1-9][0-9]{0,2}(?:['’][0-9]{3}){1,6}[.,][0-9]{1,2}|[1-9][0-9]{0,2}(?:\s[0-9]{3}){1,6}[.,][0-9]{1,2}|[1-9][0-9]{3,}\.[0-9]{1,2})(?![.,'’]?[0-9])/

/** Whether a text holds an amount: with a currency, or as a figure at one of the places where a number may begin. */
export const isAmount = (text: string, starts: ReadonlyArray<number>): boolean =>
  currency.test(text) || starts.some((start) => figure.test(text.slice(start)))

const day = "(?:0?[1-9]|[12][0-9]|3[01])"
const month = "(?:0?[1-9]|1[0-2])"
const fullYear = "(?:19|20)[0-9]{2}"

/** With the year first or last, and one sign between its parts; and how a spreadsheet counts days and their parts. */
const datesAtStart: ReadonlyArray<RegExp> = [
  new RegExp(`^${fullYear}([-/.])${month}\\1${day}(?![0-9])`),
  new RegExp(`^(?:${day}([-/.])${month}\\1|${month}([-/.])${day}\\2)${fullYear}(?![0-9])`),
  new RegExp(`^${fullYear}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])T[0-9]{4}`),
  /^[3-5][0-9]{4}\.[0-9]{5,}/
]

const isYear = (group: string): boolean => /^(?:19|20)[0-9]{2}$/.test(group)
const isSmall = (group: string): boolean => group.length <= 2 && Number(group) <= 59

/** Nothing but years among days, months, hours and minutes, whatever stands between them. */
const isYearAmongSmall = (groups: ReadonlyArray<string>): boolean => {
  const years = groups.filter(isYear).length
  return years > 0 && groups.length >= 3 * years && groups.every((group) => isYear(group) || isSmall(group))
}

/** Whether a text, which begins with a digit, begins with a date or holds nothing else. */
export const isDate = (text: string): boolean =>
  datesAtStart.some((date) => date.test(text)) || isYearAmongSmall(text.split(/[^0-9]+/).filter(Boolean))
